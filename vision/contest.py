"""The second look: a face that seems right is compared with its rivals exactly where they differ."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from vision import cells
from vision.geometry import Array, Mask, Points
from vision.index import Face, Index, from_unit
from vision.judging import (
    DRAWN,
    LOOK_AGAIN,
    Judged,
    better,
    judge,
    judge_blocks,
    refine,
    settle,
    settle_finely,
    visible,
)

# Rivals within this much of the leader's likeness as the place was cut are looked at closely.
CLOSE = 0.3
# These may be the true face at a slightly other pose, and get the time to settle in it.
VERY_CLOSE = 0.1
MOST_RIVALS = 3
ROUNDS = 4
# How far a poor leader's cells may lie from where its rivals have them, in pixels of the coarse grid: 6 % of a card.
# Free to do so, any two pictures come nearer to each other.
LOOSE, CLOSE_LOOSE = 3, 0.05
# A face that agrees this well with itself the other way up, wherever something is drawn, has no way up. One pip the
# other way round, in the middle of a five, brings it below.
TRIES, THE_SAME = 4, 0.8
# So does one that agrees nearly as well and leads over itself by less than one pip the other way round gives it.
NEARLY_THE_SAME, ONE_PIP = 0.7, 0.1


class Rival(Struct, frozen=True):
    """Another face, or the same one the other way up, that might lie at the same place."""

    face: int
    flipped: bool


class Verdict(Struct, frozen=True):
    """The face that won a place, the nearest other card, and by how much it leads where they differ.

    `turn_lead` is its lead over itself the other way up, `either_way` whether its face looks the same then. `colour` is
    how much its colours speak for it.
    """

    judged: Judged
    rival: Rival | None
    lead: float
    turn_lead: float
    either_way: bool
    colour: float = 0.0


def turn_about(templates: cells.Templates) -> Points:
    """The map that turns a template by half a turn."""
    return np.array([[-1, 0, templates.width], [0, -1, templates.height], [0, 0, 1.0]])


def decide(index: Index, levels: list[cells.Level], judged: Judged) -> Verdict:
    """Let the rivals of a face have their try; the best explanation of the place wins."""
    dethroned: list[Rival] = []
    # Each round either crowns a better face or is the last; who is crowned must stand a round too.
    for left in reversed(range(ROUNDS)):
        nearest, lead, turn_lead = None, 1.0, 1.0
        stronger: tuple[float, Rival, Judged | None] | None = None
        for rival, other, margin in _contested(index, levels, judged, rivals(index, levels, judged)):
            if margin < 0 and rival not in dethroned and (stronger is None or margin < stronger[0]):
                stronger = (margin, rival, other)
            if index.faces[rival.face].card == index.faces[judged.face].card:
                turn_lead = min(turn_lead, margin)
            elif margin < lead:
                nearest, lead = rival, margin
        if stronger is None or not left:
            break
        _margin, rival, other = stronger
        dethroned = [Rival(judged.face, rival.flipped)]
        crowned = other or _in_place(index, judged, rival, levels[0].pixels.shape)
        judged = refine(index, levels, crowned, crowned.covered)
    return Verdict(judged, nearest, lead, turn_lead, index.faces[judged.face].either_way)


def is_either_way(index: Index, levels: list[cells.Level], face: int, matrix: Points) -> bool:
    """Whether a face, seen at a pose, may as well lie there the other way up: so it agrees too, all over."""
    turned = matrix @ turn_about(index.fine)
    judged = judge(index, levels, face, turned)
    for _ in range(TRIES):
        settled = settle_finely(index, levels, face, turned, judged.covered)
        if settled is None:
            break
        turned, judged = settled, better(judged, judge(index, levels, face, settled))
    texture = index.fine.texture[face]
    around = cells.smooth(judged.agreement, texture, index.fine)[texture > DRAWN]
    least = float(around.min()) if len(around) else 0.0
    # A face learnt from a photo differs from itself turned by light and noise, here and there.
    if NEARLY_THE_SAME < least <= THE_SAME:
        return decide(index, levels, judge(index, levels, face, matrix)).turn_lead < ONE_PIP
    return least > THE_SAME


def _contested(
    index: Index, levels: list[cells.Level], judged: Judged, asked: list[tuple[Rival, bool]]
) -> list[tuple[Rival, Judged | None, float]]:
    """Each rival, judged at its own best pose where it has one near, and by how much the leader is better."""
    homes = [_at_home(index, levels, judged, rival) if close else None for rival, close in asked]
    looks = [index.fine.look(rival.face, rival.flipped) for rival, _close in asked]
    in_place = cells.agreement(judged.place, index.fine, looks)
    contested = []
    for (rival, _close), other, look, agreement in zip(asked, homes, looks, in_place, strict=True):
        if other is None:
            texture = index.fine.texture[rival.face]
            texture = texture[::-1] if rival.flipped else texture
            seen = visible(index.fine, agreement, texture, judged.covered)[1]
        else:
            agreement, seen = other.agreement, other.seen
            if rival.flipped:
                agreement, seen = agreement[::-1], seen[::-1]
        contested.append((rival, other, compare(index, judged, look, agreement, seen)))
    return contested


def rivals(index: Index, levels: list[cells.Level], judged: Judged) -> list[tuple[Rival, bool]]:
    """The faces that look most like what is visible of a place, and whether they're really close."""
    score = cells.resemblance(judged.place, index.fine, judged.seen.astype(np.float32))
    leader = float(score[0, judged.face])
    # Which way up it lies is never taken for granted: the face itself upside down is always asked.
    asked = [*_nearest(index, judged.face, score, CLOSE), Rival(judged.face, True)]
    if judged.quality >= LOOK_AGAIN:
        return [(rival, score[int(rival.flipped), rival.face] > leader - VERY_CLOSE) for rival in asked]
    # A leader that agrees poorly may owe its lead to its pose.
    asked += [r for r in _nearest(index, judged.face, _loosely(index, levels, judged), CLOSE_LOOSE) if r not in asked]
    return [(rival, True) for rival in asked]


def _nearest(index: Index, leader: int, score: Array, close: float) -> list[Rival]:
    """The few faces that are behind a leader by no more than `close`, best first."""
    found: list[Rival] = []
    for at in np.argsort(-score, axis=None, kind="stable"):
        flipped, face = divmod(int(at), len(index.faces))
        if score[flipped, face] < score[0, leader] - close or len(found) == MOST_RIVALS:
            break
        # Another picture of the same side is no rival, nor is its own turned, which is asked in any case. A face that
        # looks the same either way up is one rival.
        if not _is_same(index.faces[face], index.faces[leader]) and not (flipped and index.faces[face].either_way):
            found.append(Rival(face, bool(flipped)))
    return found


def _is_same(face: Face, other: Face) -> bool:
    """Whether two reference pictures show the same side of the same card."""
    return (face.card, face.face) == (other.card, other.face)


def _loosely(index: Index, levels: list[cells.Level], judged: Judged) -> Array:
    """How much each face looks like a place, upright and the other way up, were each cell free to move: (way, face)."""
    coarse = index.coarse
    matrix = judged.matrix @ np.diag([index.fine.width / coarse.width, index.fine.height / coarse.height, 1.0])
    upright = cells.cut_blocks(cells.cut_patch(levels, matrix, coarse, LOOSE), coarse, LOOSE)
    seen = _on_coarse(index, judged.seen)
    scores = []
    for blocks, shows in ((upright, seen), (upright.turned(), seen[::-1])):
        alike = cells.likeness(blocks, coarse, slice(None)).max(axis=1)
        weight = shows[:, None] * np.sqrt(coarse.spread.T)
        scores.append((weight * alike).sum(axis=0) / (weight.sum(axis=0) + 1e-6))
    return np.stack(scores)


def _on_coarse(index: Index, seen: Mask) -> Array:
    """The visible cells on the coarse grid."""
    fine, coarse = index.fine, index.coarse
    rows = (np.arange(coarse.rows) + 0.5) * fine.rows / coarse.rows
    columns = (np.arange(coarse.columns) + 0.5) * fine.columns / coarse.columns
    grid = seen.reshape(fine.rows, fine.columns)
    return np.asarray(grid[rows.astype(int)][:, columns.astype(int)].ravel(), np.float32)


def _at_home(index: Index, levels: list[cells.Level], judged: Judged, rival: Rival) -> Judged | None:
    """The rival with the same cover at its own best pose, if it has one near."""
    matrix, covered = _seen_by(index, judged, rival)
    if judged.quality < LOOK_AGAIN:
        farther = settle(index, levels, rival.face, matrix @ from_unit(index, index.fine, rival.face))
        matrix = matrix if farther is None else farther
    settled = settle_finely(index, levels, rival.face, matrix, covered)
    return None if settled is None else judge(index, levels, rival.face, settled, covered)


def _in_place(index: Index, judged: Judged, rival: Rival, shape: tuple[int, ...]) -> Judged:
    """The rival exactly where the leader lies."""
    matrix, covered = _seen_by(index, judged, rival)
    blocks = judged.place.turned() if rival.flipped else judged.place
    return judge_blocks(index, blocks, rival.face, matrix, covered, shape)


def _seen_by(index: Index, judged: Judged, rival: Rival) -> tuple[Points, Mask]:
    """The leader's pose and cover as the rival has them."""
    if rival.flipped:
        return judged.matrix @ turn_about(index.fine), judged.covered[::-1]
    return judged.matrix, judged.covered


def compare(index: Index, judged: Judged, look: tuple[Array, Array], agreement: Array, seen: Mask) -> float:
    """By how much a face agrees better than a rival with another look where the two differ and show, -1 to 1."""
    fine = index.fine
    pixels, spread = look
    own, own_spread = fine.look(judged.face)
    common = np.einsum("cp,cp->c", own, pixels) / np.float32(fine.side**2)
    alike = (2 * common + cells.GRAIN**2) / (own_spread + spread + cells.GRAIN**2)
    drawn = np.minimum(1, np.sqrt(np.maximum(own_spread, spread)) / cells.TEXTURE)
    region = cells.pieces(judged.seen | seen, fine)[1] & ~judged.covered
    weight = np.clip(1 - alike, 0, 1) * drawn * region
    mass = float(weight.sum())
    if mass < 1e-3:
        return 0.0
    mean = float((weight * (np.clip(judged.agreement, -0.2, 1) - np.clip(agreement, -0.2, 1))).sum()) / mass
    # One cell's difference may be chance; a few together aren't.
    return mean * mass / (mass + 2.0)
