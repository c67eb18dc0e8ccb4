"""Finds cards under others, and at the end of a row, in decks of near-twins.

The sides that show give the pose, and the cards on top are known.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from vision import occlusion, quads, slant
from vision.fitting import FaceFit, better_pose
from vision.geometry import Points, area, homography_to_quad, is_convex, map_points, overlap
from vision.pipeline import candidates, poses, whole_rows
from vision.pipeline.decision import conclude_covered, is_card_shaped
from vision.pipeline.query import Query
from vision.pipeline.search_state import SearchState, widths
from vision.tuning import CARD, NAMING, OCCLUSION, SEARCH


class RowPlace(Struct, frozen=True):
    """Where a card may lie under others: its corners and theirs, and how plainly its sides show, 0 to 1.

    `covers[0]` is the card directly on top. `onward` is the direction in which the row goes on. A place that
    `is_guessed` is a step farther along the row: no side was seen there.
    """

    corners: Points
    covers: tuple[Points, ...] = ()
    clarity: float = 1.0
    onward: Points | None = None
    is_guessed: bool = False


def find(query: Query, state: SearchState) -> SearchState:
    """Cards of a deck with near-twins at the ends of rows and under others; paintings are found by keypoints."""
    index = query.index
    if index.has_paintings:
        return state
    narrowest = max(CARD.min_width_px, min(widths(query, state), default=0.0) / CARD.frontal_aspect_ratio)
    ends = quads.find_row_ends(query.picture.colours.picture, index.aspect, narrowest, query.outlines)
    state = at_row_ends(query, state, ends)
    whole = [card.detection.corners for card in state.cards if card.detection.visible >= NAMING.whole_share]
    named = [card.detection.corners for card in state.cards]
    around = _apart([*named, *query.outlines, *ends.corners], ends)
    # A named card of which a part is covered isn't the one on top.
    tops = [corners for corners in around if any(corners is each for each in whole) or _is_unnamed(corners, named)]
    tops = [corners for corners in tops if not _is_explained(query, state, corners, ends.hulls)]
    # Of a card that shows wholly nothing is covered, though its name be in doubt.
    whole_too = [*whole, *(place.corners for place in state.unnamed_places if place.is_whole)]
    state, rows = in_rows(query, state, whole_rows.find(query, tops, around, whole_too, ends.hulls, named))
    levelling = slant.levelling(whole, index.aspect)
    starts = [place for place in _named_starts(query, state, ends) if not any(row.holds(place.corners) for row in rows)]
    state, reached = under_cards(query, state, starts, levelling)
    reached += [RowPlace(corners) for row in rows for corners in row.cards]
    for place in _unnamed_starts(query, state, ends):
        if not any(overlap(place.corners, other.corners) for other in reached):
            before = len(state.cards)
            state, more = under_cards(query, state, [place], levelling)
            # From the wrong end of a row nothing gets a name.
            reached += more if len(state.cards) > before else []
    return state


def _is_unnamed(corners: Points, named: Sequence[Points]) -> bool:
    return all(_is_other(corners, each) for each in named)


def _is_explained(query: Query, state: SearchState, corners: Points, hulls: Sequence[Points]) -> bool:
    """Whether named cards fill the contour in which a card lies: no other shows there."""
    around = [hull for hull in hulls if whole_rows.is_in(hull, corners)]
    if not around:
        return False
    smallest = min(around, key=lambda hull: cv2.contourArea(hull.astype(np.float32)))
    inside = np.zeros_like(state.claimed)
    cv2.fillConvexPoly(inside, (smallest / SEARCH.mask_zoom).round().astype(np.int32), 1)
    left = cv2.countNonZero(inside) - int(np.count_nonzero(inside & (state.claimed > 0)))
    return left * SEARCH.mask_zoom**2 < SEARCH.min_strip_share * abs(area(corners))


def _apart(places: Sequence[Points], ends: quads.RowEnds) -> list[Points]:
    """Places in a row, each once: the cards between which the row may lie are among them."""
    found: list[Points] = []
    for corners in places:
        if not ends.is_apart(corners) and all(_is_other(corners, other) for other in found):
            found.append(corners)
    return found


def in_rows(
    query: Query, state: SearchState, likeliest: Sequence[whole_rows.Row]
) -> tuple[SearchState, list[whole_rows.Row]]:
    """The cards of some rows, and those rows that were found to be true.

    Of rows that exclude each other that is the first by which a card gets its name: from the wrong end nothing does.
    """
    true: list[whole_rows.Row] = []
    for row in likeliest:
        if all(row.is_beside(other) for other in true):
            before = len(state.cards)
            state = in_row(query, state, row)
            true += [row] if len(state.cards) > before else []
    return state, true


def in_row(query: Query, state: SearchState, row: whole_rows.Row) -> SearchState:
    """The cards of a row, each under those before it."""
    covers: list[Points] = []
    # A card that shows wholly is doubted once: asked again and again any face might come out likely enough.
    looked_at = [each.fit.corners(query.index) for each in state.covered_verdicts if not each.fit.covered.any()]
    looked_at += [*state.unexplained_outlines, *(place.corners for place in state.unnamed_places)]
    for corners in row.cards:
        above = tuple(each for each in reversed(covers) if overlap(each, corners))
        known = [card.detection.corners for card in state.cards] + ([] if above else looked_at)
        there = next((each for each in known if not _is_other(each, corners)), None)
        if there is None:
            corners = quads.sharpened_under(query.picture.colours.picture, corners, above, query.index.aspect)
            state, fit = _looked_at(query, state, RowPlace(corners, above))
            there = corners if fit is None else fit.corners(query.index)
        covers.append(there)
    return state


def at_row_ends(query: Query, state: SearchState, ends: quads.RowEnds) -> SearchState:
    """Cards at the end of a row, which show wholly."""
    for corners in ends.corners:
        if candidates.is_free(query, state, corners):
            state, _fit = _looked_at(query, state, RowPlace(corners))
    return state


def under_cards(
    query: Query, state: SearchState, starts: list[RowPlace], levelling: Points
) -> tuple[SearchState, list[RowPlace]]:
    """Cards under others, and under these, to the end of each row; and all places that were reached.

    A card without a name hides others, too.
    """
    reached = list(starts)
    # The list grows while it's gone through.
    for place in reached:
        unlike_any: list[RowPlace] = []
        below_it = _places_under(query, state, place, levelling) or _a_step_on(query, place, levelling)
        for below in below_it:
            if _is_reached(below, reached):
                continue
            state, fit = _looked_at(query, state, below)
            if fit is None and not below.is_guessed:
                unlike_any.append(below)
            elif fit is not None:
                reached.append(msgspec.structs.replace(below, corners=fit.corners(query.index)))
        for below in unlike_any:
            if not _is_reached(below, reached):
                reached.append(below)
        if len(reached) > OCCLUSION.max_places:
            break
    return state, reached


def _a_step_on(query: Query, place: RowPlace, levelling: Points) -> list[RowPlace]:
    """The place one step farther along a row: the step from the card on top to this one, once more."""
    if place.onward is None or not place.covers:
        return []
    own, above = (map_points(levelling, corners) for corners in (place.corners, place.covers[0]))
    step = own.mean(axis=0) - above.mean(axis=0)
    corners = map_points(np.linalg.inv(levelling), own + step)
    guessed = _place_under(query, place, corners, place.covers, 0.0)
    return [] if guessed is None else [msgspec.structs.replace(guessed, is_guessed=True)]


def _place_under(
    query: Query, above: RowPlace, corners: Points, covers: Sequence[Points], clarity: float
) -> RowPlace | None:
    """Where a card may lie under one on top and others, its sides laid along the edges that show; none if none can."""
    aspect = query.index.aspect
    if not is_card_shaped(corners, aspect) or not is_convex(corners):
        return None
    covers = (above.corners, *(each for each in covers if overlap(each, corners)))
    corners = quads.sharpened_under(query.picture.colours.picture, corners, covers, aspect)
    return RowPlace(corners, covers, clarity, corners.mean(axis=0) - above.corners.mean(axis=0))


def _is_reached(place: RowPlace, others: list[RowPlace]) -> bool:
    """Whether a card is known to lie at a place."""
    return any(overlap(place.corners, other.corners) > CARD.same_card_overlap for other in others)


def _named_starts(query: Query, state: SearchState, ends: quads.RowEnds) -> list[RowPlace]:
    """The named cards at the known end of a row, under which others may lie; cards that lie alone are left out."""
    found = []
    for card in state.cards:
        corners = card.detection.corners
        is_apart = any(quads.is_same(corners, each) for each in query.outlines) and ends.is_apart(corners)
        if is_apart:
            continue
        touching = [c.middle for c in state.cards if c is not card and overlap(c.detection.corners, corners)]
        onward = np.sum(card.middle - np.array(touching), axis=0) if touching else None
        if onward is None or math.hypot(*onward) > CARD.min_spacing_widths * card.width:
            found.append(RowPlace(corners, onward=onward))
    return found


def _unnamed_starts(query: Query, state: SearchState, ends: quads.RowEnds) -> list[RowPlace]:
    """Whole cards without a name, and ends of rows, those with the plainest outline first: they show wholly."""
    picture = query.picture.colours.picture
    plainest = sorted(ends.corners, key=lambda corners: -quads.weakest_edge(picture, corners))
    outlines = [corners for corners in state.unexplained_outlines if not ends.is_apart(corners)]
    likely = [
        verdict.fit.corners(query.index)
        for verdict in state.covered_verdicts
        if verdict.enrolled_probability >= SEARCH.min_cover_probability and not verdict.fit.covered.any()
    ]
    return [RowPlace(corners) for corners in (*outlines, *likely, *plainest)]


def _places_under(query: Query, state: SearchState, place: RowPlace, levelling: Points) -> list[RowPlace]:
    """The places at which another card may lie under one, the plainest first."""
    own, picture = place.corners, query.picture.colours.picture
    named = [card.detection.corners for card in state.cards] + [card.corners for card in state.known]
    around = [each for each in (*named, *place.covers) if _is_other(each, own) and _is_near(each, own)]
    outlines = occlusion.outlines_under(picture, own, around, query.index.aspect, levelling)
    found: dict[int, RowPlace] = {}
    least = OCCLUSION.min_edge
    # From the plainest on, so that none is laid along its edges that is too faint beside another.
    for number in sorted(range(len(outlines)), key=lambda number: -outlines[number].clarity):
        if outlines[number].clarity < least:
            break
        below = _place_under(query, place, outlines[number].corners, around, outlines[number].clarity)
        if below is None:
            continue
        # A row or a fan goes on the way it came.
        is_onward = _cosine(place.onward, below.onward) > OCCLUSION.min_straight_cosine
        if is_onward and all(_is_other(each, below.corners) for each in named):
            least = max(least, OCCLUSION.min_edge_ratio * below.clarity)
            found[number] = below
    return [found[number] for number in sorted(found)]


def _is_other(corners: Points, own: Points) -> bool:
    return overlap(corners, own) < CARD.same_card_overlap


def _is_near(corners: Points, own: Points) -> bool:
    """Whether a card may hide one that lies under another."""
    middle = own.mean(axis=0)
    return overlap(middle + (own - middle) * 3, corners) > 0


def _cosine(one: Points | None, other: Points | None) -> float:
    """How much two directions are alike; 1 where one isn't known."""
    if one is None or other is None:
        return 1.0
    return float(one @ other) / max(math.hypot(*one) * math.hypot(*other), 1e-9)


def _looked_at(query: Query, state: SearchState, place: RowPlace) -> tuple[SearchState, FaceFit | None]:
    """What is explained once a place was looked at closely, and the pose if some face agrees there."""
    coarse = query.index.coarse
    pose = homography_to_quad(place.corners, coarse.width, coarse.height)
    # What covers the card is known: all else of it shows.
    shows = ~quads.inside_any(place.covers, map_points(pose, coarse.centres()))
    if shows.mean() < SEARCH.min_strip_share:
        return state, None
    likely = candidates.in_outline(query, place.corners, shows.astype(np.float32))[: SEARCH.max_tries]
    fit = functools.reduce(better_pose, (poses.under(query, each, place.covers) for each in likely))
    if fit.quality < OCCLUSION.min_agreement or fit.visible_share < NAMING.piece_share or fit.covered.all():
        return state, None
    before = len(state.cards)
    state = conclude_covered(query, state, fit)
    return state, state.cards[-1].fit if len(state.cards) > before else fit
