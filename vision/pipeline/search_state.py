"""Explains away what is found: which pixels belong to cards that have a name, and which cells of a pose they cover."""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from vision import quads
from vision.cells import Templates
from vision.detections import Detection
from vision.fitting import FaceFit
from vision.geometry import Counts, Mask, Picture, Points, area, map_points, rectangle, turn_of
from vision.identity import Likelihood
from vision.pipeline.query import Query
from vision.posterior import Posterior, offered_names
from vision.tuning import CARD, NAMING, POSE, SEARCH

# Values of the mask: a pixel of a card that shows in part, or wholly.
VISIBLE_PARTLY, VISIBLE_WHOLLY = 1, 2
_TO_MASK: Points = np.array([[1 / SEARCH.mask_zoom, 0, -0.5], [0, 1 / SEARCH.mask_zoom, -0.5], [0, 0, 1]])
# A card of which more cells are visible claims all of its place, and its edge and shadow, which are so much larger.
# (A name asks for less of it: `NAMING.whole_share`.)
WHOLE_SHARE, EDGE_GROWTH = 0.9, 1.06
_TWO_BY_TWO = np.ones((2, 2), np.uint8)


class NamedCard(Struct, frozen=True):
    """A card that has its name: as it's handed on, and as its face was judged; its middle and width in the picture.

    `likelihood` is that of its face at this pose, where that was asked. Where `is_uncovered_visible`, all of
    it that no known card covers is visible.
    """

    detection: Detection
    fit: FaceFit
    middle: Points
    width: float
    likelihood: Likelihood | None = None
    is_uncovered_visible: bool = False


class UnnamedPlace(Struct, frozen=True):
    """A place where most of a card shows that got no name; `names` are those it may have, with probabilities.

    It `is_whole` where a card surely lies wholly, and only its name or way up is in doubt.
    """

    corners: Points
    names: tuple[tuple[str, float], ...]
    is_whole: bool


class DoubtedPose(Struct, frozen=True):
    """A face at a pose, and the posterior by which it got no name; `compared` are the cards it was compared with."""

    corners: Points
    fit: FaceFit
    posterior: Posterior
    compared: frozenset[str]


class SearchState(Struct, frozen=True):
    """What of a picture is explained so far. It never changes: a card or a doubt more is another value."""

    claimed: Mask  # what is visible of named cards, on a grid `SEARCH.mask_zoom` times as coarse as the picture
    known: tuple[Detection, ...] = ()  # cards that were known before the picture was read
    cards: tuple[NamedCard, ...] = ()
    pending_posteriors: tuple[Posterior, ...] = ()  # places too doubtful for a name, which may be looked at again
    unnamed_places: tuple[UnnamedPlace, ...] = ()
    places_before_vote: int = 0  # so many unnamed places were reached with fewer keypoints than there are now
    tried: tuple[tuple[int, Points], ...] = ()  # poses (face and corners) that needn't be tried again
    unexplained_outlines: tuple[Points, ...] = ()  # outlines of cards that no face explains
    covered_posteriors: tuple[Posterior, ...] = ()  # cards under others that got no name
    doubted_poses: tuple[DoubtedPose, ...] = ()  # faces and poses that were decided about in vain


def initial_state(query: Query, known: Iterable[Detection] = ()) -> SearchState:
    """What is explained of a picture before it's read: what was known before."""
    height, width = query.levels[0].pixels.shape
    known = tuple(known)
    shape = (height // SEARCH.mask_zoom + 1, width // SEARCH.mask_zoom + 1)
    return SearchState(claimed_by(shape, (card.visible_quads for card in known)), known)


def claimed_by(shape: tuple[int, ...], visible_quads: Iterable[Points]) -> Mask:
    """The mask of what is seen of some cards."""
    mask = np.zeros(shape, np.uint8)
    for parts in visible_quads:
        _paint(mask, parts)
    return mask


def _paint(mask: Picture, visible_quads: Points) -> None:
    cv2.fillPoly(mask, list(_on_mask(visible_quads)), _kind(visible_quads))


def _kind(visible_quads: Points) -> int:
    return VISIBLE_WHOLLY if len(visible_quads) == 1 else VISIBLE_PARTLY


def _on_mask(visible_quads: Points) -> Counts:
    return np.asarray((visible_quads / SEARCH.mask_zoom).round().astype(np.int32))


def with_card(
    query: Query, state: SearchState, posterior: Posterior, at_least: float = 0.0, is_uncovered_visible: bool = False
) -> SearchState:
    """One card more, as surely as before or better; where `is_uncovered_visible`, all of it that is uncovered shows."""
    chance = max(posterior.top_probability, at_least)
    fit = (
        msgspec.structs.replace(posterior.fit, visible=~posterior.fit.covered)
        if is_uncovered_visible
        else posterior.fit
    )
    card = _named(query, fit, chance, posterior.either_way, posterior.likelihood)
    card = msgspec.structs.replace(card, is_uncovered_visible=is_uncovered_visible)
    claimed = state.claimed.copy()
    _paint(claimed, card.detection.visible_quads)
    return msgspec.structs.replace(state, cards=(*state.cards, card), claimed=claimed)


def _named(
    query: Query, fit: FaceFit, chance: float, either_way: bool, likelihood: Likelihood | None = None
) -> NamedCard:
    index = query.index
    face, corners = index.faces[fit.face], fit.corners(index)
    visible_quads, visible_share = visible_quads_of(fit, index.fine), float(fit.visible.mean())
    detection = Detection(
        face.card, face.face, corners, turn_of(corners), chance, visible_share, visible_quads, either_way
    )
    middle = map_points(fit.template_pose, np.array([[index.fine.width, index.fine.height]]) / 2)[0]
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
    where = np.concatenate([_on_mask(card.detection.visible_quads).reshape(-1, 2) for card in changed])
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
            cv2.fillPoly(part, list(_on_mask(lying[number].visible_quads) - low), _kind(lying[number].visible_quads))
    return msgspec.structs.replace(state, claimed=claimed)


def with_doubt(query: Query, state: SearchState, posterior: Posterior, asked: FaceFit | None = None) -> SearchState:
    """One place more without a name, where a face was `asked` about; it may be looked at again."""
    index = query.index
    tried = (posterior.fit,) if asked is None else (asked, posterior.fit)
    compared = frozenset(card for card, _chance in posterior.cards) | {index.faces[each.face].card for each in tried}
    poses = [DoubtedPose(fit.corners(index), fit, posterior, compared) for fit in tried]
    state = msgspec.structs.replace(state, doubted_poses=(*state.doubted_poses, *poses))
    visible_share = float(posterior.fit.visible.mean())
    waiting = (*state.pending_posteriors, posterior)
    if visible_share <= NAMING.piece_share:
        return msgspec.structs.replace(state, pending_posteriors=waiting)
    is_whole = visible_share >= NAMING.whole_share and posterior.enrolled_probability >= NAMING.min_probability
    doubt = UnnamedPlace(posterior.fit.corners(index), offered_names(posterior), is_whole)
    return msgspec.structs.replace(state, pending_posteriors=waiting, unnamed_places=(*state.unnamed_places, doubt))


def with_try(query: Query, state: SearchState, face: int, unit_pose: Points) -> SearchState | None:
    """The same with a pose noted as tried; none if one very near was tried before with the same face."""
    corners = map_points(unit_pose, rectangle(1.0, query.index.faces[face].aspect))
    limit = (POSE.same_pose_widths * pose_width(unit_pose)) ** 2
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


def covered_cells(query: Query, state: SearchState, template_pose: Points) -> Mask:
    """The cells of a pose that other cards occlude: named ones, or card outlines without a name.

    A cell half under another card's edge shows that edge, so four spots about the middle of each are asked.
    """
    fine = query.index.fine
    size = (2 * fine.columns, 2 * fine.rows)
    # Where on the mask each of the spots lies: rounded down, hence the half.
    at = (
        _TO_MASK
        @ template_pose
        @ np.array([[fine.side / 2, 0, fine.side / 4], [0, fine.side / 2, fine.side / 4], [0, 0, 1]])
    )
    spots = cv2.warpPerspective(state.claimed, at, size, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP)
    covered = cv2.dilate(spots, _TWO_BY_TWO, anchor=(0, 0))[::2, ::2].ravel() > 0
    corners = map_points(template_pose, rectangle(fine.width, fine.height))
    for outline in quads.near(query.outlines, corners):
        if quads.is_another_card_over(outline, corners, query.index.aspect):
            inside = quads.inside(outline, map_points(template_pose, fine.quarters()))
            covered |= inside.reshape(-1, 4).any(axis=1)
    return np.asarray(covered)


def visible_quads_of(fit: FaceFit, templates: Templates) -> Points:
    """The visible cells of a card, row by row; all of it, edge included, where nearly all is visible."""
    if fit.visible.mean() > WHOLE_SHARE:
        corners = map_points(fit.template_pose, rectangle(templates.width, templates.height))
        return np.asarray((corners.mean(axis=0) + (corners - corners.mean(axis=0)) * EDGE_GROWTH)[None])
    # Cells side by side become one quadrilateral.
    grid = fit.visible.reshape(templates.rows, templates.columns)
    edges = np.diff(grid, axis=1, prepend=False, append=False)
    row, column = np.nonzero(edges)
    left, right, top = column[::2], column[1::2], row[::2]
    corners = np.stack([left, top, right, top, right, top + 1, left, top + 1], axis=1) * float(templates.side)
    return map_points(fit.template_pose, corners.reshape(-1, 2)).reshape(-1, 4, 2)


def width_of(corners: Points, aspect: float) -> float:
    """How wide a card with this outline would be, were it seen from above."""
    return math.sqrt(abs(area(corners)) / aspect)


def pose_width(unit_pose: Points) -> float:
    """About how wide a card lies in the picture, by its pose."""
    return math.sqrt(abs(float(unit_pose[0, 0] * unit_pose[1, 1] - unit_pose[0, 1] * unit_pose[1, 0])))


def widths(query: Query, state: SearchState) -> list[float]:
    """The widths of the cards found; a given `card_width` counts for as many as are needed."""
    hint = [query.card_width] * CARD.min_cards_for_size if query.card_width else []
    return hint + [card.width for card in state.cards]


def has_the_size(query: Query, state: SearchState, width: float, enough: int = CARD.min_cards_for_size) -> bool:
    """Whether something is about as wide as the cards found so far, if that many were: they're of one size."""
    known = widths(query, state)
    return len(known) < enough or min(known) / CARD.max_width_ratio < width < max(known) * CARD.max_width_ratio
