"""Repeats the stages while something is unexplained: from the surest way to find a card to the most laborious."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable

import msgspec
import numpy as np

from vision import features, matching, quads, rows
from vision.detections import Detection
from vision.geometry import Points, map_points
from vision.pipeline import candidates, decision, keypoints, poses
from vision.pipeline.candidates import PoseCandidate
from vision.pipeline.decision import conclude
from vision.pipeline.explained import (
    SearchState,
    claimed_points,
    has_the_size,
    pose_width,
    width_of,
    with_card,
    with_try,
)
from vision.pipeline.query import Query
from vision.pipeline.revision import by_known_camera, reconsider, reconsider_together, straighten, without_ornament
from vision.tuning import NAMING, SEARCH


def search(query: Query, explained: SearchState, expected: Iterable[Detection] = ()) -> SearchState:
    """All that the cards of a deck explain of a picture."""
    explained = where_they_lay(query, explained, expected)
    explained = by_plain_outline(query, explained)
    explained = by_keypoints(query, explained)
    return by_known_camera(query, straighten(query, by_outline(query, explained)))


def where_they_lay(query: Query, explained: SearchState, expected: Iterable[Detection]) -> SearchState:
    """Cards that lie where they lay before, as surely as they were known then."""
    for card in sorted(expected, key=lambda card: -card.visible):
        decided = decision.still_lies(query, explained, card)
        if decided.verdict is not None and decided.outcome is decision.Outcome.NAMED:
            explained = with_card(query, explained, decided.verdict, card.confidence)
    return explained


def by_plain_outline(query: Query, explained: SearchState) -> SearchState:
    """Cards that show wholly, where one face plainly is what their outline holds: the surest way to the pose."""
    for corners in candidates.straight_first(query):
        if candidates.is_free(query, explained, corners):
            candidate = candidates.plainly_in(query, corners)
            if candidate is not None:
                explained = _try_outline(query, explained, candidate)
    return explained


def by_keypoints(query: Query, explained: SearchState) -> SearchState:
    """First at half the resolution, which finds most cards at a quarter of the cost, then at full resolution where
    something is left unexplained."""
    if not keypoints.is_read_halved(query, explained):
        found = keypoints.detect(query, halved=False)
        described = found.described(~claimed_points(explained, found.points))
        explained, vote_table = by_votes(query, explained, described)
        return along_rows(query, explained, vote_table)
    half = keypoints.detect(query, halved=True)
    boxes = keypoints.unexplained(query, explained, half)
    if not boxes:
        return explained
    rough = half.described(~claimed_points(explained, half.points) & keypoints.lies_in(boxes, half.points))
    explained, _vote_table = by_votes(query, explained, rough)
    boxes = keypoints.unexplained(query, explained, half)
    if boxes:
        finer = keypoints.detect_finer(query, explained, boxes)
        explained, vote_table = by_votes(query, explained, features.joined([rough, *finer]))
        # A card of a row may have too few keypoints to stand out as unexplained.
        explained = along_rows(query, explained, vote_table)
        if keypoints.unexplained(query, explained, half):
            explained = from_above(query, explained)
    return reconsider_together(query, explained)


def from_above(query: Query, explained: SearchState) -> SearchState:
    """What is still unexplained in a slanting view is read in the picture as seen from above."""
    above = keypoints.detect_from_above(query, explained)
    return explained if above is None else by_votes(query, explained, above.found, above.back)[0]


def by_votes(
    query: Query, explained: SearchState, found: features.Features, back: Points = keypoints.STRAIGHT
) -> tuple[SearchState, matching.VoteTable]:
    """Let features vote for poses, and look at these; returns the votes that are left, too."""
    vote_table = candidates.vote(query, explained, found, back)
    # More features may tell more about a place that was looked at in vain.
    explained = msgspec.structs.replace(explained, earlier=len(explained.doubts))
    # What cards found so far explain is taken out, and the rest votes again: a card of which little
    # shows comes forward when its neighbours are out of the way.
    while True:
        before = len(explained.cards)
        explained = reconsider(query, _by_hypotheses(query, explained, vote_table, back))
        if len(explained.cards) == before:
            return explained, vote_table
        vote_table = candidates.left_over(explained, vote_table, back)


def _by_hypotheses(query: Query, explained: SearchState, vote_table: matching.VoteTable, back: Points) -> SearchState:
    """Look at hypotheses, best first, until too many in a row were wrong."""
    misses = 0
    failed: Counter[int] = Counter()
    spots = map_points(back, vote_table.target)
    claimed = np.zeros(len(spots), bool)
    for guess in itertools.islice(matching.hypotheses(vote_table), SEARCH.candidates):
        if misses > SEARCH.patience:
            break
        before, explained = explained, without_ornament(query, explained, guess.face, back @ guess.matrix)
        if explained is not before:
            claimed = claimed_points(explained, spots)
        # Some faces resemble the table itself and stand for election everywhere.
        if failed[guess.face] >= SEARCH.tries or candidates.is_mostly(claimed, guess.votes):
            continue
        if not has_the_size(query, explained, pose_width(back @ guess.matrix)):
            continue
        candidate = candidates.of_hypothesis(vote_table, guess, back)
        if candidates.is_taken(query, explained, candidate):
            continue
        before, explained = explained, _try(query, explained, candidate)
        if len(explained.cards) > len(before.cards):
            misses = failed[guess.face] = 0
            claimed = claimed_points(explained, spots)
        else:
            misses += 1
            failed[guess.face] += 1
    return explained


def along_rows(query: Query, explained: SearchState, vote_table: matching.VoteTable) -> SearchState:
    """Look for the next card of each row, where a single vote sees one, or else a step further on."""
    for _ in range(SEARCH.row):
        before = len(explained.cards)
        vote_table = candidates.left_over(explained, vote_table, keypoints.STRAIGHT)
        for candidate in candidates.in_rows(query, explained, vote_table):
            explained = _try_free(query, explained, candidate)
        for place in rows.next_places([card.detection.corners for card in explained.cards]):
            for candidate in candidates.at_row_end(query, explained, place):
                explained = _try_free(query, explained, candidate)
        explained = reconsider(query, explained)
        if len(explained.cards) == before:
            break
    return explained


def by_outline(query: Query, explained: SearchState) -> SearchState:
    """Cards with too few features, by their outline; card-shaped things without a name stay unnamed."""
    for corners in query.outlines:
        if not candidates.is_free(query, explained, corners):
            continue
        before = len(explained.cards)
        for candidate in candidates.in_any_outline(query, corners):
            explained = _try_outline(query, explained, candidate)
            if len(explained.cards) > before:
                break
        else:
            if _is_card_like(query, explained, corners):
                explained = msgspec.structs.replace(explained, unnamed=(*explained.unnamed, corners))
    return explained


def _is_card_like(query: Query, explained: SearchState, corners: Points) -> bool:
    """Whether an outline is a card's, whatever is on it."""
    aspect = query.index.aspect
    is_straight = quads.stands_straight(corners, aspect, 1.4)
    is_sized = has_the_size(query, explained, width_of(corners, aspect), 1)
    return is_straight and is_sized and quads.has_edges(query.levels[0].pixels, corners)


def _try_free(query: Query, explained: SearchState, candidate: PoseCandidate) -> SearchState:
    """Look closely at a candidate where no card lies yet."""
    return explained if candidates.is_taken(query, explained, candidate) else _try(query, explained, candidate)


def _try(query: Query, explained: SearchState, candidate: PoseCandidate) -> SearchState:
    """Look closely at a candidate that wasn't looked at before."""
    noted = with_try(query, explained, candidate.face, candidate.pose)
    if noted is None:
        return explained
    judged = poses.of_candidate(query, noted, candidate)
    return noted if judged is None else conclude(query, noted, judged)


def _try_outline(query: Query, explained: SearchState, candidate: PoseCandidate) -> SearchState:
    """Look closely at a face where an outline has its corners, or at a pose near it that agrees better."""
    judged = poses.in_outline(query, explained, candidate)
    if judged.quality < NAMING.exact:
        noted = with_try(query, explained, candidate.face, candidate.pose)
        if noted is None:
            return explained
        explained = noted
        judged = poses.near_outline(query, explained, candidate, judged)
    return conclude(query, explained, judged)
