"""What the table looks like to the rules: recognised cards with their place, free of pixels and cameras."""

from __future__ import annotations

import math

from msgspec import Struct

from companion.games.game import Move
from companion.table.looks import are_alike
from companion.text import N_, Text


class Seen(Struct, frozen=True):
    """A card on the table: where it lies, which way round, how sure the eye is.

    `card` is empty for a card the eye can't name; `maybe` are the cards it could be, likeliest first, its own name
    among them where it has one, `chances` how likely each is, and `was` is the card that was read there before, if it
    still looks the same. `has_way` is false where its outline is all that tells how it lies: it may be upside down.
    """

    card: str
    zone: str = ""
    turn: float = 0.0
    face: str = ""
    x: float = 0.0
    y: float = 0.0
    sure: float = 1.0
    maybe: tuple[str, ...] = ()
    was: str = ""
    look: bytes = b""
    has_way: bool = True
    chances: tuple[float, ...] = ()

    @property
    def is_upside_down(self) -> bool:
        """Whether its top points to the lower half of the picture."""
        return 90 < self.turn % 360 < 270


class Sight(Struct, frozen=True):
    """The settled table. `is_busy` while a hand is in the picture; `strangers` are cards without a name."""

    cards: tuple[Seen, ...] = ()
    is_busy: bool = False
    strangers: tuple[Seen, ...] = ()

    def zone(self, *names: str) -> tuple[Seen, ...]:
        """The cards in some zones."""
        return tuple(card for card in self.cards if card.zone in names)

    def unnamed(self, *names: str) -> tuple[Seen, ...]:
        """The cards without a name in some zones."""
        return tuple(card for card in self.strangers if card.zone in names)

    def lying(self, *names: str) -> list[str]:
        """What lies in some zones, with cards that can't be read any more but haven't changed since they were."""
        return [card.card or card.was for card in (*self.zone(*names), *self.unnamed(*names)) if card.card or card.was]


class Sharpness(Struct, frozen=True):
    """How sharp the camera's picture is, and the best it was since it was blurred, both 0 to 100."""

    now: int
    best: int


class Proposal(Struct, frozen=True):
    """What a sight may mean: one move, a choice of moves, several moves in a row, or a complaint with its reason."""

    moves: tuple[Move, ...] = ()
    series: tuple[Move, ...] = ()
    complaint: Text | None = None
    code: str = ""

    @property
    def clear(self) -> tuple[Move, ...]:
        """What ✔ would do: the moves of the one reading there is, or nothing."""
        return self.moves if len(self.moves) == 1 else self.series


class Name(Struct, frozen=True):
    """What a card can be called: the card, and its side where it has two."""

    card: str
    face: str = ""


class Doubt(Struct, frozen=True):
    """A card without a name where a card would be a move: what it can be, in the game's order, and the likely ones."""

    seen: Seen
    names: tuple[Name, ...]
    likely: tuple[Name, ...] = ()

    @property
    def order(self) -> tuple[Name, ...]:
        """How ◀ ▶ go through the names."""
        return (*self.likely, *(name for name in self.names if name not in self.likely))

    def is_about(self, other: Doubt | None) -> bool:
        """Whether another doubt is about the same card, and asks for the same names."""
        return other is not None and self.names == other.names and is_same(self.seen, other.seen)


NOTHING = Proposal()
TWO_CARDS = Proposal(complaint=Text(N_("More than one new card lies there: leave one.")), code="two_cards")


def refused(code: str, reason: Text) -> Proposal:
    """A complaint."""
    return Proposal(complaint=reason, code=code)


# A card that a person has named stays the same one while it lies within so many millimetres.
NEAR = 25.0


def far(one: Seen, other: Seen) -> float:
    """How far apart two cards lie, in millimetres."""
    return math.hypot(one.x - other.x, one.y - other.y)


def is_same(one: Seen, other: Seen) -> bool:
    """Whether two sightings are of one card that wasn't moved.

    It's read the same way, or it looks the same though the eye has changed its mind about its name.
    """
    if (one.card, one.face) == (other.card, other.face):
        return far(one, other) < NEAR and (bool(one.card) or are_alike(one.look, other.look))
    return bool(one.look and other.look) and far(one, other) < NEAR / 2 and are_alike(one.look, other.look)
