"""Looks again at what was in doubt, once more is explained; and takes back a card that was another one's ornament."""

from __future__ import annotations

import math

import msgspec

from vision import posterior
from vision.geometry import Points, map_points, overlap, rectangle, turn_between, turn_of
from vision.judging import Judged, judge, refine_from_guess
from vision.pipeline import poses
from vision.pipeline.decision import conclude, has_news, look
from vision.pipeline.explained import (
    NamedCard,
    SearchState,
    at_pose,
    claimed_by,
    covered_cells,
    points_in,
    shown_of,
    without_card,
)
from vision.pipeline.query import Query
from vision.tuning import CARD, NAMING, POSE, SEARCH


def reconsider(query: Query, explained: SearchState) -> SearchState:
    """Look again at cards that were in doubt for what hides them, where that is known by now.

    In a row each card that gets its name tells what hides the next one, and a pose that got better what hides it.
    """
    for _ in range(SEARCH.row):
        is_new = [has_news(v.judged, covered_cells(query, explained, v.judged.matrix)) for v in explained.waiting]
        if not any(is_new):
            break
        both = list(zip(explained.waiting, is_new, strict=True))
        explained = msgspec.structs.replace(explained, waiting=tuple(v for v, new in both if not new))
        for verdict in (v for v, new in both if new):
            explained = look(query, explained, verdict.judged.face, verdict.judged.matrix)
    return explained


def straighten(query: Query, explained: SearchState) -> SearchState:
    """Refine the poses of named cards that were found before what hides them: that had drawn them towards itself."""
    for number, card in enumerate(explained.cards):
        later = explained.cards[number + 1 :]
        if not any(overlap(card.detection.corners, other.detection.corners) for other in later):
            continue
        others = without_card(explained, card)
        if has_news(card.judged, covered_cells(query, others, card.judged.matrix)):
            judged = poses.at(query, others, card.judged.face, card.judged.matrix)
            explained = at_pose(query, explained, card, judged)
    return explained


def reconsider_together(query: Query, explained: SearchState) -> SearchState:
    """Cards in a row that are all in doubt for what hides them may hide one another."""
    index = query.index
    likely: list[Judged] = []
    for verdict in sorted(explained.waiting, key=lambda v: -v.probability):
        if verdict.probability < SEARCH.covers or verdict.lead < NAMING.clear:
            break
        corners = verdict.judged.corners(index)
        if all(overlap(corners, other.corners(index)) < CARD.same for other in likely):
            likely.append(verdict.judged)
    for judged in likely:
        others = [shown_of(other, index.fine) for other in likely if other is not judged]
        mask = claimed_by(explained.claimed.shape, others)
        hidden = points_in(mask, map_points(judged.matrix, index.fine.centres())) & ~judged.seen
        if hidden.sum() > SEARCH.news * len(hidden):
            explained = look(query, explained, judged.face, judged.matrix, hidden)
    return reconsider(query, explained)


def without_ornament(query: Query, explained: SearchState, face: int, pose: Points) -> SearchState:
    """Replaces a card that was found rotated about a round ornament of its own by the same card at this pose.

    An ornament that looks the same turned, a sun with its rays, may be found first, turned. The card itself
    explains the ornament too, and more.
    """
    # A card that shows wholly is none.
    alike = [card for card in explained.cards if card.judged.face == face and card.detection.visible < NAMING.whole]
    if not alike:
        return explained
    corners = map_points(pose, rectangle(1.0, query.index.faces[face].aspect))
    for card in alike:
        detection = card.detection
        is_turned = turn_between(detection.turn, turn_of(corners), detection.either_way) >= POSE.turned
        if not is_turned or not overlap(detection.corners, corners):
            continue
        matrix = refine_from_guess(query.index, query.levels, face, pose)
        if matrix is None or not _explains(query, explained, card, judge(query.index, query.levels, face, matrix)):
            continue
        others = without_card(explained, card)
        instead = look(query, others, face, matrix)
        if len(instead.cards) > len(others.cards):
            return instead
    return explained


def _explains(query: Query, explained: SearchState, card: NamedCard, judged: Judged) -> bool:
    """Whether a face explains most of what a card was seen by, and more."""
    shape = explained.claimed.shape
    before = claimed_by(shape, [card.detection.shown]) > 0
    now = claimed_by(shape, [shown_of(judged, query.index.fine)]) > 0
    return bool(judged.support > card.judged.support and now[before].mean() > CARD.most)


def by_known_camera(query: Query, explained: SearchState) -> SearchState:
    """Decide again on unsure cards, with lamp and camera colours estimated from the sure ones."""
    index = query.index
    unsure = [card for card in explained.cards if card.detection.confidence < NAMING.sure]
    sure = [card.judged for card in explained.cards if card.detection.confidence >= NAMING.sure]
    # Without the network's word, colours weren't compared by lamp and camera.
    doubted = [verdict for verdict in explained.waiting if math.isfinite(verdict.odds)]
    if not sure or not (unsure or doubted):
        return explained
    camera = posterior.camera_of(index, query.place, sure)
    query = msgspec.structs.replace(query, place=msgspec.structs.replace(query.place, camera=camera))
    explained = msgspec.structs.replace(explained, doubted=())
    for card in unsure:
        explained = conclude(query, without_card(explained, card), card.judged, card.likelihood)
    places: list[Points] = []
    for verdict in sorted(doubted, key=lambda v: -v.enrolled):
        corners = verdict.judged.corners(index)
        if all(overlap(corners, other) < CARD.same for other in places):
            places.append(corners)
            explained = conclude(query, explained, verdict.judged, verdict.likelihood)
    return explained
