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
# A cell with less of a drawing, or of likeness, has no part in aligning a pose.
MIN_USED_WEIGHT = 0.02
# Fewer cells of the coarse or the fine template agree on a pose by chance.
MIN_COARSE_CELLS, MIN_FINE_CELLS = 6.0, 7.0
# A coarse pose that explains fewer cells, or hardly more than the one before, isn't aligned once more.
MIN_EXPLAINED_CELLS, MIN_MORE_EXPLAINED_CELLS = 10, 3


class FaceFit(Struct, frozen=True):
    """A face at a place: pose, agreement of each cell, where it is visible, and what is known to cover it."""

    face: int
    template_pose: Points  # fine template pixels to picture
    agreement: Array
    visible: Mask
    covered: Mask
    support: float  # visible cells, each by how much there is to recognise in it
    mean_agreement: float  # mean agreement over the whole visible piece, holes included
    visible_share_of_uncovered: float  # visible cells as a share of those that nothing known covers
    rim_ratio: float  # visible cells at the card's own edge, as a share of what a piece of that size would have
    blocks: cells.Blocks  # what was looked at
    wide_patch: cells.Patch | None = None  # the same with what is around it
    glare: Mask | None = None  # cells under a reflection, which count as covered

    def corners(self, index: Index) -> Points:
        """The card's corners in the picture, from its own top left."""
        return map_points(self.template_pose, rectangle(index.fine.width, index.fine.height))


def refine_from_guess(
    index: Index,
    levels: list[cells.Level],
    face: int,
    unit_pose: Points,
    is_close: bool = False,
    covered: Mask | None = None,
) -> Points | None:
    """A pose good within a pixel or two for a face near a guessed one, or none if nothing there looks like it.

    Near a close guess, `covered` cells are ignored.
    """
    if is_close:
        fine, needed = index.fine, SEARCH.min_strip_share * len(index.fine.rim())
        aligned = _aligned_once(fine, levels, face, unit_pose @ to_unit(index, fine, face), REACH, needed, covered)
        if aligned is not None:
            return aligned[0]
    # Within 8 % of the card's width at first, or half as much where the guess is a close one; then finer. Under a
    # slanting view only a part lies within that at once; the pose this part gives brings in the rest.
    coarse_pose = unit_pose @ to_unit(index, index.coarse, face)
    explained = 0.0
    for reach in (2, 4, 4) if is_close else (4, 4, 4):
        aligned = _aligned_once(index.coarse, levels, face, coarse_pose, reach, MIN_COARSE_CELLS)
        if aligned is None and reach == 2:
            continue
        if aligned is None:
            return None
        coarse_pose, before, explained = aligned[0], explained, aligned[1]
        if explained < max(
            MIN_EXPLAINED_CELLS, before + MIN_MORE_EXPLAINED_CELLS
        ) or explained > CARD.majority_share * len(index.coarse.centres()):
            break
    return coarse_pose @ np.diag([index.coarse.width / index.fine.width, index.coarse.height / index.fine.height, 1.0])


def shifted(
    templates: cells.Templates, levels: list[cells.Level], face: int, template_pose: Points, reach: int, covered: Mask
) -> Points:
    """A pose moved, neither turned nor scaled, to where most of what isn't covered is like a face.

    Half a card tells no more: its covered corners would swing about.
    """
    best, peak = cells.best_shifts(
        cells.cut_patch(levels, template_pose, templates, reach), templates, face, reach, covered
    )
    weight = (templates.texture[face] * np.maximum(0, peak - CELL.min_shift_correlation) * ~covered).astype(np.float32)
    if np.count_nonzero(weight > MIN_USED_WEIGHT) < CELL.min_piece_cells:
        return template_pose
    shifts = cells.shift_of(best, reach)
    votes = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    np.add.at(votes, tuple((shifts[:, ::-1] + reach).astype(int).T), weight)
    around = cv2.blur(votes, (3, 3), borderType=cv2.BORDER_CONSTANT)
    y, x = np.unravel_index(around.argmax(), around.shape)
    weight = weight * (np.abs(shifts - [x - reach, y - reach]).max(axis=1) <= 1)
    right, down = (weight @ shifts / weight.sum()).tolist()
    return np.asarray(template_pose @ np.array([[1, 0, right], [0, 1, down], [0, 0, 1.0]]))


def refine_last(
    index: Index,
    levels: list[cells.Level],
    face: int,
    template_pose: Points,
    covered: Mask,
    wide_patch: cells.Patch | None = None,
) -> Points | None:
    """The last step: a pose that is right within 2 % of the card's width, made exact by what isn't covered.

    `wide_patch` is what was seen at this pose before, if anything.
    """
    aligned = _aligned_once(index.fine, levels, face, template_pose, REACH, MIN_FINE_CELLS, covered, wide_patch)
    return None if aligned is None else aligned[0]


def _aligned_once(
    templates: cells.Templates, levels: list[cells.Level], face: int, template_pose: Points, reach: int,
    needed: float, covered: Mask | None = None, wide_patch: cells.Patch | None = None,
) -> tuple[Points, float] | None:  # fmt: skip
    """A pose aligned once, and how many cells agree on it; none where too few do."""
    if wide_patch is None:
        wide_patch = cells.cut_patch(levels, template_pose, templates, reach)
    best, peak = cells.best_shifts(wide_patch, templates, face, reach, covered)
    weight = templates.texture[face] * np.maximum(0, peak - CELL.min_shift_correlation)
    if covered is not None:
        # In a row of cards with one frame, the next card's frame would draw the pose towards itself.
        weight[covered] = 0
    is_used = weight > MIN_USED_WEIGHT
    if is_used.sum() < needed:
        return None
    shifts = cells.shift_of(best, reach)
    # Perspective needs points all over the card; with a part visible it would bend the rest anywhere.
    full = bool(is_used.mean() > CARD.majority_share)
    corrected = correction(templates, shifts, weight, full)
    if corrected is None and full:
        corrected = correction(templates, shifts, weight, False)
    # By chance few shifts agree with one another; on a card nearly all visible cells' do.
    if corrected is None or corrected[1] < needed:
        return None
    moved = template_pose @ corrected[0]
    if not is_convex(map_points(moved, rectangle(templates.width, templates.height))):
        return None
    return moved, corrected[1]


def fit_face(
    index: Index, levels: list[cells.Level], face: int, template_pose: Points, covered: Mask | None = None
) -> FaceFit:
    """Measure a face at a settled pose; `covered` are cells known to be under something else."""
    templates = index.fine
    # The next refinement reuses this patch, so it's as wide as that needs.
    wide_patch = cells.cut_patch(levels, template_pose, templates, REACH)
    patch = wide_patch.inner(REACH - 1)
    glare = _glare(index, face, cells.whiteness(patch, templates, 1))
    covered = glare if covered is None else covered | glare
    fit = fit_blocks(index, cells.cut_blocks(patch, templates, 1), face, template_pose, covered, levels[0].pixels.shape)
    return msgspec.structs.replace(fit, wide_patch=wide_patch, glare=glare)


def fit_again(index: Index, levels: list[cells.Level], fit: FaceFit, covered: Mask) -> FaceFit:
    """Measure a face anew where it was measured before, with something else known to cover it."""
    if fit.glare is None:
        return fit_face(index, levels, fit.face, fit.template_pose, covered)
    again = _judged(
        index, fit.blocks, fit.agreement, fit.face, fit.template_pose, covered | fit.glare, levels[0].pixels.shape
    )
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
    is_exacting = is_covered and index.has_near_twins
    for number in range(POSE.max_refinements):
        if fit.mean_agreement >= (POSE.good_covered_agreement if is_exacting else POSE.good_agreement):
            break
        template_pose, wide_patch = fit.template_pose, fit.wide_patch
        if number == 0 and is_covered and template_pose[2, :2].any():
            template_pose, wide_patch = _flattened(index.fine, template_pose, covered), None
        finer = refine_last(index, levels, fit.face, template_pose, covered, wide_patch)
        if finer is None or _is_settled(index.fine, fit.template_pose, finer):
            break
        again = fit_face(index, levels, fit.face, finer, covered)
        is_nearer = again.mean_agreement - fit.mean_agreement > POSE.min_agreement_gain
        fit = better_pose(fit, again)
        # From the same pose the next step would be the same as this one.
        is_repeated = fit is not again and template_pose is fit.template_pose
        if is_repeated or (number and not is_nearer):
            break
    return fit


def _is_settled(templates: cells.Templates, template_pose: Points, finer: Points) -> bool:
    """Whether a finer pose is as good as the same: each corner moves by less than `IDENTITY.same_pose_px`."""
    corners = rectangle(templates.width, templates.height)
    away = float(np.abs(map_points(finer, corners) - map_points(template_pose, corners)).max())
    return bool(away < IDENTITY.same_pose_px * magnification(template_pose))


def better_pose(one: FaceFit, other: FaceFit) -> FaceFit:
    """Which of two poses explains more: a good one of the whole card agrees less than a bad one of a small piece."""
    return max(one, other, key=lambda fit: (fit.mean_agreement - POSE.min_visible_agreement) * fit.support)


def _flattened(templates: cells.Templates, template_pose: Points, covered: Mask) -> Points:
    """A pose with the perspective taken out, fitted where the card shows: what hides the rest had bent the pose."""
    spots = templates.centres()[~covered]
    if len(spots) < 3:
        return template_pose
    lifted = np.column_stack([spots, np.ones(len(spots))])
    return np.vstack([np.linalg.lstsq(lifted, map_points(template_pose, spots), rcond=None)[0].T, [0, 0, 1.0]])


def fit_blocks(
    index: Index,
    blocks: cells.Blocks,
    face: int,
    template_pose: Points,
    covered: Mask | None,
    shape: tuple[int, ...],
) -> FaceFit:
    """Measure a face at a settled pose, as `fit_face` does, from blocks already cut."""
    agreement = cells.agreement(blocks, index.fine, [index.fine.reference(face)])[0]
    covered = np.zeros(len(agreement), bool) if covered is None else covered
    return _judged(index, blocks, agreement, face, template_pose, covered, shape)


def _judged(
    index: Index, blocks: cells.Blocks, agreement: Array, face: int, template_pose: Points, covered: Mask,
    shape: tuple[int, ...],
) -> FaceFit:  # fmt: skip
    """What is visible of a face, and how well it fits there, by the agreement of its cells."""
    templates = index.fine
    corners = map_points(template_pose, rectangle(templates.width, templates.height))
    if _outside(corners, shape).any():
        covered = covered | _outside(map_points(template_pose, templates.centres()), shape)
    texture = templates.texture[face]
    clear = _beside_the_edge(templates, agreement, texture)
    weight, visible, around = visible_cells(templates, clear, texture, covered)
    support = float((texture * visible * np.clip(agreement, 0, 1)).sum())
    mean_agreement = float((weight * around * clear).sum() / max(1e-6, (weight * around).sum()))
    count, on_rim = int(np.count_nonzero(visible)), int(np.count_nonzero(visible & templates.rim()))
    visible_share_of_uncovered = count / max(1, int(np.count_nonzero(~covered)))
    rim_ratio = on_rim / max(1.0, math.sqrt(count))
    return FaceFit(
        face,
        template_pose,
        agreement,
        visible,
        covered,
        support,
        mean_agreement,
        visible_share_of_uncovered,
        rim_ratio,
        blocks,
    )


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


def visible_cells(
    templates: cells.Templates, agreement: Array, texture: Array, covered: Mask
) -> tuple[Array, Mask, Mask]:
    """What each cell weighs, which cells of a face are seen, and those around which such cells lie."""
    # A blank cell weighs little, but not nothing: a drawing in it contradicts the face.
    weight = np.asarray(np.maximum(texture, IDENTITY.blank_cell_weight) * ~covered, np.float32)
    smooth = cells.smooth(agreement, weight, templates)
    visible = (smooth > POSE.min_visible_agreement) & ~covered
    agreeing = np.sort(smooth[visible])
    if len(agreeing):
        # Where most of a face agrees well, cells that agree far less show another card in the same frame.
        lack = 1 - agreeing[len(agreeing) * 3 // 4]
        agreeing_well = visible & (1 - smooth < max(POSE.max_disagreement_ratio * lack, POSE.max_disagreement))
        # Where few agree less, that is a smudge.
        if np.count_nonzero(agreeing_well) < (1 - POSE.max_smudge_share) * len(agreeing):
            visible = agreeing_well
    visible, around = cells.visible_regions(visible, templates)
    return weight, visible, around & ~covered
