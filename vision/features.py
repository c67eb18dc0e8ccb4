"""Local features of a picture: where it is blob-like, at what size, which way round, and how it looks there.

A difference-of-Gaussians detector with gradient-histogram descriptors, as SIFT has, but without the doubled
first octave and with all keypoints described at once in a few array operations: several times faster.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from msgspec import Struct

from vision.geometry import Array, Picture, Points

LAYERS = 2  # extrema layers in an octave: half-octave steps keep scale within the descriptor's tolerance
FIRST_BLUR = 1.2
CAMERA_BLUR = 0.5
# A blob fainter than this share of the picture's own contrast is grain of the table or the sensor; taken
# from the picture itself, so that candle light loses nothing. The floor is half a grey level.
FAINTEST = 0.05
FLOOR = 0.002
# Ratio of principal curvatures above which an extremum slides along an edge (Lowe's 10).
EDGE = 10.0
DESCRIPTOR = 128
BUCKETS = 12
_ORIENT = 14
_PATCH = 18
_SQUARE = np.ones((3, 3), np.uint8)
_STEP = 0.75  # sample distance in units of the feature's size: 16 samples span Lowe's 12 sigma


class Features(Struct, frozen=True):
    """Keypoints as rows: positions, sizes (sigma in pixels), angles in radians, unit descriptors, contrast."""

    points: Points
    sizes: Array
    angles: Array
    descriptors: Array
    strengths: Array

    def __len__(self) -> int:
        return len(self.points)


class _Level(Struct, frozen=True):
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


def find(
    grey: Array,
    limit: int = 3000,
    mask: Picture | None = None,
    contrast: float | None = None,
    octaves: int = 99,
) -> Features:
    """The features of a picture, at most about `limit`, spread over it; only where the mask isn't 0.

    `contrast` is that of the whole picture where this is a part of it; `octaves` counts from the finest.
    """
    if contrast is None:
        contrast = float(grey.std())
    levels, spots = _extrema(grey, max(FLOOR, FAINTEST * contrast), octaves)
    if mask is not None and len(spots):
        x = np.clip(spots[:, 0].astype(int), 0, mask.shape[1] - 1)
        y = np.clip(spots[:, 1].astype(int), 0, mask.shape[0] - 1)
        spots = spots[mask[y, x] > 0]
    spots = _spread(spots, grey.shape, limit)
    if not len(spots):
        empty = np.zeros(0, np.float32)
        return Features(np.zeros((0, 2)), empty, empty, np.zeros((0, DESCRIPTOR), np.float32), empty)
    found: list[tuple[Array, Array, Array]] = []
    for number, level in enumerate(levels):
        mine = spots[spots[:, 3] == number]
        if len(mine):
            found.append(_describe(level, mine))
    rows = np.concatenate([f[0] for f in found])
    return Features(
        rows[:, :2].astype(np.float64),
        rows[:, 2].copy(),
        np.concatenate([f[1] for f in found]),
        np.concatenate([f[2] for f in found]),
        rows[:, 4].copy(),
    )


def _extrema(grey: Array, faintest: float, octaves: int) -> tuple[list[_Level], Array]:
    """Blurred levels and extrema as rows: x, y, size in the full picture, level number, response."""
    levels: list[_Level] = []
    spots: list[Array] = []
    step = 2 ** (1 / LAYERS)
    base = _blur(grey, float(np.sqrt(FIRST_BLUR**2 - CAMERA_BLUR**2)))
    zoom = 1.0
    while min(base.shape) >= 24 and zoom < 2**octaves:
        blurred = [base]
        for number in range(1, LAYERS + 3):
            before = FIRST_BLUR * step ** (number - 1)
            extra = float(np.sqrt((before * step) ** 2 - before**2))
            blurred.append(_blur(blurred[-1], extra))
        bands = [cv2.subtract(blurred[i + 1], blurred[i]) for i in range(LAYERS + 2)]
        around = [(cv2.dilate(band, _SQUARE), cv2.erode(band, _SQUARE)) for band in bands]
        for layer in range(1, LAYERS + 1):
            rows = _layer_extrema(bands, around, layer, faintest)
            if len(rows):
                blur = FIRST_BLUR * step**layer
                rows[:, :2] *= zoom
                rows[:, 2] = rows[:, 2] * blur * zoom
                rows[:, 3] = len(levels)
                spots.append(rows)
            levels.append(_Level(blurred[layer], FIRST_BLUR * step**layer, zoom))
        base = np.ascontiguousarray(blurred[LAYERS][::2, ::2])
        zoom *= 2
    return levels, np.concatenate(spots) if spots else np.zeros((0, 5), np.float32)


def _blur(picture: Array, sigma: float) -> Array:
    # Three sigma each way holds 99.7 % of the bell; OpenCV's own choice of four costs a third more.
    side = 2 * int(np.ceil(3 * sigma)) + 1
    return np.asarray(cv2.GaussianBlur(picture, (side, side), sigma), np.float32)


def _layer_extrema(bands: list[Array], around: list[tuple[Array, Array]], layer: int, faintest: float) -> Array:
    """Spots that stand out from all 26 neighbours; `around` holds the highest and lowest about each spot."""
    here = bands[layer]
    high = cv2.inRange(here, faintest, np.inf)
    low = cv2.inRange(here, -np.inf, -faintest)
    for highest, lowest in around[layer - 1 : layer + 2]:
        cv2.bitwise_and(high, cv2.compare(here, highest, cv2.CMP_GE), high)
        cv2.bitwise_and(low, cv2.compare(here, lowest, cv2.CMP_LE), low)
    spots = cv2.findNonZero(cv2.bitwise_or(high, low))
    if spots is None:
        return np.zeros((0, 5), np.float32)
    xs, ys = spots.reshape(-1, 2).T
    inside = (xs > 1) & (ys > 1) & (xs < here.shape[1] - 2) & (ys < here.shape[0] - 2)
    xs, ys = xs[inside], ys[inside]
    value = here[ys, xs]
    left, right, above, below = here[ys, xs - 1], here[ys, xs + 1], here[ys - 1, xs], here[ys + 1, xs]
    dxx, dyy = left + right - 2 * value, above + below - 2 * value
    dxy = (here[ys + 1, xs + 1] - here[ys + 1, xs - 1] - here[ys - 1, xs + 1] + here[ys - 1, xs - 1]) / 4
    trace, determinant = dxx + dyy, dxx * dyy - dxy * dxy
    round_enough = (determinant > 0) & (trace**2 * EDGE < (EDGE + 1) ** 2 * determinant)
    smaller, larger = bands[layer - 1][ys, xs], bands[layer + 1][ys, xs]
    dss = smaller + larger - 2 * value
    with np.errstate(divide="ignore", invalid="ignore"):
        shift_x = np.clip(np.nan_to_num((left - right) / (2 * dxx)), -0.5, 0.5)
        shift_y = np.clip(np.nan_to_num((above - below) / (2 * dyy)), -0.5, 0.5)
        shift_s = np.clip(np.nan_to_num((smaller - larger) / (2 * dss)), -0.5, 0.5)
    rows = np.column_stack([xs + shift_x, ys + shift_y, 2 ** (shift_s / LAYERS), np.zeros(len(xs)), np.abs(value)])
    return np.asarray(rows[round_enough], np.float32)


def _spread(spots: Array, shape: tuple[int, ...], limit: int) -> Array:
    """The strongest spots, with a fair share for each part of the picture: a dim corner has cards too."""
    if len(spots) <= limit:
        return spots
    across = np.minimum((spots[:, 0] * BUCKETS / shape[1]).astype(int), BUCKETS - 1)
    down = np.minimum((spots[:, 1] * BUCKETS / shape[0]).astype(int), BUCKETS - 1)
    bucket = down * BUCKETS + across
    order = np.lexsort((-spots[:, 4], bucket))
    start = np.searchsorted(bucket[order], np.arange(BUCKETS * BUCKETS))
    rank = np.empty(len(spots), int)
    rank[order] = np.arange(len(spots)) - start[bucket[order]]
    chosen = np.argsort(rank, kind="stable")[:limit]
    return spots[chosen]


@lru_cache(maxsize=8)
def _grid(side: int) -> tuple[Array, Array]:
    line = (np.arange(side, dtype=np.float32) - (side - 1) / 2) * np.float32(_STEP)
    across, down = np.meshgrid(line, line)
    return across.ravel(), down.ravel()


def _sample(level: _Level, rows: Array, angles: Array, side: int) -> Array:
    """Square patches around keypoints, turned upright and scaled to their size: (n, side, side)."""
    across, down = _grid(side)
    scale = rows[:, 2] / level.zoom
    cos, sin = (np.cos(angles) * scale)[:, None], (np.sin(angles) * scale)[:, None]
    x = rows[:, :1] / level.zoom + cos * across - sin * down
    y = rows[:, 1:2] / level.zoom + sin * across + cos * down
    patches = cv2.remap(level.picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patches, np.float32).reshape(-1, side, side)


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


def _orientations(level: _Level, rows: Array) -> tuple[Array, Array]:
    """Rows, repeated where two directions are about as strong, with their angles."""
    strength, direction = _gradients(_sample(level, rows, np.zeros(len(rows), np.float32), _ORIENT))
    bins = 36
    index = (direction * (bins / (2 * np.pi))).astype(np.int64) % bins
    index += (np.arange(len(rows)) * bins)[:, None]
    weight = strength * _bell(_ORIENT - 2, 1.5)
    histogram: Array = np.bincount(index.ravel(), weight.ravel(), len(rows) * bins).reshape(-1, bins)
    for _ in range(3):
        histogram = (np.roll(histogram, 1, 1) + histogram + np.roll(histogram, -1, 1)) / 3
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
    """How much each of 16x16 samples gives to each of 4x4 spatial bins."""
    line = (np.arange(16) - 7.5) / 4
    centres = np.arange(4) - 1.5
    tent = np.clip(1 - np.abs(line[:, None] - centres), 0, None)
    pooled = np.einsum("ya,xb->yxab", tent, tent).reshape(256, 16)
    return np.asarray(pooled * _bell(16, 6.0)[:, None], np.float32)


_POOLING = _pooling()


def _describe(level: _Level, spots: Array) -> tuple[Array, Array, Array]:
    rows, angles = _orientations(level, spots)
    strength, direction = _gradients(_sample(level, rows, angles, _PATCH))
    direction *= np.float32(8 / (2 * np.pi))
    histogram = np.empty((len(rows), 8, 16), np.float32)
    for number in range(8):
        away = np.abs(direction - np.float32(number))
        np.minimum(away, np.float32(8) - away, out=away)
        np.subtract(np.float32(1), away, out=away)
        np.maximum(away, np.float32(0), out=away)
        away *= strength
        histogram[:, number] = away @ _POOLING
    flat = histogram.reshape(len(rows), DESCRIPTOR)
    flat /= np.linalg.norm(flat, axis=1, keepdims=True) + np.float32(1e-9)
    np.minimum(flat, np.float32(0.2), out=flat)
    # Square roots of shares compare histograms by the Hellinger distance, kinder to other printings.
    flat /= flat.sum(axis=1, keepdims=True) + np.float32(1e-9)
    np.sqrt(flat, out=flat)
    return rows, angles, flat
