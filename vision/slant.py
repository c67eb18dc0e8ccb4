"""How a view from the side squashes the table and makes what is far away smaller, and the maps that undo it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.cells import Templates
from vision.geometry import Points, area, homography_to_quad, local_affine, map_points, rectangle
from vision.tuning import OCCLUSION, VOTE


def ellipse(template_pose: Points, templates: Templates, aspect: float) -> Points:
    """What a card's pose makes of a circle on the table, of area one; how the card lies doesn't matter to it."""
    _here, bent = local_affine(template_pose, np.array([templates.width, templates.height]) / 2)
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


def levelling(cards: Sequence[Points], aspect: float) -> Points:
    """The map after which cards are equally large wherever they lie on the table.

    The area of a card is the cube of a number that changes linearly across the picture. A card tells that number well
    where it lies, and badly how it changes, which counts little.
    """
    if not cards:
        return np.eye(3)
    middle, width = np.mean(cards, axis=(0, 1)), np.sqrt(np.mean([abs(area(each)) for each in cards]) / aspect)
    # Seen from above nothing changes.
    rows, values, trust = [[1.0, 0, 0], [0, 1.0, 0]], [0.0, 0.0], [OCCLUSION.size_change_trust] * 2
    for corners in cards:
        unit_pose = homography_to_quad((corners - middle) / width, 1.0, aspect)
        change = np.linalg.inv(unit_pose).T[:, 2] * np.cbrt(np.linalg.det(unit_pose))
        here = [*map_points(unit_pose, np.array([[0.5, aspect / 2]]))[0].tolist(), 1.0]
        rows += [here, [1.0, 0, 0], [0, 1.0, 0]]
        values += [float(change @ here), float(change[0]), float(change[1])]
        trust += [1.0, OCCLUSION.size_change_trust, OCCLUSION.size_change_trust]
    trusted = np.array(rows) * np.array(trust)[:, None], np.array(values) * trust
    right, down, size = np.linalg.lstsq(*trusted, rcond=None)[0].tolist()
    about = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, width]]) / width
    return np.asarray(np.array([[1, 0, 0], [0, 1, 0], [right / size, down / size, 1]]) @ about)
