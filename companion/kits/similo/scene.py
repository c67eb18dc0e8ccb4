"""Similo on the simulated table: what lies where in a state."""

from __future__ import annotations

from companion.games.similo.records import State
from companion.table.scenes import spread, zone_of
from vision.simulated import LaidCard
from vision.zones import Layout


def scene(layout: Layout, state: State) -> list[LaidCard]:
    """The grid, each character in its place for good, and the clues in a row."""
    everyone = sorted((*state.characters_left, *state.removed, *state.taken))
    zone = zone_of(layout, "grid")
    rows = max(1, -(-len(everyone) // 4))
    down = min(95.0, (zone.height - 90) / max(1, rows - 1))
    cards = [
        LaidCard(name, zone.x + 36 + 74 * (at % 4), zone.y + 46 + down * (at // 4))
        for at, name in enumerate(everyone)
        if name in state.characters_left
    ]
    spots = spread(zone_of(layout, "clues"), len(state.clues), 92.0, 46.0)
    for clue, spot in zip(state.clues, spots, strict=True):
        cards.append(LaidCard(clue.card, *spot, turn=90.0 if clue.way == "different" else 0.0))
    return cards
