"""Cameras: all keep one contract, and a bad one is noticed without anybody waiting."""

from __future__ import annotations

import sys
import threading
import time

import cv2
import numpy as np
import pytest

from tests.patience import PATIENCE, eventually, meanwhile
from vision.cameras import FileCamera, Frame, Health, SimulatedCamera, SupervisedCamera, open_camera
from vision.cameras.pi import PiCamera
from vision.errors import CameraError
from vision.simulated import LaidCard, Scene


@pytest.fixture(params=["folder", "video", "simulated"])
def any_camera(request, tmp_path, looks):
    if request.param == "simulated":
        return SimulatedCamera(looks, Scene((LaidCard("r2", 300, 200),)))
    if request.param == "folder":
        for number in range(3):
            cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((60, 80, 3), 50 * number, np.uint8))
        return FileCamera(tmp_path)
    path = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 10, (80, 60))
    for number in range(3):
        writer.write(np.full((60, 80, 3), 50 * number, np.uint8))
    writer.release()
    return FileCamera(path)


def test_every_camera_gives_colour_frames_again_and_again(any_camera):
    any_camera.open()
    times = []
    for _ in range(5):
        frame = any_camera.read()
        assert frame.picture.dtype == np.uint8
        assert frame.picture.shape[2] == 3
        times.append(frame.time)
    assert times == sorted(times)
    any_camera.close()
    any_camera.close()


@pytest.mark.parametrize("name", ["/nowhere/at/all", "usb:77"])
def test_a_camera_that_isnt_there_says_so(name):
    camera = open_camera(name)
    with pytest.raises(CameraError):
        camera.open()


def test_without_picamera2_the_way_to_it_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="python3-picamera2"):
        PiCamera().open()


class Moody:
    """A camera that can be told to vanish or go black."""

    name = "moody"

    def __init__(self):
        self.mood = "good"

    def open(self):
        if self.mood == "gone":
            raise CameraError("no camera")

    def read(self):
        meanwhile(0.01)
        if self.mood == "gone":
            raise CameraError("vanished")
        return Frame(np.full((8, 8, 3), 0 if self.mood == "black" else 99, np.uint8), time.monotonic())

    def close(self):
        pass


def becomes(camera, health):
    return eventually(lambda: camera.health is health, why=f"{camera.health}, not {health}")


def test_a_bad_camera_is_noticed_and_comes_back(monkeypatch):
    monkeypatch.setattr("vision.cameras.supervised.PACE", 0.01)
    source = Moody()
    camera = SupervisedCamera(source, first_pause=0.05)
    camera.start()
    try:
        assert becomes(camera, Health.GOOD)
        eventually(lambda: camera.latest() is not None)
        source.mood = "black"
        assert becomes(camera, Health.BLACK)
        assert camera.latest() is None
        source.mood = "gone"
        assert becomes(camera, Health.GONE)
        assert "vanished" in str(camera.problem) or "no camera" in str(camera.problem)
        source.mood = "good"
        assert becomes(camera, Health.GOOD)
    finally:
        camera.stop()


def test_a_picture_that_has_grown_old_is_none_any_more(monkeypatch):
    """So a camera that hangs is missed before it is given up and replaced."""
    source, answering = Moody(), threading.Event()
    read = source.read
    source.read = lambda: answering.wait(PATIENCE) and read()
    answering.set()
    camera = SupervisedCamera(source, first_pause=0.05)
    camera.start()
    try:
        assert becomes(camera, Health.GOOD)
        answering.clear()
        monkeypatch.setattr("vision.cameras.supervised.STALE", 0.1)
        eventually(lambda: camera.latest() is None)
        assert camera.health is Health.GOOD
        monkeypatch.setattr("vision.cameras.supervised.STALE", PATIENCE)
        answering.set()
        eventually(camera.latest)
    finally:
        camera.stop()
