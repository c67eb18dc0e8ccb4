"""Colours as a witness: whose they are, under which lamp, and when they say nothing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.conftest import drawn
from vision import colours
from vision.geometry import square_to
from vision.learning import build_index


@pytest.fixture(scope="module")
def face():
    return drawn("fables", lambda art: art.card == "snow-white")[0][2]


@pytest.fixture(scope="module")
def index(face):
    return build_index([("snow-white", "", face)])


def evidence(index, picture):
    """What the colours of a picture say that shows a card and nothing else."""
    fine = index.fine
    height, width = picture.shape[:2]
    pose = square_to(np.array([[0, 0], [width, 0], [width, height], [0, height]], float), fine.width, fine.height)
    place = colours.of_place(colours.shrunk(picture), pose, fine)
    return colours.evidence(place, index.colours[0], np.ones(fine.rows * fine.columns, bool))


def test_its_own_colours_speak_for_a_card(index, face):
    assert evidence(index, face) > 0.3


@pytest.mark.parametrize("lamp", [(0.25, 0.55, 1.0), (1.0, 0.8, 0.6), (0.1, 0.1, 0.1)])
def test_and_under_any_lamp_too(index, face, lamp):
    lit = np.clip(face * np.array(lamp), 0, 255).astype(np.uint8)
    assert evidence(index, lit) > 0.15


def test_the_same_drawing_in_other_colours_is_another_card(index, face):
    tinted = cv2.cvtColor(face, cv2.COLOR_BGR2HSV)
    tinted[:, :, 0] = (tinted[:, :, 0] + 90) % 180
    assert evidence(index, cv2.cvtColor(tinted, cv2.COLOR_HSV2BGR)) < -0.3


def test_a_grey_picture_says_nothing(index, face):
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY)
    assert abs(evidence(index, grey)) < 0.02
    assert abs(evidence(build_index([("grey", "", grey)]), face)) < 0.02


def test_of_too_few_cells_the_colours_say_nothing(index):
    few = np.zeros(index.colours.shape[1], bool)
    few[:5] = True
    assert colours.evidence(index.colours[0], index.colours[0], few) == 0.0
