"""Detects features where nothing is explained yet: first at half the resolution, then finer where something is left."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from vision import features, slant
from vision.features import Features
from vision.geometry import Array, Mask, Picture, Points, quantile
from vision.pipeline.query import Query
from vision.pipeline.search_state import SHOWS_WHOLLY, SearchState, claimed_points, widths
from vision.tuning import FEATURE, SEARCH

Box = tuple[int, int, int, int]  # left, top, right, bottom
UNRECTIFIED: Points = np.eye(3)


class Keypoints(Struct, frozen=True):
    """Keypoints that aren't described yet, with their places and sizes in the picture."""

    spots: features.RawKeypoints
    points: Points
    sizes: Array
    strengths: Array
    zoom: int = 1

    def described(self, wanted: Mask) -> Features:
        """The features of some of them."""
        found = features.describe(self.spots.only(wanted))
        if self.zoom == 1:
            return found
        return msgspec.structs.replace(found, points=self._up(found.points), sizes=found.sizes * self.zoom)

    def _up(self, points: Points) -> Points:
        return np.asarray(points * self.zoom + (self.zoom - 1) / 2)


class RectifiedFeatures(Struct, frozen=True):
    """Features of a picture as seen from above, and the map from there back to the picture."""

    features: Features
    back: Points = UNRECTIFIED


def is_read_halved(query: Query, state: SearchState) -> bool:
    """Whether cards are wide enough to be found at half the resolution, which costs a quarter."""
    if len(query.levels) < 2:
        return False
    narrowest = min(widths(query, state), default=0.0)
    # A picture that holds six such cards across is a whole table's.
    return (
        min(query.levels[0].pixels.shape) >= 6 * FEATURE.min_halved_width_px or narrowest >= FEATURE.min_halved_width_px
    )


def detect(query: Query, halved: bool) -> Keypoints:
    """The keypoints of the whole picture."""
    if not halved:
        spots = features.find(query.levels[0].pixels, FEATURE.max_keypoints)
        return Keypoints(spots, spots.rows[:, :2], spots.rows[:, 2], spots.rows[:, 4])
    spots = features.find(query.levels[1].pixels, FEATURE.max_keypoints // 2)
    return Keypoints(spots, spots.rows[:, :2] * 2 + 0.5, spots.rows[:, 2] * 2, spots.rows[:, 4], 2)


def detect_finer(query: Query, state: SearchState, boxes: list[Box]) -> list[Features]:
    """The finest features of some parts of the picture, which the halved one doesn't have."""
    free = (state.claimed == 0).astype(np.uint8)
    free = cv2.resize(free, None, fx=SEARCH.mask_zoom, fy=SEARCH.mask_zoom, interpolation=cv2.INTER_NEAREST)
    contrast = float(query.levels[-1].pixels.std())
    parts = []
    for left, top, right, bottom in boxes:
        part = np.ascontiguousarray(query.levels[0].pixels[top:bottom, left:right])
        spots = features.find(part, FEATURE.max_keypoints, contrast, octaves=1).within(free[top:bottom, left:right])
        found = features.describe(spots)
        parts.append(msgspec.structs.replace(found, points=found.points + np.array([left, top])))
    return parts


def detect_from_above(query: Query, state: SearchState) -> RectifiedFeatures | None:
    """The features of a slanting view as seen from above, where nothing is explained yet; none in a gentle view."""
    fine, aspect = query.index.fine, query.index.aspect
    rectifying = slant.stretch([slant.ellipse(card.fit.matrix, fine, aspect) for card in state.cards])
    if rectifying is None:
        return None
    grey, free = query.levels[0].pixels, np.asarray(state.claimed == 0, np.uint8)
    rectifying, size = slant.framed(rectifying, grey.shape[1], grey.shape[0])
    above = cv2.warpPerspective(grey, rectifying, size, borderMode=cv2.BORDER_REPLICATE)
    zoom = np.diag([SEARCH.mask_zoom, SEARCH.mask_zoom, 1.0])
    mask: Picture = cv2.warpPerspective(free, rectifying @ zoom, size, flags=cv2.INTER_NEAREST)
    spots = features.find(np.asarray(above, np.float32), FEATURE.max_keypoints).within(mask)
    return RectifiedFeatures(features.describe(spots), np.linalg.inv(rectifying))


def unexplained(query: Query, state: SearchState, keypoints: Keypoints) -> list[Box]:
    """The parts of the picture that have keypoints which no card found so far accounts for."""
    height, width = query.levels[0].pixels.shape
    away = cv2.distanceTransform((state.claimed != SHOWS_WHOLLY).astype(np.uint8), cv2.DIST_L2, 3)
    points = keypoints.points
    at = np.clip((points / SEARCH.mask_zoom).astype(int), 0, np.array(away.shape)[::-1] - 1)
    clear = away[at[:, 1], at[:, 0]] > keypoints.sizes * (FEATURE.edge_margin_sizes / SEARCH.mask_zoom)
    taken = claimed_points(state, points)
    # What is fainter than all but a little that is drawn on the cards found here is the table's own grain.
    strengths = keypoints.strengths
    faintest = quantile(strengths[taken], FEATURE.grain_quantile) if taken.any() else 0.0
    left = points[clear & ~taken & (strengths >= faintest)]
    step = FEATURE.tile_px // 2
    counts: Array = np.zeros((-(-height // step) + 1, -(-width // step) + 1), np.float32)
    np.add.at(counts, tuple((left[:, ::-1] / step).astype(int).T), 1)
    # Tiles overlap by half, so that none cuts every card in four.
    fours = cv2.boxFilter(counts, -1, (2, 2), anchor=(0, 0), normalize=False, borderType=cv2.BORDER_CONSTANT)
    busy = cv2.dilate((fours >= FEATURE.min_tile_keypoints).astype(np.uint8), np.ones((2, 2), np.uint8))[:-1, :-1]
    count, _labels, boxes, _middles = cv2.connectedComponentsWithStats(busy)
    places = []
    for x, y, across, down, _area in boxes[1:count]:
        low = np.maximum(np.array([x, y]) * step - step // 2, 0)
        high = np.minimum(np.array([x + across, y + down]) * step + step // 2, [width, height])
        places.append((int(low[0]), int(low[1]), int(high[0]), int(high[1])))
    return places


def lies_in(boxes: list[Box], points: Points) -> Mask:
    """Which points lie in any of some boxes."""
    inside = np.zeros(len(points), bool)
    for left, top, right, bottom in boxes:
        inside |= (points >= (left, top)).all(axis=1) & (points < (right, bottom)).all(axis=1)
    return inside
