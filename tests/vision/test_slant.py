"""What a view from the side does to circles, and the way back."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision import slant
from vision.cells import as_templates
from vision.geometry import Points
from vision.tuning import VOTE

TEMPLATES = as_templates(96, 132, 12, np.zeros((1, 88, 144), np.float32), np.zeros((1, 88), np.float32))


def lying(turn: float, size: float, squash: float) -> Points:
    """The pose of a card on a table whose far side is squashed."""
    cos, sin = math.cos(turn) * size, math.sin(turn) * size
    return np.diag([1, squash, 1]) @ np.array([[cos, -sin, 300], [sin, cos, 200], [0, 0, 1]])


@given(st.floats(0, 6.2), st.floats(0.5, 4), st.floats(0.3, 0.7))
def test_however_a_card_lies_it_tells_the_same_slant(turn: float, size: float, squash: float) -> None:
    grown = slant.stretch([slant.ellipse(lying(turn, size, squash), TEMPLATES, 132 / 96)])
    assert grown is not None
    assert np.allclose(grown[:2, :2], np.diag([1, 1 / squash]), atol=1e-6)


def test_a_view_from_above_is_left_alone() -> None:
    assert slant.stretch([slant.ellipse(lying(1.0, 2.0, 0.9), TEMPLATES, 132 / 96)]) is None


def test_without_a_card_a_usual_slant_is_tried() -> None:
    grown = slant.stretch([])
    assert grown is not None
    assert grown[1, 1] == pytest.approx(VOTE.default_stretch)


def test_the_whole_picture_stays_in_the_frame() -> None:
    turned = np.array([[0, -2, 0], [1, 0, 0], [0, 0, 1.0]])
    framed, size = slant.framed(turned, 640, 480)
    assert size == (960, 640)
    assert np.allclose(framed @ [0, 480, 1], [0, 0, 1])
