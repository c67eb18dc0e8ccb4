"""The colours of a face and of a place, cell by cell, with the paper's own colour divided out; and how unlike they are.

Two cameras make different colours of one card, and lamps have colours of their own. Both amount to a
small linear change of all colours of a card together: it's estimated for each face that may lie at a place, and the
less likely it is, the more it costs. So no lamp turns blue into red.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from msgspec import Struct

from vision.cells import Templates
from vision.geometry import Array, Mask, Picture, Points, magnification, median, quantile, sampled
from vision.tuning import COLOUR

# From linear light in blue, green, red to CIE XYZ, each divided by white.
TO_XYZ = np.array(
    [[0.1805, 0.3576, 0.4124], [0.0722, 0.7152, 0.2126], [0.9505, 0.1192, 0.0193]], np.float32
) / np.array([[0.9505], [1.0], [1.089]], np.float32)
# From the cube roots of these to CIELAB, in hundreds of its units.
TO_LAB = np.array([[0, 1.16, 0, -0.16], [5, -5, 0, 0], [0, 2, -2, 0]], np.float32)
FROM_LAB: Array = np.linalg.inv(np.vstack([TO_LAB, [0, 0, 0, 1]]))[:3].astype(np.float32)
LINEAR: Array = np.array([v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in np.arange(256) / 255])
LINEAR = LINEAR.astype(np.float32)

# The change of colours that lamp and camera usually make, by how much they differ from it, and what holds them to it.
_PRIOR_MEAN: Array = np.vstack([np.eye(3), np.zeros((1, 3))]).astype(np.float32)
_PRIOR_SPREAD: Array = np.array(COLOUR.transform_spread, np.float32)
_PRIOR_TERM: Array = _PRIOR_MEAN / _PRIOR_SPREAD**2
_PRIOR_PRECISION: Array = np.stack([np.diag(1 / _PRIOR_SPREAD[:, channel] ** 2) for channel in range(3)])


class ColourMatch(Struct, frozen=True):
    """How unlike the colours of a place are to those of some faces after the likeliest change of lamp and camera."""

    unlike: Array  # (face, cell): squared distance in standard deviations, over three channels
    cost: Array  # (face): how unlikely the change itself is, in nats
    transform: Array  # (face, 4, 3): from a reference's colours, and one, to those seen


class PatchColours(Struct, frozen=True):
    """The colours of a place (sample, channel), and those of its paper in linear light."""

    samples: Array
    white: Array


class ColourPyramid:
    """A picture in colour at several sizes; each is made when a place needs it first."""

    def __init__(self, picture: Picture):
        self.picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR) if picture.ndim == 2 else picture
        self._shrunk: dict[int, Picture] = {}

    def shrunk(self, factor: int) -> Picture:
        """The picture so many times smaller."""
        small = self._shrunk.get(factor)
        if small is None:
            zoom = 1 / factor
            small = cv2.resize(self.picture, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
            self._shrunk[factor] = small
        return small

    def at(self, matrix: Points, templates: Templates, covered: Mask) -> PatchColours:
        """The colours of a place; `matrix` maps template pixels to the picture."""
        light = np.asarray(cv2.LUT(self._patch(matrix, templates), LINEAR)).reshape(-1, 3)
        shows = on_samples(~covered, templates)
        white = paper(light[shows] if shows.any() else light)
        return PatchColours(_lab(light, white), white)

    def at_each(self, matrices: list[Points], templates: Templates, white: Array) -> Array:
        """The colours of a place by several maps, its paper being known: (map, sample, channel)."""
        patches = np.array([self._patch(matrix, templates) for matrix in matrices])
        light = np.asarray(cv2.LUT(patches.reshape(len(patches), -1, 3), LINEAR))
        return _lab(light.reshape(-1, 3), white).reshape(light.shape)

    def _patch(self, matrix: Points, templates: Templates) -> Picture:
        """A place as a picture with a pixel for each sample."""
        # Four spots a sample, so that nothing of what lies between samples is missed.
        across = COLOUR.samples_per_cell_side * 2
        step = templates.side / across
        factor = 2 ** min(round(math.log2(max(magnification(matrix) * step, 1.0))), 5)
        small = self.shrunk(factor)
        down = np.array([[1 / factor, 0, -0.5], [0, 1 / factor, -0.5], [0, 0, 1.0]])
        spots = np.array([[step, 0, step / 2], [0, step, step / 2], [0, 0, 1.0]])
        size = (templates.columns * across, templates.rows * across)
        patch = sampled(small, down @ matrix @ spots, size)
        return np.asarray(cv2.resize(patch, (size[0] // 2, size[1] // 2), interpolation=cv2.INTER_AREA))


def of_face(picture: Picture, columns: int, rows: int) -> Array:
    """The colours of a reference picture cut into cells: (sample, channel)."""
    coloured = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR) if picture.ndim == 2 else picture
    size = (columns * COLOUR.samples_per_cell_side, rows * COLOUR.samples_per_cell_side)
    light = LINEAR[cv2.resize(coloured, size, interpolation=cv2.INTER_AREA)].reshape(-1, 3)
    return _lab(light, paper(light))


def on_samples(values: Array, templates: Templates) -> Array:
    """What is known of each cell, for each of its colour samples."""
    across = COLOUR.samples_per_cell_side
    grid = values.reshape(templates.rows, templates.columns)
    return np.repeat(np.repeat(grid, across, axis=0), across, axis=1).ravel()


def in_cells(samples: Array, templates: Templates) -> Array:
    """The mean colour of each cell: (…, cell, channel)."""
    across = COLOUR.samples_per_cell_side
    if samples.ndim == 2:
        grid = samples.reshape(templates.rows * across, templates.columns * across, 3)
        return cv2.resize(grid, (templates.columns, templates.rows), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    grid = samples.reshape(*samples.shape[:-2], templates.rows, across, templates.columns, across, 3)
    return np.asarray(grid.mean(axis=(-4, -2)).reshape(*samples.shape[:-2], -1, 3), np.float32)


def _lab(light: Array, white: Array) -> Array:
    """Each sample in CIELAB, in hundreds of its units, as if the paper were white: (sample, channel)."""
    # A trace of light in what is black, so that its noise has no colour.
    to_xyz = np.column_stack([TO_XYZ / white, np.full(3, COLOUR.black_offset, np.float32)])
    roots = cv2.pow(cv2.transform(light[None], to_xyz), 1 / 3)
    return np.asarray(cv2.transform(roots, TO_LAB)[0])


def gamma_coded(light: Array) -> Array:
    """Linear light from 0 to 1 as pictures keep it (sRGB)."""
    coded = np.float32(1.055) * cv2.pow(np.maximum(light, 0), 1 / 2.4) - np.float32(0.055)
    return np.asarray(np.where(light <= 0.0031308, 12.92 * light, coded), np.float32)


def shrunk(picture: Picture, size: tuple[int, int]) -> Picture:
    """A picture in this smaller width and height; each pixel has the mean light of those it stands for."""
    light = cv2.resize(cv2.LUT(picture, LINEAR), size, interpolation=cv2.INTER_AREA)
    return np.asarray(gamma_coded(np.asarray(light)) * 255 + 0.5, np.uint8)


def paper(samples: Array) -> Array:
    """The paper's colour: the brightest samples that a lamp may have tinted; where there are none, a grey as bright."""
    # Channels in rows: of many short rows, NumPy takes ten times as long for a maximum.
    channels = np.ascontiguousarray(samples.T)
    bright = np.maximum(np.maximum(channels[0], channels[1]), channels[2])
    top = quantile(bright, 0.98)
    logs = np.log(channels + np.float32(0.003))
    green = logs[1] - (logs[0] + logs[2]) / 2
    warm = logs[2] - logs[0]
    low, high = COLOUR.paper_warmth_range
    may_be = (
        (np.abs(green) < COLOUR.max_paper_greenness)
        & (warm > low)
        & (warm < high)
        & (bright > COLOUR.min_paper_brightness * top)
    )
    count = np.count_nonzero(may_be)
    if count < COLOUR.min_paper_share * len(samples):
        return np.full(3, max(top, 1e-3), np.float32)
    found = channels[:, may_be]
    least = np.minimum(np.minimum(found[0], found[1]), found[2])
    brightest = found[:, np.argsort(-least)[: max(3, count * 3 // 10)]]
    return np.asarray(np.maximum(median(brightest.T), np.float32(1e-3)), np.float32)


def compare(place: Array, faces: Array, shows: Array) -> ColourMatch:
    """How unlike places are to faces, both (face, sample, channel), once lamp and camera are undone."""
    count, samples = faces.shape[:2]
    # Channels side by side, in rows as long as there are samples: products of few long rows are quick.
    both = np.empty((count, 7, samples), np.float32)
    both[:, :3], both[:, 3], both[:, 4:] = faces.transpose(0, 2, 1), 1, place.transpose(0, 2, 1)
    known, seen, across = both[:, :4], both[:, 4:], both.transpose(0, 2, 1)
    transform = np.broadcast_to(_PRIOR_MEAN, (count, 4, 3))
    for _ in range(COLOUR.max_rounds):
        # Samples far off, a reflection or a finger, don't steer the estimate.
        weight = shows / (1 + _unlike(seen, known, transform) / np.float32(COLOUR.outlier_noise_squares)) ** 2
        weight *= np.float32(1 / (COLOUR.noise_lab**2 * COLOUR.correlated_samples))
        sums = (known * weight[:, None]) @ across
        square, common = sums[:, :, :4], sums[:, :, 4:] + _PRIOR_TERM
        # All channels at once: (face, channel, 4).
        found = np.linalg.solve(square[:, None] + _PRIOR_PRECISION, common.transpose(0, 2, 1)[..., None])
        transform = found[..., 0].transpose(0, 2, 1)
    unlikely = (((transform - _PRIOR_MEAN) / _PRIOR_SPREAD) ** 2).sum(axis=(1, 2)) / 2
    return ColourMatch(_unlike(seen, known, transform), unlikely, transform)


def _unlike(seen: Array, known: Array, transform: Array) -> Array:
    """How far colours (face, channel, sample) are from known ones changed, squared, in deviations: (face, sample)."""
    away = transform.transpose(0, 2, 1) @ known
    away -= seen
    away *= away
    unlike = away[:, 0] + away[:, 1]
    unlike += away[:, 2]
    unlike *= np.float32(1 / COLOUR.noise_lab**2)
    return np.asarray(unlike)


def hue_difference(place: Array, face: Array, shows: Mask) -> float:
    """By how much the ink of a place is turned in hue against a face's, and half of how much it's paler or stronger.

    In radians and logarithms. The paper's own tint is taken out first; of a face without colours it is next to nothing.
    """
    seen, own = (colours[:, 1] + 1j * colours[:, 2] for colours in (place, face))
    plain = shows & (np.abs(own) < COLOUR.noise_lab / 2)
    if np.count_nonzero(plain) > COLOUR.samples_per_cell_side**2:
        seen = seen - median(seen[plain].real) - 1j * median(seen[plain].imag)
    power = float((shows * np.abs(own) ** 2).sum())
    turned = complex((shows * own.conj() * seen).sum()) / (power + 1e-6)
    apart = abs(np.angle(turned)) + abs(math.log(max(abs(turned), 0.01))) / 2
    return float(apart * power / (power + COLOUR.pale_chroma_sum))
