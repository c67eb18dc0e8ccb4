"""The second look: a face that seems right is compared with its rivals exactly where they differ."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from vision import cells
from vision.geometry import Array, Mask, Points
from vision.index import Index
from vision.judging import Judged, judge, judge_blocks, settle_finely

# Rivals within this much of the leader's correlation at coarse sight are looked at closely.
CLOSE = 0.25
# These may be the true face at a slightly other pose, and get the time to settle in it.
VERY_CLOSE = 0.1
MOST_RIVALS = 3


class Rival(Struct, frozen=True):
    """Another face, or the same one the other way up, that might lie at the same place."""

    face: int
    flipped: bool


class Verdict(Struct, frozen=True):
    """The face that won a place, the nearest other card, and by how much it leads where they differ.

    `turn_lead` is its lead over itself the other way up.
    """

    judged: Judged
    rival: Rival | None
    lead: float
    turn_lead: float


def turn_about(templates: cells.Templates) -> Points:
    """The map that turns a template by half a turn."""
    return np.array([[-1, 0, templates.width], [0, -1, templates.height], [0, 0, 1.0]])


def decide(index: Index, levels: list[Array], judged: Judged) -> Verdict:
    """Let the rivals of a face have their try; the best explanation of the place wins."""
    fine = index.fine
    dethroned: list[Rival] = []
    # Each round either crowns a better face or is the last; three are enough for any family of twins.
    for _ in range(3):
        nearest, lead, turn_lead = None, 1.0, 1.0
        better: tuple[float, Judged, Rival] | None = None
        place: cells.Blocks | None = None
        for rival, close in rivals(index, levels, judged):
            other = _at_home(index, levels, judged, rival) if close else None
            if other is None:
                place = place or cells.cut_blocks(cells.cut_patch(levels, judged.matrix, fine, 1), fine, 1)
                other = _in_place(index, place, judged, rival, levels[0].shape)
            margin = compare(index, judged, other, rival)
            if margin < 0 and rival not in dethroned and (better is None or margin < better[0]):
                better = (margin, other, rival)
            if index.faces[rival.face].card == index.faces[judged.face].card:
                turn_lead = min(turn_lead, margin)
            elif margin < lead:
                nearest, lead = rival, margin
        if better is None:
            break
        dethroned = [Rival(judged.face, better[2].flipped)]
        judged = better[1]
    return Verdict(judged, nearest, lead, turn_lead)


def rivals(index: Index, levels: list[Array], judged: Judged) -> list[tuple[Rival, bool]]:
    """The faces that look most like what is visible of a place, and whether they're really close."""
    templates = index.coarse
    matrix = judged.matrix @ np.diag([index.fine.width / templates.width, index.fine.height / templates.height, 1.0])
    seen = _to_coarse(index, judged)
    own = index.faces[judged.face]
    same = np.array([(f.card, f.face) == (own.card, own.face) for f in index.faces])
    leader = 0.0
    scores: list[tuple[float, Rival]] = []
    upright = cells.cut_blocks(cells.cut_patch(levels, matrix, templates, 1), templates, 1)
    for flipped in (False, True):
        blocks = upright.turned() if flipped else upright
        alike = cells.likeness(blocks, templates, slice(None)).max(axis=1)
        weight = (seen[::-1] if flipped else seen)[:, None] * np.sqrt(templates.spread.T)
        score = (weight * alike).sum(axis=0) / (weight.sum(axis=0) + 1e-6)
        if not flipped:
            leader = float(score[judged.face])
            score = np.where(same, -1, score)
        best = np.argsort(-score, kind="stable")[:MOST_RIVALS]
        scores += [(float(score[face]), Rival(int(face), flipped)) for face in best if score[face] > leader - CLOSE]
    # Which way up it lies is never taken for granted: the face itself upside down is always asked.
    upside_down = Rival(judged.face, True)
    scores.sort(key=lambda pair: -pair[0])
    asked = [pair for pair in scores if pair[1] != upside_down][:MOST_RIVALS]
    asked.append((float(score[judged.face]), upside_down))
    return [(rival, score > leader - VERY_CLOSE) for score, rival in asked]


def _to_coarse(index: Index, judged: Judged) -> Array:
    """The visible cells on the coarse grid."""
    fine, coarse = index.fine, index.coarse
    rows = (np.arange(coarse.rows) + 0.5) * fine.rows / coarse.rows
    columns = (np.arange(coarse.columns) + 0.5) * fine.columns / coarse.columns
    grid = judged.seen.reshape(fine.rows, fine.columns)
    return np.asarray(grid[rows.astype(int)][:, columns.astype(int)].ravel(), np.float32)


def _at_home(index: Index, levels: list[Array], judged: Judged, rival: Rival) -> Judged | None:
    """The rival with the same cover at its own best pose, if it has one near."""
    matrix, covered = _seen_by(index, judged, rival)
    settled = settle_finely(index, levels, rival.face, matrix)
    return None if settled is None else judge(index, levels, rival.face, settled, covered)


def _in_place(index: Index, place: cells.Blocks, judged: Judged, rival: Rival, shape: tuple[int, ...]) -> Judged:
    """The rival exactly where the leader lies."""
    matrix, covered = _seen_by(index, judged, rival)
    blocks = place.turned() if rival.flipped else place
    return judge_blocks(index, blocks, rival.face, matrix, covered, shape)


def _seen_by(index: Index, judged: Judged, rival: Rival) -> tuple[Points, Mask]:
    """The leader's pose and cover as the rival has them."""
    if rival.flipped:
        return judged.matrix @ turn_about(index.fine), judged.covered[::-1]
    return judged.matrix, judged.covered


def compare(index: Index, judged: Judged, other: Judged, rival: Rival) -> float:
    """By how much a face agrees better than a rival where the two differ and show, -1 to 1."""
    fine = index.fine
    agreement, seen = other.agreement, other.seen
    pixels, spread = fine.cells[:, :, rival.face], fine.spread[rival.face]
    if rival.flipped:
        agreement, seen = agreement[::-1], seen[::-1]
        pixels, spread = pixels[::-1, ::-1], spread[::-1]
    own, own_spread = fine.cells[:, :, judged.face], fine.spread[judged.face]
    common = (own * pixels).mean(axis=1)
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
