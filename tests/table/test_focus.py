"""A blurred camera is told as such, with how sharp it is while somebody turns the lens; and never by mistake."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from companion.commands.eye.camera import gauge
from companion.outputs.panel_frame import frame_of
from companion.outputs.text_line import TextLine
from companion.session.faults import FAULT_SECONDS
from companion.table.focus import AGREEING, SELDOM_SECONDS, FocusWatch
from companion.table.sight import Sharpness, Sight
from companion.table.watcher import Watcher
from hardware.display import SilentDisplay
from tests.table.fingers import Bench
from tests.table.test_watcher import Still
from vision.cameras import Frame
from vision.cameras.supervised import SupervisedCamera

PICTURE = np.zeros((8, 8, 3), np.uint8)


def watched(*sharpness: float | None, has_markers: bool = True) -> FocusWatch:
    lens = FocusWatch()
    for one in sharpness:
        lens.on_sharpness(one, has_markers)
    return lens


def test_a_lens_is_blurred_after_several_pictures_and_sharp_only_when_plainly_so() -> None:
    lens = watched(*[30.0] * (AGREEING - 1))
    assert not lens.is_blurred
    lens.on_sharpness(30.0, True)
    assert lens.is_blurred
    for _ in range(3 * AGREEING):
        lens.on_sharpness(55.0, True)
    assert lens.is_blurred, "that is neither blurred nor plainly sharp"
    for _ in range(AGREEING):
        lens.on_sharpness(70.0, True)
    assert not lens.is_blurred


def test_a_hand_that_passes_or_a_bare_table_is_no_blurred_lens() -> None:
    assert not watched(*[30.0, 80.0] * 20).is_blurred
    assert not watched(*[None] * 20).is_blurred
    assert not watched(*[45.0] * 20, has_markers=False).is_blurred, "the soft print of a mat"
    assert watched(*[20.0] * 20, has_markers=False).is_blurred, "so blurred that no marker is seen"


def test_the_best_so_far_is_kept_while_the_lens_is_turned_and_past_the_point_where_it_is_sharp() -> None:
    lens = watched(*[30.0] * AGREEING)
    seen = []
    for one in (34.0, 41.0, 38.0, 52.0, 60.0, *[75.0] * AGREEING, 88.0, 79.0):
        lens.on_sharpness(one, True)
        seen.append(lens.sharpness)
    assert seen[2] == Sharpness(41, 41), "a small step back is noise"
    assert not lens.is_blurred
    assert seen[-1] == Sharpness(79, 88)
    for _ in range(2 * AGREEING):
        lens.on_sharpness(79.0, True)
    assert lens.sharpness is None, "nobody turns it any more"


def test_a_sharp_lens_is_measured_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[Any] = []

    def sharp(picture: Any) -> float:
        measured.append(picture)
        return 90.0

    monkeypatch.setattr("companion.table.focus.sharpness_of", sharp)
    now = [0.0]
    lens = FocusWatch(lambda: now[0])
    for step in range(100):
        now[0] = step * 0.2
        lens.on_picture(PICTURE, True)
    assert len(measured) == round(20 / SELDOM_SECONDS)


class Seeing:
    """An eye that sees an empty table."""

    layout: Any = "the layout"
    complaint = None
    calibration: Any = "calibrated"

    def __init__(self, *_: Any) -> None:
        """Nothing to learn."""

    def look(self, picture: Any, small: Any) -> Sight:
        return Sight()


def test_a_watcher_tells_of_a_blurred_lens_and_how_sharp_it_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    values = iter([90.0, *[30.0] * AGREEING, 44.0, *[80.0] * AGREEING])
    monkeypatch.setattr("companion.table.focus.sharpness_of", lambda _: next(values))
    monkeypatch.setattr("companion.table.focus.SELDOM_SECONDS", 0.0)
    monkeypatch.setattr("companion.table.watcher.Eye", Seeing)
    monkeypatch.setattr("companion.table.watcher.Aim.follow", lambda *_: None)
    told: list[Any] = []
    watcher = Watcher(
        cast(SupervisedCamera, Still()),
        on_sight=lambda _: None,
        on_fault=lambda name, is_there: told.append((name, is_there)),
        complain=lambda _: None,
        on_sharpness=told.append,
    )
    watcher._wanted = ("silencio", None)
    for _ in range(7 + AGREEING):
        watcher._on_frame(Frame(PICTURE, 0.0))
    assert told == [
        ("blurred", True), Sharpness(30, 30), Sharpness(44, 44), Sharpness(80, 80), ("blurred", False),
    ]  # fmt: skip


def test_the_panel_shows_the_sharpness_as_a_bar_while_the_lens_is_turned(bench: Bench) -> None:
    bench.box.start("silencio", {"players": 2, "driver": "table"})
    bench.box.on_fault("blurred", True)
    bench.box.on_sharpness(Sharpness(30, 30))
    assert str(frame_of(bench.box.shown)).startswith("###o........... oooo")
    for now in (40, 61):
        bench.clock.now += FAULT_SECONDS - 1
        bench.box.on_sharpness(Sharpness(now, now))
    bench.box.on_sharpness(Sharpness(45, 61))
    assert str(frame_of(bench.box.shown)).startswith("#######.o...... oooo")
    line = TextLine(SilentDisplay(), str).lines(bench.box.shown)
    assert "turn the lens" in line
    assert "45 of 100" in line
    bench.clock.now += FAULT_SECONDS + 1
    bench.box.tick()
    assert "oooo" not in str(frame_of(bench.box.shown)), "nobody turns it: the game's lights are back"
    assert "turn the lens" in str(bench.box.shown.remark), "the words stay while it's blurred"
    bench.box.on_fault("blurred", False)
    assert bench.box.shown.remark is None


def test_the_gauge_of_the_command_marks_the_best() -> None:
    assert gauge(0, 0) == "." * 20
    assert gauge(40, 75) == "########......|....."
    assert gauge(100, 100) == "#" * 19 + "|"
