"""What every print-and-play deck is made of: cards with an id, a side, a title and a way to draw them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np
from msgspec import Struct

from vision.art.canvas import Canvas

Drawing = Callable[[Canvas], None]


class CardArt(Struct, frozen=True):
    """One side of a card, how it's drawn, and how many of it a game needs.

    `front` is the card whose picture is on the other side, where many cards share that one.
    """

    card: str
    face: str
    title: str
    draw: Drawing
    copies: int
    front: str = ""


class DeckArt(Struct, frozen=True):
    """A deck that can be drawn: its name, what people call it, its cards, and their size in millimetres."""

    name: str
    title: str
    cards: Callable[[], list[CardArt]]
    size: tuple[float, float]


def seeded(name: str) -> np.random.Generator:
    """Chance that is the same on every machine, for one name."""
    return np.random.default_rng(int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "big"))
