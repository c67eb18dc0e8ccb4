"""The resource cards: when one has something to do, whom it may be aimed at, and what it does."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from companion.games.cards import Card, Cards, drop, put
from companion.games.cisza import records as r
from companion.games.cisza.city import check_final, make_noise, resume, top_enters
from companion.games.cisza.knowledge import actor, counted, insert, leave_hand, others, trimmed
from companion.games.cisza.records import AIMED, BARRIERS, KIND, NOISY, RESCUES, WEAK, WEAPONS, State
from companion.games.cisza.turns import Result
from companion.games.game import Event


def weak_count(zombies: Cards) -> int:
    """How many regular and fast zombies there are."""
    return zombies.count("regular") + zombies.count("fast")


def shotgun_minimum(state: State) -> int:
    """How many regular or fast zombies a shotgun needs (CIS-14)."""
    return 2 if state.options.shotgun_needs_two else 1


def can_shoot_weak(state: State, seat: int) -> bool:
    """A regular or fast zombie in the shelter."""
    zombies = state.zombies[seat]
    return "regular" in zombies or "fast" in zombies


def can_shotgun(state: State, seat: int) -> bool:
    """A strong zombie, or enough weak ones (CIS-14)."""
    zombies = state.zombies[seat]
    return "strong" in zombies or weak_count(zombies) >= shotgun_minimum(state)


def can_snipe(state: State, seat: int) -> bool:
    """Any zombie in the shelter or on the city deck."""
    return bool(state.zombies[seat]) or state.top != "none"


def can_rescue(state: State, seat: int) -> bool:
    """A survivor on top of the city deck (CIS-15)."""
    return state.city > 0 and state.top == "none"


def can_aim(state: State, seat: int, card: Card) -> bool:
    """Some player the trick can be played on."""
    return any(TARGET[card](state, seat, to) for to in others(state, seat))


def can_sacrifice(state: State, seat: int) -> bool:
    """A survivor to give up and a zombie to send away (CIS-19)."""
    return bool(state.zombies[seat]) and state.survivors[seat] > 0


def can_drone(state: State, seat: int) -> bool:
    """A zombie to send; noise alone only where the table plays it so (CIS-20)."""
    return bool(state.zombies[seat]) or (state.options.drone_without_zombie and state.city > 0)


def can_surprise(state: State, seat: int) -> bool:
    """Either half: an own zombie, or a card in the city (CIS-21)."""
    return state.city > 0 or bool(state.zombies[seat])


def has_barriers(state: State, seat: int, to: int) -> bool:
    """CIS-16: something to destroy."""
    return bool(state.barriers[to])


def can_swap(state: State, seat: int, to: int) -> bool:
    """CIS-17: at least one side holds something."""
    return bool(state.zombies[seat] or state.zombies[to] or state.barriers[seat] or state.barriers[to])


def can_spare(state: State, seat: int, to: int) -> bool:
    """CIS-18: more than one survivor."""
    return state.survivors[to] > 1


# Whether a card has at least one feasible part (CIS-11).
FEASIBLE: dict[Card, Callable[[State, int], bool]] = {
    "axe": can_shoot_weak,
    "revolver": can_shoot_weak,
    "shotgun": can_shotgun,
    "sniper": can_snipe,
    "walkie": can_rescue,
    "flare": can_rescue,
    "megaphone": can_rescue,
    "barricade": lambda state, seat: True,
    "alarm": lambda state, seat: True,
    "mines": lambda state, seat: True,
    "sabotage": lambda state, seat: can_aim(state, seat, "sabotage"),
    "eviction": lambda state, seat: can_aim(state, seat, "eviction"),
    "bribery": lambda state, seat: can_aim(state, seat, "bribery"),
    "sacrifice": can_sacrifice,
    "drone": can_drone,
    "surprise": can_surprise,
}

TARGET: dict[Card, Callable[[State, int, int], bool]] = {
    "sabotage": has_barriers,
    "eviction": can_swap,
    "bribery": can_spare,
    "drone": lambda state, seat, to: True,
    "surprise": lambda state, seat, to: True,
}


def play(state: State, card: Card) -> Result:
    """A card leaves the hand: a barrier is placed, anything else takes effect, or has none (CIS-11)."""
    seat = state.turn
    hands, unseen = leave_hand(state, seat, card)
    if card in BARRIERS:
        barriers = put(state.barriers, seat, insert(state.barriers[seat], card))
        return replace(state, hands=hands, unseen=unseen, barriers=barriers, mode="play"), (r.Placed(seat, card),)
    played = r.Played(seat, card)
    feasible = FEASIBLE[card](state, seat)
    state = replace(
        state,
        phase="target" if card in AIMED else "kill" if card in WEAPONS else state.phase,
        hands=hands,
        unseen=unseen,
        discard=insert(state.discard, card),
        mode="play",
        card=card,
    )
    events: tuple[Event, ...] = ()
    if not feasible:
        state, events = after_effect(state)
        events = (r.NoEffect(card), *events)
    elif card in RESCUES:
        state, events = rescue(state, RESCUES[card])
    elif card == "sacrifice":
        survivors = counted(state.survivors, seat, -1)
        state = replace(state, phase="share", survivors=survivors, fallen=state.fallen + 1)
        events = (r.Sacrificed(seat),)
    return state, (played, *events)


def play_for_noise(state: State, card: Card) -> Result:
    """Expert mode: the card goes to the discards and only its noise happens (CIS-60)."""
    seat = state.turn
    hands, unseen = leave_hand(state, seat, card)
    state = replace(state, hands=hands, unseen=unseen, discard=insert(state.discard, card), mode="play")
    state, events = make_noise(state, seat)
    return state, (r.PlayedForNoise(seat, card), *events)


def after_effect(state: State) -> Result:
    """First the effect, then the noise of cards with the icon (CIS-12)."""
    return make_noise(state, actor(state)) if state.card in NOISY else resume(state)


def rescue(state: State, wanted: int) -> Result:
    """The first survivors of the city come to the shelter; the last one comes alone (CIS-15)."""
    seat, count = state.turn, min(wanted, state.city)
    state = replace(state, survivors=counted(state.survivors, seat, count), city=state.city - count)
    state, begun = check_final(state)
    state, events = after_effect(state)
    return state, (r.Rescued(seat, count), *begun, *events)


def leave_shelter(state: State, seat: int, zombie: Card) -> State:
    """A zombie is taken out of a shelter."""
    zombies = put(state.zombies, seat, drop(state.zombies[seat], zombie))
    if state.fresh and seat == state.turn:
        return replace(state, zombies=zombies, fresh=trimmed(state.fresh, zombies[seat]))
    return replace(state, zombies=zombies)


def kill(state: State, zombie: Card) -> Result:
    """A weapon or mines eliminate a zombie of the shelter; shotgun and mines may hit a second one."""
    seat = actor(state)
    state = leave_shelter(state, seat, zombie)
    state = replace(state, killed=counted(state.killed, KIND[zombie], 1))
    killed = r.Killed(seat, zombie)
    if state.phase == "kill":
        left = state.zombies[seat]
        if (state.card == "mines" and left) or (state.card == "shotgun" and zombie in WEAK and weak_count(left)):
            return replace(state, phase="kill_more"), (killed,)
    state, events = after_effect(state)
    return state, (killed, *events)


def kill_top(state: State) -> Result:
    """The sniper hits the zombie on the city deck (CIS-14)."""
    zombie = state.top
    state = replace(state, top="none", city=state.city - 1, killed=counted(state.killed, KIND[zombie], 1))
    state, begun = check_final(state)
    state, events = resume(state)
    return state, (r.KilledTop(state.turn, zombie), *begun, *events)


def aim(state: State, to: int) -> Result:
    """A trick is played on a player."""
    seat, card = state.turn, state.card
    event: Event
    if card == "sabotage":
        gone = state.barriers[to]  # CIS-16: destroyed, not used, so no noise of theirs
        discard = tuple(sorted((*state.discard, *gone)))
        state = replace(state, barriers=put(state.barriers, to, ()), discard=discard)
        event = r.Sabotaged(seat, to, gone)
    elif card == "eviction":
        state = replace(
            state,
            zombies=swapped(state.zombies, seat, to),
            barriers=swapped(state.barriers, seat, to),
            fresh=(),
        )
        event = r.Evicted(seat, to)
    elif card == "bribery":
        state = replace(state, survivors=counted(counted(state.survivors, to, -1), seat, 1))
        event = r.Bribed(seat, to)
    elif state.zombies[seat]:
        return replace(state, phase="send", at=to), ()
    else:
        return fly(state, to)
    state, events = after_effect(state)
    return state, (event, *events)


def swapped(zones: tuple[Cards, ...], one: int, other: int) -> tuple[Cards, ...]:
    """The zones of two seats exchanged."""
    return put(put(zones, one, zones[other]), other, zones[one])


def send(state: State, zombie: Card) -> Result:
    """Drone and surprise: an own zombie goes to the chosen player, then comes the second half."""
    seat, to = state.turn, state.at
    state = move_zombie(state, seat, to, zombie)
    state, events = fly(state, to)
    return state, (r.Sent(seat, to, zombie), *events)


def fly(state: State, to: int) -> Result:
    """The second half: the drone's noise in that shelter, or the surprise from the city (CIS-20, CIS-21)."""
    if state.card == "drone":
        return make_noise(state, to)
    if state.top != "none":
        return top_enters(state, to)
    if state.city:
        return replace(state, phase="flip", at=to), ()
    return resume(state)


def move_zombie(state: State, seat: int, to: int, zombie: Card) -> State:
    """A zombie changes shelters."""
    state = leave_shelter(state, seat, zombie)
    return replace(state, zombies=put(state.zombies, to, insert(state.zombies[to], zombie)))


def share(state: State, move: r.Assign) -> Result:
    """Sacrifice: every zombie of the shelter goes to somebody else, split at will (CIS-19)."""
    seat = state.turn
    state = move_zombie(state, seat, move.seat, move.zombie)
    sent = r.Sent(seat, move.seat, move.zombie)
    if state.zombies[seat]:
        return state, (sent,)
    state, events = resume(state)
    return state, (sent, *events)


def use_barrier(state: State, card: Card, seat: int) -> Result:
    """A barrier is used up: it stops one zombie, eliminates up to two, or the attack is off (CIS-42)."""
    used = r.BarrierUsed(seat, card)
    state = replace(
        state,
        barriers=put(state.barriers, seat, drop(state.barriers[seat], card)),
        discard=insert(state.discard, card),
        by=-1 if seat == state.turn else seat,
        card=card,
    )
    if card == "mines":
        return replace(state, phase="kill"), (used,)
    if card == "alarm":
        state, events = make_noise(state, seat)
    else:
        state, events = resume(replace(state, stopped=state.stopped + 1))
    return state, (used, *events)
