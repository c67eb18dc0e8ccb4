"""Silencio on the simulated table: what lies where in a state."""

from __future__ import annotations

from companion.games.silencio.records import COLOURS, SHRINES, State
from companion.table.scenes import spread, upright_in_places, zone_of
from vision.simulated import LaidCard
from vision.zones import Layout

ROW_PITCH = 40.0


def scene(layout: Layout, state: State) -> list[LaidCard]:
    """Rows climbing from their shrines, the Oracle, open cards, tavern."""
    cards = []
    for row, colour in enumerate(COLOURS):
        zone = zone_of(layout, colour)
        spots = spread(zone, len(state.rows[row]) + 1, ROW_PITCH)
        face = "lit" if colour in state.lit else "unlit"
        cards.append(LaidCard(f"shrine-{colour}", *spots[0], face=face))
        for name, spot in zip(state.rows[row], spots[1:], strict=True):
            cards.append(LaidCard(name, *spot, turn=180.0 if name in state.dark else 0.0))
    large = spread(zone_of(layout, "shrine-large"), 1, 0)[0]
    cards.append(LaidCard("shrine-large", *large, face="lit" if SHRINES[0] in state.lit else "unlit"))
    if state.options.tavern:
        spot = spread(zone_of(layout, "tavern"), 1, 0)[0]
        cards.append(LaidCard("tavern", *spot, face="open" if state.tavern_open else "closed"))
    cards += upright_in_places(state.oracle, spread(zone_of(layout, "oracle"), len(state.oracle), 72.0))
    opened = [card for held in state.open for card in held]
    zone = zone_of(layout, "open")
    step = min(92.0, (zone.height - 90) / max(1, len(opened) - 1))
    cards += upright_in_places(
        opened, [(zone.x + zone.width / 2, zone.y + 45 + number * step) for number in range(len(opened))]
    )
    return cards
