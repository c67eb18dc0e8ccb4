"""The table as shapes a page can draw: zones of cards, meters and notes. Nothing about any one game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

from msgspec import Struct

from companion.games.cards import HIDDEN, Card
from companion.games.game import Game
from companion.text import Text

Say = Callable[[Text], str]
Tone = Literal["", "red", "blue", "yellow", "green", "violet", "white", "grey"]
Shape = Literal["", "triangle", "square", "drop", "star", "skull", "person", "wall"]
Layout = Literal["fan", "grid", "row", "pile"]


class Face(Struct, frozen=True, omit_defaults=True):
    """One card: what stands on it, its colour and shape, how it lies, what is marked on it."""

    id: str
    name: str
    sign: str = ""
    tone: Tone = ""
    shape: Shape = ""
    is_hidden: bool = False
    is_turned: bool = False
    is_gone: bool = False
    is_marked: bool = False
    tokens: tuple[int, ...] = ()


class Zone(Struct, frozen=True):
    """A place on the table with its cards. `seat` is whose it is, `count` what can't be seen."""

    key: str
    label: str
    faces: tuple[Face, ...] = ()
    layout: Layout = "fan"
    seat: int | None = None
    is_active: bool = False
    is_lit: bool | None = None
    tone: Tone = ""
    shape: Shape = ""
    count: int | None = None
    columns: int = 4
    note: str = ""


class Meter(Struct, frozen=True):
    """A quantity with its most."""

    key: str
    label: str
    value: int
    most: int


class Picture(Struct, frozen=True):
    """The table as somebody may see it."""

    zones: tuple[Zone, ...] = ()
    meters: tuple[Meter, ...] = ()
    notes: tuple[str, ...] = ()


class Pencil:
    """What every drawing needs at hand: the game, its words, and a language."""

    def __init__(self, game: Game[Any], say: Say):
        self.game = game
        self.say = say

    def term(self, word: str) -> str:
        """A word of the game's glossary."""
        return self.say(self.game.term(word))

    def text(self, template: str, **values: Any) -> str:
        """A sentence of the page."""
        return self.say(Text(template, values))

    def face(self, card: Card, **how: Any) -> Face:
        """A card by its name."""
        if card == HIDDEN:
            return Face(HIDDEN, self.say(self.game.term(HIDDEN)), is_hidden=True)
        return Face(card, self.say(self.game.card(card)), **how)

    def faces(self, cards: Iterable[Card]) -> tuple[Face, ...]:
        """Cards by their names."""
        return tuple(self.face(card) for card in cards)
