"""What every camera offers. Reading may block; `supervised` sees to it that nobody waits for it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from msgspec import Struct

from vision.geometry import Picture


class Frame(Struct, frozen=True):
    """A picture, when it was taken (seconds), and a small one for seeing motion where the camera has it."""

    picture: Picture
    time: float
    small: Picture | None = None


class SensorCrop(Struct, frozen=True):
    """A part of the whole picture: its upper left corner and its size, as shares of the picture's."""

    left: float = 0.0
    top: float = 0.0
    size: float = 1.0


class Camera(Protocol):
    """A source of frames."""

    name: str

    def open(self) -> None:
        """Start; raises CameraError if it can't."""

    def read(self) -> Frame:
        """The next frame; raises CameraError if there is none."""

    def close(self) -> None:
        """Stop, and free the device; safe to call twice."""


@runtime_checkable
class Aimable(Protocol):
    """A camera that can look more closely at a part of its picture."""

    def aim(self, part: SensorCrop) -> None:
        """Look at this part from now on, and hold focus, exposure and white balance as they are found there."""
