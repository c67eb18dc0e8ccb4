"""From features to hypotheses: which enrolled face may lie where. Proposes only; `cells` decides."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from vision.features import Features
from vision.geometry import Array, Points

KEPT = 48  # dimensions that hold nearly all of the descriptors' variance
PROBES = 4
NEIGHBOURS = 4  # near-twins and repeated pips share a descriptor: one best match isn't enough
# Below this likeness (of centred, shortened descriptors) a match is hardly ever a true one: on generated
# scenes of another printing one true match in twenty lies below it, and nine false ones in ten.
ALIKE = 0.6


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
        a, b = np.nonzero(close > ALIKE)
        scene.append(who[a])
        row.append(b + first)
        likeness.append(close[a, b])
    if not scene:
        none = np.zeros(0, np.int64)
        return none, none, np.zeros(0, np.float32)
    return _best(np.concatenate(scene), np.concatenate(row), np.concatenate(likeness))


def _best(
    scene: npt.NDArray[np.int64], row: npt.NDArray[np.int64], likeness: Array
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Array]:
    """The few best rows of each scene feature, and never far worse than its best."""
    order = np.argsort(scene + (1 - likeness.astype(np.float64)) / 4)
    scene, row, likeness = scene[order], row[order], likeness[order]
    fresh = np.flatnonzero(np.diff(scene, prepend=-1))
    start = np.repeat(fresh, np.diff(np.append(fresh, len(scene))))
    rank = np.arange(len(scene)) - start
    keep = (rank < NEIGHBOURS) & (likeness > likeness[start] - 0.15)
    return scene[keep], row[keep], likeness[keep]


def hypotheses(bank: Bank, features: Features, smallest: float, largest: float) -> Iterator[Hypothesis]:
    """Poses by how many matches agree on them, best first; card widths in pixels bound the scale."""
    scene, row, likeness = matches(bank, features)
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
    ballot = Ballot(
        bank.face[row[fits]],
        likeness[fits],
        spots[fits, :2].astype(np.float64),
        features.points[scene[fits]],
        scale[fits],
        pose,
    )
    return _count(ballot) if len(pose) else iter(())


class Ballot(Struct, frozen=True):
    """Matches as votes: the face, the weight, the spot on the face and in the picture, the pose they imply."""

    face: npt.NDArray[np.int32]
    weight: Array
    source: Points
    target: Points
    scale: Array
    pose: Points


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


def _count(ballot: Ballot) -> Iterator[Hypothesis]:
    keys, match = _bins(ballot.face, ballot.pose)
    order = np.argsort(keys)
    keys, match = keys[order], match[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    votes = np.add.reduceat(ballot.weight[match], starts)
    ends = np.append(starts[1:], len(keys))
    used = np.zeros(len(ballot.face), bool)
    # One vote alone is no agreement.
    worth = np.flatnonzero(votes > 1.2)
    for bin_ in worth[np.argsort(-votes[worth], kind="stable")]:
        members = match[starts[bin_] : ends[bin_]]
        fresh = len(members) - int(used[members].sum())
        # A bin whose matches mostly spoke already for a neighbouring bin says nothing new.
        if fresh < 2 or fresh < 0.5 * len(members):
            continue
        used[members] = True
        hypothesis = _fit(ballot, members)
        if hypothesis is not None:
            yield hypothesis


def _fit(ballot: Ballot, members: npt.NDArray[np.int64]) -> Hypothesis | None:
    """A pose from the matches of a bin: turned and scaled by least squares, twice, then sheared where many."""
    source, target, weight = ballot.source[members], ballot.target[members], ballot.weight[members]
    if np.ptp(target, axis=0).max() < 2:
        return None
    scale = float(np.sort(ballot.scale[members])[len(members) // 2])
    reach = max(4.0, 0.08 * scale)
    keep = np.ones(len(members), bool)
    matrix = None
    for _ in range(3):
        matrix = _similarity(source[keep], target[keep], weight[keep])
        left = ((source @ matrix[:, :2].T + matrix[:, 2] - target) ** 2).sum(axis=1)
        keep = left <= max(reach**2, float(np.sort(left)[len(left) // 2]))
    if keep.sum() < 2:
        return None
    shrunk = float(np.linalg.det(matrix[:, :2]))
    if keep.sum() >= 8 and shrunk > 0:
        lifted = np.column_stack([source[keep], np.ones(int(keep.sum()))])
        sheared = np.linalg.lstsq(lifted, target[keep], rcond=None)[0].T
        if 0.3 < np.linalg.det(sheared[:, :2]) / shrunk < 3:
            matrix = sheared
    grown = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    if not 0.4 * scale < grown < 2.5 * scale:
        return None
    face = int(ballot.face[members[0]])
    return Hypothesis(face, np.vstack([matrix, [0, 0, 1.0]]), float(weight[keep].sum()))


def _similarity(source: Points, target: Points, weight: Array) -> Points:
    """The turn, scale and shift that best takes source to target."""
    share = weight / weight.sum()
    from_middle, to_middle = share @ source, share @ target
    a, b = source - from_middle, target - to_middle
    size = float(share @ (a**2).sum(axis=1)) + 1e-12
    cos = float(share @ (a * b).sum(axis=1)) / size
    sin = float(share @ (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])) / size
    spin = np.array([[cos, -sin], [sin, cos]])
    return np.column_stack([spin, to_middle - spin @ from_middle])
