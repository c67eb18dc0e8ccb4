"""How well references agree with a place once each is moved by the small affine map by which it fits best."""

from __future__ import annotations

import cv2
import numpy as np

from vision import cells
from vision.geometry import Array, Mask, Points
from vision.tuning import CELL

_NEIGHBOURS = np.ones((3, 3), np.uint8)


def aligned_agreement(
    patch: cells.Patch, templates: cells.Templates, references: list[tuple[Array, Array]], reach: int, covered: Mask
) -> tuple[Array, Points]:
    """How well each cell of a place agrees with references, each moved by its own small affine map: (reference, cell).

    Returns the maps too: (reference, 3, 3). Reference pictures of one deck aren't all cut alike: without the maps, the
    reference whose pose was found would agree better than the others for that alone. `patch` has a margin of `reach`
    pixels; what covered cells agree means nothing.
    """
    even, seen = cells.evened(patch, templates, reach)
    # The contrast of the light is taken from the neighbouring cells.
    asked = cv2.dilate((~covered).reshape(templates.rows, templates.columns).view(np.uint8), _NEIGHBOURS).view(bool)
    shifted = cells.in_common(even, templates, np.array([pixels for pixels, _v in references]), reach, asked)
    shifted *= np.float32(1 / templates.side**2)
    variance = np.array([v for _pixels, v in references]).T
    alike = shifted / cells.contrast_of(seen)[:, :, None]
    free = alike.argmax(axis=1)
    count, shifts, faces = alike.shape
    # Where in the table the first shift of each cell and face is.
    first = cells.numbers(count)[:, None] * (shifts * faces) + cells.numbers(faces)
    peak = alike.ravel()[first + free * faces] / cells.contrast_of(variance)
    weight = (
        np.minimum(1, np.sqrt(variance) / CELL.texture_contrast)
        * np.maximum(0, peak - np.float32(CELL.min_shift_correlation))
        * ~covered[:, None]
    )
    offsets = cells.shift_of(cells.numbers(shifts), reach)
    moved, maps = _affine(templates, offsets[free], weight)
    # The best of the nine shifts about where the whole map leads a cell.
    wanted = np.clip(np.rint(moved), 1 - reach, reach - 1).astype(int) + reach
    side = 2 * reach + 1
    about = wanted[..., 1] * side + wanted[..., 0]
    nine = np.array([y * side + x for y in (-1, 0, 1) for x in (-1, 0, 1)])
    chosen = alike.ravel().take((first + about * faces)[..., None] + nine * faces).argmax(axis=2)
    return cells.agreed(seen, templates, references, shifted, about + nine[chosen]), maps


def _affine(templates: cells.Templates, shifts: Points, weight: Array) -> tuple[Points, Points]:
    """The affine maps that best explain free shifts (cell, reference, 2), held back towards none; and their shifts."""
    spots = cells.lifted(templates.rows, templates.columns, templates.side)
    middle = spots[:, :2].mean(axis=0)
    spots = spots - np.append(middle, 0.0)
    kept = np.asarray(weight, np.float64)
    for limit in (2.5, 1.5):
        weighed = (kept.T[:, :, None] * spots).transpose(0, 2, 1)
        # Regularised towards no shift and no rotation: few drawn cells must not turn a card.
        square = weighed @ spots + np.diag([0.5, 0.5, 1.0])
        solved = np.linalg.solve(square, weighed @ shifts.transpose(1, 0, 2))
        moved = (spots @ solved).transpose(1, 0, 2)
        away = shifts - moved
        kept = np.where(away[..., 0] ** 2 + away[..., 1] ** 2 < limit**2, weight, 0)
    maps = np.tile(np.eye(3), (len(solved), 1, 1))
    maps[:, :2, :2] += solved[:, :2].transpose(0, 2, 1) / templates.width
    maps[:, :2, 2] = solved[:, 2] - solved[:, :2].transpose(0, 2, 1) @ middle
    return moved, maps
