"""Local features of a picture: where it is blob-like, at what size, which way round, and how it looks there.

A difference-of-Gaussians detector with gradient-histogram descriptors, as SIFT has, but without the doubled
first octave and with all keypoints described at once in a few array operations: several times faster.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from msgspec import Struct

from vision.geometry import Array, Mask, Picture, Points
from vision.tuning import FEATURE

# Half a grey level: in a picture of less contrast, nothing is drawn.
FLOOR = 0.5 / 255
DESCRIPTOR = 128
CHUNK_KEYPOINTS = 128
_ORIENT = 12
_DIRECTIONS = 36
_SAMPLES = 12  # one for each sigma of the 12 that a descriptor spans (Lowe)
_SQUARE = np.ones((3, 3), np.uint8)


class Features(Struct, frozen=True):
    """Keypoints as rows: positions, sizes (sigma in pixels), angles in radians, unit descriptors, contrast."""

    points: Points
    sizes: Array
    angles: Array
    descriptors: Array
    strengths: Array

    def __len__(self) -> int:
        return len(self.points)

    def only(self, wanted: Mask) -> Features:
        """Some of them."""
        return Features(*(getattr(self, name)[wanted] for name in self.__struct_fields__))


class _BlurLevel(Struct, frozen=True):
    picture: Array
    blur: float
    zoom: float


def luminance(picture: Picture) -> Array:
    """Grey values from 0 to 1."""
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return np.asarray(grey, np.float32) * np.float32(1 / 255)


def joined(parts: list[Features]) -> Features:
    """Several sets of features as one."""
    return Features(
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.sizes for part in parts]),
        np.concatenate([part.angles for part in parts]),
        np.concatenate([part.descriptors for part in parts]),
        np.concatenate([part.strengths for part in parts]),
    )


class RawKeypoints(Struct, frozen=True):
    """Where a picture is blob-like, not described yet, as rows: x, y, size, level number, contrast."""

    levels: list[_BlurLevel]
    rows: Array

    def only(self, wanted: Mask) -> RawKeypoints:
        """Some of them."""
        return RawKeypoints(self.levels, self.rows[wanted])

    def within(self, mask: Picture) -> RawKeypoints:
        """Those where a mask isn't 0."""
        at = np.clip(self.rows[:, :2].astype(int), 0, np.array(mask.shape)[::-1] - 1)
        return self.only(mask[at[:, 1], at[:, 0]] > 0)


def find(
    grey: Array, limit: int = FEATURE.max_keypoints, contrast: float | None = None, octaves: int = 99
) -> RawKeypoints:
    """The spots of a picture, at most about `limit`, spread over it.

    `contrast` is that of the whole picture where this is a part of it; `octaves` counts from the finest.
    """
    if contrast is None:
        contrast = float(cv2.meanStdDev(grey)[1][0, 0])
    levels, spots = _extrema(grey, max(FLOOR, FEATURE.min_contrast_share * contrast), octaves)
    return RawKeypoints(levels, _spread(spots, grey.shape, limit))


def describe(spots: RawKeypoints) -> Features:
    """Features of spots: one, or where two directions are about as strong two."""
    if not len(spots.rows):
        empty = np.zeros(0, np.float32)
        return Features(np.zeros((0, 2)), empty, empty, np.zeros((0, DESCRIPTOR), np.float32), empty)
    rows, angles = _orientations(spots.levels, spots.rows[np.argsort(spots.rows[:, 3], kind="stable")])
    described = _describe(spots.levels, rows, angles)
    return Features(rows[:, :2].astype(np.float64), rows[:, 2].copy(), angles, described, rows[:, 4].copy())


def _extrema(grey: Array, faintest: float, octaves: int) -> tuple[list[_BlurLevel], Array]:
    """Blurred levels and extrema as rows: x, y, size in the full picture, level number, response."""
    levels: list[_BlurLevel] = []
    spots: list[Array] = []
    step = 2 ** (1 / FEATURE.layers_per_octave)
    base = _blur(grey, float(np.sqrt(FEATURE.first_blur_px**2 - FEATURE.camera_blur_px**2)))
    zoom = 1.0
    while min(base.shape) >= 24 and zoom < 2**octaves:
        blurred = [base]
        for number in range(1, FEATURE.layers_per_octave + 3):
            before = FEATURE.first_blur_px * step ** (number - 1)
            extra = float(np.sqrt((before * step) ** 2 - before**2))
            blurred.append(_blur(blurred[-1], extra))
        bands = [cv2.subtract(blurred[i + 1], blurred[i]) for i in range(FEATURE.layers_per_octave + 2)]
        for layer in range(1, FEATURE.layers_per_octave + 1):
            spots.append(_layer_extrema(bands[layer - 1 : layer + 2], faintest, len(levels)))
            levels.append(_BlurLevel(blurred[layer], FEATURE.first_blur_px * step**layer, zoom))
        base = np.ascontiguousarray(blurred[FEATURE.layers_per_octave][::2, ::2])
        zoom *= 2
    return levels, _refined(levels, np.concatenate(spots)) if spots else np.zeros((0, 5), np.float32)


def _blur(picture: Array, sigma: float) -> Array:
    # Three sigma each way holds 99.7 % of the bell; OpenCV's own choice of four costs a third more.
    side = 2 * int(np.ceil(3 * sigma)) + 1
    return np.asarray(cv2.GaussianBlur(picture, (side, side), sigma), np.float32)


# Where the eight neighbours of a spot lie, row by row, itself in the middle.
_ABOUT = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)])


def _layer_extrema(bands: list[Array], faintest: float, level: int) -> Array:
    """Spots of the middle one of three bands that stand out from all 26 neighbours.

    As rows: x, y, level, the spot and its eight neighbours, and the same spot one band finer and coarser.
    """
    finer, here, coarser = bands
    # First among the eight in their own band, which leaves few to be compared with those of the other two.
    highest = cv2.compare(here, np.maximum(cv2.dilate(here, _SQUARE), np.float32(faintest)), cv2.CMP_GE)
    lowest = cv2.compare(here, np.minimum(cv2.erode(here, _SQUARE), np.float32(-faintest)), cv2.CMP_LE)
    # An extremum at the very edge has no neighbours.
    spots = cv2.findNonZero(np.ascontiguousarray(cv2.bitwise_or(highest, lowest)[2:-2, 2:-2]))
    if spots is None:
        return np.zeros((0, 14), np.float32)
    spots = spots.reshape(-1, 2) + 2
    at = spots[:, 1] * here.shape[1] + spots[:, 0]
    value = here.ravel()[at]
    # A row for each neighbour: of many short rows, NumPy takes ten times as long for a maximum.
    near = at + (_ABOUT @ np.array([1, here.shape[1]]))[:, None]
    around = np.concatenate([finer.ravel()[near], coarser.ravel()[near]])
    stands_out = (around * np.sign(value)).max(axis=0) <= np.abs(value)
    spots, near, around = spots[stands_out], near[:, stands_out], around[:, stands_out]
    found = np.empty((14, len(spots)), np.float32)
    found[:2], found[2], found[3:12], found[12], found[13] = spots.T, level, here.ravel()[near], around[4], around[13]
    return np.ascontiguousarray(found.T)


def _refined(levels: list[_BlurLevel], rows: Array) -> Array:
    """Extrema between pixels, without those that slide along an edge: x, y, size, level number, response."""
    level = rows[:, 2].astype(int)
    ul, above, ur, left, value, right, dl, below, dr, finer, coarser = rows[:, 3:].T
    dxx, dyy, dxy = left + right - 2 * value, above + below - 2 * value, (dr - dl - ur + ul) / 4
    trace, determinant = dxx + dyy, dxx * dyy - dxy * dxy
    round_enough = (determinant > 0) & (
        trace**2 * FEATURE.max_curvature_ratio < (FEATURE.max_curvature_ratio + 1) ** 2 * determinant
    )
    dss = finer + coarser - 2 * value
    with np.errstate(divide="ignore", invalid="ignore"):
        shift_x = np.clip(np.nan_to_num((left - right) / (2 * dxx)), -0.5, 0.5)
        shift_y = np.clip(np.nan_to_num((above - below) / (2 * dyy)), -0.5, 0.5)
        shift_s = np.clip(np.nan_to_num((finer - coarser) / (2 * dss)), -0.5, 0.5)
    zoom = np.array([each.zoom for each in levels])[level]
    size = np.array([each.blur * each.zoom for each in levels])[level] * 2 ** (shift_s / FEATURE.layers_per_octave)
    found = np.column_stack([(rows[:, 0] + shift_x) * zoom, (rows[:, 1] + shift_y) * zoom, size, level, np.abs(value)])
    return np.asarray(found[round_enough], np.float32)


def _spread(spots: Array, shape: tuple[int, ...], limit: int) -> Array:
    """The strongest spots, with a fair share for each part of the picture: a dim corner has cards too."""
    if len(spots) <= limit:
        return spots
    across = np.minimum((spots[:, 0] * FEATURE.grid_parts / shape[1]).astype(int), FEATURE.grid_parts - 1)
    down = np.minimum((spots[:, 1] * FEATURE.grid_parts / shape[0]).astype(int), FEATURE.grid_parts - 1)
    bucket = down * FEATURE.grid_parts + across
    order = np.lexsort((-spots[:, 4], bucket))
    start = np.searchsorted(bucket[order], np.arange(FEATURE.grid_parts * FEATURE.grid_parts))
    rank = np.empty(len(spots), int)
    rank[order] = np.arange(len(spots)) - start[bucket[order]]
    chosen = np.argsort(rank, kind="stable")[:limit]
    return spots[chosen]


@lru_cache(maxsize=8)
def _grid(side: int) -> tuple[Array, Array]:
    line = np.arange(side, dtype=np.float32) - (side - 1) / 2
    across, down = np.meshgrid(line, line)
    return across.ravel(), down.ravel()


def _sample(levels: list[_BlurLevel], rows: Array, angles: Array, side: int) -> Array:
    """Square patches around keypoints, turned upright and scaled to their size: (n, side, side).

    Rows are sorted by level.
    """
    across, down = _grid(side)
    zoom = np.array([level.zoom for level in levels], np.float32)[rows[:, 3].astype(int)]
    scale = rows[:, 2] / zoom
    cos, sin = (np.cos(angles) * scale)[:, None], (np.sin(angles) * scale)[:, None]
    x = (rows[:, 0] / zoom)[:, None] + cos * across - sin * down
    y = (rows[:, 1] / zoom)[:, None] + sin * across + cos * down
    patches = np.empty(x.shape, np.float32)
    edges = np.searchsorted(rows[:, 3], np.arange(len(levels) + 1))
    for level, begin, end in zip(levels, edges, edges[1:], strict=False):
        if begin < end:
            patches[begin:end] = cv2.remap(
                level.picture, x[begin:end], y[begin:end], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            )
    return patches.reshape(-1, side, side)


def _gradients(patches: Array) -> tuple[Array, Array]:
    """Strength and direction (radians, 0 to 2 pi) inside each patch, as (n, samples)."""
    dx = patches[:, 1:-1, 2:] - patches[:, 1:-1, :-2]
    dy = patches[:, 2:, 1:-1] - patches[:, :-2, 1:-1]
    count = len(patches)
    strength, direction = cv2.cartToPolar(dx.reshape(count, -1), dy.reshape(count, -1))
    return np.asarray(strength, np.float32), np.asarray(direction, np.float32)


def _bell(side: int, sigma: float) -> Array:
    across, down = _grid(side)
    return np.asarray(np.exp(-(across**2 + down**2) / (2 * sigma**2)), np.float32)


def _smoothing() -> Array:
    """Three means of three neighbouring directions, as one matrix."""
    one = np.eye(_DIRECTIONS)
    return np.linalg.matrix_power((np.roll(one, 1, 1) + one + np.roll(one, -1, 1)) / 3, 3)


_SMOOTHING = _smoothing()


def _orientations(levels: list[_BlurLevel], rows: Array) -> tuple[Array, Array]:
    """Rows, repeated where two directions are about as strong, with their angles."""
    strength, direction = _gradients(_sample(levels, rows, np.zeros(len(rows), np.float32), _ORIENT))
    bins = _DIRECTIONS
    index = (direction * np.float32(bins / (2 * np.pi))).astype(np.int64)
    index[index == bins] = 0
    index += (np.arange(len(rows)) * bins)[:, None]
    weight = strength * _bell(_ORIENT - 2, 1.5)
    histogram: Array = np.bincount(index.ravel(), weight.ravel(), len(rows) * bins).reshape(-1, bins) @ _SMOOTHING
    before, after = np.roll(histogram, 1, 1), np.roll(histogram, -1, 1)
    peaks = (histogram > before) & (histogram >= after)
    peaks &= histogram >= 0.8 * histogram.max(axis=1, keepdims=True)
    which, peak = np.nonzero(peaks)
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = histogram[which, peak]
        shift = 0.5 * (before[which, peak] - after[which, peak])
        shift /= before[which, peak] - 2 * middle + after[which, peak]
    angles = (peak + 0.5 + np.nan_to_num(shift)) * (2 * np.pi / bins)
    return rows[which], angles.astype(np.float32)


def _pooling() -> Array:
    """How much each sample gives to each of 4x4 spatial bins."""
    line = (np.arange(_SAMPLES) - (_SAMPLES - 1) / 2) * (4 / _SAMPLES)
    centres = np.arange(4) - 1.5
    tent = np.clip(1 - np.abs(line[:, None] - centres), 0, None)
    pooled = np.einsum("ya,xb->yxab", tent, tent).reshape(-1, 16)
    return np.asarray(pooled * _bell(_SAMPLES, 6.0)[:, None], np.float32)


_POOLING = _pooling()


def _describe(levels: list[_BlurLevel], rows: Array, angles: Array) -> Array:
    strength, direction = _gradients(_sample(levels, rows, angles, _SAMPLES + 2))
    direction *= np.float32(8 / (2 * np.pi))
    histogram = np.empty((len(rows), 8, 16), np.float32)
    # In parts that stay in the processor's cache.
    for part in (slice(begin, begin + CHUNK_KEYPOINTS) for begin in range(0, len(rows), CHUNK_KEYPOINTS)):
        for number in range(8):
            away = np.abs(direction[part] - np.float32(number))
            np.minimum(away, np.float32(8) - away, out=away)
            np.subtract(np.float32(1), away, out=away)
            np.maximum(away, np.float32(0), out=away)
            away *= strength[part]
            histogram[part, number] = away @ _POOLING
    flat = histogram.reshape(len(rows), DESCRIPTOR)
    flat /= np.linalg.norm(flat, axis=1, keepdims=True) + np.float32(1e-9)
    np.minimum(flat, np.float32(0.2), out=flat)
    # Square roots of shares compare histograms by the Hellinger distance, kinder to other printings.
    flat /= flat.sum(axis=1, keepdims=True) + np.float32(1e-9)
    np.sqrt(flat, out=flat)
    return flat
