"""Colours as evidence: whose they are, under which lamp, and when they say nothing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.conftest import drawn
from vision import colours
from vision.geometry import homography_to_quad
from vision.learning import build_index


@pytest.fixture(scope="module")
def face():
    return drawn("fables", lambda art: art.card == "snow-white")[0][2]


@pytest.fixture(scope="module")
def index(face):
    return build_index([("snow-white", "", face)])


def seen(index, picture):
    """The colours of a picture that shows a card and nothing else."""
    fine = index.fine
    height, width = picture.shape[:2]
    pose = homography_to_quad(
        np.array([[0, 0], [width, 0], [width, height], [0, height]], float), fine.width, fine.height
    )
    return colours.ColourPyramid(picture).at(pose, fine, np.zeros(fine.rows * fine.columns, bool)).samples


def unlike(index, picture):
    """How unlike the colours are, mean over the card, and how unlikely lamp and camera are."""
    change = colours.compare(seen(index, picture)[None], index.colours[:1], np.ones(index.colours.shape[1], np.float32))
    return float(change.unlike.mean()), float(change.cost[0])


def other_hues(face):
    tinted = cv2.cvtColor(face, cv2.COLOR_BGR2HSV)
    tinted[:, :, 0] = (tinted[:, :, 0] + 90) % 180
    return cv2.cvtColor(tinted, cv2.COLOR_HSV2BGR)


def test_a_card_has_its_own_colours(index, face):
    away, cost = unlike(index, face)
    assert away < 0.1
    assert cost < 0.1


def under(lamp, face):
    """A card by the light of a lamp, of which it has so much blue, green and red; pictures keep about its root."""
    light = colours.LINEAR[face] * np.array(lamp)
    kept = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.rint(255 * kept).astype(np.uint8)


@pytest.mark.parametrize("lamp", [(0.17, 0.53, 1.0), (1.0, 0.6, 0.45), (0.01, 0.01, 0.01)])
def test_and_under_any_lamp_too(index, face, lamp):
    lit = under(lamp, face)
    away, cost = unlike(index, lit)
    other, other_cost = unlike(index, other_hues(lit))
    assert away < 0.5
    assert away + cost < (other + other_cost) / 4


def test_the_same_drawing_in_other_colours_is_another_card(index, face):
    away, cost = unlike(index, other_hues(face))
    assert away + cost > 2


def test_hue_is_told_apart_from_strength(index, face):
    shows = np.ones(index.colours.shape[1], bool)
    pale = cv2.addWeighted(face, 0.7, cv2.cvtColor(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), 0.3, 0)
    assert colours.hue_difference(seen(index, face), index.colours[0], shows) < 0.05
    assert colours.hue_difference(seen(index, pale), index.colours[0], shows) < 0.4
    assert colours.hue_difference(seen(index, other_hues(face)), index.colours[0], shows) > 1.5


def test_a_face_without_colours_has_no_hue(face):
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY)
    index = build_index([("grey", "", grey)])
    assert colours.hue_difference(seen(index, face), index.colours[0], np.ones(index.colours.shape[1], bool)) < 0.1


def test_paper_is_what_may_be_white_by_some_lamp():
    candle = np.array([0.2, 0.5, 0.9], np.float32)
    paper = np.tile(candle, (40, 1))
    red = np.tile(np.array([0.02, 0.02, 0.9], np.float32), (60, 1))
    assert np.allclose(colours.paper(np.vstack([paper, red])), candle, atol=0.01)
    # Red ink all over: no lamp makes that of paper, so it stays red.
    alone = colours.paper(red)
    assert np.ptp(alone) < 0.01
