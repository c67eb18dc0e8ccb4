"""Finds rows and fans as a whole, from a card that shows wholly on: which way a row goes, by which step, and how far.

Each guess is asked how plain the edges are where its cards' sides would show, and how much some face is like what would
show of each. A wrong step or a wrong count explains the same picture worse.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from vision import occlusion, quads, row_fit
from vision.geometry import Points, homography_to_quad, is_convex, map_points, overlap
from vision.pipeline import candidates
from vision.pipeline.query import Query
from vision.row_fit import TablePlane
from vision.tuning import CARD, ROW, SEARCH


# An outline may have been laid along a frame, or around a shadow: a card is so many times as wide.
TOP_SIZES = (1.0, 0.95, 1.05, 1.1)


class Row(Struct, frozen=True):
    """The cards of a row from the one on top to the other end.

    `agreement` is that of edges and faces where cards show. `explained` is by how much that is more than of places where
    no cards lie, times the area that shows, in cards: a row that is longer and as plain explains more.
    """

    cards: tuple[Points, ...]
    agreement: float
    explained: float

    def holds(self, corners: Points) -> bool:
        """Whether a card with these corners is one of the row's."""
        return any(overlap(each, corners) > CARD.same_card_overlap for each in self.cards)

    def is_beside(self, other: Row) -> bool:
        """Whether both can be true, as they share no place, or only the card on top of both."""
        pairs = list(itertools.product(enumerate(self.cards), enumerate(other.cards)))
        return not any(overlap(one, two) > CARD.same_place_overlap for (n, one), (m, two) in pairs if n or m)


class _Laid(Struct, frozen=True):
    """A card of a row, laid along its edges under those before it."""

    corners: Points
    clarity: float
    likeness: float
    share: float

def find(query: Query, ends: Sequence[Points], whole: Sequence[Points], hulls: Sequence[Points]) -> list[Row]:
    """The rows that may begin at some cards and end at others, the one that explains most first; some exclude others.

    `whole` cards, of which nothing is covered, tell how the table is seen. A row's contour has one of the `hulls`.
    """
    found = []
    for top in ends:
        slack = ROW.max_beyond_hull * float(np.hypot(*(top[1] - top[0])))
        around = [hull for hull in hulls if _is_in(hull, top, slack)]
        found.append(_from(query, top, ends, whole, around))
    return sorted((row for row in found if row is not None), key=lambda row: -row.explained)


def _is_in(hull: Points, corners: Points, slack: float) -> bool:
    """Whether a card lies in a hull, but for so many pixels."""
    contour = hull.astype(np.float32)
    return all(cv2.pointPolygonTest(contour, corner, True) > -slack for corner in corners.tolist())


def _from(
    query: Query, top: Points, ends: Sequence[Points], whole: Sequence[Points], hulls: Sequence[Points]
) -> Row | None:
    """The row under a card that agrees best."""
    picture, aspect = query.picture.colours.picture, query.index.aspect
    plane, first = _top(query, row_fit.plane_of(whole or [top], aspect), top, is_size_known=bool(whole))
    if not _has_size(plane, top) or _agreement([first]) < ROW.min_agreement:
        return None
    best: Row | None = None

    slack = ROW.max_beyond_hull * float(np.hypot(*(top[1] - top[0])))

    def is_inside(corners: Points) -> bool:
        return not hulls or any(_is_in(hull, corners, slack) for hull in hulls)

    others = [each for each in ends if _is_apart(each, top) and is_inside(each) and _has_size(plane, each)]
    for end in _apart([*others, *(each for hull in hulls for each in row_fit.far_ends(plane, first.corners, hull))]):
        # Both ends tell how large cards are there, and how the table slants on the way.
        local = row_fit.plane_of([first.corners, end, *whole], aspect) if any(end is each for each in others) else plane
        for row in row_fit.rows_between(local, first.corners, end):
            if all(is_inside(each) for each in row):
                guess = iter(row[1:])
                found = _followed(query, local, [first], lambda _laid: list(itertools.islice(guess, 1)), whole, best)
                best = _better(best, found)
    if best is not None and best.agreement > ROW.plain_agreement:
        return best

    def below(laid: list[_Laid]) -> list[Points]:
        places = [each.corners for each in laid]
        outlines = occlusion.outlines_under(picture, places[-1], places[:-1], aspect, plane.to_plane)
        return [each.corners for each in outlines if is_convex(each.corners)]

    def onward(laid: list[_Laid]) -> list[Points]:
        there = row_fit.a_step_on(plane, [each.corners for each in laid])
        return [there] if is_inside(there) and len(laid) <= ROW.max_steps else []

    seconds = [_laid(query, plane, each, [first.corners]) for each in below([first]) if is_inside(each)]
    seconds.sort(key=lambda each: -each.clarity - each.likeness)
    for second in seconds[: ROW.max_first_steps]:
        best = _better(best, _followed(query, plane, [first, second], onward, whole, best, below))
    return best


def _top(query: Query, plane: TablePlane, corners: Points, is_size_known: bool) -> tuple[TablePlane, _Laid]:
    """The card on top of a row laid along its edges, and the plane with cards of its size, where that isn't known."""
    factors = (1.0,) if is_size_known else TOP_SIZES
    tried = []
    for factor in factors:
        resized = msgspec.structs.replace(plane, width=plane.width * factor)
        laid = _laid(query, resized, corners, [])
        tried.append((laid.clarity - abs(factor - 1), resized, laid))
    return max(tried, key=lambda each: each[0])[1:]


def _is_apart(one: Points, other: Points) -> bool:
    """Whether two cards lie at two places."""
    return overlap(one, other) < CARD.same_card_overlap


def _better(one: Row | None, other: Row | None) -> Row | None:
    """The row that explains more."""
    if one is None or other is None:
        return one or other
    return max(one, other, key=lambda row: row.explained)


def _apart(places: Sequence[Points]) -> list[Points]:
    """Some places without those that are nearly the same as one before."""
    kept: list[Points] = []
    for each in places:
        if not any(quads.is_same(each, other) for other in kept):
            kept.append(each)
    return kept


def _has_size(plane: TablePlane, corners: Points) -> bool:
    """Whether an outline is as large as the cards."""
    ratio = plane.width_of(corners) / plane.width
    return 1 / ROW.max_size_ratio < ratio < ROW.max_size_ratio


def _followed(
    query: Query,
    plane: TablePlane,
    first: Sequence[_Laid],
    following: Callable[[list[_Laid]], list[Points]],
    whole: Sequence[Points],
    best: Row | None,
    below: Callable[[list[_Laid]], list[Points]] | None = None,
) -> Row | None:
    """A row from its first cards to its end, card by card; none if that agrees less than another row by far.

    Of a `whole` card nothing is covered.
    """
    laid = list(first)
    while places := following(laid):
        above = [each.corners for each in laid]
        there = _laid(query, plane, places[0], above)
        if below is not None and len(laid) > 1 and there.clarity + there.likeness < _agreement(laid):
            nearby = [_laid(query, plane, each, above) for each in below(laid) if not _is_apart(each, there.corners)]
            there = max([there, *nearby], key=lambda each: each.clarity + each.likeness)
        laid.append(there)
        if not all(_is_apart(laid[-1].corners, each) for each in whole):
            return None
        least = ROW.min_agreement if best is None else ROW.min_agreement_ratio * best.agreement
        if _agreement(laid) < least:
            return None
    agreement, shows = _agreement(laid), sum(each.share for each in laid)
    # A card alone is no row.
    if len(laid) == 1 or agreement < ROW.min_agreement:
        return None
    return Row(tuple(each.corners for each in laid), agreement, (agreement - ROW.min_agreement) * shows)


def _agreement(laid: Sequence[_Laid]) -> float:
    """How much edges and faces agree where some cards show."""
    return sum(each.share * (each.clarity + each.likeness) for each in laid) / sum(each.share for each in laid)


def _laid(query: Query, plane: TablePlane, corners: Points, above: Sequence[Points]) -> _Laid:
    """A card laid along its edges under others, and how much some face is like what shows of it."""
    coarse = query.index.coarse
    covers = [each for each in above if overlap(each, corners)]
    corners, clarity = row_fit.settled(query.picture.colours.picture, plane, corners, covers)
    pose = homography_to_quad(corners, coarse.width, coarse.height)
    shows = ~quads.inside_any(covers, map_points(pose, coarse.centres()))
    share = float(shows.mean())
    if share < SEARCH.min_strip_share:
        return _Laid(corners, clarity, 0.0, share)
    return _Laid(corners, clarity, candidates.in_outline(query, corners, shows.astype(np.float32))[0].likeness, share)
