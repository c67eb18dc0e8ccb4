"""Silencio's table: rows with their shrines, the Oracle, open cards, and what goes without saying."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import permutations
from typing import ClassVar, get_args

from msgspec import structs

from companion.games.cards import HIDDEN, Cards
from companion.games.game import Deal, Move, Show
from companion.games.silencio import SILENCIO
from companion.games.silencio import records as r
from companion.games.silencio.records import COLOURS, RANK_OF, ROW_OF, SHRINES, Marker, State
from companion.table.sight import Seen, Sight
from companion.table.tabletop import (
    TURNED,
    UPRIGHT,
    ExpectedCard,
    ExpectedLayout,
    ReadCards,
    TableQuestion,
    Tabletop,
    at_start,
    beginning,
    how_many,
    piece,
    whose_turn,
)
from companion.text import N_, Text

CARD_AT = {card: at for at, card in enumerate(RANK_OF)}
EFFECT_MARKERS: tuple[Marker, ...] = get_args(Marker)
NUMBERS = tuple(f"begins-{seat}" for seat in range(1, 5))
"""The players' numbers on the mat: there lies the start token of who begins, and a card on its way to a player."""
BEFORE_FIRST = ("deal", "oracle", "start")
DONE, SKIP, USE = r.Done(), r.Skip(), r.Use()
GIVEN_BACK, PASSED_ON = r.Return(HIDDEN), r.PassOn(HIDDEN)


class SilencioTable(Tabletop[State]):
    """The table of Silencio."""

    game = SILENCIO
    unordered = frozenset({"oracle"})
    never = (r.Spoken, r.NoStart, r.Pass, r.Tavern, Deal)
    traceless_costs: ClassVar[dict[type[Move], float]] = {r.Draw: 0.3, r.Choose: 1.0}
    zones: ClassVar[dict[str, str]] = {
        "red": N_("the red row"),
        "blue": N_("the blue row"),
        "yellow": N_("the yellow row"),
        "green": N_("the green row"),
        "oracle": N_("the Oracle"),
        "open": N_("the open cards"),
        "shrine-large": N_("the large shrine"),
        "tavern": N_("the tavern"),
    }

    tries: ClassVar[dict[str, tuple[type[Move], ...]]] = {
        **dict.fromkeys(COLOURS, (r.Play, r.Drawn)),
        "oracle": (Show, r.Return),
        "open": (r.Open,),
    }

    def layout(self, state: State) -> ExpectedLayout:
        """Shrines and tavern may lack; of a row only the last card must show, with the side the rules want (SIL-18)."""
        laid: dict[str, tuple[ExpectedCard, ...]] = {
            colour: row(colour, cards, bool(cards) and cards[-1] in state.dark, colour in state.lit)
            for colour, cards in zip(COLOURS, state.rows, strict=True)
        }
        laid["shrine-large"] = (piece("shrine-large", "lit" if "large" in state.lit else "unlit", "", True),)
        laid["tavern"] = (piece("tavern", "open" if state.tavern_open else "closed", "", True),)
        laid["oracle"] = tuple(piece(card) for card in state.oracle if card != HIDDEN)
        laid["open"] = tuple(piece(card) for cards in state.open for card in cards)
        laid |= dict.fromkeys(NUMBERS[: state.options.players], ())
        if not state.started:
            first = None if state.phase in BEFORE_FIRST else state.turn
            laid |= beginning(NUMBERS[: state.options.players], first)
        return laid

    def after(self, before: State, laid: ExpectedLayout, move: Move, state: State) -> Sequence[ExpectedLayout]:
        """A card that is given may lie on the number of who gets it until it's taken up."""
        now = self.layout(state)
        on_its_way = {zone: laid[zone] for zone in NUMBERS if laid.get(zone)}
        if isinstance(move, r.Give):
            on_its_way[NUMBERS[move.seat]] = (piece(move.card),)
        return (now, {**now, **on_its_way}) if on_its_way else (now,)

    def watched(self, sight: Sight) -> Iterable[tuple[str, Seen]]:
        """Cards by their zones, and the start token; of what lies on a player's number only cards of the game count."""
        yield from (one for one in super().watched(sight) if one[0] not in NUMBERS or one[1].card in RANK_OF)
        yield from at_start(sight)

    def move_cost(self, state: State, move: Move, leaves_trace: bool) -> float:
        """Who begins is seen by the start token alone."""
        return (
            math.inf if isinstance(move, r.Start) and not leaves_trace else super().move_cost(state, move, leaves_trace)
        )

    def traceless_answers(self, state: State) -> Sequence[Move]:
        """An effect that isn't used is left, a turn that is over ends; whether the next dark is skipped is picked.

        Who takes a shrine before playing uses it.
        """
        match state.phase:
            case "light" if state.effect == "skip_dark":
                return (SKIP, USE) if state.played else (USE,)
            case "light":
                return (SKIP,) if state.played else ()
            case "end":
                return (DONE,)
            case "swap_back" if not state.open[state.partner]:
                return (GIVEN_BACK,)
            case "pass_on":
                return (PASSED_ON,)
            case _:
                return ()

    def asides(self, state: State) -> Sequence[tuple[Move, ...]]:
        """A card that goes from hand to hand: whose, and to whom."""
        if state.phase != "light" or state.effect != "swap":
            return ()
        return [(r.Choose(one), r.Swap(other, HIDDEN)) for one, other in permutations(range(state.options.players), 2)]

    def canonical(self, state: State) -> State:
        """That a blind draw failed means nothing once a card is played, whether drawn or chosen (SIL-26)."""
        return structs.replace(state, drawn=False) if state.played and state.drawn else state

    def order(self, card: str) -> int:
        """Suit by suit, from low to high."""
        return CARD_AT.get(card, -1)

    def awaited(self, state: State) -> int:
        """The Oracle comes as a whole."""
        return state.to_reveal if state.phase == "oracle" else 0

    def questions(self, state: State, lying: ReadCards) -> Sequence[TableQuestion]:
        """Whose turn it is, the cards in the hands, who owns open cards, and an effect that still waits."""
        players = state.options.players
        asked = [whose_turn(players, state.turn)]
        asked += [
            how_many("hand", N_("How many cards does player {seat} hold?"), seat, 15, len(state.hands[seat]))
            for seat in range(players)
        ]
        if lying.get("open"):
            seats = tuple(range(players))
            asked.append(TableQuestion("open", Text(N_("Whose are the open cards? Player")), seats, state.turn, "seat"))
        waits = {0: Text(N_("nothing")), **{at: self.game.term(name) for at, name in enumerate(EFFECT_MARKERS, 1)}}
        now = 1 + EFFECT_MARKERS.index(state.markers[0]) if state.markers else 0
        asked.append(
            TableQuestion("marker", Text(N_("What waits for the next card:")), tuple(waits), now, "verb", waits)
        )
        return asked

    def believed(self, state: State, lying: ReadCards, answers: Mapping[str, int]) -> State:
        """Rows, Oracle and shrines as they lie; a card that others cover is known from the game before."""
        seen = {card for cards in lying.values() for card, _ in cards}
        rows, dark = [], set()
        for colour, before in zip(COLOURS, state.rows, strict=True):
            here = {card: one for card, one in lying.get(colour, ()) if card in RANK_OF}
            top = max((RANK_OF[card] for card in here), default=0)
            below = {card for card in before if card not in seen and RANK_OF[card] < top}
            rows.append(tuple(sorted({*here, *below}, key=RANK_OF.__getitem__)))
            dark |= {card for card, one in here.items() if self.ways(one) == (TURNED,)}
            dark |= below.intersection(state.dark)
        shrines = {card.removeprefix("shrine-"): one.face for cards in lying.values() for card, one in cards
                   if card.startswith("shrine-")}  # fmt: skip
        lit = (name for name in SHRINES if shrines.get(name, "lit" if name in state.lit else "unlit") == "lit")
        players = state.options.players
        opened = tuple(card for card, _ in lying.get("open", ()))
        return State(
            options=state.options,
            turn=answers["turn"],
            hands=tuple((HIDDEN,) * answers[f"hand-{seat}"] for seat in range(players)),
            open=tuple(opened if seat == answers.get("open") else () for seat in range(players)),
            rows=tuple(rows),
            dark=tuple(sorted(dark)),
            oracle=tuple(card for card, _ in lying.get("oracle", ())),
            box=tuple(card for card in state.box if card not in seen),
            lit=tuple(lit),
            markers=(EFFECT_MARKERS[answers["marker"] - 1],) if answers["marker"] else (),
            tavern_open=state.tavern_open,
        )

    def misplaced(self, state: State, card: str, zone: str, laid: ExpectedLayout) -> tuple[str, Text] | None:
        """A card in another colour's row, or with the wrong side up."""
        if card not in RANK_OF or zone not in COLOURS:
            return super().misplaced(state, card, zone, laid)
        name = self.game.card(card)
        if COLOURS[ROW_OF[card]] != zone:
            return "wrong_row", Text(
                N_("{card} doesn't belong in the {colour} row."), {"card": name, "colour": self.game.term(zone)}
            )
        side = Text(N_("dark side up")) if card in state.dark else Text(N_("light side up"))
        return "wrong_side", Text(N_("{card} lies the wrong way round: {side}."), {"card": name, "side": side})


@cache
def row(colour: str, cards: Cards, is_dark: bool, is_lit: bool) -> tuple[ExpectedCard, ...]:
    """A shrine, and the cards that climb from it; what another card lies on needn't show."""
    shrine = piece(f"shrine-{colour}", "lit" if is_lit else "unlit", "", True)
    below = (piece(card, "", "", True) for card in cards[:-1])
    return (shrine, *below, *(piece(card, "", TURNED if is_dark else UPRIGHT) for card in cards[-1:]))
