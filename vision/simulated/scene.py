"""What lies on the simulated table and where its camera stands; values only, nothing is drawn here."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from vision.geometry import Points


class LaidCard(Struct, frozen=True):
    """A card on the table: its middle in millimetres, its turn clockwise, the side that shows.

    Cards later in a scene lie over earlier ones.
    """

    card: str
    x: float
    y: float
    turn: float = 0.0
    face: str = ""


class Scene(Struct, frozen=True):
    """The table in millimetres, its cards from the bottom up, and hands as points they reach to."""

    cards: tuple[LaidCard, ...] = ()
    width: float = 600.0
    height: float = 450.0
    hands: tuple[tuple[float, float], ...] = ()


class PinholeCamera(Struct, frozen=True):
    """A camera that looks at the middle of the table.

    `tilt` is the angle from straight down, `around` the side it stands on (0: the near, lower side),
    `bulge` a radial lens distortion (negative is barrel), `fill` how much of the picture the table takes.
    """

    width: int = 1280
    height: int = 960
    tilt: float = 0.0
    around: float = 0.0
    view: float = 50.0
    bulge: float = 0.0
    fill: float = 1.0

    def matrix(self, scene: Scene) -> Points:
        """The map from table millimetres to pixels, lens bulge left out."""
        focal = self.width / 2 / math.tan(math.radians(self.view) / 2)
        tilt, around = math.radians(self.tilt), math.radians(self.around)
        # Far enough that the whole table fits, whatever the tilt.
        distance = focal * max(scene.width / self.width, scene.height / self.height) / self.fill
        spin = np.array([[math.cos(around), math.sin(around), 0], [-math.sin(around), math.cos(around), 0], [0, 0, 1]])
        lean = np.array([[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]])
        rotation = lean @ spin
        middle = np.array([[1, 0, -scene.width / 2], [0, 1, -scene.height / 2], [0, 0, 1.0]])
        plane = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, distance]])
        # Table points farther from the camera must come out smaller and higher.
        plane[2, :2] *= -1
        intrinsics = np.array([[focal, 0, self.width / 2], [0, focal, self.height / 2], [0, 0, 1]])
        return np.asarray(intrinsics @ plane @ middle, np.float64)
