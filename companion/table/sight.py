"""What the table looks like to the rules: recognised cards with their place, free of pixels and cameras."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.games.game import Move
from companion.games.text import N_, Text
from companion.table.looks import are_alike


class Seen(Struct, frozen=True):
    """A card on the table: where it lies, which way round, how sure the eye is.

    `card` is empty for a card the eye can't name; `maybe` are the cards it could be, likeliest first, `chances` how
    likely each is, and `was` is the card that was read there before, if it still looks the same. `has_way` is false
    where its outline is all that tells how it lies: it may be upside down.
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


class Amendment(Struct, frozen=True):
    """A person's word about one card on the table: what the eye takes it for, where it lies, what it really is."""

    seen: Seen
    card: str
    face: str = ""

    def is_about(self, card: Seen) -> bool:
        """Whether it's the card that was meant, in the same place."""
        return is_same(self.seen, card)


def amended(card: Seen, amendments: Sequence[Amendment]) -> Seen:
    """A card as people have it: a person beats the camera."""
    said = next((one for one in amendments if one.is_about(card)), None)
    if said is None:
        return card
    return replace(card, card=said.card, face=said.face, sure=1.0, maybe=(), has_way=card.has_way and bool(card.card))


class Witness:
    """What the eye saw last, and what people have said about it."""

    def __init__(self) -> None:
        self.raw = Sight()
        self.amendments: tuple[Amendment, ...] = ()
        self._waved: tuple[Seen, ...] = ()
        self._read: tuple[Seen, ...] = ()

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
        """The last settled sight as people have it: a stranger with a name is a card, one waved away is nothing."""
        cards, known = self.cards, len(self.raw.cards)
        named = tuple(card for card in cards[known:] if card.card)
        strangers = (card for card in cards[known:] if not card.card and not self._is_waved(card))
        return Sight(
            (*cards[:known], *named), strangers=tuple(replace(card, was=self._was(card)) for card in strangers)
        )

    def take(self, sight: Sight) -> Sight:
        """A new sight, as people have it; what was said about a card is forgotten once it's gone."""
        if sight.is_busy:
            return sight
        self.raw = sight
        self.amendments = tuple(one for one in self.amendments if any(map(one.is_about, self.lying)))
        self._waved = tuple(one for one in self._waved if any(is_same(one, card) for card in sight.strangers))
        read = tuple(card for card in self.cards if card.card)
        names = {card.card for card in read}
        kept = (one for one in self._read if one.card not in names)
        self._read = (*read, *(one for one in kept if any(far(one, card) < NEAR for card in sight.strangers)))
        return self.sight

    def wave(self, stranger: Seen) -> Sight:
        """Somebody says that a card without a name is of no account, until something changes there."""
        self._waved = (*self._waved, stranger)
        return self.sight

    def _is_waved(self, stranger: Seen) -> bool:
        return any(is_same(one, stranger) for one in self._waved)

    def _was(self, stranger: Seen) -> str:
        """What was read where a stranger lies, if it looks as it did then."""
        lain = (one for one in self._read if far(one, stranger) < NEAR and are_alike(one.look, stranger.look))
        there = {card.card for card in self.cards}
        found = sorted((one for one in lain if one.card not in there), key=lambda one: far(one, stranger))
        return found[0].card if found else ""

    def at(self, seen: Seen) -> int:
        """The number of a lying card. Raises `LookupError`."""
        found = (at for at, one in enumerate(self.lying) if (one.x, one.y) == (seen.x, seen.y))
        at = next(found, None)
        if at is None:
            raise LookupError(f"no card lies at {seen.x:.0f}, {seen.y:.0f}")
        return at

    def amend(self, at: int, card: str, face: str = "") -> Sight:
        """Somebody says what one of the lying cards really is. Raises `LookupError`."""
        seen = self.lying[at]
        others = tuple(one for one in self.amendments if not one.is_about(seen))
        is_as_read = (card, face) == (seen.card, seen.face)
        self.amendments = others if is_as_read else (*others, Amendment(seen, card, face))
        return self.sight
