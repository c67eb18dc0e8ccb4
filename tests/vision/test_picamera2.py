"""The Pi's camera adapter against the real Picamera2: its names, its arguments, its configurations, without a sensor.

The package is fetched by `python3 -m tests`, alone; what needs libcamera or the hardware is stood in for. On a
Raspberry Pi the system's own is used.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import types
from collections.abc import Iterator
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import Any
from unittest import mock

import numpy as np
import pytest

from companion.bootstrap import PICAMERA2
from tests.vision.stand_in.picamera2 import Picamera2 as StandIn
from vision.cameras.pi import LORES, MAIN, SETTLING, PiCamera
from vision.cameras.port import SensorCrop


class Missing(MetaPathFinder, Loader):
    """Finds an empty stand-in for any package that Picamera2 wants and this machine hasn't got."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        caller = sys._getframe(1)
        while caller is not None and "picamera2" not in caller.f_code.co_filename:
            caller = caller.f_back  # type: ignore[assignment]
        if caller is None or name.startswith(("picamera2", "numpy")):
            return None
        return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> Any:
        return mock.MagicMock(name=spec.name, __path__=[], __spec__=spec)

    def exec_module(self, module: Any) -> None:
        """Nothing to run."""


@pytest.fixture
def real_class(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    before = dict(sys.modules)
    monkeypatch.syspath_prepend(str(PICAMERA2))
    finder = Missing()
    sys.meta_path.append(finder)
    try:
        try:
            module = importlib.import_module("picamera2.picamera2")
        except ImportError as error:
            pytest.skip(f"the real Picamera2 isn't here: {error}")
        yield module.Picamera2
    finally:
        sys.meta_path.remove(finder)
        for name in set(sys.modules) - set(before):
            del sys.modules[name]


def test_the_stand_in_has_the_real_names_and_arguments(real_class: Any) -> None:
    mine = {name: value for name, value in vars(StandIn).items() if inspect.isfunction(value)}
    assert len(mine) > 8
    for name, function in mine.items():
        theirs = inspect.signature(getattr(real_class, name)).parameters
        for parameter in inspect.signature(function).parameters.values():
            assert parameter.name in theirs, f"{name}({parameter.name})"


def test_the_adapter_calls_the_real_class_as_it_is(real_class: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = mock.create_autospec(real_class)
    device = spec.return_value
    planes = [np.zeros((960, 1280, 3), np.uint8), np.zeros((360, 384), np.uint8)]
    found = {
        "ExposureTime": 9000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.2), "LensPosition": 3.1,
        "ScalerCrop": (0, 8, 3280, 2464),
    }  # fmt: skip
    device.capture_arrays.return_value = (planes, found)
    device.capture_metadata.return_value = found
    device.camera_controls = {*found, "AeEnable", "AwbEnable", "AfMode"}
    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=spec))  # type: ignore[arg-type]

    camera = PiCamera()
    camera.open()
    camera.aim(SensorCrop(0.25, 0.25, 0.5))
    for _ in range(SETTLING):
        frame = camera.read()
    camera.close()

    assert frame.picture.shape == (960, 1280, 3)
    assert frame.small is not None
    assert frame.small.shape == (240, 320, 3)
    device.configure.assert_called_once_with(device.create_video_configuration.return_value)
    free, again, cropped, held = (call.args[0] for call in device.set_controls.call_args_list)
    assert free == again == {"AfMode": 2, "AeEnable": True, "AwbEnable": True}
    assert cropped == {"ScalerCrop": (820, 624, 1640, 1232)}
    assert held["ExposureTime"] == 9000
    device.close.assert_called_once_with()


class Sensor:
    """The little of a real, opened Picamera2 that its own configuration code needs."""

    camera = object()
    sensor_format = "SRGGB10_CSI2P"
    camera_controls = types.MappingProxyType({})
    _raw_stream_ignore_list = ()

    def __init__(self, real_class: Any):
        self._real = real_class

    def __getattr__(self, name: str) -> Any:
        found = inspect.getattr_static(self._real, name)
        return found.__func__ if isinstance(found, staticmethod) else types.MethodType(found, self)

    def _is_rpi_camera(self) -> bool:
        return True


def test_what_is_asked_for_passes_the_real_configuration_checks(real_class: Any) -> None:
    """Picamera2 fills in the rest of a configuration and checks it before libcamera sees any of it."""
    asked: list[dict[str, Any]] = []
    sensor = Sensor(real_class)
    monitored = types.SimpleNamespace(
        create_video_configuration=lambda **wanted: real_class.create_video_configuration(sensor, **wanted),
        configure=asked.append,
    )
    assert PiCamera()._configure(monitored) == ["main", "lores"]
    (made,) = asked
    assert (made["main"]["size"], made["main"]["format"]) == (MAIN, "RGB888")
    assert (made["lores"]["size"], made["lores"]["format"]) == (LORES, "YUV420")
    library = sys.modules[real_class.__module__].libcamera  # type: ignore[attr-defined]
    library._libcamera.ColorSpace = library._libcamera.Transform = object
    real_class.check_camera_config(sensor, made)
    made["lores"] = {**made["lores"], "size": (MAIN[0] * 2, MAIN[1])}
    with pytest.raises(RuntimeError, match="lores"):
        real_class.check_camera_config(sensor, made)
