"""Phase 1: what the survivors do, one action each (STE-20)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.cards import Card, put
from companion.games.silentes import moves as m
from companion.games.silentes.hunt import begin_hunt
from companion.games.silentes.knowledge import discarded, taken
from companion.games.silentes.records import Act, State, Suit
from companion.games.silentes.rounds import Result, begin_turn, provide


def after_action(state: State) -> Result:
    """The partner's action, or the hunt when both have acted."""
    if state.turn == state.first:
        return begin_turn(state, 1 - state.turn)
    return begin_hunt(state)


def acted(state: State, act: Act) -> tuple[Act, ...]:
    """The actions of this round with the active player's."""
    return (act, state.acts[1]) if state.turn == 0 else (state.acts[0], act)


def go(state: State, cell: int) -> Result:
    """The first half of move and hide: the token stands on the new shelter (STE-21)."""
    seat = state.turn
    tokens = (cell, state.tokens[1]) if seat == 0 else (state.tokens[0], cell)
    return replace(state, phase="hide", tokens=tokens), (m.Moved(seat, cell),)


def hide(state: State, card: Card) -> Result:
    """The second half: a silence card, face up (STE-20)."""
    seat = state.turn
    state = replace(
        state,
        acts=acted(state, "hide"),
        tools=(),
        played=put(state.played, seat, (card,)),
        last=put(state.last, seat, (card,)),
        **taken(state, seat, card),
    )
    state, events = after_action(state)
    return state, (m.Hidden(seat, card), *events)


def entrench(state: State) -> Result:
    """Half the silence of the previous round's card; not twice in a row unless the table chains (STE-22)."""
    seat = state.turn
    card = state.last[seat][0]
    last = state.last if state.options.entrench_chain else put(state.last, seat, ())
    state = replace(
        state,
        acts=acted(state, "entrench"),
        played=put(state.played, seat, (card,)),
        last=last,
        **taken(state, seat, card),
    )
    state, events = after_action(state)
    return state, (m.Entrenched(seat, card), *events)


def search(state: State) -> Result:
    """No silence, but a provision (STE-23)."""
    seat = state.turn
    state = replace(state, acts=acted(state, "search"), last=put(state.last, seat, ()), rewards=(seat,))
    state, events = searched(state)
    return state, (m.Searched(seat), *events)


def searched(state: State) -> Result:
    """The provision comes, by nature's hand where the box deals."""
    state, events, done = provide(state, "search")
    if not done:
        return state, events
    state, more = after_action(state)
    return state, (*events, *more)


def distract(state: State, suit: Suit) -> Result:
    """Noise in a zone; the card it costs comes next (STE-24)."""
    seat = state.turn
    cries = state.cries if suit in state.cries else (*state.cries, suit)
    state = replace(state, phase="throw", acts=acted(state, "distract"), cries=cries, last=put(state.last, seat, ()))
    return state, (m.Distracted(seat, suit),)


def throw(state: State, card: Card) -> Result:
    """The card that a distraction costs, a provision if the player likes (STE-24)."""
    seat = state.turn
    state, events = after_action(replace(state, **discarded(state, seat, card)))
    return state, (m.Discarded(seat, card), *events)


def pass_turn(state: State) -> Result:
    """Nothing could be done (STE-26)."""
    seat = state.turn
    state, events = after_action(replace(state, acts=acted(state, "pass"), last=put(state.last, seat, ())))
    return state, (m.Passed(seat), *events)
