"""Silentes on the simulated table: what lies where in a state."""

from __future__ import annotations

from companion.games.cards import HIDDEN
from companion.games.silentes.records import HOLE, IS_RANKLESS, State
from companion.table.scenes import spread, upright_in_places, zone_of
from vision.simulated import LaidCard
from vision.zones import Layout


def scene(layout: Layout, state: State) -> list[LaidCard]:
    """Eight shelters, the silence cards below them, the hunt and the last omen."""
    cards = []
    for cell, name in enumerate(state.map):
        zone = zone_of(layout, f"shelter-{cell + 1}")
        if name not in (HOLE, HIDDEN) and name not in IS_RANKLESS:
            cards.append(LaidCard(name, zone.x + 55, zone.y + zone.height / 2))
        for seat in (0, 1):
            if state.tokens[seat] == cell:
                cards.append(LaidCard(f"token-player-{seat + 1}", zone.x + 116, zone.y + 45 + 60 * seat))
    for name, thing in (("wands-02", state.barrier), ("swords-03", state.mirror)):
        if thing is not None:
            zone = zone_of(layout, f"shelter-{thing.cell + 1}")
            cards.append(LaidCard(name, zone.x + 70, zone.y + zone.height / 2))
    for seat, cards_played in enumerate(state.played):
        zone = zone_of(layout, f"played-{seat + 1}")
        cards += upright_in_places(cards_played[:1], [(zone.x + 80, zone.y + zone.height / 2)] * len(cards_played[:1]))
    for name, pile in (("hunt", state.hunt or state.gone[-1:]), ("omen", state.omens[-1:])):
        if pile and state.options.drawing == "table":
            cards += upright_in_places(pile[:1], spread(zone_of(layout, name), 1, 0, 45.0))
    return cards
