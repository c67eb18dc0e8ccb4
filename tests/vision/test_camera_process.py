"""The Pi's camera in a process of its own: killed, hung or unplugged, it's told within seconds and comes back."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.patience import PATIENCE, eventually
from vision.cameras import Health, ProcessCamera, SensorCrop, SupervisedCamera, open_camera
from vision.cameras.pi import DRIFTED, SETTLING, PiCamera
from vision.errors import CameraError, CameraHung

STAND_IN = Path(__file__).parent / "stand_in"


@pytest.fixture
def sensor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The mood of the sensor that a camera's process will find."""
    path = tmp_path / "mood"
    path.write_text("good")
    monkeypatch.setenv("PICAMERA2_MOOD", str(path))
    monkeypatch.setenv("PYTHONPATH", str(STAND_IN))
    return path


def asked(sensor: Path) -> list[dict[str, Any]]:
    """What was asked of the sensor so far."""
    return [json.loads(line) for line in sensor.with_suffix(".asked").read_text().splitlines()]


def is_there(number: int) -> bool:
    """Whether a process exists, be it as a zombie."""
    return Path(f"/proc/{number}").exists()


@pytest.mark.parametrize("mood", ["good", "single"])
def test_frames_come_through_with_a_small_picture_even_from_a_sensor_with_one_stream(
    sensor: Path, mood: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.cameras.process.CLOSING", PATIENCE)  # it's asked kindly, and may take its time
    sensor.write_text(mood)
    camera = open_camera("pi")
    camera.open()
    before = time.monotonic()
    frame = camera.read()
    assert frame.picture.shape == (960, 1280, 3)
    assert frame.small is not None
    assert frame.small.shape == (240, 320, 3)
    assert np.all(frame.picture == 99)
    assert not np.ptp(frame.small, axis=(0, 1)).any()
    assert before <= frame.time <= time.monotonic()
    frame.picture[0, 0] = 0  # whoever gets a frame owns it
    assert np.all(camera.read().picture == 99)
    camera.close()
    assert asked(sensor)[-2:] == [{"stopped": True}, {"closed": True}]


def test_a_close_leaves_no_process_and_no_open_files(sensor: Path) -> None:
    # What other tests have left to be collected goes first.
    gc.collect()
    before = set(Path("/proc/self/fd").iterdir())
    camera = ProcessCamera("pi")
    camera.open()
    assert camera.process is not None
    number = camera.process.pid
    camera.read()
    camera.close()
    camera.close()
    assert not is_there(number)
    assert set(Path("/proc/self/fd").iterdir()) <= before
    with pytest.raises(CameraError, match="no pictures"):
        camera.read()


def test_a_camera_that_hangs_is_ended_in_time(sensor: Path) -> None:
    camera = ProcessCamera("pi", hung=0.5)
    camera.open()
    assert camera.process is not None
    number = camera.process.pid
    camera.read()
    sensor.write_text("hang")
    start = time.monotonic()
    with pytest.raises(CameraHung, match="hasn't answered"):
        camera.read()
    assert time.monotonic() - start < PATIENCE, "the sensor itself would hang for ever"
    assert not is_there(number)
    camera.close()


def test_the_first_frame_may_take_as_long_as_a_start(sensor: Path) -> None:
    """Else a busy little machine would kill its camera again and again, for being slow."""
    camera = ProcessCamera("pi", hung=0.2)
    camera.open()
    sensor.write_text("hang")
    threading.Timer(1.0, sensor.write_text, ("good",)).start()
    assert camera.read().picture.shape == (960, 1280, 3)
    camera.close()


def test_a_sensor_that_isnt_there_is_told_and_leaves_no_process(sensor: Path) -> None:
    sensor.write_text("gone")
    camera = ProcessCamera("pi")
    with pytest.raises(CameraError, match="doesn't start"):
        camera.open()
    assert camera.process is None


def test_a_process_that_cant_be_started_is_told(sensor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    camera = ProcessCamera("pi")
    with pytest.raises(CameraError, match="can't be started"):
        camera.open()
    camera.close()


def test_a_process_whose_box_is_gone_ends_by_itself(sensor: Path) -> None:
    camera = ProcessCamera("pi")
    camera.open()
    process, camera.process = camera.process, None
    assert process is not None
    camera._line = None  # what remains of it when the box is killed
    assert process.wait(PATIENCE) == 0
    camera.close()
    assert asked(sensor)[-1] == {"closed": True}


@pytest.fixture
def watched(sensor: Path) -> Iterator[SupervisedCamera]:
    """A camera that is given up by its own end alone: a busy machine may be slow with any frame."""
    camera = SupervisedCamera(ProcessCamera("pi", opening=10 * PATIENCE, hung=10 * PATIENCE), first_pause=0.05)
    camera.start()
    try:
        assert eventually(lambda: camera.latest() is not None)
        yield camera
    finally:
        camera.stop()
    assert camera.camera.process is None  # type: ignore[attr-defined]


def process_of(camera: SupervisedCamera) -> int:
    process = camera.camera.process  # type: ignore[attr-defined]
    return 0 if process is None else int(process.pid)


def limit(camera: SupervisedCamera, hung: float) -> None:
    """Let every frame from now on take so many seconds at most."""
    camera.camera.hung = hung  # type: ignore[attr-defined]
    for _ in range(2):  # one may have been asked for before
        last = camera._taken
        eventually(lambda last=last: camera._taken > last)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_killed_or_stopped_process_is_replaced(watched: SupervisedCamera, sensor: Path, number: int) -> None:
    if number == signal.SIGSTOP:
        limit(watched, 1.0)
    old = process_of(watched)
    sensor.write_text("hang")  # its successor has no frame before the test has looked
    os.kill(old, number)
    assert eventually(lambda: watched.health in (Health.GONE, Health.HUNG))
    told = str(watched.problem)
    assert watched.latest() is None
    assert "has ended" in told if number == signal.SIGKILL else "hasn't answered for 1 s" in told
    sensor.write_text("good")
    assert eventually(lambda: watched.latest() is not None)
    assert process_of(watched) not in (0, old)
    assert not is_there(old)


def test_a_cable_that_is_pulled_is_told_and_put_back_it_goes_on(watched: SupervisedCamera, sensor: Path) -> None:
    sensor.write_text("gone")
    assert eventually(lambda: watched.health is Health.GONE)
    assert "the cable was pulled" in str(watched.problem) or "doesn't start" in str(watched.problem)
    sensor.write_text("good")
    assert eventually(lambda: watched.latest() is not None)
    assert watched.problem is None


def test_a_stop_doesnt_wait_for_a_camera_that_hangs(watched: SupervisedCamera, sensor: Path) -> None:
    old = process_of(watched)
    os.kill(old, signal.SIGSTOP)
    start = time.monotonic()
    watched.stop()
    assert time.monotonic() - start < PATIENCE
    assert not is_there(old)


def test_where_it_was_aimed_a_new_process_is_aimed_again(watched: SupervisedCamera, sensor: Path) -> None:
    watched.aim(SensorCrop(0.25, 0.25, 0.5))
    crop = {"ScalerCrop": [820, 624, 1640, 1232]}
    assert eventually(lambda: crop in asked(sensor))
    os.kill(process_of(watched), signal.SIGKILL)
    assert eventually(lambda: asked(sensor).count(crop) == 2)


class Lamp:
    """A table in a light that can be turned up."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, sensor: Path):
        monkeypatch.syspath_prepend(str(STAND_IN))
        monkeypatch.delitem(sys.modules, "picamera2", raising=False)
        self.sensor = sensor
        self.camera = PiCamera()
        self.camera.open()

    def shine(self, light: int, frames: int) -> list[dict[str, Any]]:
        """Frames in this light; what was asked of the sensor meanwhile."""
        before = len(asked(self.sensor))
        picture = [np.full((960, 1280, 3), light, np.uint8), np.full((360, 384), light, np.uint8)]
        self.camera._device.capture_arrays = lambda names: (picture, self.camera._device.capture_metadata())
        for _ in range(frames):
            self.camera.read()
        return asked(self.sensor)[before:]


FREE = {"AfMode": 2, "AeEnable": True, "AwbEnable": True}
HELD = {
    "AfMode": 0, "LensPosition": 3.1, "AeEnable": False, "ExposureTime": 9000, "AnalogueGain": 2.0,
    "AwbEnable": False, "ColourGains": [1.5, 1.2],
}  # fmt: skip


def test_focus_and_light_are_found_then_held_until_the_light_changes(
    sensor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lamp = Lamp(monkeypatch, sensor)
    assert asked(sensor) == [FREE]
    assert lamp.shine(99, SETTLING) == []
    lamp.camera.aim(SensorCrop())
    assert lamp.shine(99, SETTLING + 50) == [HELD]
    assert lamp.shine(160, DRIFTED - 1) == []  # a hand, or a page turned
    assert lamp.shine(99, 1) == []
    assert lamp.shine(160, DRIFTED + SETTLING) == [FREE, HELD]
    lamp.camera.close()
    del sys.modules["picamera2"]
