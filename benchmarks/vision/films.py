"""Films of a table that lies still: blur, glare and light are the same in each frame, the sensor's noise is another."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.geometry import Picture, Points, map_points
from vision.simulated import Conditions, Look, PinholeCamera, Scene, render
from vision.simulated.lights import expose
from vision.simulated.render import bulge_points, on_table


class Film(Struct):
    """A camera over a table; the same seed gives the same frames."""

    looks: Mapping[tuple[str, str], Look]
    camera: PinholeCamera
    conditions: Conditions
    table: str
    seed: int
    taken: int = 0

    def frames(self, scene: Scene, count: int) -> Iterator[Picture]:
        """So many frames of a scene."""
        how = self.conditions
        clean = Conditions(shade=0.0, blur=0.0, noise=0.0, jpeg=100, shadow=how.shadow)
        drawn = render(scene, self.looks, self.camera, clean, self.table, self.seed).picture
        steady = expose(drawn, replace(how, noise=0.0, jpeg=100), np.random.default_rng(self.seed))
        grain = Conditions(shade=0.0, blur=0.0, noise=how.noise / math.sqrt(max(how.light, 0.05)), jpeg=how.jpeg)
        for _ in range(count):
            self.taken += 1
            yield expose(steady, grain, np.random.default_rng([self.seed, self.taken]))

    def corners(self, scene: Scene) -> list[Points]:
        """Where the cards of a scene lie in the picture."""
        matrix = self.camera.matrix(scene)
        placed = [map_points(matrix, on_table(laid, self.looks[laid.card, laid.face])) for laid in scene.cards]
        return [bulge_points(corners, self.camera) for corners in placed]
