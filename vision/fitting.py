"""Looks closely at one hypothesis: settles its pose, and measures how well the face agrees with it."""

from __future__ import annotations

import math

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from vision import cells
from vision.correction import correction
from vision.geometry import Array, Mask, Points, is_convex, magnification, map_points, rectangle
from vision.index import Index, to_unit
from vision.tuning import CARD, CELL, IDENTITY, POSE, SEARCH

# In pixels of the fine template: how far the last step of a pose leads.
REACH = 2


class FaceFit(Struct, frozen=True):
    """A face at a place: pose, agreement of each cell, where it is visible, and what is known to cover it."""

    face: int
    matrix: Points  # fine template pixels to picture
    agreement: Array
    seen: Mask
    covered: Mask
    support: float  # visible cells, each by how much there is to recognise in it
    quality: float  # mean agreement over the whole visible piece, holes included
    visible_share: float  # visible cells as a share of those that nothing known covers
    rim_ratio: float  # visible cells at the card's own edge, as a share of what a piece of that size would have
    blocks: cells.Blocks  # what was looked at
    wide_patch: cells.Patch | None = None  # the same with what is around it
    glare: Mask | None = None  # cells under a reflection, which count as covered

    def corners(self, index: Index) -> Points:
        """The card's corners in the picture, from its own top left."""
        return map_points(self.matrix, rectangle(index.fine.width, index.fine.height))


def refine_from_guess(
    index: Index,
    levels: list[cells.Level],
    face: int,
    unit: Points,
    is_close: bool = False,
    covered: Mask | None = None,
) -> Points | None:
    """A pose good within a pixel or two for a face near a guessed one, or none if nothing there looks like it.

    Near a close guess, `covered` cells are ignored.
    """
    if is_close:
        fine, needed = index.fine, SEARCH.min_strip_share * len(index.fine.rim())
        steered = _aligned_once(fine, levels, face, unit @ to_unit(index, fine, face), REACH, needed, covered)
        if steered is not None:
            return steered[0]
    # Within 8 % of the card's width at first, or half as much where the guess is a close one; then finer. Under a
    # slanting view only a part lies within that at once; the pose this part gives brings in the rest.
    matrix = unit @ to_unit(index, index.coarse, face)
    explained = 0.0
    for reach in (2, 4, 4) if is_close else (4, 4, 4):
        steered = _aligned_once(index.coarse, levels, face, matrix, reach, 6.0)
        if steered is None and reach == 2:
            continue
        if steered is None:
            return None
        matrix, before, explained = steered[0], explained, steered[1]
        if explained < max(10, before + 3) or explained > CARD.majority_share * len(index.coarse.centres()):
            break
    return matrix @ np.diag([index.coarse.width / index.fine.width, index.coarse.height / index.fine.height, 1.0])


def shifted(
    templates: cells.Templates, levels: list[cells.Level], face: int, matrix: Points, reach: int, covered: Mask
) -> Points:
    """A pose moved, neither turned nor scaled, to where most of what isn't covered is like a face.

    Half a card tells no more: its covered corners would swing about.
    """
    best, peak = cells.best_shifts(cells.cut_patch(levels, matrix, templates, reach), templates, face, reach, covered)
    weight = (templates.texture[face] * np.maximum(0, peak - CELL.min_shift_correlation) * ~covered).astype(np.float32)
    if np.count_nonzero(weight > 0.02) < CELL.min_piece_cells:
        return matrix
    shifts = cells.shift_of(best, reach)
    votes = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    np.add.at(votes, tuple((shifts[:, ::-1] + reach).astype(int).T), weight)
    around = cv2.blur(votes, (3, 3), borderType=cv2.BORDER_CONSTANT)
    y, x = np.unravel_index(around.argmax(), around.shape)
    weight = weight * (np.abs(shifts - [x - reach, y - reach]).max(axis=1) <= 1)
    right, down = (weight @ shifts / weight.sum()).tolist()
    return np.asarray(matrix @ np.array([[1, 0, right], [0, 1, down], [0, 0, 1.0]]))


def aligned_piece(
    templates: cells.Templates, levels: list[cells.Level], face: int, matrix: Points, covered: Mask
) -> Points:
    """A pose moved, and turned and scaled a little, to where most of what isn't covered is like a face.

    A piece tells its turn and size the less, the smaller it is: so both are held near none at all.
    """
    best, peak = cells.best_shifts(cells.cut_patch(levels, matrix, templates, REACH), templates, face, REACH, covered)
    weight = templates.texture[face] * np.maximum(0, peak - CELL.min_shift_correlation) * ~covered
    if np.count_nonzero(weight > 0.02) < CELL.min_piece_cells:
        return matrix
    shifts, spots = cells.shift_of(best, REACH), templates.centres()
    middle = weight @ spots / weight.sum()
    (x, y), nothing = (spots - middle).T, np.zeros(len(spots))
    # What moving right, moving down, growing and turning do to each cell.
    ways = np.stack([np.stack([nothing + 1, nothing, x, -y]), np.stack([nothing, nothing + 1, y, x])], axis=-1)
    held = np.diag([0, 0, POSE.piece_growth_spread**-2, POSE.piece_turn_spread**-2])
    kept, found = weight, np.zeros(4)
    for limit in (2.5, 1.5, 1.0):
        if np.count_nonzero(kept > 0.02) < CELL.min_piece_cells:
            return matrix
        square = np.einsum("anx,bnx,n->ab", ways, ways, kept) + held
        found = np.linalg.solve(square, np.einsum("anx,nx,n->a", ways, shifts, kept))
        away = np.einsum("a,anx->nx", found, ways) - shifts
        kept = weight * ((away**2).sum(axis=1) < limit**2)
    right, down, growth, turn = found.tolist()
    linear = np.array([[1 + growth, -turn], [turn, 1 + growth]])
    moved = middle + np.array([right, down]) - linear @ middle
    return np.asarray(matrix @ np.vstack([np.column_stack([linear, moved]), [0, 0, 1.0]]))


def refine_last(
    index: Index,
    levels: list[cells.Level],
    face: int,
    matrix: Points,
    covered: Mask,
    wide_patch: cells.Patch | None = None,
) -> Points | None:
    """The last step: a pose that is right within 2 % of the card's width, made exact by what isn't covered.

    `wide_patch` is what was seen at this pose before, if anything.
    """
    steered = _aligned_once(index.fine, levels, face, matrix, REACH, 7.0, covered, wide_patch)
    return None if steered is None else steered[0]


def _aligned_once(
    templates: cells.Templates, levels: list[cells.Level], face: int, matrix: Points, reach: int,
    needed: float, covered: Mask | None = None, wide_patch: cells.Patch | None = None,
) -> tuple[Points, float] | None:  # fmt: skip
    """A pose aligned once, and how many cells agree on it; none where too few do."""
    if wide_patch is None:
        wide_patch = cells.cut_patch(levels, matrix, templates, reach)
    best, peak = cells.best_shifts(wide_patch, templates, face, reach, covered)
    weight = templates.texture[face] * np.maximum(0, peak - CELL.min_shift_correlation)
    if covered is not None:
        # In a row of cards with one frame, the next card's frame would draw the pose towards itself.
        weight[covered] = 0
    steering = weight > 0.02
    if steering.sum() < needed:
        return None
    shifts = cells.shift_of(best, reach)
    # Perspective needs points all over the card; with a part visible it would bend the rest anywhere.
    full = bool(steering.mean() > CARD.majority_share)
    corrected = correction(templates, shifts, weight, full)
    if corrected is None and full:
        corrected = correction(templates, shifts, weight, False)
    # By chance few shifts agree with one another; on a card nearly all visible cells' do.
    if corrected is None or corrected[1] < needed:
        return None
    moved = matrix @ corrected[0]
    if not is_convex(map_points(moved, rectangle(templates.width, templates.height))):
        return None
    return moved, corrected[1]


def fit_face(
    index: Index, levels: list[cells.Level], face: int, matrix: Points, covered: Mask | None = None
) -> FaceFit:
    """Measure a face at a settled pose; `covered` are cells known to be under something else."""
    templates = index.fine
    # The next refinement reuses this patch, so it's as wide as that needs.
    wide_patch = cells.cut_patch(levels, matrix, templates, REACH)
    patch = wide_patch.inner(REACH - 1)
    glare = _glare(index, face, cells.whiteness(patch, templates, 1))
    covered = glare if covered is None else covered | glare
    fit = fit_blocks(index, cells.cut_blocks(patch, templates, 1), face, matrix, covered, levels[0].pixels.shape)
    return msgspec.structs.replace(fit, wide_patch=wide_patch, glare=glare)


def fit_again(index: Index, levels: list[cells.Level], fit: FaceFit, covered: Mask) -> FaceFit:
    """Measure a face anew where it was measured before, with something else known to cover it."""
    if fit.glare is None:
        return fit_face(index, levels, fit.face, fit.matrix, covered)
    again = _judged(index, fit.blocks, fit.agreement, fit.face, fit.matrix, covered | fit.glare, levels[0].pixels.shape)
    return msgspec.structs.replace(again, wide_patch=fit.wide_patch, glare=fit.glare)


def _glare(index: Index, face: int, white: Array) -> Mask:
    """The cells in which a reflection covers what is drawn; where nothing is drawn, white may as well be the paper."""
    drawn = index.fine.texture[face] > POSE.min_drawn_texture
    glare = (white > 0.5) & drawn
    if not glare.any():
        return np.asarray(glare)
    # In a scan, or in strong light, all paper is white: white is no sign of a reflection there.
    paper = white[~drawn] if not drawn.all() else white
    return np.asarray(glare & bool(paper.mean() < 0.5 and not _is_dark(index, face)))


def _is_dark(index: Index, face: int) -> bool:
    """Whether most of a face is much darker than its lightest part: what is white on it may be drawn."""
    light = index.face_planes.face(face).on_grid[..., 0]
    return float(np.median(light)) < POSE.max_dark_share * float(light.max())


def refine(index: Index, levels: list[cells.Level], fit: FaceFit, covered: Mask) -> FaceFit:
    """The same face at a better pose, where it agrees so little that there may be one."""
    # A first pose is rough. Each step improves it; from the third on a step is made only after one that did.
    is_covered = covered.mean() > POSE.max_covered_share
    # What tells near-twins apart may be as small as a digit.
    is_exacting = is_covered and not index.has_paintings
    for number in range(POSE.max_refinements):
        if fit.quality >= (POSE.good_covered_agreement if is_exacting else POSE.good_agreement):
            break
        matrix, wide_patch = fit.matrix, fit.wide_patch
        if number == 0 and is_covered and matrix[2, :2].any():
            matrix, wide_patch = _flattened(index.fine, matrix, covered), None
        finer = refine_last(index, levels, fit.face, matrix, covered, wide_patch)
        if finer is None or _is_settled(index.fine, fit.matrix, finer):
            break
        again = fit_face(index, levels, fit.face, finer, covered)
        is_nearer = again.quality - fit.quality > POSE.min_agreement_gain
        fit = better_pose(fit, again)
        # From the same pose the next step would be the same as this one.
        is_repeated = fit is not again and matrix is fit.matrix
        if is_repeated or (number and not is_nearer):
            break
    return fit


def _is_settled(templates: cells.Templates, matrix: Points, finer: Points) -> bool:
    """Whether a finer pose is as good as the same: each corner moves by less than `IDENTITY.same_pose_px`."""
    corners = rectangle(templates.width, templates.height)
    away = float(np.abs(map_points(finer, corners) - map_points(matrix, corners)).max())
    return bool(away < IDENTITY.same_pose_px * magnification(matrix))


def better_pose(one: FaceFit, other: FaceFit) -> FaceFit:
    """Which of two poses explains more: a good one of the whole card agrees less than a bad one of a small piece."""
    return max(one, other, key=lambda fit: (fit.quality - POSE.min_visible_agreement) * fit.support)


def _flattened(templates: cells.Templates, matrix: Points, covered: Mask) -> Points:
    """A pose with the perspective taken out, fitted where the card shows: what hides the rest had bent the pose."""
    spots = templates.centres()[~covered]
    if len(spots) < 3:
        return matrix
    lifted = np.column_stack([spots, np.ones(len(spots))])
    return np.vstack([np.linalg.lstsq(lifted, map_points(matrix, spots), rcond=None)[0].T, [0, 0, 1.0]])


def fit_blocks(
    index: Index,
    blocks: cells.Blocks,
    face: int,
    matrix: Points,
    covered: Mask | None,
    shape: tuple[int, ...],
) -> FaceFit:
    """Measure a face at a settled pose, as `fit_face` does, from blocks already cut."""
    agreement = cells.agreement(blocks, index.fine, [index.fine.reference(face)])[0]
    covered = np.zeros(len(agreement), bool) if covered is None else covered
    return _judged(index, blocks, agreement, face, matrix, covered, shape)


def _judged(
    index: Index, blocks: cells.Blocks, agreement: Array, face: int, matrix: Points, covered: Mask,
    shape: tuple[int, ...],
) -> FaceFit:  # fmt: skip
    """What is visible of a face, and how well it fits there, by the agreement of its cells."""
    templates = index.fine
    corners = map_points(matrix, rectangle(templates.width, templates.height))
    if _outside(corners, shape).any():
        covered = covered | _outside(map_points(matrix, templates.centres()), shape)
    texture = templates.texture[face]
    clear = _beside_the_edge(templates, agreement, texture)
    weight, seen, around = visible(templates, clear, texture, covered)
    support = float((texture * seen * np.clip(agreement, 0, 1)).sum())
    quality = float((weight * around * clear).sum() / max(1e-6, (weight * around).sum()))
    count, on_rim = int(np.count_nonzero(seen)), int(np.count_nonzero(seen & templates.rim()))
    visible_share = count / max(1, int(np.count_nonzero(~covered)))
    rim_ratio = on_rim / max(1.0, math.sqrt(count))
    return FaceFit(face, matrix, agreement, seen, covered, support, quality, visible_share, rim_ratio, blocks)


def _outside(points: Points, shape: tuple[int, ...]) -> Mask:
    """Which points lie outside of a picture of this height and width."""
    x, y = points.T
    return np.asarray((x < 0) | (y < 0) | (x >= shape[1]) | (y >= shape[0]))


def _beside_the_edge(templates: cells.Templates, agreement: Array, texture: Array) -> Array:
    """Agreement in which a blank cell at the card's edge agrees at least as well as the cell next to it inside.

    The table shows in such a cell when the pose is off by a pixel.
    """
    blank = templates.rim() & (texture < POSE.min_drawn_texture)
    return np.where(blank, np.maximum(agreement, agreement[templates.inner()]), agreement)


def visible(templates: cells.Templates, agreement: Array, texture: Array, covered: Mask) -> tuple[Array, Mask, Mask]:
    """What each cell weighs, which cells of a face are seen, and those around which such cells lie."""
    # A blank cell weighs little, but not nothing: a drawing in it contradicts the face.
    weight = np.asarray(np.maximum(texture, 0.25) * ~covered, np.float32)
    smooth = cells.smooth(agreement, weight, templates)
    seen = (smooth > POSE.min_visible_agreement) & ~covered
    agreeing = np.sort(smooth[seen])
    if len(agreeing):
        # Where most of a face agrees well, cells that agree far less show another card in the same frame.
        lack = 1 - agreeing[len(agreeing) * 3 // 4]
        agreeing_well = seen & (1 - smooth < max(POSE.max_disagreement_ratio * lack, POSE.max_disagreement))
        # Where few agree less, that is a smudge.
        if np.count_nonzero(agreeing_well) < (1 - POSE.max_smudge_share) * len(agreeing):
            seen = agreeing_well
    seen, around = cells.visible_regions(seen, templates)
    return weight, seen, around & ~covered
