"""What the recogniser knows of a deck: features and templates of every face. `learning` makes it."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from vision import cells, comparison, matching
from vision.detail import DetailedFace
from vision.geometry import Array, Counts, Points
from vision.tuning import COMPARISON


class Face(Struct, frozen=True):
    """One reference picture: the card and side it shows, and its own height over width.

    A face that looks the same `either_way` up, as most playing cards do, has no way up that could be told.
    """

    card: str
    face: str
    aspect: float
    either_way: bool = False


class Index(Struct, frozen=True):
    """Everything needed to recognise a deck's cards."""

    faces: tuple[Face, ...]
    bank: matching.Bank
    coarse: cells.Templates
    fine: cells.Templates
    aspect: float
    colours: Array  # (face, sample, channel), see `vision.colours`
    soft: cells.Templates  # the fine ones as a camera out of focus sees them
    cell_colours: Array  # the mean colour of each cell of the fine grid: (face, cell, channel)
    face_planes: comparison.FacePlaneStack
    thumbnails: Array  # thumbnails for a first ranking, see `comparison.thumbnail_vectors`
    ink_hues: Array  # (face): see `ink.of_faces`
    nearest_faces: Counts  # (face, rank): the faces most like each one
    nearest_distance: Array  # (face): how unlike the nearest of them is, as a share of what is drawn
    detailed: dict[int, DetailedFace] = {}  # each face that has near-twins


def has_paintings(index: Index) -> bool:
    """Whether a deck's faces are paintings: they are drawn all over, and most are like no other one.

    In a deck of numbers or symbols no face is a painting, however bold its symbols.
    """
    are_unlike = index.nearest_distance >= COMPARISON.min_distinctive_distance
    return bool(are_unlike.mean() >= COMPARISON.min_distinctive_share) and is_drawn_all_over(index)


def is_drawn_all_over(index: Index) -> bool:
    """Whether hardly a face of a deck has much bare paper."""
    drawn_shares = index.fine.texture.mean(axis=1)
    return bool((drawn_shares >= COMPARISON.min_drawn_share).mean() >= 0.9)


def to_unit(index: Index, templates: cells.Templates, face: int) -> Points:
    """The map from template pixels to a face's unit coordinates, in which its reference is 1 wide."""
    return np.diag([1 / templates.width, index.faces[face].aspect / templates.height, 1.0])


def from_unit(index: Index, templates: cells.Templates, face: int) -> Points:
    """The map back."""
    return np.diag([templates.width, templates.height / index.faces[face].aspect, 1.0])
