"""How a view from the side squashes the table, and the stretch that undoes it."""

from __future__ import annotations

import numpy as np

from vision.cells import Templates
from vision.geometry import Points, local_affine, map_points, rectangle
from vision.tuning import VOTE


def ellipse(pose: Points, templates: Templates, aspect: float) -> Points:
    """What a card's pose makes of a circle on the table, of area one; how the card lies doesn't matter to it."""
    _here, bent = local_affine(pose, np.array([templates.width, templates.height]) / 2)
    bent = bent @ np.diag([1.0, templates.height / (aspect * templates.width)])
    squared = bent @ bent.T
    return np.asarray(squared / np.sqrt(np.linalg.det(squared)))


def stretch(ellipses: list[Points]) -> Points | None:
    """The map after which such ellipses are circles; none where they nearly are."""
    values, axes = np.linalg.eigh(np.mean(ellipses or [np.diag([1.0, VOTE.default_stretch**-2])], axis=0))
    if values[1] < VOTE.min_rectified_stretch**2 * values[0]:
        return None
    grown = np.eye(3)
    grown[:2, :2] = axes @ np.diag(np.sqrt(values[1] / values)) @ axes.T
    return grown


def framed(rectifying: Points, width: int, height: int) -> tuple[Points, tuple[int, int]]:
    """The same map with the whole picture from the upper left on, and how large it gets."""
    corners = map_points(rectifying, rectangle(width, height))
    low, size = corners.min(axis=0), np.ceil(np.ptp(corners, axis=0)).astype(int)
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]])
    return shift @ rectifying, (int(size[0]), int(size[1]))
