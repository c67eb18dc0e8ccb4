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


def striped(size, wide):
    """A picture of dark red stripes on white paper, four times as fine as its pixels will be."""
    stripes = np.full((*size[::-1], 3), 255, np.uint8)
    stripes[:, np.arange(size[0]) % 4 == 0] = (30, 20, 120)
    stripes[:, wide:] = 255
    return stripes


def test_fine_lines_become_as_pale_as_a_camera_sees_them():
    size, wide = (320, 448), 200
    picture = striped(size, wide)
    light = colours.LINEAR[picture[0, :4]].mean(axis=0)
    small = colours.shrunk(picture, (80, 112))
    assert np.abs(colours.LINEAR[small[:, :50]] - light).max() < 0.01
    # The mean of the picture's own values would be much darker.
    of_values = cv2.resize(picture, (80, 112), interpolation=cv2.INTER_AREA)[50, 20]
    assert np.abs(colours.LINEAR[of_values] - light).max() > 0.05


def test_planes_are_blurred_in_light():
    picture = striped((320, 448), 320)
    planes = upright.planes_of(picture)
    soft = comparison.blurred_light(planes, 3)
    light = cv2.GaussianBlur(colours.LINEAR[picture], (0, 0), 3)
    expected = upright.planes_of(np.asarray(colours.gamma_coded(light) * 255 + 0.5, np.uint8))
    inner = slice(40, 280)
    # Both are as if their paper were white, so it's the colour beside the lightness that is compared.
    lightness = (soft[inner, inner, 0] + 0.16) / (expected[inner, inner, 0] + 0.16)
    assert np.ptp(lightness) < 0.02
    assert np.abs(comparison.blurred_light(np.ascontiguousarray(planes[..., 0]), 3) - soft[..., 0]).max() < 1e-3
    assert soft[inner, inner, 0].mean() > cv2.GaussianBlur(planes, (0, 0), 3)[inner, inner, 0].mean() + 0.02
