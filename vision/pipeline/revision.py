"""Looks again at what was in doubt, once more is explained; and takes back a card that was another one's ornament."""

from __future__ import annotations

import math

import msgspec

from vision import comparison
from vision.fitting import FaceFit, fit_face, refine_from_guess
from vision.geometry import Array, Points, map_points, overlap, rectangle, turn_between, turn_of
from vision.pipeline import poses
from vision.pipeline.decision import (
    Decision,
    Outcome,
    decide,
    is_newly_covered,
    with_covered_fit_decided,
    with_decision,
    with_fit_decided,
    with_fit_decided_again,
    with_pose_decided,
)
from vision.pipeline.query import Query
from vision.pipeline.search_state import (
    NamedCard,
    SearchState,
    at_pose,
    claimed_by,
    covered_cells,
    points_in,
    visible_quads_of,
    without_card,
)
from vision.place_comparison import CameraEvidence, camera_evidence
from vision.tuning import CARD, COMPARISON, NAMING, POSE, SEARCH


def reconsider(query: Query, state: SearchState) -> SearchState:
    """Look again at cards that were in doubt for what hides them, where that is known by now.

    In a row each card that gets its name tells what hides the next one, and a pose that got better what hides it.
    """
    for _ in range(SEARCH.max_row_cards):
        is_new = [
            is_newly_covered(v.fit, covered_cells(query, state, v.fit.template_pose)) for v in state.pending_posteriors
        ]
        if not any(is_new):
            break
        both = list(zip(state.pending_posteriors, is_new, strict=True))
        state = msgspec.structs.replace(state, pending_posteriors=tuple(v for v, new in both if not new))
        for posterior in (v for v, new in both if new):
            state = with_fit_decided_again(query, state, posterior.fit)
    return state


def straighten(query: Query, state: SearchState) -> SearchState:
    """Refine the poses of named cards that were found before what hides them: that had drawn them towards itself."""
    for number, card in enumerate(state.cards):
        later = state.cards[number + 1 :]
        if not any(overlap(card.detection.corners, other.detection.corners) for other in later):
            continue
        others = without_card(state, card)
        if is_newly_covered(card.fit, covered_cells(query, others, card.fit.template_pose)):
            settled = poses.with_new_cover(query, others, card.fit)
            # A card of which nothing is left to see stays as it was found.
            state = at_pose(query, state, card, settled) if settled.visible.any() else state
    return state


def reconsider_together(query: Query, state: SearchState) -> SearchState:
    """Cards in a row that are all in doubt for what hides them may hide one another."""
    index = query.index
    probable: list[FaceFit] = []
    for posterior in sorted(state.pending_posteriors, key=lambda v: -v.top_probability):
        if posterior.top_probability < SEARCH.min_cover_probability or posterior.lead < NAMING.min_cover_lead_nats:
            break
        corners = posterior.fit.corners(index)
        if all(overlap(corners, other.corners(index)) < CARD.same_card_overlap for other in probable):
            probable.append(posterior.fit)
    for fit in probable:
        others = [visible_quads_of(other, index.fine) for other in probable if other is not fit]
        mask = claimed_by(state.claimed.shape, others)
        also_covered = points_in(mask, map_points(fit.template_pose, index.fine.centres())) & ~fit.visible
        if also_covered.sum() > SEARCH.min_newly_covered_share * len(also_covered):
            state = with_fit_decided_again(query, state, fit, also_covered)
    return reconsider(query, state)


def without_ornament(query: Query, state: SearchState, face: int, unit_pose: Points) -> SearchState:
    """Replaces a card that was found rotated about a round ornament of its own by the same card at this pose.

    An ornament that looks the same turned, a sun with its rays, may be found first, turned. The card itself
    explains the ornament too, and more.
    """
    # A card that shows wholly can't be an ornament of another.
    alike = [
        card for card in state.cards if card.fit.face == face and card.detection.visible_share < NAMING.whole_share
    ]
    if not alike:
        return state
    corners = map_points(unit_pose, rectangle(1.0, query.index.faces[face].aspect))
    for card in alike:
        detection = card.detection
        is_turned = (
            turn_between(detection.turn, turn_of(corners), detection.either_way) >= POSE.min_ornament_turn_degrees
        )
        if not is_turned or not overlap(detection.corners, corners):
            continue
        template_pose = refine_from_guess(query.index, query.levels, face, unit_pose)
        if template_pose is None or not _explains(
            query, state, card, fit_face(query.index, query.levels, face, template_pose)
        ):
            continue
        others = without_card(state, card)
        instead = with_pose_decided(query, others, face, template_pose)
        if len(instead.cards) > len(others.cards):
            return instead
    return state


def _explains(query: Query, state: SearchState, card: NamedCard, fit: FaceFit) -> bool:
    """Whether a face explains most of what a card was seen by, and more."""
    shape = state.claimed.shape
    before = claimed_by(shape, [card.detection.visible_quads]) > 0
    now = claimed_by(shape, [visible_quads_of(fit, query.index.fine)]) > 0
    return bool(fit.support > card.fit.support and now[before].mean() > CARD.majority_share)


def by_known_camera(query: Query, state: SearchState) -> SearchState:
    """Decide again on unsure cards, and on those that sure ones contradict, by the sure ones' lamp and camera."""
    index = query.index
    # A posterior without the network doesn't depend on lamp and camera.
    doubted_posteriors = [posterior for posterior in state.pending_posteriors if math.isfinite(posterior.log_odds)]
    unsure_cards = [card for card in state.cards if card.detection.confidence < NAMING.sure_probability]
    sure_cards = _camera_cards(state)
    # Only cards with near-twins are contradicted.
    if not doubted_posteriors and not unsure_cards and index.has_paintings:
        return state
    evidence, contradicted_cards = _agreeing_evidence(query, sure_cards)
    if not evidence or not (contradicted_cards or unsure_cards or doubted_posteriors):
        return state
    camera = comparison.camera_chroma(each.normal_equations for each in evidence)
    query = _by_camera(query, camera)
    state = msgspec.structs.replace(state, doubted_poses=())
    for card in contradicted_cards:
        again = with_fit_decided(query, without_card(state, card), card.fit, card.likelihood, card.is_uncovered_visible)
        # Its own name once more makes a sure card no less sure.
        if not again.cards or again.cards[-1].detection.card != card.detection.card:
            state = again
    for card in unsure_cards:
        others = without_card(state, card)
        decided = decide(query, others, card.fit, card.likelihood, card.is_uncovered_visible)
        if not _is_likely_still(query, card, decided, camera):
            state = with_decision(query, others, card.fit, decided, card.is_uncovered_visible)
    places: list[Points] = []
    for posterior in sorted(doubted_posteriors, key=lambda v: -v.enrolled_probability):
        corners = posterior.fit.corners(index)
        if all(overlap(corners, other) < CARD.same_card_overlap for other in places):
            places.append(corners)
            state = with_fit_decided(query, state, posterior.fit, posterior.likelihood)
    return reconsider(query, state)


def covered_by_known_camera(query: Query, state: SearchState) -> SearchState:
    """Decide again on cards under others that are nearly named, by lamp and camera that sure ones tell."""
    doubted_posteriors = [
        posterior for posterior in state.covered_posteriors if posterior.top_probability >= NAMING.min_probability
    ]
    doubted_posteriors = [posterior for posterior in doubted_posteriors if math.isfinite(posterior.log_odds)]
    evidence = _agreeing_evidence(query, _camera_cards(state))[0] if doubted_posteriors else []
    if not evidence:
        return state
    query = _by_camera(query, comparison.camera_chroma(each.normal_equations for each in evidence))
    for posterior in doubted_posteriors:
        corners = posterior.fit.corners(query.index)
        if all(overlap(corners, card.detection.corners) < CARD.same_card_overlap for card in state.cards):
            state = with_covered_fit_decided(query, state, posterior.fit)
    return state


def _is_likely_still(query: Query, card: NamedCard, decided: Decision, camera: Array) -> bool:
    """Whether a named card that was decided again is the likeliest as before, and in its own ink: it keeps its name."""
    posterior = decided.posterior
    if posterior is None or decided.outcome is not Outcome.DOUBTED:
        return False
    is_likely = posterior.top_probability >= NAMING.min_kept_probability
    if posterior.cards[0][0] != card.detection.card or not is_likely:
        return False
    evidence = camera_evidence(query.index, query.picture, card.fit)
    return evidence.chroma_error(camera) <= COMPARISON.max_chroma_error


def _camera_cards(state: SearchState) -> list[NamedCard]:
    """The sure cards that show most, which tell of lamp and camera: a few of them tell as much as all."""
    sure_cards = (card for card in state.cards if card.detection.confidence >= NAMING.sure_probability)
    return sorted(sure_cards, key=lambda card: -card.detection.visible_share)[: COMPARISON.max_camera_cards]


def _by_camera(query: Query, camera: Array) -> Query:
    """The same picture with what lamp and camera do to its colours known."""
    return msgspec.structs.replace(query, picture=msgspec.structs.replace(query.picture, camera_colours=camera))


def _agreeing_evidence(query: Query, sure_cards: list[NamedCard]) -> tuple[list[CameraEvidence], list[NamedCard]]:
    """The evidence of the sure cards that agree on lamp and camera, and the cards that the others contradict."""
    index = query.index
    evidence = [camera_evidence(index, query.picture, card.fit) for card in sure_cards]
    total = sum((each.normal_equations for each in evidence), comparison.NO_CHROMA_SUMS)
    limit = COMPARISON.max_chroma_error
    agreeing, contradicted_cards = [], []
    for card, each in zip(sure_cards, evidence, strict=True):
        has_others = len(sure_cards) > 1 and index.has_near_twins
        if has_others and each.chroma_error(comparison.camera_chroma([total - each.normal_equations])) > limit:
            contradicted_cards.append(card)
        else:
            agreeing.append(each)
    return agreeing, contradicted_cards
