"""Whether a place shows a face or a near-twin of it: lamp and blur cost little, another number or ink costs all."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.test_comparison import ASPECT, HONEST, RED_8, face, seen
from tests.vision.test_identity import INKS, number_card
from vision import comparison, detail, ink, upright
from vision.comparison import FaceComparison

# What is enrolled beside it; the others are strangers.
NEAR = [number_card(INKS["red"], "3"), number_card(INKS["blue"], "8")]
HIDDEN = pytest.mark.parametrize("hidden", [0.0, 0.5], ids=["whole", "half hidden"])


def sharp(picture):
    return upright.of_face(picture, (detail.DETAIL_WIDTH, detail.height_of(ASPECT)))


def odds(picture, hidden=0.0, near=NEAR):
    """How likely what is seen is the red 8."""
    rough_place, rough_face = seen(picture, hidden), face(RED_8)
    rough = comparison.features_of(rough_place, rough_face, comparison.best_blur_number(rough_place, rough_face))
    place = detail.detailed_place(sharp(picture), rough_place.shown)
    known = detail.face_of(sharp(RED_8), [sharp(one) for one in near])
    blur = detail.best_blur_px(place, known, rough.alignment)
    hue = ink.hue_shift(rough_place.on_grid, rough_face.on_grid, rough_place.shown, *_inks([RED_8, *near]))
    return detail.detail_log_odds(
        place, known, blur, FaceComparison(rough, comparison.comparison_log_odds(rough_place, rough), hue)
    )


def _inks(pictures):
    """The ink of the first picture, and those of all."""
    inks = ink.of_faces(np.stack([face(picture).on_grid for picture in pictures]))
    return inks[0], inks


@HIDDEN
@pytest.mark.parametrize("change", HONEST)
def test_a_face_is_itself_whatever_lamp_camera_and_pose_do(change, hidden):
    assert odds(HONEST[change], hidden) > 0


@HIDDEN
@pytest.mark.parametrize("number", ["3", "5", "6"])
def test_another_number_is_another_face_whether_enrolled_or_not(number, hidden):
    assert odds(number_card(INKS["red"], number), hidden) < 0


@HIDDEN
@pytest.mark.parametrize("ink", ["blue", "green", "yellow"])
def test_another_ink_is_another_face_whether_enrolled_or_not(ink, hidden):
    assert odds(number_card(INKS[ink], "8"), hidden) < 0


def test_ink_is_nearest_to_the_face_that_it_is_of():
    inks = ink.of_faces(np.stack([face(number_card(colour, "8")).on_grid for colour in INKS.values()]))
    own, other = (seen(number_card(INKS[name], "8")) for name in ("red", "blue"))
    at = list(INKS).index("red")
    itself, another = (
        ink.hue_shift(place.on_grid, face(RED_8).on_grid, place.shown, inks[at], inks) for place in (own, other)
    )
    assert itself.from_own < 0.1 < itself.from_nearest_other
    assert another.from_nearest_other < 0.2 < another.from_own
    assert ink.hue_shift(own.on_grid, face(RED_8).on_grid, own.shown, 0j, inks) is ink.NO_SHIFT


def test_a_small_turn_towards_another_ink_tells_once_the_camera_is_known():
    """Four cards in one ink, four in another that is turned by 24 degrees: an unknown camera may turn as much."""
    first, other = 1 + 0j, np.exp(1j * np.radians(24))
    inks = np.array([first] * 4 + [other] * 4, np.complex64)
    own = face(RED_8)
    chroma = (own.full[..., 1] + 1j * own.full[..., 2]) * other
    full = np.dstack([own.full[..., 0], chroma.real, chroma.imag]).astype(np.float32)
    place = comparison.place_on_grid(full, np.ones(own.on_grid.shape[:2], np.float32))
    unknown, known = (
        ink.hue_shift(place.on_grid, own.on_grid, place.shown, first, inks, told) for told in (False, True)
    )
    assert known.is_another
    assert not unknown.is_another


def test_a_card_without_near_twins_is_itself_too():
    assert odds(RED_8, near=[]) > 0


def test_a_face_knows_where_its_near_twins_differ():
    known = detail.face_of(sharp(RED_8), [sharp(NEAR[0])])
    rows = len(known.near_twin_differences[0])
    assert known.near_twin_differences[0, rows // 4 : -rows // 4].max() > 1
    assert not known.near_twin_differences[:, : rows // 8].any()
    assert not detail.face_of(sharp(RED_8), []).near_twin_differences.any()


def test_blur_is_measured():
    known, rough_face = detail.face_of(sharp(RED_8), []), face(RED_8)

    def blur(picture):
        view = seen(picture)
        alignment = comparison.features_of(view, rough_face, comparison.best_blur_number(view, rough_face)).alignment
        return detail.best_blur_px(detail.detailed_place(sharp(picture), view.shown), known, alignment)

    assert blur(RED_8) < blur(cv2.GaussianBlur(RED_8, (0, 0), 5))


def test_a_place_turned_twice_is_itself():
    place = detail.detailed_place(sharp(RED_8), seen(RED_8, 0.3).shown)
    again = detail.half_turned(detail.half_turned(place))
    assert all(
        np.array_equal(getattr(place, name), getattr(again, name)) for name in detail.DetailedPlace.__struct_fields__
    )


def printed_aside(picture, away):
    """The same card with the lower half of its drawing printed elsewhere, in shares of its width."""
    shift = round(away * picture.shape[1])
    moved = picture.copy()
    moved[230:400, 40 + shift : 275 + shift] = picture[230:400, 40:275]
    return moved


@pytest.mark.parametrize("away", [-0.012, 0.012])
def test_a_part_that_is_printed_a_little_aside_makes_no_other_card(away):
    assert odds(printed_aside(RED_8, away)) > 0
    assert odds(printed_aside(number_card(INKS["red"], "3"), away)) < 0


def test_a_part_is_shifted_to_where_it_fits():
    place = detail.detailed_place(sharp(printed_aside(RED_8, 0.012)), np.ones(seen(RED_8).shown.shape, np.float32))
    face_planes = sharp(RED_8)
    light = np.ascontiguousarray(face_planes[..., 0])
    shifted = detail._shifted(place, face_planes, light)
    before, after = (np.abs(place.planes[..., 0] - planes[..., 0]).mean() for planes in (face_planes, shifted))
    assert after < before / 2
