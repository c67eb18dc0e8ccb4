"""Compares a place in the picture with enrolled faces cell by cell: where it agrees, shifted how, how well.

This is the judge of the eye. A face's picture is cut into small cells; each is compared on its own, so that
a covered part, a reflection or a shadow spoils its own cells only.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct

from vision.geometry import Array, Counts, Mask, Points, quantile, sampled
from vision.tuning import CELL

_GAP = np.ones((CELL.max_gap_cells + 1, CELL.max_gap_cells + 1), np.uint8)
# Small products of matrices are quickest in this many columns, or up to so many columns one after the other.
PRODUCT_COLUMNS, MAX_SINGLE_PRODUCTS = 8, 4
CellWindow: TypeAlias = tuple[slice, slice]  # rows and columns of cells
# Rows of the picture that noise is measured in, in runs of so many pixels.
NOISE_ROWS, NOISE_RUN = 60, 32
# Interpolation leaves this share of the noise each way, on average.
INTERPOLATION_NOISE = 2 / 3


class Templates(Struct, frozen=True):
    """Faces as grids of zero-mean cells: `cells` is (face, cell, pixel), `variance` (face, cell)."""

    width: int
    height: int
    side: int
    cells: Array
    variance: Array
    texture: Array  # how much there is to recognise in each cell of a face, 0 to 1
    half_resolution: Array  # the same cells at half the resolution

    @property
    def columns(self) -> int:
        """Cells across."""
        return self.width // self.side

    @property
    def rows(self) -> int:
        """Cells down."""
        return self.height // self.side

    def centres(self) -> Points:
        """The middle of each cell in template pixels."""
        return _centres(self.rows, self.columns, self.side)

    def quarters(self) -> Points:
        """Four spots of each cell, a quarter of its side from its edges, in template pixels."""
        return _quarters(self.rows, self.columns, self.side)

    def rim(self) -> Mask:
        """The cells at the card's edge."""
        return _rim(self.rows, self.columns)

    def inner(self) -> Counts:
        """For each cell itself, or at the card's edge the cell inside of it."""
        return _inner(self.rows, self.columns)

    def reference(self, face: int, flipped: bool = False) -> tuple[Array, Array]:
        """What each cell of a place shows if a face lies there, or lies there the other way up; and its variance."""
        pixels, variance = self.cells[face], self.variance[face]
        return (pixels[::-1, ::-1], variance[::-1]) if flipped else (pixels, variance)


@lru_cache(maxsize=16)
def _centres(rows: int, columns: int, side: int) -> Points:
    y, x = np.mgrid[0:rows, 0:columns]
    return np.column_stack([x.ravel() + 0.5, y.ravel() + 0.5]) * side


@lru_cache(maxsize=16)
def _quarters(rows: int, columns: int, side: int) -> Points:
    away = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side / 4
    return np.asarray((_centres(rows, columns, side)[:, None, :] + away).reshape(-1, 2))


@lru_cache(maxsize=16)
def _rim(rows: int, columns: int) -> Mask:
    inner = np.zeros((rows, columns), bool)
    inner[1:-1, 1:-1] = True
    return ~inner.ravel()


@lru_cache(maxsize=16)
def _inner(rows: int, columns: int) -> Counts:
    y, x = np.mgrid[0:rows, 0:columns]
    return np.asarray(np.clip(y, 1, rows - 2) * columns + np.clip(x, 1, columns - 2)).ravel()


@lru_cache(maxsize=16)
def lifted(rows: int, columns: int, side: int) -> Points:
    """Cell centres in card widths, with a one behind each."""
    spots = _centres(rows, columns, side) / (columns * side)
    return np.column_stack([spots, np.ones(len(spots))])


class Level(Struct, frozen=True):
    """A picture at one of its resolutions, and the camera's noise in it, both in grey values from 0 to 1."""

    pixels: Array
    noise: float


def levels_of(grey: Array) -> list[Level]:
    """A picture and its halves; a very noisy one is smoothed first."""
    noise = noise_of(grey)
    if noise > 1.5 * CELL.max_noise * cv2.mean(grey)[0]:
        grey = np.asarray(cv2.medianBlur(grey, 3))
        noise = noise_of(grey)
    levels = [Level(grey, noise)]
    while min(grey.shape) > 60 and len(levels) < 5:
        grey = np.asarray(cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
        # Halving halves independent noise; in small levels the drawing is too fine to measure noise beside it.
        noise = min(noise, noise_of(grey)) if len(levels) < 3 else noise / 2
        levels.append(Level(grey, noise))
    return levels


def noise_of(grey: Array) -> float:
    """The camera's noise by how much pixels differ from their two neighbours where they differ least.

    That is on plain paper or a bare table. Where nothing is plain the drawing adds to it; where JPEG has smoothed what
    is plain there's too little: both leave some of the noise in.
    """
    rows = grey[:: max(1, len(grey) // NOISE_ROWS)]
    width = rows.shape[1] - 2 - (rows.shape[1] - 2) % NOISE_RUN
    if width <= 0:
        return 0.0
    away = (rows[:, 1:-1] - (rows[:, :-2] + rows[:, 2:]) / 2)[:, :width]
    runs = (away * away).reshape(-1, NOISE_RUN).mean(axis=1)
    # A pixel and the mean of two others have one and a half times the variance of one.
    return float(np.sqrt(quantile(runs, CELL.plain_share) / 1.5))


class Patch(Struct, frozen=True):
    """A place of the picture, upright, and the camera's noise in it."""

    pixels: Array
    noise: float

    def inner(self, margin: int) -> Patch:
        """The same without a margin."""
        return Patch(np.ascontiguousarray(self.pixels[margin:-margin, margin:-margin]), self.noise)


class Blocks(Struct, frozen=True):
    """A patch of the picture cut for comparison: each cell at each shift."""

    pixels: Array  # (cell, shift, pixel)
    variance: Array  # (cell, shift), less what is noise
    contrast: Array  # the root of the variance, grain included
    reach: int

    def half_turned(self) -> Blocks:
        """The same place seen the other way up."""
        pixels, variance, contrast = (
            np.ascontiguousarray(part[::-1, ::-1]) for part in (self.pixels[:, :, ::-1], self.variance, self.contrast)
        )
        return Blocks(pixels, variance, contrast, self.reach)


def flat_field(picture: Array, width: int) -> Array:
    """The picture divided by its local brightness, so that shade and dim light drop out."""
    # A quarter of the card is wider than any drawing's detail and narrower than a shadow's run.
    side = width // 4 * 2 + 1
    # Mirrored at the edge: repeated, a sliver of a dark table beside the card would darken half of it.
    light = np.asarray(cv2.blur(picture, (side, side), borderType=cv2.BORDER_REFLECT_101), np.float32)
    light += np.float32(CELL.dark_offset)
    return np.asarray(np.divide(picture, light, out=light))


def height_of(width: int, side: int, aspect: float) -> int:
    """How high a template is: whole cells, `aspect` being the card's height over its width."""
    return max(1, round(width * aspect / side)) * side


def cells_of(face: Array, width: int, side: int, aspect: float, blur: float = 0.0) -> Array:
    """The cells of a luminance picture at a working width, each with a mean of 0: (cell, pixel)."""
    height = height_of(width, side, aspect)
    small = cv2.resize(face, (width, height), interpolation=cv2.INTER_AREA)
    if blur:
        small = cv2.GaussianBlur(small, (0, 0), blur, borderType=cv2.BORDER_REPLICATE)
    blocks = flat_field(small, width).reshape(height // side, side, width // side, side)
    cells = blocks.transpose(0, 2, 1, 3).reshape(-1, side * side)
    return np.asarray(cells - cells.mean(axis=1, keepdims=True))


def templates_of(cells: Array, width: int, side: int, aspect: float) -> Templates:
    """Templates of the cells of some faces."""
    variance = np.einsum("fcp,fcp->fc", cells, cells) / np.float32(side**2)
    return as_templates(width, height_of(width, side, aspect), side, cells, variance)


def as_templates(width: int, height: int, side: int, cells: Array, variance: Array) -> Templates:
    """Templates of cells already cut."""
    texture = np.minimum(1, np.sqrt(variance) / CELL.texture_contrast)
    return Templates(width, height, side, cells, variance, texture, halved(cells, side))


def halved(cells: Array, side: int) -> Array:
    """Cells at half the resolution: the last axis holds `side` times `side` pixels."""
    rest = cells.shape[:-1]
    fours = cells.reshape(*rest, side // 2, 2, side // 2, 2)
    # Two sums one after the other take half the time of NumPy's mean over two axes.
    twos = fours[..., 0, :, :] + fours[..., 1, :, :]
    small = (twos[..., 0] + twos[..., 1]) * np.float32(0.25)
    return np.asarray(small.reshape(*rest, -1), np.float32)


@lru_cache(maxsize=64)
def _between(level: int, reach: int) -> tuple[Points, Points]:
    """From the full picture to a level of it, and from a patch with a margin to the template in it."""
    zoom = 0.5**level
    # Pixel centres: template pixel (0, 0) covers 0 to 1.
    down = np.array([[zoom, 0, (zoom - 1) / 2], [0, zoom, (zoom - 1) / 2], [0, 0, 1]])
    half = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1.0]])
    return down @ half, np.array([[1, 0, -reach + 0.5], [0, 1, -reach + 0.5], [0, 0, 1.0]])


def cut_patch(levels: list[Level], template_pose: Points, templates: Templates, reach: int) -> Patch:
    """The place as an upright patch with a margin; `template_pose` maps template pixels to the full picture.

    `levels` is the picture and its halves; the one nearest above the patch's resolution is sampled.
    """
    # Plain numbers: for two corners, NumPy takes longer to begin than this to end.
    (a, _b, x), (d, _e, y), (g, _h, depth) = template_pose.tolist()
    width = templates.width
    far = g * width + depth
    # A card's edge on the horizon is endlessly long.
    grown = 1e6
    if far and depth:
        grown = math.hypot((a * width + x) / far - x / depth, (d * width + y) / far - y / depth) / width
    level = min(max(math.floor(math.log2(min(max(grown, 1e-6), 1e6)) + 0.3), 0), len(levels) - 1)
    before, after = _between(level, reach)
    size = (templates.width + 2 * reach, templates.height + 2 * reach)
    pixels = sampled(levels[level].pixels, before @ template_pose @ after, size)
    return Patch(pixels, levels[level].noise * INTERPOLATION_NOISE)


def evened(patch: Patch, templates: Templates, reach: int) -> tuple[Array, Array]:
    """A patch with a margin of `reach` pixels, light divided out, and how much it varies in each cell at each shift."""
    even = flat_field(patch.pixels, templates.width)
    noise = min(patch.noise / (cv2.mean(patch.pixels)[0] + CELL.dark_offset), CELL.max_noise) ** 2
    sums, squares = (_sums(total, templates, 2 * reach + 1) for total in cv2.integral2(even))
    sums *= 1 / templates.side**2
    squares *= 1 / templates.side**2
    squares -= sums * sums
    squares -= noise
    return even, np.maximum(squares, 0, out=squares).astype(np.float32)


def _sums(total: Points, templates: Templates, shifts: int) -> Points:
    """Sums over each cell at each shift, from those over all that is above and to the left of a pixel."""
    rows, columns, cell = templates.rows, templates.columns, templates.side
    down, across = total.strides
    at = np.ndarray(
        (rows + 1, columns + 1, shifts, shifts), total.dtype, total, 0, (down * cell, across * cell, down, across)
    )
    strips = at[1:] - at[:-1]
    return np.asarray((strips[:, 1:] - strips[:, :-1]).reshape(rows * columns, shifts**2))


def cut_blocks(patch: Patch, templates: Templates, reach: int) -> Blocks:
    """Cut a patch with a margin of `reach` pixels into cells at every shift within the margin."""
    even, variance = evened(patch, templates, reach)
    pixels = _cut(even, templates, reach).reshape(templates.rows * templates.columns, -1, templates.side**2)
    return Blocks(pixels, variance, contrast_of(variance), reach)


def contrast_of(variance: Array) -> Array:
    """The root of a variance, grain included."""
    return np.asarray(np.sqrt(variance + np.float32(CELL.grain_contrast**2)))


def whiteness(patch: Patch, templates: Templates, reach: int) -> Array:
    """How much of each cell of a patch is as white as a sensor sees."""
    inner = patch.pixels[reach : reach + templates.height, reach : reach + templates.width]
    white = (inner > CELL.white_level).astype(np.float32)
    return cv2.resize(white, (templates.columns, templates.rows), interpolation=cv2.INTER_AREA).ravel()


def _cut(plane: Array, templates: Templates, reach: int, part: CellWindow = (slice(None), slice(None))) -> Array:
    """A plane as windows at each cell, or each of a part of the grid, and shift: (row, column, shift, pixel)."""
    rows, columns, cell, shifts = templates.rows, templates.columns, templates.side, 2 * reach + 1
    down, across = plane.strides
    # What NumPy's own `as_strided` does, in a tenth of its time. A line of a window is copied as one thing: number by
    # number takes nearly twice as long.
    windows = np.ndarray(
        (rows, columns, shifts, shifts, cell),
        np.dtype((np.void, cell * across)),
        plane,
        0,
        (down * cell, across * cell, down, across, down),
    )
    pixels: Array = np.ascontiguousarray(windows[part]).view(plane.dtype)
    return pixels.reshape(*pixels.shape[:2], shifts**2, cell * cell)


def in_common(even: Array, templates: Templates, references: Array, reach: int, asked: Mask | None) -> Array:
    """What each cell at each shift has in common with references (reference, cell, pixel): (cell, shift, reference).

    Where only some cells are asked for, others may have zeros.
    """
    rows, columns = templates.rows, templates.columns
    top, bottom, left, right = 0, rows, 0, columns
    if asked is not None:
        grid = asked.reshape(rows, columns)
        down, across = np.flatnonzero(grid.any(axis=1)), np.flatnonzero(grid.any(axis=0))
        if len(down):
            top, bottom, left, right = int(down[0]), int(down[-1]) + 1, int(across[0]), int(across[-1]) + 1
    faces = references.reshape(-1, rows, columns, templates.side**2)
    common = np.zeros((rows, columns, (2 * reach + 1) ** 2, len(references)), np.float32)
    part = (slice(top, bottom), slice(left, right))
    common[part] = products(_cut(even, templates, reach, part), faces[:, *part])
    return common.reshape(rows * columns, -1, len(references))


def products(windows: Array, references: Array) -> Array:
    """Products of windows (…, shift, pixel) with references (reference, …, pixel): (…, shift, reference)."""
    if len(references) <= MAX_SINGLE_PRODUCTS:
        return np.stack([(windows @ pixels[..., None])[..., 0] for pixels in references], axis=-1)
    count = len(references)
    padded = np.zeros((-(-count // PRODUCT_COLUMNS) * PRODUCT_COLUMNS, *references.shape[1:]), np.float32)
    padded[:count] = references
    return np.asarray(windows @ np.moveaxis(padded, 0, -1))[..., :count]


def best_shifts(
    patch: Patch, templates: Templates, face: int, reach: int, covered: Mask | None = None
) -> tuple[Counts, Array]:
    """The number of the shift at which each cell of a patch is most like a face, and its correlation there.

    Covered cells aren't asked for, and may be like it nowhere.
    """
    even, variance = evened(patch, templates, reach)
    own = np.sqrt(templates.variance[face] + np.float32(CELL.grain_contrast**2)) * np.float32(templates.side**2)
    asked = None if covered is None else ~covered
    common = in_common(even, templates, templates.cells[face][None], reach, asked)[:, :, 0]
    common /= np.sqrt(variance + np.float32(CELL.grain_contrast**2))
    best = common.argmax(axis=1)
    return best, common[numbers(len(best)), best] / own


@lru_cache(maxsize=16)
def numbers(count: int) -> Counts:
    """The numbers from 0 on, made once."""
    return np.arange(count)


def masked_correlation(blocks: Blocks, templates: Templates, visible: Array) -> Array:
    """How much every face looks like what is `visible` of a place as it was cut, and half-turned: (way up, face)."""
    middle = blocks.pixels.shape[1] // 2
    # At half the resolution, which forgives a pixel's shift and takes a quarter of the time.
    place = halved(blocks.pixels[:, middle], templates.side)
    place *= (visible / blocks.contrast[:, middle])[:, None]
    faces = templates.half_resolution.reshape(len(templates.half_resolution), -1)
    # One after the other: a product with both at once takes twice as long.
    common = np.stack([faces @ place.ravel(), faces @ place[::-1, ::-1].ravel()])
    mass = np.stack([visible, visible[::-1]]) @ np.sqrt(templates.variance).T
    # A halved cell has a quarter of the pixels that `variance` is a mean over.
    return np.asarray(common * np.float32(4 / templates.side**2) / (mass + np.float32(1e-6)))


def shift_of(number: Counts, reach: int) -> Points:
    """The x and y shift of a flat shift number."""
    side = 2 * reach + 1
    return np.column_stack([number % side - reach, number // side - reach]).astype(np.float64)


def agreement(blocks: Blocks, templates: Templates, references: list[tuple[Array, Array]]) -> Array:
    """How well each cell agrees in pattern and contrast with references at its best small shift: (reference, cell).

    From -1 to 1, like the structural similarity index, with the contrast of the light taken from the neighbouring
    cells: a blank cell agrees with a blank one, and a drawn one doesn't agree with a blank.
    """
    shifted = products(blocks.pixels, np.array([pixels for pixels, _variance in references]))
    shifted *= np.float32(1 / templates.side**2)
    best = (shifted / blocks.contrast[:, :, None]).argmax(axis=1)
    return agreed(blocks.variance, templates, references, shifted, best)


def agreed(
    observed_variance: Array, templates: Templates, references: list[tuple[Array, Array]], shifted: Array, best: Counts
) -> Array:
    """How well each cell agrees with references at chosen shifts: (reference, cell).

    `observed_variance` is the variance of each cell at each shift.
    """
    shape = (templates.rows, templates.columns, len(references))
    variance = np.array([v for _pixels, v in references]).T
    number = numbers(len(best))[:, None]
    common, observed_variance = shifted[number, best, numbers(len(references))], observed_variance[number, best]
    floor = np.float32(CELL.grain_contrast**2)
    both, own = (
        cv2.boxFilter(v.reshape(shape), -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT).reshape(best.shape)
        for v in (np.maximum(common, 0), variance)
    )
    # Light and print may halve or double the contrast; more than that is another picture.
    gain = np.minimum(np.maximum(both / (own + floor), np.float32(0.4)), np.float32(2.0))
    agreed = (2 * gain * common + floor) / (observed_variance + gain * gain * variance + floor)
    return np.ascontiguousarray(agreed.T)


def smooth(values: Array, weight: Array, templates: Templates) -> Array:
    """Weighted means over each cell and its eight neighbours."""
    shape = (templates.rows, templates.columns)
    total, mass = (
        cv2.boxFilter(
            np.ascontiguousarray(v, np.float32).reshape(shape), -1, (3, 3), normalize=False,
            borderType=cv2.BORDER_CONSTANT,
        ).ravel()
        for v in (values * weight, weight)
    )  # fmt: skip
    return np.asarray(total / (mass + 1e-6), np.float32)


def visible_regions(visible: Mask, templates: Templates) -> tuple[Mask, Mask]:
    """The visible cells that hang together, and these with the gaps between them filled.

    Single cells agree by chance; a visible part of a card is larger, and one or few.
    """
    if visible.all():
        return visible, visible
    shape = (templates.rows, templates.columns)
    grid = visible.reshape(shape).view(np.uint8)
    count, labels, stats, _middles = cv2.connectedComponentsWithStats(grid, connectivity=4)
    if count == 1:
        return visible, visible
    sizes = stats[:, cv2.CC_STAT_AREA]
    sizes[0] = 0  # what isn't seen
    kept = (sizes >= max(CELL.min_piece_cells, 0.2 * sizes.max()))[labels].view(np.uint8)
    # Not their convex hull: two cards laid over the third leave an angle of it, and what is in the angle is covered.
    closed = cv2.morphologyEx(
        cv2.copyMakeBorder(
            kept, CELL.max_gap_cells, CELL.max_gap_cells, CELL.max_gap_cells, CELL.max_gap_cells, cv2.BORDER_CONSTANT
        ),
        cv2.MORPH_CLOSE,
        _GAP,
    )
    outlines, _tree = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(closed, outlines, -1, 1, cv2.FILLED)
    filled = np.ascontiguousarray(
        closed[CELL.max_gap_cells : -CELL.max_gap_cells, CELL.max_gap_cells : -CELL.max_gap_cells]
    )
    return kept.ravel().view(bool), filled.ravel().view(bool)


def filled_visible_region(visible: Mask, templates: Templates) -> Mask:
    """The visible cells that hang together, with the gaps between them filled."""
    return visible_regions(visible, templates)[1]
