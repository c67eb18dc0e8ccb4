"""A picture while it's being read: the cards found so far, what of it they claim, what is left unexplained."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from vision import cells, colours, features, identity
from vision.geometry import Array, Mask, Picture, Points, map_points, overlap, rectangle
from vision.judging import Judged

# What is claimed is painted this much smaller than the picture.
CLAIM_ZOOM = 4
# Spots of a picture, at most.
FEATURES = 3000
TILE = 96
# Features left over in a tile from which on it's looked at again: a plain table has fewer.
BUSY = 3
# Of the spots on cards found so far, this share is so faint that the like elsewhere may be the table's.
FAINT = 0.02
# A spot whose own neighbourhood (two sizes around) reaches into a card that shows wholly is that card's edge.
EDGE = 2.0
PART, WHOLE = 1, 2


class Sighting(Struct, frozen=True):
    """A recognised card; corners from its own top left, clockwise, in pixels; turn clockwise in degrees.

    `shown` are the parts of it that were seen, as quadrilaterals; the whole card where nearly all was. Of a card that
    looks the same `either_way` up, the turn is one of two. `others` are less likely names with their probabilities.
    """

    card: str
    face: str
    corners: Points
    turn: float
    confidence: float
    visible: float
    shown: Points = np.zeros((0, 4, 2))
    either_way: bool = False
    others: tuple[tuple[str, float], ...] = ()

    def moved(self, shift: Points, factor: float = 1.0) -> Sighting:
        """The same card in a picture that was shifted, and then made smaller or larger."""
        corners, shown = (self.corners + shift) * factor, (self.shown + shift) * factor
        return msgspec.structs.replace(self, corners=corners, shown=shown)


class Stranger(Struct, frozen=True):
    """Something card-shaped without a name; `maybe` holds names it may have, likeliest first, `chances` how likely."""

    corners: Points
    maybe: tuple[str, ...] = ()
    chances: tuple[float, ...] = ()


class Reading(Struct, frozen=True):
    """All that was seen in one picture."""

    cards: tuple[Sighting, ...] = ()
    unknown: tuple[Stranger, ...] = ()

    @property
    def everything(self) -> tuple[Sighting | Stranger, ...]:
        """Cards with a name, then those without."""
        return (*self.cards, *self.unknown)


class Sight(Struct):
    """A picture being read: its halves, what is claimed by cards found so far, and those cards."""

    levels: list[cells.Level]
    claimed: Picture
    outlines: list[Points]
    found: list[tuple[Sighting, Judged]]
    middles: list[Points]
    widths: list[float]
    refused: list[Points]
    failed: list[tuple[int, Points]]
    doubtful: list[Stranger]
    waiting: list[identity.Verdict]
    known: list[Sighting]
    pledged: list[Points]  # where a card lies wholly, of which only the name or the way up is in doubt
    place: identity.Place


def opened(picture: Picture) -> Sight:
    """A picture of which nothing has been read yet."""
    levels = cells.levels_of(features.luminance(picture))
    height, width = picture.shape[:2]
    claimed = np.zeros((height // CLAIM_ZOOM + 1, width // CLAIM_ZOOM + 1), np.uint8)
    return Sight(
        levels, claimed, [], [], [], [], [], [], [], [], [], [], identity.Place(levels, colours.Tints(picture))
    )


def is_claimed(sight: Sight, points: Points) -> Mask:
    """Which points lie on visible parts of cards found so far."""
    return is_painted(sight.claimed, points)


def is_painted(canvas: Picture, points: Points) -> Mask:
    """Which points of the picture are painted on a small canvas."""
    at = (points / CLAIM_ZOOM).astype(int)
    height, width = canvas.shape
    inside = (at[:, 0] >= 0) & (at[:, 1] >= 0) & (at[:, 0] < width) & (at[:, 1] < height)
    at = np.clip(at, 0, [width - 1, height - 1])
    return np.asarray(inside & (canvas[at[:, 1], at[:, 0]] > 0))


def claimed_share(sight: Sight, corners: Points) -> float:
    """How much of a quadrilateral is taken by visible parts of cards found so far."""
    spots = (corners / CLAIM_ZOOM).round().astype(np.int32)
    x, y, width, height = cv2.boundingRect(spots)
    left, top = max(x, 0), max(y, 0)
    claimed = sight.claimed[top : max(y + height, 0), left : max(x + width, 0)]
    if not claimed.any():
        return 0.0
    mask = np.zeros_like(claimed)
    cv2.fillConvexPoly(mask, spots - [left, top], 1)
    return int((claimed[mask > 0] > 0).sum()) / max(1, cv2.countNonZero(mask))


def features_in(sight: Sight, boxes: list[tuple[int, int, int, int]]) -> list[features.Features]:
    """The finest features of some parts of the picture, which the halved one doesn't have."""
    free = (sight.claimed == 0).astype(np.uint8)
    free = cv2.resize(free, None, fx=CLAIM_ZOOM, fy=CLAIM_ZOOM, interpolation=cv2.INTER_NEAREST)
    contrast = float(sight.levels[-1].pixels.std())
    parts = []
    for left, top, right, bottom in boxes:
        part = np.ascontiguousarray(sight.levels[0].pixels[top:bottom, left:right])
        spots = features.find(part, FEATURES, contrast, octaves=1).within(free[top:bottom, left:right])
        found = features.describe(spots)
        parts.append(msgspec.structs.replace(found, points=found.points + np.array([left, top])))
    return parts


def unexplained(sight: Sight, spots: Points, sizes: Array, strengths: Array) -> list[tuple[int, int, int, int]]:
    """The parts of the picture that have spots which no card found so far accounts for, as boxes."""
    height, width = sight.levels[0].pixels.shape
    away = cv2.distanceTransform((sight.claimed != WHOLE).astype(np.uint8), cv2.DIST_L2, 3)
    at = np.clip((spots / CLAIM_ZOOM).astype(int), 0, np.array(away.shape)[::-1] - 1)
    clear = away[at[:, 1], at[:, 0]] > sizes * (EDGE / CLAIM_ZOOM)
    taken = is_claimed(sight, spots)
    # What is fainter than all but a little that is drawn on the cards found here is the table's own grain.
    faintest = float(np.quantile(strengths[taken], FAINT)) if taken.any() else 0.0
    left = spots[clear & ~taken & (strengths >= faintest)]
    step = TILE // 2
    counts: Array = np.zeros((-(-height // step) + 1, -(-width // step) + 1), np.float32)
    np.add.at(counts, tuple((left[:, ::-1] / step).astype(int).T), 1)
    # Tiles overlap by half, so that none cuts every card in four.
    fours = cv2.boxFilter(counts, -1, (2, 2), anchor=(0, 0), normalize=False, borderType=cv2.BORDER_CONSTANT)
    busy = cv2.dilate((fours >= BUSY).astype(np.uint8), np.ones((2, 2), np.uint8))[:-1, :-1]
    count, _labels, boxes, _middles = cv2.connectedComponentsWithStats(busy)
    places = []
    for x, y, across, down, _area in boxes[1:count]:
        low = np.maximum(np.array([x, y]) * step - step // 2, 0)
        high = np.minimum(np.array([x + across, y + down]) * step + step // 2, [width, height])
        places.append((int(low[0]), int(low[1]), int(high[0]), int(high[1])))
    return places


def lies_in(boxes: list[tuple[int, int, int, int]], points: Points) -> Mask:
    """Which points lie in any of some boxes."""
    inside = np.zeros(len(points), bool)
    for left, top, right, bottom in boxes:
        inside |= (points >= (left, top)).all(axis=1) & (points < (right, bottom)).all(axis=1)
    return inside


def shown_of(judged: Judged, templates: cells.Templates) -> Points:
    """The visible cells of a card; all of it, edge included, where nearly all is visible."""
    if judged.seen.mean() > 0.9:
        corners = map_points(judged.matrix, rectangle(templates.width, templates.height))
        return np.asarray((corners.mean(axis=0) + (corners - corners.mean(axis=0)) * 1.06)[None])
    corners = templates.centres()[judged.seen][:, None, :] + templates.side * (rectangle(1, 1) - 0.5)
    return map_points(judged.matrix, corners.reshape(-1, 2)).reshape(-1, 4, 2)


def paint(canvas: Picture, shown: Points) -> None:
    """Paint what is seen of a card."""
    kind = WHOLE if len(shown) == 1 else PART
    cv2.fillPoly(canvas, list((shown / CLAIM_ZOOM).round().astype(np.int32)), kind)


def reading_of(sight: Sight, factor: float) -> Reading:
    """What was read in a picture that had been made smaller by a factor."""
    cards = tuple(
        msgspec.structs.replace(
            s.moved(np.zeros(2), 1 / factor), confidence=round(s.confidence, 3), visible=round(s.visible, 3)
        )
        for s, _judged in sight.found
    )
    strangers: list[Stranger] = []
    for stranger in sorted(sight.doubtful, key=lambda s: -max(s.chances, default=0.0)):
        named = any(overlap(s.corners, stranger.corners) > 0.5 for s, _j in sight.found)
        known = any(overlap(s.corners, stranger.corners) > 0.5 for s in strangers)
        if not named and not known:
            strangers.append(stranger)
    return Reading(cards, tuple(Stranger(s.corners / factor, s.maybe, s.chances) for s in strangers))
