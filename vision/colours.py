"""Cards cut out of a picture in colour, upright, as if their paper were white: what the comparison sees."""

from __future__ import annotations

import cv2
import numpy as np

from vision import comparison
from vision.geometry import Array, Mask, Picture, Points
from vision.tuning import COLOUR

# From linear light in blue, green, red to CIE XYZ, each divided by white.
_TO_XYZ = np.array(
    [[0.1805, 0.3576, 0.4124], [0.0722, 0.7152, 0.2126], [0.9505, 0.1192, 0.0193]], np.float32
) / np.array([[0.9505], [1.0], [1.089]], np.float32)
LINEAR: Array = np.array([v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in np.arange(256) / 255])
LINEAR = LINEAR.astype(np.float32)


class Coloured:
    """A picture in colour, shrunk to the size at which a card in it is looked at."""

    def __init__(self, picture: Picture):
        self.picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR) if picture.ndim == 2 else picture
        self._shrunk: dict[int, Picture] = {}

    def cut(self, matrix: Points, height: int) -> Picture:
        """A card upright; `matrix` maps a rectangle of the comparison's width and this height to the picture."""
        pixels = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2])))) / max(abs(float(matrix[2, 2])), 1e-9)
        factor = 2 ** int(np.clip(np.floor(np.log2(max(pixels, 1.0)) + 0.4), 0, 5))
        small = self._shrunk.get(factor)
        if small is None:
            zoom = 1 / factor
            small = cv2.resize(self.picture, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
            self._shrunk[factor] = small
        down = np.array([[1 / factor, 0, -0.5], [0, 1 / factor, -0.5], [0, 0, 1.0]])
        middle = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        size = (comparison.WIDTH, height)
        cut = cv2.warpPerspective(small, down @ matrix @ middle, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cut)


def of_face(picture: Picture, aspect: float) -> Array:
    """A reference picture as the comparison sees it."""
    coloured = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR) if picture.ndim == 2 else picture
    size = (comparison.WIDTH, comparison.height_of(aspect))
    return planes_of(cv2.resize(coloured, size, interpolation=cv2.INTER_AREA))


def planes_of(upright: Picture, shows: Mask | None = None) -> Array:
    """An upright picture as if the paper that shows were white: (row, column, channel).

    CIELAB in hundreds of its units, but that lightness is proportional to that of the lamp.
    """
    light = LINEAR[upright]
    step = COLOUR.step
    samples = light[1::step, 1::step].reshape(-1, 3)
    if shows is not None:
        showing = samples[shows[1::step, 1::step].ravel()]
        samples = showing if len(showing) >= COLOUR.fewest else samples
    # A trace of light in what is black, so that its noise has no colour.
    x, y, z = np.cbrt((light.reshape(-1, 3) / paper(samples)) @ _TO_XYZ.T + np.float32(COLOUR.black)).T
    planes = np.stack([1.16 * y, 5 * (x - y), 2 * (y - z)], axis=1)
    return np.asarray(planes.reshape(upright.shape), np.float32)


def paper(samples: Array) -> Array:
    """The colour of what is brightest among what may be white paper by some lamp; where nothing may, grey as bright."""
    bright = samples.max(axis=1)
    top = float(np.quantile(bright, 0.98))
    logs = np.log(samples + np.float32(0.003))
    green = logs[:, 1] - (logs[:, 0] + logs[:, 2]) / 2
    warm = logs[:, 2] - logs[:, 0]
    low, high = COLOUR.warmth
    may_be = (np.abs(green) < COLOUR.greenness) & (warm > low) & (warm < high) & (bright > COLOUR.as_paper * top)
    if may_be.mean() < COLOUR.least_paper:
        return np.full(3, max(top, 1e-3), np.float32)
    found = samples[may_be]
    brightest = found[np.argsort(-found.min(axis=1))[: max(3, len(found) * 3 // 10)]]
    return np.asarray(np.maximum(np.median(brightest, axis=0), np.float32(1e-3)), np.float32)
