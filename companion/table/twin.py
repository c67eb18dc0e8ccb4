"""The simulated table: a scene photographed by a simulated camera and read by the very eye that reads real ones."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from companion.table.eye import Eye
from companion.table.sight import Sight
from vision.calibration import DICTIONARY, MARKER_SIDE
from vision.decks import Deck
from vision.geometry import Picture
from vision.pictures import read_picture
from vision.simulated import Camera, Conditions, Look, Scene, render

# A view settles after a few agreeing frames; more than this means that it never will.
MOST_FRAMES = 12


def looks_of(deck: Deck) -> dict[tuple[str, str], Look]:
    """How every card of a deck looks, and the four markers."""
    looks = {
        (face.card, face.face): Look(read_picture(face.pictures[0]), deck.width, deck.height) for face in deck.faces
    }
    for number in range(4):
        picture = cv2.aruco.generateImageMarker(DICTIONARY, number, 120)
        looks[f"marker-{number}", ""] = Look(
            np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8), MARKER_SIDE, MARKER_SIDE
        )
    return looks


class Twin:
    """A table in memory under a simulated camera."""

    def __init__(self, game: str, options: Any, camera: Camera | None = None, conditions: Conditions | None = None):
        self.eye = Eye(game, options)
        self.camera = camera or Camera(1024, 768, fill=0.97)
        self.conditions = conditions or Conditions()
        self.picture: Picture | None = None
        self._looks = looks_of(self.eye.deck)
        self._scene: Scene | None = None

    def photograph(self, scene: Scene) -> Picture:
        """A picture of a scene."""
        if self.picture is None or scene != self._scene:
            self._scene = scene
            self.picture = render(scene, self._looks, self.camera, self.conditions, table="white", seed=1).picture
        return self.picture

    def watch(self, scene: Scene) -> list[Sight]:
        """What the eye makes of a scene, frame by frame, until it has settled."""
        picture = self.photograph(scene)
        sights = []
        for _ in range(MOST_FRAMES):
            sights.append(self.eye.look(picture))
            if not sights[-1].is_busy:
                break
        return sights
