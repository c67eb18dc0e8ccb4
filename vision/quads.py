"""Card outlines: quadrilaterals of a card's shape that stand out from the table. Names nothing."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.geometry import Array, Counts, Mask, Picture, Points, area, is_convex, overlap, sides

# A face that correlates less than this over the whole outline isn't the card in it.
WORTH = 0.3
# An outline whose middle is this far (in card widths) from a card's is another card's; sleeves are wider than
# cards, but all around.
BESIDE = 0.15
# How far from a rough outline its true sides are looked for, as a share of the card's width; and along how much of each
# side, so that round corners are left out.
REACH, STRAIGHT, PROBES = 0.04, (0.12, 0.88), 24
FEET = np.linspace(*STRAIGHT, PROBES)
# A hull's points are few along a straight side: so many are taken of each of its stretches.
ALONG = np.linspace(0, 1, 16, endpoint=False)[:, None]
NEXT = [1, 2, 3, 0]
# An edge this strong, next to the strongest, is plainly one.
PLAINLY = 0.5
# How far around an outline it's asked whether there's an edge, and how much more the picture must change there than
# outside.
AROUND, EDGED = 0.12, 1.5
# Of two outlines, one in the other, the inner one may be one card of several if it has at most this share of the area.
SEVERAL = 0.6
# A side of a rough outline runs this near to the true one, as a share of its length: a card's corners are that round.
ROUNDED = 0.12


# Of all points (x, y) with ax + by + c = 0.
_Line = tuple[float, float, float]


def find(picture: Picture, aspect: float, smallest: float) -> list[Points]:
    """The outlines in a picture, largest first, corners clockwise with a short side on top, exact where edges show."""
    # Half the resolution is plenty for outlines, and drops the grain.
    half = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    grey = half if half.ndim == 2 else cv2.cvtColor(half, cv2.COLOR_BGR2GRAY)
    found: list[tuple[float, Points, Points]] = []
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
                found.append((abs(area(corners)), corners, around.reshape(-1, 2).astype(np.float64)))
    found.sort(key=lambda outline: -outline[0])
    kept: list[tuple[float, Points, Points]] = []
    for size, corners, around in found:
        # A smaller one inside is drawn on the card, or it's a card and the larger one are several together.
        if all(size < SEVERAL * larger or overlap(corners, other) < 0.5 for larger, other, _around in kept):
            kept.append((size, corners, around))
    return [sharpened(picture, _fitted(around, corners) * 2 + 0.5) for _size, corners, around in kept]


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
    onward = hull[np.arange(1, len(hull) + 1) % len(hull)] - hull
    spots = (hull[:, None, :] + ALONG * onward[:, None, :]).reshape(-1, 2)
    weight = np.repeat(np.hypot(onward[:, 0], onward[:, 1]), len(ALONG))
    along = corners[NEXT] - corners
    long = np.hypot(along[:, 0], along[:, 1])
    away = spots - corners[:, None, :]
    share = (away @ along[:, :, None])[:, :, 0] / (long**2)[:, None]
    off = np.abs(away[:, :, 1] * along[:, None, 0] - away[:, :, 0] * along[:, None, 1]) / long[:, None]
    near = (share > STRAIGHT[0]) & (share < STRAIGHT[1]) & (off < ROUNDED * long[:, None])
    if not near.any(axis=1).all():
        return corners
    return _crossed([_line(spots[side], weight[side]) for side in near], corners, ROUNDED * float(long.max()))


def _line(spots: Points, weight: Points) -> _Line:
    """The line that points lie along."""
    middle = weight @ spots / weight.sum()
    apart = spots - middle
    (xx, xy), (_xy, yy) = ((apart * weight[:, None]).T @ apart).tolist()
    angle = math.atan2(2 * xy, xx - yy) / 2
    return _through(float(middle[0]), float(middle[1]), math.cos(angle), math.sin(angle))


def _through(x: float, y: float, dx: float, dy: float) -> _Line:
    """The line through a point in a direction."""
    return (-dy, dx, x * dy - y * dx)


def _crossed(lines: list[_Line], corners: Points, reach: float) -> Points:
    """Where four sides meet, unless that is farther from the rough corners than it can be."""
    met = []
    # Plain numbers: NumPy takes ten times as long to begin as this to end.
    for (a, b, c), (d, e, f) in zip([lines[-1], *lines], lines, strict=False):
        depth = a * e - b * d
        if abs(depth) < 1e-9:
            return corners
        met.append(((b * f - c * e) / depth, (c * d - a * f) / depth))
    better = np.array(met)
    near = float(((better - corners) ** 2).sum(axis=1).max()) < reach**2
    return better if near and is_convex(better) else corners


def sharpened(picture: Picture, corners: Points) -> Points:
    """The same outline with each side laid along the edge that is seen there, at the picture's full resolution."""
    reach = max(2.0, REACH * float(sides(corners).min()))
    feet, across, steps, jump = _jumps(picture, corners, reach)
    # Of edges that run along the side, a card's own is the outermost: what is drawn on it has edges too.
    usual = cv2.blur(jump.mean(axis=1), (2 * (len(steps) // 12) + 1, 1))
    plain = usual >= PLAINLY * usual.max(axis=1, keepdims=True)
    last = len(steps) - 2
    outermost = last - plain[:, ::-1].argmax(axis=1)
    jump *= np.abs(np.arange(last + 1) - outermost[:, None])[:, None, :] <= len(steps) / 6
    middles = (steps[:-1] + steps[1:]) / 2
    lines = []
    for number in range(4):
        # A smudge or a hair misleads one probe, not its neighbours too.
        best = cv2.blur(jump[number], (1, 3)).argmax(axis=1)
        edge = feet[number] + middles[best][:, None] * across[number]
        dx, dy, *on_it = cv2.fitLine(edge.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
        lines.append(_through(on_it[0], on_it[1], dx, dy))
    return _crossed(lines, corners, 2 * reach)


def has_edges(picture: Picture, corners: Points) -> bool:
    """Whether there is an edge along each side: where a table only gets darker there is an outline, but no edge."""
    reach = max(6.0, AROUND * float(sides(corners).min()))
    _feet, _across, steps, jump = _jumps(picture, corners, reach)
    usual = jump.mean(axis=1)
    middles = (steps[:-1] + steps[1:]) / 2
    here, outside = usual[:, np.abs(middles) < reach / 3].max(axis=1), usual[:, middles > reach / 2]
    # Some of what is outside may be the next card.
    return bool((here > EDGED * np.quantile(outside, 0.25, axis=1)).all())


def _jumps(picture: Picture, corners: Points, reach: float) -> tuple[Points, Points, Points, Array]:
    """How much a picture changes on the way out of an outline.

    Returns where each side is crossed, which way, the steps from the inside out, and for each side and crossing the
    change from step to step.
    """
    steps = np.linspace(-reach, reach, 2 * math.ceil(reach) + 1)
    along = corners[NEXT] - corners
    across = along[:, ::-1] * [1, -1] / np.hypot(along[:, 0], along[:, 1])[:, None]
    feet = corners[:, None, :] + FEET[:, None] * along[:, None, :]
    spots = feet[:, :, None, :] + steps[:, None] * across[:, None, None, :]
    x, y = np.moveaxis(spots.astype(np.float32).reshape(4 * PROBES, len(steps), 2), 2, 0)
    strip = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    jump = np.abs(np.diff(np.asarray(strip, np.float32), axis=1)).reshape(4, PROBES, len(steps) - 1, -1).sum(axis=3)
    return feet, across, steps, jump


def stands_straight(corners: Points, aspect: float, slack: float = 1.15) -> bool:
    """Whether an outline has a card's own shape, so that it can't as well be one seen at a slant."""
    top, right, bottom, left = sides(corners)
    return bool(1 / slack < (right + left) / (top + bottom) / aspect < slack)


def lies_elsewhere(outline: Points, corners: Points, aspect: float) -> bool:
    """Whether an outline is that of another card, which lies over the card with these corners.

    Cards are of one size; what is smaller is drawn on a card, what is larger are several together.
    """
    if overlap(outline, corners) == 0 or not stands_straight(outline, aspect):
        return False
    size = abs(area(corners))
    away = float(np.linalg.norm(outline.mean(axis=0) - corners.mean(axis=0)))
    return 0.8 * size < abs(area(outline)) < 1.25 * size and away > BESIDE * float(np.sqrt(size / aspect))


def inside(outline: Points, spots: Points) -> Mask:
    """Which points lie inside an outline."""
    to_next = np.roll(outline, -1, axis=0) - outline
    away = spots[:, None, :] - outline
    return np.asarray((to_next[:, 0] * away[:, :, 1] - to_next[:, 1] * away[:, :, 0] > 0).all(axis=1))
