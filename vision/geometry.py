"""Points, quadrilaterals and plane-to-plane maps; knows nothing of cards or pictures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
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
_Pair: TypeAlias = tuple[float, float]
_ONES: Array = np.ones((1, 3), np.float32)


def rectangle(width: float, height: float) -> Points:
    """The corners of an upright rectangle from its top left, clockwise."""
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)


def map_points(matrix: Points, points: Points) -> Points:
    """Points through a 3x3 map."""
    lifted = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(lifted[:, :2] / lifted[:, 2:], np.float64)


@lru_cache(maxsize=16)
def _pixels(width: int, height: int) -> Array:
    """The x and y of each pixel of a picture with a one below: (3, pixel)."""
    y, x = np.mgrid[0:height, 0:width].reshape(2, -1)
    return np.stack([x, y, np.ones_like(x)]).astype(np.float32)


def sampled(picture: Array, matrix: Points, size: tuple[int, int]) -> Array:
    """A picture of this width and height, each pixel taken from where a 3x3 map leads it; OpenCV's own takes longer."""
    width, height = size
    where = matrix.astype(np.float32) @ _pixels(width, height)
    depth = where[2:]
    x, y = (cv2.divide(where[n : n + 1], depth).reshape(height, width) for n in (0, 1))
    return np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def magnification(matrix: Points) -> float:
    """About how many times longer a 3x3 map makes what lies at its origin."""
    # Plain numbers: NumPy takes longer to begin than this to end.
    (a, b, _x), (d, e, _y), (_g, _h, depth) = matrix.tolist()
    return float(math.sqrt(abs(a * e - b * d)) / max(abs(depth), 1e-9))


def local_affine(matrix: Points, spot: Points) -> tuple[Points, Points]:
    """Where a 3x3 map leads a spot, and how it turns, scales and shears what lies about it.

    >>> here, bent = local_affine(np.diag([2.0, 3.0, 1.0]), np.array([1.0, 1.0]))
    >>> here.tolist(), bent.tolist()
    ([2.0, 3.0], [[2.0, 0.0], [0.0, 3.0]])
    """
    x, y, depth = matrix @ [*spot, 1.0]
    here = np.array([x, y]) / depth
    return here, (matrix[:2, :2] - np.outer(here, matrix[2, :2])) / depth


def solve_small(square: Points, right: Points) -> Points:
    """The solution of a small system of linear equations: OpenCV begins in a tenth of NumPy's time."""
    found = cv2.solve(square.astype(np.float64), right.astype(np.float64), flags=cv2.DECOMP_LU)[1]
    return np.asarray(found).reshape(right.shape)


def single(values: Array) -> Array:
    """Numbers in single precision: from half, OpenCV takes a tenth of NumPy's time."""
    if values.dtype == np.float32 or not values.size:
        return np.asarray(values, np.float32)
    return np.asarray(cv2.convertFp16(values.view(np.int16)))


def squared_lengths(vectors: Array) -> Array:
    """The squared length of each vector in a table (row, column, 3): NumPy's own sum takes ten times as long."""
    return np.asarray(cv2.transform(vectors * vectors, _ONES))


def median(values: Array) -> Any:
    """The middle of some values, or of each column of some rows; NumPy's own takes ten times as long to begin."""
    ordered = np.sort(values, axis=0)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def quantile(values: Array, share: float) -> float:
    """The value that a share of some values lies below, between two of them in proportion."""
    ordered, at = np.sort(values), share * (len(values) - 1)
    low = int(at)
    return float(ordered[low] + (at - low) * (ordered[min(low + 1, len(ordered) - 1)] - ordered[low]))


def homography_to_quad(corners: Points, width: float, height: float) -> Points:
    """The map from an upright rectangle onto a quadrilateral."""
    return np.asarray(
        cv2.getPerspectiveTransform(rectangle(width, height).astype(np.float32), np.asarray(corners, np.float32)),
        np.float64,
    )


def area(corners: Points) -> float:
    """Signed area; positive for corners that run clockwise in a picture."""
    # Plain numbers: for four corners, NumPy takes longer to begin than this to end.
    points = np.asarray(corners).tolist()
    return sum(ax * by - ay * bx for (ax, ay), (bx, by) in _edges(points)) / 2


def is_convex(corners: Points) -> bool:
    """Whether a quadrilateral is convex and runs clockwise."""
    edges = [(bx - ax, by - ay) for (ax, ay), (bx, by) in _edges(np.asarray(corners).tolist())]
    return all(ax * by - ay * bx > 0 for (ax, ay), (bx, by) in _edges(edges))


def _edges(points: Sequence[_Pair]) -> Iterator[tuple[_Pair, _Pair]]:
    """Each point with the next one, round to the first."""
    return zip(points, [*points[1:], points[0]], strict=True)


def sides(corners: Points) -> Points:
    """Lengths of the top, right, bottom and left side."""
    points = np.asarray(corners).tolist()
    return np.array([math.hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in _edges(points)])


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
    for ours, theirs in zip(a.T.tolist(), b.T.tolist(), strict=True):
        if max(ours) < min(theirs) or max(theirs) < min(ours):
            return 0.0
    a, b = a.astype(np.float32), b.astype(np.float32)
    smaller = min(cv2.contourArea(a), cv2.contourArea(b))
    return float(cv2.intersectConvexConvex(a, b)[0]) / smaller if smaller > 0 else 0.0


def turn_between(a: float, b: float, either_way: bool = False) -> float:
    """The angle between two turns, 0 to 180; for a card that looks the same either way up, 0 to 90.

    >>> turn_between(350, 20)
    30
    >>> turn_between(170, 5, either_way=True)
    15
    """
    apart = abs((a - b + 180) % 360 - 180)
    return min(apart, 180 - apart) if either_way else apart
