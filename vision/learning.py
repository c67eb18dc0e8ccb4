"""Learns a deck: from one or more reference pictures a face to what the recogniser knows of it."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from vision import cells, colours, comparison, features, identity, ink, matching, posterior, twins, upright
from vision.geometry import Array, Counts, Picture
from vision.index import Face, Index
from vision.tuning import COMPARISON, REFERENCE

# Width, side of a cell and blur of the coarse, the fine and the soft templates.
GRIDS = (
    (REFERENCE.coarse, 8, 0.0),
    (REFERENCE.fine, 12, REFERENCE.softness),
    (REFERENCE.fine, 12, REFERENCE.out_of_focus),
)


class LearntFace(Struct, frozen=True):
    """What is kept of one reference picture: its features, its cells on each of `GRIDS`, and its colours.

    Descriptors and planes are in half precision, for there may be hundreds of faces. `small` is the picture as wide as
    `vision.twins` needs it, `grey` the picture itself where it may be the same either way up.
    """

    face: Face
    features: features.Features
    cells: tuple[Array, ...]
    colours: Array
    full: Array
    low: Array
    small: Picture
    grey: Array | None


def build_index(faces: Iterable[tuple[str, str, Picture]], aspect: float | None = None) -> Index:
    """Learn faces from their reference pictures; `aspect` is the cards' true height over width.

    Pictures that lie on their side are stood up: the eye knows a card's outline by its short side on top. Where the
    aspect is given, one picture after the other is asked for, and none is kept.
    """
    if aspect is None:
        faces = list(faces)
        aspect = float(np.median([aspect_of(picture) for _card, _face, picture in faces]))
    shape = max(aspect, 1 / aspect)
    learnt = [_learnt(card, face, stood_up(picture), shape) for card, face, picture in faces]
    known, found, cut, tints, full, low, small, greys = map(
        list, zip(*map(msgspec.structs.astuple, learnt), strict=True)
    )
    # Each part is let go as soon as it's put together.
    learnt.clear()
    bank = matching.build(found, float(REFERENCE.width))
    grids = list(zip(*cut, strict=True))
    cut.clear()
    coarse, fine, soft = (cells.templates_of(grids.pop(0), width, side, shape) for width, side, _blur in GRIDS)
    tinted, looks = np.stack(tints), comparison.FacePlaneStack(np.stack(full), np.stack(low))
    full.clear()
    outlined = comparison.thumbnail_vectors(looks.low)
    index = Index(
        tuple(known),
        bank,
        coarse,
        fine,
        shape,
        tinted,
        soft,
        colours.in_cells(tinted, fine),
        looks,
        outlined,
        ink.of_faces(looks.low),
        *nearest_faces_of(outlined, known),
    )
    told = tuple(
        msgspec.structs.replace(face, either_way=grey is not None and _is_either_way(index, number, grey))
        for number, (face, grey) in enumerate(zip(known, greys, strict=True))
    )
    out_of_focus = msgspec.structs.replace(index, fine=soft)
    sharp = {
        number: upright.of_face(picture, picture.shape[1::-1]).astype(np.float16)
        for number, picture in enumerate(small)
        if not all(posterior.is_distinctive(each, number) for each in (index, out_of_focus))
    }
    return msgspec.structs.replace(index, faces=told, sharp=sharp)


def aspect_of(picture: Picture) -> float:
    """A picture's longer side over its shorter one."""
    return float(max(picture.shape[:2]) / min(picture.shape[:2]))


def _learnt(card: str, side: str, picture: Picture, shape: float) -> LearntFace:
    """What is kept of one reference picture."""
    small = _small(picture)
    # A margin lets features near the edge be described; what it shows is the edge itself, continued.
    pad = 12
    padded = cv2.copyMakeBorder(small, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    found = features.describe(features.find(np.asarray(padded, np.float32), REFERENCE.features))
    cut = tuple(cells.cells_of(small, width, side, shape, blur) for width, side, blur in GRIDS)
    width, cell, _blur = GRIDS[1]
    planes = upright.of_face(picture, (comparison.WIDTH, comparison.height_of(shape)))
    return LearntFace(
        Face(card, side, aspect_of(picture)),
        msgspec.structs.replace(
            found, points=found.points + (0.5 - pad), descriptors=found.descriptors.astype(np.float16)
        ),
        cut,
        colours.of_face(picture, width // cell, cells.height_of(width, cell, shape) // cell),
        planes.astype(np.float16),
        comparison.on_grid(comparison.blurred(planes, 1)),
        cv2.resize(picture, (twins.WIDTH, twins.height_of(shape)), interpolation=cv2.INTER_AREA),
        small if identity.may_be_either_way(cut[1]) else None,
    )


def _small(picture: Picture) -> Array:
    """A reference picture in grey, as wide as its features are looked for."""
    grey = features.luminance(picture)
    size = (REFERENCE.width, max(24, round(REFERENCE.width * grey.shape[0] / grey.shape[1])))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)


def stood_up(picture: Picture) -> Picture:
    """A picture with its short side on top: one that lies on its side, turned clockwise by a quarter."""
    tall, wide = picture.shape[:2]
    return picture if tall >= wide else np.ascontiguousarray(np.rot90(picture, -1))


def _is_either_way(index: Index, face: int, grey: Array) -> bool:
    """Whether even the reference picture itself doesn't tell which way up it is."""
    height, width = grey.shape
    pose = np.diag([width / index.fine.width, height / index.fine.height, 1.0])
    return identity.is_either_way(index, cells.levels_of(grey), face, pose)


def nearest_faces_of(outlined: Array, faces: list[Face]) -> tuple[Counts, Array]:
    """For each face the most similar faces of other cards, one printing of each, and how unlike the nearest is."""
    flat, spots = outlined.reshape(len(faces), -1), outlined.shape[1] * outlined.shape[2]
    power = np.einsum("ij,ij->i", flat, flat)
    away = np.maximum(power[:, None] + power - 2 * flat @ flat.T, 0) / (spots + 1)
    cards = np.array([face.card for face in faces])
    away[cards[:, None] == cards] = np.inf
    found, apart = [], []
    for far, drawn in zip(away, power / spots + 1e-6, strict=True):
        nearest: dict[tuple[str, str], int] = {}
        for number in np.argsort(far, kind="stable")[: np.count_nonzero(np.isfinite(far))].tolist():
            nearest.setdefault((faces[number].card, faces[number].face), number)
            if len(nearest) == COMPARISON.relatives:
                break
        found.append(list(nearest.values()))
        apart.append(min(2.0, float(far.min()) / drawn))
    fewest = min(map(len, found))
    return np.array([each[:fewest] for each in found], int), np.array(apart, np.float32)
