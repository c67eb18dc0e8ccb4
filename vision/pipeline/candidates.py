"""Votes for poses: which face may lie where, by keypoints, by the rows that cards lie in, and by outlines."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from vision import cells, features, identity, matching, quads, rows
from vision.fitting import FaceFit
from vision.geometry import Array, Counts, Mask, Points, homography_to_quad, map_points, overlap, sides
from vision.index import from_unit
from vision.pipeline.query import Query
from vision.pipeline.search_state import (
    SearchState,
    claimed_points,
    claimed_share,
    has_the_size,
    pose_width,
    width_of,
)
from vision.tuning import CARD, OUTLINE, SEARCH, VOTE


class PoseCandidate(Struct, frozen=True):
    """A face that may lie at a place: the map from its unit coordinates (width = 1) to the picture, and how alike.

    A pose that `is_close` is right within 2 % of the card's width.
    """

    face: int
    pose: Points
    likeness: float = 0.0
    is_close: bool = False


def vote(query: Query, state: SearchState, found: features.Features, back: Points) -> matching.VoteTable:
    """The votes of features for poses; `back` leads from where they were found to the picture."""
    # A card wider than the picture's diagonal shows too little of itself.
    largest = math.hypot(*query.levels[0].pixels.shape)
    return left_over(state, matching.vote(query.index.bank, found, CARD.min_width_px, largest), back)


def left_over(state: SearchState, vote_table: matching.VoteTable, back: Points) -> matching.VoteTable:
    """The votes from where nothing is explained yet."""
    return vote_table.only(~claimed_points(state, map_points(back, vote_table.target)))


def of_hypothesis(vote_table: matching.VoteTable, hypothesis: matching.PoseHypothesis, back: Points) -> PoseCandidate:
    """A candidate by many votes."""
    return PoseCandidate(
        hypothesis.face,
        back @ matching.sheared(vote_table, hypothesis),
        is_close=len(hypothesis.votes) >= SEARCH.min_close_votes,
    )


def in_rows(query: Query, state: SearchState, vote_table: matching.VoteTable) -> list[PoseCandidate]:
    """The next cards of rows that single votes see, the best ones first."""
    index = query.index
    lying = [card.fit.matrix @ from_unit(index, index.fine, card.fit.face) for card in state.cards]
    good = vote_table.only(vote_table.weight >= VOTE.min_single_weight)
    hypotheses = [hypothesis for unit in lying for hypothesis in rows.next_seen(good, unit, index.aspect)]
    hypotheses.sort(key=lambda hypothesis: -float(good.weight[hypothesis.votes].sum()))
    return [PoseCandidate(hypothesis.face, hypothesis.matrix) for hypothesis in hypotheses[: SEARCH.max_row_cards]]


def at_row_end(query: Query, state: SearchState, corners: Points) -> list[PoseCandidate]:
    """The faces that look most like what shows of a place where a row may go on."""
    coarse = query.index.coarse
    pose = homography_to_quad(corners, coarse.width, coarse.height)
    shows = ~claimed_points(state, map_points(pose, coarse.centres()))
    if shows.sum() < SEARCH.min_strip_share * len(shows):
        return []
    return _worth_trying(in_outline(query, corners, shows.astype(np.float32)))


def in_outline(query: Query, corners: Points, shows: Array | None = None) -> list[PoseCandidate]:
    """The faces that look most like what `shows` inside an outline, best first."""
    index, templates, faces = query.index, query.index.coarse, len(query.index.faces)
    if shows is None:
        shows = np.ones(templates.rows * templates.columns, np.float32)
    found: list[PoseCandidate] = []
    # An outline that isn't of a card's own shape may be of a card on its side, seen at a slant.
    for turns in (0,) if quads.is_frontal(corners, index.aspect) else (0, 1):
        pose = homography_to_quad(np.roll(corners, turns, axis=0), templates.width, templates.height)
        blocks = cells.cut_blocks(cells.cut_patch(query.levels, pose, templates, 0), templates, 0)
        score = cells.masked_correlation(blocks, templates, shows).ravel()
        for at in np.argsort(-score, kind="stable")[: SEARCH.max_tries].tolist():
            turned = pose @ identity.half_turn(templates) if at >= faces else pose
            unit = turned @ from_unit(index, templates, at % faces)
            found.append(PoseCandidate(at % faces, unit, float(score[at])))
    return sorted(found, key=lambda candidate: -candidate.likeness)


def _worth_trying(found: list[PoseCandidate]) -> list[PoseCandidate]:
    """The few candidates of a place that are worth a close look."""
    return [candidate for candidate in found[: SEARCH.max_tries] if candidate.likeness >= OUTLINE.min_likeness]


def worth_trying_in_outline(query: Query, corners: Points) -> list[PoseCandidate]:
    """The faces that may lie in an outline."""
    return _worth_trying(in_outline(query, corners))


def straight_first(query: Query) -> list[Points]:
    """The outlines, those that stand straight first: so two cards side by side aren't taken for one."""
    return sorted(query.outlines, key=lambda corners: not quads.is_frontal(corners, query.index.aspect))


def sure_in_outline(query: Query, corners: Points) -> PoseCandidate | None:
    """The face that surely is what an outline holds, if there's one."""
    best, *others = in_outline(query, corners)
    next_best = max((other.likeness for other in others if other.face != best.face), default=0.0)
    is_sure = best.likeness >= OUTLINE.sure_likeness
    if is_sure or (best.likeness >= OUTLINE.min_likeness and best.likeness - next_best >= OUTLINE.min_likeness_lead):
        return PoseCandidate(best.face, best.pose, best.likeness, is_close=True)
    return None


def is_free(query: Query, state: SearchState, corners: Points) -> bool:
    """Whether an outline is as large as a card and holds no named card; squares of a cloth have another size."""
    if sum(sorted(sides(corners).tolist())[:2]) / 2 < CARD.min_width_px:
        return False
    if not has_the_size(query, state, width_of(corners, query.index.aspect)):
        return False
    is_apart = all(overlap(card.detection.corners, corners) <= CARD.same_place_overlap for card in state.cards)
    return is_apart and claimed_share(state, corners) <= CARD.majority_share


def is_taken(query: Query, state: SearchState, candidate: PoseCandidate, deferred: Sequence[FaceFit] = ()) -> bool:
    """Whether a candidate has the same middle as a card found, a face that waits or a place looked at in vain."""
    fine, doubts = query.index.fine, state.unnamed_places[state.places_before_vote :]
    # Each kind in one go: there may be dozens.
    lifted = np.array([fit.matrix for fit in deferred]).reshape(-1, 3, 3) @ [fine.width / 2, fine.height / 2, 1]
    outlines = np.array([doubt.corners for doubt in doubts] + [card.corners for card in state.known])
    middles = [card.middle for card in state.cards]
    middles += [*(lifted[:, :2] / lifted[:, 2:]), *outlines.reshape(-1, 4, 2).mean(axis=1)]
    if not middles:
        return False
    x, y, depth = candidate.pose @ [0.5, query.index.faces[candidate.face].aspect / 2, 1.0]
    away = np.array(middles) - [x / depth, y / depth]
    return bool((away**2).sum(axis=1).min() < (CARD.min_spacing_widths * pose_width(candidate.pose)) ** 2)


def is_mostly_claimed(claimed: Mask, votes: Counts) -> bool:
    """Whether most of some votes come from a card found meanwhile: they speak for that card."""
    return bool(np.count_nonzero(claimed[votes]) > 0.5 * len(votes))
