"""States written by hand: what follows from the rest is filled in, what can't be at a table is refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import replace

from companion.games import states
from companion.games.cards import HIDDEN, Card, Cards
from companion.games.game import BadState, Game
from companion.games.silentes.knowledge import hidden_hunt_cards
from companion.games.silentes.legal import LEGAL
from companion.games.silentes.phases import wrong_fields
from companion.games.silentes.records import (
    ALL_CARDS,
    CELLS,
    HOLE,
    HUNT,
    IS_HUNT,
    IS_OMEN,
    IS_PROVISION,
    IS_RANKLESS,
    NOISE_LIMIT,
    OMENS,
    PROVISIONS,
    State,
)
from companion.text import N_, Text, raw

REST = "rest"
# What may lie where.
KINDS: dict[str, frozenset[Card]] = {
    "map": IS_HUNT | IS_RANKLESS | {HOLE},
    "hands": IS_HUNT | {HIDDEN},
    "provisions": IS_PROVISION | {HIDDEN},
    "played": IS_HUNT,
    "piles": IS_HUNT | IS_PROVISION,
    "hunt": IS_HUNT,
    "gone": IS_HUNT | IS_RANKLESS,
    "omens": IS_OMEN,
    "drawn": IS_HUNT | IS_PROVISION,
    "top": IS_HUNT | {HIDDEN},
    "omen_top": IS_OMEN | {HIDDEN},
}


def settled(game: Game[State], state: State) -> State:
    """The state with sorted zones, unseen cards and deck sizes; raises `BadState`."""
    check_shape(state)
    state = replace(
        state,
        **{
            name: tuple(tuple(sorted(zone)) for zone in getattr(state, name))
            for name in ("hands", "provisions", "piles")
        },
        **{name: tuple(sorted(getattr(state, name))) for name in ("gone", "known", "held", "ghosts")},
    )
    if state.phase != "map":
        state = replace(state, map=(*state.map, *(HOLE,) * (len(CELLS) - len(state.map))))
    hid = ["hide" if state.played[seat] and act == "none" else act for seat, act in enumerate(state.acts)]
    state = replace(state, acts=tuple(hid))
    state, seen = fill_rest(state)
    check_cards(game, state, seen)
    unseen = tuple(card for card in HUNT if card not in seen)
    items = tuple(card for card in PROVISIONS if card not in seen)
    known_top = sum(card != HIDDEN for card in state.top)
    deck = len(unseen) + known_top - hidden_hunt_cards(state)
    stock = len(items) - sum(zone.count(HIDDEN) for zone in state.provisions)
    for name, counted in (("deck", deck), ("stock", stock)):
        written = getattr(state, name)
        if counted < 0 or written not in (-1, counted):
            raise BadState(
                "wrong_count",
                Text(
                    N_("{name} can't be {written}: {counted} cards are left for it."),
                    {"name": name, "written": written, "counted": counted},
                ),
            )
    state = replace(
        state,
        deck=deck,
        stock=stock,
        unseen=unseen,
        unseen_provisions=items,
        unseen_omens=tuple(card for card in OMENS if card not in seen),
    )
    check_table(state)
    return state


def zones_of(state: State) -> dict[str, list[Card]]:
    """Every place a card can lie, by field; provisions laid on the map are there as well."""
    zones: dict[str, list[Card]] = {}
    for name in KINDS:
        value: tuple[Any, ...] = getattr(state, name)
        zones[name] = [card for part in value for card in ((part,) if isinstance(part, str) else part)]
    zones["laid"] = ["wands-02"] * (state.barrier is not None) + ["swords-03"] * (state.mirror is not None)
    return zones


def fill_rest(state: State) -> tuple[State, Counter[Card]]:
    """`rest` in `gone` is every hunt card not mentioned, in a pile every provision not mentioned."""
    faceless = {HIDDEN, HOLE, REST, *IS_RANKLESS}
    seen = Counter(card for zone in zones_of(state).values() for card in zone if card not in faceless)
    if REST in state.gone:
        rest = [card for card in HUNT if card not in seen]
        seen.update(rest)
        state = replace(state, gone=filled(state.gone, rest))
    for seat in (0, 1):
        if REST in state.piles[seat]:
            rest = [card for card in PROVISIONS if card not in seen]
            seen.update(rest)
            piles = list(state.piles)
            piles[seat] = filled(piles[seat], rest)
            state = replace(state, piles=tuple(piles))
    return state, seen


def filled(zone: Cards, rest: list[Card]) -> Cards:
    """A zone with the word `rest` replaced by cards."""
    return tuple(sorted((*(card for card in zone if card != REST), *rest)))


def impossible(*fields: str) -> BadState:
    """A state that no table can reach."""
    return states.impossible(N_("This can't be at a table: {fields}."), fields)


def check_shape(state: State) -> None:
    """Two of everything that each player has, and no more than eight shelters."""
    pairs = ("caused", "tokens", "hands", "provisions", "played", "last", "piles", "acts", "bonus", "due")
    wrong = [name for name in pairs if len(getattr(state, name)) != 2]
    if len(state.map) > len(CELLS):
        wrong.append("map")
    wrong += [name for name in ("hunt", "drawn") if len(getattr(state, name)) > 1]
    wrong += [name for name in ("played", "last") if any(len(cards) > 1 for cards in getattr(state, name))]
    if wrong:
        raise impossible(*wrong)


def check_cards(game: Game[State], state: State, seen: Counter[Card]) -> None:
    """Every card in one place, and in one where it can be."""
    for card, count in seen.items():
        if card not in ALL_CARDS:
            raise BadState("no_such_card", Text(N_("There is no card {card}."), {"card": raw(card)}))
        if count > 1:
            raise BadState("card_twice", Text(N_("{card} can't be in two places."), {"card": game.card(card)}))
    wrong = [name for name, zone in zones_of(state).items() if name in KINDS and not KINDS[name].issuperset(zone)]
    if state.options.shelters == "named" and IS_RANKLESS & {*state.map, *state.gone}:
        wrong.append("map")
    if wrong:
        raise impossible(*wrong)


def check_table(state: State) -> None:
    """Everything else that a hand may get wrong."""
    wrong = [name for name in ("first", "turn", "asked") if getattr(state, name) not in (0, 1)]
    held = {card for zone in (*state.hands, *state.provisions) for card in zone}
    standing = {cell for cell, card in enumerate(state.map) if card != HOLE}
    # Where a shelter fell, whoever stood there flees next, unless the noise of it ended the game.
    if state.phase not in ("flee", "remap", "over") and not (standing | {-1}).issuperset(state.tokens):
        wrong.append("tokens")
    if not 0 <= state.noise <= NOISE_LIMIT or (state.noise == NOISE_LIMIT) != (state.reason == "noise"):
        wrong.append("noise")
    if (state.phase == "over") != (state.reason != "none"):
        wrong.append("reason")
    if not held.issuperset(state.known):
        wrong.append("known")
    if not set(state.unseen).issuperset(state.held):
        wrong.append("held")
    if not {*state.gone, *state.hunt}.issuperset(state.ghosts):
        wrong.append("ghosts")
    for name in ("barrier", "mirror"):
        laid = getattr(state, name)
        if laid is not None and (laid.seat not in (0, 1) or laid.cell not in standing):
            wrong.append(name)
    wrong += [f"last/{seat}" for seat in (0, 1) if not (IS_HUNT | {HIDDEN}).issuperset(state.last[seat])]
    if not wrong:
        wrong = wrong_fields(state)
    if wrong:
        raise impossible(*dict.fromkeys(wrong))
    if state.phase != "over" and not LEGAL[state.phase](state):
        raise impossible("phase")
