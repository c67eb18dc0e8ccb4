"""Print-and-play decks, drawn by the project itself; they come with the software and need no enrolment."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from vision.art.canvas import Canvas
from vision.art.kit import CardArt, DeckArt
from vision.decks.cache import cache_folder
from vision.decks.deck import CardFace, Deck, write_deck
from vision.geometry import Picture
from vision.pictures import write_picture

# Raise it when a drawing changes, so that decks drawn before aren't used any more.
EDITION = 5
DPI = 150


def draw_card(art: CardArt, size: tuple[float, float], dpi: float) -> Picture:
    """One side of a card as a picture."""
    canvas = Canvas(*size, dpi)
    art.draw(canvas)
    return canvas.picture()


def deck_pictures(deck: DeckArt) -> Path:
    """The folder of a deck that the software draws, made at its first use."""
    places = (cache_folder() / "decks", Path(tempfile.gettempdir()) / f"hush-decks-{os.getuid()}")
    for place in places:
        folder = place / f"{deck.name}-{EDITION}"
        if (folder / "deck.toml").is_file():
            return folder
    for place in places:
        try:
            place.mkdir(parents=True, exist_ok=True)
            # Drawn aside and moved, so that nobody sees half a deck.
            working = Path(tempfile.mkdtemp(dir=place))
        except OSError:
            continue
        _draw_deck(deck, working)
        folder = place / f"{deck.name}-{EDITION}"
        try:
            working.rename(folder)
        except OSError:
            return folder if (folder / "deck.toml").is_file() else working
        return folder
    raise OSError("no folder to draw a deck into")


def _draw_deck(deck: DeckArt, folder: Path) -> None:
    faces, names, copies = [], {}, {}
    for art in deck.cards():
        path = folder / f"{art.card}{'-' + art.face if art.face else ''}.png"
        write_picture(path, draw_card(art, deck.size, DPI))
        faces.append(CardFace(art.card, art.face, (path,)))
        names[art.card] = {"en": art.title.split(":")[0]}
        copies[art.card] = art.copies
    licence = "drawn by the Hush project; as its code"
    write_deck(Deck(deck.name, folder, tuple(faces), *deck.size, names, copies, licence))
