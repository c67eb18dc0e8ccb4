"""Cisza's table: the city's top card, what was played, and the shelters with survivors, zombies and barriers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import ClassVar

from msgspec import structs

from companion.games.cards import HIDDEN, Card, Cards
from companion.games.cisza import CISZA
from companion.games.cisza import records as r
from companion.games.cisza.records import (
    BARRIERS,
    CITY,
    CITY_SIZE,
    HAND_SIZE,
    RESOURCE_COUNT,
    ZOMBIES,
    State,
)
from companion.games.game import Deal, Move, Show
from companion.table.proposal import Progress
from companion.table.sight import Seen, Sight
from companion.table.tabletop import (
    ExpectedCard,
    ExpectedLayout,
    ReadCards,
    TableQuestion,
    Tabletop,
    at_start,
    beginning,
    heap,
    how_many,
    piece,
    whose_turn,
)
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
    heaps = frozenset({"play", "resource-discard", "city-discard"})
    piles = frozenset({"resource-discard"})
    crowded = frozenset(ZONES)
    unordered = frozenset({"assign", "share", "pass_on"})
    never = (Deal, r.Mulligan)
    traceless_costs: ClassVar[dict[type[Move], float]] = {r.Target: 0.4}
    zones: ClassVar[dict[str, str]] = {
        "city": N_("the city"),
        "play": N_("the play spot"),
        "resource-discard": N_("the discards"),
        "city-discard": N_("the city's discards"),
        **{f"shelter-{seat}": name for seat, name in enumerate(
            (N_("shelter 1"), N_("shelter 2"), N_("shelter 3"), N_("shelter 4"), N_("shelter 5"), N_("shelter 6")), 1
        )},
    }  # fmt: skip

    tries: ClassVar[dict[str, tuple[type[Move], ...]]] = {
        "play": (r.Play, r.NoiseOnly),
        "resource-discard": (r.Discard,),
        "city": (Show,),
    }

    def layout(self, state: State) -> ExpectedLayout:
        """All that lies open; what is on a pile may lie under others."""
        laid = {
            ZONES[seat]: shelter(state.survivors[seat], state.zombies[seat], state.barriers[seat])
            for seat in range(state.options.players)
        }
        laid["city"] = city(state.city, state.top)
        laid["play"] = laid["resource-discard"] = heap(state.discard)
        laid["city-discard"] = killed(state.killed)
        if not state.started:
            laid |= beginning(ZONES[: state.options.players], None if state.phase == "start" else state.turn)
        return laid

    def watched(self, sight: Sight) -> Iterable[tuple[str, Seen]]:
        """Cards by their zones; the dead tell nothing, and the start token lies in the shelter of who begins."""
        yield from (one for one in super().watched(sight) if (one[0], one[1].card) != ("city-discard", SURVIVOR))
        yield from at_start(sight)

    def after(self, before: State, laid: ExpectedLayout, move: Move, state: State) -> Sequence[ExpectedLayout]:
        """What is played lies on the play spot, what is discarded on the discards; used barriers lie on either.

        A zombie that runs on at once may still lie on the city, where it was turned.
        """
        piles = self._piles(before, laid, move, state)
        now = {**self.layout(state), **piles}
        if before.phase != "flip" or not isinstance(move, Show) or move.card == "horde" or state.top == move.card:
            return (now,)
        return now, {**self.layout(before), **piles, "city": city(before.city, move.card)}

    def _piles(self, before: State, laid: ExpectedLayout, move: Move, state: State) -> ExpectedLayout:
        if not state.discard:
            return {"play": (), "resource-discard": ()}
        came = heap(added(before.discard, state.discard)) if before.discard != state.discard else ()
        played, discarded = laid["play"], laid["resource-discard"]
        return {
            "play": played if isinstance(move, r.Discard) else played + came,
            "resource-discard": discarded if isinstance(move, (r.Play, r.NoiseOnly)) else discarded + came,
        }

    def traceless_answers(self, state: State) -> Sequence[Move]:
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

    def move_cost(self, state: State, move: Move, leaves_trace: bool) -> float:
        """A horde is one happening: its cards are turned up and dealt out together.

        Nobody's turn is passed over, and nobody's card is taken for discarded that nobody has seen.
        """
        if isinstance(move, r.Start) and not leaves_trace:
            return math.inf  # only the start token shows it
        is_idle = isinstance(move, r.Done) and state.phase == "turn" and state.mode == "none"
        if is_idle or (isinstance(move, r.Discard) and move.card == HIDDEN):
            return math.inf
        if state.phase in HORDE:
            return HORDE[state.phase]
        return super().move_cost(state, move, leaves_trace)

    def laid_out(self, state: State, lying: Counter[tuple[str, str]]) -> Progress | None:
        """Each shelter has its survivors before somebody begins, and the city lies there."""
        if state.phase != "start":
            return None
        wanted = {(ZONES[seat], SURVIVOR): count for seat, count in enumerate(state.survivors)} | {
            ("city", SURVIVOR): 1
        }
        done, of = sum(min(count, lying[key]) for key, count in wanted.items()), sum(wanted.values())
        return Progress(done, of) if done < of else None

    def questions(self, state: State, lying: ReadCards) -> Sequence[TableQuestion]:
        """Whose turn it is, and the survivors where more may lie there than are seen."""
        asked = [whose_turn(state.options.players, state.turn)]
        for seat, zone in enumerate(ZONES[: state.options.players]):
            seen = len([card for card, _ in lying.get(zone, ()) if card == SURVIVOR])
            if seen:
                likely = max(seen, state.survivors[seat] if state.started else seen)
                asked.append(how_many("survivors", N_("How many survivors has player {seat}?"), seat, 15, likely))
        return asked

    def believed(self, state: State, lying: ReadCards, answers: Mapping[str, int]) -> State:
        """Shelters as they lie; who has no survivors is out. Piles hold what is known to lie there."""
        players = range(state.options.players)
        survivors = tuple(answers.get(f"survivors-{seat}", 0) for seat in players)
        out = tuple(seat for seat in players if not survivors[seat])
        lain = {zone: Counter(card for card, _ in cards) for zone, cards in lying.items()}
        here = [lain.get(ZONES[seat], Counter()) for seat in players]
        top = next((card for card in lain.get("city", ()) if card in ZOMBIES), "none")
        standing = sum((Counter(all_of(one, ZOMBIES)) for one in here), Counter([top]))
        killed = tuple(
            max(lain.get("city-discard", Counter())[kind], min(before, total - standing[kind]))
            for kind, before, total in zip(ZOMBIES, state.killed, CITY, strict=True)
        )
        barriers = [all_of(one, sorted(BARRIERS)) for one in here]
        open_now = sum((lain.get(zone, Counter()) for zone in ("play", "resource-discard")), Counter())
        laid = Counter(card for cards in barriers for card in cards)
        before = Counter({card: min(count, RESOURCE_COUNT[card] - laid[card]) for card, count in
                          Counter(card for card in state.discard if card != HIDDEN).items()})  # fmt: skip
        new = State(
            options=state.options,
            turn=answers["turn"],
            survivors=survivors,
            zombies=tuple(all_of(one, ZOMBIES) for one in here),
            barriers=tuple(barriers),
            hands=tuple(() if seat in out else (HIDDEN,) * HAND_SIZE for seat in players),
            out=out,
            top=top,
            killed=killed,
            discard=tuple(sorted((before | Counter({card: open_now[card] for card in RESOURCE_COUNT})).elements())),
        )
        # Survivors that are neither seen nor told of have died, as long as the city has the cards that it had.
        rest = CITY_SIZE - sum(killed) - sum(map(len, new.zombies)) - sum(survivors)
        return structs.replace(new, city=min(state.city, rest) if state.started else rest)

    def copies(self, card: str) -> int:
        """Resource cards have several; a kind of zombie is known by the rules alone."""
        return RESOURCE_COUNT.get(card, CITY_SIZE)

    def layout_name(self, card: str) -> str:
        """A city card is its kind of zombie; a deck of one's own, or a person, may name it by its kind."""
        return KIND_OF.get(card, card)


HIDDEN_SURVIVOR = piece(SURVIVOR, "survivor", "", True)


@cache
def added(before: Cards, after: Cards) -> Cards:
    """The cards that came to a pile."""
    return tuple((Counter(after) - Counter(before)).elements())


def all_of(cards: Counter[str], kinds: Iterable[str]) -> Cards:
    """The cards of some kinds."""
    return tuple(card for card in kinds for _ in range(cards[card]))


@cache
def shelter(survivors: int, zombies: Cards, barriers: Cards) -> tuple[ExpectedCard, ...]:
    """A shelter: survivors, zombies and barriers. Survivors all look alike and may be covered."""
    people = (HIDDEN_SURVIVOR,) * survivors
    return (*people, *(piece(kind, "zombie") for kind in zombies), *map(piece, barriers))


@cache
def city(count: int, top: Card) -> tuple[ExpectedCard, ...]:
    """The top card of the city: a survivor, or the zombie that stands there."""
    if not count:
        return ()
    return (piece(SURVIVOR, "survivor") if top == "none" else piece(top, "zombie"),)


@cache
def killed(kinds: tuple[int, ...]) -> tuple[ExpectedCard, ...]:
    """Zombies that were eliminated: the last ones show."""
    return tuple(
        piece(kind, "zombie", "", True) for kind, count in zip(ZOMBIES, kinds, strict=True) for _ in range(count)
    )
