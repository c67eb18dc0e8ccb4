"""Refines the pose of a candidate, and judges how well its face agrees there."""

from __future__ import annotations

import math

import numpy as np

from vision.geometry import Mask, Points, about, map_points, rectangle, turn_of
from vision.index import to_unit
from vision.judging import Judged, better_pose, judge, refine, refine_from_guess
from vision.pipeline.candidates import PoseCandidate
from vision.pipeline.explained import SearchState, covered_cells, width_of
from vision.pipeline.query import Query
from vision.tuning import POSE


def of_candidate(query: Query, explained: SearchState, candidate: PoseCandidate) -> Judged | None:
    """A candidate at its refined pose; none if nothing there looks like it."""
    matrix = refine_from_guess(query.index, query.levels, candidate.face, candidate.pose, candidate.is_close)
    return None if matrix is None else at(query, explained, candidate.face, matrix)


def at(query: Query, explained: SearchState, face: int, matrix: Points, hidden: Mask | None = None) -> Judged:
    """A face refined from a pose; `hidden` are cells that something lies on which isn't named yet."""
    judged = _refined(query, explained, face, matrix, hidden)
    if judged.quality < POSE.good and judged.covered.mean() > POSE.hidden:
        # Of a card that is hidden so far, another one beside it tells the size and the slant.
        beside = _like_one_beside(query, explained, judged)
        if beside is not None and not is_near(query, judged, beside):
            judged = better_pose(judged, _refined(query, explained, face, beside, hidden))
    return judged


def is_near(query: Query, judged: Judged, matrix: Points) -> bool:
    """Whether a pose is so near that it settles on the same one."""
    fine, corners = query.index.fine, judged.corners(query.index)
    away = np.abs(map_points(matrix, rectangle(fine.width, fine.height)) - corners).max()
    return bool(away < POSE.tried * width_of(corners, query.index.aspect))


def in_outline(query: Query, explained: SearchState, candidate: PoseCandidate) -> Judged:
    """A candidate exactly where an outline has its corners."""
    matrix = candidate.pose @ to_unit(query.index, query.index.fine, candidate.face)
    covered = covered_cells(query, explained, matrix)
    return judge(query.index, query.levels, candidate.face, matrix, covered)


def near_outline(query: Query, explained: SearchState, candidate: PoseCandidate, judged: Judged) -> Judged:
    """The same at a pose near the outline that agrees better, if there's one."""
    covered = covered_cells(query, explained, judged.matrix)
    judged = refine(query.index, query.levels, judged, covered)
    matrix = refine_from_guess(query.index, query.levels, candidate.face, candidate.pose, candidate.is_close)
    if matrix is None:
        return judged
    return better_pose(judged, _refined(query, explained, candidate.face, matrix))


def where_it_lay(query: Query, explained: SearchState, faces: list[int], matrix: Points) -> Judged | None:
    """The likeliest of several references of one face, refined from where that lay before."""
    judged = (_refined(query, explained, face, matrix) for face in faces)
    return max(judged, key=lambda each: each.support, default=None)


def _refined(query: Query, explained: SearchState, face: int, matrix: Points, hidden: Mask | None = None) -> Judged:
    covered = covered_cells(query, explained, matrix)
    covered = covered if hidden is None else covered | hidden
    return refine(query.index, query.levels, judge(query.index, query.levels, face, matrix, covered), covered)


def _like_one_beside(query: Query, explained: SearchState, judged: Judged) -> Points | None:
    """The pose of a card as the nearest named one lies, by the middle of what is seen of it."""
    if not explained.cards or not judged.seen.any():
        return None
    fine = query.index.fine
    spot = fine.centres()[judged.seen].mean(axis=0)
    here = map_points(judged.matrix, spot[None])[0]
    near = min(explained.cards, key=lambda card: float(np.linalg.norm(card.detection.corners.mean(axis=0) - here)))
    away = math.radians(turn_of(judged.corners(query.index)) - near.detection.turn)
    turned = np.array([[math.cos(away), -math.sin(away)], [math.sin(away), math.cos(away)]])
    linear = turned @ about(near.judged.matrix, np.array([fine.width, fine.height]) / 2)[1]
    return np.vstack([np.column_stack([linear, here - linear @ spot]), [0, 0, 1.0]])
