"""Cards in colour, as if their paper were white."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.conftest import drawn
from vision import colours, comparison, upright
from vision.geometry import homography_to_quad


@pytest.fixture
def size(face):
    return comparison.COMPARISON_WIDTH, comparison.height_of(face.shape[0] / face.shape[1])


@pytest.fixture(scope="module")
def face():
    return drawn("fables", lambda art: art.card == "snow-white")[0][2]


def test_a_card_by_warm_light_has_its_own_colours(face, size):
    warm = np.clip(face * np.array([0.7, 0.9, 1.0]), 0, 255).astype(np.uint8)
    assert np.abs(upright.of_face(warm, size) - upright.of_face(face, size)).mean() < 0.06


def test_a_card_is_cut_out_upright_at_any_size(face, size):
    wanted = upright.of_face(face, size)
    for zoom in (0.5, 1.0, 3.0):
        picture = cv2.resize(face, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
        tall, wide = picture.shape[:2]
        corners = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], float)
        cut = upright.cut(colours.ColourPyramid(picture), homography_to_quad(corners, *size), size)
        assert cut.shape == (*size[::-1], 3)
        assert np.abs(upright.planes_of(cut) - wanted).mean() < 0.05


def test_a_grey_picture_has_no_colour(face):
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY)
    assert np.abs(upright.of_face(grey, (comparison.COMPARISON_WIDTH, 112))[..., 1:]).max() < 0.05
