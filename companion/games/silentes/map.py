"""The map: two rows of four shelters, with holes where one was destroyed (STE-09)."""

from __future__ import annotations

from companion.games.silentes.records import CELLS, HANGED, HOLE, SUIT_OF, State


def distance(cell: int, other: int) -> int:
    """Steps between two places of the grid, along its rows and columns."""
    return abs(cell // 4 - other // 4) + abs(cell % 4 - other % 4)


# STE-09: orthogonal neighbours, no wrap.
NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(other for other in CELLS if distance(cell, other) == 1) for cell in CELLS
)
ELSEWHERE: tuple[tuple[int, ...], ...] = tuple(tuple(other for other in CELLS if other != cell) for cell in CELLS)


def shelters(state: State) -> list[int]:
    """The places where a shelter still stands."""
    return [cell for cell, card in enumerate(state.map) if card != HOLE]


def suit_at(state: State, cell: int) -> str:
    """The zone of a place: its shelter's suit as it counts now (STE-41, STE-67); empty for none."""
    if cell < 0:
        return ""
    card = state.map[cell]
    if card == HOLE:
        return ""
    return HANGED[SUIT_OF[card]] if "hanged" in state.effects else SUIT_OF[card]


def nearest(state: State, cell: int) -> list[int]:
    """The shelters with the shortest way from a place: its neighbours where there are any (STE-71, STE-74)."""
    standing = [other for other in shelters(state) if other != cell]
    shortest = min((distance(cell, other) for other in standing), default=0)
    return [other for other in standing if distance(cell, other) == shortest]


def hunted(state: State) -> list[int]:
    """The seats whose token stands in the hunted zone, first player first."""
    order = (state.first, 1 - state.first)
    if state.zone == "all":  # STE-76
        return [seat for seat in order if state.tokens[seat] >= 0]
    return [seat for seat in order if suit_at(state, state.tokens[seat]) == state.zone]
