"""Makes a deck of our own from another: a folder, the Arcana Land format, or one photo of cards laid out."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np

from vision import quads
from vision.decks.deck import CardFace, Deck, open_deck, write_deck
from vision.errors import N_, DeckError
from vision.geometry import Picture, Points, rectangle, sides
from vision.pictures import read_picture, write_picture

SQUARED = 480  # pixels across a squared-up card: more than the recogniser uses, enough for a person to look at


def import_folder(source: Path, target: Path) -> Deck:
    """Copy a deck of any known kind into a folder of ours, with its deck.toml."""
    deck = open_deck(source)
    _prepare(target)
    faces = []
    for face in deck.faces:
        copied = []
        for number, path in enumerate(face.pictures):
            ending = f"~{number + 1}" if number else ""
            name = f"{face.card}{'-' + face.face if face.face else ''}{ending}{path.suffix.lower()}"
            shutil.copyfile(path, target / name)
            copied.append(target / name)
        faces.append(CardFace(face.card, face.face, tuple(copied)))
    made = Deck(deck.name, target, tuple(faces), deck.width, deck.height, deck.names, deck.copies, deck.licence)
    write_deck(made)
    return made


def import_photo(
    photo: Path, target: Path, names: list[str], aspect: float, size: tuple[float, float] = (0.0, 0.0)
) -> Deck:
    """Cut the cards out of one photo; they're named in reading order by the list."""
    picture = read_picture(photo)
    found = find_cards(picture, aspect)
    if len(found) != len(names):
        raise DeckError(
            N_("{path} shows {found} cards, and the list names {named}"),
            path=photo,
            found=len(found),
            named=len(names),
        )
    _prepare(target)
    faces = []
    for name, corners in zip(names, found, strict=True):
        path = target / f"{name}.png"
        write_picture(path, square_up(picture, corners, aspect))
        faces.append(CardFace(name, "", (path,)))
    deck = Deck(target.name, target, tuple(faces), *size)
    write_deck(deck)
    return deck


def _prepare(target: Path) -> None:
    try:
        target.mkdir(parents=True, exist_ok=True)
        occupied = any(target.iterdir())
    except OSError as error:
        raise DeckError(N_("{path} can't be written: {error}"), path=target, error=error) from None
    if occupied:
        raise DeckError(N_("{path} isn't empty; choose a new folder"), path=target)


def find_cards(picture: Picture, aspect: float) -> list[Points]:
    """The outlines of cards that lie apart, in reading order: rows from the top, each from the left."""
    found = quads.find(picture, aspect, min(picture.shape[:2]) / 16)
    if not found:
        return []
    # Cards of one photo are of one size; anything far off is a box, a shadow or a picture on a card.
    areas = np.array([cv2.contourArea(c.astype(np.float32)) for c in found])
    usual = float(np.median(areas))
    kept = [c for c, a in zip(found, areas, strict=True) if 0.5 * usual < a < 2 * usual]
    height = float(np.median([max(sides(c)) for c in kept]))
    kept.sort(key=lambda c: float(c[:, 1].mean()))
    rows: list[list[Points]] = []
    for corners in kept:
        if rows and corners[:, 1].mean() - rows[-1][0][:, 1].mean() < 0.5 * height:
            rows[-1].append(corners)
        else:
            rows.append([corners])
    return [c for row in rows for c in sorted(row, key=lambda c: float(c[:, 0].mean()))]


def square_up(picture: Picture, corners: Points, aspect: float) -> Picture:
    """A card cut out and turned upright."""
    height = round(SQUARED * aspect)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), rectangle(SQUARED, height).astype(np.float32))
    return np.asarray(cv2.warpPerspective(picture, matrix, (SQUARED, height), flags=cv2.INTER_AREA), np.uint8)
