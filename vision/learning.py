"""Learns a deck: from one or more reference pictures a face to what the recogniser knows of it."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import msgspec
import numpy as np

from vision import cells, colours, comparison, detail, features, identity, ink, matching, upright
from vision.detail import DetailedFace
from vision.geometry import Array, Counts, Picture
from vision.index import Face, Index
from vision.tuning import COMPARISON, REFERENCE

# Width, side of a cell and blur of the coarse, the fine and the soft templates.
GRIDS = (
    (REFERENCE.coarse_width_px, 8, 0.0),
    (REFERENCE.fine_width_px, 12, REFERENCE.fine_blur_px),
    (REFERENCE.fine_width_px, 12, REFERENCE.soft_blur_px),
)


class Learning:
    """Learns faces one by one, straight into tables for all of them: there may be hundreds.

    Descriptors and planes are in half precision for the same reason. `shape` is the cards' height over width.
    """

    def __init__(self, count: int, shape: float):
        self.shape = shape
        self._faces: list[Face | None] = [None] * count
        self._features: list[features.Features | None] = [None] * count
        self._greys: list[Array | None] = [None] * count
        self._detail_pictures: list[Picture | None] = [None] * count
        self._tables: tuple[Array, ...] = ()

    def add(self, number: int, card: str, side: str, picture: Picture) -> None:
        """Learn a face from its reference picture; one that lies on its side is stood up."""
        picture = stood_up(picture)
        small = _small(picture)
        self._faces[number] = Face(card, side, aspect_of(picture))
        self._features[number] = _features(small)
        parts = _parts(picture, small, self.shape)
        if not self._tables:
            self._tables = tuple(np.empty((len(self._faces), *part.shape), part.dtype) for part in parts)
        for table, part in zip(self._tables, parts, strict=True):
            table[number] = part
        self._detail_pictures[number] = _detail_picture(picture, self.shape)
        self._greys[number] = small if identity.may_be_either_way(parts[1]) else None

    def index(self) -> Index:
        """What was learnt, put together; each part is let go as soon as it is."""
        *cut, tinted, full, low = self._tables
        self._tables = ()
        known = [face for face in self._faces if face is not None]
        found = [each for each in self._features if each is not None]
        self._features.clear()
        bank = matching.build(found, float(REFERENCE.feature_width_px))
        coarse, fine, soft = (
            cells.templates_of(table, width, side, self.shape)
            for table, (width, side, _blur) in zip(cut, GRIDS, strict=True)
        )
        looks, outlined = comparison.FacePlaneStack(full, low), comparison.thumbnail_vectors(low)
        index = Index(
            tuple(known),
            bank,
            coarse,
            fine,
            self.shape,
            tinted,
            soft,
            colours.in_cells(tinted, fine),
            looks,
            outlined,
            ink.of_faces(low),
            *nearest_faces_of(outlined, known),
        )
        faces = tuple(
            msgspec.structs.replace(face, either_way=grey is not None and _is_either_way(index, number, grey))
            for number, (face, grey) in enumerate(zip(known, self._greys, strict=True))
        )
        self._greys.clear()
        return msgspec.structs.replace(index, faces=faces, detailed=_detailed(index, self._detail_pictures))


def build_index(faces: Iterable[tuple[str, str, Picture]], aspect: float | None = None) -> Index:
    """Learn faces from their reference pictures; `aspect` is the cards' true height over width.

    Pictures that lie on their side are stood up: the eye knows a card's outline by its short side on top.
    """
    faces = list(faces)
    if aspect is None:
        aspect = float(np.median([aspect_of(picture) for _card, _face, picture in faces]))
    learning = Learning(len(faces), max(aspect, 1 / aspect))
    for number, (card, side, picture) in enumerate(faces):
        learning.add(number, card, side, picture)
    return learning.index()


def aspect_of(picture: Picture) -> float:
    """A picture's longer side over its shorter one."""
    return float(max(picture.shape[:2]) / min(picture.shape[:2]))


def _features(small: Array) -> features.Features:
    """The features of a reference picture in grey."""
    # A margin lets features near the edge be described; what it shows is the edge itself, continued.
    pad = 12
    padded = cv2.copyMakeBorder(small, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    found = features.describe(features.find(np.asarray(padded, np.float32), REFERENCE.max_features))
    return msgspec.structs.replace(
        found, points=found.points + (0.5 - pad), descriptors=found.descriptors.astype(np.float16)
    )


def _parts(picture: Picture, small: Array, shape: float) -> tuple[Array, ...]:
    """What is kept of a reference picture: its cells on each of `GRIDS`, its colours, its planes, these on the grid."""
    width, cell, _blur = GRIDS[1]
    planes = upright.of_face(picture, (comparison.COMPARISON_WIDTH, comparison.height_of(shape)))
    return (
        *(cells.cells_of(small, width, side, shape, blur) for width, side, blur in GRIDS),
        colours.of_face(picture, width // cell, cells.height_of(width, cell, shape) // cell),
        planes.astype(np.float16),
        comparison.on_grid(comparison.blurred(planes, 1)),
    )


def _detail_picture(picture: Picture, shape: float) -> Picture:
    """A reference picture in colour, as wide as `vision.detail` needs it."""
    coloured = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)) if picture.ndim == 2 else picture
    return colours.shrunk(coloured, (detail.DETAIL_WIDTH, detail.height_of(shape)))


def _detailed(index: Index, pictures: list[Picture | None]) -> dict[int, DetailedFace]:
    """The faces that have near-twins, in detail; each picture is let go as soon as its planes are known."""
    soft = msgspec.structs.replace(index, fine=index.soft)
    if index.has_paintings and soft.has_paintings:
        return {}
    planes: list[Array] = []
    for number, picture in enumerate(pictures):
        pictures[number] = None
        if picture is not None:
            planes.append(upright.planes_of(picture).astype(np.float16))
    return {
        number: detail.face_of(own, [planes[other] for other in index.nearest_faces[number].tolist()])
        for number, own in enumerate(planes)
    }


def _small(picture: Picture) -> Array:
    """A reference picture in grey, as wide as its features are looked for."""
    grey = features.luminance(picture)
    size = (REFERENCE.feature_width_px, max(24, round(REFERENCE.feature_width_px * grey.shape[0] / grey.shape[1])))
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
            if len(nearest) == COMPARISON.max_nearest_faces:
                break
        found.append(list(nearest.values()))
        apart.append(min(2.0, float(far.min()) / drawn))
    fewest = min(map(len, found))
    return np.array([each[:fewest] for each in found], int), np.array(apart, np.float32)
