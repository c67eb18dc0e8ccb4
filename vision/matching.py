"""From features to hypotheses: which enrolled face may lie where. Proposes only; `cells` decides."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
from msgspec import Struct

from vision.features import Features
from vision.geometry import Array, Points

KEPT = 48  # dimensions that hold nearly all of the descriptors' variance
PROBES = 4
NEIGHBOURS = 4  # near-twins and repeated pips share a descriptor: one best match isn't enough
# Below this likeness two descriptors are no closer than those of unrelated spots (measured on generated
# scenes: unrelated nearest neighbours reach 0.87, true ones in another printing have a median of 0.92).
ALIKE = 0.84


class Bank(Struct, frozen=True):
    """The features of all enrolled faces in one searchable store.

    Rows are sorted by word; `starts[w]` is where word w begins. `face` says whose a row is, `spots` holds
    its position in units of the face's width, its size in the same unit and its angle.
    """

    mean: Array
    basis: Array
    words: Array
    starts: npt.NDArray[np.int64]
    rows: Array
    face: npt.NDArray[np.int32]
    spots: Array


class Hypothesis(Struct, frozen=True):
    """A face that may lie at a place: the map from its unit coordinates (width = 1) to the picture."""

    face: int
    matrix: Points
    votes: float


def build(found: list[Features], widths: list[float]) -> Bank:
    """Put the features of all faces into one bank; `widths` are the reference pictures' widths."""
    descriptors = np.concatenate([f.descriptors for f in found])
    face = np.concatenate([np.full(len(f), n, np.int32) for n, f in enumerate(found)])
    spots = np.concatenate(
        [
            np.column_stack([f.points / w, f.sizes / w, f.angles])
            for f, w in zip(found, widths, strict=True)
        ]
    ).astype(np.float32)
    mean = descriptors.mean(axis=0)
    centred = descriptors - mean
    _values, vectors = np.linalg.eigh(centred.T @ centred)
    basis = np.ascontiguousarray(vectors[:, ::-1][:, :KEPT].astype(np.float32))
    rows = _unit(centred @ basis)
    words = _words(rows)
    word = np.argmax(rows @ words.T, axis=1)
    order = np.argsort(word, kind="stable")
    starts = np.searchsorted(word[order], np.arange(len(words) + 1))
    return Bank(mean, basis, words, starts, rows[order], face[order], spots[order])


def _unit(rows: Array) -> Array:
    return np.asarray(rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9), np.float32)


def _words(rows: Array) -> Array:
    """Centres of a spherical k-means; a fixed start makes the index the same every time."""
    count = int(np.clip(len(rows) // 64, 1, 384))
    random = np.random.default_rng(7)
    sample = rows[random.permutation(len(rows))[:12000]]
    words = sample[:count].copy()
    for _ in range(6):
        nearest = np.argmax(sample @ words.T, axis=1)
        sums = np.zeros_like(words)
        np.add.at(sums, nearest, sample)
        empty = np.bincount(nearest, minlength=count) == 0
        words = np.where(empty[:, None], words, _unit(sums))
    return np.asarray(words, np.float32)


def matches(bank: Bank, features: Features) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Array]:
    """Pairs of scene feature and bank row that look alike, with their likeness."""
    rows = _unit((features.descriptors - bank.mean) @ bank.basis)
    probes = min(PROBES, len(bank.words))
    near = rows @ bank.words.T
    chosen = np.argpartition(-near, probes - 1, axis=1)[:, :probes]
    asker = np.repeat(np.arange(len(rows)), probes)
    order = np.argsort(chosen.ravel(), kind="stable")
    word, asker = chosen.ravel()[order], asker[order]
    edges = np.flatnonzero(np.diff(word, prepend=-1, append=-1))
    scene, row, likeness = [], [], []
    for begin, end in zip(edges[:-1], edges[1:], strict=True):
        first, last = bank.starts[word[begin]], bank.starts[word[begin] + 1]
        who = asker[begin:end]
        close = rows[who] @ bank.rows[first:last].T
        a, b = np.nonzero(close > ALIKE_WITHIN)
        scene.append(who[a])
        row.append(b + first)
        likeness.append(close[a, b])
    if not scene:
        none = np.zeros(0, np.int64)
        return none, none, np.zeros(0, np.float32)
    return _best(np.concatenate(scene), np.concatenate(row), np.concatenate(likeness), bank.face)


# Centred and shortened descriptors spread out: the same pairs that have 0.84 in full have about this here.
ALIKE_WITHIN = 0.5


def _best(
    scene: npt.NDArray[np.int64], row: npt.NDArray[np.int64], likeness: Array, face: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Array]:
    """The few best rows of each scene feature, and never far worse than its best."""
    order = np.lexsort((-likeness, scene))
    scene, row, likeness = scene[order], row[order], likeness[order]
    fresh = np.flatnonzero(np.diff(scene, prepend=-1))
    start = np.repeat(fresh, np.diff(np.append(fresh, len(scene))))
    rank = np.arange(len(scene)) - start
    keep = (rank < NEIGHBOURS) & (likeness > likeness[start] - 0.15)
    return scene[keep], row[keep], likeness[keep]


def hypotheses(bank: Bank, features: Features, smallest: float, largest: float, most: int) -> list[Hypothesis]:
    """The poses with the most agreeing matches, best first; card widths in pixels bound the scale."""
    scene, row, likeness = matches(bank, features)
    if not len(scene):
        return []
    spots = bank.spots[row]
    scale = features.sizes[scene] / spots[:, 2]
    angle = features.angles[scene] - spots[:, 3]
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    # Where the face's middle (0.5, 0.85 of the width) would lie.
    away_x, away_y = 0.5 - spots[:, 0], 0.85 - spots[:, 1]
    middle_x = features.points[scene, 0] + cos * away_x - sin * away_y
    middle_y = features.points[scene, 1] + sin * away_x + cos * away_y
    fits = (scale > smallest) & (scale < largest)
    pose = np.column_stack([np.log2(scale), np.mod(angle, 2 * np.pi), middle_x, middle_y])[fits]
    scene, row, weight, face = scene[fits], row[fits], likeness[fits], bank.face[row[fits]]
    return _vote(bank, features, scene, row, weight, face, pose, most)


ANGLE_BINS = 16
PLACE = 0.3  # bin size for the middle, in card widths


def _bins(face: npt.NDArray[np.int32], pose: Points) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Vote keys with each match in the two nearest bins of every dimension; and which match a key is of."""
    size = 2 ** np.round(pose[:, 0])  # the bin's own scale sets how far apart places are
    coordinates = np.column_stack(
        [
            pose[:, 0] * 1.0,
            pose[:, 1] * ANGLE_BINS / (2 * np.pi),
            pose[:, 2] / (size * PLACE),
            pose[:, 3] / (size * PLACE),
        ]
    )
    low = np.floor(coordinates - 0.5).astype(np.int64)
    keys = []
    for corner in range(16):
        at = low + [corner & 1, corner >> 1 & 1, corner >> 2 & 1, corner >> 3 & 1]
        key = face.astype(np.int64)
        key = key * 64 + (at[:, 0] + 16)
        key = key * ANGLE_BINS + at[:, 1] % ANGLE_BINS
        key = key * 4096 + (at[:, 2] + 1024)
        key = key * 4096 + (at[:, 3] + 1024)
        keys.append(key)
    return np.concatenate(keys), np.tile(np.arange(len(face)), 16)


def _vote(
    bank: Bank,
    features: Features,
    scene: npt.NDArray[np.int64],
    row: npt.NDArray[np.int64],
    weight: Array,
    face: npt.NDArray[np.int32],
    pose: Points,
    most: int,
) -> list[Hypothesis]:
    keys, match = _bins(face, pose)
    order = np.argsort(keys, kind="stable")
    keys, match = keys[order], match[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    votes = np.add.reduceat(weight[match], starts)
    ends = np.append(starts[1:], len(keys))
    found: list[Hypothesis] = []
    used = np.zeros(len(face), bool)
    for bin_ in np.argsort(-votes, kind="stable"):
        if len(found) >= most or votes[bin_] < 2 * ALIKE_WITHIN:
            break
        members = match[starts[bin_] : ends[bin_]]
        fresh = members[~used[members]]
        # A bin whose matches mostly spoke already for a neighbouring bin says nothing new.
        if len(fresh) < 2 or len(fresh) < 0.5 * len(members):
            continue
        hypothesis = _fit(bank, features, scene[members], row[members], weight[members], int(face[members[0]]))
        if hypothesis is not None:
            used[members] = True
            found.append(hypothesis)
    return found


def _fit(
    bank: Bank,
    features: Features,
    scene: npt.NDArray[np.int64],
    row: npt.NDArray[np.int64],
    weight: Array,
    face: int,
) -> Hypothesis | None:
    """A pose from the matches of a bin: affine where they are many, else the best single match's."""
    source = bank.spots[row, :2].astype(np.float64)
    target = features.points[scene]
    scale = np.median(features.sizes[scene] / bank.spots[row, 2])
    distinct = len(np.unique(np.round(target), axis=0))
    if distinct < 2:
        return None
    reach = max(3.0, 0.04 * float(scale))
    if distinct >= 5:
        matrix, inliers = cv2.estimateAffine2D(source, target, ransacReprojThreshold=reach, maxIters=200)
    else:
        matrix, inliers = cv2.estimateAffinePartial2D(source, target, ransacReprojThreshold=reach, maxIters=60)
    if matrix is None:
        return None
    inside = inliers.ravel() > 0
    grown = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    if not 0.4 * scale < grown < 2.5 * scale or np.linalg.det(matrix[:, :2]) <= 0:
        return None
    lifted = np.vstack([matrix, [0, 0, 1.0]])
    return Hypothesis(face, lifted, float(weight[inside].sum()))
