"""Learns a deck: from one or more reference pictures a face to what the recogniser knows of it."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np

from vision import cells, colours, comparison, features, identity, ink, matching, posterior, twins, upright
from vision.geometry import Array, Counts, Picture
from vision.index import Face, Index
from vision.tuning import COMPARISON, REFERENCE


def build_index(faces: list[tuple[str, str, Picture]], aspect: float | None = None) -> Index:
    """Learn faces from their reference pictures; `aspect` is the cards' true height over width.

    Pictures that lie on their side are stood up: the eye knows a card's outline by its short side on top.
    """
    faces = [(card, face, stood_up(picture)) for card, face, picture in faces]
    greys: list[Array] = []
    known: list[Face] = []
    found: list[features.Features] = []
    for card, face, picture in faces:
        grey = features.luminance(picture)
        own = grey.shape[0] / grey.shape[1]
        width = REFERENCE.width
        small = cv2.resize(grey, (width, max(24, round(width * own))), interpolation=cv2.INTER_AREA)
        # A margin lets features near the edge be described; what it shows is the edge itself, continued.
        pad = 12
        padded = cv2.copyMakeBorder(small, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
        all_found = features.describe(features.find(np.asarray(padded, np.float32), REFERENCE.features))
        found.append(msgspec.structs.replace(all_found, points=all_found.points + (0.5 - pad)))
        greys.append(np.asarray(small, np.float32))
        known.append(Face(card, face, own))
    shape = max(aspect, 1 / aspect) if aspect else float(np.median([f.aspect for f in known]))
    fine = cells.make_templates(greys, REFERENCE.fine, 12, shape, REFERENCE.softness)
    tinted = np.stack([colours.of_face(picture, fine) for _card, _face, picture in faces])
    size = (comparison.WIDTH, comparison.height_of(shape))
    looks = comparison.faces_of([upright.of_face(picture, size) for _card, _face, picture in faces])
    outlined = comparison.thumbnail_vectors(looks.low)
    index = Index(
        tuple(known),
        matching.build(found, [float(REFERENCE.width)] * len(found)),
        cells.make_templates(greys, REFERENCE.coarse, 8, shape),
        fine,
        shape,
        tinted,
        cells.make_templates(greys, REFERENCE.fine, 12, shape, REFERENCE.out_of_focus),
        colours.in_cells(tinted, fine),
        looks,
        outlined,
        ink.of_faces(looks.low),
        *nearest_faces_of(outlined, known),
    )
    told = tuple(
        msgspec.structs.replace(face, either_way=_is_either_way(index, number, grey))
        for number, (face, grey) in enumerate(zip(known, greys, strict=True))
    )
    sharp = {
        number: upright.of_face(picture, (twins.WIDTH, twins.height_of(shape)))[..., 0].astype(np.float16)
        for number, (_card, _face, picture) in enumerate(faces)
        if not posterior.is_distinctive(index, number)
    }
    return msgspec.structs.replace(index, faces=told, sharp=sharp)


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
    everywhere = np.ones(outlined.shape[1:3], np.float32)
    found, apart = [], []
    for own, face in zip(outlined, faces, strict=True):
        far = comparison.distances(own, outlined, everywhere)
        far[[other.card == face.card for other in faces]] = np.inf
        nearest: dict[tuple[str, str], int] = {}
        for number in np.argsort(far, kind="stable")[: np.count_nonzero(np.isfinite(far))].tolist():
            nearest.setdefault((faces[number].card, faces[number].face), number)
        drawn = float((own * own).sum(axis=2).mean()) + 1e-6
        found.append(list(nearest.values())[: COMPARISON.relatives])
        apart.append(min(2.0, float(far.min()) / drawn))
    fewest = min(map(len, found))
    return np.array([each[:fewest] for each in found], int), np.array(apart, np.float32)
