"""What every print-and-play deck is made of: cards with an id, a side, a title and a way to draw them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from msgspec import Struct

from vision.art.canvas import Canvas

Drawing: TypeAlias = Callable[[Canvas], None]
Translate: TypeAlias = Callable[[str], str]


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
    """A deck that can be drawn: its name, what people call it, its cards in a language, their size in millimetres.

    `back` is the other side of every card that has nothing of its own there; without one that side is blank. A deck
    that `reads_alike` has words so small that the eye knows it in every language by the English one.
    """

    name: str
    title: str
    drawn_in: Callable[[Translate], list[CardArt]]
    size: tuple[float, float]
    back: Drawing | None = None
    reads_alike: bool = False

    def cards(self, translate: Translate = str) -> list[CardArt]:
        """All sides of all cards, with their words in a language; the eye learns them in English."""
        return self.drawn_in(translate)


def side_name(art: CardArt) -> str:
    """The name of one side of a card, which no other side of the deck has."""
    return f"{art.card}-{art.face}".strip("-")


def seeded(name: str) -> np.random.Generator:
    """Chance that is the same on every machine, for one name."""
    return np.random.default_rng(int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "big"))
