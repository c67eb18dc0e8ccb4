"""What the table looks like to the rules: recognised cards with their place, free of pixels and cameras."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.games.game import Move
from companion.table.fingerprints import is_same_fingerprint
from companion.text import Text


class Seen(Struct, frozen=True):
    """A card on the table: where it lies, which way round, how sure the eye is.

    `card` is empty for a card the eye can't name; `maybe` are the cards it could be, likeliest first, its own name
    included, `chances` their probabilities, `was` the card read there earlier if it still looks the same. `has_way` is
    false where only the outline is known, or a card looks the same both ways: it may be upside down. `identity` is the
    tracker's number of a card that lies, moves or turns; 0 where it has none. Of two cards, the one with the greater
    `laid` came later, and lies on top.
    """

    card: str
    zone: str = ""
    angle: float = 0.0
    face: str = ""
    x: float = 0.0
    y: float = 0.0
    sure: float = 1.0
    maybe: tuple[str, ...] = ()
    was: str = ""
    fingerprint: bytes = b""
    has_way: bool = True
    chances: tuple[float, ...] = ()
    identity: int = 0
    laid: int = 0

    @property
    def is_upside_down(self) -> bool:
        """Whether its top points to the lower half of the picture."""
        return 90 < self.angle % 360 < 270


class ZonedToken(Struct, frozen=True):
    """A printed token on the table: its name, and where it lies."""

    name: str
    zone: str = ""
    x: float = 0.0
    y: float = 0.0


class Sight(Struct, frozen=True):
    """The settled table. `is_busy` while a hand is in the picture; `strangers` are cards without a name.

    `covered` are cards that were seen until another one came to lie there: they may still lie under it.
    """

    cards: tuple[Seen, ...] = ()
    is_busy: bool = False
    strangers: tuple[Seen, ...] = ()
    tokens: tuple[ZonedToken, ...] = ()
    covered: tuple[Seen, ...] = ()

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


What = Literal["missing", "extra", "turned", "flipped", "unnamed"]


class Difference(Struct, frozen=True):
    """One thing by which the table and the layout part."""

    zone: str
    card: str
    what: What
    seen: Seen | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """The same difference in another sight has the same key."""
        return self.zone, self.card, self.what

    @property
    def is_wild(self) -> bool:
        """Whether a card lies there of which the eye has no idea."""
        return self.what == "unnamed" and self.seen is not None and not self.seen.maybe


class Explanation(Struct, frozen=True):
    """What may have happened: legal moves in order, of players and of nature, that lead to the table as it lies.

    `steps` counts those that left a trace, `says` tells them. It isn't sure where it rests on a doubtful name.
    `unseen` are the indices of moves that left no trace and aren't implied: people must confirm those. `without_end` is
    the same for who isn't done yet: it lacks the end that goes without saying. `hidden` are ways on without a trace.
    """

    moves: tuple[Move, ...]
    steps: int = 0
    says: tuple[Text, ...] = ()
    is_sure: bool = True
    ends_turn: bool = False
    ends_game: bool = False
    unseen: tuple[int, ...] = ()
    without_end: Explanation | None = None
    hidden: tuple[Aside, ...] = ()


class Aside(Struct, frozen=True):
    """What may have been done as well and no camera sees: what must be told of it, and all that happened with it."""

    moves: tuple[Move, ...]
    whole: Explanation


class Mismatch(Struct, frozen=True):
    """Where the table and the game part: a zone, a card, and what is wrong with it."""

    zone: str
    card: str
    what: str


class Progress(Struct, frozen=True):
    """How many cards of those that are awaited together lie there."""

    done: int
    of: int


class Proposal(Struct, frozen=True):
    """What a sight may mean: one explanation, several with the question that tells them apart, or a complaint.

    `at` is the state in which the explanations differ and `asked` the moves to pick from. `where` and `nearest`
    go with a complaint: the card it's about, and what would explain most of the table. ✔ carries `number`.
    """

    found: tuple[Explanation, ...] = ()
    at: Any = None
    asked: tuple[Move, ...] = ()
    complaint: Text | None = None
    code: str = ""
    where: Mismatch | None = None
    nearest: Explanation | None = None
    progress: Progress | None = None
    number: int = 0

    @property
    def clear_moves(self) -> tuple[Move, ...]:
        """What ✔ would do: the moves of the one explanation there is, or nothing."""
        return self.found[0].moves if len(self.found) == 1 and not self.asked else ()

    @property
    def without_end(self) -> Explanation | None:
        """The one explanation there is, for who isn't done yet."""
        return self.found[0].without_end if self.clear_moves else None

    @property
    def hidden(self) -> tuple[Aside, ...]:
        """What may have been done beside the one explanation there is."""
        return self.found[0].hidden if self.clear_moves else ()

    @property
    def moves(self) -> tuple[Move, ...]:
        """The answers to what is asked, or the one move that explains the table."""
        return self.asked or (self.clear_moves if len(self.clear_moves) == 1 else ())


class FaceName(Struct, frozen=True):
    """What a card can be called: the card, and its side where it has two."""

    card: str
    face: str = ""


class Doubt(Struct, frozen=True):
    """A card without a name where a card would be a move: what it can be, in the game's order, and the likely ones."""

    seen: Seen
    names: tuple[FaceName, ...]
    likely: tuple[FaceName, ...] = ()

    @property
    def order(self) -> tuple[FaceName, ...]:
        """How ◀ ▶ go through the names."""
        return (*self.likely, *(name for name in self.names if name not in self.likely))

    def is_about(self, other: Doubt | None) -> bool:
        """Whether another doubt is about the same card, and asks for the same names."""
        return other is not None and self.names == other.names and is_same_card_unmoved(self.seen, other.seen)


NOTHING = Proposal()


# Millimetres within which another card may cover one that isn't seen any more, or lies there instead.
COVERING, INSTEAD = 60.0, 15.0
# A card that a person has named stays the same one while it lies within so many millimetres.
SAME_SPOT_MM = 25.0


def distance_mm(one: Seen, other: Seen) -> float:
    """How far apart two cards lie, in millimetres."""
    return math.hypot(one.x - other.x, one.y - other.y)


def is_same_card_unmoved(one: Seen, other: Seen) -> bool:
    """Whether two sights are of one card that wasn't moved.

    It's read the same way, or it looks the same though the eye has changed its mind about its name.
    """
    if (one.card, one.face) == (other.card, other.face):
        return distance_mm(one, other) < SAME_SPOT_MM and (
            bool(one.card) or is_same_fingerprint(one.fingerprint, other.fingerprint)
        )
    return (
        bool(one.fingerprint and other.fingerprint)
        and distance_mm(one, other) < SAME_SPOT_MM / 2
        and is_same_fingerprint(one.fingerprint, other.fingerprint)
    )


def is_still(one: Seen, other: Seen) -> bool:
    """Whether a card of an earlier sight is one of a later sight, wherever it was moved to."""
    return one.identity == other.identity if one.identity and other.identity else is_same_card_unmoved(one, other)


def is_partly_over(card: Seen, one: Seen) -> bool:
    """Whether a card may lie over a part of another."""
    return INSTEAD < distance_mm(card, one) < COVERING


def with_covered(before: Sight, now: Sight) -> Sight:
    """A sight with the cards of an earlier one that may lie under what has come since."""
    lain, lying = (*before.cards, *before.strangers), (*now.cards, *now.strangers)
    came = [
        card for card in lying if not any(is_still(one, card) and distance_mm(one, card) < SAME_SPOT_MM for one in lain)
    ]
    names, known = Counter(card.card for card in now.cards), (*before.cards, *before.covered)
    had = Counter(card.card for card in known)

    def covers(card: Seen, one: Seen) -> bool:
        """Whether a card lies partly over another: one that came earlier shows again, and lies under it."""
        is_later = not (card.laid and one.laid) or card.laid > one.laid
        return is_later and is_partly_over(card, one)

    def is_gone(one: Seen) -> bool:
        """Not seen any more; where cards look alike, an equal one that came beside it isn't it."""
        is_seen = any(is_still(one, card) for card in now.cards)
        is_twin = any(card.card == one.card and covers(card, one) for card in came)
        return not is_seen and (names[one.card] < had[one.card] or is_twin)

    over = {False: came, True: lying}
    covered = (one for one in known if is_gone(one) and any(covers(card, one) for card in over[one in before.covered]))
    return replace(now, covered=tuple(covered))
