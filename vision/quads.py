"""Card outlines: quadrilaterals of a card's shape that stand out from the table. Names nothing."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Counts, Mask, Picture, Points, area, is_convex, overlap, sides

# A face that correlates less than this over the whole outline isn't the card in it.
WORTH = 0.3
# An outline whose middle is this far (in card widths) from a card's is another card's; sleeves are wider than
# cards, but all around.
BESIDE = 0.15


def find(picture: Picture, aspect: float, smallest: float) -> list[Points]:
    """The outlines in a picture, largest first, corners clockwise with a short side on top."""
    # Half the resolution is plenty for outlines, and drops the grain.
    half = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    grey = half if half.ndim == 2 else cv2.cvtColor(half, cv2.COLOR_BGR2GRAY)
    found: list[Points] = []
    soft = cv2.GaussianBlur(grey, (3, 3), 0)
    level, binary = cv2.threshold(soft, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    edges = cv2.dilate(cv2.Canny(soft, level * 0.3, level * 0.7), np.ones((3, 3), np.uint8))
    wide = 2 * (max(grey.shape) // 24) + 1
    local = cv2.adaptiveThreshold(soft, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, wide, -4)
    least = (smallest / 2) ** 2 * aspect * 0.6
    for shapes in (edges, binary, local):
        contours, _tree = cv2.findContours(shapes, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            # Nearly all are specks.
            if len(contour) < 4 or cv2.contourArea(contour) < least:
                continue
            corners = _card_quad(contour, aspect)
            if corners is not None:
                found.append(corners * 2 + 0.5)
    found.sort(key=lambda c: -abs(area(c)))
    kept: list[Points] = []
    for corners in found:
        if all(overlap(corners, other) < 0.5 for other in kept):
            kept.append(corners)
    return kept


def _card_quad(contour: Counts, aspect: float) -> Points | None:
    around = cv2.convexHull(contour)
    # A card's outline fills its own hull; a tangle of edges doesn't.
    if cv2.contourArea(contour) < 0.85 * cv2.contourArea(around):
        return None
    shape = cv2.approxPolyDP(around, 0.03 * cv2.arcLength(around, True), True)
    if len(shape) != 4:
        return None
    corners = shape.reshape(4, 2).astype(np.float64)
    if area(corners) < 0:
        corners = corners[::-1]
    if not is_convex(corners):
        return None
    top, right, bottom, left = sides(corners)
    if top + bottom > right + left:
        corners = np.roll(corners, -1, axis=0)
        top, right, bottom, left = sides(corners)
    tall = (right + left) / (top + bottom) / aspect
    return corners if 0.42 < tall < 2.2 and max(top, bottom) < 1.6 * min(top, bottom) else None


def stands_straight(corners: Points, aspect: float, slack: float = 1.15) -> bool:
    """Whether an outline has a card's own shape, so that it can't as well be one seen at a slant."""
    top, right, bottom, left = sides(corners)
    return bool(1 / slack < (right + left) / (top + bottom) / aspect < slack)


def lies_elsewhere(outline: Points, corners: Points, aspect: float) -> bool:
    """Whether an outline is that of another card, which lies over the card with these corners.

    Cards are of one size; what is smaller is drawn on a card, what is larger are several together.
    """
    if not stands_straight(outline, aspect) or overlap(outline, corners) == 0:
        return False
    size = abs(area(corners))
    away = float(np.linalg.norm(outline.mean(axis=0) - corners.mean(axis=0)))
    return 0.8 * size < abs(area(outline)) < 1.25 * size and away > BESIDE * float(np.sqrt(size / aspect))


def inside(outline: Points, spots: Points) -> Mask:
    """Which points lie inside an outline."""
    to_next = np.roll(outline, -1, axis=0) - outline
    away = spots[:, None, :] - outline
    return np.asarray((to_next[:, 0] * away[:, :, 1] - to_next[:, 1] * away[:, :, 0] > 0).all(axis=1))
