"""The small map of the template plane that explains how cells are shifted: by it a pose is corrected."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from vision.cells import Templates, lifted
from vision.geometry import Array, Points, solve_small

_LITTLE: Points = 1e-9 * np.eye(3)
_TINY: Points = 1e-9 * np.eye(8)


def correction(templates: Templates, shifts: Points, weight: Array, full: bool) -> tuple[Points, float] | None:
    """The small map of the template plane that explains the cells' shifts, and how many cells it explains.

    Affine by weighted least squares, three times, without what the one before left far off; perspective too
    where asked for.
    """
    scale = templates.width
    spots, products = _squares(templates.rows, templates.columns, templates.side)
    targets = (spots[:2] + shifts.T / scale).astype(np.float64)
    # One product of matrices has all sums of the normal equations: of weights, and of weights with targets.
    factors = np.empty((4, len(weight)))
    factors[0], factors[1:3] = 1, targets
    np.einsum("ij,ij->j", targets, targets, out=factors[3])
    kept = np.asarray(weight, np.float64)
    small = np.eye(3)
    for limit in (2.5, 1.5, 1.0):
        if np.count_nonzero(kept) < 4:
            return None
        sums = ((factors[:3] * kept) @ products).reshape(3, 3, 3)
        small[:2] = solve_small(sums[0] + _LITTLE, sums[1:, 2].T).T
        away = small[:2] @ spots - targets
        kept = np.where(np.einsum("ij,ij->j", away, away) < (limit / scale) ** 2, weight, 0.0)
    explained = np.count_nonzero(kept)
    if full and explained >= 12:
        small = _perspective(((factors * kept) @ products).reshape(4, 3, 3))
    small[:2, 2] *= scale
    small[2, :2] /= scale
    return small, float(explained)


@lru_cache(maxsize=16)
def _squares(rows: int, columns: int, side: int) -> tuple[Points, Points]:
    """Cell centres in card widths with a one below each, (3, cell), and their products with one another, (cell, 9)."""
    spots = lifted(rows, columns, side)
    return np.ascontiguousarray(spots.T), (spots[:, :, None] * spots[:, None, :]).reshape(-1, 9)


def _perspective(sums: Points) -> Points:
    """The perspective map by the sums of products of spots: weighed, and with x, y and squared length of their aim."""
    square, right = _TINY.copy(), np.empty(8)
    square[:3, :3] += sums[0]
    square[3:6, 3:6] += sums[0]
    square[:3, 6:], square[3:6, 6:] = -sums[1, :, :2], -sums[2, :, :2]
    square[6:, :6] = square[:6, 6:].T
    square[6:, 6:] += sums[3, :2, :2]
    right[:3], right[3:6], right[6:] = sums[1, 2], sums[2, 2], -sums[3, :2, 2]
    return np.append(solve_small(square, right), 1).reshape(3, 3)
