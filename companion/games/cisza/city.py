"""The city: noise, what its cards turn out to be, hordes, and the trigger of the final attack."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.cards import Card, Cards, drop, put
from companion.games.cisza import records as r
from companion.games.cisza.attack import end_attack, open_window
from companion.games.cisza.knowledge import actor, counted, insert, living, others
from companion.games.cisza.records import HORDE, KIND, State
from companion.games.cisza.turns import Result
from companion.games.game import Event


def resume(state: State) -> Result:
    """A card is finished: back to the cards of phase 1, or to the barriers of phase 2 (CIS-12)."""
    if not state.attacking:
        return replace(state, phase="turn", card="none", at=-1, by=-1), ()
    if state.card == "alarm":
        state, events = end_attack(state)
        return state, (r.AttackSkipped(state.turn), *events)
    return open_window(state)


def make_noise(state: State, seat: int) -> Result:
    """NOISE: the zombie on top comes to the shelter, or the top card is turned over (CIS-30)."""
    noise = r.Noise(seat)
    if state.top == "none" and state.city:
        return replace(state, phase="flip", at=seat), (noise,)
    if state.top == "none":
        state, events = resume(state)
        return state, (noise, r.Unheard(), *events)
    state, events = top_enters(state, seat)
    return state, (noise, *events)


def top_enters(state: State, seat: int) -> Result:
    """The zombie that stands on the deck goes to a shelter; the next card isn't turned."""
    zombie = state.top
    state = enter(state, seat, zombie)
    state, begun = check_final(replace(state, top="none", city=state.city - 1))
    state, events = resume(state)
    return state, (r.Entered(seat, zombie), *begun, *events)


def flip(state: State, zombie: Card) -> Result:
    """The top card was turned: it stays alert, comes at once, or is a horde (CIS-30, CIS-31, CIS-21)."""
    flipped = r.Flipped(zombie)
    pool = counted(state.pool, KIND[zombie], -1)
    begun: tuple[Event, ...]
    if zombie == "horde":
        killed = counted(state.killed, HORDE, 1)
        state, begun = check_final(replace(state, pool=pool, city=state.city - 1, killed=killed))
        state, events = begin_horde(state)
        return state, (flipped, *begun, *events)
    if zombie != "fast" and state.card != "surprise":
        state, begun = check_final(replace(state, pool=pool, top=zombie))
        state, events = resume(state)
        return state, (r.Flipped(zombie, stays=True), *begun, *events)
    seat = state.at
    state = enter(state, seat, zombie)
    state, begun = check_final(replace(state, pool=pool, city=state.city - 1))
    state, events = resume(state)
    return state, (flipped, r.Entered(seat, zombie), *begun, *events)


def enter(state: State, seat: int, zombie: Card) -> State:
    """A zombie comes from the city into a shelter; by barrier noise it doesn't attack now (CIS-37, CIS-43)."""
    zombies = put(state.zombies, seat, insert(state.zombies[seat], zombie))
    if seat == state.turn and (state.attacking or state.card in ("mines", "alarm")):
        return replace(state, zombies=zombies, fresh=insert(state.fresh, zombie))
    return replace(state, zombies=zombies)


def check_final(state: State) -> Result:
    """CIS-70: the deck is empty, or its last card shows a zombie. It takes effect at once and for good."""
    if state.city > 1 or state.final or (state.city and state.top == "none"):
        return state, ()
    return replace(state, final=True, idle=-1), (r.FinalAttack(),)


def begin_horde(state: State) -> Result:
    """HORDE: as many cards as players come from the top, or what is there (CIS-32, CIS-35)."""
    options = state.options
    count = options.players if options.horde_counts_eliminated else len(living(options.players, state.out))
    count = min(count, state.city)
    came = r.HordeCame(actor(state), count)
    if count:
        return replace(state, phase="horde", to_draw=count), (came,)
    state, events = resume(state)
    return state, (came, *events)


def draw_horde(state: State, zombie: Card) -> Result:
    """One card of the horde is turned over. A second horde waits until the others are sent away (CIS-34)."""
    changes = replace(
        state,
        pool=counted(state.pool, KIND[zombie], -1),
        city=state.city - 1,
        to_draw=state.to_draw - 1,
    )
    if zombie == "horde":
        state = replace(changes, again=True, killed=counted(state.killed, HORDE, 1))
    else:
        state = replace(changes, drawn=insert(state.drawn, zombie))
    state, begun = check_final(state)
    events: tuple[Event, ...] = ()
    if not state.to_draw:
        state, events = deal_out(state)
    return state, (r.HordeDrew(zombie), *begun, *events)


def deal_out(state: State) -> Result:
    """The zombies of a horde are assigned one by one; then a second horde is resolved like the first."""
    if state.drawn:
        return (state if state.phase == "assign" else replace(state, phase="assign")), ()
    if state.again:
        return begin_horde(replace(state, given=(), again=False))
    return resume(replace(state, given=()))


def receivers(state: State) -> tuple[int, ...]:
    """Shelters that may get the next zombie of a horde: nobody gets a second before all have one."""
    seat = actor(state)
    seats = others(state, seat) if state.again else living(state.options.players, state.out)
    if not state.given:
        return seats
    least = min(map(state.given.count, seats))
    return tuple(one for one in seats if state.given.count(one) == least)


def assign(state: State, move: r.Assign) -> Result:
    """One zombie of the horde goes to a shelter."""
    drawn: Cards = drop(state.drawn, move.zombie)
    state = enter(state, move.seat, move.zombie)
    state, events = deal_out(replace(state, drawn=drawn, given=tuple(sorted((*state.given, move.seat)))))
    return state, (r.Entered(move.seat, move.zombie), *events)
