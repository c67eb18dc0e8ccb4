"""Similo's table: the grid, and the clues by the way they lie."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import ClassVar

from msgspec import structs

from companion.games.cards import HIDDEN
from companion.games.game import BadState, Deal, Move, Show
from companion.games.similo import SIMILO
from companion.games.similo import records as r
from companion.games.similo.records import REMOVALS, State
from companion.table.difference import Difference
from companion.table.proposal import Progress
from companion.table.sight import Seen, Sight
from companion.table.tabletop import ON_CARD_MM, SECRET, ExpectedLayout, ReadCards, Tabletop, piece
from companion.text import N_, Text

ALONG, ACROSS = "along", "across"
WAYS = {"similar": ALONG, "different": ACROSS, "ranked": ""}
# SIM-11: how far from upright or across a clue may lie before the box asks.
UNSURE = (30.0, 60.0)


class SimiloTable(Tabletop[State]):
    """The table of Similo. What only the clue giver knows is never searched for."""

    game = SIMILO
    unordered = frozenset({"grid"})
    never = (r.Safe, r.Lost, r.GiverSpoke, r.Vote, r.Announce, Deal)
    zones: ClassVar[dict[str, str]] = {"grid": N_("the grid"), "clues": N_("the clues")}

    tries: ClassVar[dict[str, tuple[type[Move], ...]]] = {"grid": (Show, r.Remove), "clues": (r.GiveClue,)}

    def layout(self, state: State) -> ExpectedLayout:
        """The characters that are left, and the clues upright or across."""
        return {
            "grid": tuple(piece(card) for card in state.characters_left),
            "clues": tuple(piece(clue.card, "", WAYS[clue.way]) for clue in state.clues),
            SECRET: (piece(state.secret, "", "", True),) if state.phase == "over" and state.secret != HIDDEN else (),
        }

    def watched(self, sight: Sight) -> Iterable[tuple[str, Seen]]:
        """Cards by their zones; the secret token means the card that it lies on."""
        yield from super().watched(sight)
        for token in (one for one in sight.tokens if one.name == SECRET):
            under = min(sight.cards, key=lambda card: math.hypot(card.x - token.x, card.y - token.y), default=None)
            if under is not None and math.hypot(under.x - token.x, under.y - token.y) < ON_CARD_MM:
                yield SECRET, structs.replace(under, zone=SECRET, identity=0)

    def move_cost(self, state: State, move: Move, leaves_trace: bool) -> float:
        """Which was the secret is seen only once it's lost, and only by its token."""
        if isinstance(move, r.Secret) and not (state.phase == "which" and leaves_trace):
            return math.inf
        return super().move_cost(state, move, leaves_trace)

    def awaited(self, state: State) -> int:
        """The grid comes as a whole."""
        return state.options.grid - len(state.characters_left) if state.phase == "grid" else 0

    def progress(self, state: State, differences: Sequence[Difference]) -> Progress | None:
        """Characters are taken off one after the other."""
        gone = [one for one in differences if (one.zone, one.what) == ("grid", "missing")]
        if state.phase == "remove" and len(gone) == len(differences) < state.count:
            return Progress(len(gone), state.count)
        return None

    def believed(self, state: State, lying: ReadCards, answers: Mapping[str, int]) -> State:
        """The grid and the clues as they lie; how many are gone tells the round, the clues who is next."""
        options = state.options
        left = tuple(card for card, _ in lying.get("grid", ()))
        clues = tuple(r.Clue(card, self._way(seen)) for card, seen in lying.get("clues", ()))
        gone = options.grid - len(left)
        known = tuple(card for card in state.removed if card not in left)[:gone]
        given, odd = divmod(len(clues), options.clues_per_round)
        rounds = tuple(accumulate(REMOVALS[options.grid], initial=0))
        is_fitting = options.rounds == 5 and options.secret_mode == "trusted_giver" and gone in rounds and not odd
        if not is_fitting or given - rounds.index(gone) not in (0, 1):
            raise BadState("not_read", Text(
                N_("{left} characters and {clues} clues don't make a round."), {"left": len(left), "clues": len(clues)}
            ))  # fmt: skip
        round_ = rounds.index(gone)
        return State(
            options=options,
            phase="clue" if given == round_ else "remove",
            characters_left=left,
            removed=(*known, *(HIDDEN,) * (gone - len(known))),
            hand=(HIDDEN,) * (options.hand_size if options.refill else options.hand_size - len(clues)),
            clues=clues,
            round=round_,
        )

    def _way(self, seen: Seen) -> r.Way:
        """How a clue lies; one that lies in between is taken for the way that is nearer."""
        return "similar" if abs((seen.angle + 90) % 180 - 90) < sum(UNSURE) / 2 else "different"

    def ways(self, seen: Seen) -> tuple[str, ...]:
        """Upright or across, or either where it lies in between."""
        lean = abs((seen.angle + 90) % 180 - 90)
        if lean < UNSURE[0]:
            return (ALONG,)
        return (ACROSS,) if lean > UNSURE[1] else (ALONG, ACROSS)
