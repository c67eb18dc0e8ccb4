"""What was seen in one picture: cards with a name, and card-shaped things without."""

from __future__ import annotations

import msgspec
import numpy as np
from msgspec import Struct

from vision.geometry import Points


class Detection(Struct, frozen=True):
    """A recognised card; corners from its own top left, clockwise, in pixels; turn clockwise in degrees.

    `visible_quads` are the parts of it that were seen, as quadrilaterals; the whole card where nearly all was.
    Of a card that looks the same `either_way` up, the turn is one of two. `others` are less likely names with their
    probabilities.
    """

    card: str
    face: str
    corners: Points
    turn: float
    confidence: float
    visible_share: float
    visible_quads: Points = np.zeros((0, 4, 2))
    either_way: bool = False
    others: tuple[tuple[str, float], ...] = ()

    def moved(self, shift: Points, factor: float = 1.0) -> Detection:
        """The same card in a picture that was shifted, and then made smaller or larger."""
        corners, visible_quads = (self.corners + shift) * factor, (self.visible_quads + shift) * factor
        return msgspec.structs.replace(self, corners=corners, visible_quads=visible_quads)


class UnknownDetection(Struct, frozen=True):
    """Something card-shaped without a name; `maybe` holds names it may have, likeliest first, `chances` how likely."""

    corners: Points
    maybe: tuple[str, ...] = ()
    chances: tuple[float, ...] = ()


class Detections(Struct, frozen=True):
    """All that was seen in one picture."""

    cards: tuple[Detection, ...] = ()
    unknown: tuple[UnknownDetection, ...] = ()

    @property
    def everything(self) -> tuple[Detection | UnknownDetection, ...]:
        """Cards with a name, then those without."""
        return (*self.cards, *self.unknown)
