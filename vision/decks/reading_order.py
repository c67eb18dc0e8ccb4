"""Cards laid out in rows, in the order in which a person reads them: which way up, which row, which place."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from vision.geometry import Points


class Spread(Struct, frozen=True):
    """Cards laid out side by side: rows from the top, each from its left end; None where a card lacks."""

    rows: tuple[tuple[Points | None, ...], ...] = ()

    @property
    def cards(self) -> list[Points]:
        """The outlines of all cards, in reading order."""
        return [corners for row in self.rows for corners in row if corners is not None]

    @property
    def holes(self) -> list[tuple[int, int]]:
        """Rows and places, counted from 1, that have no card."""
        return [
            (number, place)
            for number, row in enumerate(self.rows, start=1)
            for place, corners in enumerate(row, start=1)
            if corners is None
        ]


def same_way_up(cards: list[Points]) -> list[Points]:
    """Outlines from each card's upper left corner, all with the same end up.

    Where cards lie on their side, their left end is the top: no single card tells which end is up, since each lies a
    little askew.
    """
    if not cards:
        return []
    tops = np.array([(c[0] + c[1] - c[2] - c[3]) / 2 for c in cards])
    # Either end may be the first: the angle is doubled, so that opposite ways are the same one.
    ways = np.arctan2(tops[:, 1], tops[:, 0]) * 2
    way = float(np.arctan2(np.sin(ways).mean(), np.cos(ways).mean())) / 2
    up = np.array([np.cos(way), np.sin(way)])
    is_lying = abs(up[0]) > abs(up[1])
    up *= -np.sign(up[0] if is_lying else up[1])
    return [c if top @ up > 0 else np.roll(c, 2, axis=0) for c, top in zip(cards, tops, strict=True)]


def frame_of(corners: Points) -> Points:
    """A card's own way to the right and its way down, as columns, each as long as the card is.

    A card may lie on its side; its rows run the way that is nearest to the picture's own.
    """
    across = (corners[1] + corners[2] - corners[0] - corners[3]) / 2
    down = (corners[2] + corners[3] - corners[0] - corners[1]) / 2
    right, below = (across, down) if abs(across[0]) > abs(down[0]) else (down, across)
    return np.column_stack([right * np.sign(right[0]), below * np.sign(below[1])])


def places_of(cards: list[Points]) -> Points:
    """Where each card lies as seen from each other one, in that one's own widths and heights: (from, to, 2)."""
    middles = np.array([c.mean(axis=0) for c in cards])
    return np.stack([np.linalg.solve(frame_of(c), (middles - m).T).T for c, m in zip(cards, middles, strict=True)])


def beside(places: Points) -> Points:
    """Which cards lie in the row of each other one, to its right, however the photo is turned or slanted."""
    return (places[:, :, 0] > 0.5) & (np.abs(places[:, :, 1]) < np.minimum(0.5, 0.3 * places[:, :, 0]))


def pitch_of(places: Points) -> tuple[float, float]:
    """How far the next card of a row and the next row are, in widths and heights of a card; 0 where there is none."""
    to_right = np.where(beside(places), places[:, :, 0], np.inf).min(axis=1, initial=np.inf)
    is_below = (places[:, :, 1] > 0.5) & (np.abs(places[:, :, 0]) < 0.5)
    to_below = np.where(is_below, places[:, :, 1], np.inf).min(axis=1, initial=np.inf)
    return _usual(to_right), _usual(to_below)


def _usual(away: Points) -> float:
    """How far the next card is, where it isn't one lacking between."""
    nearest = float(away.min())
    return float(np.median(away[away < 1.5 * nearest])) if nearest < 2.5 else 0.0


def in_rows(cards: list[Points], count: int = 0) -> Spread:
    """Cards in reading order, each followed by its neighbour on the right, with holes where one lacks.

    With fewer cards than the `count` there should be, rows that begin late or end early have holes there.
    """
    if not cards:
        return Spread()
    cards = same_way_up(cards)
    places = places_of(cards)
    after: dict[int, int] = {}
    followed: set[int] = set()
    for _away, card, other in sorted((places[a, b, 0], int(a), int(b)) for a, b in np.argwhere(beside(places))):
        if card not in after and other not in followed:
            after[card] = other
            followed.add(other)
    pitch = pitch_of(places)[0] or 1.0
    rows: list[list[Points | None]] = []
    starts: list[int] = []
    before: int | None = None
    for first in sorted(set(range(len(cards))) - followed, key=lambda n: float(cards[n].mean(axis=0)[1])):
        card = first
        row: list[Points | None] = [cards[first]]
        while card in after:
            steps = round(float(places[card, after[card], 0]) / pitch)
            card = after[card]
            row += [None] * (steps - 1) + [cards[card]]
        rows.append(row)
        starts.append(0 if before is None else starts[-1] + round(float(places[before, first, 0]) / pitch))
        before = first
    lacking = count - len(cards) - sum(corners is None for row in rows for corners in row)
    return Spread(tuple(map(tuple, _with_ends(rows, starts, lacking))))


def _with_ends(rows: list[list[Points | None]], starts: list[int], lacking: int) -> list[list[Points | None]]:
    """Rows with as many holes at their ends as cards are lacking; the last row may be shorter, so its end is last."""
    first = min(starts)
    widest = max(start + len(row) for start, row in zip(starts, rows, strict=True))
    leading, trailing = [0] * len(rows), [0] * len(rows)
    for number, start in enumerate(starts):
        leading[number] = max(0, min(start - first, lacking - sum(leading)))
    for number, start in enumerate(starts):
        short = widest - start - len(rows[number])
        trailing[number] = max(0, min(short, lacking - sum(leading) - sum(trailing)))
    return [[*[None] * early, *row, *[None] * late] for early, row, late in zip(leading, rows, trailing, strict=True)]
