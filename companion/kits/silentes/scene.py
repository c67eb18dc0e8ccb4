"""Silentes on the simulated table: what lies where in a state."""

from __future__ import annotations

from companion.games.cards import HIDDEN
from companion.games.silentes.records import HOLE, State
from companion.table.scenes import laid, spread, zone_of
from vision.simulated import LaidCard
from vision.zones import Layout


def scene(layout: Layout, state: State) -> list[LaidCard]:
    """Eight shelters, the silence cards below them, the hunt and the last omen."""
    zone = zone_of(layout, "shelters")
    cards = [
        LaidCard(name, zone.x + 65 + 138 * (cell % 4), zone.y + 72 + 145 * (cell // 4))
        for cell, name in enumerate(state.map)
        if name not in (HOLE, HIDDEN)
    ]
    played = zone_of(layout, "played")
    for seat, cards_played in enumerate(state.played):
        if cards_played:
            cards += laid(cards_played[:1], [(played.x + 80 + 200 * seat, played.y + 90)])
    for name, pile in (("hunt", state.hunt or state.gone[-1:]), ("omen", state.omens[-1:])):
        if pile and state.options.drawing == "table":
            cards += laid(pile[:1], spread(zone_of(layout, name), 1, 0, 45.0))
    return cards
