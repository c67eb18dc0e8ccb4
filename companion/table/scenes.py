"""What lies on the simulated table: a scene of cards for any state of any game. Pure; nothing is drawn here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.cards import HIDDEN
from companion.games.game import Move
from companion.kits import KITS
from vision.calibration import MARKER_SIDE
from vision.simulated import LaidCard, Scene
from vision.zones import Layout, Zone


def scene(game: str, state: Any) -> Scene:
    """The table of a game as people would have laid it, with a marker in each corner."""
    kit = KITS[game]
    layout = kit.layout
    return Scene((*corner_markers(layout), *kit.scene(layout, state)), layout.width, layout.height)


def mid_move(game: str, before: Any, move: Move, after: Any) -> Scene:
    """The table while a move is made: a card that goes elsewhere at once is seen where it was turned or played."""
    return scene(game, KITS[game].mid_move(before, move, after))


def least_moved(game: str, before: Scene, now: Scene) -> Scene:
    """A table on which no card has moved that could stay where it was."""
    return KITS[game].least_moved(before, now)


def corner_markers(layout: Layout) -> list[LaidCard]:
    """The four corner markers, as little cards."""
    near, right, low = MARKER_SIDE / 2, layout.width - MARKER_SIDE / 2, layout.height - MARKER_SIDE / 2
    spots = ((near, near), (right, near), (right, low), (near, low))
    return [LaidCard(f"marker-{number}", x, y) for number, (x, y) in enumerate(spots)]


def zone_of(layout: Layout, name: str) -> Zone:
    """A zone by its name."""
    return next(zone for zone in layout.zone if zone.name == name)


def spread(zone: Zone, count: int, pitch: float, inset: float = 36.0) -> list[tuple[float, float]]:
    """Places along a zone, closer together where there are many."""
    step = min(pitch, (zone.width - 2 * inset) / max(1, count - 1))
    return [(zone.x + inset + number * step, zone.y + zone.height / 2) for number in range(count)]


def upright_in_places(names: Sequence[str], spots: Sequence[tuple[float, float]]) -> list[LaidCard]:
    """Cards upright in their places."""
    return [LaidCard(name, *spot) for name, spot in zip(names, spots, strict=True) if name != HIDDEN]
