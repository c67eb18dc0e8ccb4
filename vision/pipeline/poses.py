"""Refines the pose of a candidate, and judges how well its face agrees there."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vision import confidence, quads
from vision.cells import Templates
from vision.fitting import REACH, FaceFit, better_pose, fit_again, fit_face, refine, refine_from_guess, shifted
from vision.geometry import Mask, Points, local_affine, map_points, rectangle, turn_of
from vision.index import to_unit
from vision.pipeline.candidates import PoseCandidate
from vision.pipeline.query import Query
from vision.pipeline.search_state import SearchState, covered_cells, width_of
from vision.tuning import NAMING, POSE


def fit_of_candidate(query: Query, state: SearchState, candidate: PoseCandidate) -> FaceFit | None:
    """A candidate at its pose, which may be refined; none if nothing there looks like it."""
    index, face, covered = query.index, candidate.face, None
    if candidate.is_close:
        covered = covered_cells(query, state, candidate.unit_pose @ to_unit(index, index.fine, face))
    template_pose = refine_from_guess(index, query.levels, face, candidate.unit_pose, candidate.is_close, covered)
    if template_pose is None:
        return None
    # A false candidate next to a named card is often drawn onto it.
    covered = covered_cells(query, state, template_pose)
    if not confidence.can_be_worth_comparing(index, face, covered):
        return None
    return fit_face(index, query.levels, face, template_pose, covered)


def with_better_pose(query: Query, state: SearchState, fit: FaceFit) -> FaceFit:
    """The same face at a better pose, where it agrees so little that there may be one."""
    return _or_pose_of_neighbour(query, state, refine(query.index, query.levels, fit, fit.covered))


def is_under_unknown(query: Query, fit: FaceFit) -> bool:
    """Whether something that isn't known yet may cover a face: a part of it agrees, and not well."""
    is_part = fit.visible_share_of_uncovered < NAMING.whole_share and fit.mean_agreement < POSE.good_agreement
    return is_part and confidence.is_worth_comparing(query.index, fit)


def fit_at(query: Query, state: SearchState, face: int, template_pose: Points) -> FaceFit:
    """A face measured at a pose, and refined from there, or from where a card beside it suggests."""
    return _or_pose_of_neighbour(query, state, _fit_and_refine(query, state, face, template_pose))


def with_new_cover(query: Query, state: SearchState, fit: FaceFit) -> FaceFit:
    """The same face with what is known to cover it now, refined only where it agrees less than at a good pose."""
    covered = covered_cells(query, state, fit.template_pose)
    fit = fit_again(query.index, query.levels, fit, covered)
    return fit if fit.mean_agreement >= POSE.good_agreement else refine(query.index, query.levels, fit, covered)


def refined_with_new_cover(query: Query, state: SearchState, fit: FaceFit, also_covered: Mask | None = None) -> FaceFit:
    """A face refined from where it was measured before, with what is known to cover it now.

    `also_covered` are cells that something covers which isn't named yet.
    """
    covered = covered_cells(query, state, fit.template_pose)
    covered = covered if also_covered is None else covered | also_covered
    fit = refine(query.index, query.levels, fit_again(query.index, query.levels, fit, covered), covered)
    return _or_pose_of_neighbour(query, state, fit, also_covered)


def _or_pose_of_neighbour(query: Query, state: SearchState, fit: FaceFit, also_covered: Mask | None = None) -> FaceFit:
    """The same face at the pose that a card beside it suggests, if that is better."""
    if fit.mean_agreement < POSE.good_agreement and fit.covered.mean() > POSE.max_covered_share:
        # A card that is mostly covered has the size and the slant of the one beside it.
        template_pose = _pose_of_neighbour(query, state, fit)
        if template_pose is not None and not leads_to_same_pose(query, fit, template_pose):
            fit = better_pose(fit, _fit_and_refine(query, state, fit.face, template_pose, also_covered))
    return fit


def leads_to_same_pose(query: Query, fit: FaceFit, template_pose: Points) -> bool:
    """Whether a pose is so near that it settles on the same one."""
    fine, corners = query.index.fine, fit.corners(query.index)
    away = np.abs(map_points(template_pose, rectangle(fine.width, fine.height)) - corners).max()
    return bool(away < POSE.same_pose_widths * width_of(corners, query.index.aspect))


def fit_in_outline(query: Query, state: SearchState, candidate: PoseCandidate) -> FaceFit:
    """A candidate exactly where an outline has its corners."""
    template_pose = candidate.unit_pose @ to_unit(query.index, query.index.fine, candidate.face)
    covered = covered_cells(query, state, template_pose)
    return fit_face(query.index, query.levels, candidate.face, template_pose, covered)


def fit_under(query: Query, candidate: PoseCandidate, covers: Sequence[Points]) -> FaceFit:
    """A candidate under cards with these corners: where its far side tells, or shifted from there if that is better."""
    index, face = query.index, candidate.face
    template_pose = candidate.unit_pose @ to_unit(index, index.fine, face)
    fit = fit_face(index, query.levels, face, template_pose, cells_under(index.fine, template_pose, covers))
    coarse_pose = candidate.unit_pose @ to_unit(index, index.coarse, face)
    coarse_pose = shifted(
        index.coarse, query.levels, face, coarse_pose, 4, cells_under(index.coarse, coarse_pose, covers)
    )
    template_pose = coarse_pose @ np.diag(
        [index.coarse.width / index.fine.width, index.coarse.height / index.fine.height, 1.0]
    )
    for _ in range(2):
        template_pose = shifted(
            index.fine, query.levels, face, template_pose, REACH, cells_under(index.fine, template_pose, covers)
        )
    return better_pose(
        fit, fit_face(index, query.levels, face, template_pose, cells_under(index.fine, template_pose, covers))
    )


def cells_under(templates: Templates, template_pose: Points, covers: Sequence[Points]) -> Mask:
    """The cells of a pose that lie under cards with these corners, even in part."""
    spots = map_points(template_pose, templates.quarters())
    return np.asarray(quads.inside_any(covers, spots).reshape(-1, 4).any(axis=1))


def refined_near_outline(query: Query, state: SearchState, candidate: PoseCandidate, fit: FaceFit) -> FaceFit:
    """The same at a pose near the outline that agrees better, if there's one."""
    covered = covered_cells(query, state, fit.template_pose)
    fit = refine(query.index, query.levels, fit, covered)
    template_pose = refine_from_guess(
        query.index, query.levels, candidate.face, candidate.unit_pose, candidate.is_close
    )
    if template_pose is None:
        return fit
    return better_pose(fit, _fit_and_refine(query, state, candidate.face, template_pose))


def fit_where_it_lay(query: Query, state: SearchState, faces: list[int], template_pose: Points) -> FaceFit | None:
    """The likeliest of several references of one face, refined from where that lay before."""
    fits = (_fit_and_refine(query, state, face, template_pose) for face in faces)
    return max(fits, key=lambda fit: fit.support, default=None)


def _fit_and_refine(
    query: Query, state: SearchState, face: int, template_pose: Points, also_covered: Mask | None = None
) -> FaceFit:
    covered = covered_cells(query, state, template_pose)
    covered = covered if also_covered is None else covered | also_covered
    return refine(query.index, query.levels, fit_face(query.index, query.levels, face, template_pose, covered), covered)


def _pose_of_neighbour(query: Query, state: SearchState, fit: FaceFit) -> Points | None:
    """The pose of a card as the nearest named one lies, by the middle of what is seen of it."""
    if not state.cards or not fit.visible.any():
        return None
    fine = query.index.fine
    spot = fine.centres()[fit.visible].mean(axis=0)
    here = map_points(fit.template_pose, spot[None])[0]
    near = min(state.cards, key=lambda card: math.dist(card.middle, here))
    away = math.radians(turn_of(fit.corners(query.index)) - near.detection.turn)
    turned = np.array([[math.cos(away), -math.sin(away)], [math.sin(away), math.cos(away)]])
    linear = turned @ local_affine(near.fit.template_pose, np.array([fine.width, fine.height]) / 2)[1]
    return np.vstack([np.column_stack([linear, here - linear @ spot]), [0, 0, 1.0]])
