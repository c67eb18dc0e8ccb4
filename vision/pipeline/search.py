"""Repeats the stages while something is unexplained: from the surest way to find a card to the most laborious."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable

import msgspec
import numpy as np

from vision import features, matching, quads, rows
from vision.detections import Detection
from vision.fitting import FaceFit
from vision.geometry import Points, map_points, overlap
from vision.pipeline import candidates, covered, decision, keypoints, poses
from vision.pipeline.candidates import PoseCandidate
from vision.pipeline.decision import with_fit_decided
from vision.pipeline.query import Query
from vision.pipeline.revision import (
    by_known_camera,
    covered_by_known_camera,
    reconsider,
    reconsider_together,
    straighten,
    without_ornament,
)
from vision.pipeline.search_state import (
    SearchState,
    claimed_by,
    claimed_points,
    covered_cells,
    has_the_size,
    is_set,
    mask_cells,
    pose_width,
    visible_quads_of,
    width_of,
    with_card,
    with_try,
)
from vision.tuning import NAMING, SEARCH

# A thing without a name is a card only where it's stretched by less against the card's own shape.
MAX_UNNAMED_STRETCH = 1.4


def search(query: Query, state: SearchState, expected: Iterable[Detection] = ()) -> SearchState:
    """All that the cards of a deck explain of a picture."""
    state = where_they_lay(query, state, expected)
    state = by_sure_outline(query, state)
    state = by_keypoints(query, state)
    return by_known_camera(query, straighten(query, by_outline(query, state)))


def search_covered(query: Query, state: SearchState) -> SearchState:
    """What is under the cards found so far, and at the ends of their rows."""
    more = covered.find(query, state)
    return more if more is state else covered_by_known_camera(query, more)


def where_they_lay(query: Query, state: SearchState, expected: Iterable[Detection]) -> SearchState:
    """Cards that lie where they lay before, as surely as they were known then."""
    for card in sorted(expected, key=lambda card: -card.visible_share):
        decided = decision.decide_where_it_lay(query, state, card)
        if decided.posterior is not None and decided.outcome is decision.Outcome.NAMED:
            state = with_card(query, state, decided.posterior, card.confidence)
    return state


def by_sure_outline(query: Query, state: SearchState) -> SearchState:
    """Cards that show wholly, where one face surely is what their outline holds: the surest way to the pose."""
    for corners in candidates.straight_first(query):
        if candidates.is_free(query, state, corners):
            candidate = candidates.sure_in_outline(query, corners)
            if candidate is not None:
                state = _try_outline(query, state, candidate)
    return state


def by_keypoints(query: Query, state: SearchState) -> SearchState:
    """First at half the resolution, which finds most cards at a quarter of the cost, then at full resolution where
    something is left unexplained."""
    if not keypoints.is_read_halved(query, state):
        found = keypoints.detect(query, halved=False)
        described = found.described(~claimed_points(state, found.points))
        state, vote_table = by_votes(query, state, described)
        return along_rows(query, state, vote_table)
    half = keypoints.detect(query, halved=True)
    boxes = keypoints.unexplained(query, state, half)
    if not boxes:
        return state
    rough = half.described(~claimed_points(state, half.points) & keypoints.lies_in(boxes, half.points))
    state, _vote_table = by_votes(query, state, rough)
    boxes = keypoints.unexplained(query, state, half)
    if boxes:
        finer = keypoints.detect_finer(query, state, boxes)
        left = rough.only(~claimed_points(state, rough.points))
        state, vote_table = by_votes(query, state, features.joined([left, *finer]))
        # A card of a row may have too few keypoints to stand out as unexplained.
        state = along_rows(query, state, vote_table)
        if keypoints.unexplained(query, state, half):
            state = from_above(query, state)
    return reconsider_together(query, state)


def from_above(query: Query, state: SearchState) -> SearchState:
    """What is still unexplained in a slanting view is read in the picture as seen from above."""
    above = keypoints.detect_from_above(query, state)
    return state if above is None else by_votes(query, state, above.features, above.back)[0]


def by_votes(
    query: Query, state: SearchState, found: features.Features, to_picture: Points = keypoints.UNRECTIFIED
) -> tuple[SearchState, matching.VoteTable]:
    """Let features vote for poses, and try these; returns also the votes that are left."""
    vote_table = candidates.vote(query, state, found, to_picture)
    # A place that was looked at in vain is tried again with more features.
    state = msgspec.structs.replace(state, places_before_vote=len(state.unnamed_places))
    # Votes from cards that were found are taken out, and the rest votes again: a card of which little shows wins when
    # its neighbours no longer vote.
    while True:
        before = len(state.cards)
        state = reconsider(query, _by_hypotheses(query, state, vote_table, to_picture))
        if len(state.cards) == before:
            return state, vote_table
        vote_table = candidates.left_over(state, vote_table, to_picture)


def _by_hypotheses(query: Query, state: SearchState, vote_table: matching.VoteTable, to_picture: Points) -> SearchState:
    """Look at hypotheses, best first, until too many in a row were wrong.

    Faces under something unknown wait for the end: by then it may have its name.
    """
    misses = 0
    deferred: list[FaceFit] = []
    failed: Counter[int] = Counter()
    spots = mask_cells(state.claimed.shape, map_points(to_picture, vote_table.target))
    claimed, deferred_points = np.zeros((2, len(spots)), bool)
    for hypothesis in itertools.islice(matching.hypotheses(vote_table), SEARCH.max_candidates):
        if misses > SEARCH.max_misses:
            break
        if not has_the_size(query, state, pose_width(to_picture @ hypothesis.unit_pose)):
            continue
        # Some faces resemble the table itself, and have votes everywhere.
        is_claimed = candidates.is_mostly_claimed(claimed | deferred_points, hypothesis.votes)
        if failed[hypothesis.face] >= SEARCH.max_tries or is_claimed:
            continue
        before, state = state, without_ornament(query, state, hypothesis.face, to_picture @ hypothesis.unit_pose)
        if state is not before:
            claimed = is_set(state.claimed, spots)
        candidate = candidates.of_hypothesis(vote_table, hypothesis, to_picture)
        if candidates.is_taken(query, state, candidate, deferred):
            continue
        before = state
        state, fit = _at_pose(query, state, candidate)
        if fit is not None and poses.is_under_unknown(query, fit):
            deferred.append(fit)
            deferred_points |= is_set(claimed_by(state.claimed.shape, [visible_quads_of(fit, query.index.fine)]), spots)
            continue
        if fit is not None:
            state = with_fit_decided(query, state, poses.with_better_pose(query, state, fit))
        if len(state.cards) > len(before.cards):
            misses = failed[hypothesis.face] = 0
            claimed = is_set(state.claimed, spots)
        else:
            misses += 1
            failed[hypothesis.face] += 1
    return by_deferred(query, state, deferred)


def by_deferred(query: Query, state: SearchState, deferred: list[FaceFit]) -> SearchState:
    """Faces under something that wasn't known, first those of which it's known by now what hides them."""
    waiting = [(fit, 0) for fit in deferred]
    while waiting:
        left: list[tuple[FaceFit, int]] = []
        for fit, asked in waiting:
            # Only a card that wasn't known when this was asked before can hide more of a face.
            corners = fit.corners(query.index)
            is_touched = any(overlap(card.detection.corners, corners) for card in state.cards[asked:])
            if is_touched and decision.is_newly_covered(fit, covered_cells(query, state, fit.template_pose)):
                state = with_fit_decided(query, state, poses.refined_with_new_cover(query, state, fit))
            else:
                left.append((fit, len(state.cards)))
        if len(left) == len(waiting):
            state = with_fit_decided(query, state, poses.with_better_pose(query, state, left.pop(0)[0]))
        waiting = left
    return state


def along_rows(query: Query, state: SearchState, vote_table: matching.VoteTable) -> SearchState:
    """Look for the next card of each row, where a single vote sees one, or else a step further on."""
    for _ in range(SEARCH.max_row_cards):
        before = len(state.cards)
        vote_table = candidates.left_over(state, vote_table, keypoints.UNRECTIFIED)
        for candidate in candidates.in_rows(query, state, vote_table):
            state = _try_free(query, state, candidate)
        for place in rows.next_places([card.detection.corners for card in state.cards]):
            for candidate in candidates.at_row_end(query, state, place):
                state = _try_free(query, state, candidate)
        state = reconsider(query, state)
        if len(state.cards) == before:
            break
    return state


def by_outline(query: Query, state: SearchState) -> SearchState:
    """Cards with too few features, by their outline; card-shaped things without a name stay unnamed."""
    for corners in query.outlines:
        if not candidates.is_free(query, state, corners):
            continue
        before = len(state.cards)
        for candidate in candidates.worth_trying_in_outline(query, corners):
            state = _try_outline(query, state, candidate)
            if len(state.cards) > before:
                break
        else:
            if _is_card_like(query, state, corners):
                state = _with_outline_decided(query, state, corners)
    return state


def _with_outline_decided(query: Query, state: SearchState, corners: Points) -> SearchState:
    """What is explained once it's decided what an outline holds: a named card more, or an unexplained outline more.

    In a deck of near-twins a card that shows wholly is compared there, even if only a thin line is on it.
    """
    likeliest = candidates.in_outline(query, corners)[0]
    fit = poses.fit_in_outline(query, state, likeliest)
    if query.index.has_near_twins and not fit.covered.all():
        decided = decision.decide(query, state, fit, is_uncovered_visible=True)
        if decided.posterior is not None and decided.outcome is decision.Outcome.NAMED:
            return with_card(query, state, decided.posterior, is_uncovered_visible=True)
    return msgspec.structs.replace(state, unexplained_outlines=(*state.unexplained_outlines, corners))


def _is_card_like(query: Query, state: SearchState, corners: Points) -> bool:
    """Whether an outline is a card's, whatever is on it."""
    aspect = query.index.aspect
    is_straight = quads.is_frontal(corners, aspect, MAX_UNNAMED_STRETCH)
    is_sized = has_the_size(query, state, width_of(corners, aspect), 1)
    return is_straight and is_sized and quads.has_edges(query.levels[0].pixels, corners)


def _try_free(query: Query, state: SearchState, candidate: PoseCandidate) -> SearchState:
    """Look closely at a candidate where no card lies yet."""
    return state if candidates.is_taken(query, state, candidate) else _try(query, state, candidate)


def _try(query: Query, state: SearchState, candidate: PoseCandidate) -> SearchState:
    """Look closely at a candidate that wasn't looked at before."""
    state, fit = _at_pose(query, state, candidate)
    return state if fit is None else with_fit_decided(query, state, poses.with_better_pose(query, state, fit))


def _at_pose(query: Query, state: SearchState, candidate: PoseCandidate) -> tuple[SearchState, FaceFit | None]:
    """What is explained with a candidate noted as tried, and its face at a first pose; none if it was tried before."""
    noted = with_try(query, state, candidate.face, candidate.unit_pose)
    return (state, None) if noted is None else (noted, poses.fit_of_candidate(query, noted, candidate))


def _try_outline(query: Query, state: SearchState, candidate: PoseCandidate) -> SearchState:
    """Look closely at a face where an outline has its corners, or at a pose near it that agrees better."""
    fit = poses.fit_in_outline(query, state, candidate)
    if fit.mean_agreement < NAMING.exact_agreement:
        noted = with_try(query, state, candidate.face, candidate.unit_pose)
        if noted is None:
            return state
        state = noted
        fit = poses.refined_near_outline(query, state, candidate, fit)
    return with_fit_decided(query, state, fit)
