"""Whether two pictures show the same face: lamp, camera, blur and a small shift cost little, one digit costs all."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.test_identity import INKS, number_card
from vision import comparison, upright

ASPECT = 440 / 315


def planes(picture):
    return upright.of_face(picture, (comparison.COMPARISON_WIDTH, comparison.height_of(ASPECT)))


def face(picture):
    return comparison.face_of(planes(picture))


def seen(picture, hidden=0.0):
    """A place that shows a picture, the lower part of it hidden."""
    full = planes(picture)
    visible = np.ones(comparison.on_grid(full).shape[:2], np.float32)
    visible[round(len(visible) * (1 - hidden)) :] = 0
    return comparison.compared_place(full, visible)


def odds(picture, reference, hidden=0.0):
    place, known = seen(picture, hidden), face(reference)
    return comparison.comparison_log_odds(
        place, comparison.features_of(place, known, comparison.best_blur_number(place, known))
    )


def lit(picture, lamp=(1.0, 1.0, 1.0), slope=0.0):
    """A card by a lamp of a colour (blue, green, red), darker to the right by a slope."""
    across = 1 - slope * np.linspace(0, 1, picture.shape[1])[None, :, None]
    return np.clip(picture * np.array(lamp) * across, 0, 255).astype(np.uint8)


def moved(picture, right, down):
    shift = np.array([[1, 0, right], [0, 1, down]], float)
    return cv2.warpAffine(picture, shift, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)


RED_8 = number_card(INKS["red"], "8")
HONEST = {
    "itself": RED_8,
    "dim": lit(RED_8, (0.5, 0.5, 0.5)),
    "warm": lit(RED_8, (0.6, 0.85, 1.0)),
    "shaded": lit(RED_8, slope=0.4),
    "blurred": cv2.GaussianBlur(RED_8, (0, 0), 5),
    "shifted": moved(RED_8, 4, -3),
    "noisy": np.clip(RED_8 + np.random.default_rng(1).normal(0, 8, RED_8.shape), 0, 255).astype(np.uint8),
}


@pytest.mark.parametrize("change", HONEST)
def test_a_face_is_itself_whatever_lamp_camera_and_pose_do(change):
    assert odds(HONEST[change], RED_8) > 1


@pytest.mark.parametrize("number", ["3", "6", "5"])
@pytest.mark.parametrize("change", HONEST)
def test_another_number_is_another_face(change, number):
    assert odds(HONEST[change], number_card(INKS["red"], number)) < -1


@pytest.mark.parametrize("ink", ["green", "blue", "yellow"])
@pytest.mark.parametrize("change", HONEST)
def test_no_lamp_makes_another_colour(change, ink):
    assert odds(HONEST[change], number_card(INKS[ink], "8")) < -1


def test_what_is_hidden_tells_nothing():
    changed = RED_8.copy()
    changed[260:] = 30
    assert odds(changed, RED_8) < odds(changed, RED_8, 0.45)


def test_a_place_turned_twice_is_itself():
    place = seen(RED_8, 0.3)
    again = comparison.half_turned(comparison.half_turned(place))
    assert all(
        np.array_equal(getattr(place, name), getattr(again, name))
        for name in comparison.ComparedPlace.__struct_fields__
    )


def test_blur_is_measured():
    known = face(RED_8)
    sharp, soft = (
        comparison.best_blur_number(seen(picture), known) for picture in (RED_8, cv2.GaussianBlur(RED_8, (0, 0), 7))
    )
    assert sharp < soft


def test_cards_that_are_known_tell_what_the_camera_does_to_colours():
    # A camera that turns all hues and makes them paler.
    camera = np.array([[0.0, 0.8, -0.25, 0.01], [0.02, 0.25, 0.8, -0.02]])

    def by_camera(full):
        chroma = full @ camera[:, :3].T + camera[:, 3]
        return np.concatenate([full[..., :1], chroma], axis=2).astype(np.float32)

    cards = [number_card(ink, "5") for ink in INKS.values()]
    visible = np.ones(comparison.on_grid(planes(RED_8)).shape[:2], np.float32)
    places = [comparison.compared_place(by_camera(planes(card)), visible) for card in cards]
    found = comparison.camera_chroma(
        comparison.chroma_sums(*each) for each in zip(places, map(face, cards), strict=True)
    )
    as_seen = by_camera(planes(RED_8))
    before = np.abs(as_seen - planes(RED_8)).mean()
    after = np.abs(comparison.undo_camera_chroma(as_seen, found) - planes(RED_8)).mean()
    assert after < 0.5 * before


def test_ink_is_its_faces_own_or_anothers():
    own, blue = (comparison.on_grid(planes(number_card(INKS[ink], "8"))) for ink in ("red", "blue"))
    visible = np.ones(own.shape[:2], np.float32)
    assert comparison.chroma_error(own, own, visible) == 0
    assert comparison.chroma_error(blue, own, visible) > 0.5


def test_evidence_has_the_shapes_the_network_was_made_for():
    found = comparison.features_of(seen(RED_8), face(RED_8), 0)
    with np.load(comparison.COMPARISON_WEIGHTS) as weights:
        assert found.maps.shape[0] == len(weights["maps.mean"])
        assert found.summary.shape == weights["summary.mean"].shape
