"""Similo at the table: the grid in one look, clues by their angle, removals by what is gone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.games.game import Deal, Event, Move, Over, Show
from companion.games.similo import SIMILO
from companion.games.similo import records as r
from companion.games.similo.records import State
from companion.kits.similo.tabletop import SimiloTable
from companion.table.chooser import Pick
from companion.table.host import RULES, Buttons, Cue, Host
from companion.table.sight import Seen, Sight
from companion.text import N_
from hardware import lights
from hardware.lights import PATTERNS, compose
from hardware.panel import Layer, PanelFrame

VERBS: dict[type[Move], str] = {
    Show: N_("in the grid lies"),
    r.Secret: N_("the secret is"),
    Deal: N_("deal"),
    r.Announce: N_("characters to remove"),
    r.GiveClue: N_("clue"),
    r.Remove: N_("remove"),
    r.Vote: N_("vote to remove"),
    r.Safe: N_("safe"),
    r.Lost: N_("lost"),
    r.GiverSpoke: N_("the clue giver spoke"),
}
CUES: dict[type[Event], Cue] = {
    r.ClueGiven: Cue("accepted"),
    r.Taken: Cue("accepted", sound="accepted"),
    r.Spoke: Cue("refused"),
}
HOW: dict[str, str] = RULES | {
    "card": N_("one light a card, by the English alphabet"),
    "cards": N_("card after card, by the English alphabet"),
    "count": N_("one light a number"),
    "way": N_("similar or different"),
}


class SimiloHost(Host[State]):
    """The host of Similo. It is mute while the clue giver must be, and says nothing that would tell the secret."""

    game = SIMILO
    table = SimiloTable()
    verbs = VERBS
    cues = CUES
    rules = HOW

    def frame(self, state: State) -> PanelFrame:
        """How many characters are left, or how many must go."""
        step = self.game.pending(state)
        if isinstance(step, Over):
            return compose()
        if state.phase == "grid":
            return compose(lights.count(len(state.characters_left), state.options.grid))
        return compose(lights.seats(state.options.players, step.seat))

    def asking(self, state: State, sight: Sight | None) -> Layer:
        """While characters are taken off, so many of so many; the answer is sun or moon for the clue giver."""
        if state.phase == "remove":
            gone = 0 if sight is None else len(self._gone(state, sight)) - len(self._unsettled(state, sight))
            return lights.count(min(gone, state.count), state.count)
        if state.phase == "answer":
            return PATTERNS["question"].layer
        return Layer()

    def is_silent(self, state: State) -> bool:
        """While it's the clue giver's part."""
        return state.phase in ("secret", "clue", "announce", "answer", "refill")

    def draws(self, state: State) -> bool:
        """In sealed mode the box picks the secret itself (SIM-17)."""
        return state.phase == "secret"

    def peek(self, state: State) -> Layer | None:
        """The sealed secret, for the clue giver's eyes: its place in the grid, in alphabetical order."""
        if state.options.secret_mode != "sealed" or state.phase not in ("clue", "announce") or state.clues:
            return None
        at = state.characters_left.index(state.secret)
        return lights.chooser(at, len(state.characters_left))

    def buttons(self, state: State) -> Buttons:
        """The clue giver's answer: ✔ safe, ✖ lost. Both look alike until the box goes on."""
        return Buttons(r.Safe(), r.Lost()) if state.phase == "answer" else Buttons()

    def steps(self, state: State, name: str, value: Any) -> Iterable[Pick]:
        """A clue's way has its own lamp."""
        if name == "way" and value in ("similar", "different"):
            return [Pick(value, self.game.term(value), ("sun" if value == "similar" else "moon",))]
        return super().steps(state, name, value)

    def shown(self, state: State, move: Move) -> Layer:
        """A clue as sun or moon."""
        if isinstance(move, r.GiveClue) and move.way != "ranked":
            way = lights.similar(move.way == "similar")
            return Layer(bar=PATTERNS["question"].layer.bar, sky=way.sky)
        return PATTERNS["question"].layer

    def _gone(self, state: State, sight: Sight) -> tuple[str, ...]:
        there = sight.lying("grid")
        return tuple(card for card in state.characters_left if card not in there)

    def _unsettled(self, state: State, sight: Sight) -> list[Seen]:
        """Cards in the grid that may be any of those that aren't seen."""
        return [seen for seen in sight.unnamed("grid") if seen.was not in state.characters_left]
