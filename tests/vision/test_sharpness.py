"""How sharp a picture is, whatever lies on the table; and no alarm where too little lies there to tell."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.quality import blur_px_of, is_blurred, sharpness_of
from vision.simulated import Conditions, LaidCard, PinholeCamera, Scene, render
from vision.simulated.things import TABLES
from vision.tuning import FOCUS

FEW = Scene((LaidCard("r5", 120, 150, 12), LaidCard("b9", 320, 260, 80)))
PLAIN = Conditions(blur=0, noise=0, jpeg=100, light=0.7)


def blurred(clean, blur, noise=3.0):
    soft = cv2.GaussianBlur(clean, (0, 0), blur).astype(np.float32)
    return np.clip(soft + np.random.default_rng(1).normal(0, noise, soft.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("top", TABLES)
def test_sharpness_is_that_of_the_lens_on_any_table(looks, top):
    clean = render(FEW, looks, PinholeCamera(tilt=8), PLAIN, top, seed=1).picture
    found = [blur_px_of(blurred(clean, blur)) for blur in (0.5, 0.8, 1.2, 1.8, 2.5, 4.0)]
    assert None not in found
    assert found == sorted(found)
    assert [blur >= 1.6 for blur in found] == [False, False, False, True, True, True]
    sharpness = [100 * min(1, FOCUS.harmless_blur_px / blur) for blur in found]
    assert [is_blurred(one, has_markers=True) for one in sharpness] == [False, False, False, True, True, True]


@pytest.mark.parametrize("top", TABLES)
def test_a_table_without_cards_is_never_called_blurred_by_a_sharp_camera(looks, top):
    clean = render(Scene(), looks, PinholeCamera(tilt=8), PLAIN, top, seed=1).picture
    assert not is_blurred(sharpness_of(blurred(clean, 0.5)), has_markers=False)


def test_the_same_table_in_a_larger_picture_is_as_sharp(looks):
    clean = render(FEW, looks, PinholeCamera(width=2560, height=1920), PLAIN, "wood", seed=1).picture
    small = cv2.resize(blurred(clean, 2.4), (1280, 960), interpolation=cv2.INTER_AREA)
    assert abs(blur_px_of(blurred(clean, 2.4)) - blur_px_of(small)) < 0.1


def test_once_blurred_it_takes_a_plainly_sharp_picture():
    between = (FOCUS.min_sharpness + FOCUS.recovered_sharpness) / 2
    assert not is_blurred(between, has_markers=True)
    assert is_blurred(between, has_markers=True, was_blurred=True)
    assert not is_blurred(FOCUS.recovered_sharpness, has_markers=True, was_blurred=True)
    assert not is_blurred(None, has_markers=True, was_blurred=True)


def test_a_tiny_picture_tells_nothing():
    assert sharpness_of(np.zeros((8, 8, 3), np.uint8)) is None
