"""Decides what a face at a pose is: a named card, a doubt, or nothing worth keeping."""

from __future__ import annotations

import enum
import math

import msgspec
import numpy as np
from msgspec import Struct

from vision import confidence, posterior, quads
from vision.detections import Detection
from vision.fitting import FaceFit
from vision.geometry import Mask, Points, homography_to_quad, map_points, overlap, sides
from vision.identity import Likelihood
from vision.pipeline import poses
from vision.pipeline.query import Query
from vision.pipeline.search_state import SearchState, claimed_by, points_in, width_of, with_card, with_doubt
from vision.posterior import Posterior
from vision.tuning import CARD, NAMING, OCCLUSION, OUTLINE, POSE, SEARCH


class Outcome(enum.Enum):
    """What becomes of a verdict: a named card, an unnamed place, or nothing."""

    NAMED = "named"
    DOUBTED = "doubted"
    IGNORED = "ignored"


class Decision(Struct, frozen=True):
    """A verdict and what becomes of it; without one, the face agrees too little to be compared with its rivals."""

    outcome: Outcome
    verdict: Posterior | None = None


NO_MATCH = Decision(Outcome.IGNORED)


def decide(
    query: Query, state: SearchState, fit: FaceFit, likelihood: Likelihood | None = None, is_cover_known: bool = False
) -> Decision:
    """What a face at a pose is, beside what is explained already; its `likelihood` may be known.

    Where it's known what covers a card (`is_cover_known`), faces are compared however little of one agrees.
    """
    if not is_cover_known and not confidence.is_worth_comparing(query.index, fit):
        return NO_MATCH
    verdict = None if is_cover_known else _earlier_doubt(query, state, fit)
    if verdict is None:
        verdict = posterior.posterior_of(query.index, query.picture, fit, likelihood)
        if query.observe is not None:
            query.observe(verdict)
    outcome = _outcome(query, state, verdict)
    is_sure = is_cover_known or verdict.top_probability >= NAMING.sure_probability
    if outcome is Outcome.NAMED and not is_sure and not _has_sides(query, verdict.fit):
        outcome = Outcome.DOUBTED
    return Decision(outcome, verdict)


def _earlier_doubt(query: Query, state: SearchState, fit: FaceFit) -> Posterior | None:
    """The doubt about a face where it was compared before, unless it agrees better now or more of it is covered."""
    index = query.index
    corners, card = fit.corners(index), index.faces[fit.face].card
    width = width_of(corners, index.aspect)
    for before in reversed(state.doubted_poses):
        there, known = before.corners, before.fit
        if fit.quality > known.quality or card not in before.compared or math.dist(there[0], corners[0]) > width / 2:
            continue
        is_near = float(np.abs(there - corners).max()) < POSE.same_pose_widths * width
        # A card that shows wholly is one and the same nearby.
        is_same = float(known.seen.mean()) >= NAMING.whole_share and overlap(there, corners) > CARD.same_card_overlap
        if (is_near or is_same) and not has_news(known, fit.covered):
            return before.verdict
    return None


def has_news(fit: FaceFit, covered: Mask) -> bool:
    """Whether much more of a card is known to be covered now."""
    return bool((covered & ~fit.covered).sum() > SEARCH.min_newly_covered_share * len(covered))


def conclude(
    query: Query, state: SearchState, fit: FaceFit, likelihood: Likelihood | None = None, is_cover_known: bool = False
) -> SearchState:
    """What is explained once a face at a pose has been decided about."""
    return with_decision(query, state, fit, decide(query, state, fit, likelihood, is_cover_known), is_cover_known)


def with_decision(
    query: Query, state: SearchState, fit: FaceFit, decision: Decision, is_cover_known: bool = False
) -> SearchState:
    """What is explained with a decision about a face at a pose."""
    if decision.verdict is None or decision.outcome is Outcome.IGNORED:
        return state
    if decision.outcome is Outcome.DOUBTED:
        return with_doubt(query, state, decision.verdict, fit)
    return with_card(query, state, decision.verdict, is_cover_known=is_cover_known)


def conclude_covered(query: Query, state: SearchState, fit: FaceFit) -> SearchState:
    """What is explained with a decision about a face under known cards, of which only the sides were found."""
    decision = decide(query, state, fit, is_cover_known=True)
    if decision.verdict is None or decision.outcome is Outcome.IGNORED:
        return state
    if decision.outcome is Outcome.NAMED and can_be_named_by_piece(decision.verdict):
        return with_card(query, state, decision.verdict, is_cover_known=True)
    return msgspec.structs.replace(state, covered_verdicts=(*state.covered_verdicts, decision.verdict))


def can_be_named_by_piece(verdict: Posterior) -> bool:
    """Whether what shows of a card is enough for its name: of two cards it may be the part that they share."""
    least = OCCLUSION.min_probability
    return verdict.top_probability >= least and verdict.log_odds >= math.log(least / (1 - least))


def evaluate(query: Query, state: SearchState, face: int, matrix: Points) -> SearchState:
    """Look closely at a pose, and conclude."""
    return conclude(query, state, poses.at(query, state, face, matrix))


def evaluate_again(query: Query, state: SearchState, fit: FaceFit, also_covered: Mask | None = None) -> SearchState:
    """Look again where a face was looked at before, and conclude; `also_covered` are cells that something may cover."""
    return conclude(query, state, poses.again(query, state, fit, also_covered))


def decide_where_it_lay(query: Query, state: SearchState, before: Detection) -> Decision:
    """A card is still there if most of what showed of it does, and no other face explains that better."""
    index, fine = query.index, query.index.fine
    faces = [n for n, f in enumerate(index.faces) if f.card == before.card and f.face == before.face]
    pose = homography_to_quad(before.corners, fine.width, fine.height)
    fit = poses.where_it_lay(query, state, faces, pose)
    if fit is None or not confidence.is_worth_comparing(index, fit):
        return NO_MATCH
    showed = points_in(claimed_by(state.claimed.shape, [before.shown]), map_points(fit.matrix, fine.centres()))
    if not showed.any() or float(fit.seen[showed].mean()) < CARD.majority_share:
        return NO_MATCH
    verdict = posterior.posterior_of(index, query.picture, fit)
    is_named = verdict.fit.face in faces and verdict.lead >= NAMING.min_lead_nats
    return Decision(Outcome.NAMED if is_named else Outcome.IGNORED, verdict)


def _outcome(query: Query, state: SearchState, verdict: Posterior) -> Outcome:
    corners = verdict.fit.corners(query.index)
    if not is_card_shaped(corners, query.index.aspect):
        return Outcome.IGNORED
    # The network has never seen what is like no card at all, noise for instance.
    if not verdict.can_be_named or verdict.fit.quality < NAMING.min_agreement:
        return Outcome.DOUBTED
    if any(overlap(card.detection.corners, corners) > CARD.same_card_overlap for card in state.cards):
        return Outcome.IGNORED
    return Outcome.IGNORED if _is_in_another(query, state, verdict.fit, corners) else Outcome.NAMED


def _has_sides(query: Query, fit: FaceFit) -> bool:
    """Whether a card has an edge where its sides show; a painting tells by itself where it lies.

    Of symbols in a row some are like those of another card, a step aside.
    """
    fine = query.index.fine
    if query.index.has_paintings:
        return True
    back, side, seen = np.linalg.inv(fit.matrix), fine.width / fine.columns, fit.seen.reshape(fine.rows, fine.columns)

    def shows(spots: Points) -> Mask:
        columns, rows = (map_points(back, spots) / side).astype(int).T
        return np.asarray(seen[rows.clip(0, fine.rows - 1), columns.clip(0, fine.columns - 1)])

    picture = query.picture.colours.picture
    return quads.weakest_edge(picture, fit.corners(query.index), shows) > OUTLINE.min_edge_contrast


def _is_in_another(query: Query, state: SearchState, fit: FaceFit, corners: Points) -> bool:
    """Whether the visible cells lie inside another whole card, which can't hold a piece of this one.

    Where most of a painting agrees, an outline that says otherwise is a bad one; a few symbols agree elsewhere too.
    """
    aspect = query.index.aspect
    whole_cards = [doubt.corners for doubt in state.unnamed_places if doubt.is_whole]
    whole_cards = [each for each in whole_cards if overlap(each, corners) < CARD.same_card_overlap]
    if fit.visible_share < CARD.majority_share or not query.index.has_paintings:
        whole_cards += [
            each for each in quads.near(query.outlines, corners) if quads.overlaps_aside(each, corners, aspect)
        ]
    if not whole_cards:
        return False
    seen = map_points(fit.matrix, query.index.fine.centres()[fit.seen])
    return any(quads.inside(each, seen).mean() > 0.5 for each in whole_cards)


def is_card_shaped(corners: Points, aspect: float) -> bool:
    """Whether a quadrilateral may be a card under a camera: not folded, not stretched beyond a steep view."""
    if not bool(np.all(np.isfinite(corners))):
        return False
    top, right, bottom, left = sides(corners)
    if min(top, right, bottom, left) < CARD.min_width_px / 2:
        return False
    tall = (right + left) / (top + bottom) / aspect
    return bool(1 / CARD.max_aspect_ratio < tall < CARD.max_aspect_ratio and max(top, bottom) < 2 * min(top, bottom))
