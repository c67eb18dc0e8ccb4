"""Decides what a face at a pose is: a named card, a doubt, or nothing worth keeping."""

from __future__ import annotations

import enum
import math

import msgspec
import numpy as np
from msgspec import Struct

from vision import confidence, quads
from vision.detections import Detection
from vision.fitting import FaceFit
from vision.geometry import Mask, Points, homography_to_quad, map_points, overlap, sides
from vision.identity import Likelihood
from vision.pipeline import poses
from vision.pipeline.query import Query
from vision.pipeline.search_state import SearchState, claimed_by, points_in, width_of, with_card, with_doubt
from vision.posterior import Posterior, posterior_of
from vision.tuning import CARD, NAMING, OCCLUSION, OUTLINE, POSE, SEARCH


class Outcome(enum.Enum):
    """What becomes of a posterior: a named card, an unnamed place, or nothing."""

    NAMED = "named"
    DOUBTED = "doubted"
    IGNORED = "ignored"


class Decision(Struct, frozen=True):
    """A posterior and what becomes of it; there is none where a face agrees too little to be compared with rivals."""

    outcome: Outcome
    posterior: Posterior | None = None


NO_MATCH = Decision(Outcome.IGNORED)


def decide(
    query: Query,
    state: SearchState,
    fit: FaceFit,
    likelihood: Likelihood | None = None,
    is_uncovered_visible: bool = False,
) -> Decision:
    """What a face at a pose is, beside what is explained already; its `likelihood` may be known.

    `is_uncovered_visible` where the sides that were found, or the whole outline, prove that nothing unknown covers the
    card. Then faces are compared however little of one agrees, whatever was decided there before, and no side has to
    show.
    """
    if not is_uncovered_visible and not confidence.is_worth_comparing(query.index, fit):
        return NO_MATCH
    posterior = None if is_uncovered_visible else _earlier_doubt(query, state, fit)
    if posterior is None:
        posterior = posterior_of(query.index, query.picture, fit, likelihood)
        if query.observe is not None:
            query.observe(posterior)
    outcome = _outcome(query, state, posterior)
    is_sure = is_uncovered_visible or posterior.top_probability >= NAMING.sure_probability
    if outcome is Outcome.NAMED and not is_sure and not _has_sides(query, posterior.fit):
        outcome = Outcome.DOUBTED
    return Decision(outcome, posterior)


def _earlier_doubt(query: Query, state: SearchState, fit: FaceFit) -> Posterior | None:
    """The doubt about a face where it was compared before, unless it agrees better now or more of it is covered."""
    index = query.index
    corners, card = fit.corners(index), index.faces[fit.face].card
    width = width_of(corners, index.aspect)
    for before in reversed(state.doubted_poses):
        there, known = before.corners, before.fit
        if (
            fit.mean_agreement > known.mean_agreement
            or card not in before.compared
            or math.dist(there[0], corners[0]) > width / 2
        ):
            continue
        is_near = float(np.abs(there - corners).max()) < POSE.same_pose_widths * width
        # A card that shows wholly is one and the same nearby.
        is_same = float(known.visible.mean()) >= NAMING.whole_share and overlap(there, corners) > CARD.same_card_overlap
        if (is_near or is_same) and not is_newly_covered(known, fit.covered):
            return before.posterior
    return None


def is_newly_covered(fit: FaceFit, covered: Mask) -> bool:
    """Whether much more of a card is known to be covered now."""
    return bool((covered & ~fit.covered).sum() > SEARCH.min_newly_covered_share * len(covered))


def with_fit_decided(
    query: Query,
    state: SearchState,
    fit: FaceFit,
    likelihood: Likelihood | None = None,
    is_uncovered_visible: bool = False,
) -> SearchState:
    """What is explained once it's decided what a face at a pose is."""
    return with_decision(
        query, state, fit, decide(query, state, fit, likelihood, is_uncovered_visible), is_uncovered_visible
    )


def with_decision(
    query: Query, state: SearchState, fit: FaceFit, decision: Decision, is_uncovered_visible: bool = False
) -> SearchState:
    """What is explained with a decision about a face at a pose: a card more, a doubt more, or the same.

    A card is added with the posterior's own fit, which may be another face than `fit`; a doubt is noted for `fit` too,
    so that it isn't compared again. What was ignored leaves the state as it is. `is_uncovered_visible` is kept with the
    card, for when it's decided again.
    """
    if decision.posterior is None or decision.outcome is Outcome.IGNORED:
        return state
    if decision.outcome is Outcome.DOUBTED:
        return with_doubt(query, state, decision.posterior, fit)
    return with_card(query, state, decision.posterior, is_uncovered_visible=is_uncovered_visible)


def with_covered_fit_decided(query: Query, state: SearchState, fit: FaceFit) -> SearchState:
    """What is explained once it's decided what a face under known cards is, of which only the sides were found."""
    decision = decide(query, state, fit, is_uncovered_visible=True)
    if decision.posterior is None or decision.outcome is Outcome.IGNORED:
        return state
    if decision.outcome is Outcome.NAMED and can_be_named_by_piece(decision.posterior):
        return with_card(query, state, decision.posterior, is_uncovered_visible=True)
    return msgspec.structs.replace(state, covered_posteriors=(*state.covered_posteriors, decision.posterior))


def can_be_named_by_piece(posterior: Posterior) -> bool:
    """Whether what shows of a card is enough for its name: of two cards it may be the part that they share."""
    least = OCCLUSION.min_probability
    return posterior.top_probability >= least and posterior.log_odds >= math.log(least / (1 - least))


def with_pose_decided(query: Query, state: SearchState, face: int, template_pose: Points) -> SearchState:
    """What is explained once a pose was refined, and it's decided what a face there is."""
    return with_fit_decided(query, state, poses.fit_at(query, state, face, template_pose))


def with_fit_decided_again(
    query: Query, state: SearchState, fit: FaceFit, also_covered: Mask | None = None
) -> SearchState:
    """The same for a face measured before, under what covers it now; something may cover `also_covered` cells too."""
    return with_fit_decided(query, state, poses.refined_with_new_cover(query, state, fit, also_covered))


def decide_where_it_lay(query: Query, state: SearchState, before: Detection) -> Decision:
    """A card is still there if most of what showed of it does, and no other face explains that better."""
    index, fine = query.index, query.index.fine
    faces = [n for n, f in enumerate(index.faces) if f.card == before.card and f.face == before.face]
    template_pose = homography_to_quad(before.corners, fine.width, fine.height)
    fit = poses.fit_where_it_lay(query, state, faces, template_pose)
    if fit is None or not confidence.is_worth_comparing(index, fit):
        return NO_MATCH
    was_visible = points_in(
        claimed_by(state.claimed.shape, [before.visible_quads]), map_points(fit.template_pose, fine.centres())
    )
    if not was_visible.any() or float(fit.visible[was_visible].mean()) < CARD.majority_share:
        return NO_MATCH
    posterior = posterior_of(index, query.picture, fit)
    is_named = posterior.fit.face in faces and posterior.lead >= NAMING.min_lead_nats
    return Decision(Outcome.NAMED if is_named else Outcome.IGNORED, posterior)


def _outcome(query: Query, state: SearchState, posterior: Posterior) -> Outcome:
    """What becomes of a posterior, by the card's shape, its probabilities, and the cards found before."""
    corners = posterior.fit.corners(query.index)
    if not is_card_shaped(corners, query.index.aspect):
        return Outcome.IGNORED
    # The network has never seen what is like no card at all, noise for instance.
    if not posterior.can_be_named or posterior.fit.mean_agreement < NAMING.min_agreement:
        return Outcome.DOUBTED
    if any(overlap(card.detection.corners, corners) > CARD.same_card_overlap for card in state.cards):
        return Outcome.IGNORED
    return Outcome.IGNORED if _is_in_another(query, state, posterior.fit, corners) else Outcome.NAMED


def _has_sides(query: Query, fit: FaceFit) -> bool:
    """Whether a card has an edge where its sides show; a painting tells by itself where it lies.

    Of symbols in a row some are like those of another card, a step aside.
    """
    fine = query.index.fine
    if query.index.has_paintings:
        return True
    back, side, visible = (
        np.linalg.inv(fit.template_pose),
        fine.width / fine.columns,
        fit.visible.reshape(fine.rows, fine.columns),
    )

    def is_visible(spots: Points) -> Mask:
        columns, rows = (map_points(back, spots) / side).astype(int).T
        return np.asarray(visible[rows.clip(0, fine.rows - 1), columns.clip(0, fine.columns - 1)])

    picture = query.picture.colours.picture
    return quads.weakest_edge(picture, fit.corners(query.index), is_visible) > OUTLINE.min_edge_contrast


def _is_in_another(query: Query, state: SearchState, fit: FaceFit, corners: Points) -> bool:
    """Whether the visible cells lie inside another whole card, which can't hold a piece of this one.

    Where most of a painting agrees, an outline that says otherwise is a bad one; a few symbols agree elsewhere too.
    """
    aspect = query.index.aspect
    whole_cards = [doubt.corners for doubt in state.unnamed_places if doubt.is_whole]
    whole_cards = [each for each in whole_cards if overlap(each, corners) < CARD.same_card_overlap]
    if fit.visible_share_of_uncovered < CARD.majority_share or query.index.has_near_twins:
        whole_cards += [
            each for each in quads.near(query.outlines, corners) if quads.is_displaced_overlap(each, corners, aspect)
        ]
    if not whole_cards:
        return False
    visible_spots = map_points(fit.template_pose, query.index.fine.centres()[fit.visible])
    return any(quads.inside(each, visible_spots).mean() > 0.5 for each in whole_cards)


def is_card_shaped(corners: Points, aspect: float) -> bool:
    """Whether a quadrilateral may be a card under a camera: not folded, not stretched beyond a steep view."""
    if not bool(np.all(np.isfinite(corners))):
        return False
    top, right, bottom, left = sides(corners)
    if min(top, right, bottom, left) < CARD.min_width_px / 2:
        return False
    tall = (right + left) / (top + bottom) / aspect
    return bool(1 / CARD.max_aspect_ratio < tall < CARD.max_aspect_ratio and max(top, bottom) < 2 * min(top, bottom))
