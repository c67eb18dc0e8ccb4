"""Where a camera goes: how high it must hang to see a table, and how many pixels a card then has.

Pinhole geometry of a camera that looks straight down at the middle of the table, its long side along the table's. The
picture is as large as the box asks of the camera; whatever of the sensor goes beyond that shape is cut off.
"""

from __future__ import annotations

import math
import re

from msgspec import Struct

from companion.text import N_
from vision.cameras.pi import MAIN
from vision.errors import VisionError

# What the box asks of a USB camera.
USB = (1280, 960)
# Room around the table for a camera that hangs a little askew.
ROOM = 1.06
# Widths of a card in pixels: from the first on names are wanted at all (`CARD.min_width_px` asks for 45 of them),
# the simulated tables have the second, and recall is measured from the third on.
SMALL, ENOUGH, GOOD = 55, 70, 100
POKER, TAROT = (63.0, 88.0), (70.0, 120.0)
FORM = re.compile(r"\s*(\d+(?:[.,]\d+)?)\s*[x×*]\s*(\d+(?:[.,]\d+)?)\s*", re.IGNORECASE)
# Tables one can play on, in centimetres.
SHORTEST, LONGEST = 20.0, 400.0


class CameraModel(Struct, frozen=True):
    """A camera that people can buy: how wide it sees, in degrees, and the picture that the box takes of it."""

    name: str
    across: float
    along: float
    picture: tuple[int, int]
    note: str


CAMERAS = (
    CameraModel("Camera Module 2", 62.2, 48.8, MAIN, N_("focus by hand")),
    CameraModel("Camera Module 3", 66.0, 41.0, MAIN, N_("focuses by itself")),
    CameraModel("Camera Module 3 Wide", 102.0, 67.0, MAIN, N_("bends straight lines near the edge")),
    CameraModel("USB, 70° x 43°", 70.4, 43.3, USB, N_("look up how wide yours sees")),
)
"""Angles from the makers' data sheets; the last is a usual 1080p web camera."""


class Mounting(Struct, frozen=True):
    """A camera over a table: its height, what it sees, both in millimetres, and pixels a millimetre."""

    camera: CameraModel
    height: float
    seen: tuple[float, float]
    density: float

    def width_of(self, card: tuple[float, float]) -> int:
        """How many pixels wide a card of this size is in the picture."""
        return math.floor(card[0] * self.density)

    def verdict(self, card: tuple[float, float]) -> str:
        """Whether that is enough to name cards by."""
        width = self.width_of(card)
        return next(said for least, said in VERDICTS if width >= least)


VERDICTS = (
    (GOOD, N_("good")),
    (ENOUGH, N_("enough")),
    (SMALL, N_("little")),
    (0, N_("too little")),
)


ADVICE = {
    VERDICTS[2][1]: N_("Little: lay cards apart and in good light, or play on a smaller part of the table."),
    VERDICTS[3][1]: N_("Too little: play on a smaller part of the table; the markers lie at its corners."),
}


class BadTable(VisionError):
    """A size of a table that isn't one."""


def table_size(text: str) -> tuple[float, float]:
    """A table's width and depth in millimetres, from centimetres as a person writes them. Raises `BadTable`.

    >>> table_size("84x60")
    (840.0, 600.0)
    """
    match = FORM.fullmatch(text)
    sides = [float(side.replace(",", ".")) for side in match.groups()] if match else []
    if not sides or not all(SHORTEST <= side <= LONGEST for side in sides):
        raise BadTable(N_("{size} isn't the size of a table: width and depth in centimetres, such as 84x60"), size=text)
    return max(sides) * 10, min(sides) * 10


def place(camera: CameraModel, table: tuple[float, float]) -> Mounting:
    """The lowest place from which the whole table is seen, with a little room."""
    width, height = camera.picture
    # Half of what is seen from a height of 1, across and along, once the sensor is cut to the picture's shape.
    across, along = math.tan(math.radians(camera.across / 2)), math.tan(math.radians(camera.along / 2))
    across, along = min(across, along * width / height), min(along, across * height / width)
    above = ROOM * max(table[0] / (2 * across), table[1] / (2 * along))
    seen = 2 * above * across, 2 * above * along
    return Mounting(camera, above, seen, width / seen[0])


def plan(table: tuple[float, float]) -> list[Mounting]:
    """Where each camera would go."""
    return [place(camera, table) for camera in CAMERAS]
