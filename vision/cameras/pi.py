"""The Raspberry Pi's camera through Picamera2: a large stream for recognition, a small one for motion.

Whoever opens this may wait for ever in libcamera; `process` runs it where that does no harm.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np

from companion.text import N_
from vision.cameras.port import Frame, SensorCrop
from vision.errors import CameraError
from vision.geometry import Picture

MAIN = (1280, 960)
LORES = (320, 240)
# So many frames until autofocus, exposure and white balance have settled after a change.
SETTLING = 20
# Held exposure is found anew when the picture has been this much brighter or darker for so many frames.
DRIFT, DRIFTED = 0.3, 25
CONTINUOUS_FOCUS, HELD_FOCUS = 2, 0
REFUSED = (AttributeError, IndexError, RuntimeError, OSError)
"""What Picamera2 raises; AttributeError when libcamera has no configuration with these streams."""


class PiCamera:
    """A camera module. Once aimed, focus, exposure and white balance are found, then held until the light changes."""

    def __init__(self, number: int = 0, main: tuple[int, int] = MAIN):
        self.name = f"pi:{number}" if number else "pi"
        self.number, self.main = number, main
        self._device: Any = None
        self._streams: list[str] = []
        self._whole: tuple[int, int, int, int] | None = None
        self._settling = 0
        self._held_light: float | None = None
        self._drifting = 0

    def open(self) -> None:
        """Start the streams, with focus, exposure and white balance free."""
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise CameraError(
                N_("Picamera2 isn't here ({error}); on Raspberry Pi OS: sudo apt install python3-picamera2"),
                error=error,
            ) from None
        device: Any = None
        try:
            device = Picamera2(self.number)
            self._streams = self._configure(device)
            device.start()
        except REFUSED as error:
            if device is not None:
                # Else it stays taken, and no later try can have it.
                device.close()
            raise CameraError(N_("the Pi's camera doesn't start: {error}"), error=error) from None
        self._device, self._whole, self._settling = device, None, 0
        self._free()

    def _configure(self, device: Any) -> list[str]:
        """Both streams, or the large one alone from a sensor that gives no second; returns their names."""
        # "RGB888" is what libcamera calls bytes in the order blue, green, red: OpenCV's.
        main = {"size": self.main, "format": "RGB888"}
        lores = {"size": LORES, "format": "YUV420"}
        try:
            device.configure(device.create_video_configuration(main=main, lores=lores, buffer_count=4))
        except REFUSED:
            device.configure(device.create_video_configuration(main=main, buffer_count=4))
            return ["main"]
        return ["main", "lores"]

    def read(self) -> Frame:
        """The next frame, its small picture taken at the same moment."""
        if self._device is None:
            raise CameraError(N_("camera {name} gives no pictures any more"), name=self.name)
        try:
            arrays, metadata = self._device.capture_arrays(self._streams)
        except (RuntimeError, OSError, TimeoutError) as error:
            raise CameraError(N_("the Pi's camera stopped: {error}"), error=error) from None
        picture = np.asarray(arrays[0], np.uint8)
        small = coloured(arrays[1]) if len(arrays) > 1 else shrunk(picture)
        self._mind(float(small.mean()), metadata)
        return Frame(picture, time.monotonic(), small)

    def aim(self, part: SensorCrop) -> None:
        """Crop the sensor to this part where the module can, then hold what settles there."""
        if self._device is None:
            return
        self._free()
        if "ScalerCrop" in self._device.camera_controls:
            if self._whole is None:
                self._whole = tuple(self._device.capture_metadata()["ScalerCrop"])
            self._device.set_controls({"ScalerCrop": crop(self._whole, part)})
        self._settling = SETTLING

    def _mind(self, light: float, metadata: Mapping[str, Any]) -> None:
        """Hold what has settled; let go when the light isn't what it was."""
        if self._settling:
            self._settling -= 1
            if not self._settling:
                self._hold(metadata)
                self._held_light = light
        elif self._held_light is not None:
            has_drifted = abs(light - self._held_light) > DRIFT * self._held_light
            self._drifting = self._drifting + 1 if has_drifted else 0
            if self._drifting >= DRIFTED:
                self._free()
                self._settling = SETTLING

    def _hold(self, now: Mapping[str, Any]) -> None:
        """Hold focus, exposure and white balance as they are now, each where the module has it."""
        controls: dict[str, object] = {}
        if "LensPosition" in now:
            controls |= {"AfMode": HELD_FOCUS, "LensPosition": now["LensPosition"]}
        if {"ExposureTime", "AnalogueGain"} <= set(now):
            controls |= {
                "AeEnable": False,
                "ExposureTime": now["ExposureTime"],
                "AnalogueGain": now["AnalogueGain"],
            }
        if "ColourGains" in now:
            controls |= {"AwbEnable": False, "ColourGains": now["ColourGains"]}
        self._set(controls)

    def _free(self) -> None:
        """Let focus, exposure and white balance find their own way."""
        self._held_light, self._drifting = None, 0
        self._set({"AfMode": CONTINUOUS_FOCUS, "AeEnable": True, "AwbEnable": True})

    def _set(self, controls: Mapping[str, object]) -> None:
        offered = self._device.camera_controls
        controls = {name: value for name, value in controls.items() if name in offered}
        if controls:
            self._device.set_controls(controls)

    def close(self) -> None:
        """Stop, and free the module for others."""
        if self._device is not None:
            device, self._device = self._device, None
            device.stop()
            device.close()


def coloured(planes: Any) -> Picture:
    """The small stream in colour: YUV420 with its planes one below the other; padding on the right is cut off."""
    picture = cv2.cvtColor(np.ascontiguousarray(planes, np.uint8), cv2.COLOR_YUV2BGR_I420)
    return np.ascontiguousarray(picture[: LORES[1], : LORES[0]], np.uint8)


def shrunk(picture: Picture) -> Picture:
    """A small picture from the large one."""
    return np.asarray(cv2.resize(picture, LORES, interpolation=cv2.INTER_AREA), np.uint8)


def crop(whole: tuple[int, int, int, int], part: SensorCrop) -> tuple[int, int, int, int]:
    """A part of the sensor in its own pixels: left, top, width, height, in the same proportions as the whole.

    >>> crop((0, 8, 3280, 2464), SensorCrop(0.25, 0.25, 0.5))
    (820, 624, 1640, 1232)
    """
    left, top, width, height = whole
    return (
        left + round(part.left * width),
        top + round(part.top * height),
        round(part.size * width),
        round(part.size * height),
    )
