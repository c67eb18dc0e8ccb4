"""Whether a place shows a face or a near-twin of it: a corner number, a filling, at nearly the camera's resolution.

The few faces that `vision.comparison` finds likeliest are compared again: 120 pixels wide instead of 80, in cells of 2
pixels. Beside what differs, a network gets a map of where near-twins differ: a stranger of the same design differs
there and nowhere else. Its log-odds are against every other card, enrolled
or not. Its weights are made by `python -m benchmarks.vision.train detail`.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct

from vision import comparison, network
from vision.comparison import Alignment, FaceComparison
from vision.geometry import Array, single
from vision.tuning import DETAIL

DETAIL_WIDTH = 120
DETAIL_CELL = 2
# How much larger pictures are than the comparison's.
ZOOM = DETAIL_WIDTH / comparison.COMPARISON_WIDTH
DETAIL_WEIGHTS = Path(__file__).with_name("detail.npz")
# Blurs in pixels that a camera may add to a reference.
DETAIL_BLURS = (0.0, 0.5, 0.8, 1.1, 1.5, 2.0, 2.6)
# Pixels across which the lightness of a drawing is compared with its surroundings.
SURROUNDINGS = 7
# Cells around a window in which `SURROUNDINGS` pixels fit.
MARGIN_CELLS = 2
# The widest blur takes in pixels that far away.
MAX_BLUR_CELLS = 6
# A pixel that differs by more, in squared hundreds of CIELAB units, tells nothing of blur.
OUTLIER = 0.04
# Maps for training are kept as bytes, `LEVELS` times their square root; larger values don't fit.
LEVELS = 80
LARGEST = (255 / LEVELS) ** 2
Window: TypeAlias = tuple[slice, slice]  # rows and columns of cells


class DetailedFace(Struct, frozen=True):
    """A reference picture: its planes (row, column, channel), and by how much its near-twins differ from it.

    Both are in half precision, for there may be hundreds. The differences are (map, row, column).
    """

    planes: Array
    near_twin_differences: Array


class DetailedPlace(Struct, frozen=True):
    """A place of the picture: its planes, what surrounds each pixel, and which cells show."""

    planes: Array
    local_max: Array
    local_min: Array
    shows: Array


def height_of(aspect: float) -> int:
    """How high an upright picture is, `aspect` being the card's height over its width."""
    return round(comparison.height_of(aspect) * ZOOM)


def face_of(planes: Array, near_twins: list[Array]) -> DetailedFace:
    """A reference picture beside those of its near-twins."""
    own = single(planes)
    apart = np.zeros((len(own) // DETAIL_CELL, DETAIL_WIDTH // DETAIL_CELL, 2), np.float32)
    for other in near_twins:
        light, a, b = cv2.split(_on_grid(cv2.absdiff(single(other), own)))
        apart = np.maximum(apart, cv2.merge([light, cv2.magnitude(a, b)]))
    return DetailedFace(planes, (apart.transpose(2, 0, 1) * 10).astype(np.float16))


def place_of(planes: Array, shows: Array) -> DetailedPlace:
    """A place made ready; `shows` is on the comparison's grid."""
    grid = (DETAIL_WIDTH // DETAIL_CELL, len(planes) // DETAIL_CELL)
    cells = cv2.resize(shows, grid, interpolation=cv2.INTER_LINEAR)
    return DetailedPlace(planes, *comparison.range_around(planes), cells)


def half_turned(place: DetailedPlace) -> DetailedPlace:
    """The same place half-turned."""
    return DetailedPlace(*(comparison.flipped(getattr(place, name)) for name in place.__struct_fields__))


def blur_of(place: DetailedPlace, face: DetailedFace, alignment: Alignment) -> float:
    """Which blur of a face fits a place best, by lightness alone."""
    planes = single(face.planes)
    gain = comparison.gain_map(alignment.transform, *planes.shape[:2])
    light = comparison.warp(comparison.light_of(alignment.transform, planes, gain), alignment.enlarged(ZOOM))
    weight = cv2.resize(place.shows, (DETAIL_WIDTH, len(planes)), interpolation=cv2.INTER_LINEAR)
    # What doesn't show weighs nothing, and only what is near takes part in blur.
    pixels = _pixels(_grown(network.shown_window(place.shows), MAX_BLUR_CELLS))
    seen, weight, light = (
        np.ascontiguousarray(part[pixels]) for part in (place.planes[..., 0], np.asarray(weight), light)
    )

    @functools.cache
    def lost(number: int) -> float:
        away = seen - comparison.blurred_light(light, DETAIL_BLURS[number])
        return float(np.vdot(weight, np.minimum(away * away, np.float32(OUTLIER))))

    # The loss has one minimum, so the search goes downhill from the middle.
    best, before = len(DETAIL_BLURS) // 2, -1
    while best != before:
        before = best
        best = min(range(max(best - 1, 0), min(best + 2, len(DETAIL_BLURS))), key=lost)
    return DETAIL_BLURS[best]


def detail_log_odds(place: DetailedPlace, face: DetailedFace, blur: float, compared: FaceComparison) -> float:
    """The log-odds in nats that a place shows a face, and not any other card, enrolled or not."""
    window = network.shown_window(place.shows)
    maps = maps_of(place, face, blur, compared.features.alignment, window)
    np.minimum(maps, np.float32(LARGEST), out=maps)
    return network.logit(network.weights(DETAIL_WEIGHTS), maps, summary_of(compared, blur), place.shows[window])


def summary_of(compared: FaceComparison, blur: float) -> Array:
    """Numbers about the whole: the comparison's, its log-odds, the blur, and how ink lies beside the deck's others."""
    hue = compared.hue_shift
    return np.concatenate(
        [compared.features.summary, [compared.log_odds, blur, hue.from_own, hue.from_nearest_other - hue.from_own]]
    ).astype(np.float32)


def maps_of(
    place: DetailedPlace, face: DetailedFace, blur: float, alignment: Alignment, window: Window | None = None
) -> Array:
    """Maps of what differs between a place and a face, and of what differs between faces: (map, row, column).

    Where only a window of cells is asked for, nothing else is compared.
    """
    rows, columns = window = window or (slice(0, len(place.shows)), slice(0, place.shows.shape[1]))
    soft = comparison.warp(comparison.blurred_light(single(face.planes), blur), alignment.enlarged(ZOOM))
    slope = comparison.gain_map(alignment.transform, *soft.shape[:2])
    soft = _shifted(place, soft, comparison.light_of(alignment.transform, soft, slope))
    # The cells around the window take part in what surrounds its pixels.
    around = _grown(window, MARGIN_CELLS)
    pixels = _pixels(around)
    differs = comparison.differences(
        place.planes[pixels], (place.local_max[pixels], place.local_min[pixels]), soft[pixels],
        alignment.transform, slope[pixels], DETAIL_CELL, SURROUNDINGS,
    )  # fmt: skip
    down, across = rows.start - around[0].start, columns.start - around[1].start
    inner = differs[:, down : down + rows.stop - rows.start, across : across + columns.stop - columns.start]
    return np.concatenate([inner, single(np.ascontiguousarray(face.near_twin_differences[:, *window]))])


def _shifted(place: DetailedPlace, soft: Array, light: Array) -> Array:
    """A face with each of its parts shifted to where its lightness fits a place best: Gauss-Newton, part by part."""
    rows, columns = soft.shape[:2]
    seen = cv2.extractChannel(place.planes, 0)
    shows = cv2.resize(place.shows, (columns, rows), interpolation=cv2.INTER_LINEAR)
    x, y = np.meshgrid(np.arange(columns, dtype=np.float32), np.arange(rows, dtype=np.float32))
    grid = (-(-columns // DETAIL.shift_cell_px), -(-rows // DETAIL.shift_cell_px))
    shift = np.zeros((*grid[::-1], 2), np.float32)
    there = light
    for step in range(DETAIL.shift_steps):
        slope_x, slope_y = (cv2.Sobel(there, cv2.CV_32F, *way, ksize=3, scale=0.125) for way in ((1, 0), (0, 1)))
        away = seen - there
        trust = shows / (1 + (away / np.float32(DETAIL.shift_outlier)) ** 2)
        weighed_x, weighed_y = slope_x * trust, slope_y * trust
        products = (weighed_x * slope_x, weighed_x * slope_y, weighed_y * slope_y, weighed_x * away, weighed_y * away)
        xx, xy, yy, right_x, right_y = (
            cv2.GaussianBlur(cv2.resize(each, grid, interpolation=cv2.INTER_AREA), (0, 0), DETAIL.shift_reach_cells)
            for each in products
        )
        # The normal equations of each cell, damped, solved by Cramer's rule.
        xx, yy = xx + DETAIL.shift_damping, yy + DETAIL.shift_damping
        determinant = (xx * yy - xy * xy)[..., None]
        shift += np.dstack([yy * right_x - xy * right_y, xx * right_y - xy * right_x]) / determinant
        np.clip(shift, -DETAIL.max_shift_px, DETAIL.max_shift_px, out=shift)
        right, down = cv2.split(cv2.resize(shift, (columns, rows), interpolation=cv2.INTER_LINEAR))
        planes = light if step < DETAIL.shift_steps - 1 else soft
        there = cv2.remap(planes, x + right, y + down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(there)


def _grown(window: Window, margin: int) -> Window:
    """A window with so many cells more all around, as far as there are."""
    rows, columns = (slice(max(part.start - margin, 0), part.stop + margin) for part in window)
    return rows, columns


def _pixels(window: Window) -> Window:
    """The rows and columns of pixels in a window of cells."""
    rows, columns = (slice(part.start * DETAIL_CELL, part.stop * DETAIL_CELL) for part in window)
    return rows, columns


def _on_grid(planes: Array) -> Array:
    """Means over cells."""
    return comparison.on_grid(planes, DETAIL_CELL)
