"""How likely a place shows a face: what differs between them once lamp, camera, blur and a small shift are taken out.

All of it is in colour, on upright pictures 80 pixels wide. A linear map of the face's colours with a slow change of
light across the card stands for lamp and camera, and is held near to none at all, so that no lamp turns blue into
red. A residual counts only where a pixel lies outside the range of the other picture's neighbourhood, so half a pixel
of misalignment costs nothing. A small network weighs these maps of what differs, and the lamp it took, into one
log-odds. Its weights are made by `python -m benchmarks.vision.train`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from msgspec import Struct

from vision import network
from vision.geometry import Array, Counts, Points, single, solve_small
from vision.ink import HueShift

COMPARISON_WIDTH = 80
COMPARISON_CELL = 4
COMPARISON_WEIGHTS = Path(__file__).with_name("comparison.npz")
# Blurs in pixels that a camera may add to a reference.
COMPARISON_BLURS = (0.0, 0.8, 1.3, 2.0)
# How far lamp and camera usually change lightness (by L, a, b, constant, and five slow changes across the card), and
# how far a and b each (by L, a, b, constant).
_PRIOR_SPREAD_L: Array = np.array([0.2, 0.08, 0.12, 0.1, 0.4, 0.4, 0.4, 0.4, 0.4], np.float32)
_PRIOR_SPREAD_AB: Array = np.array([[0.06, 0.2, 0.14, 0.03], [0.06, 0.14, 0.2, 0.03]], np.float32)
_PRIOR_MEAN_L: Array = np.eye(9, dtype=np.float32)[0]
_PRIOR_MEAN_AB: Array = np.eye(4, dtype=np.float32)[1:3]
_PRIOR_PRECISION_L: Array = np.diag(1 / _PRIOR_SPREAD_L**2)
_PRIOR_PRECISION_AB: Array = np.stack([np.diag(1 / spread**2) for spread in _PRIOR_SPREAD_AB])
_PRIOR_TERM_L: Array = _PRIOR_MEAN_L / _PRIOR_SPREAD_L**2
_PRIOR_TERM_AB: Array = _PRIOR_MEAN_AB / _PRIOR_SPREAD_AB**2
_NOISE = 0.1
# Neighbouring cells err together: so many count as one.
_CORRELATED_CELLS = 12
# Of sums with powers of y (rows) and x (columns), those with products of 1, x and y with one another.
_MOMENTS: Counts = np.array([[0, 1, 3], [1, 2, 4], [3, 4, 6]])
# How strongly a face is held where it is, against the slopes of its lightness.
_MOTION_HOLD: Points = 0.2 * np.eye(6)
_NEIGHBOURHOOD: Array = np.ones((3, 3), np.uint8)


class FacePlaneStack(Struct, frozen=True):
    """Reference pictures: their planes (face, row, column, channel) and these on the grid."""

    full: Array  # in half precision, for there may be hundreds
    on_grid: Array

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of the grid."""
        return self.on_grid.shape[1], self.on_grid.shape[2]

    def face(self, number: int) -> FacePlanes:
        """One of them."""
        return FacePlanes(single(self.full[number]), self.on_grid[number])


class FacePlanes(Struct, frozen=True):
    """A reference picture: its planes (row, column, channel), and these on the coarse grid."""

    full: Array
    on_grid: Array

    def blurred(self, blur: int) -> Array:
        """The planes as a camera out of focus sees them."""
        return blurred(self.full, blur)


class ComparisonInput(Struct, frozen=True):
    """A place of the picture: its planes, on the grid too, what surrounds each pixel, and where it shows."""

    full: Array
    on_grid: Array
    local_max: Array
    local_min: Array
    shows: Array  # on the grid
    weight: Array  # the same for each pixel


class ColourTransform(Struct, frozen=True):
    """What lamp and camera make of a face: coefficients for lightness, and for each chroma."""

    light: Array
    chroma: Array


class Alignment(Struct, frozen=True):
    """How a face is made to fit a place: lamp and camera, and a small affine map with its six numbers."""

    transform: ColourTransform
    inverse_map: Points
    motion: Points

    def enlarged(self, zoom: float) -> Points:
        """The map for pictures larger by a factor."""
        return self.inverse_map * [1, 1, zoom]


class ComparisonFeatures(Struct, frozen=True):
    """The network's input: maps of what differs (map, row, column), numbers about the whole, and the alignment used."""

    maps: Array
    summary: Array
    alignment: Alignment


class FaceComparison(Struct, frozen=True):
    """A face compared with a place: the features of it, the log-odds in nats, and how the ink's hue is shifted."""

    features: ComparisonFeatures
    log_odds: float
    hue_shift: HueShift


def height_of(aspect: float) -> int:
    """How high an upright picture is, `aspect` being the card's height over its width."""
    return max(2, round(COMPARISON_WIDTH * aspect / COMPARISON_CELL)) * COMPARISON_CELL


def face_of(full: Array) -> FacePlanes:
    """A reference picture made ready, from its planes, which are kept in half precision."""
    return FacePlanes(single(full.astype(np.float16)), on_grid(blurred(full, 1)))


def input_of(full: Array, shows: Array) -> ComparisonInput:
    """A place made ready; `shows` is on the grid."""
    weight = cv2.resize(shows, (COMPARISON_WIDTH, len(full)), interpolation=cv2.INTER_LINEAR)
    return ComparisonInput(full, on_grid(full), *range_around(full), shows, weight)


def range_around(full: Array) -> tuple[Array, Array]:
    """The most and the least of planes around each pixel."""
    return np.asarray(cv2.dilate(full, _NEIGHBOURHOOD)), np.asarray(cv2.erode(full, _NEIGHBOURHOOD))


def input_on_grid(full: Array, shows: Array) -> ComparisonInput:
    """A place prepared for comparisons on the grid alone."""
    return ComparisonInput(full, on_grid(full), full, full, shows, shows)


def half_turned(place: ComparisonInput) -> ComparisonInput:
    """The same place half-turned."""
    return ComparisonInput(*(flipped(getattr(place, name)) for name in place.__struct_fields__))


def flipped(planes: Array) -> Array:
    """Planes half-turned."""
    return np.asarray(cv2.flip(planes, -1))


def on_grid(planes: Array, cell: int = COMPARISON_CELL) -> Array:
    """Means over cells."""
    size = (planes.shape[1] // cell, planes.shape[0] // cell)
    return np.asarray(cv2.resize(planes, size, interpolation=cv2.INTER_AREA))


def blur_of(place: ComparisonInput, face: FacePlanes, transform: ColourTransform | None = None) -> int:
    """Which blur of a face fits a place best, by lightness alone; lamp and camera may be known already."""
    transform = transform or colour_transform(place, face)
    slope = gain_map(transform, *face.full.shape[:2])
    light, rest = np.ascontiguousarray(face.full[..., 0]), place.full[..., 0] - _tinge(transform, face.full)
    left = []
    for blur in range(len(COMPARISON_BLURS)):
        away = rest - slope * blurred(light, blur)
        left.append(float(np.vdot(place.weight, np.minimum(away * away, np.float32(0.04)))))
    return int(np.argmin(left))


def comparison_log_odds(place: ComparisonInput, features: ComparisonFeatures) -> float:
    """The log-odds in nats that a place shows a face, and not another one of the same design."""
    return network.logit(network.weights(COMPARISON_WEIGHTS), features.maps, features.summary, place.shows)


def features_of(
    place: ComparisonInput,
    face: FacePlanes,
    blur: int,
    is_camera_known: bool = False,
    transform: ColourTransform | None = None,
) -> ComparisonFeatures:
    """What differs between a place and a face, whose lamp and camera may be known already.

    `is_camera_known` where `camera_chroma` corrected the place's colours.
    """
    transform = transform or colour_transform(place, face)
    soft, slope = face.blurred(blur), gain_map(transform, *place.weight.shape)
    inverse_map, motion = _aligned(place, light_of(transform, soft, slope))
    maps = differences(place.full, (place.local_max, place.local_min), warp(soft, inverse_map), transform, slope)
    size = [
        float(is_camera_known),
        COMPARISON_BLURS[blur],
        place.shows.mean(),
        np.abs(motion).max(),
        np.abs(motion).mean(),
    ]
    summary = np.concatenate([_summary(place, face, transform, maps), size]).astype(np.float32)
    return ComparisonFeatures(maps, summary, Alignment(transform, inverse_map, motion))


def chroma_sums(place: ComparisonInput, face: FacePlanes) -> Points:
    """The normal equations by which a known card tells how lamp and camera change chroma: (chroma, row, column)."""
    transform = colour_transform(place, face)
    lit = face.on_grid.reshape(-1, 3) * gain_map(transform, *place.shows.shape).reshape(-1, 1)
    known = np.column_stack([lit, np.ones(len(lit), np.float32)])
    seen = place.on_grid.reshape(-1, 3)[:, 1:]
    away = ((seen - known @ transform.chroma.T) ** 2) @ np.ones(2, np.float32)
    trust = place.shows.ravel() / (1 + away / (_NOISE**2 * 3)) ** 2 / (_NOISE**2 * 30)
    weighed = (known * trust[:, None]).T
    return np.stack([np.column_stack([weighed @ known, weighed @ seen[:, n]]) for n in (0, 1)]).astype(np.float64)


def camera_chroma(sums: Iterable[Points]) -> Array:
    """How lamp and camera change chroma, by the normal equations of all known cards: (chroma, coefficient)."""
    total = np.concatenate([_PRIOR_PRECISION_AB, _PRIOR_TERM_AB[..., None]], axis=2) + sum(sums)
    return np.stack([np.linalg.solve(each[:, :4], each[:, 4]) for each in total])


def chroma_error(seen: Array, own: Array, shows: Array) -> float:
    """By how much the ink of what is seen is turned, paled or richer against a face's: 0 where it's the same."""
    (ink, other) = (low[..., 1] + 1j * low[..., 2] for low in (own, seen))
    strength = float((shows * np.abs(ink) ** 2).sum()) + 1e-9
    return abs(complex((shows * ink.conj() * (other - ink)).sum()) / strength)


def undo_camera_chroma(planes: Array, camera: Array) -> Array:
    """Planes as the camera of the reference pictures would have them."""
    light = planes[..., :1]
    chroma = planes[..., 1:] - light * camera[:, 0] - camera[:, 3]
    return np.concatenate([light, chroma @ np.linalg.inv(camera[:, 1:3]).T], axis=2).astype(np.float32)


def blurred(full: Array, blur: int) -> Array:
    """Planes as a camera out of focus sees them."""
    if not COMPARISON_BLURS[blur]:
        return full
    return np.asarray(cv2.GaussianBlur(full, (0, 0), COMPARISON_BLURS[blur], borderType=cv2.BORDER_REPLICATE))


@lru_cache(maxsize=8)
def _across(rows: int, columns: int) -> tuple[Array, Array]:
    """Where each column lies across the card, from -0.5 to 0.5, and each row down it."""
    x, y = ((np.arange(count, dtype=np.float32) + 0.5) / count - 0.5 for count in (columns, rows))
    return x, y


@lru_cache(maxsize=8)
def _powers(rows: int, columns: int) -> tuple[Array, Array]:
    """One, x and x squared of each column, and one, y and y squared of each row, x and y from -0.5 to 0.5."""
    x, y = _across(rows, columns)
    return np.stack([np.ones_like(x), x, x * x], axis=1), np.stack([np.ones_like(y), y, y * y])


@lru_cache(maxsize=8)
def _slow_changes(rows: int, columns: int) -> Array:
    """The slow changes of light across a card at each of its cells: (cell, change)."""
    y, x = (part.ravel() for part in np.meshgrid(*_across(rows, columns)[::-1], indexing="ij"))
    return np.stack([x, y, x * x, y * y, x * y], 1)


def thumbnail_vectors(low: Array) -> Array:
    """Vectors for a first ranking: lightness without slow changes, and colour."""
    light = np.ascontiguousarray(low[..., 0])
    slow = np.stack([cv2.blur(one, (9, 9)) for one in light])
    return np.concatenate([(light - slow)[..., None] * np.float32(2**0.5), low[..., 1:]], axis=3)


def distances(seen: Array, faces: Array, squares: Array, shows: Array) -> Array:
    """How unlike the thumbnails of faces are to that of a place where it shows: (face).

    `faces` are (face, number), and `squares` theirs: products with these take no table of differences.
    """
    place, weight = seen.ravel(), np.repeat(shows.ravel(), 3)
    away = squares @ weight - faces @ (2 * weight * place) + weight @ (place * place)
    return np.asarray(np.maximum(away, 0) / (shows.sum() + 1))


def colour_transform(place: ComparisonInput, face: FacePlanes) -> ColourTransform:
    """The likeliest change of a face's colours by lamp and camera; what is far off doesn't count."""
    own, seen, shows = face.on_grid.reshape(-1, 3), place.on_grid.reshape(-1, 3), place.shows.ravel()
    known = np.empty((len(own), 9), np.float32)
    known[:, :3], known[:, 3] = own, 1
    np.multiply(own[:, :1], _slow_changes(*place.shows.shape), out=known[:, 4:])
    both = np.concatenate([known, seen], axis=1)
    # Lightness takes all nine, each chroma the first four.
    found = np.zeros((9, 3), np.float32)
    found[:, 0], found[:4, 1:] = _PRIOR_MEAN_L, _PRIOR_MEAN_AB.T
    scale = np.float32(1 / (_NOISE**2 * _CORRELATED_CELLS))
    for _ in range(3):
        away = seen - known @ found
        far = np.einsum("ij,ij->i", away, away)
        trust = shows / (1 + far / np.float32(_NOISE**2 * 3)) ** 2 * scale
        common = (known * trust[:, None]).T @ both
        square, right = common[:, :9], common[:, 9:]
        found[:, 0] = solve_small(square + _PRIOR_PRECISION_L, right[:, 0] + _PRIOR_TERM_L)
        for n in (0, 1):
            found[:4, n + 1] = solve_small(
                square[:4, :4] + _PRIOR_PRECISION_AB[n], right[:4, n + 1] + _PRIOR_TERM_AB[n]
            )
    return ColourTransform(found[:, 0].copy(), found[:4, 1:].T.copy())


def gain_map(transform: ColourTransform, rows: int, columns: int) -> Array:
    """By how much lightness is multiplied across the card."""
    x, y = _across(rows, columns)
    c = transform.light
    across, down = c[0] + c[4] * x + c[6] * x * x, c[5] * y + c[7] * y * y
    return np.asarray((c[8] * y)[:, None] * x + across + down[:, None])


def apply_colour_transform(transform: ColourTransform, full: Array, slope: Array | None = None) -> Array:
    """A face as lamp and camera make it look; `slope` is that of light across the card, where it's known."""
    slope = gain_map(transform, *full.shape[:2]) if slope is None else slope
    linear = np.vstack([transform.light[:4], transform.chroma])
    linear[0, 0] = 0
    out = np.asarray(cv2.transform(full, linear))
    out[..., 0] += slope * full[..., 0]
    return out


def light_of(transform: ColourTransform, full: Array, slope: Array) -> Array:
    """The lightness of the same."""
    return np.asarray(_tinge(transform, full) + slope * full[..., 0])


def _tinge(transform: ColourTransform, full: Array) -> Array:
    """What chroma adds to lightness by a lamp and a camera, and what is added everywhere."""
    others = transform.light[None, :4].copy()
    others[0, 0] = 0
    return np.asarray(cv2.transform(full, others))


def _aligned(place: ComparisonInput, still: Array) -> tuple[Points, Points]:
    """The small affine map by which a face fits a place, and its six numbers: Gauss-Newton on lightness, twice.

    The numbers are the shift across and what x and y add to it, then the same for the shift down.
    """
    rows, columns = place.weight.shape
    across, down = _powers(rows, columns)
    seen = cv2.extractChannel(place.full, 0)
    motion, light = np.zeros(6), still
    products = np.empty((5, rows, columns), np.float32)
    square = np.empty((6, 6))
    for _ in range(2):
        slopes = [cv2.Sobel(light, cv2.CV_32F, *way, ksize=3, scale=0.125) for way in ((1, 0), (0, 1))]
        away = seen - light
        trust = away * away
        trust *= np.float32(1 / 0.12**2)
        trust += 1
        np.divide(place.weight, trust, out=trust)
        weighed = [slope * trust for slope in slopes]
        # The sums of the normal equations are sums of five products, each times powers of x and y.
        for number, (one, other) in enumerate(((0, slopes[0]), (0, slopes[1]), (1, slopes[1]), (0, away), (1, away))):
            np.multiply(weighed[one], other, out=products[number])
        sums = (down @ (products @ across)).reshape(5, 9).astype(np.float64)
        square[:3, :3], square[:3, 3:], square[3:, 3:] = sums[:3, _MOMENTS]
        square[3:, :3] = square[:3, 3:]
        right = sums[3:, _MOMENTS[0]].ravel()
        motion = motion + solve_small(square + _MOTION_HOLD, right - _MOTION_HOLD.diagonal() * motion)
        motion = np.clip(motion, -2.5, 2.5)
        dx, xx, xy, dy, yx, yy = motion.tolist()
        inverse_map = np.array(
            [[1 + xx / columns, xy / rows, dx - (xx + xy) / 2], [yx / columns, 1 + yy / rows, dy - (yx + yy) / 2]]
        )
        light = warp(still, inverse_map)
    return inverse_map, motion


def warp(planes: Array, inverse_map: Points) -> Array:
    """Planes through an affine map."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (planes.shape[1], planes.shape[0])
    return np.asarray(cv2.warpAffine(planes, inverse_map, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))


def differences(
    seen: Array,
    around: tuple[Array, Array],
    soft: Array,
    transform: ColourTransform,
    slope: Array,
    cell: int = COMPARISON_CELL,
    surroundings: int = 5,
) -> Array:
    """Maps of what differs between what is seen and a face, on a grid of cells: (map, row, column).

    `around` is the range of what is seen about each pixel, `soft` the face with blur and shift of the place, and
    `slope` by how much lightness is multiplied.
    """
    # Once with colours as lamp and camera may have changed them, and once with colours as they are.
    mapped = apply_colour_transform(transform, soft, slope)
    expected = np.asarray(cv2.multiply(soft, cv2.merge([slope, slope, slope])))
    expected[..., 0] = mapped[..., 0]
    local_max, local_min = range_around(expected)
    # Means over cells are linear, so that channels are added up on the grid, where they're small.
    over, under, beyond, below, away, off = (
        cv2.split(on_grid(part, cell))
        for part in (
            _above(seen, local_max),
            _above(local_min, seen),
            _above(expected, around[0]),
            _above(around[1], expected),
            cv2.absdiff(seen, expected),
            cv2.absdiff(seen, mapped),
        )
    )
    outside = [cv2.add(*each) for pair in ((over, under), (beyond, below)) for each in zip(*pair, strict=True)]
    own, light, a, b = cv2.extractChannel(seen, 0), *(cv2.extractChannel(expected, n) for n in range(3))
    size = (surroundings, surroundings)
    fine, own = cv2.subtract(light, cv2.blur(light, size)), cv2.subtract(own, cv2.blur(own, size))
    drawn = cv2.merge([np.abs(fine), np.abs(own), cv2.magnitude(a, b), cv2.absdiff(fine, own)])
    lights = (over[0], under[0], beyond[0], below[0])
    maps = np.array([*lights, *outside[1:3], *outside[4:], *away, *off[1:], *cv2.split(on_grid(drawn, cell))])
    maps *= np.float32(10)
    return maps


def _above(planes: Array, others: Array) -> Array:
    """By how much planes are above others, where they are."""
    return np.asarray(cv2.threshold(cv2.subtract(planes, others), 0, 0, cv2.THRESH_TOZERO)[1])


def _summary(place: ComparisonInput, face: FacePlanes, transform: ColourTransform, maps: Array) -> Array:
    """What is known of the whole comparison: means, lamp and camera, and the colours as they are."""
    shows, mass = place.shows, float(place.shows.sum()) + 1e-3
    lamp = [
        (transform.light - _PRIOR_MEAN_L) / _PRIOR_SPREAD_L,
        *((transform.chroma - _PRIOR_MEAN_AB) / _PRIOR_SPREAD_AB),
    ]
    seen, own = (low[..., 1] + 1j * low[..., 2] for low in (place.on_grid, face.on_grid))
    inked = float((shows * np.abs(own) ** 2).sum()) / mass
    tinted = float((shows * np.abs(seen) ** 2).sum()) / mass
    common = complex((shows * own.conj() * seen).sum()) / mass
    hue = float(np.angle(common + 1e-9)) if min(inked, tinted) > 1e-4 else 0.0
    ink = 3 * min(inked, tinted) ** 0.5
    colour = [
        *(10 * inked, 10 * tinted, 10 * common.real, 10 * common.imag, 3 * inked**0.5, 3 * tinted**0.5),
        *(hue, abs(hue) * min(1.0, ink), ink),
    ]
    means = maps.reshape(len(maps), -1) @ shows.ravel() / mass
    return np.concatenate([means, *lamp, colour])
