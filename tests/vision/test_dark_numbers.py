"""Thin numbers on dark cards that share a drawing: what doesn't agree of a card that shows wholly isn't hidden."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.learning import build_index
from vision.recognise import Recogniser
from vision.simulated import LaidCard, Look, Scene, render


def neon(text):
    """A floor in perspective that all cards share, and an outlined number."""
    card = np.full((528, 378, 3), (22, 18, 18), np.uint8)
    for at in range(-378, 757, 42):
        cv2.line(card, (189 + (at - 189) // 3, 380), (at, 528), (60, 46, 46), 2, cv2.LINE_AA)
    for down in (380, 388, 402, 424, 456, 500):
        cv2.line(card, (0, down), (378, down), (60, 46, 46), 2, cv2.LINE_AA)
    (wide, _tall), _base = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 8, 34)
    at = ((378 - wide) // 2, 320)
    mask = np.zeros(card.shape[:2], np.uint8)
    cv2.putText(mask, text, at, cv2.FONT_HERSHEY_DUPLEX, 8, 255, 34, cv2.LINE_AA)
    rim = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((9, 9), np.uint8))
    card[rim > 127] = (220, 210, 60)
    return card


@pytest.fixture(scope="module")
def dark():
    return [(f"c{number}", "", neon(str(number))) for number in range(1, 13)]


@pytest.fixture(scope="module")
def shot(dark):
    looks = {(card, ""): Look(picture, 63, 88) for card, _face, picture in dark}
    laid = [LaidCard(f"c{n}", 100 + 85 * at, 150 + 20 * (at % 2), 4.0 * at) for at, n in enumerate((1, 2, 11, 12, 5))]
    return render(Scene(tuple(laid)), looks, seed=3)


def read(faces, shot):
    return sorted(card.card for card in Recogniser(build_index(faces)).read(shot.picture).cards)


def test_a_number_that_is_a_part_of_another_one_isnt_taken_for_it(dark, shot):
    """At a pose aside, the 1 lies where the 11 has one of its own, and the floor goes on."""
    assert read(dark, shot) == ["c1", "c11", "c12", "c2", "c5"]


def test_nor_is_one_that_isnt_enrolled(dark, shot):
    assert read([face for face in dark if face[0] not in ("c1", "c2", "c5")], shot) == ["c11", "c12"]
