"""Which card of one sight is which of another: what stayed, what was moved, and what another card may cover."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from companion.table.fingerprints import is_same_fingerprint
from companion.table.sight import Seen, Sight

# Millimetres within which another card may cover one that isn't seen any more, or lies there instead.
COVERING_MM, INSTEAD_MM = 60.0, 15.0
# A card that a person has named stays the same one while it lies within so many millimetres.
SAME_SPOT_MM = 25.0


def distance_mm(one: Seen, other: Seen) -> float:
    """How far apart two cards lie, in millimetres."""
    return math.hypot(one.x - other.x, one.y - other.y)


def is_same_card_unmoved(one: Seen, other: Seen) -> bool:
    """Whether two cards, of two sights, are one card that wasn't moved.

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


def is_same_card(one: Seen, other: Seen) -> bool:
    """Whether a card of an earlier sight is one of a later sight, wherever it was moved to."""
    return one.identity == other.identity if one.identity and other.identity else is_same_card_unmoved(one, other)


def is_partly_over(card: Seen, one: Seen) -> bool:
    """Whether a card may lie over a part of another."""
    return INSTEAD_MM < distance_mm(card, one) < COVERING_MM


def with_covered(before: Sight, now: Sight) -> Sight:
    """A sight with the cards of an earlier one that may lie under what has come since.

    The tracker's own memory of covered cards isn't used: a photo is read by an eye that has none, and here names count
    that people gave.
    """
    lain, lying = (*before.cards, *before.strangers), (*now.cards, *now.strangers)
    came = [
        card
        for card in lying
        if not any(is_same_card(one, card) and distance_mm(one, card) < SAME_SPOT_MM for one in lain)
    ]
    names, known = Counter(card.card for card in now.cards), (*before.cards, *before.covered)
    had = Counter(card.card for card in known)

    def covers(card: Seen, one: Seen) -> bool:
        """Whether a card lies partly over another: one that came earlier shows again, and lies under it."""
        is_later = not (card.laid and one.laid) or card.laid > one.laid
        return is_later and is_partly_over(card, one)

    def is_gone(one: Seen) -> bool:
        """Not seen any more; where cards look alike, an equal one that came beside it isn't it."""
        is_seen = any(is_same_card(one, card) for card in now.cards)
        has_equal = any(card.card == one.card and covers(card, one) for card in came)
        return not is_seen and (names[one.card] < had[one.card] or has_equal)

    def possible_covers(one: Seen) -> Sequence[Seen]:
        """The cards that may lie over one that is gone."""
        # What was covered before may still lie under a card that lay there then; what showed, only under a new one.
        return lying if one in before.covered else came

    covered = (one for one in known if is_gone(one) and any(covers(card, one) for card in possible_covers(one)))
    return replace(now, covered=tuple(covered))
