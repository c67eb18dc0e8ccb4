"""The frame of a Silencio turn: when it ends, who is next, when the game is over."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.game import Event
from companion.games.silencio import records as r
from companion.games.silencio.records import State

Result = tuple[State, tuple[Event, ...]]


def cards_left(state: State) -> int:
    """SIL-41: hidden and open cards that nobody has played."""
    return sum(map(len, state.hands)) + sum(map(len, state.open))


def finish(state: State) -> Result:
    """An effect is done: back to the turn it was created in, or on to its end window."""
    if state.played:
        return end_window(state)
    return replace(state, phase="turn", effect="none", chosen=-1, partner=-1), ()


def end_window(state: State) -> Result:
    """After the play: a shrine or the tavern if there is one, else the turn ends (SIL-30, SIL-52)."""
    if (state.lit and not state.shrine_used) or state.tavern_open:
        return replace(state, phase="end", effect="none", chosen=-1, partner=-1), ()
    return next_turn(replace(state, effect="none", chosen=-1, partner=-1))


def next_turn(state: State) -> Result:
    """The turn passes clockwise, or the game ends (SIL-40)."""
    players = state.options.players
    if cards_left(state) == 0:
        return over(state, "all_played")
    if state.passes >= players:
        return over(state, "all_passed")
    state = replace(
        state,
        phase="turn",
        turn=(state.turn + 1) % players,
        played=False,
        shrine_used=False,
        tavern_used=False,
        drawn=False,
    )
    return state, ()


def over(state: State, reason: r.Reason) -> Result:
    """The end, with the number of cards left."""
    state = replace(state, phase="over", reason=reason, effect="none", chosen=-1, partner=-1)
    return state, (r.Ended(reason, cards_left(state)),)
