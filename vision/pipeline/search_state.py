"""Explains away what is found: which pixels belong to cards that have a name, and which cells of a pose they cover."""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from vision import posterior, quads
from vision.cells import Templates
from vision.detections import Detection
from vision.fitting import FaceFit
from vision.geometry import Counts, Mask, Picture, Points, area, map_points, rectangle, turn_of
from vision.identity import Likelihood
from vision.pipeline.query import Query
from vision.posterior import Posterior
from vision.tuning import CARD, NAMING, POSE, SEARCH

# Values of the mask: a pixel of a card that shows in part, or wholly.
SHOWS_PARTLY, SHOWS_WHOLLY = 1, 2
_TO_MASK: Points = np.array([[1 / SEARCH.mask_zoom, 0, -0.5], [0, 1 / SEARCH.mask_zoom, -0.5], [0, 0, 1]])
_TWO_BY_TWO = np.ones((2, 2), np.uint8)


class NamedCard(Struct, frozen=True):
    """A card that has its name: as it's handed on, and as its face was judged; its middle and width in the picture.

    `likelihood` is that of its face at this pose, where that was asked. Where it `is_cover_known`, known cards alone
    cover it.
    """

    detection: Detection
    fit: FaceFit
    middle: Points
    width: float
    likelihood: Likelihood | None = None
    is_cover_known: bool = False


class UnnamedPlace(Struct, frozen=True):
    """A place where most of a card shows that got no name; `names` are those it may have, with probabilities.

    It `is_whole` where a card surely lies wholly, and only its name or way up is in doubt.
    """

    corners: Points
    names: tuple[tuple[str, float], ...]
    is_whole: bool


class DoubtedPose(Struct, frozen=True):
    """A face at a pose, and the verdict by which it got no name; `compared` are the cards it was compared with."""

    corners: Points
    fit: FaceFit
    verdict: Posterior
    compared: frozenset[str]


class SearchState(Struct, frozen=True):
    """What of a picture is explained so far. It never changes: a card or a doubt more is another value.

    `known` are cards that were known before, `pending_verdicts` those too weak for a name that may be looked at again,
    and `tried` the poses (face and corners) that needn't be tried again. The first `places_before_vote` of the unnamed
    places were reached with fewer keypoints than there are now. `unexplained_outlines` are those of cards that no face
    explains, `covered_verdicts` those about cards under others that got no name, `doubted_poses` the faces and poses
    that were decided about in vain.
    """

    claimed: Mask
    known: tuple[Detection, ...] = ()
    cards: tuple[NamedCard, ...] = ()
    pending_verdicts: tuple[Posterior, ...] = ()
    unnamed_places: tuple[UnnamedPlace, ...] = ()
    places_before_vote: int = 0
    tried: tuple[tuple[int, Points], ...] = ()
    unexplained_outlines: tuple[Points, ...] = ()
    covered_verdicts: tuple[Posterior, ...] = ()
    doubted_poses: tuple[DoubtedPose, ...] = ()


def initial_state(query: Query, known: Iterable[Detection] = ()) -> SearchState:
    """What is explained of a picture before it's read: what was known before."""
    height, width = query.levels[0].pixels.shape
    known = tuple(known)
    shape = (height // SEARCH.mask_zoom + 1, width // SEARCH.mask_zoom + 1)
    return SearchState(claimed_by(shape, (card.shown for card in known)), known)


def claimed_by(shape: tuple[int, ...], shown: Iterable[Points]) -> Mask:
    """The mask of what is seen of some cards."""
    mask = np.zeros(shape, np.uint8)
    for parts in shown:
        _paint(mask, parts)
    return mask


def _paint(mask: Picture, shown: Points) -> None:
    cv2.fillPoly(mask, list(_on_mask(shown)), _kind(shown))


def _kind(shown: Points) -> int:
    return SHOWS_WHOLLY if len(shown) == 1 else SHOWS_PARTLY


def _on_mask(shown: Points) -> Counts:
    return np.asarray((shown / SEARCH.mask_zoom).round().astype(np.int32))


def with_card(
    query: Query, state: SearchState, verdict: Posterior, at_least: float = 0.0, is_cover_known: bool = False
) -> SearchState:
    """One card more, as surely as before or better; where its cover is known, all else of it shows."""
    chance = max(verdict.top_probability, at_least)
    fit = msgspec.structs.replace(verdict.fit, seen=~verdict.fit.covered) if is_cover_known else verdict.fit
    card = _named(query, fit, chance, verdict.either_way, verdict.likelihood)
    card = msgspec.structs.replace(card, is_cover_known=is_cover_known)
    claimed = state.claimed.copy()
    _paint(claimed, card.detection.shown)
    return msgspec.structs.replace(state, cards=(*state.cards, card), claimed=claimed)


def _named(
    query: Query, fit: FaceFit, chance: float, either_way: bool, likelihood: Likelihood | None = None
) -> NamedCard:
    index = query.index
    face, corners = index.faces[fit.face], fit.corners(index)
    shown, visible = shown_of(fit, index.fine), float(fit.seen.mean())
    detection = Detection(face.card, face.face, corners, turn_of(corners), chance, visible, shown, either_way)
    middle = map_points(fit.matrix, np.array([[index.fine.width, index.fine.height]]) / 2)[0]
    return NamedCard(detection, fit, middle, width_of(corners, index.aspect), likelihood)


def at_pose(query: Query, state: SearchState, card: NamedCard, fit: FaceFit) -> SearchState:
    """The same with a card as it was judged at another pose."""
    moved = _named(query, fit, card.detection.confidence, card.detection.either_way)
    cards = tuple(moved if other is card else other for other in state.cards)
    return _claiming(msgspec.structs.replace(state, cards=cards), [card, moved])


def without_card(state: SearchState, card: NamedCard) -> SearchState:
    """The same as if a card had never been found."""
    cards = tuple(other for other in state.cards if other is not card)
    return _claiming(msgspec.structs.replace(state, cards=cards), [card])


def _claiming(state: SearchState, changed: list[NamedCard]) -> SearchState:
    """The same with the mask made anew where some cards lie or lay."""
    where = np.concatenate([_on_mask(card.detection.shown).reshape(-1, 2) for card in changed])
    low, high = np.maximum(where.min(axis=0), 0), np.maximum(where.max(axis=0) + 1, 0)
    claimed = state.claimed.copy()
    part = claimed[low[1] : high[1], low[0] : high[0]]
    part[:] = 0
    lying = [*state.known, *(card.detection for card in state.cards)]
    if lying and part.size:
        spots = np.array([card.corners for card in lying]) / SEARCH.mask_zoom
        # What a card claims is a little larger than it.
        slack = 0.1 * (high - low) + 1
        touch = ((spots.max(axis=1) >= low - slack) & (spots.min(axis=1) <= high + slack)).all(axis=1)
        for number in np.flatnonzero(touch).tolist():
            cv2.fillPoly(part, list(_on_mask(lying[number].shown) - low), _kind(lying[number].shown))
    return msgspec.structs.replace(state, claimed=claimed)


def with_doubt(query: Query, state: SearchState, verdict: Posterior, asked: FaceFit | None = None) -> SearchState:
    """One place more without a name, where a face was `asked` about; it may be looked at again."""
    index = query.index
    tried = (verdict.fit,) if asked is None else (asked, verdict.fit)
    compared = frozenset(card for card, _chance in verdict.cards) | {index.faces[each.face].card for each in tried}
    poses = [DoubtedPose(fit.corners(index), fit, verdict, compared) for fit in tried]
    state = msgspec.structs.replace(state, doubted_poses=(*state.doubted_poses, *poses))
    shows = float(verdict.fit.seen.mean())
    waiting = (*state.pending_verdicts, verdict)
    if shows <= NAMING.piece_share:
        return msgspec.structs.replace(state, pending_verdicts=waiting)
    is_whole = shows >= NAMING.whole_share and verdict.enrolled_probability >= NAMING.min_probability
    doubt = UnnamedPlace(verdict.fit.corners(index), posterior.offered_names(verdict), is_whole)
    return msgspec.structs.replace(state, pending_verdicts=waiting, unnamed_places=(*state.unnamed_places, doubt))


def with_try(query: Query, state: SearchState, face: int, pose: Points) -> SearchState | None:
    """The same with a pose noted as tried; none if one very near was tried before with the same face."""
    corners = map_points(pose, rectangle(1.0, query.index.faces[face].aspect))
    limit = (POSE.same_pose_widths * pose_width(pose)) ** 2
    if any(f == face and float(((c - corners) ** 2).sum(axis=1).max()) < limit for f, c in state.tried):
        return None
    return msgspec.structs.replace(state, tried=(*state.tried, (face, corners)))


def points_in(mask: Mask, points: Points) -> Mask:
    """Which points of a picture lie where a mask of it isn't 0."""
    return is_set(mask, mask_cells(mask.shape, points))


def mask_cells(shape: tuple[int, ...], points: Points) -> Counts:
    """The number of the cell of a mask in which each point of a picture lies; outside of it, one past the last."""
    x, y = (points / SEARCH.mask_zoom).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < shape[1]) & (y < shape[0])
    return np.where(inside, y * shape[1] + x, shape[0] * shape[1])


def is_set(mask: Mask, numbers: Counts) -> Mask:
    """Whether cells of a mask, given by `mask_cells`, aren't 0."""
    return np.append(mask, np.uint8(0))[numbers] > 0


def claimed_points(state: SearchState, points: Points) -> Mask:
    """Which points lie on visible parts of cards found so far."""
    return points_in(state.claimed, points)


def claimed_share(state: SearchState, corners: Points) -> float:
    """How much of a quadrilateral is taken by visible parts of cards found so far."""
    spots = (corners / SEARCH.mask_zoom).round().astype(np.int32)
    x, y, width, height = cv2.boundingRect(spots)
    left, top = max(x, 0), max(y, 0)
    claimed = state.claimed[top : max(y + height, 0), left : max(x + width, 0)]
    if not claimed.any():
        return 0.0
    mask = np.zeros_like(claimed)
    cv2.fillConvexPoly(mask, spots - [left, top], 1)
    return int((claimed[mask > 0] > 0).sum()) / max(1, cv2.countNonZero(mask))


def covered_cells(query: Query, state: SearchState, matrix: Points) -> Mask:
    """The cells of a pose that other cards occlude: named ones, or card outlines without a name.

    A cell half under another card's edge shows that edge, so four spots about the middle of each are asked.
    """
    fine = query.index.fine
    size = (2 * fine.columns, 2 * fine.rows)
    # Where on the mask each of the spots lies: rounded down, hence the half.
    at = _TO_MASK @ matrix @ np.array([[fine.side / 2, 0, fine.side / 4], [0, fine.side / 2, fine.side / 4], [0, 0, 1]])
    spots = cv2.warpPerspective(state.claimed, at, size, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP)
    covered = cv2.dilate(spots, _TWO_BY_TWO, anchor=(0, 0))[::2, ::2].ravel() > 0
    corners = map_points(matrix, rectangle(fine.width, fine.height))
    for outline in quads.near(query.outlines, corners):
        if quads.is_another_card_over(outline, corners, query.index.aspect):
            inside = quads.inside(outline, map_points(matrix, fine.quarters()))
            covered |= inside.reshape(-1, 4).any(axis=1)
    return np.asarray(covered)


def shown_of(fit: FaceFit, templates: Templates) -> Points:
    """The visible cells of a card, row by row; all of it, edge included, where nearly all is visible."""
    if fit.seen.mean() > 0.9:
        corners = map_points(fit.matrix, rectangle(templates.width, templates.height))
        return np.asarray((corners.mean(axis=0) + (corners - corners.mean(axis=0)) * 1.06)[None])
    # Cells side by side become one quadrilateral.
    grid = fit.seen.reshape(templates.rows, templates.columns)
    edges = np.diff(grid, axis=1, prepend=False, append=False)
    row, column = np.nonzero(edges)
    left, right, top = column[::2], column[1::2], row[::2]
    corners = np.stack([left, top, right, top, right, top + 1, left, top + 1], axis=1) * float(templates.side)
    return map_points(fit.matrix, corners.reshape(-1, 2)).reshape(-1, 4, 2)


def width_of(corners: Points, aspect: float) -> float:
    """How wide a card with this outline would be, were it seen from above."""
    return math.sqrt(abs(area(corners)) / aspect)


def pose_width(pose: Points) -> float:
    """About how wide a card lies in the picture, by its pose."""
    return math.sqrt(abs(float(pose[0, 0] * pose[1, 1] - pose[0, 1] * pose[1, 0])))


def widths(query: Query, state: SearchState) -> list[float]:
    """The widths of the cards found; a given `card_width` counts for as many as are needed."""
    hint = [query.card_width] * CARD.min_cards_for_size if query.card_width else []
    return hint + [card.width for card in state.cards]


def has_the_size(query: Query, state: SearchState, width: float, enough: int = CARD.min_cards_for_size) -> bool:
    """Whether something is about as wide as the cards found so far, if that many were: they're of one size."""
    known = widths(query, state)
    return len(known) < enough or min(known) / CARD.max_width_ratio < width < max(known) * CARD.max_width_ratio
