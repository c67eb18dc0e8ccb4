"""The simulated table's camera: photographs a scene that others may change while it runs."""

from __future__ import annotations

import time
from collections.abc import Mapping

from companion.text import N_
from vision.cameras.port import Frame
from vision.errors import CameraError
from vision.simulated import Conditions, Look, PinholeCamera, Scene, render


class SimulatedCamera:
    """Frames of a scene; set `scene` to lay, move and take cards. Fresh noise in every frame."""

    name = "simulated"

    def __init__(
        self,
        looks: Mapping[tuple[str, str], Look],
        scene: Scene | None = None,
        pinhole: PinholeCamera | None = None,
        conditions: Conditions | None = None,
        table: str = "wood",
    ):
        self.looks, self.scene, self.pinhole = looks, scene or Scene(), pinhole or PinholeCamera()
        self.conditions, self.table = conditions or Conditions(), table
        self._open = False

    def open(self) -> None:
        """Nothing to start."""
        self._open = True

    def read(self) -> Frame:
        """A photo of the scene as it is now."""
        if not self._open:
            raise CameraError(N_("camera {name} gives no pictures any more"), name=self.name)
        # The table's grain must stay; a fixed seed holds light and noise still as well.
        shot = render(self.scene, self.looks, self.pinhole, self.conditions, self.table, seed=1)
        return Frame(shot.picture, time.monotonic())

    def close(self) -> None:
        """Nothing to stop."""
        self._open = False
