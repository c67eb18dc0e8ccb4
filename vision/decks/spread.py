"""Finds the cards of a deck that is laid out side by side in one photo."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from msgspec import Struct

from vision import quads
from vision.decks.flat import WIDTH, FlatPhoto, colours_at, flattened, lifted
from vision.decks.reading_order import Spread, in_rows, pitch_of, places_of, same_way_up
from vision.geometry import Array, Picture, Points, area, overlap

# Times as large as another a card may look in one photo: it may be taken from a side.
ALIKE = 1.7
# By this factor the size of a card may differ from what the sizes of all cards let expect at its place.
SIZED = 1.15
# Two outlines with this much in common are one card's.
SAME = 0.5
# The photo's shorter side is at most so many cards wide.
MOST_ACROSS = 30
# A photo whose longer side is at most so many pixels is doubled before outlines are looked for in it.
SMALL_PHOTO = 3200
# A card's edges are this strong at least, next to those of the cards that stand out.
EDGED = 0.5
# Nearer than this, as a share of a card's width, two cards are one, and two places that were tried.
APART, TRIED = 0.6, 0.03
# A place is bare where this share of it has the table's colour, within so many grey levels or usual deviations.
BARE, LEVELS, DEVIATIONS = 0.85, 12.0, 4.0


def find_spread(picture: Picture, aspect: float, count: int) -> Spread:
    """The cards of a photo, which should be so many."""
    outlines = _outlines(picture, max(aspect, 1 / aspect))
    best: list[Points] = []
    done: list[float] = []
    for alike in _sizes(outlines):
        cards = _of_one_size(alike, outlines)
        size = float(np.median([abs(area(corners)) for corners in cards])) if cards else 0.0
        if any(abs(size / other - 1) < 0.05 for other in done):
            continue
        done.append(size)
        # A grid is told by a few cards of it; of what is drawn on cards there is more than one for each.
        if max(4, count / 4) <= len(cards) <= count:
            cards = _completed(picture, cards, count)
        if _merit(cards, count) > _merit(best, count):
            best = cards
        # The sizes that follow are smaller: frames inside the cards' edges.
        if len(best) == count:
            break
    return in_rows(best, count)


def _merit(cards: list[Points], count: int) -> tuple[int, float]:
    """How well a set of outlines fits; of as many the largest, since a card has a frame inside its edge."""
    return (-abs(len(cards) - count), sum(abs(area(corners)) for corners in cards))


def _outlines(picture: Picture, aspect: float) -> list[Points]:
    """Everything card-shaped in the photo."""
    narrowest = min(picture.shape[:2]) / MOST_ACROSS
    found = quads.find(picture, aspect, narrowest)
    if max(picture.shape[:2]) <= SMALL_PHOTO:
        # Outlines are looked for at half the resolution, and the gaps between the cards of a small photo need all.
        doubled = np.asarray(cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
        found += [(corners - 0.5) / 2 for corners in quads.find(doubled, aspect, 2 * narrowest)]
    return found


def _sizes(outlines: list[Points]) -> Iterator[list[Points]]:
    """Sets of outlines of about one size that don't lie on each other, one for each size there is."""
    sizes = np.array([abs(area(corners)) for corners in outlines])
    last = np.inf
    for size in np.sort(sizes)[::-1]:
        if last / size < SIZED:
            continue
        last = float(size)
        off = np.abs(np.log(sizes / size))
        alike: list[Points] = []
        for number in np.argsort(off, kind="stable"):
            if off[number] < np.log(ALIKE) and _is_free(outlines[number], alike):
                alike.append(outlines[number])
        yield alike


def _is_free(place: Points, cards: list[Points]) -> bool:
    """Whether no card lies at a place."""
    return all(overlap(place, card) < SAME for card in cards)


def _of_one_size(cards: list[Points], outlines: list[Points]) -> list[Points]:
    """Of each card the outline whose size fits those of the others best; no outline where none fits.

    Sizes change evenly across a photo taken from a side.
    """
    if len(cards) < 4:
        return cards
    sizes = np.log([abs(area(corners)) for corners in cards])
    middles = np.array([[1.0, *corners.mean(axis=0)] for corners in cards])
    trusted = np.ones(len(cards), bool)
    for _ in range(4):
        plane = np.linalg.lstsq(middles[trusted], sizes[trusted], rcond=None)[0]
        off = np.abs(middles @ plane - sizes)
        trusted = off <= max(2 * float(np.median(off)), 0.02)
    kept: list[Points] = []
    for card, expected in zip(cards, middles @ plane, strict=True):
        there = [corners for corners in outlines if overlap(corners, card) > 0.8]
        nearest = min(there, key=lambda corners: abs(float(np.log(abs(area(corners)))) - expected))
        if abs(np.log(abs(area(nearest))) - expected) < np.log(SIZED) and _is_free(nearest, kept):
            kept.append(nearest)
    return kept


def _completed(picture: Picture, cards: list[Points], count: int) -> list[Points]:
    """The cards without bare table, and with those that are found where their neighbours let expect one."""
    cards = same_way_up(cards)
    flat = flattened(picture, cards)
    if flat is None:
        return cards
    rough = [flat.place_of(corners) for corners in cards]
    table = _table_of(flat, np.array(rough))
    there = [(corners, place) for corners, place in zip(cards, rough, strict=True) if not table.fills(flat, place)]
    if not there:
        return []
    # An outline that isn't quite a card's runs along a frame inside its edge, or along its shadow.
    laid = [place if flat.is_card_shaped(corners) else flat.settled(place) for corners, place in there]
    cards = [c if flat.is_card_shaped(c) else flat.outline_of(p) for (c, _rough), p in zip(there, laid, strict=True)]
    usual = float(np.median(flat.edges_at(np.array(laid)).mean(axis=1)))
    tried: list[Points] = []
    before = 0
    while before < len(laid) < count:
        before = len(laid)
        for place in _beside(flat, laid):
            if _is_near(place, tried, TRIED) or _is_near(place, laid, APART) or not flat.shows(place):
                continue
            tried.append(place)
            found = flat.settled(place)
            is_card = float(flat.edges_at(found[None]).mean()) > EDGED * usual and not table.fills(flat, found)
            if is_card and not _is_near(found, laid, APART):
                laid.append(found)
                cards.append(flat.outline_of(found))
    return cards


def _is_near(place: Points, others: list[Points], share: float) -> bool:
    """Whether a place is another one, within a share of a card's width."""
    return any(np.abs(place[:2] - other[:2]).max() < share * WIDTH for other in others)


def _beside(flat: FlatPhoto, laid: list[Points]) -> Iterator[Points]:
    """Where the next cards of rows and columns are to be expected."""
    across, down = pitch_of(places_of(list(flat.corners_of(np.array(laid)))))
    for step in ((across * WIDTH, 0.0), (-across * WIDTH, 0.0), (0.0, down * flat.height), (0.0, -down * flat.height)):
        for place in list(laid) if any(step) else ():
            yield place + np.array([*step, 0.0])


class _Table(Struct, frozen=True):
    """The table's colour, which changes evenly across the photo, and how far from it a colour is still the table's.

    Nothing is the table's where the cards have its colour themselves.
    """

    slope: Array
    tolerance: Array

    def fills(self, flat: FlatPhoto, place: Points) -> bool:
        """Whether there is nothing but table at a place."""
        return self.share(flat, place) > BARE

    def share(self, flat: FlatPhoto, place: Points) -> float:
        """How much of a place has the table's colour."""
        spots, seen = flat.colours_in(place)
        return float((np.abs(seen - lifted(spots) @ self.slope) < self.tolerance).all(axis=1).mean())


def _table_of(flat: FlatPhoto, places: Points) -> _Table:
    """The table, from what lies between and around the cards."""
    taken = np.zeros(flat.picture.shape[:2], np.uint8)
    for corners in flat.corners_of(places):
        cv2.fillConvexPoly(taken, corners.round().astype(np.int32), 1)
    taken = cv2.dilate(taken, np.ones((9, 9), np.uint8))
    # What the photo doesn't show is black.
    taken |= cv2.dilate((flat.picture.max(axis=2) == 0).astype(np.uint8), np.ones((5, 5), np.uint8))
    free = np.argwhere(taken[::4, ::4] == 0)[:, ::-1] * 4.0
    nothing = _Table(np.zeros((3, 3)), np.zeros(3))
    if len(free) < 200:
        return nothing
    spots, seen = lifted(free), colours_at(flat.picture, free)
    trusted = np.ones(len(free), bool)
    for _ in range(4):
        slope = np.linalg.lstsq(spots[trusted], seen[trusted], rcond=None)[0]
        off = np.abs(seen - spots @ slope)
        usual = np.median(off, axis=0)
        trusted = (off <= 3 * np.maximum(usual, 1)).all(axis=1)
    table = _Table(slope, np.maximum(LEVELS, DEVIATIONS * usual))
    return table if np.median([table.share(flat, place) for place in places]) < BARE / 2 else nothing
