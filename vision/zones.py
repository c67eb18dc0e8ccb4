"""The zones of a game's table in millimetres, read from data; what they mean, the rules decide."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.text import N_
from vision.errors import VisionError


class Zone(Struct, frozen=True):
    """A named rectangle of the table."""

    name: str
    x: float
    y: float
    width: float
    height: float

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies in it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class Layout(Struct, frozen=True):
    """A table: its size between the outer corners of the markers, and its zones."""

    width: float
    height: float
    zone: tuple[Zone, ...]

    def zone_at(self, x: float, y: float) -> str:
        """The name of the zone at a point, or an empty string."""
        return next((zone.name for zone in self.zone if zone.holds(x, y)), "")


@cache
def load_layout(source: Path) -> Layout:
    """A layout from its file, which is read once."""
    try:
        return msgspec.toml.decode(source.read_bytes(), type=Layout)
    except FileNotFoundError:
        raise VisionError(N_("there is no table layout {path}"), path=source) from None
    except (OSError, msgspec.DecodeError) as error:
        raise VisionError(N_("{path} isn't right: {error}"), path=source, error=error) from None
