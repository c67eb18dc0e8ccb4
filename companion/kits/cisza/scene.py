"""Cisza on the simulated table: what lies where in a state, and which zombie is which."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.cards import HIDDEN
from companion.games.cisza.records import BARRIERS, Discard, NoiseOnly, Play, State
from companion.games.game import Move, Show
from companion.kits.cisza.tabletop import KIND_OF, SURVIVOR
from companion.table.scenes import spread, zone_of
from vision.simulated import LaidCard, Scene
from vision.zones import Layout, Zone


def scene(layout: Layout, state: State) -> list[LaidCard]:
    """The city's top card, the card being played, and the shelters with survivors and zombies."""
    spare = {kind: [card for card, own in KIND_OF.items() if own == kind] for kind in set(KIND_OF.values())}
    cards = []
    for seat in range(state.options.players):
        zone = zone_of(layout, f"shelter-{seat + 1}")
        upper = Zone("", zone.x, zone.y, zone.width, 90.0)
        lower = Zone("", zone.x, zone.y + 90, zone.width, 90.0)
        for kind, at in zip(state.zombies[seat], spread(upper, len(state.zombies[seat]), 66.0), strict=True):
            cards.append(LaidCard(spare[kind].pop(), *at, face="zombie"))
        row = [*(f"barrier {card}" for card in state.barriers[seat]), *["survivor"] * state.survivors[seat]]
        for name, at in zip(row, spread(lower, len(row), 66.0), strict=True):
            if name == "survivor":
                cards.append(LaidCard(SURVIVOR, *at, face="survivor"))
            else:
                cards.append(LaidCard(name.removeprefix("barrier "), *at))
    if state.city:
        card, face = (SURVIVOR, "survivor") if state.top == "none" else (spare[state.top].pop(), "zombie")
        cards.append(LaidCard(card, *spread(zone_of(layout, "city"), 1, 0)[0], face=face))
    if state.card != "none":
        zone_name = "resource-discard" if state.mode == "discard" else "play"
        cards.append(LaidCard(state.card, *spread(zone_of(layout, zone_name), 1, 0)[0]))
    return cards


def mid_move(before: State, move: Move, after: State) -> State:
    """A resource card and a turned zombie are seen where they're laid or turned before they go where they belong."""
    if isinstance(move, Show) and move.card != "horde":
        return replace(before, top=move.card)
    if isinstance(move, Play) and move.card in BARRIERS:
        return after
    if isinstance(move, Discard) and move.card != HIDDEN:
        return replace(before, card=move.card, mode="discard")
    if isinstance(move, Play | NoiseOnly):
        return replace(before, card=move.card)
    return after


def least_moved(before: Scene, now: Scene) -> Scene:
    """A table on which every zombie that can stay where it was does so.

    A state counts zombies but doesn't tell one card of a kind from another; a hand moves only those it must.
    """
    free = {card.card: card for card in before.cards if card.card in KIND_OF}
    names: dict[int, str] = {}
    for number, card in enumerate(now.cards):
        stays = (old.card for old in free.values() if (old.x, old.y) == (card.x, card.y))
        name = next((name for name in stays if is_alike(name, card)), None)
        if name is not None:
            names[number] = name
            del free[name]
    for number, card in enumerate(now.cards):
        if card.card in KIND_OF and number not in names:
            fits = (name for name in (*free, *KIND_OF) if is_alike(name, card))
            names[number] = next(name for name in fits if name not in names.values())
    cards = (replace(card, card=names.get(number, card.card)) for number, card in enumerate(now.cards))
    return replace(now, cards=tuple(cards))


def is_alike(name: str, card: LaidCard) -> bool:
    """Whether a zombie may lie in another's place: only one of the same kind."""
    return card.card in KIND_OF and KIND_OF[name] == KIND_OF[card.card]
