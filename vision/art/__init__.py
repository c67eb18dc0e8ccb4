"""Print-and-play decks, drawn by the project itself; they come with the software and need no enrolment."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from vision.art.kit import CardArt, DeckArt, Drawing, Translate, side_name
from vision.art.picture import PictureCanvas
from vision.decks.cache import cache_folder
from vision.decks.deck import CardFace, Deck, write_deck
from vision.geometry import Picture
from vision.pictures import write_picture

# Raise it when a drawing changes, so that decks drawn before aren't used any more.
EDITION = 6
DPI = 150


def draw_card(art: CardArt, size: tuple[float, float], dpi: float) -> Picture:
    """One side of a card as a picture."""
    return draw_picture(art.draw, size, dpi)


def draw_picture(draw: Drawing, size: tuple[float, float], dpi: float) -> Picture:
    """A drawing as a picture."""
    canvas = PictureCanvas(*size, dpi)
    draw(canvas)
    return canvas.picture()


def deck_pictures(deck: DeckArt, languages: Sequence[Translate] = (str,)) -> Path:
    """The folder of a deck that the software draws, made at its first use.

    Cards with words on them are drawn in all languages: nobody has to tell the eye in which one a deck was printed.
    """
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
        _draw_deck(deck, languages, working)
        folder = place / f"{deck.name}-{EDITION}"
        try:
            working.rename(folder)
        except OSError:
            return folder if (folder / "deck.toml").is_file() else working
        return folder
    raise OSError("no folder to draw a deck into")


def _draw_deck(deck: DeckArt, languages: Sequence[Translate], folder: Path) -> None:
    faces, names, copies = [], {}, {}
    learnt = languages[:1] if deck.reads_alike else languages
    for arts in zip(*(deck.cards(translate) for translate in learnt), strict=True):
        art, side = arts[0], side_name(arts[0])
        # Drawings without words are the same in every language.
        pictures = {picture.tobytes(): picture for picture in (draw_card(one, deck.size, DPI) for one in arts)}
        paths = tuple(folder / f"{side}{f'-{at}' if at else ''}.png" for at in range(len(pictures)))
        for path, picture in zip(paths, pictures.values(), strict=True):
            write_picture(path, picture)
        faces.append(CardFace(art.card, art.face, paths))
        names[art.card] = {"en": art.title.split(":")[0]}
        copies[art.card] = art.copies
    licence = "drawn by the Hush project; as its code"
    write_deck(Deck(deck.name, folder, tuple(faces), *deck.size, names, copies, licence))
