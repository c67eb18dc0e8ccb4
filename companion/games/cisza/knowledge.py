"""What can be known in Cisza: who is alive, which cards a hand may hold, and who may see what."""

from __future__ import annotations

from bisect import bisect_left
from functools import cache

from msgspec.structs import replace

from companion.games.cards import HIDDEN, Card, Cards, Tristate, drop, put
from companion.games.cisza.records import RESOURCE, RESOURCES, Counts, State


@cache
def living(players: int, out: tuple[int, ...]) -> tuple[int, ...]:
    """The seats still in the game.

    >>> living(4, (1,))
    (0, 2, 3)
    """
    return tuple(seat for seat in range(players) if seat not in out)


@cache
def rivals(players: int, out: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """The other seats still in the game, clockwise from the left neighbour (CIS-23).

    >>> rivals(4, (1,), 2)
    (3, 0)
    """
    around = ((seat + step) % players for step in range(1, players))
    return tuple(other for other in around if other not in out)


def others(state: State, seat: int) -> tuple[int, ...]:
    """The other living players, clockwise."""
    return rivals(state.options.players, state.out, seat)


def actor(state: State) -> int:
    """Who resolves the card in progress: nearly always the player whose turn it is."""
    return state.turn if state.by < 0 else state.by


def insert(zone: Cards, card: Card) -> Cards:
    """A sorted zone with one card more.

    >>> insert(("axe", "drone"), "barricade")
    ('axe', 'barricade', 'drone')
    """
    at = bisect_left(zone, card)
    return (*zone[:at], card, *zone[at:])


def counted(counts: Counts, at: int, change: int) -> Counts:
    """Counts with one of them changed.

    >>> counted((23, 12, 18, 2), 3, -1)
    (23, 12, 18, 1)
    """
    return (*counts[:at], counts[at] + change, *counts[at + 1 :])


def candidates(state: State, hand: Cards) -> list[Card]:
    """The cards that can be played from a hand: known ones, and every unseen one if a card is hidden."""
    if HIDDEN in hand:
        return [card for card, count in zip(RESOURCES, state.unseen, strict=True) if count or card in hand]
    return list(dict.fromkeys(hand))


def leave_hand(state: State, seat: int, card: Card) -> tuple[tuple[Cards, ...], Counts]:
    """Hands and unseen counts after a card was laid open: a known one, or a hidden one that gets its name."""
    hand = state.hands[seat]
    if card in hand:
        return put(state.hands, seat, drop(hand, card)), state.unseen
    return put(state.hands, seat, drop(hand, HIDDEN)), counted(state.unseen, RESOURCE[card], -1)


def holds(state: State, seat: int, card: Card) -> Tristate:
    """Whether a card can come out of a hand (G-01)."""
    hand = state.hands[seat]
    if card in hand:
        return Tristate.YES
    return Tristate.UNKNOWN if HIDDEN in hand and state.unseen[RESOURCE[card]] else Tristate.NO


def trimmed(fresh: Cards, zombies: Cards) -> Cards:
    """The newcomers among the zombies that are left; of two alike the attacker is taken away first.

    >>> trimmed(("fast", "strong"), ("fast", "regular"))
    ('fast',)
    """
    kept: Cards = ()
    for kind in fresh:
        if kept.count(kind) < zombies.count(kind):
            kept = (*kept, kind)
    return kept


def seen_by(state: State, seat: int | None) -> State:
    """The state as a seat may see it: everything but the other hands (CIS 4.9)."""
    unseen = list(state.unseen)
    hands = []
    for owner, hand in enumerate(state.hands):
        if owner != seat:
            for card in hand:
                if card != HIDDEN:
                    unseen[RESOURCE[card]] += 1
            hand = (HIDDEN,) * len(hand)
        hands.append(hand)
    return replace(state, hands=tuple(hands), unseen=tuple(unseen))
