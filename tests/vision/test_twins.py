"""How far a place strays from a face: lamp and blur hardly, another number or another ink as far as a near-twin."""

from __future__ import annotations

import cv2
import pytest

from tests.vision.test_comparison import ASPECT, face, lit, seen
from tests.vision.test_identity import INKS, number_card
from vision import near_twins, upright

RED_8 = number_card(INKS["red"], "8")
# What is enrolled beside it; the others are strangers.
NEAR = [number_card(INKS["red"], "3"), number_card(INKS["blue"], "8")]


def sharp(picture):
    return upright.of_face(picture, (near_twins.WIDTH, near_twins.height_of(ASPECT)))


def near_twin_deviation(picture, near=NEAR):
    """How far what is seen strays from the red 8."""
    return near_twins.near_twin_deviation(
        seen(picture), sharp(picture), face(RED_8), sharp(RED_8), [sharp(one) for one in near]
    )


@pytest.mark.parametrize(
    "honest",
    [
        pytest.param(RED_8, id="as it is"),
        pytest.param(lit(RED_8, (0.7, 0.9, 1.0)), id="by a warm lamp"),
        pytest.param(lit(RED_8, slope=0.3), id="darker to the right"),
        pytest.param(cv2.GaussianBlur(RED_8, (0, 0), 4), id="out of focus"),
    ],
)
def test_the_card_itself_hardly_strays(honest):
    assert near_twin_deviation(honest) < 0.1


@pytest.mark.parametrize("number", ["3", "5", "6"])
def test_another_number_strays_whether_enrolled_or_not(number):
    assert near_twin_deviation(number_card(INKS["red"], number)) > 0.3


@pytest.mark.parametrize("ink", ["blue", "green"])
def test_another_ink_strays_whether_enrolled_or_not(ink):
    assert near_twin_deviation(number_card(INKS[ink], "8")) > 0.3


def test_a_finger_strays_less_than_it_would_by_itself():
    covered = RED_8.copy()
    cv2.rectangle(covered, (22, 22), (110, 110), (120, 150, 200), -1)
    assert near_twin_deviation(covered) < near_twin_deviation(number_card(INKS["red"], "6"))


def test_a_card_without_near_twins_is_compared_with_bare_paper():
    assert near_twin_deviation(RED_8, []) < 0.1
