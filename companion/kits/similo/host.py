"""Similo at the table: the grid in one look, clues by their angle, removals by what is gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from companion.games.game import LIES, Deal, Event, Move, Over, Show
from companion.games.similo import SIMILO, words
from companion.games.similo import records as r
from companion.games.similo.records import State
from companion.table.chooser import Node, Pick
from companion.table.host import Cue, Host
from companion.table.sight import NOTHING, TWO_CARDS, Name, Proposal, Seen, Sight, refused
from companion.text import N_, Text
from hardware import lights
from hardware.lights import compose
from hardware.panel import Beat, Layer, PanelFrame

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


class SimiloHost(Host[State]):
    """The host of Similo. It is mute while the clue giver must be, and says nothing that would tell the secret."""

    game = SIMILO
    verbs = VERBS
    cues = CUES
    answers: ClassVar = {r.Safe: "sun", r.Lost: "moon"}
    held = (r.Safe, r.Lost)
    signs: ClassVar = {"grid": "progress", "clue": "lay", "which": "which"}

    def frame(self, state: State) -> PanelFrame:
        """Whose turn it is, or how many characters must go."""
        step = self.game.pending(state)
        if isinstance(step, Over):
            return compose()
        if state.phase == "remove":
            return compose(lights.count(0, state.count))
        return compose(lights.seats(state.options.players, step.seat))

    def beats(self, state: State, sign: str, nodes: Sequence[Node]) -> tuple[Beat, ...]:
        """So many characters lie in the grid, so many are to come."""
        if sign == "progress":
            return lights.still(lights.progress(len(state.characters_left), state.options.grid))
        return super().beats(state, sign, nodes)

    def is_silent(self, state: State) -> bool:
        """While it's the clue giver's part."""
        return state.phase in ("secret", "clue", "announce", "answer", "refill")

    def draws(self, state: State) -> bool:
        """In sealed mode the box picks the secret itself (SIM-17)."""
        return state.phase == "secret"

    def by_itself(self, state: State) -> Move | None:
        """A grid that is counted lies there as soon as it's begun: there are no more characters than places."""
        if state.phase == "grid" and is_counted(state.options):
            return Show(state.unseen[0])
        return super().by_itself(state)

    def is_held(self, state: State, moves: Sequence[Move]) -> bool:
        """Where the box knows the secret, any removal may be the last thing that is done (SIM-17)."""
        if state.options.secret_mode == "sealed" and any(isinstance(move, r.CardSet) for move in moves):
            return True
        return super().is_held(state, moves)

    def peek(self, state: State) -> Layer | None:
        """The sealed secret, for the clue giver's eyes: its number in the grid."""
        if state.options.secret_mode != "sealed" or state.phase not in ("clue", "announce") or state.clues:
            return None
        grid = in_grid(state)
        return lights.naming(grid.index(state.secret), *range(len(grid)))

    def answerable(self, state: State) -> list[Move]:
        """Clues that were counted are all alike: the next one is laid."""
        found = super().answerable(state)
        if state.phase != "clue" or not is_counted(state.options):
            return found
        first = next(move.card for move in found if isinstance(move, r.GiveClue))
        return [move for move in found if not isinstance(move, r.GiveClue) or move.card == first]

    def steps(self, state: State, name: str, value: Any) -> Iterable[Pick]:
        """A clue's way has its own lamp; a character has its number in the grid, another card one in the deck."""
        if name == "way":
            lamps = {"similar": ("sun",), "different": ("moon",)}.get(value)
            return [] if lamps is None else [Pick(value, self.game.term(value), lamps, 0, "sky")]
        is_character = name == "cards" or (name == "card" and state.phase in ("which", "secret"))
        if is_character and isinstance(value, str):
            return [Pick(value, self.game.card(value), (), in_grid(state).index(value))]
        if name == "card":
            deck = sorted(self.game.deck(state))
            return [Pick(value, self.game.card(value), (), deck.index(value))]
        return super().steps(state, name, value)

    def shown(self, state: State, move: Move) -> Layer:
        """A clue as sun or moon."""
        return (
            lights.similar(move.way == "similar") if isinstance(move, r.GiveClue) and move.way != "ranked" else Layer()
        )

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


def in_grid(state: State) -> list[str]:
    """All characters that have lain in the grid, by the alphabet: a character's number stays the same all game long."""
    return sorted((*state.characters_left, *state.taken, *state.removed))


def is_counted(options: r.Options) -> bool:
    """Whether the characters are the places of the grid, because nobody names them to the box."""
    return options.deck == "custom" and len(options.characters) == options.grid
