"""Looks again at what was in doubt, once more is explained; and takes back a card that was another one's ornament."""

from __future__ import annotations

import math

import msgspec
import numpy as np

from vision import comparison
from vision.fitting import FaceFit, fit_face, refine_from_guess
from vision.geometry import Array, Points, map_points, overlap, rectangle, turn_between, turn_of
from vision.pipeline import poses
from vision.pipeline.decision import (
    Decision,
    Outcome,
    conclude,
    conclude_covered,
    decide,
    evaluate,
    evaluate_again,
    has_news,
    with_decision,
)
from vision.pipeline.query import Query
from vision.pipeline.search_state import (
    NamedCard,
    SearchState,
    at_pose,
    claimed_by,
    covered_cells,
    points_in,
    shown_of,
    without_card,
)
from vision.place_comparison import CameraEvidence, camera_evidence
from vision.tuning import CARD, COMPARISON, NAMING, POSE, SEARCH


def reconsider(query: Query, state: SearchState) -> SearchState:
    """Look again at cards that were in doubt for what hides them, where that is known by now.

    In a row each card that gets its name tells what hides the next one, and a pose that got better what hides it.
    """
    for _ in range(SEARCH.max_row_cards):
        is_new = [has_news(v.fit, covered_cells(query, state, v.fit.matrix)) for v in state.pending_verdicts]
        if not any(is_new):
            break
        both = list(zip(state.pending_verdicts, is_new, strict=True))
        state = msgspec.structs.replace(state, pending_verdicts=tuple(v for v, new in both if not new))
        for verdict in (v for v, new in both if new):
            state = evaluate_again(query, state, verdict.fit)
    return state


def straighten(query: Query, state: SearchState) -> SearchState:
    """Refine the poses of named cards that were found before what hides them: that had drawn them towards itself."""
    for number, card in enumerate(state.cards):
        later = state.cards[number + 1 :]
        if not any(overlap(card.detection.corners, other.detection.corners) for other in later):
            continue
        others = without_card(state, card)
        if has_news(card.fit, covered_cells(query, others, card.fit.matrix)):
            settled = poses.settled(query, others, card.fit)
            # A card of which nothing is left to see stays as it was found.
            state = at_pose(query, state, card, settled) if settled.seen.any() else state
    return state


def reconsider_together(query: Query, state: SearchState) -> SearchState:
    """Cards in a row that are all in doubt for what hides them may hide one another."""
    index = query.index
    probable: list[FaceFit] = []
    for verdict in sorted(state.pending_verdicts, key=lambda v: -v.top_probability):
        if verdict.top_probability < SEARCH.min_cover_probability or verdict.lead < NAMING.min_cover_lead_nats:
            break
        corners = verdict.fit.corners(index)
        if all(overlap(corners, other.corners(index)) < CARD.same_card_overlap for other in probable):
            probable.append(verdict.fit)
    for fit in probable:
        others = [shown_of(other, index.fine) for other in probable if other is not fit]
        mask = claimed_by(state.claimed.shape, others)
        also_covered = points_in(mask, map_points(fit.matrix, index.fine.centres())) & ~fit.seen
        if also_covered.sum() > SEARCH.min_newly_covered_share * len(also_covered):
            state = evaluate_again(query, state, fit, also_covered)
    return reconsider(query, state)


def without_ornament(query: Query, state: SearchState, face: int, pose: Points) -> SearchState:
    """Replaces a card that was found rotated about a round ornament of its own by the same card at this pose.

    An ornament that looks the same turned, a sun with its rays, may be found first, turned. The card itself
    explains the ornament too, and more.
    """
    # A card that shows wholly can't be an ornament of another.
    alike = [card for card in state.cards if card.fit.face == face and card.detection.visible < NAMING.whole_share]
    if not alike:
        return state
    corners = map_points(pose, rectangle(1.0, query.index.faces[face].aspect))
    for card in alike:
        detection = card.detection
        is_turned = (
            turn_between(detection.turn, turn_of(corners), detection.either_way) >= POSE.min_ornament_turn_degrees
        )
        if not is_turned or not overlap(detection.corners, corners):
            continue
        matrix = refine_from_guess(query.index, query.levels, face, pose)
        if matrix is None or not _explains(query, state, card, fit_face(query.index, query.levels, face, matrix)):
            continue
        others = without_card(state, card)
        instead = evaluate(query, others, face, matrix)
        if len(instead.cards) > len(others.cards):
            return instead
    return state


def _explains(query: Query, state: SearchState, card: NamedCard, fit: FaceFit) -> bool:
    """Whether a face explains most of what a card was seen by, and more."""
    shape = state.claimed.shape
    before = claimed_by(shape, [card.detection.shown]) > 0
    now = claimed_by(shape, [shown_of(fit, query.index.fine)]) > 0
    return bool(fit.support > card.fit.support and now[before].mean() > CARD.majority_share)


def by_known_camera(query: Query, state: SearchState) -> SearchState:
    """Decide again on unsure cards, and on those that sure ones contradict, by the sure ones' lamp and camera."""
    index = query.index
    # A verdict without the network doesn't depend on lamp and camera.
    doubted = [verdict for verdict in state.pending_verdicts if math.isfinite(verdict.log_odds)]
    unsure = [card for card in state.cards if card.detection.confidence < NAMING.sure_probability]
    sure = _camera_cards(state)
    # Only cards with near-twins are contradicted.
    if not doubted and not unsure and index.has_paintings:
        return state
    evidence, contradicted = _agreeing_evidence(query, sure)
    if not evidence or not (contradicted or unsure or doubted):
        return state
    camera = comparison.camera_chroma(each.normal_equations for each in evidence)
    query = _by_camera(query, camera)
    state = msgspec.structs.replace(state, doubted_poses=())
    for card in contradicted:
        again = conclude(query, without_card(state, card), card.fit, card.likelihood, card.is_cover_known)
        # Its own name once more makes a sure card no less sure.
        if not again.cards or again.cards[-1].detection.card != card.detection.card:
            state = again
    for card in unsure:
        others = without_card(state, card)
        decided = decide(query, others, card.fit, card.likelihood, card.is_cover_known)
        if not _is_likely_still(query, card, decided, camera):
            state = with_decision(query, others, card.fit, decided, card.is_cover_known)
    places: list[Points] = []
    for verdict in sorted(doubted, key=lambda v: -v.enrolled_probability):
        corners = verdict.fit.corners(index)
        if all(overlap(corners, other) < CARD.same_card_overlap for other in places):
            places.append(corners)
            state = conclude(query, state, verdict.fit, verdict.likelihood)
    return reconsider(query, state)


def covered_by_known_camera(query: Query, state: SearchState) -> SearchState:
    """Decide again on cards under others that are nearly named, by lamp and camera that sure ones tell."""
    doubted = [verdict for verdict in state.covered_verdicts if verdict.top_probability >= NAMING.min_probability]
    doubted = [verdict for verdict in doubted if math.isfinite(verdict.log_odds)]
    evidence = _agreeing_evidence(query, _camera_cards(state))[0] if doubted else []
    if not evidence:
        return state
    query = _by_camera(query, comparison.camera_chroma(each.normal_equations for each in evidence))
    for verdict in doubted:
        corners = verdict.fit.corners(query.index)
        if all(overlap(corners, card.detection.corners) < CARD.same_card_overlap for card in state.cards):
            state = conclude_covered(query, state, verdict.fit)
    return state


def _is_likely_still(query: Query, card: NamedCard, decided: Decision, camera: Array) -> bool:
    """Whether a named card that was decided again is the likeliest as before, and in its own ink: it keeps its name."""
    verdict = decided.verdict
    if verdict is None or decided.outcome is not Outcome.DOUBTED:
        return False
    is_likely = verdict.top_probability >= NAMING.min_kept_probability
    if verdict.cards[0][0] != card.detection.card or not is_likely:
        return False
    evidence = camera_evidence(query.index, query.picture, card.fit)
    return evidence.chroma_error(camera) <= COMPARISON.max_chroma_error


def _camera_cards(state: SearchState) -> list[NamedCard]:
    """The sure cards that show most, which tell of lamp and camera: a few of them tell as much as all."""
    sure = (card for card in state.cards if card.detection.confidence >= NAMING.sure_probability)
    return sorted(sure, key=lambda card: -card.detection.visible)[: COMPARISON.max_camera_cards]


def _by_camera(query: Query, camera: Array) -> Query:
    """The same picture with what lamp and camera do to its colours known."""
    return msgspec.structs.replace(query, picture=msgspec.structs.replace(query.picture, camera_colours=camera))


def _agreeing_evidence(query: Query, sure: list[NamedCard]) -> tuple[list[CameraEvidence], list[NamedCard]]:
    """The evidence of the sure cards that agree on lamp and camera, and the cards that the others contradict."""
    index = query.index
    evidence = [camera_evidence(index, query.picture, card.fit) for card in sure]
    total = sum((each.normal_equations for each in evidence), np.zeros((2, 4, 5)))
    limit = COMPARISON.max_chroma_error
    agreeing, contradicted = [], []
    for card, each in zip(sure, evidence, strict=True):
        has_others = len(sure) > 1 and not index.has_paintings
        if has_others and each.chroma_error(comparison.camera_chroma([total - each.normal_equations])) > limit:
            contradicted.append(card)
        else:
            agreeing.append(each)
    return agreeing, contradicted
