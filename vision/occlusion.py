"""Cards under other cards: the far side of one shows beside the card on top, and is as long as that card's."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct

from vision.geometry import Array, Picture, Points, map_points
from vision.tuning import OCCLUSION

# Cells of the edge map across a card, and pixels that each is made of.
CELLS_ACROSS, PIXELS_PER_CELL = 48, 2
# How far a far side may be turned against the card on top.
TILTS = np.radians(np.linspace(-OCCLUSION.max_tilt_degrees, OCCLUSION.max_tilt_degrees, OCCLUSION.tilts))
# At so many spots along a side it's asked whether there is an edge.
SIDE_PROBES = 20


class CoveredOutline(Struct, frozen=True):
    """Where a card may lie under another: its corners, clockwise from above, and how plainly its sides show, 0 to 1."""

    corners: Points
    clarity: float
    step: float  # how far it lies beside the card on top, as a share of that


class EdgeMap(Struct, frozen=True):
    """How plainly there is an edge in each cell about a card, across it and along it, and what isn't covered."""

    vertical: Array
    horizontal: Array
    free: Array
    to_picture: Points
    card: tuple[int, int]  # how many cells a card is wide and high

    def on_its_side(self) -> EdgeMap:
        """The same with x and y exchanged."""
        swap = self.to_picture[:, [1, 0, 2]]
        vertical, horizontal, free = (
            np.ascontiguousarray(plane.T) for plane in (self.horizontal, self.vertical, self.free)
        )
        return EdgeMap(vertical, horizontal, free, swap, self.card[::-1])


def outlines_under(
    picture: Picture, corners: Points, covers: Sequence[Points], aspect: float, levelling: Points
) -> list[CoveredOutline]:
    """Where cards may lie under one with these corners, plainest first; `covers` are others that hide what's below.

    After the map `levelling` all cards are equally large.
    """
    edges = edge_map(picture, corners, [corners, *covers], aspect, levelling)
    sides = [*_left_and_right(edges), *_left_and_right(edges.on_its_side(), is_turned=True)]
    found = sorted((_next_under(each) for each in sides if each), key=lambda outlines: -outlines[0].clarity)
    return [outline for outlines in found for outline in outlines]


def _next_under(found: list[CoveredOutline]) -> list[CoveredOutline]:
    """Of the places found on one side of a card the nearest: those farther away lie under that card in turn.

    Of nearly equal ones the outer is first, as a printed frame looks like a nearer side.
    """
    plain = OCCLUSION.min_edge_ratio * max(each.clarity for each in found)
    plainest = [each for each in found if each.clarity >= plain]
    nearest = min(each.step for each in plainest)
    alike = [each for each in plainest if each.step < nearest + OCCLUSION.same_step_share]
    return sorted(alike, key=lambda each: -each.clarity - each.step)


def edge_map(picture: Picture, corners: Points, covers: Sequence[Points], aspect: float, levelling: Points) -> EdgeMap:
    """The edges about a card, as far as another one beside it reaches."""
    corners = map_points(levelling, corners)
    card = (CELLS_ACROSS, round(CELLS_ACROSS * aspect))
    size = (3 * card[0] * PIXELS_PER_CELL, 3 * card[1] * PIXELS_PER_CELL)
    right = ((corners[1] - corners[0]) + (corners[2] - corners[3])) / (2 * card[0] * PIXELS_PER_CELL)
    down = ((corners[3] - corners[0]) + (corners[2] - corners[1])) / (2 * card[1] * PIXELS_PER_CELL)
    matrix = np.column_stack([right, down, corners.mean(axis=0) - right * size[0] / 2 - down * size[1] / 2])
    matrix = np.linalg.inv(levelling) @ np.vstack([matrix, [0, 0, 1]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpPerspective(picture, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(patch, (3, 3), 0)
    across, along = np.zeros(soft.shape[:2], np.uint8), np.zeros(soft.shape[:2], np.uint8)
    across[:, 1:-1] = _strongest(cv2.absdiff(soft[:, 2:], soft[:, :-2]))
    along[1:-1] = _strongest(cv2.absdiff(soft[2:], soft[:-2]))
    usual = max(OCCLUSION.min_grain, float(np.median(cv2.max(across, along)[::3, ::3])))
    plain = np.log(np.maximum(np.arange(256), 1) / usual) / math.log(OCCLUSION.plain_contrast)
    plain = np.clip(plain, 0, 1).astype(np.float32)
    to_picture = matrix @ np.diag([PIXELS_PER_CELL, PIXELS_PER_CELL, 1])
    vertical, horizontal = _thin(across, along, plain), _thin(along.T, across.T, plain).T
    free = np.ones(vertical.shape, np.float32)
    for cover in covers:
        spots = map_points(np.linalg.inv(to_picture), cover)
        spots = spots.mean(axis=0) + (spots - spots.mean(axis=0)) * OCCLUSION.cover_margin
        cv2.fillConvexPoly(free, (spots * 16).round().astype(np.int32), 0.0, shift=4)
    return EdgeMap(vertical, np.ascontiguousarray(horizontal), free, to_picture, card)


def _strongest(change: Picture) -> Picture:
    """The change of the colour that changes most."""
    planes = cv2.split(change) if change.ndim == 3 else [change]
    return np.asarray(functools.reduce(cv2.max, planes), np.uint8)


def _thin(across: Picture, along: Picture, plain: Array) -> Array:
    """How plain the upright edges are, where a pixel has more change than its neighbours beside it."""
    across, along = np.ascontiguousarray(across), np.ascontiguousarray(along)
    peak = (across >= cv2.dilate(across, np.ones((1, 3), np.uint8))) & (
        across > cv2.convertScaleAbs(along, alpha=OCCLUSION.min_across_ratio)
    )
    edges = cv2.LUT(across, plain)
    edges[~peak] = 0
    pairs = cv2.max(edges[::PIXELS_PER_CELL], edges[1::PIXELS_PER_CELL])
    cells = cv2.max(pairs[:, ::PIXELS_PER_CELL].copy(), pairs[:, 1::PIXELS_PER_CELL].copy())
    # Cells side by side: an edge is off by one where it's tilted.
    return np.asarray(
        cv2.max(cells, cv2.dilate(cells, np.ones((1, 3), np.uint8)) * np.float32(OCCLUSION.neighbour_weight))
    )


def _left_and_right(edges: EdgeMap, is_turned: bool = False) -> list[list[CoveredOutline]]:
    """What may lie under the card in the middle and show to the left of it, and to the right."""
    near, far = (round(share * edges.card[0]) for share in OCCLUSION.step_range)
    left = (edges.free.shape[1] - edges.card[0]) // 2
    right = left + edges.card[0]
    found = []
    for inward, first, last in ((1, max(left - far, 0), left - near), (-1, right + near, right + far)):
        peaks = _peaks(_far_sides(edges, first, last))
        if peaks:
            middles = np.array([(at + first + 0.5, edges.free.shape[0] / 2) for _tilt, at in peaks])
            quads = _outlines_from(edges, middles, TILTS[[tilt for tilt, _at in peaks]], inward)
            found.append([_in_picture(edges, quad, edge, is_turned) for quad, edge in quads])
    return found


def _far_sides(edges: EdgeMap, first: int, last: int) -> Array:
    """For each tilt, and each column from the first up to the last, how plain the plainest upright line there is.

    Lines are as long as a card.
    """
    tall = len(edges.free)
    corner, offset = _corner(edges), round(OCCLUSION.max_offset_share * edges.card[1])
    low, probed = (tall - edges.card[1]) // 2 - offset, edges.card[1] - 2 * corner
    both, size = cv2.merge([edges.vertical * edges.free, edges.free]), (last - first, edges.card[1] + 2 * offset)
    sums = []
    for tilt in np.tan(TILTS).tolist():
        shear = np.array([[1, -tilt, first + tilt * (tall / 2 - low)], [0, 1, low]])
        strip = cv2.warpAffine(both, shear, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        total = cv2.boxFilter(strip, -1, (1, probed), anchor=(0, 0), normalize=False, borderType=cv2.BORDER_CONSTANT)
        sums.append(total[corner : corner + 2 * offset + 1])
    seen, shows = np.moveaxis(np.stack(sums), 3, 0)
    plain = np.where(shows > OCCLUSION.min_shown_share * probed, seen / np.maximum(shows, 1), 0)
    return np.asarray(plain.max(axis=1))


def _corner(edges: EdgeMap) -> int:
    """How many cells a round corner takes."""
    return max(3, round(OCCLUSION.corner_share * edges.card[1]))


def _peaks(sides: Array) -> list[tuple[int, int]]:
    """The tilts and places of the plainest sides."""
    left, found = sides.copy(), []
    for _ in range(OCCLUSION.max_sides):
        tilt, at = (int(n) for n in np.unravel_index(left.argmax(), left.shape))
        if left[tilt, at] < OCCLUSION.min_edge:
            break
        found.append((tilt, at))
        left[max(0, tilt - 1) : tilt + 2, max(0, at - 2) : at + 3] = 0
    return found


def _outlines_from(edges: EdgeMap, far_sides: Points, tilts: Points, inward: int) -> list[tuple[Points, float]]:
    """The cards with some far sides, given by their middles, and how plain they are.

    The sides that meet a far side at right angles tell its offset: how far a card lies along the one on top.
    """
    wide_card, tall_card = edges.card
    corner, offset = _corner(edges), round(OCCLUSION.max_offset_share * tall_card)
    down = np.column_stack([-np.sin(tilts), np.cos(tilts)])
    right = np.column_stack([np.cos(tilts), np.sin(tilts)])
    offsets = np.arange(-offset, offset + 1)
    along = np.linspace(corner - tall_card / 2, tall_card / 2 - corner, SIDE_PROBES)
    across = np.linspace(corner, wide_card, SIDE_PROBES)[:, None] * inward * right[:, None, None]
    # Probes of the far side, and of the two sides that meet it: (side, offset, probe).
    far = far_sides[:, None, None] + (offsets[:, None] + along)[..., None] * down[:, None, None]
    seen, shows = _sampled(edges.vertical, edges.free, far)
    total = _mean(seen, shows)
    least = np.where(shows.mean(axis=2) > OCCLUSION.min_shown_share, total, 0)
    for end in (-tall_card / 2, tall_card / 2):
        meeting = far_sides[:, None, None] + (offsets + end)[:, None, None] * down[:, None, None] + across
        seen, shows = _sampled(edges.horizontal, edges.free, meeting)
        # Where next to nothing of a side shows it says nothing.
        plain = np.where(shows.sum(axis=2) > OCCLUSION.min_meeting_share * SIDE_PROBES, _mean(seen, shows), 0.5)
        total, least = total + plain, np.minimum(least, plain)
    # Half by the mean of the three sides, half by the least plain of them.
    score = (total / 3 + least) / 2
    best = score.argmax(axis=1)
    middles = far_sides + offsets[best][:, None] * down + right * (inward * wide_card / 2)
    x, y = right * wide_card / 2, down * tall_card / 2
    corners = middles[:, None] + np.stack([-x - y, x - y, x + y, y - x], axis=1)
    return list(zip(corners, score.max(axis=1).tolist(), strict=True))


def _in_picture(edges: EdgeMap, quad: Points, edge: float, is_turned: bool) -> CoveredOutline:
    """A card found on the map as it lies in the picture."""
    step = abs(float(quad[:, 0].mean()) - edges.free.shape[1] / 2) / edges.card[0]
    corners = map_points(edges.to_picture, quad)
    return CoveredOutline(corners[[0, 3, 2, 1]] if is_turned else corners, edge, step)


def _sampled(edges: Array, free: Array, spots: Points) -> tuple[Array, Array]:
    """The edges where nothing covers them, and what is free, at some spots: (side, offset, probe)."""
    at = (spots - 0.5).astype(np.float32).reshape(len(spots) * spots.shape[1], -1, 2)
    planes = cv2.merge([edges * free, free])
    seen = np.asarray(cv2.remap(planes, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT))
    return seen[..., 0].reshape(spots.shape[:3]), seen[..., 1].reshape(spots.shape[:3])


def _mean(seen: Array, shows: Array) -> Array:
    return np.asarray(seen.sum(axis=2) / np.maximum(shows.sum(axis=2), 1e-3))
