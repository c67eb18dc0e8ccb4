"""Refines the pose of a candidate, and judges how well its face agrees there."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vision import confidence, quads
from vision.cells import Templates
from vision.fitting import FaceFit, aligned_piece, better_pose, fit_again, fit_face, refine, refine_from_guess, shifted
from vision.geometry import Mask, Points, local_affine, map_points, rectangle, turn_of
from vision.index import to_unit
from vision.pipeline.candidates import PoseCandidate
from vision.pipeline.query import Query
from vision.pipeline.search_state import SearchState, covered_cells, width_of
from vision.tuning import NAMING, POSE


def of_candidate(query: Query, state: SearchState, candidate: PoseCandidate) -> FaceFit | None:
    """A candidate at its pose, which may be refined; none if nothing there looks like it."""
    index, face, covered = query.index, candidate.face, None
    if candidate.is_close:
        covered = covered_cells(query, state, candidate.pose @ to_unit(index, index.fine, face))
    matrix = refine_from_guess(index, query.levels, face, candidate.pose, candidate.is_close, covered)
    if matrix is None:
        return None
    # A false candidate next to a named card is often drawn onto it.
    covered = covered_cells(query, state, matrix)
    if not confidence.can_be_worth_comparing(index, face, covered):
        return None
    return fit_face(index, query.levels, face, matrix, covered)


def refined(query: Query, state: SearchState, fit: FaceFit) -> FaceFit:
    """The same face at a better pose, where it agrees so little that there may be one."""
    return _or_like_its_neighbour(query, state, refine(query.index, query.levels, fit, fit.covered))


def is_under_unknown(query: Query, fit: FaceFit) -> bool:
    """Whether something that isn't known yet may cover a face: a part of it agrees, and not well."""
    is_part = fit.visible_share < NAMING.whole_share and fit.quality < POSE.good_agreement
    return is_part and confidence.is_worth_comparing(query.index, fit)


def at(query: Query, state: SearchState, face: int, matrix: Points) -> FaceFit:
    """A face refined from a pose."""
    return _or_like_its_neighbour(query, state, _refined(query, state, face, matrix))


def settled(query: Query, state: SearchState, fit: FaceFit) -> FaceFit:
    """The same face with what is now known to cover it, refined only where it agrees less than a good pose does."""
    covered = covered_cells(query, state, fit.matrix)
    fit = fit_again(query.index, query.levels, fit, covered)
    return fit if fit.quality >= POSE.good_agreement else refine(query.index, query.levels, fit, covered)


def again(query: Query, state: SearchState, fit: FaceFit, also_covered: Mask | None = None) -> FaceFit:
    """A face refined from a pose at which it was measured before with something else known to cover it.

    `also_covered` are cells that something covers which isn't named yet.
    """
    covered = covered_cells(query, state, fit.matrix)
    covered = covered if also_covered is None else covered | also_covered
    fit = refine(query.index, query.levels, fit_again(query.index, query.levels, fit, covered), covered)
    return _or_like_its_neighbour(query, state, fit, also_covered)


def _or_like_its_neighbour(query: Query, state: SearchState, fit: FaceFit, also_covered: Mask | None = None) -> FaceFit:
    """The same face at the pose that a card beside it suggests, if that is better."""
    if fit.quality < POSE.good_agreement and fit.covered.mean() > POSE.max_covered_share:
        # A card that is mostly covered has the size and the slant of the one beside it.
        matrix = _like_its_neighbour(query, state, fit)
        if matrix is not None and not is_near(query, fit, matrix):
            fit = better_pose(fit, _refined(query, state, fit.face, matrix, also_covered))
    return fit


def is_near(query: Query, fit: FaceFit, matrix: Points) -> bool:
    """Whether a pose is so near that it settles on the same one."""
    fine, corners = query.index.fine, fit.corners(query.index)
    away = np.abs(map_points(matrix, rectangle(fine.width, fine.height)) - corners).max()
    return bool(away < POSE.same_pose_widths * width_of(corners, query.index.aspect))


def in_outline(query: Query, state: SearchState, candidate: PoseCandidate) -> FaceFit:
    """A candidate exactly where an outline has its corners."""
    matrix = candidate.pose @ to_unit(query.index, query.index.fine, candidate.face)
    covered = covered_cells(query, state, matrix)
    return fit_face(query.index, query.levels, candidate.face, matrix, covered)


def under(query: Query, candidate: PoseCandidate, covers: Sequence[Points]) -> FaceFit:
    """A candidate under cards with these corners: where its far side tells, or shifted from there if that is better."""
    index, face = query.index, candidate.face
    matrix = candidate.pose @ to_unit(index, index.fine, face)
    fit = fit_face(index, query.levels, face, matrix, cells_under(index.fine, matrix, covers))
    coarse = candidate.pose @ to_unit(index, index.coarse, face)
    coarse = shifted(index.coarse, query.levels, face, coarse, 4, cells_under(index.coarse, coarse, covers))
    matrix = coarse @ np.diag([index.coarse.width / index.fine.width, index.coarse.height / index.fine.height, 1.0])
    for _ in range(2):
        matrix = aligned_piece(index.fine, query.levels, face, matrix, cells_under(index.fine, matrix, covers))
    return better_pose(fit, fit_face(index, query.levels, face, matrix, cells_under(index.fine, matrix, covers)))


def cells_under(templates: Templates, matrix: Points, covers: Sequence[Points]) -> Mask:
    """The cells of a pose that lie under cards with these corners, even in part."""
    spots = map_points(matrix, templates.quarters())
    return np.asarray(quads.inside_any(covers, spots).reshape(-1, 4).any(axis=1))


def near_outline(query: Query, state: SearchState, candidate: PoseCandidate, fit: FaceFit) -> FaceFit:
    """The same at a pose near the outline that agrees better, if there's one."""
    covered = covered_cells(query, state, fit.matrix)
    fit = refine(query.index, query.levels, fit, covered)
    matrix = refine_from_guess(query.index, query.levels, candidate.face, candidate.pose, candidate.is_close)
    if matrix is None:
        return fit
    return better_pose(fit, _refined(query, state, candidate.face, matrix))


def where_it_lay(query: Query, state: SearchState, faces: list[int], matrix: Points) -> FaceFit | None:
    """The likeliest of several references of one face, refined from where that lay before."""
    fits = (_refined(query, state, face, matrix) for face in faces)
    return max(fits, key=lambda fit: fit.support, default=None)


def _refined(query: Query, state: SearchState, face: int, matrix: Points, also_covered: Mask | None = None) -> FaceFit:
    covered = covered_cells(query, state, matrix)
    covered = covered if also_covered is None else covered | also_covered
    return refine(query.index, query.levels, fit_face(query.index, query.levels, face, matrix, covered), covered)


def _like_its_neighbour(query: Query, state: SearchState, fit: FaceFit) -> Points | None:
    """The pose of a card as the nearest named one lies, by the middle of what is seen of it."""
    if not state.cards or not fit.seen.any():
        return None
    fine = query.index.fine
    spot = fine.centres()[fit.seen].mean(axis=0)
    here = map_points(fit.matrix, spot[None])[0]
    near = min(state.cards, key=lambda card: math.dist(card.middle, here))
    away = math.radians(turn_of(fit.corners(query.index)) - near.detection.turn)
    turned = np.array([[math.cos(away), -math.sin(away)], [math.sin(away), math.cos(away)]])
    linear = turned @ local_affine(near.fit.matrix, np.array([fine.width, fine.height]) / 2)[1]
    return np.vstack([np.column_stack([linear, here - linear @ spot]), [0, 0, 1.0]])
