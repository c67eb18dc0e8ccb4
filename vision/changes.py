"""Where a frame differs from an earlier one. Each frame is shrunk once, and compared once with each earlier one."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import cv2
import numpy as np
from msgspec import Struct

from vision.geometry import Mask, Picture, Points, median

# Changes are looked for in a picture this wide: a card's corner still covers several pixels.
SMALL_WIDTH = 320
# Grey levels by which a pixel must change; twice the noise of a dim camera after shrinking.
CHANGED_LEVELS = 14
# The small picture of a camera and its large one show the same if their proportions differ by no more than this.
SAME_SHAPE = 0.01


class ChangeMask(Struct, frozen=True):
    """What changed since the last look: a small mask, its zoom, and how much of the picture it covers."""

    changed: Mask
    zoom: float
    share: float


def shrink(frame: Picture) -> tuple[Picture, float]:
    """A small picture for seeing changes, and how much smaller it is."""
    zoom = max(1.0, frame.shape[1] / SMALL_WIDTH)
    size = (max(1, round(frame.shape[1] / zoom)), max(1, round(frame.shape[0] / zoom)))
    # By halves, as long as these are whole, OpenCV shrinks in a third of the time.
    while frame.shape[1] >= 2 * size[0] and not (frame.shape[0] % 2 or frame.shape[1] % 2):
        frame = np.asarray(cv2.resize(frame, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    return _smooth(cv2.resize(frame, size, interpolation=cv2.INTER_AREA)), zoom


def _smooth(small: cv2.typing.MatLike) -> Picture:
    return np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.uint8)


def compare(before: Picture, now: Picture, zoom: float) -> ChangeMask:
    """Where two small pictures differ, as a mask without single pixels."""
    changed = cv2.morphologyEx(changed_pixels(before, now), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    return ChangeMask(changed, zoom, cv2.countNonZero(changed) / changed.size)


def changed_pixels(before: Picture, now: Picture) -> Mask:
    """Which pixels of two small pictures differ in any colour, the light of the whole having been evened out."""
    # A lamp or the camera's own exposure changes everything a little: the usual change is taken out. In colour, since
    # of two dark cards one may be as dark as the other.
    step = cv2.subtract(now, before, dtype=cv2.CV_16S)
    usual = median(step[::4, ::4].reshape(-1, step.shape[2]))
    return np.asarray(cv2.inRange(step, usual - CHANGED_LEVELS, usual + CHANGED_LEVELS) == 0, np.uint8)


def edges_of(small: Picture) -> Picture:
    """How much a small picture changes around each pixel, in the colour that changes most."""
    steep = cv2.split(cv2.morphologyEx(small, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)))
    return np.asarray(functools.reduce(cv2.max, steep))


def filled_quads(shape: tuple[int, ...], quads: Iterable[Points], zoom: float) -> Picture:
    """A mask of this height and width, `zoom` times as small as a frame, in which some quadrilaterals of it are 1."""
    mask: Picture = np.zeros(shape[:2], np.uint8)
    for corners in quads:
        cv2.fillConvexPoly(mask, (corners / zoom).round().astype(np.int32), 1)
    return mask


class ChangeDetector:
    """The newest frame as a small picture, and what changed since earlier ones.

    The camera's own small picture is used where it has one in colour; else the frame is shrunk.
    """

    def __init__(self) -> None:
        self.small: Picture = np.zeros((1, 1, 3), np.uint8)
        self.zoom = 1.0
        self._compared: list[tuple[Picture, ChangeMask]] = []

    def on_frame(self, frame: Picture, small: Picture | None = None) -> None:
        """A new frame."""
        if small is not None and is_small_of(frame, small):
            self.small, self.zoom = _smooth(small), frame.shape[1] / small.shape[1]
        else:
            self.small, self.zoom = shrink(frame)
        self._compared = []

    def since(self, before: Picture | None) -> ChangeMask | None:
        """What changed since an earlier small picture; None if there is none, or one of another size."""
        if before is None or before.shape != self.small.shape:
            return None
        for known, difference in self._compared:
            if known is before:
                return difference
        difference = compare(before, self.small, self.zoom)
        self._compared.append((before, difference))
        return difference


def is_small_of(frame: Picture, small: Picture) -> bool:
    """Whether a small picture can stand for a frame: in colour, in the same proportions, no larger than needed."""
    if small.ndim != 3 or small.shape[1] > frame.shape[1] or small.shape[1] < SMALL_WIDTH:
        return False
    across, down = frame.shape[1] / small.shape[1], frame.shape[0] / small.shape[0]
    return bool(abs(across - down) <= SAME_SHAPE * across)
