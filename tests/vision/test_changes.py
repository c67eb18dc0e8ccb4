"""One change detector: each frame is shrunk once, compared once with each earlier one, on the camera's small stream."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from vision import changes
from vision.cameras.pi import LORES, MAIN, coloured
from vision.changes import SMALL_WIDTH, ChangeDetector, is_small_of
from vision.geometry import Picture
from vision.quality import is_blurred
from vision.reading import Reader
from vision.simulated import LaidCard, Scene, render
from vision.tracking import Tracker

EMPTY, LAID = Scene(), Scene((LaidCard("r5", 120, 150), LaidCard("b9", 300, 150, 180)))


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Any]]:
    """What the detector is asked to work out."""
    calls: dict[str, list[Any]] = {"shrink": [], "compare": []}
    shrink, compare = changes.shrink, changes.compare

    def counting_shrink(frame: Picture) -> Any:
        calls["shrink"].append(frame)
        return shrink(frame)

    def counting_compare(before: Picture, now: Picture, zoom: float) -> Any:
        calls["compare"].append((before, now))
        return compare(before, now, zoom)

    monkeypatch.setattr(changes, "shrink", counting_shrink)
    monkeypatch.setattr(changes, "compare", counting_compare)
    return calls


def test_a_frame_is_shrunk_once_and_compared_once_with_each_earlier_one(recogniser, looks, counted):
    tracker = Tracker(Reader(recogniser))
    frames = [render(scene, looks).picture for scene in (EMPTY, LAID)]
    for number, frame in enumerate([frames[0]] * 6 + [frames[1]] * 6, start=1):
        counted["compare"].clear()
        tracker.look(frame)
        assert len(counted["shrink"]) == number
        pairs = [(id(before), id(now)) for before, now in counted["compare"]]
        assert len(pairs) == len(set(pairs))
    assert {card.card for card in tracker.view.cards} == {"r5", "b9"}


def test_changes_are_seen_on_the_small_stream_where_there_is_one(recogniser, looks, counted):
    tracker = Tracker(Reader(recogniser))
    for scene in (EMPTY, LAID):
        frame = render(scene, looks).picture
        small = np.asarray(cv2.resize(frame, (320, 240), interpolation=cv2.INTER_AREA), np.uint8)
        for _ in range(6):
            view, _events = tracker.look(frame, small)
    assert counted["shrink"] == []
    assert {card.card for card in view.cards} == {"r5", "b9"}


@pytest.mark.parametrize("shape", [(240, 320), (240, 320, 1, 1), (180, 320, 3), (120, 160, 3), (1200, 1600, 3)])
def test_a_small_picture_that_is_grey_or_of_another_shape_or_too_small_is_not_used(shape: tuple[int, ...]) -> None:
    frame = np.zeros((960, 1280, 3), np.uint8)
    assert not is_small_of(frame, np.zeros(shape, np.uint8))
    detector = ChangeDetector()
    detector.on_frame(frame, np.zeros(shape, np.uint8))
    assert detector.small.shape == (240, SMALL_WIDTH, 3)
    assert detector.zoom == 4.0


def test_the_small_stream_of_the_pi_is_in_colour_and_without_its_padding() -> None:
    """Of two cards as dark as each other one is red and one blue: brightness alone can't tell them apart."""
    picture = np.zeros((LORES[1], 384, 3), np.uint8)
    picture[:, :160], picture[:, 160:] = (30, 30, 200), (200, 30, 30)
    planes = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420)
    small = coloured(planes)
    assert small.shape == (LORES[1], LORES[0], 3)
    assert small[120, 40, 2] > 150 > small[120, 40, 0]
    assert small[120, 280, 0] > 150 > small[120, 280, 2]
    assert is_small_of(np.zeros((MAIN[1], MAIN[0], 3), np.uint8), small)


def test_a_view_says_what_a_card_may_be_and_how_sharp_the_picture_is(recogniser, looks):
    tracker = Tracker(Reader(recogniser))
    frame = render(LAID, looks).picture
    for _ in range(6):
        view, _events = tracker.look(frame)
    assert view.settled
    assert not view.hand
    cards = {card.card: card for card in view.cards}
    assert [name.card for name in cards["r5"].names] == ["r5"]
    assert 0.5 < cards["r5"].names[0].probability <= 1.0
    assert (cards["r5"].either_way, cards["b9"].either_way) == (False, False)
    assert view.tokens == ()
    assert view.sharpness is not None
    assert not is_blurred(view.sharpness, has_markers=True)
    blurred = Tracker(Reader(recogniser))
    for _ in range(6):
        dull, _events = blurred.look(np.asarray(cv2.GaussianBlur(frame, (0, 0), 6), np.uint8))
    assert dull.sharpness is not None
    assert dull.sharpness < view.sharpness / 4
