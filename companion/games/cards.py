"""Zones that may hold hidden cards.

A zone is a sorted tuple of card ids; `HIDDEN` stands for a card that is there but whose face isn't known.
A sorted tuple, so that equal zones are equal values and the order of a hand tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TypeAlias

Card: TypeAlias = str
Cards: TypeAlias = tuple[Card, ...]

HIDDEN: Card = "?"


class Tristate(Enum):
    """The answer to a question that may depend on a hidden card (G-01)."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


def add(zone: Cards, card: Card) -> Cards:
    """The zone with one card more.

    >>> add(("b3", "r7"), "g2")
    ('b3', 'g2', 'r7')
    """
    return tuple(sorted((*zone, card)))


def drop(zone: Cards, card: Card) -> Cards:
    """The zone with one card less; the card must be there.

    >>> drop(("?", "?", "r7"), "?")
    ('?', 'r7')
    """
    at = zone.index(card)
    return zone[:at] + zone[at + 1 :]


def put(zones: tuple[Cards, ...], at: int, zone: Cards) -> tuple[Cards, ...]:
    """The zones with one of them replaced.

    >>> put((("r2",), ()), 1, ("b4",))
    (('r2',), ('b4',))
    """
    return (*zones[:at], zone, *zones[at + 1 :])


def mask(zone: Cards, shown: Iterable[Card] = ()) -> Cards:
    """The zone as somebody sees it who knows only the shown cards.

    >>> mask(("b3", "g2", "r7"), shown=("g2",))
    ('?', '?', 'g2')
    """
    return tuple(sorted(card if card in shown else HIDDEN for card in zone))
