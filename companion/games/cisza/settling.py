"""States of Cisza written by hand: what follows from the rest is filled in, what can't be is refused."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from companion.games.cards import HIDDEN, Card, Cards, drop
from companion.games.cisza.knowledge import actor
from companion.games.cisza.legal import LEGAL
from companion.games.cisza.records import (
    AIMED,
    ALL_RESOURCES,
    BARRIERS,
    CITY,
    CITY_SIZE,
    HAND_SIZE,
    KIND,
    RESOURCE,
    RESOURCES,
    STOCK_SIZE,
    WEAPONS,
    ZOMBIES,
    Counts,
    State,
)
from companion.games.cisza.turns import drawer
from companion.games.game import BadState
from companion.games.states import strays, too_early
from companion.text import N_, Text, raw

REST = "rest"

# What can have a value before the first turn; anything else would be a trace of a game that hasn't begun.
DEALT = ("survivors", "hands", "city", "stock", "box", "started")
BEFORE: dict[str, tuple[str, ...]] = {
    "deal": DEALT,
    "start": DEALT,
    **dict.fromkeys(("mulligan", "draw", "shuffle"), (*DEALT, "turn", "discard", "asked")),
}
RESOLVING = ("kill", "kill_more", "target", "send", "share", "flip", "horde", "assign")
# The phases in which a field means something; what was going on when the game ended may stand there still.
BELONGS: dict[str, tuple[str, ...]] = {
    "mode": ("turn", *RESOLVING),
    "card": RESOLVING,
    "at": ("send", "flip", "horde", "assign"),
    "by": ("kill", "kill_more", "flip", "horde", "assign"),
    "drawn": ("horde", "assign"),
    "given": ("assign",),
    "again": ("horde", "assign"),
    "attacking": ("attack", "kill", "kill_more", "flip", "horde", "assign"),
    "stopped": ("attack", "kill", "kill_more", "flip", "horde", "assign"),
    "fresh": ("turn", "attack", *RESOLVING),
    "asked": ("mulligan", "draw", "shuffle"),
    "reason": ("over",),
}


def settle(state: State) -> State:
    """Complete and check a state written by hand."""
    state = spread(state)
    check_places(state)
    state = settle_city(state)
    state = settle_resources(state)
    check_moment(state)
    return state


def spread(state: State) -> State:
    """Every seat gets its zones, sorted."""
    players = state.options.players
    empty: tuple[Cards, ...] = ((),) * players
    start = tuple(0 if seat in state.out else state.options.start_survivors for seat in range(players))
    return replace(
        state,
        survivors=state.survivors or start,
        zombies=ordered(state.zombies or empty),
        barriers=ordered(state.barriers or empty),
        hands=ordered(state.hands or empty),
        out=tuple(sorted(state.out)),
        drawn=tuple(sorted(state.drawn)),
        fresh=tuple(sorted(state.fresh)),
        given=tuple(sorted(state.given)),
        discard=tuple(sorted(state.discard)),
        box=tuple(sorted(state.box)),
        started=state.started and state.phase not in ("deal", "start", "mulligan"),
        attacking=state.attacking or state.phase == "attack",
    )


def ordered(zones: tuple[Cards, ...]) -> tuple[Cards, ...]:
    """Zones with their cards in order."""
    return tuple(tuple(sorted(zone)) for zone in zones)


def check_places(state: State) -> None:
    """Each seat has one zone of each kind, and each card lies where such a card can lie."""
    players = state.options.players
    per_seat = {
        "survivors": len(state.survivors),
        "zombies": len(state.zombies),
        "barriers": len(state.barriers),
        "hands": len(state.hands),
    }
    wrong = [name for name, count in per_seat.items() if count != players]
    seats = (state.turn, *state.out, *state.given)
    if any(not 0 <= seat < players for seat in seats) or len(set(state.out)) != len(state.out):
        wrong.append("turn, out, given")
    if len(state.killed) != len(ZOMBIES) or min((*state.killed, *state.survivors, state.fallen)) < 0:
        wrong.append("killed, survivors, fallen")
    if any(len(hand) > HAND_SIZE for hand in state.hands):
        wrong.append("hands")  # CIS-51
    refuse_wrong(wrong)
    walking = ZOMBIES[:-1]  # a horde never stays on the table
    for zone in (*state.zombies, state.drawn, state.fresh, () if state.top == "none" else (state.top,)):
        check_names(zone, walking)
    for zone in state.barriers:
        check_names(zone, sorted(BARRIERS))
    for zone in state.hands:
        check_names(zone, (*RESOURCES, HIDDEN))
    check_names(state.discard, (*RESOURCES, HIDDEN, REST))
    check_names(state.box, (*RESOURCES, REST))


def check_names(zone: Cards, known: tuple[Card, ...] | list[Card]) -> None:
    """Refuse a card that can't be in a zone."""
    for card in zone:
        if card not in known:
            raise BadState(
                "no_such_card",
                Text(N_("There can't be “{card}” there, only {known}."), {"card": card, "known": ", ".join(known)}),
            )


def refuse_wrong(wrong: list[str]) -> None:
    """Refuse fields that don't fit."""
    if wrong:
        raise BadState("impossible", Text(N_("This state can't be: look at {fields}."), {"fields": ", ".join(wrong)}))


def settle_city(state: State) -> State:
    """The undersides nobody has seen, and where they lie."""
    showing = () if state.top == "none" else (state.top,)
    seen: Counter[str] = Counter(dict(zip(ZOMBIES, state.killed, strict=True)))
    for zone in (*state.zombies, state.drawn, showing):
        seen.update(zone)
    for kind, count in seen.items():
        if count > CITY[KIND[kind]]:
            raise too_many(kind, count, CITY[KIND[kind]])
    pool: Counts = tuple(total - seen[kind] for kind, total in zip(ZOMBIES, CITY, strict=True))
    elsewhere = sum(pool) - sum(state.survivors) + len(showing)
    city = elsewhere - state.fallen if state.city < 0 else state.city
    fallen = elsewhere - city
    if city < len(showing) or fallen < 0 or state.fallen not in (0, fallen):
        raise BadState(
            "wrong_count",
            Text(
                N_("City cards: {total} in all, but survivors, zombies, deck and discards don't add up to that."),
                {"total": CITY_SIZE},
            ),
        )
    final = not city or (city == 1 and bool(showing))  # CIS-70
    if state.final and not final:
        refuse_wrong(["final, city, top"])
    return replace(state, pool=pool, city=city, fallen=fallen, final=final)


def settle_resources(state: State) -> State:
    """The resource cards nobody has seen, and where they lie. `rest` stands for all of them."""
    seen = Counter(
        card
        for zone in (*state.hands, *state.barriers, state.discard, state.box)
        for card in zone
        if card not in (HIDDEN, REST)
    )
    for card, count in seen.items():
        if count > ALL_RESOURCES[RESOURCE[card]]:
            raise too_many(card, count, ALL_RESOURCES[RESOURCE[card]])
    unseen: Counts = tuple(total - seen[card] for card, total in zip(RESOURCES, ALL_RESOURCES, strict=True))
    rest = tuple(card for card, count in zip(RESOURCES, unseen, strict=True) for _ in range(count))
    for name in ("discard", "box"):
        zone: Cards = getattr(state, name)
        if REST in zone:
            filled: dict[str, Cards] = {name: tuple(sorted((*drop(zone, REST), *rest)))}
            state = replace(state, **filled)
            unseen, rest = (0,) * len(RESOURCES), ()
    hidden = sum(zone.count(HIDDEN) for zone in (*state.hands, state.discard))
    stock = sum(unseen) - hidden if state.stock < 0 else state.stock
    if stock < 0 or stock + hidden != sum(unseen):
        raise BadState(
            "wrong_count",
            Text(
                N_("Unseen resource cards: {unseen} of {total}, but deck and hidden cards make {hidden}."),
                {"unseen": sum(unseen), "total": STOCK_SIZE, "hidden": max(stock, 0) + hidden},
            ),
        )
    return replace(state, unseen=unseen, stock=stock)


def too_many(card: Card, count: int, total: int) -> BadState:
    """More cards of a kind than there are."""
    return BadState(
        "too_many",
        Text(
            N_("There can't be {count} of {card}: there are {total}."),
            {"count": count, "card": raw(card), "total": total},
        ),
    )


def check_moment(state: State) -> None:
    """What a phase needs is there."""
    phase, seat = state.phase, actor(state)
    wrong = [*wrong_seats(state), *wrong_numbers(state), *(strays(state, BELONGS) if phase != "over" else [])]
    if not state.started:
        wrong += too_early(state, BEFORE[phase]) if phase in BEFORE else ["started"]
    elif state.asked:
        wrong.append("asked")
    refuse_wrong(wrong)
    refuse_wrong([*wrong_effect(state, seat), *wrong_city(state), *wrong_stock(state)])
    if phase != "over" and not LEGAL[phase](state):
        refuse_wrong(["phase"])


def wrong_effect(state: State, seat: int) -> list[str]:
    """What an effect, an elimination or the end needs, and lacks."""
    phase, wrong = state.phase, []
    if phase == "over" and state.reason == "none":
        wrong.append("reason")
    if phase == "pass_on" and state.turn not in state.out:
        wrong.append("turn, out")
    if phase in ("kill", "kill_more") and not can_kill(state, seat):
        wrong.append("card")
    if phase == "target" and state.card not in AIMED:
        wrong.append("card")
    if phase == "send" and (state.card not in ("drone", "surprise") or not state.zombies[seat]):
        wrong.append("card, zombies")
    return wrong


def wrong_city(state: State) -> list[str]:
    """What a city card that is turned over, or a horde that comes, needs and lacks."""
    phase, wrong = state.phase, []
    if phase in ("flip", "send") and state.at < 0:
        wrong.append("at")
    if phase == "flip" and (state.top != "none" or not state.city):
        wrong.append("top, city")
    if (phase == "horde") != (state.to_draw > 0) or state.to_draw > state.city:
        wrong.append("to_draw")
    if phase in ("horde", "assign") and state.top != "none":
        wrong.append("top")
    if any(state.fresh.count(kind) > state.zombies[state.turn].count(kind) for kind in state.fresh):
        wrong.append("fresh")
    return wrong


def wrong_stock(state: State) -> list[str]:
    """What a draw needs, and lacks: cards to come, and room in the hand."""
    phase, wrong = state.phase, []
    if phase in ("deal", "draw") and not state.stock:
        wrong.append("stock")
    if phase == "shuffle" and (state.stock or not state.discard):
        wrong.append("stock, discard")
    if phase in ("draw", "shuffle") and len(state.hands[drawer(state)]) >= HAND_SIZE:
        wrong.append("hands")
    if phase == "deal" and not is_mid_deal(state):
        wrong.append("hands")
    return wrong


def wrong_seats(state: State) -> list[str]:
    """Seats that aren't there, or are out although they play."""
    players, out = state.options.players, state.out
    wrong = []
    if not -1 <= state.at < players or not -1 <= state.by < players or state.by in (*out, state.turn):
        wrong.append("at, by")
    if state.turn in out and state.phase not in ("pass_on", "over"):
        wrong.append("turn, out")
    if len(out) >= players - (state.phase != "over"):
        wrong.append("out")
    if any(state.survivors[one] or state.hands[one] or state.barriers[one] for one in out):
        wrong.append("out, survivors, hands, barriers")
    return wrong


def wrong_numbers(state: State) -> list[str]:
    """Counters below zero, or beyond what they count; a card that isn't one."""
    wrong = [name for name in ("to_draw", "stopped", "asked") if getattr(state, name) < 0]
    if state.idle < -1:
        wrong.append("idle")
    if state.asked >= state.options.players:
        wrong.append("asked")
    if state.card != "none" and state.card not in RESOURCE:
        wrong.append("card")
    return wrong


def is_mid_deal(state: State) -> bool:
    """Whether hands are as a deal in turn leaves them, with cards still to come."""
    players, dealt = state.options.players, sum(map(len, state.hands))
    sizes = [(dealt - seat + players - 1) // players for seat in range(players)]
    return dealt < players * HAND_SIZE and [len(hand) for hand in state.hands] == sizes


def can_kill(state: State, seat: int) -> bool:
    """Whether the card in progress is one that eliminates, and has a zombie to hit."""
    if state.phase == "kill_more" and state.card not in ("shotgun", "mines"):
        return False
    if state.card == "sniper" and state.top != "none":
        return True
    return state.card in (*WEAPONS, "mines") and bool(state.zombies[seat])
