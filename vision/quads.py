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
# How far from a rough outline its true sides are looked for, as a share of the card's width; and along how much of each
# side, so that round corners are left out.
REACH, STRAIGHT, PROBES = 0.04, (0.12, 0.88), 24
# An edge this strong, next to the strongest, is plainly one.
PLAINLY = 0.5
# A side of a rough outline runs this near to the true one, as a share of its length: a card's corners are that round.
ROUNDED = 0.12


def find(picture: Picture, aspect: float, smallest: float) -> list[Points]:
    """The outlines in a picture, largest first, corners clockwise with a short side on top, exact where edges show."""
    # Half the resolution is plenty for outlines, and drops the grain.
    half = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    grey = half if half.ndim == 2 else cv2.cvtColor(half, cv2.COLOR_BGR2GRAY)
    found: list[tuple[Points, Points]] = []
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
            around = cv2.convexHull(contour)
            corners = _card_quad(contour, around, aspect)
            if corners is not None:
                found.append((corners, around.reshape(-1, 2).astype(np.float64)))
    found.sort(key=lambda outline: -abs(area(outline[0])))
    kept: list[tuple[Points, Points]] = []
    for corners, around in found:
        if all(overlap(corners, other) < 0.5 for other, _around in kept):
            kept.append((corners, around))
    return [sharpened(picture, _fitted(around, corners) * 2 + 0.5) for corners, around in kept]


def _card_quad(contour: Counts, around: Counts, aspect: float) -> Points | None:
    """The four corners of a contour with a hull `around` it, if it's a card's."""
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


def _fitted(hull: Points, corners: Points) -> Points:
    """Corners where a hull's straight sides would meet: those of the hull itself are rounded, or cut off."""
    onward = np.roll(hull, -1, axis=0) - hull
    spots = (hull[:, None, :] + np.linspace(0, 1, 16, endpoint=False)[:, None] * onward[:, None, :]).reshape(-1, 2)
    weight = np.repeat(np.hypot(onward[:, 0], onward[:, 1]), 16)
    lines = []
    for number in range(4):
        start, along = corners[number], corners[(number + 1) % 4] - corners[number]
        away = spots - start
        share = away @ along / (along @ along)
        off = np.abs(away @ np.array([-along[1], along[0]])) / np.hypot(along[0], along[1])
        near = (share > STRAIGHT[0]) & (share < STRAIGHT[1]) & (off < ROUNDED * np.hypot(along[0], along[1]))
        if not near.any():
            return corners
        lines.append(_line(spots[near], weight[near]))
    return _crossed(lines, corners, ROUNDED * float(sides(corners).max()))


def _line(spots: Points, weight: Points) -> Points:
    """The line, in homogeneous coordinates, that points lie along."""
    middle = np.average(spots, axis=0, weights=weight)
    apart = spots - middle
    _values, axes = np.linalg.eigh((apart * weight[:, None]).T @ apart)
    across = axes[:, 0]
    return np.array([*across, -across @ middle])


def _crossed(lines: list[Points], corners: Points, reach: float) -> Points:
    """Where four sides meet, unless that is farther from the rough corners than it can be."""
    crossings = [np.cross(lines[n - 1], lines[n]) for n in range(4)]
    if any(abs(depth) < 1e-9 for _x, _y, depth in crossings):
        return corners
    better = np.array([[x / depth, y / depth] for x, y, depth in crossings])
    near = float(np.linalg.norm(better - corners, axis=1).max()) < reach
    return better if near and is_convex(better) else corners


def sharpened(picture: Picture, corners: Points) -> Points:
    """The same outline with each side laid along the edge that is seen there, at the picture's full resolution."""
    reach = max(2.0, REACH * float(sides(corners).min()))
    lines = [_side(picture, corners[n], corners[(n + 1) % 4], reach) for n in range(4)]
    return _crossed(lines, corners, 2 * reach)


def _side(picture: Picture, start: Points, end: Points, reach: float) -> Points:
    """The line, in homogeneous coordinates, along the strongest edge near a side of an outline."""
    along = (end - start) / float(np.linalg.norm(end - start))
    across = np.array([along[1], -along[0]])
    steps = np.linspace(-reach, reach, 2 * int(np.ceil(reach)) + 1)
    feet = start + np.linspace(*STRAIGHT, PROBES)[:, None] * (end - start)
    spots = (feet[:, None, :] + steps[:, None] * across).astype(np.float32)
    strip = cv2.remap(picture, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    jump = np.abs(np.diff(np.asarray(strip, np.float32), axis=1)).reshape(PROBES, len(steps) - 1, -1).sum(axis=2)
    # Of edges that run along the side, a card's own is the outermost: what is drawn on it has edges too.
    usual = cv2.blur(jump.mean(axis=0)[None], (2 * (len(steps) // 12) + 1, 1))[0]
    outermost = int(np.flatnonzero(usual >= PLAINLY * usual.max())[-1])
    jump[:, np.abs(np.arange(len(usual)) - outermost) > len(steps) / 6] = 0
    # A smudge or a hair misleads one probe, not its neighbours too.
    best = cv2.blur(jump, (1, 3)).argmax(axis=1)
    edge = feet + ((steps[best] + steps[best + 1]) / 2)[:, None] * across
    dx, dy, x, y = cv2.fitLine(edge.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
    return np.cross([x, y, 1.0], [x + dx, y + dy, 1.0])


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
