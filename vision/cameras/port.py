"""What every camera offers. Reading may block; `supervised` sees to it that nobody waits for it."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from vision.geometry import Picture


class Frame(Struct, frozen=True):
    """A picture, when it was taken (seconds), and a small one for seeing motion where the camera has it."""

    picture: Picture
    time: float
    small: Picture | None = None


class Camera(Protocol):
    """A source of frames."""

    name: str

    def open(self) -> None:
        """Start; raises CameraError if it can't."""

    def read(self) -> Frame:
        """The next frame; raises CameraError if there is none."""

    def close(self) -> None:
        """Stop, and free the device; safe to call twice."""
