"""Finds rows and fans as a whole, from a card that shows wholly on: which way a row goes, by which step, and how far.

Each guess is asked how plain the edges are where its cards' sides would show, and how much some face is like what would
show of each. A wrong step or a wrong count explains the same picture worse.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

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

    `agreement` is that of edges and faces where cards show. `explained` is by how much that is more than where
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
        own, others = self.cards, other.cards
        if overlap(own[0], others[0]) > CARD.same_card_overlap:
            own, others = own[1:], others[1:]
        return not any(overlap(*pair) > CARD.same_place_overlap for pair in itertools.product(own, others))


class _Laid(Struct, frozen=True):
    """A card of a row laid along its edges: how plain these are, how like some face it is, what share of it shows."""

    corners: Points
    clarity: float
    likeness: float
    share: float

    @property
    def agreement(self) -> float:
        return self.clarity + self.likeness


class _Ground(Struct, frozen=True):
    """Where a row may lie: the table, the `whole` cards, of which nothing is covered, and the contours around its top.

    `outlines` are those of other cards that show wholly, whatever they are. Where there are no contours it may lie
    anywhere.
    """

    query: Query
    plane: TablePlane
    whole: Sequence[Points]
    outlines: Sequence[Points]
    hulls: Sequence[Points]

    def holds(self, corners: Points) -> bool:
        """Whether a card lies where the row may, and not half under or over another one that shows wholly."""
        if any(overlap(each, corners) > ROW.max_shared for each in self.whole):
            return False
        if any(ROW.max_shared < overlap(each, corners) < CARD.same_card_overlap for each in self.outlines):
            return False
        return not self.hulls or any(is_in(hull, corners) for hull in self.hulls)

    def lay(self, corners: Points, above: Iterable[_Laid]) -> _Laid:
        """A card laid along its edges under others, and how much some face is like what shows of it."""
        query, coarse = self.query, self.query.index.coarse
        covers = [each.corners for each in above if overlap(each.corners, corners)]
        corners, clarity = row_fit.settled(query.picture.colours.picture, self.plane, corners, covers)
        pose = homography_to_quad(corners, coarse.width, coarse.height)
        shows = ~quads.inside_any(covers, map_points(pose, coarse.centres()))
        share, likeness = float(shows.mean()), 0.0
        if share >= SEARCH.min_strip_share:
            likeness = candidates.in_outline(query, corners, shows.astype(np.float32))[0].likeness
        return _Laid(corners, clarity, likeness, share)

    def below(self, laid: Sequence[_Laid]) -> list[Points]:
        """Where far sides of cards show beside the last of some."""
        picture, places = self.query.picture.colours.picture, [each.corners for each in laid]
        found = occlusion.outlines_under(picture, places[-1], places[:-1], self.query.index.aspect, self.plane.to_plane)
        return [each.corners for each in found if is_convex(each.corners)]


# Where the next card of a row would lie, by those before it; none at its end.
_Onward: TypeAlias = "Callable[[Sequence[_Laid]], Points | None]"


def find(
    query: Query,
    tops: Sequence[Points],
    ends: Sequence[Points],
    whole: Sequence[Points],
    hulls: Sequence[Points],
    named: Sequence[Points] = (),
) -> list[Row]:
    """The rows that may begin at some cards and end at others, the one that explains most first; some exclude others.

    `whole` cards, of which nothing is covered, tell how the table is seen. A row's contour has one of the `hulls`.
    Where cards are `named` already a row has cards, too.
    """
    found = [_from(query, top, ends, whole, hulls, named) for top in tops]
    return sorted((row for row in found if row is not None), key=lambda row: -row.explained)


def is_in(hull: Points, corners: Points) -> bool:
    """Whether a card lies in a hull, but for as much as corners of a hull are cut off."""
    slack = ROW.max_beyond_hull * float(np.hypot(*(corners[1] - corners[0])))
    contour = hull.astype(np.float32)
    return all(cv2.pointPolygonTest(contour, corner, True) > -slack for corner in corners.tolist())


def _from(
    query: Query,
    top: Points,
    ends: Sequence[Points],
    whole: Sequence[Points],
    hulls: Sequence[Points],
    named: Sequence[Points],
) -> Row | None:
    """The row under a card that explains most."""
    around = [hull for hull in hulls if is_in(hull, top)]
    plane = row_fit.plane_of(whole or [top], query.index.aspect)
    others = [each for each in query.outlines if _has_size(plane, each)]
    whole_beside, beside = ([each for each in many if overlap(each, top) < ROW.max_shared] for many in (whole, others))
    ground, first = _top(_Ground(query, plane, whole_beside, beside, around), top, is_size_known=bool(whole))
    if not _has_size(ground.plane, top) or _agreement([first]) < ROW.min_agreement:
        return None
    best = _to_an_end(ground, first, [end for end in ends if _is_apart(end, top)], named)
    if best is None or best.agreement < ROW.plain_agreement:
        best = _step_by_step(ground, first, best)
    return best


def _top(ground: _Ground, corners: Points, is_size_known: bool) -> tuple[_Ground, _Laid]:
    """The card on top of a row laid along its edges, and the table with cards of its size, where that isn't known."""
    found = []
    for factor in TOP_SIZES[:1] if is_size_known else TOP_SIZES:
        plane = msgspec.structs.replace(ground.plane, width=ground.plane.width * factor)
        resized = msgspec.structs.replace(ground, plane=plane)
        found.append((resized, resized.lay(corners, ())))
    # The outline's own size is the likeliest.
    return max(found, key=lambda each: each[1].clarity - abs(each[0].plane.width / ground.plane.width - 1))


def _to_an_end(ground: _Ground, first: _Laid, ends: Sequence[Points], named: Sequence[Points]) -> Row | None:
    """The row from a card on top to another that shows a whole side, or to where a straight row's contour ends.

    Cards of the row that are `named` lie where it has one.
    """
    best: Row | None = None
    seen = [end for end in ends if ground.holds(end) and _has_size(ground.plane, end)]
    # Both ends tell how large cards are there, and how the table slants on the way.
    aims = [(end, row_fit.plane_of([first.corners, end, *ground.whole], ground.plane.aspect)) for end in seen]
    for hull in ground.hulls:
        aims += [(end, ground.plane) for end in row_fit.far_ends(ground.plane, first.corners, hull)]
    for number, (end, plane) in enumerate(aims):
        if any(quads.is_same(end, other) for other, _plane in aims[:number]):
            continue
        between = msgspec.structs.replace(ground, plane=plane)
        for row in row_fit.rows_between(plane, first.corners, end):
            if all(ground.holds(each) for each in row[1:]) and all(_is_met(each, row) for each in named):
                best = _better(best, _followed(between, [first], _along(row), best))
    return best


def _is_met(corners: Points, row: Sequence[Points]) -> bool:
    """Whether a card lies where a row has one, or outside of the row."""
    middle = corners.mean(axis=0)
    away = [float(np.hypot(*(each.mean(axis=0) - middle))) for each in row]
    nearest = row[int(np.argmin(away))]
    is_there = min(away) < CARD.min_spacing_widths * float(np.hypot(*(corners[1] - corners[0])))
    return is_there or overlap(nearest, corners) < CARD.same_place_overlap


def _along(row: Sequence[Points]) -> _Onward:
    """From card to card of a row whose places are known."""
    return lambda laid: row[len(laid)] if len(laid) < len(row) else None


def _step_by_step(ground: _Ground, first: _Laid, best: Row | None) -> Row | None:
    """The row that goes on by the step to its second card, whose far side shows; or the best so far."""

    def onward(laid: Sequence[_Laid]) -> Points | None:
        there = row_fit.a_step_on(ground.plane, [each.corners for each in laid])
        return there if ground.holds(there) and len(laid) <= ROW.max_steps else None

    seconds = [ground.lay(corners, [first]) for corners in ground.below([first]) if ground.holds(corners)]
    for second in sorted(seconds, key=lambda each: -each.agreement)[: ROW.max_first_steps]:
        best = _better(best, _followed(ground, [first, second], onward, best, is_uneven=True))
    return best


def _followed(
    ground: _Ground, first: Sequence[_Laid], onward: _Onward, best: Row | None, is_uneven: bool = False
) -> Row | None:
    """A row from its first cards to its end; none if that agrees less than another row by far.

    Of an uneven one the next card may also lie where a far side shows nearby.
    """
    least = ROW.min_agreement if best is None else ROW.min_agreement_ratio * best.agreement
    laid = list(first)
    while (corners := onward(laid)) is not None:
        there = ground.lay(corners, laid)
        if is_uneven and there.agreement < _agreement(laid):
            nearby = [each for each in ground.below(laid) if not _is_apart(each, there.corners)]
            there = max([there, *(ground.lay(each, laid) for each in nearby)], key=lambda each: each.agreement)
        laid.append(there)
        if _agreement(laid) < least:
            return None
    agreement, shows = _agreement(laid), sum(each.share for each in laid)
    # A card alone is no row.
    if len(laid) == 1 or agreement < ROW.min_agreement:
        return None
    return Row(tuple(each.corners for each in laid), agreement, (agreement - ROW.min_agreement) * shows)


def _agreement(laid: Sequence[_Laid]) -> float:
    """How much edges and faces agree where some cards show."""
    return sum(each.share * each.agreement for each in laid) / sum(each.share for each in laid)


def _has_size(plane: TablePlane, corners: Points) -> bool:
    """Whether an outline is as large as the cards."""
    return 1 / ROW.max_size_ratio < plane.width_of(corners) / plane.width < ROW.max_size_ratio


def _is_apart(one: Points, other: Points) -> bool:
    """Whether two cards lie at two places."""
    return overlap(one, other) < CARD.same_card_overlap


def _better(one: Row | None, other: Row | None) -> Row | None:
    """The row that explains more."""
    if one is None or other is None:
        return one or other
    return max(one, other, key=lambda row: row.explained)
