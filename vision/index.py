"""What the recogniser knows of a deck: features and templates of every face, built once."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from vision import cells, features, matching
from vision.geometry import Array, Picture, Points

# Cards are seen 60 to 800 pixels wide; features of a 200 pixel wide reference cover that range of scales.
REFERENCE_WIDTH = 200
FEATURES_PER_FACE = 320
COARSE = 48
FINE = 96


class Face(Struct, frozen=True):
    """One reference picture: the card and side it shows, and its own height over width."""

    card: str
    face: str
    aspect: float


class Index(Struct, frozen=True):
    """Everything needed to recognise a deck's cards."""

    faces: tuple[Face, ...]
    bank: matching.Bank
    coarse: cells.Templates
    fine: cells.Templates
    aspect: float


def build_index(faces: list[tuple[str, str, Picture]], aspect: float | None = None) -> Index:
    """Learn faces from their reference pictures; `aspect` is the cards' true height over width."""
    greys: list[Array] = []
    known: list[Face] = []
    found: list[features.Features] = []
    for card, face, picture in faces:
        grey = features.luminance(picture)
        own = grey.shape[0] / grey.shape[1]
        width = REFERENCE_WIDTH
        small = cv2.resize(grey, (width, max(24, round(width * own))), interpolation=cv2.INTER_AREA)
        # A margin lets features near the edge be described; what it shows is the edge itself, continued.
        pad = 12
        padded = cv2.copyMakeBorder(small, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
        all_found = features.find(np.asarray(padded, np.float32), FEATURES_PER_FACE)
        found.append(msgspec.structs.replace(all_found, points=all_found.points + (0.5 - pad)))
        greys.append(np.asarray(small, np.float32))
        known.append(Face(card, face, own))
    shape = aspect or float(np.median([f.aspect for f in known]))
    return Index(
        tuple(known),
        matching.build(found, [float(REFERENCE_WIDTH)] * len(found)),
        cells.make_templates(greys, COARSE, 8, shape),
        cells.make_templates(greys, FINE, 12, shape),
        shape,
    )


def to_unit(index: Index, templates: cells.Templates, face: int) -> Points:
    """The map from template pixels to a face's unit coordinates, in which its reference is 1 wide."""
    return np.diag([1 / templates.width, index.faces[face].aspect / templates.height, 1.0])
