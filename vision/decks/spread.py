"""Finds the cards of a deck that is laid out side by side in one photo."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from msgspec import Struct

from vision import quads
from vision.decks.flat import FlatPhoto, colours_at, flattened, lifted
from vision.decks.reading_order import Spread, in_rows, pitch_of, places_of, same_way_up
from vision.decks.tuning import SPREAD
from vision.geometry import Array, Picture, Points, area, overlap
from vision.tuning import CARD


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
        # Of what is drawn on cards there is often more than one for each.
        if max(4, SPREAD.min_seed_share * count) <= len(cards) <= count:
            cards = _completed(picture, cards, max(aspect, 1 / aspect), count)
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
    narrowest = min(picture.shape[:2]) / SPREAD.max_cards_across
    found = quads.find(picture, aspect, narrowest)
    if max(picture.shape[:2]) <= SPREAD.min_undoubled_px:
        # Outlines are looked for at half the resolution, and the gaps between the cards of a small photo need all.
        doubled = np.asarray(cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
        found += [(corners - 0.5) / 2 for corners in quads.find(doubled, aspect, 2 * narrowest)]
    # Where one card is seen from so far off, another of the photo is seen from twice as far.
    return [corners for corners in found if quads.is_frontal(corners, aspect, CARD.frontal_aspect_ratio**2)]


def _sizes(outlines: list[Points]) -> Iterator[list[Points]]:
    """Sets of outlines of about one size that don't lie on each other, one for each size there is."""
    sizes = np.array([abs(area(corners)) for corners in outlines])
    last = np.inf
    for size in np.sort(sizes)[::-1]:
        if last / size < SPREAD.max_area_error:
            continue
        last = float(size)
        off = np.abs(np.log(sizes / size))
        alike: list[Points] = []
        for number in np.argsort(off, kind="stable"):
            if off[number] < np.log(SPREAD.max_area_ratio) and _is_free(outlines[number], alike):
                alike.append(outlines[number])
        yield alike


def _is_free(place: Points, cards: list[Points]) -> bool:
    """Whether no card lies at a place."""
    return all(overlap(place, card) < SPREAD.same_card_overlap for card in cards)


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
        if abs(np.log(abs(area(nearest))) - expected) < np.log(SPREAD.max_area_error) and _is_free(nearest, kept):
            kept.append(nearest)
    return kept


def _completed(picture: Picture, cards: list[Points], aspect: float, count: int) -> list[Points]:
    """The cards without bare table, and with those that are found where their neighbours let expect one."""
    cards = same_way_up(cards)
    flat = flattened(picture, cards, aspect)
    if flat is None:
        return []
    rough = [flat.place_of(corners) for corners in cards]
    table = _table_of(flat, np.array(rough))
    there = [(corners, place) for corners, place in zip(cards, rough, strict=True) if not table.fills(flat, place)]
    if not there:
        return []
    good = np.array([place for corners, place in there if flat.is_card_shaped(corners)])
    if 2 * len(good) < len(there):
        return []
    usual = float(np.median(flat.edges_at(good).mean(axis=1)))
    # An outline that isn't quite a card's runs along a frame inside its edge, or along its shadow.
    laid = [place if flat.is_card_shaped(corners) else flat.settled(place, usual) for corners, place in there]
    cards = [c if flat.is_card_shaped(c) else flat.outline_of(p) for (c, _rough), p in zip(there, laid, strict=True)]
    tried: list[Points] = []
    before = 0
    while before < len(laid) < count:
        before = len(laid)
        for place in _beside(flat, laid):
            if (
                _is_near(place, tried, SPREAD.same_place_widths)
                or _is_near(place, laid, SPREAD.min_spacing_widths)
                or not flat.shows(place)
            ):
                continue
            tried.append(place)
            found = flat.settled(place, usual)
            is_card = float(flat.edges_at(found[None]).mean()) > SPREAD.min_edge_ratio * usual and not table.fills(
                flat, found
            )
            if is_card and not _is_near(found, laid, SPREAD.min_spacing_widths):
                laid.append(found)
                cards.append(flat.outline_of(found))
    return cards


def _is_near(place: Points, others: list[Points], share: float) -> bool:
    """Whether a place is another one, within a share of a card's width."""
    return any(np.abs(place[:2] - other[:2]).max() < share * SPREAD.flat_card_width_px for other in others)


def _beside(flat: FlatPhoto, laid: list[Points]) -> Iterator[Points]:
    """Where the next cards of rows and columns are to be expected."""
    across, down = pitch_of(places_of(list(flat.corners_of(np.array(laid)))))
    for step in (
        (across * SPREAD.flat_card_width_px, 0.0),
        (-across * SPREAD.flat_card_width_px, 0.0),
        (0.0, down * flat.height),
        (0.0, -down * flat.height),
    ):
        for place in list(laid) if any(step) else ():
            yield place + np.array([*step, 0.0])


class _TableColour(Struct, frozen=True):
    """The table's colour, which changes evenly across the photo, and how far from it a colour is still the table's.

    Nothing is the table's where the cards have its colour themselves.
    """

    slope: Array
    tolerance: Array

    def fills(self, flat: FlatPhoto, place: Points) -> bool:
        """Whether there is nothing but table at a place."""
        return self.share(flat, place) > SPREAD.min_bare_share

    def share(self, flat: FlatPhoto, place: Points) -> float:
        """How much of a place has the table's colour."""
        spots, seen = flat.colours_in(place)
        return float((np.abs(seen - lifted(spots) @ self.slope) < self.tolerance).all(axis=1).mean())


def _table_of(flat: FlatPhoto, places: Points) -> _TableColour:
    """The table, from what lies between and around the cards."""
    taken = np.zeros(flat.picture.shape[:2], np.uint8)
    for corners in flat.corners_of(places):
        cv2.fillConvexPoly(taken, corners.round().astype(np.int32), 1)
    # What the photo doesn't show is black.
    taken[flat.picture.max(axis=2) == 0] = 1
    free = np.argwhere(cv2.dilate(taken, np.ones((9, 9), np.uint8))[::4, ::4] == 0)[:, ::-1] * 4.0
    nothing = _TableColour(np.zeros((3, 3)), np.zeros(3))
    if len(free) < 200:
        return nothing
    spots, seen = lifted(free), colours_at(flat.picture, free)
    trusted = np.ones(len(free), bool)
    for _ in range(4):
        slope = np.linalg.lstsq(spots[trusted], seen[trusted], rcond=None)[0]
        off = np.abs(seen - spots @ slope)
        usual = np.median(off, axis=0)
        trusted = (off <= 3 * np.maximum(usual, 1)).all(axis=1)
    table = _TableColour(slope, np.maximum(SPREAD.table_colour_levels, SPREAD.table_colour_deviations * usual))
    return table if np.median([table.share(flat, place) for place in places]) < SPREAD.min_bare_share / 2 else nothing
