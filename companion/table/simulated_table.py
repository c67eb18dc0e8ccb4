"""The simulated table: a scene photographed by a simulated camera and read by the very eye that reads real ones."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import cv2
import numpy as np
from msgspec.structs import replace

from companion.table.eye import Eye
from companion.table.sight import Sight
from vision.calibration import DICTIONARY, MARKER_SIDE
from vision.changes import ChangeDetector
from vision.decks import Deck
from vision.detections import Detections, UnknownDetection
from vision.geometry import Picture
from vision.pictures import read_picture
from vision.reading import Reader
from vision.recognise import Recogniser
from vision.simulated import Conditions, Look, PinholeCamera, Scene, Truth, render
from vision.simulated.render import at_scale
from vision.tokens import TOKEN_WIDTH, draw_token

# A view settles after a few agreeing frames; more than this means that it never will.
FRAMES_TO_SETTLE = 12


def looks_of(deck: Deck, scale: float = math.inf) -> dict[tuple[str, str], Look]:
    """How every card of a deck looks, and the four markers; no larger than at a scale in pixels a millimetre."""
    looks = {
        (face.card, face.face): Look(
            at_scale(read_picture(face.pictures[0]), deck.width * scale), deck.width, deck.height
        )
        for face in deck.faces
    }
    for number in range(4):
        marker = cv2.cvtColor(cv2.aruco.generateImageMarker(DICTIONARY, number, 120), cv2.COLOR_GRAY2BGR)
        # Printed markers have a rim of white paper; on a dark table they couldn't be seen without.
        picture = cv2.copyMakeBorder(marker, 24, 24, 24, 24, cv2.BORDER_CONSTANT, value=(255, 255, 255))
        side = MARKER_SIDE * picture.shape[0] / marker.shape[0]
        looks[f"marker-{number}", ""] = Look(np.asarray(picture, np.uint8), side, side)
    return looks


def token_looks(tokens: Mapping[int, str]) -> dict[tuple[str, str], Look]:
    """How a game's tokens look."""
    return {
        (f"token-{name}", ""): Look(draw_token(number, 4.0), TOKEN_WIDTH, TOKEN_WIDTH)
        for number, name in tokens.items()
    }


Doubts = Callable[[str], "tuple[str, ...] | None"]
"""The cards that a card may be taken for, likeliest first, none for no idea; None for a card that is read."""


class DoubtingReader(Reader):
    """Reads as the real one does, but can't name some cards."""

    def __init__(self, recogniser: Recogniser, doubts: Doubts):
        super().__init__(recogniser)
        self._doubts = doubts

    def read(self, frame: Picture, changes: ChangeDetector | None = None) -> Detections:
        """The cards in a frame, doubtful ones without their names."""
        found = super().read(frame, changes)
        judged = [(seen, self._doubts(seen.card)) for seen in found.cards]
        unnamed = (UnknownDetection(seen.corners, maybe) for seen, maybe in judged if maybe is not None)
        return Detections(tuple(seen for seen, maybe in judged if maybe is None), (*found.unknown, *unnamed))


def some_doubts(deck: Deck, share: float, seed: int) -> Doubts:
    """Doubts about a share of a deck's cards, always the same ones; of half of them there's no idea at all."""
    names = sorted({face.card for face in deck.faces})
    rng = random.Random(f"doubts {seed}")
    doubted = rng.sample(names, round(share * len(names)))
    taken_for = {name: tuple(rng.sample([name, *rng.sample(names, 2)], 3)) for name in doubted[::2]}
    return lambda name: taken_for.get(name, ()) if name in doubted else None


class SimulatedTable:
    """A table in memory under a simulated camera. With doubts, its eye can't name some cards."""

    def __init__(
        self,
        game: str,
        options: Any,
        camera: PinholeCamera | None = None,
        conditions: Conditions | None = None,
        table: str = "white",
        seed: int = 1,
        doubts: Doubts | None = None,
    ):
        self.game, self.options = game, options
        self.doubts = doubts
        self.eye = self._woken()
        self.camera = camera or PinholeCamera(1024, 768, fill=0.97)
        self.conditions = conditions or Conditions()
        self.table, self.seed = table, seed
        self.picture: Picture | None = None
        self.truths: tuple[Truth, ...] = ()
        scale = self.camera.width * self.camera.fill / self.eye.layout.width
        self._looks = looks_of(self.eye.deck, scale) | token_looks(self.eye.tokens)
        self._scene: Scene | None = None
        self.lamp = 1.0

    def restart(self) -> None:
        """The eye after a power cut: it remembers nothing."""
        self.eye = self._woken()

    def _woken(self) -> Eye:
        if self.doubts is None:
            return Eye(self.game, self.options)
        return Eye(self.game, self.options, reader=partial(DoubtingReader, doubts=self.doubts))

    def light(self, share: float) -> None:
        """Have the lamp give only a share of its light."""
        self._scene, self.lamp = None, share

    def photograph(self, scene: Scene) -> Picture:
        """A picture of a scene."""
        if self.picture is None or scene != self._scene:
            self._scene = scene
            conditions = replace(self.conditions, light=self.conditions.light * self.lamp)
            taken = render(scene, self._looks, self.camera, conditions, self.table, self.seed)
            self.picture, self.truths = taken.picture, taken.cards
        return self.picture

    def look(self, picture: Picture) -> Sight:
        """What the eye makes of one frame."""
        return self.eye.look(picture)

    def watch(self, scene: Scene) -> list[Sight]:
        """What the eye makes of a scene, frame by frame, until it has settled."""
        picture = self.photograph(scene)
        sights = []
        for _ in range(FRAMES_TO_SETTLE):
            sights.append(self.look(picture))
            if not sights[-1].is_unsettled:
                break
        return sights
