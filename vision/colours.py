"""Whether the colours of a place are those of a face: asked where its drawing alone leaves a doubt.

Strangers often share a frame or a drawn figure with an enrolled card, and then their colours tell.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.cells import Templates
from vision.geometry import Array, Mask, Picture, Points

# Added to each channel, so that what is drawn dark has little colour rather than the camera's noise; and before light
# is evened out, so that a channel of which a lamp gives next to nothing isn't made of noise alone.
DARK, DARKEST = 0.06, 0.01
# The picture is looked at this much smaller, and each cell by so many samples across.
SMALLER, SAMPLES = 4, 3
# Cells whose colours differ by less than this (in logarithms) are grey: they tell nothing.
GREY = 0.1
# A true card's colours correlate by more than this even in another printing or a lamp's light, a stranger's by less.
EXPECTED = 0.5
# Of fewer cells the colours say too little.
FEWEST = 12


def of_face(picture: Picture, templates: Templates) -> Array:
    """The colour of each cell of a reference picture: (cell, channel)."""
    return _cells(_coloured(picture), templates)


def shrunk(picture: Picture) -> Picture:
    """A picture as small as it is looked at."""
    factor = 1 / SMALLER
    return cv2.resize(_coloured(picture), None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)


def of_place(small: Picture, matrix: Points, templates: Templates) -> Array:
    """The colour of each cell of a place in a shrunk picture; `matrix` maps template pixels to the full one."""
    step = templates.side / SAMPLES
    down = np.array([[1 / SMALLER, 0, -0.5], [0, 1 / SMALLER, -0.5], [0, 0, 1.0]])
    samples = np.array([[step, 0, step / 2], [0, step, step / 2], [0, 0, 1.0]])
    patch = cv2.warpPerspective(
        small,
        down @ matrix @ samples,
        (templates.columns * SAMPLES, templates.rows * SAMPLES),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return _cells(patch, templates)


def evidence(place: Array, face: Array, seen: Mask) -> float:
    """How much the colours seen at a place speak for a face, from -1.5 to 0.5; 0 where they say nothing."""
    if np.count_nonzero(seen) < FEWEST:
        return 0.0
    place, face = place[seen], face[seen]
    # A lamp has a colour and a strength of its own: they go with the mean of each channel.
    place = place * (face.mean(axis=0) / (place.mean(axis=0) + np.float32(DARKEST)))
    here, there = _ratios(place), _ratios(face)
    own, other = float((there**2).sum()), float((here**2).sum())
    alike = float((here * there).sum()) / max(float(np.sqrt(own * other)), 1e-9)
    # A pale face, or a place too dark for colours, says little.
    grey = GREY**2 * len(here)
    return own / (own + grey) * other / (other + grey) * (alike - EXPECTED)


def _coloured(picture: Picture) -> Picture:
    return cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR) if picture.ndim == 2 else picture


def _cells(picture: Picture, templates: Templates) -> Array:
    """The mean colour of each cell of an upright picture, from 0 to 1."""
    small = cv2.resize(picture, (templates.columns, templates.rows), interpolation=cv2.INTER_AREA)
    return np.asarray(small.reshape(-1, 3) / 255, np.float32)


def _ratios(cells: Array) -> Array:
    """Red and blue against green, as logarithms, and as they differ from the usual."""
    blue, green, red = np.moveaxis(cells + np.float32(DARK), 1, 0)
    ratios = np.column_stack([np.log(red / green), np.log(blue / green)])
    return np.asarray(ratios - np.median(ratios, axis=0), np.float32)
