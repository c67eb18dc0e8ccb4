"""Makes a deck of our own from another: a folder, the Arcana Land format, or one photo of cards laid out."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np

from companion.text import N_
from vision import quads
from vision.decks.deck import CardFace, Deck, open_deck, write_deck
from vision.errors import DeckError
from vision.geometry import Picture, Points, area, overlap, rectangle
from vision.pictures import read_picture, write_picture

SQUARED = 480  # pixels across a squared-up card: more than the recogniser uses, enough for a person to look at
ALIKE = 1.7  # times as large as another a card may look in one photo: it may be taken from a side


def import_folder(source: Path, target: Path) -> Deck:
    """Copy a deck of any known kind into a folder of ours, with its deck.toml."""
    deck = open_deck(source)
    for face in deck.faces:
        for path in face.pictures:
            # A file that only has the name of a picture is told by that name, before anything is copied.
            read_picture(path)
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
    # Cards of one photo are of one size; anything far off is a box, several cards together or a picture on a card.
    alike = [_apart(found, abs(area(corners))) for corners in found]
    kept = max(alike, key=lambda cards: sum(abs(area(corners)) for corners in cards), default=[])
    return [c for row in _rows([upright(c) for c in kept]) for c in row]


def _apart(found: list[Points], size: float) -> list[Points]:
    """Outlines of about this size that don't lie on each other."""
    apart: list[Points] = []
    for corners in found:
        is_like = size / ALIKE < abs(area(corners)) < size * ALIKE
        if is_like and all(overlap(corners, other) < 0.5 for other in apart):
            apart.append(corners)
    return apart


def upright(corners: Points) -> Points:
    """An outline from the corner that lies upper left in the picture: a card is enrolled as it's read."""
    return corners if corners[:2, 1].mean() <= corners[2:, 1].mean() else np.roll(corners, 2, axis=0)


def _rows(cards: list[Points]) -> list[list[Points]]:
    """Cards in reading order: each followed by its neighbour on the right, however the photo is turned or slanted."""
    middles = np.array([c.mean(axis=0) for c in cards])
    pairs: list[tuple[float, int, int]] = []
    for number, corners in enumerate(cards):
        across, down = (corners[1] + corners[2] - corners[0] - corners[3]) / 2, corners[3] - corners[0]
        # A card may lie on its side; its rows run the way that is nearest to the picture's own.
        right, below = (across, down) if abs(across[0]) > abs(down[0]) else (down, across)
        frame = np.column_stack([right * np.sign(right[0]), below * np.sign(below[1])])
        # Where the others lie, in this card's own widths and heights.
        place = np.linalg.solve(frame, (middles - middles[number]).T).T
        beside = (place[:, 0] > 0.5) & (np.abs(place[:, 1]) < np.minimum(0.5, 0.3 * place[:, 0]))
        pairs += [(float(place[other, 0]), number, int(other)) for other in np.flatnonzero(beside)]
    after: dict[int, int] = {}
    for _away, number, other in sorted(pairs):
        if number not in after and other not in after.values():
            after[number] = other
    rows = []
    for first in sorted(set(range(len(cards))) - set(after.values()), key=lambda n: float(middles[n, 1])):
        row = [first]
        while row[-1] in after:
            row.append(after[row[-1]])
        rows.append([cards[n] for n in row])
    return rows


def square_up(picture: Picture, corners: Points, aspect: float) -> Picture:
    """A card cut out and turned upright."""
    height = round(SQUARED * aspect)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), rectangle(SQUARED, height).astype(np.float32))
    return np.asarray(cv2.warpPerspective(picture, matrix, (SQUARED, height), flags=cv2.INTER_AREA), np.uint8)
