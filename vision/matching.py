"""From features to hypotheses: which enrolled face may lie where. Proposes only; `cells` decides."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from vision.features import Features
from vision.geometry import Array, Counts, Mask, Points

KEPT = 48  # dimensions that hold nearly all of the descriptors' variance
PROBES = 2
COPIES = 8  # as often a spot of a face may well be seen: copies of a card, pips
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
    starts: Counts
    rows: Array
    face: Counts
    spots: Array


class Hypothesis(Struct, frozen=True):
    """A face that may lie at a place: the map from its unit coordinates (width = 1) to the picture."""

    face: int
    matrix: Points
    votes: float
    spots: Points  # where in the picture its votes come from


def build(found: list[Features], widths: list[float]) -> Bank:
    """Put the features of all faces into one bank; `widths` are the reference pictures' widths."""
    descriptors = np.concatenate([f.descriptors for f in found])
    face = np.concatenate([np.full(len(f), n, np.int32) for n, f in enumerate(found)])
    spots = np.concatenate(
        [np.column_stack([f.points / w, f.sizes / w, f.angles]) for f, w in zip(found, widths, strict=True)]
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
    count = int(np.clip(len(rows) // 128, 1, 256))
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


def matches(bank: Bank, features: Features) -> tuple[Counts, Counts, Array]:
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
    for begin, end in itertools.pairwise(edges):
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


def _best(scene: Counts, row: Counts, likeness: Array) -> tuple[Counts, Counts, Array]:
    """The few best rows of each scene feature, and never far worse than its best."""
    order = np.argsort(scene + (1 - likeness.astype(np.float64)) / 4)
    scene, row, likeness = scene[order], row[order], likeness[order]
    fresh = np.flatnonzero(np.diff(scene, prepend=-1))
    start = np.repeat(fresh, np.diff(np.append(fresh, len(scene))))
    rank = np.arange(len(scene)) - start
    keep = (rank < NEIGHBOURS) & (likeness > likeness[start] - 0.15)
    return scene[keep], row[keep], likeness[keep]


class Ballot(Struct, frozen=True):
    """Matches as votes: face, weight, the spot on the face and in the picture, the pose they imply."""

    face: Counts
    weight: Array
    source: Points
    target: Points
    scale: Array
    pose: Points

    def only(self, wanted: Mask) -> Ballot:
        """The votes of some matches."""
        return Ballot(
            self.face[wanted],
            self.weight[wanted],
            self.source[wanted],
            self.target[wanted],
            self.scale[wanted],
            self.pose[wanted],
        )


def vote(bank: Bank, features: Features, smallest: float, largest: float) -> Ballot:
    """The votes of all matches for poses; card widths in pixels bound the scale."""
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
    face = bank.face[row[fits]]
    # Pips repeat on a card: all matches of one spot with one face share one vote.
    _pairs, which, often = np.unique(scene[fits] * len(bank.face) + face, return_inverse=True, return_counts=True)
    # A spot of a face that is seen all over the picture is the pattern of a table cloth.
    seen = np.bincount(row[fits], minlength=1)[row[fits]]
    return Ballot(
        face,
        # A barely alike match is nearly always false: it weighs little.
        np.clip((likeness[fits] - ALIKE) / (1 - ALIKE) * 2, 0.1, 1)
        / np.sqrt(often[which])
        * np.minimum(1, COPIES / seen),
        spots[fits, :2].astype(np.float64),
        features.points[scene[fits]],
        scale[fits],
        pose,
    )


ANGLE_BINS = 16
PLACE = 0.3  # bin size for the middle, in card widths
NEAR = 0.1  # votes agree within this many card widths: a slanting view bends a card by about as much
LEAST_VOTES = 0.6
MOST_BINS = 1500


def _bins(face: Counts, pose: Points) -> tuple[Counts, Counts]:
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
        at = low + np.array([corner & 1, corner >> 1 & 1, corner >> 2 & 1, corner >> 3 & 1])
        key: Counts = face.astype(np.int64)
        key = key * 64 + (at[:, 0] + 16)
        key = key * ANGLE_BINS + at[:, 1] % ANGLE_BINS
        key = key * 4096 + (at[:, 2] + 1024)
        key = key * 4096 + (at[:, 3] + 1024)
        keys.append(key)
    return np.concatenate(keys), np.tile(np.arange(len(face)), 16)


def hypotheses(ballot: Ballot) -> Iterator[Hypothesis]:
    """Poses by how many votes agree on them, best first."""
    if not len(ballot.face):
        return
    keys, match = _bins(ballot.face, ballot.pose)
    order = np.argsort(keys)
    keys, match = keys[order], match[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    sizes = np.diff(np.append(starts, len(keys)))
    # One vote alone is no agreement; and of the many bins with a few, the fullest hold every card.
    mass = np.add.reduceat(ballot.weight[match], starts)
    crowded = (sizes >= 2) & (mass >= LEAST_VOTES)
    if crowded.sum() > MOST_BINS:
        crowded &= mass >= np.partition(mass[crowded], -MOST_BINS)[-MOST_BINS]
    member = np.repeat(crowded, sizes)
    match, sizes = match[member], sizes[crowded]
    if not len(sizes):
        return
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    poses, agreeing, votes = _fit_all(ballot, match, starts, sizes)
    used = np.zeros(len(ballot.face), bool)
    for bin_ in np.argsort(-votes, kind="stable"):
        if votes[bin_] < LEAST_VOTES:
            return
        mine = slice(starts[bin_], starts[bin_] + sizes[bin_])
        members = match[mine][agreeing[mine]]
        fresh = len(members) - int(used[members].sum())
        # A bin whose matches mostly spoke already for a neighbouring bin says nothing new.
        if fresh < 2 or fresh < 0.5 * len(members):
            continue
        used[members] = True
        pose = _sheared(ballot, members, poses[bin_])
        yield Hypothesis(int(ballot.face[members[0]]), pose, float(votes[bin_]), ballot.target[members])


def _fit_all(ballot: Ballot, match: Counts, starts: Counts, sizes: Counts) -> tuple[Points, Mask, Array]:
    """For every bin at once: the turn, scale and shift of its votes, which of them agree, and their sum."""
    source, target, weight = (
        ballot.source[match],
        ballot.target[match],
        ballot.weight[match].astype(np.float64),
    )
    segment = np.repeat(np.arange(len(sizes)), sizes)

    def total(values: Points) -> Points:
        return np.asarray(np.add.reduceat(values, starts, axis=0), np.float64)

    agreeing = np.ones(len(match), bool)
    for _ in range(3):
        share = weight * agreeing
        mass = total(share) + 1e-9
        from_middle = total(share[:, None] * source) / mass[:, None]
        to_middle = total(share[:, None] * target) / mass[:, None]
        a, b = source - from_middle[segment], target - to_middle[segment]
        spread = total(share * (a**2).sum(axis=1)) / mass + 1e-9
        cos = total(share * (a * b).sum(axis=1)) / mass / spread
        sin = total(share * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])) / mass / spread
        c, s = cos[segment], sin[segment]
        off = (c * a[:, 0] - s * a[:, 1] - b[:, 0]) ** 2 + (s * a[:, 0] + c * a[:, 1] - b[:, 1]) ** 2
        agreeing = off < np.maximum(16.0, NEAR**2 * (c**2 + s**2))
    votes = total(weight * agreeing)
    # Votes from one spot, or a size other than the votes' own, are no pose.
    implied = total(ballot.scale[match].astype(np.float64)) / sizes
    grown = np.hypot(cos, sin)
    votes[(spread < 0.02**2) | (grown < 0.5 * implied) | (grown > 2 * implied)] = 0
    zero, one = np.zeros_like(cos), np.ones_like(cos)
    shift_x = to_middle[:, 0] - cos * from_middle[:, 0] + sin * from_middle[:, 1]
    shift_y = to_middle[:, 1] - sin * from_middle[:, 0] - cos * from_middle[:, 1]
    poses = np.stack([cos, -sin, shift_x, sin, cos, shift_y, zero, zero, one], axis=1).reshape(-1, 3, 3)
    return poses, agreeing, votes.astype(np.float32)


def _sheared(ballot: Ballot, members: Counts, pose: Points) -> Points:
    """The pose with the shear of a slanting view, where votes are enough to tell."""
    if len(members) < 6:
        return pose
    lifted = np.column_stack([ballot.source[members], np.ones(len(members))])
    sheared = np.linalg.lstsq(lifted, ballot.target[members], rcond=None)[0].T
    if not 0.3 < np.linalg.det(sheared[:, :2]) / np.linalg.det(pose[:2, :2]) < 3:
        return pose
    return np.vstack([sheared, [0, 0, 1.0]])
