"""What the recogniser knows of a deck: features and templates of every face. `learning` makes it."""

from __future__ import annotations

from functools import cached_property

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


class Index(Struct, frozen=True, dict=True):
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
    detailed: dict[int, DetailedFace] = {}  # each face, unless all are paintings however sharp they're seen

    @cached_property
    def has_paintings(self) -> bool:
        """Whether the faces are paintings: drawn all over, and most of them like no other one.

        In a deck of numbers or symbols they aren't, however bold.
        """
        are_unlike = self.nearest_distance >= COMPARISON.min_painting_distance
        return self.is_drawn_all_over and bool(are_unlike.mean() >= COMPARISON.min_painting_share)

    @cached_property
    def squared_thumbnails(self) -> Array:
        """The squares of all numbers of the thumbnails: (face, number)."""
        return np.square(self.thumbnails.reshape(len(self.thumbnails), -1))

    @cached_property
    def is_drawn_all_over(self) -> bool:
        """Whether hardly a face has much bare paper."""
        drawn_shares = self.fine.texture.mean(axis=1)
        return bool((drawn_shares >= COMPARISON.min_drawn_share).mean() >= COMPARISON.min_painted_faces)


def to_unit(index: Index, templates: cells.Templates, face: int) -> Points:
    """The map from template pixels to a face's unit coordinates, in which its reference is 1 wide."""
    return np.diag([1 / templates.width, index.faces[face].aspect / templates.height, 1.0])


def from_unit(index: Index, templates: cells.Templates, face: int) -> Points:
    """The map back."""
    return np.diag([templates.width, templates.height / index.faces[face].aspect, 1.0])
