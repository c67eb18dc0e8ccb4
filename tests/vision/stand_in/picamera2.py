"""Stands in for Picamera2 in a camera's process: what is used of it, with its own names, on a sensor with moods.

The file that PICAMERA2_MOOD names says how the sensor is: good, single (one stream only), hang, falter (hangs after its
first frame) or gone. Beside it `.asked` keeps what was asked, and `.seen` has a dot for each frame.
`test_picamera2` compares this class with the real one.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np


def mood() -> str:
    return Path(os.environ["PICAMERA2_MOOD"]).read_text()


def note(**said: object) -> None:
    """Tell the test what was asked of the sensor."""
    with Path(os.environ["PICAMERA2_MOOD"]).with_suffix(".asked").open("a") as file:
        file.write(json.dumps(said) + "\n")


class Picamera2:
    def __init__(self, camera_num: Any = 0, verbose_console: Any = None, tuning: Any = None, allocator: Any = None):
        if mood() == "gone":
            raise IndexError("list index out of range")
        self.camera_controls = {
            "AeEnable": (False, True, True), "AwbEnable": (False, True, None), "AfMode": (0, 2, 0),
            "LensPosition": (0.0, 32.0, 1.0), "ExposureTime": (1, 66666, 20000), "AnalogueGain": (1.0, 16.0, 1.0),
            "ColourGains": (0.0, 32.0, None), "ScalerCrop": ((0, 0, 64, 64), (0, 8, 3280, 2464), (0, 8, 3280, 2464)),
        }  # fmt: skip

    def create_video_configuration(
        self, main: Any = None, lores: Any = None, raw: Any = None, buffer_count: int = 6
    ) -> dict[str, Any]:
        return {"main": main, "lores": lores}

    def configure(self, camera_config: Any = None) -> None:
        if camera_config["lores"] and mood() == "single":
            raise AttributeError("'NoneType' object has no attribute 'orientation'")

    def start(self, config: Any = None, show_preview: Any = False) -> None:
        pass

    def capture_arrays(self, names: Any = ("main",), wait: Any = None, signal_function: Any = None) -> Any:
        seen = Path(os.environ["PICAMERA2_MOOD"]).with_suffix(".seen")
        while mood() == "hang" or (mood() == "falter" and seen.exists()):
            time.sleep(0.01)
        if mood() == "gone":
            raise RuntimeError("the cable was pulled")
        time.sleep(0.02)
        with seen.open("a") as file:
            file.write(".")
        shapes = {"main": (960, 1280, 3), "lores": (360, 384)}
        return [np.full(shapes[name], 99, np.uint8) for name in names], self.capture_metadata()

    def capture_metadata(self, wait: Any = None, signal_function: Any = None) -> dict[str, Any]:
        return {
            "ExposureTime": 9000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.2), "LensPosition": 3.1,
            "ScalerCrop": (0, 8, 3280, 2464),
        }  # fmt: skip

    def set_controls(self, controls: Any) -> None:
        note(**controls)

    def stop(self) -> None:
        note(stopped=True)

    def close(self) -> None:
        note(closed=True)
