"""Phase 2: the window for barriers, the attack, losses, elimination and the zombies left behind."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.cards import Card, drop, put
from companion.games.cisza import records as r
from companion.games.cisza.knowledge import counted, insert, others
from companion.games.cisza.records import State
from companion.games.cisza.turns import Result, draw_up, next_turn, over
from companion.games.game import Event


def attackers(state: State) -> int:
    """Zombies in the shelter that attack in this phase: newcomers by barrier noise don't (CIS-43)."""
    return len(state.zombies[state.turn]) - len(state.fresh)


def can_use(state: State, card: Card) -> bool:
    """Whether a barrier that stands has something to work on now (CIS-44)."""
    if card == "barricade":
        return attackers(state) > state.stopped
    return bool(state.zombies[state.turn])


def begin_attack(state: State) -> Result:
    """Phase 1 is over."""
    return open_window(replace(state, attacking=True, mode="none"))


def open_window(state: State) -> Result:
    """Ask about barriers while one can be used; then the zombies strike (CIS-41)."""
    if state.barriers[state.turn] and any(can_use(state, card) for card in state.barriers[state.turn]):
        return replace(state, phase="attack", card="none", at=-1, by=-1), ()
    return strike(state)


def strike(state: State) -> Result:
    """All attack at once; each zombie nobody stopped kills one survivor (CIS-40)."""
    seat, coming = state.turn, attackers(state)
    if coming <= 0:
        return end_attack(state)
    stopped = min(state.stopped, coming)
    lost = min(state.survivors[seat], coming - stopped)
    if lost:
        state = replace(state, survivors=counted(state.survivors, seat, -lost), fallen=state.fallen + lost)
    state, events = end_attack(state)
    return state, (r.Attacked(seat, coming, stopped, lost), *events)


def end_attack(state: State) -> Result:
    """The end of phase 2: a shelter without survivors is lost, even if no zombie came (CIS-45, CIS-46)."""
    state = replace(state, attacking=False, stopped=0, fresh=(), card="none", at=-1, by=-1)
    if not state.survivors[state.turn]:
        return eliminate(state)
    if state.final:
        return next_turn(state)  # CIS-70
    return draw_up(state)


def eliminate(state: State) -> Result:
    """Hand and barriers are discarded, the zombies go to the neighbours (CIS-45)."""
    seat = state.turn
    gone = (*state.hands[seat], *state.barriers[seat])
    state = replace(
        state,
        out=tuple(sorted((*state.out, seat))),
        hands=put(state.hands, seat, ()),
        barriers=put(state.barriers, seat, ()),
        discard=tuple(sorted((*state.discard, *gone))),
    )
    fell = r.Eliminated(seat, tuple(sorted(gone)))
    events: tuple[Event, ...] = ()
    if len(others(state, seat)) == 1:
        state, events = over(state, "last_shelter")
    elif state.zombies[seat]:
        state = replace(state, phase="pass_on")
    else:
        state, events = next_turn(state)
    return state, (fell, *events)


def neighbours(state: State) -> tuple[int, ...]:
    """The next living players on the left and on the right of an eliminated one."""
    around = others(state, state.turn)
    return (around[0], around[-1])


def pass_on(state: State, move: r.Assign) -> Result:
    """One zombie left behind goes to a neighbour."""
    seat = state.turn
    zombies = put(state.zombies, seat, drop(state.zombies[seat], move.zombie))
    zombies = put(zombies, move.seat, insert(zombies[move.seat], move.zombie))
    state = replace(state, zombies=zombies)
    sent = r.Sent(seat, move.seat, move.zombie)
    if zombies[seat]:
        return state, (sent,)
    state, events = next_turn(state)
    return state, (sent, *events)
