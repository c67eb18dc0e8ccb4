"""What has become of a card that isn't read any more: it's removed only where something else is seen in its place."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from vision.changes import ChangeDetector
from vision.geometry import Picture, Points, rectangle
from vision.presence import Presence, presence_of

CARD = rectangle(130, 180) + np.array([500, 400])
TABLES = {"wood": (60, 95, 140), "white": (226, 230, 232), "dark": (38, 34, 32), "felt": (50, 90, 40)}


def drawing(seed: int, ink: tuple[int, int, int] = (40, 40, 190)) -> Picture:
    """The face of a card: a frame, and shapes in one ink."""
    random = np.random.default_rng(seed)
    face = np.full((180, 130, 3), 240, np.uint8)
    cv2.rectangle(face, (8, 8), (121, 171), ink, 3)
    for _ in range(7):
        x, y = (int(v) for v in random.uniform((25, 25), (105, 155)))
        cv2.circle(face, (x, y), int(random.integers(6, 18)), ink, -1)
    return face


def table(kind: str, cards: Sequence[tuple[Points, Picture]] = (), noise: int = 0, blur: float = 1.8) -> Picture:
    """A picture of cards on a table, out of focus."""
    random = np.random.default_rng(noise)
    picture = np.full((960, 1280, 3), TABLES[kind], np.uint8)
    for corners, face in cards:
        x, y = corners[0].astype(int)
        picture[y : y + face.shape[0], x : x + face.shape[1]] = face
    soft = cv2.GaussianBlur(picture, (0, 0), blur).astype(np.float32)
    return np.clip(soft + random.normal(0, 3, soft.shape), 0, 255).astype(np.uint8)


def became(before: Picture, now: Picture, covers: Sequence[Points] = ()) -> Presence:
    changes = ChangeDetector()
    changes.on_frame(before)
    read = changes.small
    changes.on_frame(now)
    return presence_of(changes, read, CARD, covers)


FACE = drawing(1)


@pytest.mark.parametrize("kind", TABLES)
def test_a_card_is_gone_where_its_table_is_seen(kind: str) -> None:
    assert became(table(kind, [(CARD, FACE)]), table(kind, noise=1)) is Presence.GONE


@pytest.mark.parametrize("kind", TABLES)
def test_a_card_that_looks_as_before_is_there(kind: str) -> None:
    assert became(table(kind, [(CARD, FACE)]), table(kind, [(CARD, FACE)], 1)) is Presence.THERE


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("shift", [40, 65])
def test_a_card_under_another_that_nobody_could_name_is_there(kind: str, shift: int) -> None:
    # Half to 70 % of it is hidden by what was neither named nor outlined.
    over = (CARD + np.array([shift, 0]), drawing(2, (150, 90, 30)))
    assert became(table(kind, [(CARD, FACE)]), table(kind, [(CARD, FACE), over], 1)) is Presence.THERE


@pytest.mark.parametrize("kind", TABLES)
def test_a_card_pulled_out_from_under_another_is_gone(kind: str) -> None:
    over = (CARD + np.array([65, 0]), drawing(2, (150, 90, 30)))
    before = table(kind, [(CARD, FACE), over])
    assert became(before, table(kind, [over], 1), [over[0]]) is Presence.GONE


def test_a_card_wholly_under_a_known_one_is_hidden() -> None:
    over = (CARD + np.array([3, 2]), drawing(2))
    assert became(table("wood", [(CARD, FACE)]), table("wood", [(CARD, FACE), over], 1), [over[0]]) is Presence.COVERED


@pytest.mark.parametrize("light", [0.6, 1.15])
def test_another_lamp_takes_no_card_away(light: float) -> None:
    now = np.clip(table("felt", [(CARD, FACE)], 1) * np.array([light * 0.85, light, light]), 0, 255).astype(np.uint8)
    assert became(table("felt", [(CARD, FACE)]), now) is Presence.THERE


def test_a_reflection_takes_no_card_away() -> None:
    now = table("felt", [(CARD, FACE)], 1)
    cv2.circle(now, (565, 470), 70, (255, 255, 255), -1)
    assert became(table("felt", [(CARD, FACE)]), now) is Presence.THERE


def test_the_same_drawing_in_another_ink_is_another_card() -> None:
    other = drawing(1, (190, 60, 40))
    assert became(table("felt", [(CARD, FACE)]), table("felt", [(CARD, other)], 1)) is Presence.GONE
