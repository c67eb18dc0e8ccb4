"""Similo at the table: the grid in one look, clues by their angle, removals by what is gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from companion.games.game import LIES, Deal, Event, Move, Over, Show
from companion.games.similo import SIMILO, words
from companion.games.similo import records as r
from companion.games.similo.records import State
from companion.table.chooser import Pick
from companion.table.host import RULES, Buttons, Cue, Host
from companion.table.sight import NOTHING, TWO_CARDS, Name, Proposal, Seen, Sight, refused
from companion.text import N_, Text
from hardware import lights
from hardware.lights import PATTERNS, compose
from hardware.panel import Layer, PanelFrame

# SIM-11: how far from upright or across a clue may lie before the box asks.
UNSURE = (30.0, 60.0)

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

    def propose(self, state: State, sight: Sight) -> Proposal:
        """The grid at once, a new clue, or the characters that are gone."""
        if state.phase == "grid":
            return self._grid(state, sight)
        if state.phase == "clue":
            return self._clue(state, sight)
        if state.phase == "remove":
            return self._removal(state, sight)
        return NOTHING

    def readings(self, state: State, sight: Sight, stranger: Seen) -> Sequence[Name]:
        """A new character once the grid is full, a clue, or one of the characters that can't be seen otherwise."""
        cards: Iterable[str] = ()
        if state.phase == "grid" and stranger.zone == "grid":
            is_full = len(sight.zone("grid")) + len(sight.unnamed("grid")) >= state.options.grid
            cards = (move.card for move in self.game.legal(state) if isinstance(move, Show)) if is_full else ()
        elif state.phase == "clue" and stranger.zone == "clues" and stranger.was not in [c.card for c in state.clues]:
            cards = dict.fromkeys(move.card for move in self.game.legal(state) if isinstance(move, r.GiveClue))
        elif self._counts_gone(state) and stranger in self._unsettled(state, sight):
            cards = state.characters_left
        return [Name(card) for card in sorted(cards)]

    def _grid(self, state: State, sight: Sight) -> Proposal:
        laid = sight.zone("grid")
        fresh = [seen.card for seen in laid if seen.card and seen.card in state.unseen]
        missing = state.options.grid - len(state.characters_left)
        if len(laid) < state.options.grid:
            return NOTHING
        twice = next((card for card, count in Counter(seen.card for seen in laid).items() if card and count > 1), None)
        if twice is not None:
            return refused("misread", Text(LIES, {"card": self.game.card(twice), "places": Text(words.GRID)}))
        if len(set(fresh)) != missing or len(laid) != state.options.grid:
            reason = Text(N_("The grid needs {count} different cards that can be read."), {"count": missing})
            return refused("misread", reason)
        return Proposal(series=tuple(Show(card) for card in sorted(fresh)))

    def _clue(self, state: State, sight: Sight) -> Proposal:
        known = [clue.card for clue in state.clues]
        fresh = [seen for seen in sight.zone("clues") if seen.card not in known]
        if len(fresh) != 1:
            return TWO_CARDS if fresh else NOTHING
        seen = fresh[0]
        lean = abs((seen.turn + 90) % 180 - 90)
        ways: tuple[r.Way, ...] = ("similar",) if lean < UNSURE[0] else ("different",)
        if UNSURE[0] <= lean <= UNSURE[1]:
            ways = ("similar", "different")
        if state.options.clues_per_round > 1:
            ways = ("ranked",)
        legal = self.game.legal(state)
        moves = tuple(move for way in ways if (move := r.GiveClue(seen.card, way)) in legal)
        if not moves:
            reason = self.game.misread(state, seen.card, N_("{card} can't be a clue now.")).reason
            return refused("misread", reason)
        return Proposal(moves)

    def _gone(self, state: State, sight: Sight) -> tuple[str, ...]:
        there = sight.lying("grid")
        return tuple(card for card in state.characters_left if card not in there)

    def _counts_gone(self, state: State) -> bool:
        """Whether characters are removed by taking them off; where people vote, they aren't."""
        return state.phase == "remove" and any(isinstance(move, r.Remove) for move in self.game.legal(state))

    def _unsettled(self, state: State, sight: Sight) -> list[Seen]:
        """Cards in the grid that may be any of those that aren't seen."""
        return [seen for seen in sight.unnamed("grid") if seen.was not in state.characters_left]

    def _removal(self, state: State, sight: Sight) -> Proposal:
        gone = self._gone(state, sight)
        if self._counts_gone(state) and self._unsettled(state, sight):
            return NOTHING  # one of those that seem gone may lie there
        move = r.Remove(gone)
        if move in self.game.legal(state):
            return Proposal((move,))
        if len(gone) > state.count:
            reason = Text(N_("Too many are gone: exactly {count} must go."), {"count": state.count})
            return refused("wrong_number", reason)
        return NOTHING
