"""Any V4L2 or USB camera, through OpenCV."""

from __future__ import annotations

import time

import cv2
import numpy as np

from companion.text import N_
from vision.cameras.port import Frame
from vision.errors import CameraError


class UsbCamera:
    """A camera by its number: /dev/video0 is 0."""

    def __init__(self, number: int = 0, width: int = 1280, height: int = 960):
        self.number, self.width, self.height = number, width, height
        self.name = f"usb:{number}"
        self._device: cv2.VideoCapture | None = None

    def open(self) -> None:
        """Start the device at the wanted size; it may choose another."""
        device = cv2.VideoCapture(self.number, cv2.CAP_V4L2)
        if not device.isOpened():
            device.release()
            raise CameraError(N_("no camera {name}: is it plugged in, and may you use it?"), name=self.name)
        # Compressed frames, or a USB 2 bus carries a few a second only; and no stale ones.
        device.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))
        device.set(cv2.CAP_PROP_FRAME_WIDTH, self.width)
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, self.height)
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._device = device

    def read(self) -> Frame:
        """The next frame."""
        good, picture = self._device.read() if self._device is not None else (False, None)
        if not good or picture is None:
            raise CameraError(N_("camera {name} gives no pictures any more"), name=self.name)
        return Frame(np.asarray(picture, np.uint8), time.monotonic())

    def close(self) -> None:
        """Free the device."""
        if self._device is not None:
            self._device.release()
            self._device = None
