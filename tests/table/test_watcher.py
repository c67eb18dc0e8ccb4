"""The camera's threads: what it can't make use of is a visible fault, and told at once, whatever the eye does."""

from __future__ import annotations

import threading
from typing import Any, cast

import numpy as np
import pytest

from companion.table.hosts import HOSTS
from companion.table.scenes import scene
from companion.table.sight import Sight
from companion.table.twin import Twin
from companion.table.watcher import Watcher
from tests.patience import PATIENCE, eventually
from vision.cameras import Frame, Health
from vision.cameras.supervised import SupervisedCamera
from vision.errors import CameraError, VisionError

PICTURE = np.full((8, 8, 3), 99, np.uint8)


class Still:
    """A camera whose frame the test sets."""

    def __init__(self, picture: Any = PICTURE) -> None:
        self.frame: Frame | None = Frame(picture, 0.0)
        self.health = Health.GOOD
        self.problem: VisionError | None = None
        self.asked = 0

    def start(self) -> None:
        """Nothing to start."""

    def stopping(self) -> None:
        """Nothing to stop."""

    def stop(self) -> None:
        """Nothing to stop."""

    def latest(self) -> Frame | None:
        self.asked += 1
        return self.frame

    def aim(self, part: object) -> None:
        """It looks where it looks."""

    def minded(self) -> None:
        """Wait until both of the watcher's threads have looked at the camera as it is now."""
        before = self.asked
        eventually(lambda: self.asked > before + 4)


def test_a_table_without_markers_is_a_fault_until_they_are_in_sight() -> None:
    game = HOSTS["similo"].game
    options = game.options(players=2, driver="table")
    twin = Twin("similo", options)
    camera = Still(np.full((768, 1024, 3), 200, np.uint8))
    sights: list[Sight] = []
    faults: list[tuple[str, bool]] = []
    said: list[str] = []
    watcher = Watcher(
        cast(SupervisedCamera, camera),
        sights.append,
        lambda name, is_there: faults.append((name, is_there)),
        lambda text: said.append(str(text)),
    )
    watcher.watch("similo", options)
    watcher.start()
    try:
        eventually(lambda: faults == [("no-markers", True)])
        assert sights == []
        assert "corner markers" in said[0]
        camera.frame = Frame(twin.photograph(scene("similo", game.new(options))), 1.0)
        eventually(lambda: bool(sights) and not sights[-1].is_busy)
        assert faults == [("no-markers", True), ("no-markers", False)]
    finally:
        watcher.stop()


def test_a_camera_that_goes_is_told_while_the_eye_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.table.watcher.LOST", 0.0)
    camera, told, said = Still(), [], []
    looking, done = threading.Event(), threading.Event()

    def look(self: Watcher, picture: Any) -> Sight:
        looking.set()
        done.wait(PATIENCE)
        return Sight(is_busy=True)

    monkeypatch.setattr(Watcher, "_look", look)
    watcher = Watcher(
        cast(SupervisedCamera, camera),
        on_sight=lambda sight: None,
        on_fault=lambda name, is_there: told.append((name, is_there)),
        complain=lambda text: said.append(str(text)),
    )
    watcher.watch("silencio", None)
    watcher.start()
    try:
        assert looking.wait(PATIENCE)
        camera.problem, camera.health, camera.frame = CameraError("the cable was pulled"), Health.GONE, None
        eventually(lambda: ("no-camera", True) in told)
        eventually(lambda: "the cable was pulled" in said)
        camera.problem, camera.health, camera.frame = None, Health.GOOD, Frame(PICTURE, 1.0)
        eventually(lambda: ("no-camera", False) in told)
        assert not done.is_set()
        watcher.stop()
        assert watcher.is_busy()
    finally:
        done.set()
        watcher.stop()
    assert not watcher.is_busy()


def test_a_camera_that_is_back_before_it_is_missed_is_still_spoken_of_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.table.watcher.LOST", 10 * PATIENCE)  # however busy the machine is
    camera, told, said = Still(), [], []
    watcher = Watcher(
        cast(SupervisedCamera, camera),
        on_sight=lambda sight: None,
        on_fault=lambda name, is_there: told.append((name, is_there)),
        complain=lambda text: said.append(str(text)),
    )
    watcher.start()
    try:
        camera.problem, camera.health, camera.frame = CameraError("it was killed"), Health.GONE, None
        eventually(lambda: said == ["it was killed"])
        camera.problem = CameraError("it was killed")
        camera.minded()
        camera.problem, camera.health, camera.frame = None, Health.GOOD, Frame(PICTURE, 1.0)
        camera.minded()
        assert (told, said) == ([], ["it was killed"])
    finally:
        watcher.stop()
