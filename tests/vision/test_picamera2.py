"""The Pi's camera adapter against the real Picamera2 class: its names and its arguments, without a camera.

Runs where the package is importable (`pip install --no-deps picamera2 piexif pidng simplejpeg videodev2 av
libarchive-c tqdm jsonschema openexr`, or Raspberry Pi OS's own); what needs the hardware is stood in for.
"""

from __future__ import annotations

import importlib
import sys
import types
from unittest import mock

import numpy as np
import pytest

from vision.cameras import open_camera

# These need libcamera or a kernel with its drivers, and say nothing about the class's own interface.
STAND_INS = (
    "libcamera", "libcamera.controls", "libcamera.Transform", "pykms", "kms", "prctl", "v4l2",
)  # fmt: skip


@pytest.fixture
def real_class(monkeypatch):
    before = set(sys.modules)
    for name in STAND_INS:
        try:
            importlib.import_module(name)
        except ImportError:
            monkeypatch.setitem(sys.modules, name, mock.MagicMock(name=name))
    try:
        module = importlib.import_module("picamera2.picamera2")
    except ImportError as error:
        pytest.skip(f"the real Picamera2 isn't importable here: {error}")
    yield module.Picamera2
    for name in set(sys.modules) - before:
        if name.startswith("picamera2"):
            del sys.modules[name]


def test_the_adapter_calls_the_real_class_as_it_is(real_class, monkeypatch):
    spec = mock.create_autospec(real_class)
    device = spec.return_value
    planes = [np.zeros((960, 1280, 3), np.uint8), np.zeros((360, 384), np.uint8)]
    device.capture_arrays.return_value = (planes, {})
    device.capture_metadata.return_value = {
        "ExposureTime": 9000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.2), "LensPosition": 3.1,
    }  # fmt: skip
    device.camera_controls = {"AeEnable": (), "AwbEnable": (), "AfMode": ()}
    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=spec))

    camera = open_camera("pi")
    camera.open()
    frame = camera.read()
    camera.lock()
    camera.unlock()
    camera.close()

    assert frame.picture.shape == (960, 1280, 3)
    assert frame.small.shape == (240, 320)
    device.configure.assert_called_once_with(device.create_video_configuration.return_value)
    locked, unlocked = (call.args[0] for call in device.set_controls.call_args_list)
    assert locked["ExposureTime"] == 9000
    assert unlocked == {"AfMode": 2, "AeEnable": True, "AwbEnable": True}
    device.close.assert_called_once_with()
