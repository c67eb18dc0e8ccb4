"""Cards cut out of a picture in colour, upright, as if their paper were white: what the comparison sees."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.colours import LINEAR, TO_LAB, TO_XYZ, ColourPyramid, paper, shrunk
from vision.geometry import Array, Mask, Picture, Points, magnification, sampled
from vision.tuning import COLOUR, COMPARISON


def cut(picture: ColourPyramid, matrix: Points, size: tuple[int, int]) -> Picture:
    """A card upright; `matrix` maps a rectangle of this width and height to the picture."""
    factor = 2 ** min(math.floor(math.log2(max(magnification(matrix), 1.0)) + 0.4), 5)
    down = np.array([[1 / factor, 0, -0.5], [0, 1 / factor, -0.5], [0, 0, 1.0]])
    middle = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    return sampled(picture.shrunk(factor), down @ matrix @ middle, size)


def of_face(picture: Picture, size: tuple[int, int]) -> Array:
    """A reference picture as the comparison sees it, in this width and height."""
    coloured = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR) if picture.ndim == 2 else picture
    return planes_of(shrunk(coloured, size))


def planes_of(upright: Picture, shows: Mask | None = None) -> Array:
    """An upright picture as if the paper that shows were white: (row, column, channel).

    CIELAB in hundreds of its units, but that lightness is proportional to that of the lamp.
    """
    light = np.asarray(cv2.LUT(upright, LINEAR))
    step = COMPARISON.paper_sample_step_px
    samples = light[1::step, 1::step].reshape(-1, 3)
    if shows is not None:
        showing = shows[1::step, 1::step].ravel()
        is_enough = COMPARISON.min_paper_samples <= np.count_nonzero(showing) < len(samples)
        samples = samples[showing] if is_enough else samples
    # A trace of light in what is black, so that its noise has no colour.
    to_xyz = np.column_stack([TO_XYZ / paper(samples), np.full(3, COLOUR.black_offset, np.float32)])
    return np.asarray(cv2.transform(cv2.pow(cv2.transform(light, to_xyz), 1 / 3), TO_LAB[:, :3]))
