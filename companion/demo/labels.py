"""What the eye has read, as labels on the picture of the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.catalogue import current
from companion.demo.terminal_picture import STRANGER, Label
from companion.games.game import Game
from companion.kits import KITS
from companion.table.same_card import SAME_SPOT_MM, distance_mm
from companion.table.sight import Seen

SHAPES = {"triangle": "▲", "square": "■", "drop": "●", "star": "★", "skull": "☻", "person": "♟", "wall": "▚"}
TONES = {
    "red": "#ff7b7b", "blue": "#7fb5ff", "yellow": "#ffdc5e", "green": "#7be08f", "violet": "#c9a5ff",
    "white": "#ffffff", "grey": "#d8d6e0", "": "#f0eef8",
}  # fmt: skip
UNNAMED = "#ff9d3c"
KNOWN = "✓"
"""On what lies there and is no card of the rules: the eye knows it."""


def labels(game: Game[Any], seen: Sequence[Seen], before: Sequence[Seen], width: float) -> list[Label]:
    """A label for each card; what wasn't there before stands out. `width` is a card's, in millimetres."""
    return [
        Label(one.x, one.y, width, *written(game, one), is_new=all(is_other(one, old) for old in before))
        for one in seen
    ]


def is_other(one: Seen, old: Seen) -> bool:
    """Whether a card isn't the one that lay here before."""
    return (one.card, one.face) != (old.card, old.face) or distance_mm(one, old) > SAME_SPOT_MM


def written(game: Game[Any], seen: Seen) -> tuple[str, str]:
    """What stands on a card, and in which colour."""
    if not seen.card:
        return STRANGER, UNNAMED
    kit = KITS[game.name]
    if kit.thing(seen.card) is not None:
        return KNOWN, TONES["grey"]
    drawn = kit.drawn_card_of(kit.host.table.layout_name(seen.card), current.say)
    shape = SHAPES.get(drawn.shape, "")
    return (f"{shape}{drawn.sign}" if drawn.sign else f"{shape} {drawn.name}".strip()), TONES[drawn.tone]
