"""Minds the lens: when the picture is blurred, until it's sharp again, and how sharp it is while somebody turns it."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.table.sight import Sharpness
from vision.geometry import Picture
from vision.quality import is_blurred, sharpness_of

# Seconds between two measurements while all is well; else each picture is measured.
SELDOM_SECONDS = 2.0
# So many measurements in a row must say so before the lens is called blurred, or sharp again.
AGREEING = 5
# Once it's sharp, somebody still turns the lens while the sharpness changes by more than this, of 100; noise is less.
SHARPNESS_STEP = 3


class FocusWatch:
    """Whether the lens must be focused. `sharpness` is set from the first blur until it stays sharp."""

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self.is_blurred = False
        self.sharpness: Sharpness | None = None
        self._clock = clock
        self._due = 0.0
        self._contradicting = 0
        self._steady = 0

    def on_picture(self, picture: Picture, has_markers: bool) -> None:
        """Take in a picture, measured if it's time to."""
        now = self._clock()
        if self.sharpness is None and not self._contradicting and now < self._due:
            return
        self._due = now + SELDOM_SECONDS
        self.on_sharpness(sharpness_of(picture), has_markers)

    def on_sharpness(self, sharpness: float | None, has_markers: bool) -> None:
        """Take in a measurement; a picture with too few edges to tell is none."""
        if sharpness is None:
            return
        seems_blurred = is_blurred(sharpness, has_markers, self.is_blurred)
        self._contradicting = self._contradicting + 1 if seems_blurred != self.is_blurred else 0
        if self._contradicting == AGREEING:
            self.is_blurred, self._contradicting, self._steady = seems_blurred, 0, 0
        self._follow(round(sharpness))

    def _follow(self, sharpness: int) -> None:
        before = self.sharpness
        if before is None:
            self.sharpness = Sharpness(sharpness, sharpness) if self.is_blurred else None
            return
        is_turned = abs(sharpness - before.now) > SHARPNESS_STEP
        self._steady = 0 if is_turned or self.is_blurred else self._steady + 1
        # Noise isn't told.
        now = sharpness if is_turned else before.now
        self.sharpness = None if self._steady == 2 * AGREEING else Sharpness(now, max(before.best, now))
