"""The recogniser: from one picture to the cards in it. Knows nothing of time; `tracking` does."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import cv2
import numpy as np
from msgspec import Struct

from vision import cells, confidence, contest, features, matching, quads
from vision.geometry import (
    Array,
    Mask,
    Picture,
    Points,
    map_points,
    overlap,
    rectangle,
    sides,
    turn_of,
)
from vision.index import Index, to_unit
from vision.judging import Judged, judge, settle, settle_finely

# Work on at most this many pixels on the long side: a 1280x960 frame as it is, a phone's photo shrunk.
LONG_SIDE = 1440
SMALLEST_CARD = 45.0
MOST_HYPOTHESES = 90
# After this many hypotheses in a row without a card, weaker ones aren't worth the time.
PATIENCE = 8
ROUNDS = 4
TRIES = 3
CLAIM_ZOOM = 4
FEATURES = 3000
# Pictures smaller than this are read at full resolution at once: halved, their cards would be too small.
HALVED = 600
TILE = 96
# Features left over in a tile from which on it's looked at again: a plain table has fewer.
BUSY = 5
# Agreement from which on a doubtful card is one of two twins rather than a stranger in the same frame.
CHOICE = 0.75
LOOK_AGAIN = 0.8


class Sighting(Struct, frozen=True):
    """A recognised card; corners from its own top left, clockwise, in pixels; turn clockwise in degrees."""

    card: str
    face: str
    corners: Points
    turn: float
    confidence: float
    visible: float


class Stranger(Struct, frozen=True):
    """Something card-shaped without a name; `maybe` holds two names where it's one of two twins."""

    corners: Points
    maybe: tuple[str, ...] = ()


class Reading(Struct, frozen=True):
    """All that was seen in one picture."""

    cards: tuple[Sighting, ...] = ()
    unknown: tuple[Stranger, ...] = ()


class _Sight(Struct):
    """A picture being read: its halves, what is claimed by cards found so far, and those cards."""

    levels: list[Array]
    claimed: Picture
    found: list[tuple[Sighting, Judged]]
    middles: list[Points]
    refused: list[Points]
    doubtful: list[Stranger]


class Recogniser:
    """Reads pictures with one deck enrolled."""

    def __init__(self, index: Index):
        self.index = index

    def read(self, picture: Picture) -> Reading:
        """All cards in a picture."""
        factor = min(1.0, LONG_SIDE / max(picture.shape[:2]))
        if factor < 1:
            picture = np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))
        if min(picture.shape[:2]) < 24:
            return Reading()
        sight = _open(picture)
        self._by_features(sight)
        self._by_outline(sight, picture)
        return _reading(sight, factor)

    def _by_features(self, sight: _Sight) -> None:
        """First at half the resolution, which finds most cards at a quarter of the cost, then at full
        resolution where something is left unexplained."""
        grey = sight.levels[0]
        if min(grey.shape) < HALVED:
            self._vote(sight, features.find(grey))
            return
        half = features.find(sight.levels[1], FEATURES // 2)
        rough = features.Features(half.points * 2 + 0.5, half.sizes * 2, half.angles, half.descriptors)
        self._vote(sight, rough)
        boxes = _unexplained(sight, rough.points)
        if boxes:
            self._vote(sight, _features_in(sight, boxes))

    def _vote(self, sight: _Sight, found: features.Features) -> None:
        """Let features vote for poses, and look at these."""
        ballot = matching.vote(self.index.bank, found, SMALLEST_CARD, 1.2 * max(sight.levels[0].shape))
        ballot = ballot.only(~_is_claimed(sight, ballot.target))
        # What cards found so far explain is taken out, and the rest votes again: a card of which little
        # shows comes forward when its neighbours are out of the way.
        for _ in range(ROUNDS):
            before = len(sight.found)
            self._hear(sight, ballot)
            if len(sight.found) == before:
                break
            ballot = ballot.only(~_is_claimed(sight, ballot.target))

    def _hear(self, sight: _Sight, ballot: matching.Ballot) -> None:
        """Look at hypotheses, best first, until too many in a row were wrong."""
        misses = 0
        failed: Counter[int] = Counter()
        for guess in itertools.islice(matching.hypotheses(ballot), MOST_HYPOTHESES):
            if misses > PATIENCE:
                break
            # Some faces resemble the table itself and stand for election everywhere.
            if failed[guess.face] >= TRIES or self._is_taken(sight, guess.face, guess.matrix):
                continue
            if self._try(sight, guess.face, guess.matrix):
                misses = failed[guess.face] = 0
            else:
                misses += 1
                failed[guess.face] += 1

    def _is_taken(self, sight: _Sight, face: int, unit: Points) -> bool:
        """Whether this place was looked at already, with or without success."""
        known = sight.middles + sight.refused
        if not known:
            return False
        x, y, depth = unit @ [0.5, self.index.faces[face].aspect / 2, 1.0]
        width = math.sqrt(abs(float(np.linalg.det(unit[:2, :2]))))
        away = np.array(known) - [x / depth, y / depth]
        return bool((away**2).sum(axis=1).min() < (0.15 * width) ** 2)

    def _try(self, sight: _Sight, face: int, unit: Points) -> bool:
        """Look closely at a guess; claim its place if it holds."""
        matrix = settle(self.index, sight.levels, face, unit)
        if matrix is None:
            return False
        covered = self._covered(sight, matrix)
        judged = judge(self.index, sight.levels, face, matrix, covered)
        if not confidence.is_worth_a_contest(judged):
            return False
        if judged.quality < LOOK_AGAIN:
            # Of a card that shows little, the first pose is rough; from there a second look goes further.
            finer = settle_finely(self.index, sight.levels, face, matrix)
            again = judge(self.index, sight.levels, face, matrix if finer is None else finer, covered)
            judged = max(judged, again, key=lambda j: confidence.of(j, 0.3))
        verdict = contest.decide(self.index, sight.levels, judged)
        return self._accept(sight, verdict)

    def _accept(self, sight: _Sight, verdict: contest.Verdict) -> bool:
        judged = verdict.judged
        corners = judged.corners(self.index)
        if not _is_card_shaped(corners, self.index.aspect):
            return False
        sure = confidence.of(judged, verdict.lead)
        face = self.index.faces[judged.face]
        if not confidence.is_certain(verdict):
            self._doubt(sight, verdict, corners)
            return False
        if any(overlap(sighting.corners, corners) > 0.8 for sighting, _other in sight.found):
            return False
        visible = float(judged.seen.mean())
        sighting = Sighting(face.card, face.face, corners, turn_of(corners), sure, visible)
        sight.found.append((sighting, judged))
        sight.middles.append(
            map_points(judged.matrix, np.array([[self.index.fine.width, self.index.fine.height]]) / 2)[0]
        )
        _claim(sight, judged, self.index.fine)
        return True

    def _doubt(self, sight: _Sight, verdict: contest.Verdict, corners: Points) -> None:
        """Remember a place that was looked at in vain; one of two twins is worth telling."""
        judged, rival = verdict.judged, verdict.rival
        if judged.seen.mean() > 0.5:
            sight.refused.append(corners.mean(axis=0))
        if rival is not None and confidence.of(judged, 1.0) >= confidence.NAMED and judged.quality > CHOICE:
            names = (self.index.faces[judged.face].card, self.index.faces[rival.face].card)
            sight.doubtful.append(Stranger(corners, names))

    def _covered(self, sight: _Sight, matrix: Points) -> Mask:
        """The cells of a pose that other cards hold."""
        return _is_claimed(sight, map_points(matrix, self.index.fine.centres()))

    def _by_outline(self, sight: _Sight, picture: Picture) -> None:
        """Cards with too few features, by their outline; card-shaped things without a name stay unknown."""
        for corners in quads.find(picture, self.index.aspect, SMALLEST_CARD):
            if any(overlap(s.corners, corners) > 0.5 for s, _j in sight.found):
                continue
            named = self._name_quad(sight, corners)
            if not named and quads.stands_straight(corners, self.index.aspect, 1.4):
                sight.doubtful.append(Stranger(corners))

    def _name_quad(self, sight: _Sight, corners: Points) -> bool:
        templates = self.index.coarse
        ranked: list[tuple[float, int, Points]] = []
        straight = quads.stands_straight(corners, self.index.aspect)
        for turns in (0, 2) if straight else (0, 1, 2, 3):
            turned = np.roll(corners, turns, axis=0)
            pose = cv2.getPerspectiveTransform(
                rectangle(templates.width, templates.height).astype(np.float32), turned.astype(np.float32)
            )
            blocks = cells.cut_blocks(cells.cut_patch(sight.levels, pose, templates, 2), templates, 2)
            alike = cells.likeness(blocks, templates, slice(None)).max(axis=1)
            weight = np.sqrt(templates.spread.T)
            score = (weight * alike).sum(axis=0) / (weight.sum(axis=0) + 1e-6)
            ranked += [(float(score[n]), int(n), pose) for n in np.argsort(-score)[:2]]
        ranked.sort(key=lambda item: -item[0])
        for score, face, pose in ranked[:3]:
            if score < quads.WORTH:
                break
            unit = pose @ np.linalg.inv(to_unit(self.index, templates, face))
            if self._try(sight, face, unit):
                return True
        return False


def _open(picture: Picture) -> _Sight:
    levels = [features.luminance(picture)]
    while min(levels[-1].shape) > 60 and len(levels) < 5:
        levels.append(np.asarray(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)))
    height, width = picture.shape[:2]
    claimed = np.zeros((height // CLAIM_ZOOM + 1, width // CLAIM_ZOOM + 1), np.uint8)
    return _Sight(levels, claimed, [], [], [], [])


def _is_claimed(sight: _Sight, points: Points) -> Mask:
    """Which points lie on visible parts of cards found so far."""
    at = (points / CLAIM_ZOOM).astype(int)
    height, width = sight.claimed.shape
    inside = (at[:, 0] >= 0) & (at[:, 1] >= 0) & (at[:, 0] < width) & (at[:, 1] < height)
    at = np.clip(at, 0, [width - 1, height - 1])
    return np.asarray(inside & (sight.claimed[at[:, 1], at[:, 0]] > 0))


def _features_in(sight: _Sight, boxes: list[tuple[int, int, int, int]]) -> features.Features:
    """Full-resolution features of some parts of the picture, outside the cards found so far."""
    zoom = CLAIM_ZOOM
    free = cv2.resize(1 - sight.claimed, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_NEAREST)
    contrast = float(sight.levels[-1].std())
    parts = []
    for left, top, right, bottom in boxes:
        part = np.ascontiguousarray(sight.levels[0][top:bottom, left:right])
        found = features.find(part, FEATURES, free[top:bottom, left:right], contrast)
        parts.append((found.points + np.array([left, top]), found.sizes, found.angles, found.descriptors))
    return features.Features(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _unexplained(sight: _Sight, points: Points) -> list[tuple[int, int, int, int]]:
    """The parts of the picture that have features which no card found so far accounts for, as boxes."""
    left = points[~_is_claimed(sight, points)]
    height, width = sight.levels[0].shape
    rows, columns = -(-height // TILE), -(-width // TILE)
    busy = np.zeros((rows, columns), np.uint8)
    if len(left):
        tile = (left / TILE).astype(int)
        number = np.clip(tile[:, 1], 0, rows - 1) * columns + np.clip(tile[:, 0], 0, columns - 1)
        counts = np.bincount(number, minlength=rows * columns).reshape(rows, columns)
        busy = (counts >= BUSY).astype(np.uint8)
    count, _labels, boxes, _middles = cv2.connectedComponentsWithStats(busy)
    found = []
    for x, y, across, down, _area in boxes[1:count]:
        low = np.maximum(np.array([x, y]) * TILE - TILE // 4, 0)
        high = np.minimum(np.array([x + across, y + down]) * TILE + TILE // 4, [width, height])
        found.append((int(low[0]), int(low[1]), int(high[0]), int(high[1])))
    return found


def _claim(sight: _Sight, judged: Judged, templates: cells.Templates) -> None:
    """Paint the visible cells of a found card; all of it, edge included, where nearly all is visible."""
    if judged.seen.mean() > 0.9:
        corners = map_points(judged.matrix, rectangle(templates.width, templates.height))
        wider = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * 1.06
        cv2.fillConvexPoly(sight.claimed, (wider / CLAIM_ZOOM).round().astype(np.int32), 1)
        return
    corners = templates.centres()[judged.seen][:, None, :] + templates.side * (rectangle(1, 1) - 0.5)
    flat = map_points(judged.matrix, corners.reshape(-1, 2)).reshape(-1, 4, 2) / CLAIM_ZOOM
    cv2.fillPoly(sight.claimed, list(flat.round().astype(np.int32)), 1)


def _is_card_shaped(corners: Points, aspect: float) -> bool:
    """Whether a quadrilateral may be a card under a camera: not folded, not stretched beyond a steep view."""
    if not bool(np.all(np.isfinite(corners))):
        return False
    top, right, bottom, left = sides(corners)
    if min(top, right, bottom, left) < SMALLEST_CARD * 0.5:
        return False
    tall = (right + left) / (top + bottom) / aspect
    return bool(0.35 < tall < 2.8 and max(top, bottom) < 2 * min(top, bottom))


def _reading(sight: _Sight, factor: float) -> Reading:
    cards = tuple(
        Sighting(s.card, s.face, s.corners / factor, s.turn, round(s.confidence, 3), round(s.visible, 3))
        for s, _judged in sight.found
    )
    strangers: list[Stranger] = []
    for stranger in sight.doubtful:
        named = any(overlap(s.corners, stranger.corners) > 0.5 for s, _j in sight.found)
        known = any(overlap(s.corners, stranger.corners) > 0.5 for s in strangers)
        if not named and not known:
            strangers.append(stranger)
    return Reading(cards, tuple(Stranger(s.corners / factor, s.maybe) for s in strangers))
