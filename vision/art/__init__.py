"""Print-and-play decks, drawn by the project itself; they come with the software and need no enrolment."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from vision.art import cisza, silencio, similo, tarot
from vision.art.canvas import Canvas
from vision.art.kit import CardArt
from vision.decks.cache import cache_folder
from vision.decks.deck import CardFace, Deck, write_deck
from vision.geometry import Picture
from vision.pictures import write_picture

DECKS = {
    "silencio": (silencio.cards, silencio.SIZE),
    "fables": (similo.fables, similo.SIZE),
    "history": (similo.history, similo.SIZE),
    "tarot": (tarot.cards, tarot.SIZE),
    "cisza": (cisza.cards, cisza.SIZE),
}
# Raise it when a drawing changes, so that decks drawn before aren't used any more.
EDITION = 5
DPI = 150


def draw_card(art: CardArt, size: tuple[float, float], dpi: float) -> Picture:
    """One side of a card as a picture."""
    canvas = Canvas(*size, dpi)
    art.draw(canvas)
    return canvas.picture()


def deck_pictures(name: str) -> Path:
    """The folder of a deck that comes with the software, drawn at its first use."""
    places = (cache_folder() / "decks", Path(tempfile.gettempdir()) / f"hush-decks-{os.getuid()}")
    for place in places:
        folder = place / f"{name}-{EDITION}"
        if (folder / "deck.toml").is_file():
            return folder
    for place in places:
        try:
            place.mkdir(parents=True, exist_ok=True)
            # Drawn aside and moved, so that nobody sees half a deck.
            working = Path(tempfile.mkdtemp(dir=place))
        except OSError:
            continue
        _draw_deck(name, working)
        folder = place / f"{name}-{EDITION}"
        try:
            working.rename(folder)
        except OSError:
            return folder if (folder / "deck.toml").is_file() else working
        return folder
    raise OSError("no folder to draw a deck into")


def _draw_deck(name: str, folder: Path) -> None:
    make, size = DECKS[name]
    faces, names, copies = [], {}, {}
    for art in make():
        path = folder / f"{art.card}{'-' + art.face if art.face else ''}.png"
        write_picture(path, draw_card(art, size, DPI))
        faces.append(CardFace(art.card, art.face, (path,)))
        names[art.card] = {"en": art.title.split(":")[0]}
        copies[art.card] = art.copies
    write_deck(Deck(name, folder, tuple(faces), *size, names, copies, "drawn by the Hush project; as its code"))
