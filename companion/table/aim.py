"""Points the camera at the table: closer once the corner markers are seen, back to the whole when they are lost."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from vision.calibration import Calibration
from vision.cameras import SensorCrop, SupervisedCamera
from vision.geometry import Picture

# Room around the markers, as a share of the picture: a bump of the camera shouldn't push one out.
MARGIN_SHARE = 0.04
# A part nearly as large as the whole isn't worth the trouble.
WORTHWHILE = 0.9
# For so many seconds the markers may be covered before the camera looks at the whole again.
COVERED_SECONDS = 10.0


class Aim:
    """Crops the camera to the table, once each time the markers are found in the full picture."""

    def __init__(self, camera: SupervisedCamera, clock: Callable[[], float] = time.monotonic):
        self._camera = camera
        self._clock = clock
        self._is_aimed = False
        self._lost_at: float | None = None

    def follow(self, calibration: Calibration | None, picture: Picture) -> None:
        """Take in what the eye found in a picture. A lens is known for the whole picture alone: then it stays."""
        if calibration is not None and calibration.lens is not None:
            return
        if calibration is not None:
            self._lost_at = None
            if not self._is_aimed:
                self._is_aimed = True
                self._camera.aim(crop_around(calibration, picture))
        elif self._is_aimed:
            self._lost_at = self._clock() if self._lost_at is None else self._lost_at
            if self._clock() - self._lost_at > COVERED_SECONDS:
                self._is_aimed, self._lost_at = False, None
                self._camera.aim(SensorCrop())


def crop_around(calibration: Calibration, picture: Picture) -> SensorCrop:
    """The part of a picture that holds the table, in the picture's own proportions."""
    height, width = picture.shape[:2]
    corners = calibration.markers / (width, height)
    low, high = corners.min(axis=0) - MARGIN_SHARE, corners.max(axis=0) + MARGIN_SHARE
    size = float(min(1.0, (high - low).max()))
    if size > WORTHWHILE:
        return SensorCrop()
    left, top = np.clip((low + high - size) / 2, 0.0, 1.0 - size)
    return SensorCrop(float(left), float(top), size)
