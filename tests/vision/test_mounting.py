"""Where the camera goes: the plan against OpenCV's own projection."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from vision.cameras.usb import UsbCamera
from vision.mounting import (
    CAMERAS,
    ENOUGH,
    GOOD,
    POKER,
    SMALL,
    TAROT,
    USB,
    BadTable,
    CameraModel,
    Mounting,
    place,
    table_size,
)
from vision.tuning import CARD

TABLES = [(840.0, 594.0), (600.0, 450.0), (1200.0, 800.0), (900.0, 300.0), (500.0, 500.0)]
every_camera = pytest.mark.parametrize("camera", CAMERAS, ids=lambda camera: camera.name)
every_table = pytest.mark.parametrize("table", TABLES)


def projected(camera: CameraModel, height: float, points: list[tuple[float, float]]) -> np.ndarray:
    """Where points of the table, in millimetres from its middle, come to lie in the picture, by OpenCV."""
    width, tall = camera.picture
    # The picture is the largest part of the sensor in its shape: of the two scales, the one that fills it.
    focal = max(
        width / 2 / math.tan(math.radians(camera.across / 2)), tall / 2 / math.tan(math.radians(camera.along / 2))
    )
    matrix = np.array([[focal, 0, width / 2], [0, focal, tall / 2], [0, 0, 1]])
    scene = np.array([(x, y, height) for x, y in points], np.float64)
    found, _ = cv2.projectPoints(scene, np.zeros(3), np.zeros(3), matrix, None)
    return np.asarray(found).reshape(-1, 2)


def corners(width: float, depth: float) -> list[tuple[float, float]]:
    return [(x * width / 2, y * depth / 2) for x in (-1, 1) for y in (-1, 1)]


def is_seen(at: Mounting, height: float, table: tuple[float, float]) -> bool:
    points = projected(at.camera, height, corners(*table))
    return bool((points >= 0).all() and (points <= at.camera.picture).all())


@every_camera
@every_table
def test_the_whole_table_is_seen_from_there_and_not_from_a_tenth_lower(camera, table):
    at = place(camera, table)
    assert is_seen(at, at.height, table)
    assert not is_seen(at, at.height * 0.9, table)


@every_camera
@every_table
def test_what_it_sees_fills_the_picture(camera, table):
    at = place(camera, table)
    edges = projected(camera, at.height, corners(*at.seen))
    assert edges.max(axis=0) == pytest.approx(camera.picture)
    assert edges.min(axis=0) == pytest.approx((0, 0), abs=1e-6)


@every_camera
@every_table
@pytest.mark.parametrize("card", [POKER, TAROT])
def test_a_card_has_the_pixels_that_the_plan_says(camera, table, card):
    at = place(camera, table)
    left, right = projected(camera, at.height, [(-card[0] / 2, 0), (card[0] / 2, 0)])
    assert at.width_of(card) == pytest.approx(right[0] - left[0], abs=1)


def test_a_wide_lens_hangs_lower_and_a_larger_table_wants_more_height():
    heights = {camera.name: place(camera, (840.0, 594.0)).height for camera in CAMERAS}
    assert min(heights, key=lambda name: heights[name]) == "Camera Module 3 Wide"
    for camera in CAMERAS:
        assert place(camera, (1200.0, 800.0)).height > place(camera, (840.0, 594.0)).height


def test_the_verdict_falls_with_the_pixels():
    camera = CAMERAS[0]
    said = [place(camera, (side, side * 0.75)).verdict(POKER) for side in (600.0, 900.0, 1250.0, 2000.0)]
    assert said == ["good", "enough", "little", "too little"]
    assert CARD.min_width_px < SMALL < ENOUGH < GOOD


def test_a_usb_camera_is_asked_for_the_picture_that_is_planned_with():
    camera = UsbCamera()
    assert (camera.width, camera.height) == USB


@pytest.mark.parametrize("text", ["84x60", "84 x 60", "60×84", "84,0*60", "84X60"])
def test_a_size_as_a_person_writes_it(text):
    assert table_size(text) == (840.0, 600.0)


@pytest.mark.parametrize("text", ["", "84", "84x", "84x60x3", "a table", "0x0", "-84x60", "84x6000", "8.4x6"])
def test_a_size_that_is_none_is_refused_with_an_example(text):
    with pytest.raises(BadTable, match="84x60"):
        table_size(text)
