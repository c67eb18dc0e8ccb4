"""Points, quadrilaterals and plane-to-plane maps; knows nothing of cards or pictures."""

from __future__ import annotations

from typing import Any, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

# OpenCV's and NumPy's type stubs disagree about element types, so these say it by name alone.
Array: TypeAlias = "npt.NDArray[Any]"  # float32 planes, grids and tables
Points: TypeAlias = "npt.NDArray[Any]"  # float64 points as rows, and 3x3 maps
Picture: TypeAlias = "npt.NDArray[Any]"  # uint8 BGR or grey
Counts: TypeAlias = "npt.NDArray[Any]"  # integers
Mask: TypeAlias = "npt.NDArray[Any]"  # booleans, or bytes that are 0 or not


def rectangle(width: float, height: float) -> Points:
    """The corners of an upright rectangle from its top left, clockwise."""
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)


def map_points(matrix: Points, points: Points) -> Points:
    """Points through a 3x3 map."""
    lifted = np.column_stack([points, np.ones(len(points))]) @ np.asarray(matrix, np.float64).T
    return np.asarray(lifted[:, :2] / lifted[:, 2:], np.float64)


def square_to(corners: Points, width: float, height: float) -> Points:
    """The map from an upright rectangle onto a quadrilateral."""
    return np.asarray(
        cv2.getPerspectiveTransform(rectangle(width, height).astype(np.float32), np.asarray(corners, np.float32)),
        np.float64,
    )


def area(corners: Points) -> float:
    """Signed area; positive for corners that run clockwise in a picture."""
    x, y = np.asarray(corners, np.float64).T
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def is_convex(corners: Points) -> bool:
    """Whether a quadrilateral is convex and runs clockwise."""
    edges = np.roll(corners, -1, axis=0) - corners
    following = np.roll(edges, -1, axis=0)
    return bool(np.all(edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0] > 0))


def sides(corners: Points) -> Points:
    """Lengths of the top, right, bottom and left side."""
    return np.asarray(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1), np.float64)


def turn_of(corners: Points) -> float:
    """Clockwise degrees of the top from the picture's top, 0 up to 360.

    >>> turn_of(rectangle(2, 3))
    0.0
    >>> turn_of(rectangle(2, 3)[[2, 3, 0, 1]])
    180.0
    """
    up = (corners[0] + corners[1] - corners[2] - corners[3]) / 2
    return round(float(np.degrees(np.arctan2(up[0], -up[1]))) % 360, 2) % 360


def overlap(a: Points, b: Points) -> float:
    """The common area of two convex quadrilaterals as a share of the smaller one."""
    a, b = np.asarray(a), np.asarray(b)
    if (a.max(axis=0) < b.min(axis=0)).any() or (b.max(axis=0) < a.min(axis=0)).any():
        return 0.0
    common, _shape = cv2.intersectConvexConvex(np.asarray(a, np.float32), np.asarray(b, np.float32))
    smaller = min(abs(area(a)), abs(area(b)))
    return float(common) / smaller if smaller > 0 else 0.0


def turn_between(a: float, b: float) -> float:
    """The angle between two turns, 0 to 180.

    >>> turn_between(350, 20)
    30
    """
    return abs((a - b + 180) % 360 - 180)
