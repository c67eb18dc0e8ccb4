"""A box whose panel or camera isn't as it should be comes up all the same."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
import types
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from companion.commands import devices, serving
from companion.outputs.panel import PanelOutput
from companion.outputs.sound import SoundOutput
from companion.session.session import Session
from companion.table.hosts import HOSTS
from hardware.errors import PanelError
from hardware.panel import Panel
from hardware.silent import NullPanel
from sounds.box import SoundBox, SoundSettings
from sounds.guard import SilenceGuard
from vision.cameras.pi import PiCamera
from vision.errors import CameraError


def test_without_a_panel_the_menu_and_a_game_still_come_up(tmp_path: Path) -> None:
    with SoundBox(SilenceGuard(), SoundSettings(backend="silent"), tmp_path) as sound:
        box = Session(HOSTS, None, time.monotonic)
        for output in (PanelOutput(NullPanel()), SoundOutput(sound)):
            output.attach(box.bus)
        box.wake()
        assert box.shown.is_menu
        for name in HOSTS:
            box.start(name, {})
            box.show_menu()


def test_a_camera_that_refuses_its_streams_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen in the rig: libcamera has no configuration, picamera2 trips over that, and the camera stayed taken."""
    device = MagicMock()
    device.configure.side_effect = AttributeError("'NoneType' object has no attribute 'orientation'")
    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=lambda number: device))
    with pytest.raises(CameraError, match="orientation"):
        PiCamera().open()
    device.close.assert_called_once()


def test_pins_that_come_late_are_waited_for_by_a_service_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen in the rig: started with the machine, the box was there before the pins, and had none ever after."""
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    tries = 0

    def opens() -> Panel:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise PanelError("not yet")
        return NullPanel()

    with pytest.raises(PanelError):
        devices.patiently(opens)
    monkeypatch.setattr(devices.logs, "is_journalled", lambda: True)
    assert isinstance(devices.patiently(opens), NullPanel)
    assert tries == 3


def test_what_cannot_be_closed_keeps_nothing_else_open(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = iter([0.0, 0.5, 10.0, 20.0])
    monkeypatch.setattr(serving, "now", lambda: next(seconds))
    closed: list[str] = []

    def breaks() -> None:
        raise OSError("gone")

    with caplog.at_level(logging.WARNING):
        serving.close_each({"lights": breaks, "sound": None, "record": lambda: closed.append("record")})
    assert closed == ["record"]
    told = [record.getMessage() for record in caplog.records]
    assert told == ["lights: can't be closed", "record: took 10.0 s to close"]


BUSY = """
import os, threading, time
import cv2, numpy as np
from companion.commands.serving import leave
grain = np.random.default_rng(1).integers(0, 255, (600, 600), np.uint8)
def look(looked):
    while True:
        cv2.SIFT_create().detectAndCompute(grain, None)
        looked.set()
def stop():
    looked = threading.Event()
    threading.Thread(target=look, args=(looked,), daemon=True).start()
    looked.wait()
    time.sleep(0.01)
    leave()
for _ in range(4):
    child = os.fork()
    if not child:
        stop()
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), flush=True)
"""


def test_a_stop_while_the_eye_is_at_a_picture_is_no_crash() -> None:
    """A thread inside OpenCV at Python's own end is an abort, three times in four; so it is tried four times."""
    ended = subprocess.run([sys.executable, "-c", BUSY], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "0\n" * 4, "")
