"""Card outlines: quadrilaterals of a card's shape that stand out from the table. Names nothing."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence

import cv2
import numpy as np
from msgspec import Struct

from vision.geometry import (
    Array,
    Counts,
    Mask,
    Picture,
    Points,
    area,
    homography_to_quad,
    is_convex,
    map_points,
    median,
    overlap,
    quantile,
    sides,
)
from vision.tuning import CARD, OUTLINE

# Where along a side, as shares of it, the picture is probed for an edge: round corners are left out.
PROBES = 24
PROBE_POSITIONS = np.linspace(OUTLINE.round_corner_share, 1 - OUTLINE.round_corner_share, PROBES)
# A side of which fewer show isn't looked for.
MIN_SEEN_PROBES = 4
# The small move, turn and growth whose effect on probes is measured, in card widths, radians and shares of the size,
# and how often probes are weighed.
SMALL_MOVE, MOVE_STEPS = 1e-3, 4
# OpenCV samples at most 32,767 rows in one call; an outline is four sides of as many probes each.
MAX_REMAP_OUTLINES = 32_767 // (4 * PROBES)
# In pixels along its longer side: a smaller picture has no neighbourhood to be brighter than.
SMALLEST_PICTURE = 48
# No narrower outline is a card's, whatever width is asked for: noise is full of small quadrilaterals.
MIN_OUTLINE_WIDTH_PX = 8.0
# The points of a hull to which its sides are fitted, as shares of the way around it.
HULL_SHARES = np.linspace(0, 1, 160, endpoint=False)
NEXT_CORNER = [1, 2, 3, 0]


# Of all points (x, y) with ax + by + c = 0.
_Line = tuple[float, float, float]


class _Shape(Struct, frozen=True):
    """Something card-shaped at half the resolution: its size, its rough corners and the hull of its contour."""

    size: float
    corners: Points
    hull: Points

    def is_filled(self) -> bool:
        """Whether the corners hold the hull: round corners stick out a little, another thing's edge does more."""
        return bool(cv2.contourArea(self.hull.astype(np.float32)) < OUTLINE.max_hull_ratio * self.size)

    def is_of(self, other: _Shape) -> bool:
        """Whether two shapes are of one card; a much smaller one is drawn on the other, or one of several cards."""
        alike = CARD.majority_share < self.size / other.size < 1 / CARD.majority_share
        return alike and overlap(self.corners, other.corners) >= CARD.same_place_overlap


class RowEnds(Struct, frozen=True):
    """Where the last cards of rows may lie, and the hulls of whatever has one contour."""

    corners: tuple[Points, ...] = ()
    hulls: tuple[Points, ...] = ()

    def is_apart(self, corners: Points) -> bool:
        """Whether nothing larger than a card, and smaller than a table of them, holds the one with these corners."""
        x, y = corners.mean(axis=0).tolist()
        size = abs(area(corners))
        return not any(
            OUTLINE.min_row_cards * size < abs(cv2.contourArea(hull)) < OUTLINE.max_row_cards * size
            and cv2.pointPolygonTest(hull, (x, y), False) > 0
            for hull in (hull.astype(np.float32) for hull in self.hulls)
        )


def find(picture: Picture, aspect: float, smallest: float) -> list[Points]:
    """The outlines in a picture, corners clockwise with a short side on top, exact where edges show."""
    if min(picture.shape[:2]) < 2 or max(picture.shape[:2]) < SMALLEST_PICTURE:
        return []
    # Half the resolution is plenty for outlines, and drops the grain.
    half = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    least = (max(smallest, MIN_OUTLINE_WIDTH_PX) / 2) ** 2 * aspect * OUTLINE.min_area_share
    kept: list[_Shape] = []
    for masks in (_by_brightness(half), [_unlike_the_table(half)]):
        found = [shape for mask in masks for shape in _shapes(mask, aspect, least)]
        # The outermost first, as a card's own edge is, but what is no quadrilateral at all last.
        for shape in sorted(found, key=lambda shape: (not shape.is_filled(), -shape.size)):
            if not any(shape.is_of(other) for other in kept):
                kept.append(shape)
    return sharpened(picture, [corners * 2 + 0.5 for corners in _fitted(kept)])


def find_row_ends(picture: Picture, aspect: float, smallest: float, outlines: Sequence[Points]) -> RowEnds:
    """Where the last card of a row may lie: of cards that overlap, whose contour is one, it shows a whole side.

    A whole side ends in two right angles. `outlines` are known already.
    """
    if min(picture.shape[:2]) < 2 or max(picture.shape[:2]) < SMALLEST_PICTURE:
        return RowEnds()
    half = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    shortest = max(smallest, MIN_OUTLINE_WIDTH_PX) / 2
    known = [(corners - 0.5) / 2 for corners in outlines]
    found: list[Points] = []
    hulls: list[Points] = []
    for mask in (*_by_brightness(half), _unlike_the_table(half)):
        contours, _tree = cv2.findContoursLinkRuns(mask)
        # A row's contour is larger than a card's.
        large = [
            c
            for c in contours
            if len(c) >= 4 * shortest and cv2.contourArea(c) > OUTLINE.min_row_cards * shortest**2 * aspect
        ]
        hulls += [cv2.convexHull(contour).reshape(-1, 2) * 2.0 + 0.5 for contour in large]
        for contour, tolerance in itertools.product(large, OUTLINE.corner_tolerances_px):
            polygon = cv2.approxPolyDP(contour, tolerance, True)
            for corners in _at_whole_sides(polygon, aspect, OUTLINE.min_side_share * shortest):
                if not any(is_same(other, corners) for other in near([*known, *found], corners)):
                    found.append(corners)
    better = sharpened(picture, [corners * 2 + 0.5 for corners in found])
    return RowEnds(tuple(corners for corners in better if has_edges(picture, corners)), tuple(hulls))


def _at_whole_sides(contour: Counts, aspect: float, shortest: float) -> Iterator[Points]:
    """For each side of a polygon between two right angles: the cards with it as a long side, and as a short one."""
    shape = contour.reshape(-1, 2).astype(np.float64)
    if len(shape) < 4:
        return
    if cv2.contourArea(shape.astype(np.float32), True) < 0:
        shape = shape[::-1]
    along = np.roll(shape, -1, axis=0) - shape
    length = np.hypot(along[:, 0], along[:, 1])
    along /= np.maximum(length, 1e-9)[:, None]
    before, after = np.roll(along, 1, axis=0), np.roll(along, -1, axis=0)
    bends = [a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] for a, b in ((before, along), (along, after))]
    is_square = np.min(bends, axis=0) > math.sqrt(1 - OUTLINE.max_corner_cosine**2)
    beside = np.minimum(np.roll(length, 1), np.roll(length, -1))
    for n in np.flatnonzero(is_square & (length > shortest)).tolist():
        inward = (after[n] - before[n]) / float(np.hypot(*(after[n] - before[n])))
        for is_long, depth in ((True, length[n] / aspect), (False, length[n] * aspect)):
            if beside[n] > OUTLINE.min_end_share * depth:
                side = np.array([shape[n], shape[n] + along[n] * length[n]])
                corners = np.vstack([side, side[::-1] + inward * depth])
                yield np.roll(corners, -1, axis=0) if is_long else corners


def _by_brightness(picture: Picture) -> list[Picture]:
    """What stands out from the table by its edges, and by being lighter than all, or than what is around."""
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    soft = cv2.GaussianBlur(grey, (3, 3), 0)
    level, binary = cv2.threshold(soft, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    edges = cv2.dilate(cv2.Canny(soft, level * 0.3, level * 0.7), np.ones((3, 3), np.uint8))
    wide = 2 * (max(grey.shape) // 24) + 1
    local = cv2.adaptiveThreshold(soft, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, wide, -4)
    return [np.asarray(edges), np.asarray(binary), np.asarray(local)]


def _unlike_the_table(picture: Picture) -> Picture:
    """What has another colour than the table, where that shows in most of a picture.

    It finds dark cards on a dark table; a shadow is another colour too, so it's asked last.
    """
    planes = [picture] if picture.ndim == 2 else cv2.split(picture)
    usual = [_usual(plane) for plane in planes]
    away = [cv2.absdiff(plane, np.full_like(plane, value)) for plane, value in zip(planes, usual, strict=True)]
    most = cv2.blur(functools.reduce(cv2.max, away), (3, 3))
    level = max(OUTLINE.min_table_deviations * _usual(most), OUTLINE.max_shading_share * max(usual))
    return np.asarray(cv2.threshold(most, level, 255, cv2.THRESH_BINARY)[1], np.uint8)


def _usual(plane: Picture) -> float:
    """The value that half of a plane is below."""
    return float(median(plane[::8, ::8].ravel().astype(np.float32)))


def _shapes(mask: Picture, aspect: float, least: float) -> Iterator[_Shape]:
    """The card-shaped things in a mask, from an area on."""
    contours, _tree = cv2.findContoursLinkRuns(mask)
    for contour in contours:
        # Nearly all are specks.
        if len(contour) < MIN_OUTLINE_WIDTH_PX or cv2.contourArea(contour) < least:
            continue
        around = cv2.convexHull(contour)
        corners = _card_quad(contour, around, aspect)
        if corners is not None:
            yield _Shape(abs(area(corners)), corners, around.reshape(-1, 2).astype(np.float64))


def _card_quad(contour: Counts, around: Counts, aspect: float) -> Points | None:
    """The four corners of a contour with a hull `around` it, if it's a card's."""
    # A card's outline fills its own hull; a tangle of edges doesn't.
    if cv2.contourArea(contour) < OUTLINE.min_hull_fill * cv2.contourArea(around):
        return None
    shape = cv2.approxPolyDP(around, 0.03 * cv2.arcLength(around, True), True)
    if len(shape) != 4:
        return None
    corners = shape.reshape(4, 2).astype(np.float64)
    if area(corners) < 0:
        corners = corners[::-1]
    if not is_convex(corners):
        return None
    top, right, bottom, left = sides(corners)
    if top + bottom > right + left:
        corners = np.roll(corners, -1, axis=0)
        top, right, bottom, left = sides(corners)
    tall = (right + left) / (top + bottom) / aspect
    return (
        corners
        if 1 / CARD.max_aspect_ratio < tall < CARD.max_aspect_ratio
        and max(top, bottom) < OUTLINE.max_taper * min(top, bottom)
        else None
    )


def _fitted(shapes: list[_Shape]) -> list[Points]:
    """Corners where each hull's straight sides would meet: those of the hull itself are rounded, or cut off."""
    if not shapes:
        return []
    corners = np.array([shape.corners for shape in shapes])
    spots = np.array([_resampled(shape.hull) for shape in shapes])
    along = corners[:, NEXT_CORNER] - corners
    long = np.hypot(along[:, :, 0], along[:, :, 1])[:, :, None]
    away = spots[:, None] - corners[:, :, None]
    share = (away @ along[:, :, :, None])[:, :, :, 0] / long**2
    off = np.abs(away[..., 1] * along[:, :, :1] - away[..., 0] * along[:, :, 1:]) / long
    near = (
        (share > PROBE_POSITIONS[0]) & (share < PROBE_POSITIONS[-1]) & (off < OUTLINE.round_corner_share * long)
    ).astype(np.float64)
    count = near.sum(axis=2)
    middle = (near @ spots) / np.maximum(count, 1)[:, :, None]
    apart = (spots[:, None] - middle[:, :, None]) * near[..., None]
    (xx, xy), (_xy, yy) = np.moveaxis(apart.transpose(0, 1, 3, 2) @ apart, (2, 3), (0, 1))
    angle = np.arctan2(2 * xy, xx - yy) / 2
    ways = np.stack([middle[..., 0], middle[..., 1], np.cos(angle), np.sin(angle)], axis=2).tolist()
    reach = (OUTLINE.round_corner_share * long.max(axis=(1, 2))).tolist()
    is_whole = (count > 0).all(axis=1)
    return [
        _crossed([_through(*way) for way in ways[n]], corners[n], reach[n]) if is_whole[n] else corners[n]
        for n in range(len(shapes))
    ]


def _resampled(hull: Points) -> Points:
    """Points along a hull, all as far from the next: its own are few where it is straight."""
    closed = np.vstack([hull, hull[:1]])
    onward = np.diff(closed, axis=0)
    way = np.concatenate([[0.0], np.cumsum(np.hypot(onward[:, 0], onward[:, 1]))])
    at = HULL_SHARES * way[-1]
    return np.column_stack([np.interp(at, way, closed[:, 0]), np.interp(at, way, closed[:, 1])])


def _through(x: float, y: float, dx: float, dy: float) -> _Line:
    """The line through a point in a direction."""
    return (-dy, dx, x * dy - y * dx)


def _crossed(lines: list[_Line], corners: Points, reach: float) -> Points:
    """Where four sides meet, unless that is farther from the rough corners than it can be."""
    met = []
    # Plain numbers: NumPy takes ten times as long to begin as this to end.
    for (a, b, c), (d, e, f) in zip([lines[-1], *lines], lines, strict=False):
        depth = a * e - b * d
        if abs(depth) < 1e-9:
            return corners
        met.append(((b * f - c * e) / depth, (c * d - a * f) / depth))
    better = np.array(met)
    near = float(((better - corners) ** 2).sum(axis=1).max()) < reach**2
    return better if near and is_convex(better) else corners


def sharpened(picture: Picture, outlines: list[Points]) -> list[Points]:
    """The same outlines with each side laid along the edge that is seen there, at the picture's full resolution."""
    reaches = [_reach(corners) for corners in outlines]
    better = list(outlines)
    # Outlines with equally many steps across share one call: the cards are of one size.
    for many in sorted({math.ceil(reach) for reach in reaches}):
        alike = [n for n, reach in enumerate(reaches) if math.ceil(reach) == many]
        for group in (alike[n : n + MAX_REMAP_OUTLINES] for n in range(0, len(alike), MAX_REMAP_OUTLINES)):
            rough = np.array([outlines[n] for n in group])
            for number, lines in zip(group, _along_edges(picture, rough, float(many)), strict=True):
                better[number] = _crossed(lines, outlines[number], 2 * reaches[number])
    return better


def sharpened_under(picture: Picture, corners: Points, covers: Sequence[Points], aspect: float) -> Points:
    """The outline of a partly covered card, laid along the edges that show.

    It's moved, turned and scaled a little, as a whole: it keeps a card's shape.
    """
    probes, across, steps, jump = edge_profile(picture, corners[None], _reach(corners))
    jump[:, 1:-1] += jump[:, :-2] + jump[:, 2:]
    away = (steps[:-1] + steps[1:])[jump.argmax(axis=2)] / 2
    # Beside the card on top its edge is seen, too.
    free = ~inside_any(covers, probes.reshape(-1, 2)).reshape(away.shape)
    shows = cv2.erode(free.astype(np.uint8), np.ones((1, 3), np.uint8)).ravel() > 0
    if shows.sum() < MIN_SEEN_PROBES:
        return corners
    pose = homography_to_quad(corners, 1.0, aspect)
    back, middle = np.linalg.inv(pose), np.array([0.5, aspect / 2])
    spots, normals = probes.reshape(-1, 2)[shows], np.repeat(across, PROBES, axis=0)[shows]

    def moved(points: Points, right: float, down: float, turn: float, growth: float) -> Points:
        flat = map_points(back, points)
        away_from_middle = flat - middle
        return map_points(
            pose, flat + [right, down] + turn * away_from_middle[:, ::-1] * [-1, 1] + growth * away_from_middle
        )

    ways = np.eye(4) * SMALL_MOVE
    effects = np.stack([((moved(spots, *way) - spots) * normals).sum(axis=1) for way in ways], axis=1) / SMALL_MOVE
    target, weight, found = away.ravel()[shows], np.ones(len(spots)), np.zeros(4)
    for _ in range(MOVE_STEPS):
        found = np.linalg.lstsq(effects * weight[:, None], target * weight, rcond=None)[0]
        weight = 1 / np.sqrt(1 + (effects @ found - target) ** 2)
    # No side is farther from its edge than was looked.
    return moved(corners, *found.clip(-OUTLINE.edge_search_widths, OUTLINE.edge_search_widths))


def _reach(corners: Points) -> float:
    """How far from a rough side, in pixels, the true one is looked for."""
    return max(2.0, OUTLINE.edge_search_widths * float(sides(corners).min()))


def _along_edges(picture: Picture, outlines: Points, reach: float) -> list[list[_Line]]:
    """The four lines along the strongest edges near the sides of each outline."""
    probes, across, steps, jump = edge_profile(picture, outlines.reshape(-1, 4, 2), reach)
    # Of edges that run along the side, a card's own is the outermost: what is drawn on it has edges too.
    usual = cv2.blur(jump.mean(axis=1), (2 * (len(steps) // 12) + 1, 1))
    plain = usual >= OUTLINE.min_edge_share * usual.max(axis=1, keepdims=True)
    last = len(steps) - 2
    outermost = last - plain[:, ::-1].argmax(axis=1)
    jump *= np.abs(np.arange(last + 1) - outermost[:, None])[:, None, :] <= len(steps) / 6
    edges = (probes + _strongest_change(steps, jump)[:, :, None] * across[:, None, :]).astype(np.float32)
    lines = []
    for edge in edges:
        dx, dy, x, y = cv2.fitLine(edge, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
        lines.append(_through(x, y, dx, dy))
    return [lines[n : n + 4] for n in range(0, len(lines), 4)]


def has_edges(picture: Picture, corners: Points) -> bool:
    """Whether there is an edge along each side: where a table only gets darker there is an outline, but no edge."""
    return weakest_edge(picture, corners) > OUTLINE.min_edge_contrast


def weakest_edge(picture: Picture, corners: Points, shows: Callable[[Points], Mask] | None = None) -> float:
    """How many times as much a picture changes along the weakest side of a card as outside of it.

    Where a side doesn't show it says nothing.
    """
    # An edge may be off by a third of this, and as much is looked at on either side of it.
    reach = 3 * _reach(corners)
    probes, _across, steps, jump = edge_profile(picture, corners[None], reach)
    middles = (steps[:-1] + steps[1:]) / 2
    weakest = math.inf
    for spots, change in zip(probes, jump, strict=True):
        seen = change if shows is None else change[shows(spots)]
        if len(seen) < MIN_SEEN_PROBES:
            continue
        usual = seen.mean(axis=0)
        # Some of what is outside may be the next card.
        outside = quantile(usual[middles > reach / 2], 0.25)
        weakest = min(weakest, float(usual[np.abs(middles) < reach / 3].max()) / max(outside, 1e-6))
    return weakest


def _strongest_change(steps: Points, jump: Array) -> Points:
    """How far out of an outline each probe sees the strongest change, beside its neighbours' changes."""
    # A smudge or a hair misleads one probe, not its neighbours too.
    jump[:, 1:-1] += jump[:, :-2] + jump[:, 2:]
    return np.asarray(((steps[:-1] + steps[1:]) / 2)[jump.argmax(axis=2)])


def edge_profile(picture: Picture, outlines: Points, reach: float) -> tuple[Points, Points, Points, Array]:
    """How much a picture changes on the way out of some outlines, side by side.

    Returns the probes where each side is crossed, which way, the steps from the inside out, and for each side and probe
    the change from step to step.
    """
    steps = np.linspace(-reach, reach, 2 * math.ceil(reach) + 1)
    start, along = outlines.reshape(-1, 2), (outlines[:, NEXT_CORNER] - outlines).reshape(-1, 2)
    across = along[:, ::-1] * [1, -1] / np.hypot(along[:, 0], along[:, 1])[:, None]
    probes = start[:, None, :] + PROBE_POSITIONS[:, None] * along[:, None, :]
    spots = (probes[:, :, None, :] + steps[:, None] * across[:, None, None, :]).astype(np.float32)
    x, y = np.moveaxis(spots.reshape(len(start) * PROBES, len(steps), 2), 2, 0)
    strip = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    jump = np.abs(np.diff(np.asarray(strip, np.float32).reshape(*x.shape, -1), axis=1))
    # A product with ones is a faster sum over few.
    return probes, across, steps, (jump @ np.ones(jump.shape[-1], np.float32)).reshape(len(start), PROBES, -1)


def is_frontal(corners: Points, aspect: float, max_ratio: float = CARD.frontal_aspect_ratio) -> bool:
    """Whether an outline has a card's own shape, so that it can't as well be one seen at a slant."""
    top, right, bottom, left = sides(corners)
    return bool(1 / max_ratio < (right + left) / (top + bottom) / aspect < max_ratio)


def is_another_card_over(outline: Points, corners: Points, aspect: float) -> bool:
    """Whether an outline is that of another card, which lies over the card with these corners.

    With nearly all in common it's the same card's, badly seen.
    """
    return _is_aside(outline, corners, aspect) and 0 < overlap(outline, corners) < CARD.same_card_overlap


def is_same(outline: Points, corners: Points) -> bool:
    """Whether an outline is that of the card with these corners: as large, and with nearly all in common."""
    size = abs(area(outline)) / max(abs(area(corners)), 1.0)
    return (
        CARD.same_card_overlap < size < 1 / CARD.same_card_overlap
        and overlap(outline, corners) > OUTLINE.repeat_overlap
    )


def overlaps_aside(outline: Points, corners: Points, aspect: float) -> bool:
    """Whether a card overlaps one with these corners and is another card, since their middles are too far apart."""
    return _is_aside(outline, corners, aspect) and overlap(outline, corners) > 0


def _is_aside(outline: Points, corners: Points, aspect: float) -> bool:
    """Whether an outline is as large as the card with these corners, and its middle too far away for the same card.

    Cards are of one size; what is smaller is drawn on a card, what is larger are several together.
    """
    size, other_size = abs(area(corners)), abs(area(outline))
    if not OUTLINE.min_other_size * size < other_size < OUTLINE.max_other_size * size:
        return False
    away = math.dist(outline.mean(axis=0), corners.mean(axis=0))
    return away > CARD.min_spacing_widths * math.sqrt(size / aspect) and is_frontal(outline, aspect)


def near(outlines: Sequence[Points], corners: Points) -> list[Points]:
    """Those outlines that may touch a quadrilateral: their upright boxes do."""
    if not outlines:
        return []
    many = np.array(outlines)
    low, high = many.min(axis=1), many.max(axis=1)
    touch = ((low <= corners.max(axis=0)) & (high >= corners.min(axis=0))).all(axis=1)
    return [outlines[n] for n in np.flatnonzero(touch).tolist()]


def inside_any(outlines: Sequence[Points], spots: Points) -> Mask:
    """Which points lie inside any of some outlines; without outlines no point does."""
    return np.asarray(np.any([np.zeros(len(spots), bool), *(inside(each, spots) for each in outlines)], axis=0))


def inside(outline: Points, spots: Points) -> Mask:
    """Which points lie inside an outline."""
    to_next = np.roll(outline, -1, axis=0) - outline
    away = spots[:, None, :] - outline
    return np.asarray((to_next[:, 0] * away[:, :, 1] - to_next[:, 1] * away[:, :, 0] > 0).all(axis=1))
