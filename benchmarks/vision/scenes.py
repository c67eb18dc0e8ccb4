"""The pictures of the benchmark: photos where they're at hand, and generated scenes of every kind."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from msgspec import Struct

from companion.table.decks import DECKS, drawn_deck
from vision.decks import open_deck
from vision.geometry import Picture, Points, rectangle, sides
from vision.pictures import read_picture
from vision.simulated import Conditions, LaidCard, Look, PinholeCamera, Scene, render
from vision.simulated.things import TABLES

Faces = list[tuple[str, str, Picture]]
DATA = Path(os.environ.get("HUSH_DATA", Path(__file__).resolve().parents[2].parent / "shared" / "data"))
KINDS = ("isolated", "rows", "fans", "dim", "warm", "glare", "small", "slanted", "hands", "strangers", "soft")


class Lying(Struct, frozen=True):
    """A card that really is in a picture; strangers have no card."""

    card: str
    face: str
    corners: Points
    visible: float = 1.0
    has_way: bool = True  # whether it's known which way up it lies

    @property
    def must_be_seen(self) -> bool:
        """Half of it shows, and it's 100 pixels wide."""
        return self.visible >= 0.5 and float(np.sort(sides(self.corners))[:2].mean()) >= 100


class Shot(Struct, frozen=True):
    """A picture and what lies in it."""

    name: str
    picture: Picture
    cards: tuple[Lying, ...]


def faces_of(folder: Path) -> Faces:
    deck = open_deck(folder)
    return [(f.card, f.face, read_picture(p)) for f in deck.faces for p in f.pictures]


def own_faces(name: str) -> Faces:
    return faces_of(drawn_deck(name))


def decks() -> Iterator[tuple[str, Faces, Faces, Faces]]:
    """Each deck as its name, what is enrolled, what lies on the table, and strangers."""
    own = {name: own_faces(name) for name in ("silencio", "fables", "tarot", "cisza")}
    others = {"silencio": "cisza", "fables": "tarot", "tarot": "fables", "cisza": "silencio"}
    for name, faces in own.items():
        yield name, faces, faces, own[others[name]]
    scans = DATA / "decks"
    if not scans.is_dir():
        print(f"other printings, Marseille: skipped, no {scans}")
        return
    strangers = faces_of(scans / "etteilla-1789-unknown")
    first = faces_of(scans / "rws-roses-lilies-1909")
    yield "other printing", first, faces_of(scans / "rws-pam-a-sacredtexts"), strangers
    pips = faces_of(scans / "marseille-conver-1760")
    yield "marseille", pips, pips, strangers


def photos(folder: Path) -> Iterator[Shot]:
    labels = json.loads((folder / "labels.json").read_text())["images"]
    if isinstance(labels, dict):
        # One card a picture, without its corners: anywhere in it will do.
        for name, (card,) in labels.items():
            picture = read_picture(folder / "images" / name)
            whole = rectangle(picture.shape[1], picture.shape[0])
            yield Shot(name, picture, (Lying(card, "", whole, has_way=False),))
        return
    for entry in labels:
        cards = tuple(Lying(c["card"], "", np.array(c["corners"], float)) for c in entry["cards"])
        yield Shot(entry["image"], read_picture(folder / entry["image"]), cards)


def size_of(name: str) -> tuple[float, float]:
    return DECKS[name].size if name in DECKS else (70.0, 120.0)


def looks_of(faces: Faces, size: tuple[float, float]) -> dict[tuple[str, str], Look]:
    return {(card, face): Look(picture, *size) for card, face, picture in faces}


def generated(
    kind: str, shown: Faces, strangers: Faces, size: tuple[float, float], count: int, seed: int = 0
) -> Iterator[Shot]:
    """Scenes of one kind; the same seed gives the same scenes."""
    looks = looks_of(shown, size)
    looks |= {("?" + card, face): look for (card, face), look in looks_of(strangers, size).items()}
    known = [key for key in looks if not key[0].startswith("?")]
    foreign = [key for key in looks if key[0].startswith("?")]
    for number in range(count):
        random = np.random.default_rng([seed, number, KINDS.index(kind)])
        cards = _laid(kind, known, size, random)
        if kind == "strangers":
            cards = [
                LaidCard(*(key := foreign[random.integers(len(foreign))])[:1], c.x, c.y, c.turn, key[1])
                if random.random() < 0.6
                else c
                for c in cards
            ]
        hands = ((random.uniform(120, 480), random.uniform(120, 330)),) if kind == "hands" else ()
        shot = render(
            Scene(tuple(cards), hands=hands),
            looks,
            _camera(kind, random),
            _conditions(kind, random),
            TABLES[number % len(TABLES)],
            seed=seed * 1000 + number,
        )
        lying = tuple(
            Lying("" if t.laid.card.startswith("?") else t.laid.card, t.laid.face, t.corners, t.visible)
            for t in shot.cards
        )
        yield Shot(f"{kind}-{number}", shot.picture, lying)


def _laid(
    kind: str, known: list[tuple[str, str]], size: tuple[float, float], random: np.random.Generator
) -> list[LaidCard]:
    def card(x: float, y: float, turn: float) -> LaidCard:
        name, face = known[random.integers(len(known))]
        return LaidCard(name, float(x), float(y), float(turn), face)

    wide, tall = size
    if kind in ("rows", "soft"):
        step = wide * 0.52
        return [
            card(
                50 + wide / 2 + k * step,
                30 + tall / 2 + r * (tall + 18),
                random.uniform(-4, 4) + 180 * random.integers(2),
            )
            for r in range(3)
            for k in range(int((500 - wide) / step))
        ]
    if kind == "fans":
        return [
            card(x + np.sin(np.radians(a)) * tall, y + tall - np.cos(np.radians(a)) * tall, a)
            for x in (150, 430)
            for y in (tall * 0.75, tall * 0.75 + 210)
            for a in np.linspace(-52, 52, 5)
        ]
    columns, rows = int(560 // (tall + 12)), int(430 // (tall + 12))
    return [
        card(20 + (c + 0.5) * 560 / columns, 10 + (r + 0.5) * 430 / rows, random.uniform(0, 360))
        for r in range(rows)
        for c in range(columns)
    ]


def _camera(kind: str, random: np.random.Generator) -> PinholeCamera:
    tilt = random.uniform(15, 60) if kind == "slanted" else random.uniform(0, 15)
    fill = {"small": 0.78, "slanted": 1.25}.get(kind, 1.0)
    return PinholeCamera(tilt=float(tilt), around=float(random.uniform(-40, 40)), bulge=-0.03, fill=fill)


def _conditions(kind: str, random: np.random.Generator) -> Conditions:
    fixed = {
        "dim": Conditions(light=0.22, noise=3.0, blur=0.8),
        "warm": Conditions(light=0.3, warmth=0.9, shade=0.6, noise=3.0, blur=0.8),
        "glare": Conditions(glare=6),
        "soft": Conditions(light=0.9, blur=1.8, jpeg=60),
    }
    usual = Conditions(light=float(random.uniform(0.6, 1.1)), warmth=float(random.uniform(0, 0.4)))
    return fixed.get(kind, usual)
