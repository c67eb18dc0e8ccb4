"""What the box and a camera's process say to each other."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from vision.cameras.port import SensorCrop


class Order(Struct, frozen=True):
    """What the camera shall do, and within how many seconds."""

    verb: Literal["load", "open", "read", "aim", "close"]
    limit: float
    part: SensorCrop = SensorCrop()


class Answer(Struct, frozen=True):
    """What came of it: the shapes of a frame in the shared memory, one picture after the other, or a problem."""

    problem: str = ""
    values: dict[str, str] = {}
    shapes: tuple[tuple[int, ...], ...] = ()
    time: float = 0.0
