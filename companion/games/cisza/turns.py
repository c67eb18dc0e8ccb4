"""The frame of a Cisza game: drawing up, the mulligans, who is next, when the game is over."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.cards import HIDDEN, put
from companion.games.cisza import records as r
from companion.games.cisza.knowledge import living, others
from companion.games.cisza.records import HAND_SIZE, State
from companion.games.game import Event

Result = tuple[State, tuple[Event, ...]]


def drawer(state: State) -> int:
    """Whose hand is being filled: the player whose turn it is, or who has just discarded a first hand."""
    return state.turn if state.started else mulligan_seat(state)


def mulligan_seat(state: State) -> int:
    """Who is asked about the first hand, in turn order (CIS-02)."""
    return (state.turn + state.asked) % state.options.players


def draw_up(state: State) -> Result:
    """Draw to three; the discards are shuffled when the deck is empty, also in mid-draw (CIS-50)."""
    seat = drawer(state)
    missing = HAND_SIZE - len(state.hands[seat])
    if missing > 0 and state.stock and state.options.driver == "table":
        coming = min(missing, state.stock)
        hand = tuple(sorted((*state.hands[seat], *(HIDDEN,) * coming)))
        state = replace(state, hands=put(state.hands, seat, hand), stock=state.stock - coming)
        state, events = draw_up(state)
        return state, (*(r.Dealt(seat, HIDDEN),) * coming, *events)
    if missing > 0 and state.stock:
        return (state if state.phase == "draw" else replace(state, phase="draw")), ()
    if missing > 0 and state.discard:
        return replace(state, phase="shuffle"), ()
    return next_turn(state) if state.started else next_mulligan(state)


def next_mulligan(state: State) -> Result:
    """The next player is asked about the first hand, or the first turn begins."""
    asked = state.asked + 1
    if asked == state.options.players:
        return replace(state, phase="turn", started=True, asked=0), ()
    return replace(state, phase="mulligan", asked=asked), ()


def next_turn(state: State) -> Result:
    """The turn is over: the end test, then the next living player on the left (CIS-72)."""
    idle = 0
    if state.final and not any(state.zombies):
        if state.top == "none":
            return over(state, "no_zombies")
        idle = state.idle + 1  # had the zombie moved to a shelter, the deck would be empty
        alive = len(living(state.options.players, state.out))
        if idle >= alive * state.options.final_idle_rounds:
            return over(replace(state, idle=idle), "standstill")
    return replace(state, phase="turn", turn=others(state, state.turn)[0], idle=idle), ()


def over(state: State, reason: r.Reason) -> Result:
    """The end, and who has won."""
    state = replace(state, phase="over", reason=reason)
    return state, (r.Ended(reason, winners(state), state.survivors),)


def winners(state: State) -> tuple[int, ...]:
    """The living players with most survivors; ties share the victory (CIS-72, CIS-74)."""
    alive = living(state.options.players, state.out)
    most = max(state.survivors[seat] for seat in alive)
    return tuple(seat for seat in alive if state.survivors[seat] == most)
