"""What a game's table looks like: what lies where in a state, and what goes without saying at it.

Each kit has one. All of it is pure and made of what everybody may know; `companion.table.explain` searches with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Generic, Literal, TypeVar

from msgspec import Struct, structs

from companion.games.cards import HIDDEN, Cards
from companion.games.game import Game, Move, Reveal
from companion.table.difference import Difference
from companion.table.proposal import Progress
from companion.table.sight import Seen, Sight
from companion.text import N_, Text, Value

S = TypeVar("S", bound=Struct)

UPRIGHT, TURNED = "upright", "turned"
START, TURN, SECRET, ASK = "start", "turn", "secret", "ask"
SHARED_TOKENS = {17: START, 18: TURN, 19: SECRET, 20: ASK}
"""Tokens that several games may have, by the marker's number: who begins, whose turn it is, which is the secret, and
what an open card does."""
ON_CARD_MM = 45.0
"""Millimetres from the middle of a card within which a token lies on it."""
TRACE_COST, REVEALED_COST, IMPLIED_COST, UNSEEN_COST = 1.0, 0.6, 0.1, 4.0
"""What a move costs an explanation: one visible on the table, a card turned up, an implied answer, and
any other that leaves no trace."""


EQUAL_COST = 1.0
"""Explanations that cost no more than this beyond the best one are as good: people are asked which it was."""


class ExpectedCard(Struct, frozen=True, cache_hash=True):
    """A card where a state has it. Without a face or a way up, either is right; one under others needn't show."""

    card: str
    face: str = ""
    way: str = ""
    is_under: bool = False


piece = cache(ExpectedCard)
ExpectedLayout = Mapping[str, tuple[ExpectedCard, ...]]
"""What lies in each zone that the game watches; its empty zones too."""


ReadCards = Mapping[str, Sequence[tuple[str, Seen]]]
"""The cards that are read in each zone, from left to right, by the names that the layout has for them."""


class TableQuestion(Struct, frozen=True):
    """Asks people what no table shows: a question in words, the answers, and the likely one.

    `kind` is how the answers look in light, `words` what they're called where they aren't numbers.
    """

    key: str
    text: Text
    values: tuple[int, ...]
    likely: int
    kind: Literal["number", "seat", "verb"] = "number"
    words: Mapping[int, Text] = {}


def whose_turn(seats: int, now: int) -> TableQuestion:
    """Every game with turns must be told whose it is."""
    return TableQuestion("turn", Text(N_("Whose turn is it?")), tuple(range(seats)), min(now, seats - 1), "seat")


def how_many(key: str, question: str, seat: int, most: int, likely: int) -> TableQuestion:
    """How many of something a player has."""
    text = Text(question, {"seat": seat + 1})
    return TableQuestion(f"{key}-{seat}", text, tuple(range(most + 1)), max(0, min(likely, most)))


class Tabletop(Generic[S]):
    """The table of one game. One that watches no zone follows nothing, and everything is picked."""

    game: ClassVar[Game[Any]]

    heaps: ClassVar[frozenset[str]] = frozenset()
    """Zones where only new cards count: older ones may lie there, or under the pile."""

    piles: ClassVar[frozenset[str]] = frozenset()
    """Heaps that grow until they're shuffled: one that is gone was."""

    crowded: ClassVar[frozenset[str]] = frozenset()
    """Zones in which a card may come to lie on another that still counts."""

    unordered: ClassVar[frozenset[str]] = frozenset()
    """Phases in which cards are laid or turned up together, in no order."""

    traceless_costs: ClassVar[Mapping[type[Move], float]] = {}
    """What moves without a trace cost, where it isn't `UNSEEN_COST`."""

    never: ClassVar[tuple[type[Move], ...]] = ()
    """Moves that are never found: only people can say them."""

    tries: ClassVar[Mapping[str, tuple[type[Move], ...]]] = {}
    """What people try to do who lay a card in a zone, or take one off."""

    zones: ClassVar[Mapping[str, str]] = {}
    """What people call the zones."""

    def layout(self, state: S) -> ExpectedLayout:
        """What lies where in a state, as far as a table can show it."""
        return {}

    def after(self, before: S, laid: ExpectedLayout, move: Move, state: S) -> Sequence[ExpectedLayout]:
        """How the table may lie after a move: as the new state has it, or halfway there."""
        return (self.layout(state),)

    def traceless_answers(self, state: S) -> Sequence[Move]:
        """What answers a question without a trace: one answer goes without saying, one of several is picked."""
        return ()

    def closing(self, state: S) -> Sequence[Move]:
        """The same once a player presses ✔ to end: nobody else's question is answered by it."""
        return self.traceless_answers(state)

    def asides(self, state: S) -> Sequence[tuple[Move, ...]]:
        """What may be done next that leaves no trace, each as a whole: it's offered beside what was understood."""
        return ()

    def awaited(self, state: S) -> int:
        """How many cards are turned up together now."""
        return 0

    def progress(self, state: S, differences: Sequence[Difference]) -> Progress | None:
        """How far something has come that is done with several cards, where the table shows a part of it."""
        return None

    def laid_out(self, state: S, lying: Counter[tuple[str, str]]) -> Progress | None:
        """How far a table is laid that must lie before the game begins; `lying` counts cards by zone and name."""
        return None

    def order(self, card: str) -> int:
        """Where a card stands among others that it may be; those without an order stand as the rules list them."""
        return 0

    def copies(self, card: str) -> int:
        """How many cards of a name there are."""
        return 1

    def layout_name(self, card: str) -> str:
        """What the layout calls a card that the eye has read."""
        return card

    def ways(self, seen: Seen) -> tuple[str, ...]:
        """Which ways up a card may lie."""
        if not seen.has_way:
            return (UPRIGHT, TURNED)
        return (TURNED,) if seen.is_upside_down else (UPRIGHT,)

    def watched(self, sight: Sight) -> Iterable[tuple[str, Seen]]:
        """The lying cards with the places that the layout knows."""
        return ((seen.zone, seen) for seen in (*sight.cards, *sight.strangers))

    def move_cost(self, state: S, move: Move, leaves_trace: bool) -> float:
        """What a move costs an explanation."""
        if isinstance(self.game.pending(state), Reveal) and mentioned(move):
            return REVEALED_COST
        return TRACE_COST if leaves_trace else self.traceless_costs.get(type(move), UNSEEN_COST)

    def misplaced(self, state: S, card: str, zone: str, laid: ExpectedLayout) -> tuple[str, Text] | None:
        """Why a card that may be played doesn't lie where and as it must; `laid` is the table as it would be right."""
        name: dict[str, Value] = {"card": self.game.card(card)}
        if zone in self.heaps:
            return None  # a card lies there as it likes
        if any(one.card == card for one in laid.get(zone, ())):
            return "wrong_side", Text(N_("{card} lies the wrong way round."), name)
        return "wrong_place", Text(N_("{card} doesn't belong there."), name)

    def canonical(self, state: S) -> S:
        """A state without fields that don't matter now: states of which it is equal are one position."""
        return state

    def questions(self, state: S, lying: ReadCards) -> Sequence[TableQuestion]:
        """What must be asked before a table is taken as it lies: what no camera sees of it."""
        return ()

    def believed(self, state: S, lying: ReadCards, answers: Mapping[str, int]) -> S | None:
        """The state that a table shows, as far as it's read, with the answers; the rules complete and check it."""
        return None

    def zone_name(self, zone: str) -> Text:
        """What people call a zone."""
        return Text(self.zones[zone]) if zone in self.zones else Text(N_("the table"))


def tokens(*names: str) -> dict[int, str]:
    """Some of the shared tokens, for a kit."""
    return {number: name for number, name in SHARED_TOKENS.items() if name in names}


def beginning(zones: Sequence[str], first: int | None) -> ExpectedLayout:
    """The start token before the player who begins, in a zone of its own beside each player's; it needn't be there."""
    return {
        f"{START} {zone}": (piece(START, "", "", True),) if seat == first else () for seat, zone in enumerate(zones)
    }


def at_start(sight: Sight) -> Iterator[tuple[str, Seen]]:
    """The start token as `beginning` has it."""
    for token in sight.tokens:
        if token.name == START:
            yield f"{START} {token.zone}", Seen(START, token.zone, x=token.x, y=token.y)


@cache
def that_must_show(pieces: tuple[ExpectedCard, ...]) -> tuple[ExpectedCard, ...]:
    """Those of some pieces that must show."""
    return tuple(one for one in pieces if not one.is_under)


@cache
def heap(cards: Cards) -> tuple[ExpectedCard, ...]:
    """A pile: none of its cards must show."""
    return tuple(piece(card, "", "", True) for card in cards if card != HIDDEN)


@cache
def _mentioning(kind: type[Move]) -> tuple[str, ...]:
    return tuple(field.name for field in structs.fields(kind) if field.name in ("card", "cards", "zombie"))


@cache
def mentioned(move: Move) -> tuple[str, ...]:
    """The cards that a move names; a hidden one has no name."""
    names: list[str] = []
    for field in _mentioning(type(move)):
        value = getattr(move, field)
        names += value if isinstance(value, tuple) else (value,)
    return tuple(name for name in names if name != HIDDEN)
