"""Which way up the pictures of a deck are learnt, whatever light they were taken in."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from vision.decks.way_up import rotations, turned
from vision.geometry import Picture

SIZE = (160, 240)


def lit(card: Picture, number: int) -> Picture:
    """A card beside a warm lamp that stands on another side of each."""
    height, width = card.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    angle = 2.4 * number
    fall = np.exp(0.35 * (np.cos(angle) * x + np.sin(angle) * y))
    noise = np.random.default_rng(number).normal(0, 2, card.shape)
    return np.clip(card * (fall[..., None] * [0.45, 0.6, 0.7]) + noise, 0, 255).astype(np.uint8)


def symbols() -> list[Picture]:
    """Cards with one to three symbols, most of them with hardly a way up."""
    cards = []
    for count, colour, corners, line in itertools.product(
        (1, 2, 3), ((40, 40, 200), (60, 150, 40), (140, 40, 110)), (3, 4, 12), (3, -1)
    ):
        card = np.full((SIZE[1], SIZE[0], 3), 245, np.uint8)
        for k in range(count):
            around = np.arange(corners) * 2 * np.pi / corners - np.pi / 2
            middle = (SIZE[0] / 2, SIZE[1] / 2 + 70 * (k - (count - 1) / 2))
            outline = (middle + 28 * np.column_stack([np.cos(around), np.sin(around)])).astype(np.int32)
            cv2.drawContours(card, [outline], -1, colour, line, cv2.LINE_AA)
        cards.append(card)
    return cards


@pytest.mark.parametrize("seed", range(4))
def test_pictures_that_stand_upright_stay_so_whichever_end_the_lamp_was_at(seed):
    photos = [lit(card, 100 * seed + number) for number, card in enumerate(symbols())]
    assert rotations(photos).quarters == (0,) * len(photos)


def test_pictures_on_their_head_are_turned_about_whichever_end_the_lamp_was_at(silencio):
    faces = [picture for _card, face, picture in silencio if not face][:24]
    ways = [2 if number % 4 == 1 else 0 for number in range(len(faces))]
    photos = [lit(turned(picture, way), number) for number, (picture, way) in enumerate(zip(faces, ways, strict=True))]
    assert rotations(photos).quarters == tuple(ways)
