"""From features to hypotheses: which enrolled face may lie where. Proposes only; `cells` decides."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from vision.features import DESCRIPTOR, Features
from vision.geometry import Array, Counts, Mask, Points, single
from vision.tuning import VOTE

# Where votes meet, in widths of the face: about its middle, and any one spot would do as it's the same for all votes.
MIDDLE = (0.5, 0.85)


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


class PoseHypothesis(Struct, frozen=True):
    """A face that may lie at a place by votes; `unit_pose` maps its unit coordinates (width = 1) to the picture."""

    face: int
    unit_pose: Points
    votes: Counts  # of the vote_table


def build(found: list[Features], width: float) -> Bank:
    """Put the features of all faces into one bank, taking them from the list; `width` is that of the references."""
    face = np.concatenate([np.full(len(f), n, np.int32) for n, f in enumerate(found)])
    spots = np.concatenate(
        [np.column_stack([f.points / width, f.sizes / width, f.angles]).astype(np.float32) for f in found]
    )
    # Face by face, for all descriptors at once and their copies would take several times the memory of the bank.
    mean = np.sum([single(f.descriptors).sum(axis=0, dtype=np.float64) for f in found], axis=0) / len(face)
    mean = mean.astype(np.float32)
    square = np.zeros((DESCRIPTOR, DESCRIPTOR))
    for each in found:
        centred = single(each.descriptors) - mean
        square += centred.T @ centred
    _values, vectors = np.linalg.eigh(square)
    basis = np.ascontiguousarray(vectors[:, ::-1][:, : VOTE.descriptor_dimensions].astype(np.float32))
    rows, begin = np.empty((len(face), VOTE.descriptor_dimensions), np.float32), 0
    faces = len(found)
    while found:
        each = found.pop(0)
        rows[begin : begin + len(each)] = _unit((single(each.descriptors) - mean) @ basis)
        begin += len(each)
    words = _words(rows)
    word = np.concatenate([np.argmax(part @ words.T, axis=1) for part in np.array_split(rows, faces)])
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
    probes = min(VOTE.probed_words, len(bank.words))
    near = rows @ bank.words.T
    chosen = _nearest(near, probes)
    order = np.argsort(chosen.ravel(), kind="stable")
    word, asker = chosen.ravel()[order], order // probes
    # Each feature is compared with all rows of its words; `close` has their likeness, one stretch after the other.
    first, sizes = bank.starts[word], np.diff(bank.starts)[word]
    ends = np.cumsum(sizes)
    begins = ends - sizes
    close = np.empty(int(sizes.sum()), np.float32)
    askers = rows[asker]
    edges = np.flatnonzero(np.diff(word, prepend=-1, append=-1))
    for one, other in itertools.pairwise(edges.tolist()):
        held = bank.rows[first[one] : first[one] + sizes[one]]
        np.dot(askers[one:other], held.T, out=close[begins[one] : ends[other - 1]].reshape(other - one, -1))
    held_any = sizes > 0
    best = np.full(len(rows), VOTE.min_cosine + VOTE.max_cosine_gap, np.float32)
    np.maximum.at(best, asker[held_any], np.maximum.reduceat(close, begins[held_any]) if len(close) else [])
    at = np.flatnonzero(close > np.repeat(best[asker] - np.float32(VOTE.max_cosine_gap), sizes))
    stretch = np.searchsorted(ends, at, side="right")
    return _best(asker[stretch], at + (first - begins)[stretch], close[at])


def _nearest(near: Array, count: int) -> Counts:
    """The columns of the largest values in each row."""
    rows, left = np.arange(len(near)), near.copy()
    chosen = np.empty((len(near), count), np.int64)
    for number in range(count):
        chosen[:, number] = left.argmax(axis=1)
        left[rows, chosen[:, number]] = -np.inf
    return chosen


def _best(scene: Counts, row: Counts, likeness: Array) -> tuple[Counts, Counts, Array]:
    """The few best rows of each scene feature."""
    order = np.argsort(scene + (1 - likeness.astype(np.float64)) / 4)
    scene, row, likeness = scene[order], row[order], likeness[order]
    fresh = np.flatnonzero(np.diff(scene, prepend=-1))
    start = np.repeat(fresh, np.diff(np.append(fresh, len(scene))))
    rank = np.arange(len(scene)) - start
    keep = rank < VOTE.max_neighbours
    return scene[keep], row[keep], likeness[keep]


class VoteTable(Struct, frozen=True):
    """Matches as votes: face, weight, the spot on the face and in the picture, the pose they imply.

    Of that pose `pose` has the logarithm of the card's width to base 2, its angle, and x and y of its middle.
    """

    face: Counts
    weight: Array
    source: Points
    target: Points
    scale: Array
    pose: Points

    def only(self, wanted: Mask) -> VoteTable:
        """The votes of some matches."""
        return VoteTable(
            self.face[wanted],
            self.weight[wanted],
            self.source[wanted],
            self.target[wanted],
            self.scale[wanted],
            self.pose[wanted],
        )


def vote(bank: Bank, features: Features, smallest: float, largest: float) -> VoteTable:
    """The votes of all matches for poses; card widths in pixels bound the scale."""
    scene, row, likeness = matches(bank, features)
    spots = bank.spots[row]
    scale = features.sizes[scene] / spots[:, 2]
    angle = features.angles[scene] - spots[:, 3]
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    away_x, away_y = MIDDLE[0] - spots[:, 0], MIDDLE[1] - spots[:, 1]
    middle_x = features.points[scene, 0] + cos * away_x - sin * away_y
    middle_y = features.points[scene, 1] + sin * away_x + cos * away_y
    fits = (scale > smallest) & (scale < largest)
    pose = np.column_stack([np.log2(scale), np.mod(angle, 2 * np.pi), middle_x, middle_y])[fits]
    face = bank.face[row[fits]]
    # Pips repeat on a card: all matches of one spot with one face share one vote.
    _pairs, which, often = np.unique(scene[fits] * len(bank.face) + face, return_inverse=True, return_counts=True)
    # A spot of a face that is seen all over the picture is the pattern of a table cloth.
    seen = np.bincount(row[fits], minlength=1)[row[fits]]
    return VoteTable(
        face,
        # A barely alike match is nearly always false: it weighs little.
        np.clip((likeness[fits] - VOTE.min_cosine) / (1 - VOTE.min_cosine) * 2, 0.1, 1)
        / np.sqrt(often[which])
        * np.minimum(1, VOTE.max_spot_repeats / seen),
        spots[fits, :2].astype(np.float64),
        features.points[scene[fits]],
        scale[fits],
        pose,
    )


CHUNK_BINS = 64
TO_COMPLEX = np.array([1, 1j])


def _bins(face: Counts, pose: Points) -> tuple[Counts, Counts]:
    """Vote keys with each match in the two nearest bins of every dimension; and which match a key is of."""
    size = 2 ** np.round(pose[:, 0])  # the bin's own scale sets how far apart places are
    coordinates = np.column_stack(
        [
            pose[:, 0] * 1.0,
            pose[:, 1] * VOTE.angle_bins / (2 * np.pi),
            pose[:, 2] / (size * VOTE.position_bin_widths),
            pose[:, 3] / (size * VOTE.position_bin_widths),
        ]
    )
    low = np.floor(coordinates - 0.5).astype(np.int64).T
    # The two nearest bins of every dimension: (bin, match).
    size_bins, angle_bins, across, down = low[:, None] + np.array([[0], [1]])
    keys: Counts = face.astype(np.int64) * 64 + (size_bins + 16)
    keys = keys * VOTE.angle_bins + (angle_bins % VOTE.angle_bins)[:, None]
    keys = keys * 4096 + (across + 1024)[:, None, None]
    keys = keys * 4096 + (down + 1024)[:, None, None, None]
    return keys.ravel(), np.tile(np.arange(len(face)), 16)


def _grouped(keys: Counts) -> tuple[Counts, Counts]:
    """An order in which equal keys follow one another, and where each run of them begins."""
    # Two passes over 16 bits of a hash sort faster than the keys themselves. Fibonacci hashing: the golden ratio's
    # bits spread keys that lie close together. That two of some thousand keys share all 32 bits hardly happens, and
    # then their votes still don't agree.
    mixed = (keys.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)
    low, high = mixed.astype(np.uint16), (mixed >> np.uint64(16)).astype(np.uint16)
    order = np.argsort(low, kind="stable")
    order = order[np.argsort(high[order], kind="stable")]
    return order, np.flatnonzero(np.diff(keys[order], prepend=-1))


def hypotheses(vote_table: VoteTable) -> Iterator[PoseHypothesis]:
    """Poses by how many votes agree on them, best first."""
    if not len(vote_table.face):
        return
    keys, match = _bins(vote_table.face, vote_table.pose)
    order, starts = _grouped(keys)
    match = match[order]
    sizes = np.diff(np.append(starts, len(match)))
    # A single vote agrees with nothing, and the fullest of the many bins hold every card.
    mass = np.add.reduceat(vote_table.weight[match], starts)
    crowded = np.flatnonzero((sizes >= 2) & (mass >= VOTE.min_votes))
    if len(crowded) > VOTE.max_bins:
        crowded = crowded[mass[crowded] >= np.partition(mass[crowded], -VOTE.max_bins)[-VOTE.max_bins]]
    if not len(crowded):
        return
    match, starts = _fused(match, starts[crowded], sizes[crowded])
    poses, agreeing, votes = _fit_all(vote_table, match, starts, sizes[crowded])
    match, sizes = match[agreeing], np.add.reduceat(agreeing, starts, dtype=np.int64)
    ranked = np.argsort(-votes, kind="stable")[: int((votes >= VOTE.min_votes).sum())]
    match, starts = _fused(match, (np.cumsum(sizes) - sizes)[ranked], sizes[ranked])
    for number, members in _saying_something_new(match, starts, len(vote_table.face)):
        yield PoseHypothesis(int(vote_table.face[members[0]]), poses[ranked[number]], members)


def _fused(rows: Counts, starts: Counts, sizes: Counts) -> tuple[Counts, Counts]:
    """Some stretches of rows one after the other, and where each begins there."""
    fresh = np.cumsum(sizes) - sizes
    return rows[np.arange(sizes.sum()) + np.repeat(starts - fresh, sizes)], fresh


def _saying_something_new(match: Counts, starts: Counts, votes: int) -> Iterator[tuple[int, Counts]]:
    """Those bins, and their matches, whose matches didn't mostly speak already for a bin before."""
    fresh = np.ones(votes, bool)
    edges = np.append(starts, len(match))
    for begin in range(0, len(starts), CHUNK_BINS):
        end = min(begin + CHUNK_BINS, len(starts))
        # Most bins are neighbours of one that was given before: many are ruled out at once.
        sizes = np.diff(edges[begin : end + 1])
        new = np.add.reduceat(fresh[match[edges[begin] : edges[end]]], edges[begin:end] - edges[begin], dtype=np.int64)
        for number in np.flatnonzero((new >= 2) & (new >= 0.5 * sizes)) + begin:
            members = match[edges[number] : edges[number + 1]]
            still = int(fresh[members].sum())
            if still >= 2 and still >= 0.5 * len(members):
                fresh[members] = False
                yield int(number), members


def _fit_all(vote_table: VoteTable, match: Counts, starts: Counts, sizes: Counts) -> tuple[Points, Mask, Array]:
    """For every bin at once: the turn, scale and shift of its votes, which of them agree, and their sum."""
    # As complex numbers a turn with a scale is one factor.
    source, target = vote_table.source[match] @ TO_COMPLEX, vote_table.target[match] @ TO_COMPLEX
    weight = vote_table.weight[match].astype(np.float64)
    segment = np.repeat(np.arange(len(sizes)), sizes)

    def total(values: Points) -> Points:
        return np.asarray(np.add.reduceat(values, starts))

    agreeing = np.ones(len(match), bool)
    for _ in range(3):
        share = weight * agreeing
        mass = total(share) + 1e-9
        from_middle, to_middle = total(share * source) / mass, total(share * target) / mass
        a, b = source - from_middle[segment], target - to_middle[segment]
        spread = total(share * _square(a)) / mass + 1e-9
        turn = total(share * a.conj() * b) / mass / spread
        agreeing = _square(turn[segment] * a - b) < np.maximum(16.0, VOTE.inlier_widths**2 * _square(turn))[segment]
    votes = total(weight * agreeing)
    # Votes from one spot, or a size other than the votes' own, are no pose.
    implied = total(vote_table.scale[match].astype(np.float64)) / sizes
    grown = np.abs(turn)
    votes[(spread < 0.02**2) | (grown < 0.5 * implied) | (grown > 2 * implied)] = 0
    shift = to_middle - turn * from_middle
    zero, one = np.zeros_like(grown), np.ones_like(grown)
    poses = [turn.real, -turn.imag, shift.real, turn.imag, turn.real, shift.imag, zero, zero, one]
    return np.stack(poses, axis=1).reshape(-1, 3, 3), agreeing, votes.astype(np.float32)


def _square(numbers: Points) -> Points:
    """The squared size of complex numbers."""
    return np.asarray(numbers.real**2 + numbers.imag**2)


def sheared(vote_table: VoteTable, hypothesis: PoseHypothesis) -> Points:
    """The pose of a hypothesis, with the shear of a slanting view where it has enough votes for that."""
    if len(hypothesis.votes) < 6:
        return hypothesis.unit_pose
    lifted = np.column_stack([vote_table.source[hypothesis.votes], np.ones(len(hypothesis.votes))])
    # Least squares by the normal equations: with three unknowns and card widths for units that is exact enough.
    square = lifted.T @ lifted + 1e-9 * np.eye(3)
    bent = np.linalg.solve(square, lifted.T @ vote_table.target[hypothesis.votes]).T
    if not 0.3 < np.linalg.det(bent[:, :2]) / np.linalg.det(hypothesis.unit_pose[:2, :2]) < 3:
        return hypothesis.unit_pose
    return np.vstack([bent, [0, 0, 1.0]])
