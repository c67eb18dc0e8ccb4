"""What must hold whatever the input: geometry, readings of noise, pictures of any kind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vision.errors import PictureError
from vision.geometry import homography_to_quad, map_points, overlap, rectangle, turn_between, turn_of
from vision.pictures import read_picture
from vision.reading import Reader
from vision.simulated import Conditions, LaidCard, PinholeCamera, Scene, render


@given(st.floats(0, 359.9), st.floats(20, 400), st.floats(1.0, 2.0))
def test_a_turned_card_has_its_turn(turn, width, aspect):
    angle = np.radians(turn)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = (rectangle(width, width * aspect) - [width / 2, width * aspect / 2]) @ spin.T + 500
    assert turn_between(turn_of(corners), turn) < 0.02
    assert overlap(corners, corners) == pytest.approx(1, abs=1e-3)
    back = map_points(np.linalg.inv(homography_to_quad(corners, width, width * aspect)), corners)
    assert np.abs(back - rectangle(width, width * aspect)).max() < 0.1


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
def test_any_bytes_are_a_picture_or_an_explained_error(tmp_path, data):
    path = tmp_path / "any.png"
    path.write_bytes(data)
    said = ""
    try:
        assert read_picture(path).ndim == 3
    except PictureError as error:
        said = str(error)
    assert not said or "any.png" in said


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2**32 - 1))
def test_noise_is_given_no_name(recogniser, seed):
    random = np.random.default_rng(seed)
    picture = random.integers(0, 255, (random.integers(30, 400), random.integers(30, 500), 3)).astype(np.uint8)
    assert recogniser.read(picture).cards == ()


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.floats(0, 360), st.floats(0, 25), st.sampled_from(["r7", "b3", "y12", "g4"]))
def test_a_lone_card_is_read_at_any_turn(recogniser, looks, turn, tilt, card):
    shot = render(Scene((LaidCard(card, 300, 225, turn),)), looks, PinholeCamera(tilt=tilt), Conditions(blur=0.7))
    (seen,) = recogniser.read(shot.picture).cards
    assert seen.card == card
    assert turn_between(seen.turn, turn_of(shot.cards[0].corners)) < 5
    assert 0 <= seen.confidence <= 1
    assert 0 <= seen.visible_share <= 1


def test_reading_part_by_part_equals_reading_at_once(recogniser, looks):
    cards = [LaidCard(name, 100 + 120 * n, 200) for n, name in enumerate(["r7", "b3", "y12", "g4"])]
    reader = Reader(recogniser)
    for count in range(5):
        picture = render(Scene(tuple(cards[:count])), looks).picture
        assert sorted(c.card for c in reader.read(picture).cards) == sorted(c.card for c in cards[:count])
