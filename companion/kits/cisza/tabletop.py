"""Cisza's table: the city's top card, what was played, and the shelters with survivors, zombies and barriers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from companion.games.cards import HIDDEN, Card, Zone
from companion.games.cisza import CISZA
from companion.games.cisza import records as r
from companion.games.cisza.records import CITY, CITY_SIZE, RESOURCE_COUNT, ZOMBIES, State
from companion.games.game import Deal, Move, Show
from companion.table.tabletop import Laid, Piece, Tabletop, piece
from companion.text import N_

# What lies survivor side up is the same for all city cards; who sees it can't know more (CIS-04).
SURVIVOR = "city"
# The undersides are numbered by kind: city-01 to city-23 are regular, and so on.
KIND_OF = dict(
    zip(
        (f"city-{number:02}" for number in range(1, CITY_SIZE + 1)),
        (kind for kind, count in zip(ZOMBIES, CITY, strict=True) for _ in range(count)),
        strict=True,
    )
)
HORDE = {"horde": 0.05, "assign": 0.2}
ZONES = tuple(f"shelter-{seat}" for seat in range(1, 7))
DONE, SHUFFLE = r.Done(), r.Shuffle()


class CiszaTable(Tabletop[State]):
    """The table of Cisza. What a turn brings is laid on the play spot, card beside card, and swept away later."""

    game = CISZA
    heaps = frozenset({"play", "city-discard"})
    unordered = frozenset({"assign", "share", "pass_on"})
    never = (Deal, r.Start, r.Mulligan)
    prices: ClassVar[dict[type[Move], float]] = {r.Target: 0.4}
    zones: ClassVar[dict[str, str]] = {
        "city": N_("the city"),
        "play": N_("the play spot"),
        "city-discard": N_("the city's discards"),
        **{f"shelter-{seat}": name for seat, name in enumerate(
            (N_("shelter 1"), N_("shelter 2"), N_("shelter 3"), N_("shelter 4"), N_("shelter 5"), N_("shelter 6")), 1
        )},
    }  # fmt: skip

    tries: ClassVar[dict[str, tuple[type[Move], ...]]] = {
        "play": (r.Play, r.NoiseOnly, r.Discard),
        "city": (Show,),
    }

    def layout(self, state: State) -> Laid:
        """All that lies open; of the discards only what is laid on the play spot is looked for."""
        laid = {
            ZONES[seat]: shelter(state.survivors[seat], state.zombies[seat], state.barriers[seat])
            for seat in range(state.options.players)
        }
        laid["city"] = city(state.city, state.top)
        laid["play"] = heap(state.discard)
        laid["city-discard"] = killed(state.killed, state.fallen)
        return laid

    def after(self, before: State, move: Move, state: State) -> Sequence[Laid]:
        """A zombie that runs on at once may still lie on the city, where it was turned."""
        laid = self.layout(state)
        if before.phase != "flip" or not isinstance(move, Show) or move.card == "horde" or state.top == move.card:
            return (laid,)
        return laid, {**self.layout(before), "city": city(before.city, move.card)}

    def answers(self, state: State) -> Sequence[Move]:
        """Who has played or discarded and stops is done; a barrier that lies there still wasn't used."""
        match state.phase:
            case "turn":
                return (DONE,) if state.mode != "none" else ()
            case "attack" | "kill_more":
                return (DONE,)
            case "shuffle":
                return (SHUFFLE,)
            case _:
                return ()

    def price(self, state: State, move: Move, leaves_trace: bool) -> float:
        """A horde is one happening: its cards are turned up and dealt out together. Nobody's turn is passed over."""
        if isinstance(move, r.Done) and state.phase == "turn" and state.mode == "none" and not leaves_trace:
            return math.inf
        if state.phase in HORDE:
            return HORDE[state.phase]
        return super().price(state, move, leaves_trace)

    def copies(self, card: str) -> int:
        """Resource cards have several; a kind of zombie is known by the rules alone."""
        return RESOURCE_COUNT.get(card, CITY_SIZE)

    def called(self, card: str) -> str:
        """A city card is its kind of zombie; a deck of one's own, or a person, may name it by its kind."""
        return KIND_OF.get(card, card)


@cache
def shelter(survivors: int, zombies: Zone, barriers: Zone) -> tuple[Piece, ...]:
    """A shelter: survivors, zombies and barriers."""
    people = (piece(SURVIVOR, "survivor"),) * survivors
    return (*people, *(piece(kind, "zombie") for kind in zombies), *map(piece, barriers))


@cache
def city(count: int, top: Card) -> tuple[Piece, ...]:
    """The top card of the city: a survivor, or the zombie that stands there."""
    if not count:
        return ()
    return (piece(SURVIVOR, "survivor") if top == "none" else piece(top, "zombie"),)


@cache
def heap(cards: Zone) -> tuple[Piece, ...]:
    """Discards: none of them must show."""
    return tuple(piece(card, "", "", True) for card in cards if card != HIDDEN)


@cache
def killed(kinds: tuple[int, ...], fallen: int) -> tuple[Piece, ...]:
    """Zombies that were eliminated, and the dead: the last ones show."""
    zombies = (
        piece(kind, "zombie", "", True) for kind, count in zip(ZOMBIES, kinds, strict=True) for _ in range(count)
    )
    return (*zombies, *(piece(SURVIVOR, "survivor", "", True),) * fallen)
