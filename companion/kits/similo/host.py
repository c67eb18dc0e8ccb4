"""Similo at the table: the grid in one look, clues by their angle, removals by what is gone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from companion.games.cards import Card
from companion.games.game import Deal, Event, Move, Over, Show
from companion.games.similo import SIMILO
from companion.games.similo import records as r
from companion.games.similo.characters import characters, clue_cards
from companion.games.similo.records import State
from companion.kits.similo.tabletop import SimiloTable
from companion.table.chooser import Node, Pick, any_order
from companion.table.host import Cue, Host
from companion.text import N_
from hardware import lights
from hardware.lights import compose
from hardware.panel import Beat, Layer, PanelFrame

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
    table = SimiloTable()
    verbs = VERBS
    cues = CUES
    hold_moves = (r.Safe, r.Lost)
    # Sun and moon are for clues alone.
    places: ClassVar = {r.Safe: 1, r.Lost: 3}
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

    def forced_move(self, state: State) -> Move | None:
        """A grid that is counted lies there as soon as it's begun: there are no more characters than places."""
        if state.phase == "grid" and is_counted(state.options):
            return Show(state.unseen[0])
        return super().forced_move(state)

    def takes_hold(self, state: State, moves: Sequence[Move]) -> bool:
        """Where the box knows the secret, any removal may be the last thing that is done (SIM-17)."""
        if state.options.secret_mode == "sealed" and any(isinstance(move, r.CardSet) for move in moves):
            return True
        return super().takes_hold(state, moves)

    def peek(self, state: State) -> Layer | None:
        """The sealed secret, for the clue giver's eyes: its number in the grid."""
        if state.options.secret_mode != "sealed" or state.phase not in ("clue", "announce") or state.clues:
            return None
        grid = in_grid(state)
        return lights.number_picked(grid.index(state.secret), *range(len(grid)))

    def answerable(self, state: State) -> list[Move]:
        """Clues that were counted are all alike: the next one is laid."""
        found = super().answerable(state)
        if state.phase != "clue" or not is_counted(state.options):
            return found
        first = next(move.card for move in found if isinstance(move, r.GiveClue))
        return [move for move in found if not isinstance(move, r.GiveClue) or move.card == first]

    def options(self, state: State, moves: Sequence[Move] | None = None) -> tuple[Node, ...]:
        """Characters that go together are picked in any order."""
        moves = self.answerable(state) if moves is None else moves
        sets = [(tuple(self.steps(state, "cards", move.cards)), move) for move in moves if isinstance(move, r.CardSet)]
        return any_order(sets) if sets and len(sets) == len(moves) else super().options(state, moves)

    def steps(self, state: State, name: str, value: Any) -> Iterable[Pick]:
        """A clue's way has its own lamp; a character has its number in the grid, another card one in the deck."""
        if name == "way":
            lamps = {"similar": ("sun",), "different": ("moon",)}.get(value)
            return [] if lamps is None else [Pick(value, self.game.term(value), lamps, 0, "sky")]
        is_character = name == "cards" or (name == "card" and state.phase in ("which", "secret"))
        if is_character and isinstance(value, str):
            return [Pick(value, self.game.card(value), (), in_grid(state).index(value))]
        if name == "card":
            deck = sorted(characters(state.options) if state.phase == "grid" else clue_cards(state.options))
            return [Pick(value, self.game.card(value), (), deck.index(value))]
        return super().steps(state, name, value)

    def rank(self, card: Card) -> str:
        """By the alphabet."""
        return card

    def shown(self, state: State, move: Move) -> Layer:
        """A clue as sun or moon."""
        return (
            lights.similar(move.way == "similar") if isinstance(move, r.GiveClue) and move.way != "ranked" else Layer()
        )


def in_grid(state: State) -> list[str]:
    """All characters that have lain in the grid, by the alphabet: a character's number stays the same all game long."""
    return sorted((*state.characters_left, *state.taken, *state.removed))


def is_counted(options: r.Options) -> bool:
    """Whether the characters are the places of the grid, because nobody names them to the box."""
    return options.deck == "custom" and len(options.characters) == options.grid
