"""`python -m docs.colour_blind`: every deck as people see it who can't tell some colours apart, and how well it's told.

Makes docs/images/colour-blind-*.png, and docs/colour-blind.md with what was measured.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
from msgspec import Struct

from companion.table.decks import DECKS
from vision.art import draw_card
from vision.art.kit import CardArt, DeckArt
from vision.geometry import Array, Picture
from vision.pictures import write_picture

FOLDER = Path(__file__).parent
PAGE = FOLDER / "colour-blind.md"
# Machado, Oliveira, Fernandes 2009: full deficiency, for linear light in red, green, blue.
KINDS: dict[str, Array] = {
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
WAYS = ("full sight", *KINDS)
SEEN = (21, 29)
"""A card in cells of three millimetres: what is told from across a table."""
CARDS_SHOWN = 10
"""So many cards of a deck are in its picture."""


class AlikeSides(Struct, frozen=True):
    """The two sides of a deck that are most alike, and how far apart their most different cell is, in steps of Lab."""

    one: str
    other: str
    apart: float


def seen_by(picture: Picture, kind: str) -> Picture:
    """A picture as somebody with a colour deficiency sees it."""
    if kind == "full sight":
        return picture
    linear = (picture[:, :, ::-1].astype(np.float64) / 255) ** 2.2
    seen = np.clip(linear @ KINDS[kind].T, 0, 1) ** (1 / 2.2)
    return np.ascontiguousarray((seen * 255).round().astype(np.uint8)[:, :, ::-1])


def sides_of(deck: DeckArt) -> list[CardArt]:
    """One of each side."""
    return list({(art.card, art.face): art for art in deck.cards()}.values())


def hardest(pictures: dict[str, Picture]) -> AlikeSides:
    """The two sides that are hardest to tell apart: even their most different cell differs by little."""
    cells = {
        name: cv2.cvtColor(np.float32(cv2.resize(picture, SEEN, interpolation=cv2.INTER_AREA) / 255), cv2.COLOR_BGR2LAB)
        for name, picture in pictures.items()
    }
    pairs = (
        AlikeSides(one, other, float(np.linalg.norm(cells[one] - cells[other], axis=2).max()))
        for one, other in combinations(cells, 2)
    )
    return min(pairs, key=lambda pair: pair.apart)


def drawn(deck: DeckArt, dpi: float) -> dict[str, Picture]:
    """All sides of a deck, by what they are called."""
    return {f"{art.title} {art.face}".strip(): draw_card(art, deck.size, dpi) for art in sides_of(deck)}


def contact_sheet(pictures: list[Picture]) -> Picture:
    """Four rows, one a way of seeing, of some cards."""
    rows = [np.hstack([seen_by(picture, kind) for picture in pictures]) for kind in WAYS]
    return np.ascontiguousarray(np.vstack(rows))


def measured() -> dict[str, list[AlikeSides]]:
    """For each deck, what is hardest in each way of seeing."""
    found = {}
    for name, deck in DECKS.items():
        sides = drawn(deck, 25.4 / 3 * 4)
        found[name] = [hardest({side: seen_by(picture, way) for side, picture in sides.items()}) for way in WAYS]
    return found


def page() -> str:
    """The page with what was measured."""
    lines = [HEAD, f"| deck | {' | '.join(('full sight', *KINDS))} |", "| --- |" + " --- |" * (1 + len(KINDS))]
    for name, pair in measured().items():
        lines.append(f"| {name} | " + " | ".join(f"{one.apart:.0f} ({one.one}, {one.other})" for one in pair) + " |")
    lines.append(TAIL)
    lines += [f"\n## {name}\n\n![{name} in four ways of seeing](images/colour-blind-{name}.png)" for name in DECKS]
    return "\n".join(lines) + "\n"


HEAD = """# Decks and colour blindness

Written by `python -m docs.colour_blind`, pictures and numbers; a test fails when the numbers aren't true any more.

No card is told by its colour alone: a triangle is red, a drop blue, a star yellow, a square green, ranks are numbers
and counted shapes, zombies have a sign for their kind, resource cards a name and a picture. What is left of a card for
people who can't tell some colours apart is in the pictures: full sight, then without red (protanopia), green
(deuteranopia) and blue cones (tritanopia), simulated after Machado, Oliveira and Fernandes (2009).

The table tells, for each deck, how far apart the two sides are that are hardest to tell: cards are looked at in cells
of 3 mm, and the number is the difference of the two sides' most different cell in CIELAB, where 2 to 3 can just be
seen.
"""
TAIL = """
All pairs of sides of all decks stay far above what can just be seen, with each deficiency."""


def main() -> None:
    """Make the pictures and the page."""
    for name, deck in DECKS.items():
        arts = sides_of(deck)
        some = [arts[round(at)] for at in np.linspace(0, len(arts) - 1, CARDS_SHOWN)]
        write_picture(
            FOLDER / "images" / f"colour-blind-{name}.png", contact_sheet([draw_card(a, deck.size, 32) for a in some])
        )
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
