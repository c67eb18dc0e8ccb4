"""What the table looks like to the rules: recognised cards with their place, free of pixels and cameras."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.games.game import Move
from companion.games.text import N_, Text


class Seen(Struct, frozen=True):
    """A card on the table: where it lies, which way round, how sure the eye is.

    `card` is empty for a card the eye can't name; `maybe` are the cards it could be, likeliest first.
    """

    card: str
    zone: str = ""
    turn: float = 0.0
    face: str = ""
    x: float = 0.0
    y: float = 0.0
    sure: float = 1.0
    maybe: tuple[str, ...] = ()

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


NOTHING = Proposal()
TWO_CARDS = Proposal(complaint=Text(N_("More than one new card lies there: leave one.")), code="two_cards")


def refused(code: str, reason: Text) -> Proposal:
    """A complaint."""
    return Proposal(complaint=reason, code=code)


# A card that a person has named stays the same one while it lies within so many millimetres.
NEAR = 25.0


class Amendment(Struct, frozen=True):
    """A person's word about one card on the table: what the eye takes it for, where it lies, what it really is."""

    seen: Seen
    card: str
    face: str = ""

    def is_about(self, card: Seen) -> bool:
        """Whether it's the card that was meant: read the same way, in the same place."""
        is_near = math.hypot(card.x - self.seen.x, card.y - self.seen.y) < NEAR
        return is_near and (card.card, card.face) == (self.seen.card, self.seen.face)


def amended(card: Seen, amendments: Sequence[Amendment]) -> Seen:
    """A card as people have it: a person beats the camera."""
    said = next((one for one in amendments if one.is_about(card)), None)
    return card if said is None else replace(card, card=said.card, face=said.face, sure=1.0, maybe=())


class Witness:
    """What the eye saw last, and what people have said about it."""

    def __init__(self) -> None:
        self.raw = Sight()
        self.amendments: tuple[Amendment, ...] = ()

    @property
    def lying(self) -> tuple[Seen, ...]:
        """Every card of the last settled sight as the eye has it, those without a name last."""
        return (*self.raw.cards, *self.raw.strangers)

    @property
    def cards(self) -> tuple[Seen, ...]:
        """The same cards, in the same order, as people have them."""
        return tuple(amended(card, self.amendments) for card in self.lying)

    @property
    def sight(self) -> Sight:
        """The last settled sight as people have it; a stranger with a name is a card."""
        cards, known = self.cards, len(self.raw.cards)
        named = tuple(card for card in cards[known:] if card.card)
        return Sight((*cards[:known], *named), strangers=tuple(card for card in cards[known:] if not card.card))

    def take(self, sight: Sight) -> Sight:
        """A new sight, as people have it; what was said about a card is forgotten once it's gone."""
        if sight.is_busy:
            return sight
        self.raw = sight
        self.amendments = tuple(one for one in self.amendments if any(map(one.is_about, self.lying)))
        return self.sight

    def amend(self, at: int, card: str, face: str = "") -> Sight:
        """Somebody says what one of the lying cards really is. Raises `LookupError`."""
        seen = self.lying[at]
        others = tuple(one for one in self.amendments if not one.is_about(seen))
        is_as_read = (card, face) == (seen.card, seen.face)
        self.amendments = others if is_as_read else (*others, Amendment(seen, card, face))
        return self.sight
