"""Rows and fans as a whole: which of the cards seen are the ends of one, how many cards lie between, who is on top."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from benchmarks.vision import families
from benchmarks.vision.scenes import looks_of
from vision import row_fit
from vision.geometry import map_points, overlap, rectangle
from vision.learning import build_index
from vision.pipeline import whole_rows
from vision.pipeline.query import prepare_query
from vision.recognise import Recogniser
from vision.simulated import LaidCard, PinholeCamera, Scene, render
from vision.tuning import CARD

ASPECT = 1.4


def at(x, y, turn=0.0):
    """The corners of a card 100 pixels wide and 140 high."""
    angle = np.radians(turn)
    spin = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return (rectangle(100, 140) - [50, 70]) @ spin + [x, y]


def fan(count, turn):
    """Cards about a point below them, the last one on top."""
    turns = [turn * (n - (count - 1) / 2) for n in range(count)]
    return [at(320 + 160 * np.sin(np.radians(t)), 330 - 160 * np.cos(np.radians(t)), t) for t in turns]


def laid(*cards, line=150):
    """A grainy table with bare cards that lie on one another, the last one on top."""
    random = np.random.default_rng(5)
    picture = np.full((480, 640, 3), 70, np.uint8)
    for corners in cards:
        cv2.fillConvexPoly(picture, corners.round().astype(np.int32), (235, 240, 242), cv2.LINE_AA)
        cv2.polylines(picture, [corners.round().astype(np.int32)], True, (line, line, line), 1, cv2.LINE_AA)
    return np.clip(picture + random.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)


def away(found, true):
    return float(np.abs(found - true).max())


def test_seen_from_above_all_cards_have_one_size_and_right_angles():
    seen = np.array([[1, 0.1, 0], [0, 0.8, 0], [2e-4, 4e-4, 1.0]])
    cards = [map_points(seen, at(x, y, turn)) for x, y, turn in [(120, 120, 0), (500, 160, 30), (300, 400, -50)]]
    plane = row_fit.plane_of(cards, ASPECT)
    for corners in cards:
        assert plane.width_of(corners) == pytest.approx(plane.width, rel=0.03)
        assert away(plane.corners(*plane.place(corners)), corners) < 3


@pytest.mark.parametrize("cards", [[at(140 + 55 * n, 240) for n in range(5)], fan(5, 14), fan(8, 15), fan(4, -18)])
def test_between_the_ends_of_a_row_or_a_fan_its_cards_are_among_the_guesses(cards):
    plane = row_fit.plane_of([cards[-1]], ASPECT)
    guesses = row_fit.rows_between(plane, cards[-1], cards[0])
    same = [guess for guess in guesses if len(guess) == len(cards)]
    nearest = min(max(away(a, b) for a, b in zip(guess, cards[::-1], strict=True)) for guess in same)
    assert nearest < 0.01 * 100


def test_a_rows_contour_tells_where_its_last_card_lies():
    row = [at(400 - 50 * n, 240, 2) for n in range(5)]
    hull = cv2.convexHull(np.concatenate(row).astype(np.float32)).reshape(-1, 2)
    (far,) = row_fit.far_ends(row_fit.plane_of([row[0]], ASPECT), row[0], hull)
    assert overlap(far, row[-1]) > 0.9


def test_the_step_of_a_fan_repeats():
    cards = fan(5, 14)[::-1]
    plane = row_fit.plane_of([cards[0]], ASPECT)
    assert away(row_fit.a_step_on(plane, cards[:3]), cards[3]) < 1


@pytest.mark.parametrize(("right", "down", "turn"), [(4, -3, 0), (-3, 4, 2), (5, 5, -2)])
def test_a_card_is_laid_along_the_sides_that_show(right, down, turn):
    below, above = at(270, 245), at(320, 240)
    plane = row_fit.plane_of([above], ASPECT)
    rough = at(270 + right, 245 + down, turn)
    found, clarity = row_fit.settled(laid(below, above), plane, rough, [above])
    assert away(found, below) < 2.5
    assert clarity > 0.7


def test_where_no_card_lies_edges_are_less_plain():
    above = at(320, 240)
    plane = row_fit.plane_of([above], ASPECT)
    _found, clarity = row_fit.settled(laid(above), plane, at(270, 245), [above])
    assert clarity < 0.5


ROWS = {
    "a row": [at(140 + 55 * n, 240) for n in range(5)],
    "a row that goes up": [at(320, 340 - 62 * n) for n in range(4)],
    "two cards": [at(270, 240), at(320, 250)],
    "a fan": fan(6, 13),
}


@pytest.mark.parametrize("cards", ROWS.values(), ids=ROWS)
# White cards on white ones: only a faint line shows between them.
@pytest.mark.parametrize("line", [150, 228])
def test_the_count_of_a_rows_cards_and_the_one_on_top_are_found(cards, line):
    # Any deck will do: the cards are bare.
    index = build_index(families.deck("corners", 300)[:4], ASPECT)
    query = prepare_query(index, laid(*cards, line=line))
    hull = cv2.convexHull(np.concatenate(cards).astype(np.float32)).reshape(-1, 2)
    best, *_others = whole_rows.find(query, [cards[0], cards[-1]], [cards[0], cards[-1]], [], [hull])
    assert len(best.cards) == len(cards)
    for found, true in zip(best.cards, cards[::-1], strict=True):
        assert overlap(found, true) > 0.93


def test_rows_that_share_more_than_the_card_on_top_exclude_each_other():
    def row(*cards):
        return whole_rows.Row(cards, 1.0, 1.0)

    one = row(at(320, 240), at(270, 240))
    assert one.is_beside(row(at(320, 240), at(320, 180)))
    assert not one.is_beside(row(at(320, 240), at(268, 240)))
    assert not one.is_beside(row(at(270, 240), at(320, 240)))


@pytest.mark.parametrize("step", [32, 40])
def test_a_fan_of_symbols_is_read(step):
    faces = families.deck("corners", 300)
    count = 5
    turns = [15.0 * (n - 2) for n in range(count)]
    cards = tuple(
        LaidCard(faces[2 * n][0], 220 + 2.2 * step * np.sin(np.radians(t)), 260 - 2.2 * step * np.cos(np.radians(t)), t)
        for n, t in enumerate(turns)
    )
    shot = render(Scene(cards), looks_of(faces, families.SIZE), PinholeCamera(), seed=4)
    truth = {each.laid.card: each.corners for each in shot.cards}
    found = Recogniser(build_index(faces)).read(shot.picture).cards
    assert len(found) == count
    for card in found:
        assert overlap(card.corners, truth[card.card]) > CARD.same_card_overlap
