"""Stands the pictures of a deck up: pictures may lie on their side or upside down, and the deck is the same."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from msgspec import Struct

from vision.decks.tuning import WAY_UP
from vision.geometry import Array, Mask, Picture
from vision.tuning import CELL, REFERENCE

# A picture is compared with the others at this many points across and down.
GRID = (16, 24)
LOGS: Array = np.log(np.arange(256, dtype=np.float32) / np.float32(255) + np.float32(CELL.dark_offset))


class Rotations(Struct, frozen=True):
    """How many quarters clockwise each picture is turned to stand up, and whether others told which end is the top."""

    quarters: tuple[int, ...]
    is_top_known: bool

    @property
    def lying(self) -> int:
        """How many pictures lie on their side."""
        return sum(number % 2 for number in self.quarters)

    @property
    def upside_down(self) -> int:
        """How many pictures stand on their head."""
        return sum(number == 2 for number in self.quarters)


class Ends:
    """Looks at the ends of pictures of one deck, one after the other."""

    def __init__(self) -> None:
        self._lying: list[bool] = []
        self._odd: list[Array] = []

    def add(self, picture: Picture) -> None:
        """Look at one more."""
        self._lying.append(picture.shape[1] > picture.shape[0])
        self._odd.append(_odd_part(turned(_small(picture), int(self._lying[-1]))))

    def rotations(self) -> Rotations:
        """How the pictures are turned to stand up, all with the same end on top.

        A picture that lies on its side has its left end for the top, unless those that stand tell otherwise: cards of
        one deck have their names, numbers and frames at the same places.
        """
        lies, alike = np.array(self._lying), _agreement(np.stack(self._odd))
        # All that lie are taken the same way first.
        is_top_known = bool(lies.any() and not lies.all()) and len(lies) >= WAY_UP.min_pictures
        side = np.where(lies, -1.0, 1.0) if is_top_known and alike[lies][:, ~lies].sum() < 0 else np.ones(len(lies))
        about = (side < 0) ^ _others_way_up(alike * side * side[:, None])
        quarters = tuple(int(lying) + 2 * int(flip) for lying, flip in zip(lies, about, strict=True))
        return Rotations(quarters, is_top_known)


def rotations(pictures: Iterable[Picture]) -> Rotations:
    """How the pictures of one deck are turned to stand up."""
    ends = Ends()
    for picture in pictures:
        ends.add(picture)
    return ends.rotations()


def turned(picture: Picture, quarters: int) -> Picture:
    """A picture turned clockwise by so many quarters."""
    return picture if quarters % 4 == 0 else np.ascontiguousarray(np.rot90(picture, -quarters))


def _small(picture: Picture) -> Picture:
    """A picture no larger than a card is looked at closely; a phone's photo has a thousand times the pixels."""
    factor = REFERENCE.fine_width_px / min(picture.shape[:2])
    if factor >= 1:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))


def _agreement(odd: Array) -> Array:
    """How well each two pictures agree in what differs between top and bottom: -1 to 1, 0 with itself."""
    # What is the same either way up says nothing; the rest changes its sign when a picture is turned about.
    odd /= np.maximum(np.linalg.norm(odd, axis=1, keepdims=True), 1e-6)
    alike = odd @ odd.T
    np.fill_diagonal(alike, 0)
    return np.asarray(alike)


def _others_way_up(alike: Array) -> Mask:
    """Which pictures are plainly the other way up than most."""
    if len(alike) < WAY_UP.min_pictures:
        return np.zeros(len(alike), bool)
    # The signs that make all agree best are those of the main axis.
    side = np.where(np.linalg.eigh(alike)[1][:, -1] >= 0, 1.0, -1.0)
    side *= 1.0 if side.sum() >= 0 else -1.0
    agreement = side * (alike @ side) / (len(alike) - 1)
    usual = float(np.median(agreement))
    return np.asarray((side < 0) & (usual > WAY_UP.min_agreement) & (agreement > WAY_UP.min_agreement_ratio * usual))


def _odd_part(picture: Picture) -> Array:
    """A small picture of a card less the same turned about, flattened; the light on it is left out."""
    # In logarithms a lamp that is nearer to one end only adds a slope, which would tell an end of a card that has none.
    light = cv2.LUT(picture, LOGS)
    small = _levelled(cv2.resize(light, GRID, interpolation=cv2.INTER_AREA))
    detail = cv2.Laplacian(light, cv2.CV_32F)
    busy = cv2.resize(np.abs(detail), GRID, interpolation=cv2.INTER_AREA).mean(axis=2)
    busy -= busy.mean()
    parts = [part / max(float(np.linalg.norm(part)), 1e-6) for part in (small, busy)]
    return np.concatenate([(part - part[::-1, ::-1]).ravel() for part in parts])


def _levelled(small: Array) -> Array:
    """A small picture without its mean and its slope in each channel."""
    rows, columns, channels = small.shape
    y, x = np.mgrid[:rows, :columns]
    slopes = np.column_stack([np.ones(rows * columns), x.ravel(), y.ravel()])
    flat = small.reshape(-1, channels)
    return np.asarray((flat - slopes @ np.linalg.lstsq(slopes, flat, rcond=None)[0]).reshape(small.shape))
