"""Rows and fans as a whole: cards of one size, each moved and turned by the same step against the one on top.

Proposes where the cards between the two ends of a row may lie, and lays each along the edges that show.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct

from vision import quads, slant
from vision.geometry import Array, Mask, Picture, Points, map_points, rectangle
from vision.tuning import OCCLUSION, ROW

# The first of three passes moves a card by so many card widths and turns it by so many radians at a time, so often each
# way; each pass after it takes finer steps.
FIRST_STEP, FIRST_TURN, STEPS_EACH_WAY, FINER = 0.03, math.radians(1.5), 2, 0.4
FIRST: Array = np.array([FIRST_STEP, FIRST_STEP, FIRST_TURN])
WAYS: Array = (
    np.stack(np.meshgrid(*[np.arange(-STEPS_EACH_WAY, STEPS_EACH_WAY + 1)] * 3), axis=-1).reshape(-1, 3) * FIRST
)
# How far a side is looked for, in card widths, and the small motion whose effect on probes is measured.
REACH, SMALL = FIRST_STEP * (STEPS_EACH_WAY + 1.5), 1e-3


class TablePlane(Struct, frozen=True):
    """The table as seen from above: the map to it from the picture, a card's width there, and its height over that."""

    to_plane: Points
    to_picture: Points
    width: float
    aspect: float

    def place(self, corners: Points) -> tuple[complex, float]:
        """Where the middle of a card with these corners lies, and its turn in radians."""
        flat = map_points(self.to_plane, corners)
        right, down = (complex(*way) for way in _bent(flat, 1.0).T)
        return complex(*flat.mean(axis=0)), cmath.phase(right - 1j * down)

    def corners(self, middle: complex, turn: float) -> Points:
        """The corners in the picture of a card that lies somewhere on the table."""
        flat = (rectangle(1, self.aspect) - [0.5, self.aspect / 2]) * self.width
        spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        return map_points(self.to_picture, flat @ spin + [middle.real, middle.imag])

    def width_of(self, corners: Points) -> float:
        """How wide a card with these corners is there."""
        return math.sqrt(abs(np.linalg.det(_bent(map_points(self.to_plane, corners), self.aspect))))


def plane_of(cards: Sequence[Points], aspect: float) -> TablePlane:
    """The table as seen from above, by the outlines of cards that show wholly."""
    level = slant.levelling(cards, aspect)
    shapes = [_bent(map_points(level, corners), aspect) for corners in cards]
    sizes = [max(abs(float(np.linalg.det(bent))), 1e-9) for bent in shapes]
    # What cards make of a circle, each of area one, is a circle on the table however they lie.
    ellipses = [bent @ bent.T / size for bent, size in zip(shapes, sizes, strict=True)]
    values, axes = np.linalg.eigh(np.mean(ellipses, axis=0))
    upright = np.eye(3)
    upright[:2, :2] = axes @ np.diag((values / math.sqrt(values.prod())) ** -0.5) @ axes.T
    to_plane = upright @ level
    return TablePlane(to_plane, np.linalg.inv(to_plane), math.sqrt(float(np.median(sizes))), aspect)


def _bent(flat: Points, aspect: float) -> Points:
    """What a card's corners make of its own axes, in card widths."""
    right, down = flat[1] - flat[0] + flat[2] - flat[3], flat[3] - flat[0] + flat[2] - flat[1]
    return np.column_stack([right, down / aspect]) / 2


def rows_between(plane: TablePlane, top: Points, bottom: Points) -> list[list[Points]]:
    """For each count of cards there may be: a row from the card on top to the one at the other end, both included."""
    (start, first), (end, last) = plane.place(top), plane.place(bottom)
    # A card may lie either way up, and a fan may turn by more than a right angle.
    turn = (last - first + math.pi / 2) % math.pi - math.pi / 2
    found = []
    for total in (turn, turn - math.copysign(math.pi, turn)):
        for count in range(1, ROW.max_steps + 1):
            step = total / count
            if abs(step) > math.radians(ROW.max_turn_degrees):
                continue
            middles = [_moved(start, end, total, n / count) for n in range(count + 1)]
            away = (middles[1] - start) * cmath.exp(-1j * (first + step / 2)) / plane.width
            if _is_step(abs(away.real), abs(away.imag) / plane.aspect):
                found.append([plane.corners(middle, first + step * n) for n, middle in enumerate(middles)])
    return found


def far_ends(plane: TablePlane, top: Points, hull: Points) -> list[Points]:
    """Where the last card of a straight row may lie that begins at a card, by how far the row's hull reaches."""
    middle, turn = plane.place(top)
    flat = map_points(plane.to_plane, hull) - [middle.real, middle.imag]
    spin = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    # In shares of a card beyond its own sides.
    size = np.array([plane.width, plane.width * plane.aspect])
    low, high = -(flat @ spin).min(axis=0) / size - 0.5, (flat @ spin).max(axis=0) / size - 0.5
    found = []
    for axis in (0, 1):
        is_straight = max(low[1 - axis], high[1 - axis]) < OCCLUSION.max_offset_share
        for beyond, way in ((low[axis], -1), (high[axis], 1)):
            if is_straight and OCCLUSION.step_range[0] < beyond < ROW.max_steps:
                away = complex(*(np.eye(2)[axis] * way * beyond * size)) * cmath.exp(1j * turn)
                found.append(plane.corners(middle + away, turn))
    return found


def a_step_on(plane: TablePlane, cards: Sequence[Points]) -> Points:
    """Where the next card of a row lies, by the step that led from the first to the last."""
    (start, first), (end, last) = plane.place(cards[0]), plane.place(cards[-1])
    count = len(cards) - 1
    total = (last - first + math.pi) % math.tau - math.pi
    middle, step = _moved(start, end, total, (count + 1) / count), total / count
    return plane.corners(middle, last + step)


def _moved(start: complex, end: complex, turn: float, share: float) -> complex:
    """Where a point is on the way from start to end, when it turns about one centre on the way; straight without."""
    if abs(turn) < 1e-3:
        return start + (end - start) * share
    whole = cmath.exp(1j * turn)
    centre = (end - whole * start) / (1 - whole)
    return centre + cmath.exp(1j * turn * share) * (start - centre)


def _is_step(across: float, along: float) -> bool:
    """Whether the next card of a row may lie so much, of a card's width and height, beside the one on top."""
    least, most = OCCLUSION.step_range
    return least < max(across, along) < most and min(across, along) < OCCLUSION.max_offset_share


def settled(picture: Picture, plane: TablePlane, corners: Points, covers: Sequence[Points]) -> tuple[Points, float]:
    """A card moved and turned a little to where its sides lie along the edges that show, and how plain these are.

    `covers` are the cards on top of it. It keeps a card's shape and size.
    """
    middle, turn = plane.place(corners)
    # Pixels that a card width of the table takes here.
    width = float(np.hypot(*(corners[1] - corners[0])))
    probes, across, steps, jump = quads.edge_profile(picture, corners[None], max(REACH * width, 3.0))
    spots = probes.reshape(-1, 2)
    shows = ~quads.inside_any([_grown(each) for each in covers], spots)
    shares = _shares_of_sides(shows)
    if not len(shares):
        return corners, 0.0
    change = jump.reshape(len(spots), -1)
    change = change[:, 1:] + change[:, :-1]
    plain = _plainness(change)
    gap = float(steps[1] - steps[0])
    around = np.ones((1, 2 * math.ceil(FIRST_STEP * width / (2 * gap)) + 1), np.uint8)
    # In later passes the middle of an edge counts more than what is beside it.
    sharp = plain * (1 + change / np.maximum(cv2.dilate(change, around), 1e-3)) / 2
    effects = _effects(plane, spots, np.repeat(across, quads.PROBES, axis=0), middle)
    best, clarity, finer = np.zeros(3), 0.0, 1.0
    for values in (cv2.dilate(plain, around), sharp, sharp):
        ways = best + WAYS * finer
        at = np.rint((effects @ ways.T - steps[1]) / gap).astype(np.intp).clip(0, values.shape[1] - 1)
        means = shares @ np.take_along_axis(values, at, axis=1)
        # Half by the mean of the sides, half by the least plain of them; of equal places the nearest.
        total = (means.mean(axis=0) + means.min(axis=0)) / 2 - ROW.motion_cost * ((ways / FIRST) ** 2).sum(axis=1)
        best, clarity = ways[total.argmax()], float(total.max())
        finer *= FINER
    right, down = best[:2] * plane.width
    return plane.corners(middle + complex(right, down), turn + best[2]), clarity


def _shares_of_sides(shows: Mask) -> Array:
    """For each side of which enough shows what each probe counts: (side, probe)."""
    free = shows.reshape(4, -1)
    shares = np.zeros((4, shows.size), np.float32)
    for side, seen in enumerate(free):
        shares[side, side * len(seen) : (side + 1) * len(seen)] = seen / max(1, int(seen.sum()))
    return np.asarray(shares[free.sum(axis=1) >= quads.MIN_SEEN_PROBES])


def _plainness(change: Array) -> Array:
    """How plain an edge is at each step of some probes, 0 to 1: beside the usual change, as of a shadow's thin line."""
    usual = max(OCCLUSION.min_grain, float(np.median(change)))
    plain = np.log(np.maximum(change, 1e-3) / usual) / math.log(OCCLUSION.plain_contrast)
    return np.asarray(np.clip(plain, 0, 1), np.float32)


def _effects(plane: TablePlane, spots: Points, normals: Points, middle: complex) -> Points:
    """How far, in pixels, some spots move along their normals when a card moves by its width each way or turns."""
    flat = map_points(plane.to_plane, spots)
    away = flat - [middle.real, middle.imag]
    ways = (np.array([plane.width, 0.0]), np.array([0.0, plane.width]), np.column_stack([-away[:, 1], away[:, 0]]))
    moved = [map_points(plane.to_picture, flat + way * SMALL) - spots for way in ways]
    return np.stack([(each * normals).sum(axis=1) / SMALL for each in moved], axis=1)


def _grown(corners: Points) -> Points:
    """A card with its edge and shadow."""
    middle = corners.mean(axis=0)
    return np.asarray(middle + (corners - middle) * OCCLUSION.cover_margin)
