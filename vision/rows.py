"""Rows of cards that overlap: where the next card of one may lie, by keypoints and by the step it came.

Proposes only, as `matching` does. Cards that hide one another are followed in `pipeline/covered.py`.
"""

from __future__ import annotations

import numpy as np

from vision.geometry import Points, local_affine
from vision.matching import PoseHypothesis, VoteTable
from vision.tuning import CARD, VOTE

# A row goes on by the step it came, or a little less or more (in card widths), as hands lay cards.
UNEVEN = (0.0, -VOTE.max_row_offset_widths, VOTE.max_row_offset_widths)


def next_seen(vote_table: VoteTable, card_pose: Points, aspect: float) -> list[PoseHypothesis]:
    """The faces that votes, even single ones, see in one row with a card at `card_pose` that it overlaps.

    A row's cards lie alike, so that the pose is known from the card, and a vote tells no more than the way along.
    """
    middle = np.array([0.5, aspect / 2])
    here, linear = local_affine(card_pose, middle)
    size = float(np.sqrt(abs(np.linalg.det(linear))))
    # A vote for a card that overlaps this one comes from no farther than two card heights.
    reach = 2 * aspect * size
    across, down = np.abs(vote_table.target - here).T
    near = np.flatnonzero((across < reach) & (down < reach))
    turn = vote_table.pose[near, 1] - np.arctan2(linear[1, 0] - linear[0, 1], linear[0, 0] + linear[1, 1])
    # Either way up: a card of a row may lie upside down.
    upright = np.where(np.cos(turn) > 0, 1.0, -1.0)
    alike = (np.abs(np.sin(turn)) < VOTE.max_row_tilt_sine) & (
        np.abs(np.log(vote_table.scale[near] / size)) < np.log(VOTE.max_row_scale_ratio)
    )
    away = (vote_table.target[near] - here) @ np.linalg.inv(linear).T
    away -= upright[:, None] * (vote_table.source[near] - middle)
    across, down = np.abs(away[:, 0]), np.abs(away[:, 1]) / aspect
    in_row = ((down < VOTE.max_row_offset_widths) & (across > CARD.min_spacing_widths) & (across < 1)) | (
        (across < VOTE.max_row_offset_widths) & (down > CARD.min_spacing_widths) & (down < 1)
    )
    found = np.flatnonzero(alike & in_row)
    turned = linear * upright[found, None, None]
    unit_poses = np.tile(np.eye(3), (len(found), 1, 1))
    unit_poses[:, :2, :2] = turned
    unit_poses[:, :2, 2] = here + away[found] @ linear.T - turned @ middle
    return [
        PoseHypothesis(int(vote_table.face[near[number]]), unit_pose, near[[number]])
        for number, unit_pose in zip(found.tolist(), unit_poses, strict=True)
    ]


def next_places(cards: list[Points]) -> list[Points]:
    """From the corners of cards that lie somewhere, those of the places at which their rows may go on."""
    places: list[Points] = []
    middles = np.array([corners.mean(axis=0) for corners in cards]).reshape(-1, 2)
    for corners, middle in zip(cards, middles, strict=True):
        across, down = corners[[1, 2]] - corners[[0, 3]], corners[[3, 2]] - corners[[0, 1]]
        frame = np.column_stack([across.mean(axis=0), down.mean(axis=0)])
        away = np.linalg.solve(frame, (middles - middle).T).T
        for axis in (0, 1):
            steps = [
                float(away[n, axis])
                for n, other in enumerate(cards)
                if CARD.min_spacing_widths < abs(away[n, axis]) < 1
                and abs(away[n, 1 - axis]) < VOTE.max_row_offset_widths
                and _lie_alike(corners, other)
            ]
            # It's the last one of its row, as far as that is known, if all others lie on one side.
            if steps and (min(steps) > 0 or max(steps) < 0):
                step = -min(steps, key=abs)
                places += [corners + frame[:, axis] * (step + uneven) for uneven in UNEVEN]
    return places


def _lie_alike(one: Points, other: Points) -> bool:
    """Whether two cards are turned alike, either way up, and of one size."""
    a, b = one[1] - one[0], other[1] - other[0]
    long, short = float(np.hypot(*a)), float(np.hypot(*b))
    sine = abs(float(a[0] * b[1] - a[1] * b[0])) / max(long * short, 1e-6)
    return (
        sine < VOTE.max_row_tilt_sine
        and 1 / VOTE.max_row_scale_ratio < long / max(short, 1e-6) < VOTE.max_row_scale_ratio
    )
