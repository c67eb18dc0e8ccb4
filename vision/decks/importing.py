"""Makes a deck of our own from another: a folder, the Arcana Land format, or one photo of cards laid out."""

from __future__ import annotations

import difflib
import re
import shutil
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.text import N_, Text, raw
from vision.decks.deck import CardFace, Deck, open_deck, write_deck
from vision.decks.reading_order import Spread
from vision.decks.spread import find_spread
from vision.decks.way_up import Rotations, rotations, turned
from vision.drawing import numbered
from vision.errors import DeckError, VisionError
from vision.geometry import Picture, Points, rectangle
from vision.pictures import read_picture, write_picture

SQUARED = 480  # pixels across a squared-up card: more than the recogniser uses, enough for a person to look at
# Formats that phones and drawing programs write, and that aren't read here.
UNREAD = frozenset({".heic", ".heif", ".avif", ".gif", ".svg"})
LEFT_OUT = "-"
Progress = Callable[[int, int], None]


class Listed(Struct, frozen=True):
    """The cards of a photo as a person lists them: ids in reading order, and where each stands in the list."""

    path: Path
    cards: tuple[str, ...]
    lines: tuple[int, ...]


def no_progress(done: int, total: int) -> None:
    """Tell nobody."""


def read_list(path: Path) -> Listed:
    """A list of cards: ids apart by spaces, commas or lines; '-' stands for a card that is left out."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        raise DeckError(N_("there is no list {path}: write one with a card id on each line"), path=path) from None
    except (OSError, UnicodeDecodeError) as error:
        raise DeckError(N_("{path} can't be read: {error}"), path=path, error=error) from None
    words = [
        (word, number) for number, line in enumerate(lines, start=1) for word in re.split(r"[\s,;]+", line) if word
    ]
    if not words:
        raise DeckError(N_("{path} names no cards"), path=path)
    seen: dict[str, int] = {}
    for card, number in words:
        if not re.fullmatch(r"[\w-]+", card):
            raise DeckError(
                N_("{path}, line {line}: {card} is no card id: letters, digits, - and _ only"),
                path=path, line=number, card=card,
            )  # fmt: skip
        if card != LEFT_OUT and card in seen:
            raise DeckError(
                N_("{path}: {card} is in line {first} and again in line {line}"),
                path=path, card=card, first=seen[card], line=number,
            )  # fmt: skip
        seen.setdefault(card, number)
    return Listed(path, tuple(card for card, _number in words), tuple(number for _card, number in words))


def check_ids(named: Iterator[tuple[str, str]], known: Collection[str], deck: str) -> None:
    """Refuse cards that a deck of Hush's doesn't have; each comes with the file that names it."""
    unknown = [(card, where) for card, where in named if card not in known and card != LEFT_OUT]
    if unknown:
        told = []
        for card, where in unknown:
            near = difflib.get_close_matches(card, known, 1, 0.5)
            told.append(Text("{where}: {card} → {near}?", {"where": where, "card": card, "near": near[0]}) if near else
                        Text("{where}: {card}", {"where": where, "card": card}))  # fmt: skip
        raise DeckError(
            N_("{deck} has no such cards: {unknown}. Its cards are: {known}"),
            deck=deck, unknown=tuple(told), known=tuple(map(raw, known)),
        )  # fmt: skip


def import_folder(
    source: Path,
    target: Path,
    known: Collection[str] = (),
    used_for: str = "",
    progress: Progress = no_progress,
) -> tuple[Deck, Rotations]:
    """Copy a deck of any known kind into a folder of ours, with its deck.toml; its pictures stand up there.

    Where `known` card ids are given, other ids are refused.
    """
    if source.is_dir():
        unread = sorted(p.name for p in source.iterdir() if p.suffix.lower() in UNREAD and not p.name.startswith("."))
        if unread:
            raise DeckError(
                N_("{path}: pictures of this kind aren't read: {names}. Save them as JPEG or PNG"),
                path=source, names=", ".join(unread),
            )  # fmt: skip
    deck = open_deck(source)
    if known:
        check_ids(((f.card, f.pictures[0].name) for f in deck.faces), known, used_for)
    paths = [path for face in deck.faces for path in face.pictures]
    ways = rotations(_read_all(paths, progress))
    prepare(target)
    quarters = iter(ways.quarters)
    faces = []
    for face in deck.faces:
        copied = []
        for number, path in enumerate(face.pictures):
            ending = f"~{number + 1}" if number else ""
            stem = f"{face.card}{'-' + face.face if face.face else ''}{ending}"
            copied.append(_copied(path, target, stem, next(quarters)))
        faces.append(CardFace(face.card, face.face, tuple(copied)))
    made = replace(deck, folder=target, faces=tuple(faces), used_for=used_for or deck.used_for)
    write_deck(made)
    return made, ways


def _copied(path: Path, target: Path, stem: str, quarters: int) -> Path:
    """Copy a picture as it is, or turned by so many quarters."""
    if not quarters:
        place = target / f"{stem}{path.suffix.lower()}"
        shutil.copyfile(path, place)
        return place
    place = target / f"{stem}.png"
    write_picture(place, turned(read_picture(path), quarters))
    return place


def _read_all(paths: list[Path], progress: Progress) -> list[Picture]:
    """All pictures, small; those that can't be read are told together, each by its name."""
    pictures: list[Picture] = []
    broken: list[VisionError] = []
    for number, path in enumerate(paths, start=1):
        try:
            picture = read_picture(path)
            if min(picture.shape[:2]) < 32:
                raise DeckError(N_("{path} is too small to learn a card from"), path=path)
            factor = 240 / min(picture.shape[:2])
            pictures.append(np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)))
        except VisionError as error:
            broken.append(error)
        progress(number, len(paths))
    if broken:
        raise DeckError(
            N_("{problems}. Mend or delete these files, and import again"),
            problems=tuple(Text(e.template, {name: str(value) for name, value in e.values.items()}) for e in broken),
        )
    return pictures


class Photo(Struct, frozen=True):
    """A photo of a deck laid out, and what was found in it."""

    path: Path
    picture: Picture
    spread: Spread
    aspect: float

    def problem(self, listed: Listed) -> DeckError | None:
        """What keeps the cards of the photo from being those of a list; None if nothing does."""
        found, named = len(self.spread.cards), len(listed.cards)
        if found == named:
            return None
        values = {"path": self.path, "found": found, "named": named, "list": listed.path}
        rows = ", ".join(str(sum(c is not None for c in row)) for row in self.spread.rows)
        if not found:
            return DeckError(
                N_("{path} shows no cards that stand out from the table: they must lie apart, on a plain table"),
                **values,
            )
        if found > named:
            return DeckError(
                N_("{path} shows {found} cards (in rows: {rows}), and {list} names {named}; a '-' leaves a card out"),
                rows=rows, **values,
            )  # fmt: skip
        holes = tuple(self._hole(row, place, listed) for row, place in self.spread.holes)
        if len(holes) != named - found:
            holes = ()
        told = holes or (Text(N_("cards in rows: {rows}"), {"rows": rows}),)
        return DeckError(
            N_("{path} shows {found} of the {named} cards that {list} names: {holes}"), holes=told, **values
        )

    def _hole(self, row: int, place: int, listed: Listed) -> Text:
        """Which place has no card, and which card would lie there."""
        before = sum(len(cards) for cards in self.spread.rows[: row - 1]) + place - 1
        card = listed.cards[before] if before < len(listed.cards) else "?"
        return Text(N_("row {row}, place {place} has no card ({card})"), {"row": row, "place": place, "card": card})

    def drawn(self) -> Picture:
        """The photo with a number on each card."""
        return numbered(self.picture, self.spread.cards)


def look_at(photo: Path, aspect: float, count: int) -> Photo:
    """Find the cards of a photo, which should be so many."""
    picture = read_picture(photo)
    return Photo(photo, picture, find_spread(picture, aspect, count), max(aspect, 1 / aspect))


def import_photo(
    photo: Photo,
    target: Path,
    listed: Listed,
    used_for: str = "",
    size: tuple[float, float] = (0.0, 0.0),
    progress: Progress = no_progress,
) -> Deck:
    """Cut the cards out of a photo; they're named in reading order by the list. Raises `DeckError` on another count."""
    problem = photo.problem(listed)
    if problem is not None:
        raise problem
    prepare(target)
    faces = []
    for number, (card, corners) in enumerate(zip(listed.cards, photo.spread.cards, strict=True), start=1):
        if card != LEFT_OUT:
            path = target / f"{card}.png"
            write_picture(path, square_up(photo.picture, corners, photo.aspect))
            faces.append(CardFace(card, "", (path,)))
        progress(number, len(listed.cards))
    deck = Deck(target.name, target, tuple(faces), *size, used_for=used_for)
    write_deck(deck)
    return deck


def prepare(target: Path) -> None:
    """Make a new folder for a deck."""
    try:
        target.mkdir(parents=True, exist_ok=True)
        occupied = any(target.iterdir())
    except OSError as error:
        raise DeckError(N_("{path} can't be written: {error}"), path=target, error=error) from None
    if occupied:
        raise DeckError(N_("{path} isn't empty; choose a new folder"), path=target)


def upright(corners: Points) -> Points:
    """An outline from the corner that lies upper left in the picture: a card is enrolled as it's read."""
    return corners if corners[:2, 1].mean() <= corners[2:, 1].mean() else np.roll(corners, 2, axis=0)


def square_up(picture: Picture, corners: Points, aspect: float) -> Picture:
    """A card cut out and turned upright."""
    height = round(SQUARED * aspect)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), rectangle(SQUARED, height).astype(np.float32))
    return np.asarray(cv2.warpPerspective(picture, matrix, (SQUARED, height), flags=cv2.INTER_AREA), np.uint8)
