"""How good a picture of the whole table is: its light, its sharpness, and the corner markers in it."""

from __future__ import annotations

import cv2
from msgspec import Struct

from vision.calibration import find_markers
from vision.geometry import Picture, Points

# Mean grey levels below and above which cards get hard to tell apart.
DARK, BRIGHT = 40.0, 225.0
# The variance of the second derivative; a table in focus has far more.
BLURRED = 20.0


class Quality(Struct, frozen=True):
    """The numbers of a picture; `markers` are the outer corners of those in sight, in pixels."""

    light: float
    sharpness: float
    markers: dict[int, Points]


def quality_of(picture: Picture) -> Quality:
    """Measure a picture."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return Quality(float(grey.mean()), sharpness_of(grey), find_markers(picture))


def sharpness_of(picture: Picture) -> float:
    """The variance of the second derivative of a picture's brightness."""
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return float(cv2.Laplacian(grey, cv2.CV_32F).var())
