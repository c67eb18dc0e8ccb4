"""A deck: which cards it has, how large they are, what they're called, and where their pictures lie."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.text import N_
from vision.errors import DeckError, PictureError
from vision.pictures import pictures_in

TAROT = (70.0, 120.0)
# In the Arcana Land format ranks are words; ours are two digits, so that files sort.
RANKS = (
    *("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("page", "knight", "queen", "king"),
)
SUITS = ("wands", "cups", "swords", "pentacles")


class CardFace(Struct, frozen=True):
    """One side of a card and the pictures that show it."""

    card: str
    face: str
    pictures: tuple[Path, ...]


class Deck(Struct, frozen=True):
    """A deck of cards; sizes are in millimetres, 0 where unknown."""

    name: str
    folder: Path
    faces: tuple[CardFace, ...]
    width: float = 0.0
    height: float = 0.0
    names: dict[str, dict[str, str]] = {}
    copies: dict[str, int] = {}
    licence: str = ""
    used_for: str = ""
    """Which of Hush's decks or games it stands for; empty where it doesn't say."""

    @property
    def cards(self) -> tuple[str, ...]:
        """The card ids, each once, in the deck's order."""
        return tuple(dict.fromkeys(face.card for face in self.faces))

    @property
    def aspect(self) -> float | None:
        """Height over width, where the deck says it."""
        return self.height / self.width if self.width > 0 and self.height > 0 else None


class _CardEntry(Struct):
    id: str
    pictures: list[str] = []
    faces: dict[str, list[str]] = {}
    names: dict[str, str] = {}
    copies: int = 1


class _DeckFile(Struct, rename={"used_for": "for"}):
    name: str = ""
    used_for: str = ""
    licence: str = ""
    width_mm: float = 0.0
    height_mm: float = 0.0
    card: list[_CardEntry] = []


def open_deck(folder: Path) -> Deck:
    """A deck from its folder: ours, one in the Arcana Land format, or pictures named after the cards."""
    if not folder.is_dir():
        raise DeckError(N_("there is no deck folder {path}"), path=folder)
    described = folder / "deck.toml"
    if not described.is_file():
        return _plain(folder)
    try:
        content = tomllib.loads(described.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DeckError(N_("{path} can't be read: {error}"), path=described, error=error) from None
    if "deck" in content and "card" not in content:
        return _arcana(folder, content)
    return _described(folder, content)


def _described(folder: Path, content: dict[str, Any]) -> Deck:
    try:
        read = msgspec.convert(content, _DeckFile)
    except msgspec.ValidationError as error:
        raise DeckError(N_("{path} isn't right: {error}"), path=folder / "deck.toml", error=error) from None
    faces: list[CardFace] = []
    seen: set[str] = set()
    for entry in read.card:
        if entry.id in seen:
            raise DeckError(N_("{path}: card {card} is there twice"), path=folder / "deck.toml", card=entry.id)
        seen.add(entry.id)
        sides = entry.faces or {"": entry.pictures or _guess(folder, entry.id)}
        for face, pictures in sides.items():
            paths = tuple(folder / p for p in pictures)
            missing = [p.name for p in paths if not p.is_file()]
            if missing or not paths:
                raise DeckError(
                    N_("{path}: no picture for card {card}: {missing}"),
                    path=folder,
                    card=entry.id,
                    missing=", ".join(missing) or "–",
                )
            faces.append(CardFace(entry.id, face, paths))
    if not faces:
        raise DeckError(N_("{path} names no cards"), path=folder / "deck.toml")
    return Deck(
        read.name or folder.name,
        folder,
        tuple(faces),
        read.width_mm,
        read.height_mm,
        {entry.id: entry.names for entry in read.card if entry.names},
        {entry.id: entry.copies for entry in read.card},
        read.licence,
        read.used_for,
    )


def _guess(folder: Path, card: str) -> list[str]:
    return [p.name for p in pictures_in(folder) if _card_of(p) == card]


def _card_of(picture: Path) -> str:
    """The card a plain picture shows: its name, without the number of a second picture ('r2~2.jpg')."""
    return re.sub(r"~\d+$", "", picture.stem)


def _plain(folder: Path) -> Deck:
    """A folder of pictures, each named after its card; 'name~2.jpg' is a second picture of 'name'."""
    try:
        pictures = pictures_in(folder)
    except PictureError as error:
        raise DeckError(error.template, **error.values) from None
    if not pictures:
        raise DeckError(N_("{path} has no pictures: a deck is a folder with one for each card"), path=folder)
    by_card: dict[str, list[Path]] = {}
    for picture in pictures:
        by_card.setdefault(_card_of(picture), []).append(picture)
    return Deck(folder.name, folder, tuple(CardFace(card, "", tuple(p)) for card, p in by_card.items()))


def _arcana(folder: Path, content: dict[str, Any]) -> Deck:
    """A deck in the Arcana Land format: pictures in folders by arcana, suit and rank, in some sizes."""
    about = content.get("deck", {})
    sizes = sorted(
        (p for p in folder.iterdir() if p.is_dir() and re.fullmatch(r"h\d+", p.name)),
        key=lambda p: abs(int(p.name[1:]) - 800),
    )
    faces: list[CardFace] = []
    wanted = [(f"major-{n:02}", f"major_arcana/{n:02}") for n in range(22)]
    wanted += [
        (f"{suit}-{n:02}", f"minor_arcana/{suit}/{rank}") for suit in SUITS for n, rank in enumerate(RANKS, start=1)
    ]
    for card, stem in wanted:
        for size in [*sizes, folder]:
            place = size / stem
            if not place.parent.is_dir():
                continue
            found = [p for p in pictures_in(place.parent) if p.stem == place.name]
            if found:
                faces.append(CardFace(card, "", (found[0],)))
                break
    if not faces:
        raise DeckError(N_("{path} has no pictures in folders h… (vector pictures aren't read)"), path=folder)
    ratio = about.get("aspect_ratio")
    height = TAROT[0] / ratio if isinstance(ratio, int | float) and 0.3 < ratio < 1 else TAROT[1]
    return Deck(
        str(about.get("name") or folder.name),
        folder,
        tuple(faces),
        TAROT[0],
        float(height),
        {},
        {},
        str(about.get("license") or ""),
    )


def write_deck(deck: Deck) -> None:
    """Write a deck's deck.toml into its folder; pictures must lie in the folder already."""
    lines = [
        f"name = {_quoted(deck.name)}",
        *([f"for = {_quoted(deck.used_for)}"] if deck.used_for else []),
        f"licence = {_quoted(deck.licence)}",
        f"width_mm = {float(deck.width)}",
        f"height_mm = {float(deck.height)}",
    ]
    for card in deck.cards:
        lines += ["", "[[card]]", f"id = {_quoted(card)}"]
        if deck.copies.get(card, 1) != 1:
            lines.append(f"copies = {deck.copies[card]}")
        sides = [f for f in deck.faces if f.card == card]
        texts = {f.face: [str(p.relative_to(deck.folder)) for p in f.pictures] for f in sides}
        if list(texts) == [""]:
            lines.append(f"pictures = {_listed(texts[''])}")
        else:
            inside = ", ".join(f"{_quoted(face)} = {_listed(paths)}" for face, paths in texts.items())
            lines.append(f"faces = {{ {inside} }}")
        if deck.names.get(card):
            inside = ", ".join(f"{k} = {_quoted(v)}" for k, v in deck.names[card].items())
            lines.append(f"names = {{ {inside} }}")
    try:
        (deck.folder / "deck.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise DeckError(N_("{path} can't be written: {error}"), path=deck.folder, error=error) from None


def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode()


def _listed(paths: list[str]) -> str:
    return "[" + ", ".join(_quoted(p) for p in paths) + "]"
