"""Cards under others: the far side of each shows, and what covers it is known; and the card at a row's end."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import pytest

from benchmarks.vision import families
from benchmarks.vision.scenes import looks_of
from vision import fitting, occlusion, quads, slant
from vision.geometry import area, map_points, overlap, rectangle
from vision.learning import build_index
from vision.pipeline import covered, decision
from vision.pipeline.query import prepare_query
from vision.recognise import Recogniser
from vision.simulated import LaidCard, PinholeCamera, Scene, render
from vision.tuning import CARD, OUTLINE

ASPECT = 1.4


def at(x, y, turn=0.0):
    """The corners of a card 100 pixels wide and 140 high."""
    angle = np.radians(turn)
    spin = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return (rectangle(100, 140) - [50, 70]) @ spin + [x, y]


def laid(*cards):
    """A grainy table with bare cards that lie on one another, the last one on top."""
    random = np.random.default_rng(5)
    picture = np.full((480, 640, 3), 70, np.uint8)
    for corners in cards:
        cv2.fillConvexPoly(picture, corners.round().astype(np.int32), (235, 240, 242), cv2.LINE_AA)
        cv2.polylines(picture, [corners.round().astype(np.int32)], True, (150, 150, 150), 1, cv2.LINE_AA)
    return np.clip(picture + random.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)


def away(found, true):
    return float(np.abs(found - true).max())


@pytest.mark.parametrize("step", [(-45, 0), (55, 0), (0, -60), (0, 50)])
def test_a_card_under_another_is_found_by_its_far_side(step):
    below, above = at(320 + step[0], 240 + step[1]), at(320, 240)
    (found, *_others) = occlusion.outlines_under(laid(below, above), above, [], ASPECT, np.eye(3))
    assert away(found.corners, below) < 0.05 * 172
    assert found.clarity > 0.8


@pytest.mark.parametrize("turn", [-12, -6, 6, 12])
def test_a_card_of_a_fan_is_found_turned(turn):
    below, above = at(270, 245, turn), at(320, 240)
    (found, *_others) = occlusion.outlines_under(laid(below, above), above, [], ASPECT, np.eye(3))
    assert away(found.corners, below) < 0.08 * 172


def test_of_a_row_the_next_card_is_found_not_the_one_under_it():
    row = [at(320 - 50 * n, 240) for n in (2, 1, 0)]
    (found, *_others) = occlusion.outlines_under(laid(*row), row[-1], [], ASPECT, np.eye(3))
    assert away(found.corners, row[1]) < 0.05 * 172


def test_nothing_plain_lies_under_a_card_apart():
    found = occlusion.outlines_under(laid(at(320, 240)), at(320, 240), [], ASPECT, np.eye(3))
    assert all(each.clarity < 0.45 for each in found)


@pytest.mark.parametrize("turn", [-3, 2])
def test_a_covered_outline_is_laid_along_the_sides_that_show(turn):
    below, above = at(270, 245, turn), at(320, 240)
    rough = below + np.array([3, -3])
    found = quads.sharpened_under(laid(below, above), rough, [above], ASPECT)
    assert away(found, below) < 1.5


def test_an_outline_beside_a_card_lacks_a_side():
    picture = laid(at(320, 240))
    assert quads.weakest_edge(picture, at(320, 240)) > 2 * OUTLINE.min_edge_contrast
    assert quads.weakest_edge(picture, at(320, 262)) < OUTLINE.min_edge_contrast


def test_what_does_not_show_of_a_side_says_nothing():
    below, above = at(270, 240), at(320, 240)
    picture = laid(below, above)
    assert quads.weakest_edge(picture, below) < OUTLINE.min_edge_contrast
    edge = quads.weakest_edge(picture, below, lambda spots: ~quads.inside_any([above], spots))
    assert edge > OUTLINE.min_edge_contrast


@pytest.mark.parametrize("tilt", [0.0, 4e-4, -4e-4])
def test_on_a_levelled_table_cards_of_one_size_are_equally_large(tilt):
    seen = np.array([[1, 0.1, 0], [0, 0.9, 0], [tilt, tilt / 2, 1.0]])
    cards = [map_points(seen, at(x, y, turn)) for x, y, turn in [(120, 120, 0), (500, 160, 30), (300, 400, -50)]]
    levelled = [abs(area(map_points(slant.levelling(cards, ASPECT), corners))) for corners in cards]
    assert max(levelled) < 1.01 * min(levelled)


def test_one_card_alone_tells_little_of_the_slant():
    assert np.allclose(slant.levelling([], ASPECT), np.eye(3))
    seen = np.array([[1, 0, 0], [0, 1, 0], [0, 8e-4, 1.0]])
    (far, near) = (map_points(seen, at(300, y)) for y in (100, 400))
    (away_from, close) = (map_points(slant.levelling([near], ASPECT), corners) for corners in (far, near))
    assert abs(area(far)) > abs(area(near))
    assert abs(area(away_from)) / abs(area(close)) < abs(area(far)) / abs(area(near))


def test_the_cards_at_both_ends_of_a_row_have_a_whole_side():
    row = [at(220 + 50 * n, 240) for n in range(4)]
    picture = laid(*row)
    ends = quads.find_row_ends(picture, ASPECT, 45, quads.find(picture, ASPECT, 45))
    for corners in (row[0], row[-1]):
        assert any(overlap(each, corners) > 0.9 for each in ends.corners)
    assert not ends.lies_alone(row[-1])


def test_a_card_apart_lies_in_no_row():
    picture = laid(at(320, 240))
    ends = quads.find_row_ends(picture, ASPECT, 45, quads.find(picture, ASPECT, 45))
    assert ends.lies_alone(at(320, 240))


@pytest.fixture(scope="module")
def symbols():
    """A deck of one to three symbols, and a row of its cards, each half under the next."""
    faces = families.deck("symbols", 300)
    cards = tuple(LaidCard(faces[n][0], 120.0 + 30 * n, 220.0, 0.0) for n in range(6))
    shot = render(Scene(cards), looks_of(faces, families.SIZE), PinholeCamera(), seed=4)
    return build_index(faces), shot


def test_a_shifted_pose_is_neither_turned_nor_scaled(symbols):
    index, shot = symbols
    query = prepare_query(index, shot.picture)
    truth = shot.cards[-1]
    face = next(n for n, each in enumerate(index.faces) if each.card == truth.laid.card)
    matrix = cv2.getPerspectiveTransform(
        rectangle(index.fine.width, index.fine.height).astype(np.float32), truth.corners.astype(np.float32)
    )
    moved = matrix @ np.array([[1, 0, 1.5], [0, 1, -1.0], [0, 0, 1]])
    nothing = np.zeros(len(index.fine.centres()), bool)
    back = fitting.shifted(index.fine, query.levels, face, moved, 2, nothing)
    corners = map_points(back, rectangle(index.fine.width, index.fine.height))
    assert np.abs(corners - truth.corners).max() < np.abs(moved @ [0, 0, 1] - matrix @ [0, 0, 1]).max()
    step = np.linalg.inv(moved) @ back
    assert np.allclose(step[:2, :2] / step[2, 2], np.eye(2), atol=1e-9)


@pytest.mark.parametrize("is_stranger", [False, True])
def test_a_row_is_followed_under_its_last_card(is_stranger):
    faces = families.deck("corners", 300)
    cards = tuple(LaidCard(faces[2 * n][0], 120.0 + 30 * n, 220.0, 0.0) for n in range(6))
    shot = render(Scene(cards), looks_of(faces, families.SIZE), PinholeCamera(), seed=4)
    truth = {each.laid.card: each.corners for each in shot.cards}
    enrolled = [face for face in faces if not is_stranger or face[0] != cards[-1].card]
    found = Recogniser(build_index(enrolled)).read(shot.picture).cards
    assert len(found) >= 4
    for card in found:
        assert overlap(card.corners, truth[card.card]) > CARD.same_card_overlap


def test_a_deck_of_paintings_is_left_to_its_keypoints(row):
    query = msgspec.structs.replace(
        row.query,
        index=msgspec.structs.replace(row.query.index, nearest_distance=np.full(len(row.query.index.faces), 2.0)),
    )
    state = row.state("r9")
    assert covered.find(query, state) is state


def test_a_piece_needs_more_for_its_name_than_a_whole_card(row):
    posterior = row.decided("r9").posterior
    for probability, log_odds, is_sure in [(0.99, 4.0, True), (0.9, 4.0, False), (0.99, 2.0, False)]:
        piece = msgspec.structs.replace(posterior, cards=(("r9", probability),), log_odds=log_odds)
        assert decision.can_be_named_by_piece(piece) is is_sure
