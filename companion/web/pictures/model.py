"""The table as shapes a page can draw: zones of cards, meters and notes. Nothing about any one game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

from msgspec import Struct

from companion.games.cards import HIDDEN, Card
from companion.games.game import Game, Move
from companion.text import Text
from vision.simulated import LaidCard
from vision.zones import Layout as TableLayout

Say = Callable[[Text], str]
Tone = Literal["", "red", "blue", "yellow", "green", "violet", "white", "grey"]
Shape = Literal["", "triangle", "square", "drop", "star", "skull", "person", "wall"]
Layout = Literal["fan", "grid", "row", "pile"]


class DrawnCard(Struct, frozen=True, omit_defaults=True):
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


class PictureZone(Struct, frozen=True):
    """A place on the table with its cards. `seat` is whose it is, `count` what can't be seen."""

    key: str
    label: str
    cards: tuple[DrawnCard, ...] = ()
    layout: Layout = "fan"
    seat: int | None = None
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


class TablePicture(Struct, frozen=True):
    """The table as somebody may see it."""

    zones: tuple[PictureZone, ...] = ()
    meters: tuple[Meter, ...] = ()
    notes: tuple[str, ...] = ()


class DrawingTools:
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

    def card(self, card: Card, **how: Any) -> DrawnCard:
        """A card by its name."""
        if card == HIDDEN:
            return DrawnCard(HIDDEN, self.say(self.game.term(HIDDEN)), is_hidden=True)
        return DrawnCard(card, self.say(self.game.card(card)), **how)

    def cards(self, cards: Iterable[Card]) -> tuple[DrawnCard, ...]:
        """Cards by their names."""
        return tuple(self.card(card) for card in cards)


class Thing(Struct, frozen=True, omit_defaults=True):
    """A card or token on the drawn table: its middle in millimetres, its angle clockwise, its zone, and what the rules
    call it where that is another name than the one printed on it."""

    card: str
    x: float
    y: float
    angle: float = 0.0
    face: str = ""
    zone: str = ""
    means: str = ""


class NamedZone(Struct, frozen=True):
    """A zone of the table with its name, in millimetres."""

    name: str
    label: str
    x: float
    y: float
    width: float
    height: float


Target = str
"""What somebody taps to mean a move: a card, a zone, `seat-2`, `card@zone`, or `deck:card` for one from the deck."""


def named_targets(state: Any, move: Move) -> tuple[Target, ...]:
    """The cards and players that a move names."""
    found: list[Target] = []
    for name in move.__struct_fields__:
        value = getattr(move, name)
        if isinstance(value, int):
            found += [f"seat-{value + 1}"] if name in ("seat", "to") and value >= 0 else []
        elif isinstance(value, str) and value not in (HIDDEN, "none"):
            found.append(value)
    return tuple(found)


def by_its_name(card: Card) -> Card:
    """The rules call a card what is printed on it."""
    return card


def says_nothing(options: Any, card: Card) -> Text | None:
    """A card that does nothing by itself."""
    return None


def not_counted(state: Any) -> tuple[int, int] | None:
    """Nothing is laid out card by card now."""
    return None


def no_others(state: Any, move: Move) -> tuple[Card, ...]:
    """A move that names all the cards it's about."""
    return ()


class OnPage(Struct, frozen=True, kw_only=True):
    """What a game brings to the drawn table; all of it has a default."""

    board: Callable[[TableLayout, Any], list[LaidCard]] | None = None
    """What lies where in a state; as on the simulated table where it's left out."""

    rules_name_of: Callable[[Card], Card] = by_its_name
    """What the rules call a card."""

    targets: Callable[[Any, Move], tuple[Target, ...]] = named_targets
    """What one may tap to mean a move."""

    concerns: Callable[[Any, Move], tuple[Card, ...]] = no_others
    """The cards that a move is about though it doesn't name them."""

    does: Callable[[Any, Card], Text | None] = says_nothing
    """What a card does, with these options."""

    good_for: Callable[[Any, Card], Text | None] = says_nothing
    """What a card without an effect is good for; said of one that is asked about."""

    progress: Callable[[Any], tuple[int, int] | None] = not_counted
    """How many of how many cards of the set-up lie there."""
