"""The camera's threads: what is wrong with the camera is told at once, whatever the eye is busy with."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest

from companion.table.sight import Sight
from companion.table.watcher import Watcher
from vision.cameras import Frame, Health
from vision.errors import CameraError, VisionError

PICTURE = np.full((8, 8, 3), 99, np.uint8)


class Still:
    """A camera whose frame the test sets."""

    def __init__(self) -> None:
        self.frame: Frame | None = Frame(PICTURE, 0.0)
        self.health = Health.GOOD
        self.problem: VisionError | None = None

    def start(self) -> None:
        """Nothing to start."""

    def stop(self) -> None:
        """Nothing to stop."""

    def latest(self) -> Frame | None:
        return self.frame


def wait(told: list[Any], wanted: Any, seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while wanted not in told and time.monotonic() < end:
        time.sleep(0.02)
    return wanted in told


def test_a_camera_that_goes_is_told_while_the_eye_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    camera, told, said = Still(), [], []
    looking, done = threading.Event(), threading.Event()

    def look(self: Watcher, picture: Any) -> Sight:
        looking.set()
        done.wait(20)
        return Sight(is_busy=True)

    monkeypatch.setattr(Watcher, "_look", look)
    watcher = Watcher(
        camera,  # type: ignore[arg-type]
        on_sight=lambda sight: None,
        on_fault=lambda name, is_there: told.append((name, is_there)),
        complain=lambda text: said.append(str(text)),
    )
    watcher.watch("silencio", None)
    watcher.start()
    try:
        assert looking.wait(5)
        camera.problem, camera.health, camera.frame = CameraError("the cable was pulled"), Health.GONE, None
        assert wait(told, ("no-camera", True))
        assert wait(said, "the cable was pulled")
        camera.problem, camera.health, camera.frame = None, Health.GOOD, Frame(PICTURE, 1.0)
        assert wait(told, ("no-camera", False))
        assert not done.is_set()
    finally:
        done.set()
        watcher.stop()
