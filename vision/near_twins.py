"""Whether a place has what tells a face from its near-twins: a corner number, a filling, an ink.

A stranger of the same design differs where cards of this design differ from each other, and nowhere else. So what is
left of a place, once lamp, blur and a small shift are taken out, is weighed by where the face's near-twins differ from
it, and divided by how much they do: about nothing at the face itself, about one at another card of the design. Noise,
and half a pixel of misalignment along each line, are expected and don't count. This is asked at nearly the camera's own
resolution, for a corner number has few pixels.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision import comparison
from vision.comparison import ComparisonInput, FacePlanes
from vision.geometry import Array
from vision.tuning import NEAR_TWINS

# Pixels across a card, and of a cell.
WIDTH = 120
CELL = 4
# Beside the comparison's pictures.
ZOOM = WIDTH / comparison.WIDTH
_WEIGHTS: Array = np.array([[1, NEAR_TWINS.chroma, NEAR_TWINS.chroma]], np.float32)


def height_of(aspect: float) -> int:
    """How high an upright picture is, `aspect` being the card's height over its width."""
    return round(comparison.height_of(aspect) * ZOOM)


def near_twin_deviation(
    view: ComparisonInput, seen: Array, face: FacePlanes, sharp: Array, twins: list[Array]
) -> float:
    """How far a place strays from a face towards others of its design: 0 is the face, 1 is as far as a near-twin.

    `view` and `face` are as the comparison has them, `seen`, `sharp` and `twins` the planes of the place, of the face
    and of its near-twins at this module's width.
    """
    expected, own, blur = _as_seen(view, seen, face, sharp)
    left = _on_grid(_squared(seen - expected))
    steep = _on_grid(_squared(_slope(expected, 1, 0)) + _squared(_slope(expected, 0, 1)))
    shows = cv2.resize(view.shows, left.shape[::-1], interpolation=cv2.INTER_NEAREST)
    # Along an edge, its own or that of what covers it, the table or a shadow may show.
    shows = cv2.erode(shows, np.ones((3, 3), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    noise = float(np.median(left[shows > 0.5])) if np.any(shows > 0.5) else 0.0
    honest = max(noise, NEAR_TWINS.noise) + NEAR_TWINS.misaligned * _around(steep * shows)
    left = _around(left * shows)
    found = 0.0
    for twin in twins or [np.zeros_like(sharp) + np.median(sharp, axis=(0, 1)).astype(sharp.dtype)]:
        apart = _around(_on_grid(_squared(_softened(comparison.single(twin), blur) - own)) * shows)
        weight, usual = apart**2 / (honest + apart) * shows, honest + apart
        # What differs by far more than cards of the design do is a finger or another card's corner.
        strays = np.minimum(left, NEAR_TWINS.gross * usual)
        found = max(found, float((weight * strays).sum() / ((weight * usual).sum() + 1e-9)))
    return found


def _as_seen(view: ComparisonInput, seen: Array, face: FacePlanes, sharp: Array) -> tuple[Array, Array, float]:
    """A face by the place's lamp, blur and shift; by its blur alone; and that blur."""
    change, back = comparison.align_to(view, face)
    back[:, 2] *= ZOOM
    sharp = comparison.single(sharp)
    light = comparison.light_of(change, sharp, comparison.gain_map(change, *sharp.shape[:2]))
    light, there = comparison.warp(light, back), np.ascontiguousarray(seen[..., 0])

    def lost(blur: float) -> float:
        """What a blur leaves of lightness."""
        away = there - _softened(light, blur)
        return float(np.minimum(away * away, np.float32(NEAR_TWINS.outlier**2)).sum())

    best = min(NEAR_TWINS.blurs, key=lost)
    own = _softened(sharp, best)
    return comparison.warp(comparison.apply_colour_transform(change, own), back), own, best


def _softened(planes: Array, blur: float) -> Array:
    soft = cv2.GaussianBlur(planes, (0, 0), blur * ZOOM, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(soft)


def _squared(planes: Array) -> Array:
    """Squared lengths over all channels; two cameras make chroma differ by more than lightness."""
    return np.asarray(cv2.transform(cv2.multiply(planes, planes), _WEIGHTS))


def _slope(planes: Array, across: int, down: int) -> Array:
    return np.asarray(cv2.Sobel(planes, cv2.CV_32F, across, down, ksize=3, scale=0.125))


def _on_grid(values: Array) -> Array:
    """Means over cells."""
    size = (WIDTH // CELL, round(values.shape[0] / CELL))
    return np.asarray(cv2.resize(values, size, interpolation=cv2.INTER_AREA))


def _around(values: Array) -> Array:
    """A mean over the neighbourhood of each cell: a shift of a part is no difference."""
    return np.asarray(cv2.GaussianBlur(values, (0, 0), NEAR_TWINS.near))
