"""How good a picture of the whole table is: its light, its sharpness, and the corner markers in it."""

from __future__ import annotations

import cv2
import numpy as np
from msgspec import Struct

from vision.calibration import find_markers
from vision.geometry import Array, Picture, Points
from vision.tuning import FOCUS

# Mean grey levels below and above which cards get hard to tell apart.
DARK_LEVEL, BRIGHT_LEVEL = 40.0, 225.0
# Pictures are measured as if they were this wide: a card is as large in them as the recogniser sees it.
WIDE = 1280
# Halved so often at most, an edge that is smeared over thirty pixels is steep enough to be measured.
HALVINGS = 3
# No smaller picture is halved.
LEAST = 64


class Quality(Struct, frozen=True):
    """The numbers of a picture; `markers` are the outer corners of those in sight, in pixels."""

    light: float
    sharpness: float | None
    markers: dict[int, Points]


def quality_of(picture: Picture) -> Quality:
    """Measure a picture."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return Quality(float(grey.mean()), sharpness_of(grey), find_markers(picture))


def sharpness_of(picture: Picture) -> float | None:
    """How sharp a picture is, from 0 to 100 for one that loses nothing; None where it has too few edges to tell.

    It doesn't depend on what lies on the table: only the steepest edges are asked how wide they are.
    """
    blur = blur_px_of(picture)
    return None if blur is None else min(100.0, 100 * FOCUS.harmless_blur_px / max(blur, FOCUS.harmless_blur_px))


def is_blurred(sharpness: float | None, has_markers: bool, was_blurred: bool = False) -> bool:
    """Whether the lens should be turned; once that was said, until the picture is plainly sharp.

    Without corner markers in sight the steepest edges may be those of a soft print: then only what is worse is blurred.
    """
    if was_blurred:
        least = FOCUS.recovered_sharpness
    else:
        least = FOCUS.min_sharpness if has_markers else FOCUS.min_sharpness_without_markers
    return sharpness is not None and sharpness < least


def blur_px_of(picture: Picture) -> float | None:
    """The blur as a standard deviation in pixels of a picture 1280 wide; None where there are too few edges to tell."""
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    if grey.shape[1] > WIDE:
        size = (WIDE, round(grey.shape[0] * WIDE / grey.shape[1]))
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    for halved in range(HALVINGS + 1):
        # An edge is as long as half as many pixels then.
        blur = _edge_width(grey.astype(np.float32), FOCUS.min_edges >> halved)
        # What is wider than the measuring blur itself is measured better in a smaller picture.
        if blur is not None and (blur < 2 * FOCUS.measuring_blur_px or halved == HALVINGS):
            return blur * float(2**halved)
        if min(grey.shape) < LEAST:
            break
        grey = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return None


def _edge_width(grey: Array, edges: int) -> float | None:
    """How far the steepest edges of a picture are blurred, by how much less steep a little more blur makes them."""
    fine, coarse = FOCUS.measuring_blur_px, 2 * FOCUS.measuring_blur_px
    steep, softened = (_steepness(cv2.GaussianBlur(grey, (0, 0), sigma)) for sigma in (fine, coarse))
    ridge = (steep > FOCUS.min_steepness) & (steep >= cv2.dilate(steep, np.ones((5, 5), np.uint8)))
    found = steep[ridge]
    if len(found) < edges:
        return None
    count = max(edges, round(FOCUS.steepest_share * len(found)))
    most = np.argpartition(found, -count)[-count:]
    # A step blurred by s is as steep as 1 / s: two more blurs give two such numbers, and so s.
    ratio = np.clip(found[most] / np.maximum(softened[ridge][most], 1e-3), 1.0005, coarse / fine)
    return float(np.median(np.sqrt(np.maximum(0, coarse**2 - (ratio * fine) ** 2) / (ratio**2 - 1))))


def _steepness(grey: cv2.typing.MatLike) -> Array:
    """Grey levels a pixel."""
    across, down = (cv2.Sobel(grey, cv2.CV_32F, *way, ksize=3, scale=1 / 8) for way in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(across, down))
