"""The Raspberry Pi's camera through Picamera2: a small stream for motion, a large one for recognition."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from vision.cameras.port import Frame
from vision.errors import N_, CameraError

MAIN = (1280, 960)
LORES = (320, 240)


class PiCamera:
    """A camera module; focus, exposure and white balance are found once, then held."""

    name = "pi"

    def __init__(self, number: int = 0, main: tuple[int, int] = MAIN):
        self.number, self.main = number, main
        self._device: Any = None

    def open(self) -> None:
        """Start both streams."""
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
            # "RGB888" is what libcamera calls bytes in the order blue, green, red: OpenCV's.
            device.configure(
                device.create_video_configuration(
                    main={"size": self.main, "format": "RGB888"},
                    lores={"size": LORES, "format": "YUV420"},
                    buffer_count=4,
                )
            )
            device.start()
        except (AttributeError, IndexError, RuntimeError, OSError) as error:
            # AttributeError: a sensor that can't give these streams gets no configuration from libcamera.
            if device is not None:
                # Else it stays taken, and no later try can have it.
                device.close()
            raise CameraError(N_("the Pi's camera doesn't start: {error}"), error=error) from None
        self._device = device

    def read(self) -> Frame:
        """The next pair of frames, taken at the same moment."""
        if self._device is None:
            raise CameraError(N_("camera {name} gives no pictures any more"), name=self.name)
        try:
            (picture, planes), _metadata = self._device.capture_arrays(["main", "lores"])
        except (RuntimeError, OSError, TimeoutError) as error:
            raise CameraError(N_("the Pi's camera stopped: {error}"), error=error) from None
        # The first rows of YUV420 are the brightness; padding on the right is cut off.
        small = np.asarray(planes, np.uint8)[: LORES[1], : LORES[0]]
        return Frame(np.asarray(picture, np.uint8), time.monotonic(), small)

    def lock(self) -> None:
        """Hold focus, exposure and white balance as they are now, each where the module has it."""
        if self._device is None:
            return
        now = self._device.capture_metadata()
        offered = self._device.camera_controls
        controls: dict[str, object] = {}
        if "AfMode" in offered:
            # 0 is manual: stay at the lens position the autofocus found.
            controls["AfMode"] = 0
            if "LensPosition" in now:
                controls["LensPosition"] = now["LensPosition"]
        if "AeEnable" in offered and {"ExposureTime", "AnalogueGain"} <= set(now):
            controls |= {
                "AeEnable": False,
                "ExposureTime": now["ExposureTime"],
                "AnalogueGain": now["AnalogueGain"],
            }
        if "AwbEnable" in offered and "ColourGains" in now:
            controls |= {"AwbEnable": False, "ColourGains": now["ColourGains"]}
        if controls:
            self._device.set_controls(controls)

    def unlock(self) -> None:
        """Let focus, exposure and white balance find their own way again."""
        if self._device is None:
            return
        offered = self._device.camera_controls
        wanted = {"AfMode": 2, "AeEnable": True, "AwbEnable": True}
        controls = {name: value for name, value in wanted.items() if name in offered}
        if controls:
            self._device.set_controls(controls)

    def close(self) -> None:
        """Stop, and free the module for others."""
        if self._device is not None:
            device, self._device = self._device, None
            device.stop()
            device.close()
