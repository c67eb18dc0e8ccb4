"""Similo's table: the grid, and the clues by the way they lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from companion.games.game import Deal, Move, Show
from companion.games.similo import SIMILO
from companion.games.similo import records as r
from companion.games.similo.records import State
from companion.table.sight import Difference, Progress, Seen
from companion.table.tabletop import Laid, Tabletop, piece
from companion.text import N_

ALONG, ACROSS = "along", "across"
WAYS = {"similar": ALONG, "different": ACROSS, "ranked": ""}
# SIM-11: how far from upright or across a clue may lie before the box asks.
UNSURE = (30.0, 60.0)


class SimiloTable(Tabletop[State]):
    """The table of Similo. What only the clue giver knows is never searched for."""

    game = SIMILO
    unordered = frozenset({"grid"})
    never = (r.Secret, r.Safe, r.Lost, r.GiverSpoke, r.Vote, r.Announce, Deal)
    zones: ClassVar[dict[str, str]] = {"grid": N_("the grid"), "clues": N_("the clues")}

    tries: ClassVar[dict[str, tuple[type[Move], ...]]] = {"grid": (Show, r.Remove), "clues": (r.GiveClue,)}

    def layout(self, state: State) -> Laid:
        """The characters that are left, and the clues upright or across."""
        return {
            "grid": tuple(piece(card) for card in state.characters_left),
            "clues": tuple(piece(clue.card, "", WAYS[clue.way]) for clue in state.clues),
        }

    def awaited(self, state: State) -> int:
        """The grid comes as a whole."""
        return state.options.grid - len(state.characters_left) if state.phase == "grid" else 0

    def progress(self, state: State, differences: Sequence[Difference]) -> Progress | None:
        """Characters are taken off one after the other."""
        gone = [one for one in differences if (one.zone, one.what) == ("grid", "missing")]
        if state.phase == "remove" and len(gone) == len(differences) < state.count:
            return Progress(len(gone), state.count)
        return None

    def ways(self, seen: Seen) -> tuple[str, ...]:
        """Upright or across, or either where it lies in between."""
        lean = abs((seen.turn + 90) % 180 - 90)
        if lean < UNSURE[0]:
            return (ALONG,)
        return (ACROSS,) if lean > UNSURE[1] else (ALONG, ACROSS)
