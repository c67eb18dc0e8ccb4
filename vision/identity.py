"""Which face lies at a place: every face that may, upright and half-turned, scored at once by drawing and colour.

A cell's drawing is compared in grey at small shifts, its colour with the paper's white divided out; both are
log-likelihoods in which a cell that disagrees fully, under a reflection or a finger, has a limited cost. Two
faces are compared by the cells in which their references differ, for what they share tells nothing.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np
from msgspec import Struct

from vision import cells, colours, fitted_weights
from vision.alignment import aligned_agreement
from vision.fitting import (
    FaceFit,
    better_pose,
    fit_blocks,
    fit_face,
    refine,
    refine_last,
    visible_cells,
)
from vision.geometry import Array, Mask, Points, map_points, rectangle, squared_lengths
from vision.index import Face, Index
from vision.tuning import CELL, COLOUR, IDENTITY, NAMING, POSE


class FaceHypothesis(Struct, frozen=True):
    """A face that may lie at a place, and whether it's half-turned against the leader."""

    face: int
    is_half_turned: bool


class Rival(Struct, frozen=True):
    """A hypothesis beside the leader, and by how much the leader is likelier, in nats: by drawing, colour and lamp."""

    hypothesis: FaceHypothesis
    lead: float
    evidence: tuple[float, float, float]


class Likelihood(Struct, frozen=True):
    """The likeliest face at a place by drawing and colour, its rivals, and what it leaves unexplained.

    `lead` is the log-odds over all other cards together, `turn_lead` over itself half-turned.
    """

    fit: FaceFit
    rivals: tuple[Rival, ...]
    lead: float
    turn_lead: float
    residuals: Residuals
    either_way: bool


class Residuals(Struct, frozen=True):
    """What of a face doesn't match, in nats a cell: its whole drawing, what is unique to it, and its colours.

    `own` is that of the cells in which it differs from the faces most like it: a stranger of the same design fails
    there. `hue` is by how much the colours of its ink are turned and paled, in radians, and `lamp` how unlikely, in
    nats, a lamp and camera are that would explain these colours.
    """

    drawn: float
    own: float
    ink: float
    hue: float
    lamp: float


class PreparedPicture(Struct, frozen=True):
    """A picture's pyramids in grey and colour; `camera_colours` is what lamp and camera do to colours, if known."""

    levels: list[cells.Level]
    colours: colours.ColourPyramid
    camera_colours: Array | None = None


class _Scored(Struct, frozen=True):
    """A hypothesis scored at a place: log-likelihood of each cell by drawing, of each sample by colour.

    All in the leader's order. `region` is where it or the leader shows, `drawing_difference` and `colour_difference`
    how much its reference differs there from the leader's.
    """

    hypothesis: FaceHypothesis
    drawing: Array
    colour: Array
    samples: Array  # the colours seen
    region: Mask
    drawing_difference: Array
    colour_difference: Array
    lamp_cost: float
    alignment: Points  # the map by which its reference fits best
    own_pose: FaceFit | None = None


def half_turn(templates: cells.Templates) -> Points:
    """The map that turns a template by half a turn."""
    return np.array([[-1, 0, templates.width], [0, -1, templates.height], [0, 0, 1.0]])


def likelihood_of(index: Index, picture: PreparedPicture, fit: FaceFit) -> Likelihood:
    """Score all faces that may lie where one seems to lie; the likeliest wins."""
    fit = as_printed(index, fit, picture.levels[0].pixels.shape)
    past_leaders: list[int] = []
    for left in reversed(range(IDENTITY.max_rounds)):
        leader, *others = _scored(index, picture, fit)
        rivals = [_lead_over(index.fine, leader, other) for other in others]
        beaten = [(r, o) for r, o in zip(rivals, others, strict=True) if r.lead < 0]
        if not beaten or not left:
            break
        other = min(beaten, key=lambda pair: pair[0].lead)[1]
        # Two faces that each lead at their own pose would replace each other without end.
        key = 2 * other.hypothesis.face + other.hypothesis.is_half_turned
        if key in past_leaders:
            break
        # The way back from the new leader has the same half turn.
        past_leaders.append(2 * fit.face + other.hypothesis.is_half_turned)
        winner = other.own_pose or in_place(index, fit, other.hypothesis, picture.levels[0].pixels.shape)
        fit = refine(index, picture.levels, winner, winner.covered)
    return _likelihood(index, fit, leader, others, rivals)


def as_printed(index: Index, fit: FaceFit, shape: tuple[int, ...]) -> FaceFit:
    """The same face in the printing that agrees best: the words on a card differ by language."""
    own = index.faces[fit.face]
    printings = [number for number, face in enumerate(index.faces) if face.card == own.card and face.face == own.face]
    if len(printings) == 1:
        return fit
    fine = index.fine
    agreement = cells.agreement(fit.blocks, fine, [fine.reference(number) for number in printings])
    visible = fit.visible.astype(np.float32)
    best = printings[int(np.argmax([float(visible @ each) for each in agreement]))]
    if best == fit.face:
        return fit
    return fit_blocks(index, fit.blocks, best, fit.template_pose, fit.covered, shape)


def _likelihood(index: Index, fit: FaceFit, leader: _Scored, scored: list[_Scored], rivals: list[Rival]) -> Likelihood:
    own_face = index.faces[fit.face]
    others = sorted((r for r in rivals if index.faces[r.hypothesis.face].card != own_face.card), key=lambda r: r.lead)
    other_ways_up = [r.lead for r in rivals if index.faces[r.hypothesis.face].card == own_face.card]
    lead = -math.log(sum(math.exp(-max(r.lead, -30.0)) for r in others) + math.exp(-IDENTITY.unrivalled_lead_nats))
    differences = [s.drawing_difference for s in scored if index.faces[s.hypothesis.face].card != own_face.card]
    return Likelihood(
        fit,
        tuple(others),
        lead,
        min(other_ways_up, default=IDENTITY.unrivalled_lead_nats),
        _residuals(index, fit, leader, differences),
        own_face.either_way,
    )


def _scored(index: Index, picture: PreparedPicture, fit: FaceFit) -> list[_Scored]:
    """The leader and the faces that come near it, each as likely as its drawing and colours make it."""
    fine = index.fine
    observed = picture.colours.at(fit.template_pose, fine, fit.covered)
    hypotheses = likely_hypotheses(index, picture, fit, observed.samples)
    references = [fine.reference(h.face, h.is_half_turned) for h in hypotheses]
    if len(hypotheses) > 2:
        patch = cells.cut_patch(picture.levels, fit.template_pose, fine, IDENTITY.shift_reach_px)
        agreement, maps = aligned_agreement(patch, fine, references, IDENTITY.shift_reach_px, fit.covered)
        samples = _seen_through(picture, fit, fine, observed, maps)
    else:
        # The leader alone, both ways up, needs no alignment.
        agreement, maps = cells.agreement(fit.blocks, fine, references), np.stack([np.eye(3)] * len(hypotheses))
        samples = np.stack([observed.samples] * len(hypotheses))
    tinted = np.stack([_half_turned(index.colours[h.face], h.is_half_turned) for h in hypotheses])
    match = colours.compare(samples, tinted, colours.on_samples(~fit.covered, fine).astype(np.float32))
    drawing, colour = _drawing(agreement), _colour(match.unlike)
    by_drawing, by_colour = _reference_difference(references, tinted)
    scored = [
        _Scored(
            h,
            drawing[n],
            colour[n],
            samples[n],
            region,
            by_drawing[n],
            by_colour[n],
            float(match.cost[n]),
            maps[n],
        )
        for n, (h, region) in enumerate(zip(hypotheses, _regions(index, fit, hypotheses, agreement), strict=True))
    ]
    return _with_own_poses(index, picture, fit, scored)


def _seen_through(
    picture: PreparedPicture, fit: FaceFit, fine: cells.Templates, observed: colours.PatchColours, alignments: Points
) -> Array:
    """The colours of a place where each reference fits best; as they are, where that is within half a pixel."""
    corners = rectangle(fine.width, fine.height)
    moved = [
        float(np.abs(map_points(alignment, corners) - corners).max()) >= IDENTITY.same_pose_px
        for alignment in alignments
    ]
    samples = np.repeat(observed.samples[None], len(alignments), axis=0)
    if any(moved):
        samples[moved] = picture.colours.at_each(
            [fit.template_pose @ each for each in alignments[moved]], fine, observed.white
        )
    return samples


def _regions(index: Index, fit: FaceFit, hypotheses: list[FaceHypothesis], agreement: Array) -> list[Mask]:
    """For each face, where it or the leader shows and nothing known covers the place."""
    if (fit.visible | fit.covered).all():
        return [~fit.covered] * len(hypotheses)
    fine, found = index.fine, []
    for hypothesis, agreed in zip(hypotheses, agreement, strict=True):
        texture = _half_turned(fine.texture[hypothesis.face], hypothesis.is_half_turned)
        visible = fit.visible | visible_cells(fine, agreed, texture, fit.covered)[1]
        found.append(cells.filled_visible_region(visible, fine) & ~fit.covered)
    return found


def _with_own_poses(index: Index, picture: PreparedPicture, fit: FaceFit, scored: list[_Scored]) -> list[_Scored]:
    """The same, but a face with far better colours is scored at its own refined pose."""
    leader, *others = scored
    better = [
        o
        for o in others
        if (o.colour - leader.colour).sum() > IDENTITY.min_colour_gain_nats * COLOUR.samples_per_cell_side**2
    ]
    better.sort(key=lambda other: -float(other.drawing.sum()))
    for other in better[: IDENTITY.max_own_poses]:
        own_pose = _at_own_pose(index, picture.levels, fit, other)
        if own_pose is None:
            continue
        agreement, visible = (
            _half_turned(v, other.hypothesis.is_half_turned) for v in (own_pose.agreement, own_pose.visible)
        )
        if _drawing(agreement).sum() > other.drawing.sum():
            region = cells.filled_visible_region(fit.visible | visible, index.fine) & ~fit.covered
            scored[next(n for n, s in enumerate(scored) if s is other)] = msgspec.structs.replace(
                other, drawing=_drawing(agreement), region=region, own_pose=own_pose
            )
    return scored


def _drawing(agreement: Array) -> Array:
    """The log-likelihood of how well a drawing agrees."""
    away = (1 - agreement) / IDENTITY.agreement_spread
    return -np.log1p(away * away / 2)


def _colour(unlike: Array) -> Array:
    """The log-likelihood of how unlike a colour is."""
    return -np.log1p(unlike / COLOUR.outlier_noise_squares)


def _half_turned(values: Array, is_half_turned: bool) -> Array:
    """The values of cells as they are, or in the order in which the half-turned face has them."""
    return values[::-1] if is_half_turned else values


def likely_hypotheses(index: Index, picture: PreparedPicture, fit: FaceFit, observed: Array) -> list[FaceHypothesis]:
    """The leader, itself half-turned, and the other faces that are most like a place in drawing and colour."""
    visible, here = (~fit.covered).astype(np.float32), colours.in_cells(observed, index.fine)
    drawing = cells.masked_correlation(fit.blocks, index.fine, fit.visible.astype(np.float32))
    own = float(_colour_similarity(here, index.cell_colours[[fit.face]], visible)[0])
    # Of a face that agrees all over, in drawing and colour, only one that is nearly as like the place is a rival.
    is_exact = fit.mean_agreement >= NAMING.exact_agreement and own >= IDENTITY.min_own_colour_similarity
    colour_weight = IDENTITY.candidate_colour_weight
    min_score = float(drawing[0, fit.face]) + colour_weight * own
    min_score -= IDENTITY.max_exact_gap if is_exact else IDENTITY.max_candidate_gap
    pool, colour_scores = [], []
    for is_half_turned in (False, True):
        # A colour score is 1 at most.
        able = np.flatnonzero(drawing[int(is_half_turned)] >= min_score - colour_weight)
        cell_colours = index.cell_colours[able, ::-1] if is_half_turned else index.cell_colours[able]
        similarity = _colour_similarity(here, cell_colours, visible)
        for face, colour_score in zip(able.tolist(), similarity.tolist(), strict=True):
            is_own = _is_same(index.faces[face], index.faces[fit.face])
            is_listed = is_own or (is_half_turned and index.faces[face].either_way)
            if not is_listed and drawing[int(is_half_turned), face] + colour_weight * colour_score >= min_score:
                pool.append(FaceHypothesis(face, is_half_turned))
                colour_scores.append(colour_score)
    found = [FaceHypothesis(fit.face, False), FaceHypothesis(fit.face, True)]
    if len(pool) <= IDENTITY.max_candidates:
        return found + pool
    deformable = _deformable_score(index, picture, fit, pool)
    both = deformable + colour_weight * np.array(colour_scores)
    best = [
        *best_printings(index, pool, both)[: IDENTITY.max_candidates],
        *best_printings(index, pool, deformable)[: IDENTITY.max_candidates // 2],
    ]
    return found + [pool[n] for n in dict.fromkeys(best)]


def best_printings(index: Index, hypotheses: list[FaceHypothesis], score: Array) -> list[int]:
    """The numbers of hypotheses, best first; of several printings of one face, lying alike, the best alone."""
    best: dict[tuple[str, str, bool], int] = {}
    for number in np.argsort(-score, kind="stable").tolist():
        face = index.faces[hypotheses[number].face]
        best.setdefault((face.card, face.face, hypotheses[number].is_half_turned), number)
    return list(best.values())


def nearest(index: Index, far: Array, most: int) -> list[FaceHypothesis]:
    """The `most` faces nearest to a place, both ways up; of several printings the nearest alone.

    `far` is (way up, face).
    """
    best: dict[tuple[str, str, bool], FaceHypothesis] = {}
    for number in np.argsort(far, axis=None, kind="stable").tolist():
        way_up, number = divmod(number, far.shape[1])
        face = index.faces[number]
        best.setdefault((face.card, face.face, bool(way_up)), FaceHypothesis(number, bool(way_up)))
        if len(best) == most:
            break
    return list(best.values())


def _deformable_score(index: Index, picture: PreparedPicture, fit: FaceFit, hypotheses: list[FaceHypothesis]) -> Array:
    """How much faces look like a place were each cell free to move: a print may lie askew on its card."""
    coarse = index.coarse
    coarse_pose = fit.template_pose @ np.diag([index.fine.width / coarse.width, index.fine.height / coarse.height, 1.0])
    patch = cells.cut_patch(picture.levels, coarse_pose, coarse, IDENTITY.deformation_reach_px)
    blocks = cells.cut_blocks(patch, coarse, IDENTITY.deformation_reach_px)
    visible = _on_coarse(index, fit.visible)
    pixels, variance = (
        np.array(part) for part in zip(*(coarse.reference(h.face, h.is_half_turned) for h in hypotheses), strict=True)
    )
    alike = cells.products(blocks.pixels, pixels)
    alike /= blocks.contrast[:, :, None]
    return np.asarray(visible @ alike.max(axis=1) / coarse.side**2 / (np.sqrt(variance) @ visible + 1e-6))


def _on_coarse(index: Index, visible: Mask) -> Array:
    """The visible cells on the coarse grid."""
    fine, coarse = index.fine, index.coarse
    rows = (np.arange(coarse.rows) + 0.5) * fine.rows / coarse.rows
    columns = (np.arange(coarse.columns) + 0.5) * fine.columns / coarse.columns
    grid = visible.reshape(fine.rows, fine.columns)
    return np.asarray(grid[rows.astype(int)][:, columns.astype(int)].ravel(), np.float32)


def _colour_similarity(observed: Array, faces: Array, visible: Array) -> Array:
    """How much the colours of faces are like those of a place as they are: (face), 0 to 1."""
    if not len(faces):
        return np.zeros(0, np.float32)
    unlike = squared_lengths(faces - observed)
    unlike *= np.float32(1 / (COLOUR.noise_lab**2 * COLOUR.outlier_noise_squares))
    unlike += 1
    alike = np.reciprocal(unlike, out=unlike) @ visible
    return np.asarray(alike / max(1.0, float(visible.sum())), np.float32)


def _is_same(face: Face, other: Face) -> bool:
    """Whether two reference pictures show the same side of the same card."""
    return (face.card, face.face) == (other.card, other.face)


def _reference_difference(references: list[tuple[Array, Array]], tinted: Array) -> tuple[Array, Array]:
    """How much references differ from the first one, 0 to 1: each cell in drawing, each sample in colour."""
    pixels, variance = (np.array(part) for part in zip(*references, strict=True))
    apart = squared_lengths(tinted - tinted[0]) / np.float32(COLOUR.noise_lab**2)
    return _drawing_difference(pixels, variance), apart / (1 + apart)


def _drawing_difference(pixels: Array, variance: Array) -> Array:
    """How much references (face, cell, pixel) differ from the first one in the drawing of each cell, 0 to 1."""
    common = np.einsum("cp,kcp->kc", pixels[0], pixels) / np.float32(pixels.shape[2])
    alike = (2 * common + CELL.grain_contrast**2) / (variance[0] + variance + CELL.grain_contrast**2)
    drawn = np.minimum(1, np.sqrt(np.maximum(variance[0], variance)) / CELL.texture_contrast)
    return np.asarray(np.clip(1 - alike, 0, 1) * drawn)


def _lead_over(fine: cells.Templates, leader: _Scored, other: _Scored) -> Rival:
    """By how much the leader is likelier than another, by the cells that show and in which the two differ."""
    by_drawing = float((other.drawing_difference * other.region) @ (leader.drawing - other.drawing))
    visible = colours.on_samples(other.region, fine)
    by_colour = (
        float((other.colour_difference * visible) @ (leader.colour - other.colour)) / COLOUR.samples_per_cell_side**2
    )
    evidence = (
        _compressed(by_drawing),
        _compressed(by_colour),
        math.log1p(other.lamp_cost) - math.log1p(leader.lamp_cost),
    )
    lead = sum(weight * value for weight, value in zip(fitted_weights.RIVAL, evidence, strict=True))
    return Rival(other.hypothesis, lead, evidence)


def _compressed(nats: float) -> float:
    """Evidence compressed as it grows: errors of cells correlate if the pose or the lamp is a little wrong."""
    return math.copysign(
        IDENTITY.evidence_saturation_nats * math.log1p(abs(nats) / IDENTITY.evidence_saturation_nats), nats
    )


def _residuals(index: Index, fit: FaceFit, leader: _Scored, differences: list[Array]) -> Residuals:
    """What speaks against the leader itself; `differences` are those of other cards' references from its own."""
    region = cells.filled_visible_region(fit.visible, index.fine) & ~fit.covered
    visible = colours.on_samples(region, index.fine)
    texture = np.maximum(index.fine.texture[fit.face], IDENTITY.blank_cell_weight) * region
    nearest = sorted(differences, key=lambda each: float(each @ region))[: IDENTITY.max_relatives]
    own = np.max(nearest, axis=0) * region if nearest else texture
    face = index.colours[fit.face]
    inked = visible * np.minimum(1, np.hypot(face[:, 1], face[:, 2]) / COLOUR.noise_lab)
    return Residuals(
        -float(texture @ leader.drawing) / (float(texture.sum()) + 1),
        -float(own @ leader.drawing) / (float(own.sum()) + 2),
        -float(inked @ leader.colour) / (float(inked.sum()) + 3),
        colours.hue_difference(leader.samples, face, visible),
        leader.lamp_cost,
    )


def _at_own_pose(index: Index, levels: list[cells.Level], fit: FaceFit, rival: _Scored) -> FaceFit | None:
    """The rival with the same cover at its own best pose, if it has one near."""
    face = rival.hypothesis.face
    template_pose, covered = _pose_for(
        index, msgspec.structs.replace(fit, template_pose=fit.template_pose @ rival.alignment), rival.hypothesis
    )
    settled = refine_last(index, levels, face, template_pose, covered)
    return None if settled is None else fit_face(index, levels, face, settled, covered)


def in_place(index: Index, fit: FaceFit, rival: FaceHypothesis, shape: tuple[int, ...]) -> FaceFit:
    """The rival exactly where the leader lies."""
    template_pose, covered = _pose_for(index, fit, rival)
    blocks = fit.blocks.half_turned() if rival.is_half_turned else fit.blocks
    return fit_blocks(index, blocks, rival.face, template_pose, covered, shape)


def _pose_for(index: Index, fit: FaceFit, rival: FaceHypothesis) -> tuple[Points, Mask]:
    """The leader's pose and cover as the rival has them."""
    if rival.is_half_turned:
        return fit.template_pose @ half_turn(index.fine), fit.covered[::-1]
    return fit.template_pose, fit.covered


def may_be_either_way(pixels: Array) -> bool:
    """Whether a face, given by its fine cells, differs by less than a pip from itself half-turned."""
    variance = (pixels**2).mean(axis=1)
    drawn = _drawing_difference(np.stack([pixels, pixels[::-1, ::-1]]), np.stack([variance, variance[::-1]]))
    return float(drawn[1].sum()) < IDENTITY.max_symmetry_cells


def is_either_way(index: Index, levels: list[cells.Level], face: int, template_pose: Points) -> bool:
    """Whether a face looks the same half-turned: it agrees everywhere at that pose, too."""
    half_turned = template_pose @ half_turn(index.fine)
    fit = fit_face(index, levels, face, half_turned)
    for _ in range(4):
        settled = refine_last(index, levels, face, half_turned, fit.covered)
        if settled is None:
            break
        half_turned, fit = settled, better_pose(fit, fit_face(index, levels, face, settled))
    texture = index.fine.texture[face]
    around = cells.smooth(fit.agreement, texture, index.fine)[texture > POSE.min_drawn_texture]
    least = float(around.min()) if len(around) else 0.0
    return least > IDENTITY.min_symmetry_agreement
