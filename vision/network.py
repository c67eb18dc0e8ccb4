"""A small convolutional network in plain NumPy: maps of what differs, and numbers about the whole, become one log-odds.

Its convolutions are pooled by mean, maximum and root mean square over what shows, and three dense layers weigh these
with the numbers. Weights are made by `python -m benchmarks.vision.train`.
"""

from __future__ import annotations

import itertools
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from vision.geometry import Array

CONVOLUTIONS = ("first", "second", "third")
# A number about the whole is cut off at so many times its usual size.
CLIPPED_DEVIATIONS = 4.0


@lru_cache(maxsize=4)
def weights(file: Path) -> dict[str, Array]:
    """The trained weights in a file."""
    with np.load(file) as kept:
        return {name: kept[name].astype(np.float32) for name in kept}


def shown_window(shown: Array) -> tuple[slice, slice]:
    """The rows and columns of cells that show; both begin with an even one, for cells are taken together by fours."""
    rows, columns = (np.flatnonzero(shown.any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return slice(0, len(shown)), slice(0, shown.shape[1])
    return slice(int(rows[0]) & ~1, int(rows[-1]) + 1), slice(int(columns[0]) & ~1, int(columns[-1]) + 1)


def logit(net: dict[str, Array], maps: Array, summary: Array, shown: Array) -> float:
    """The log-odds of maps (map, row, column) that aren't negative, where their cells show."""
    # Cells that don't show count for nothing, and in a row they are half of a card.
    window = shown_window(shown)
    shown = shown[window]
    seen = np.sqrt(maps[:, *window])
    seen -= net["maps.mean"][:, None, None]
    seen *= shown
    seen /= net["maps.scale"][:, None, None]
    # With a margin of zeros all around, a step in any direction is a number of cells along the flattened grid: the
    # windows of a kernel are stretches of it, and nothing is copied cell by cell.
    if net["first.weight"].shape[2] == 4:
        shown = _halved(shown)
        flat = _in_fours(seen, *shown.shape)
    else:
        flat = _framed(seen)
    mask, pitch = _framed(shown[None]), shown.shape[1] + 2
    for name in CONVOLUTIONS:
        if f"{name}.weight" in net:
            flat = _convolved(flat, net[f"{name}.weight"], net[f"{name}.bias"], mask, pitch)
    total = np.float32(shown.sum() + 1)
    known = np.clip((summary - net["summary.mean"]) / net["summary.scale"], -CLIPPED_DEVIATIONS, CLIPPED_DEVIATIONS)
    power = np.einsum("ij,ij->i", flat, flat)
    values = np.concatenate(
        [flat.sum(axis=1) / total, flat.max(axis=1), np.sqrt(power / total + np.float32(1e-6)), known]
    )
    for name in ("pooled", "hidden"):
        values = np.maximum(net[f"{name}.weight"] @ values + net[f"{name}.bias"], 0)
    return float((net["odds.weight"] @ values + net["odds.bias"])[0])


def _framed(planes: Array) -> Array:
    """Planes with a margin of zeros, each flattened."""
    framed = np.zeros((len(planes), planes.shape[1] + 2, planes.shape[2] + 2), np.float32)
    framed[:, 1:-1, 1:-1] = planes
    return framed.reshape(len(planes), -1)


def _in_fours(planes: Array, rows: int, columns: int) -> Array:
    """The same with each plane as four of this many rows and columns, in which cells are taken together by fours."""
    framed = np.zeros((len(planes), 2, 2, rows + 2, columns + 2), np.float32)
    for down, across in itertools.product((0, 1), repeat=2):
        part = planes[:, 1 - down :: 2, 1 - across :: 2]
        high, wide = part.shape[1:]
        framed[:, down, across, 1 - down : 1 - down + high, 1 - across : 1 - across + wide] = part
    return framed.reshape(4 * len(planes), -1)


def _convolved(flat: Array, weight: Array, bias: Array, mask: Array, pitch: int) -> Array:
    """What is above 0 of a convolution of flattened planes, where the mask shows; their margin stays zeros."""
    channels, kernel = weight.shape[1], weight.shape[2]
    if kernel == 4:
        # Of cells taken together by fours, a kernel 2 wide.
        weight = weight.reshape(-1, channels, 2, 2, 2, 2).transpose(0, 1, 3, 5, 2, 4).reshape(len(weight), -1, 2, 2)
        channels, kernel = 4 * channels, 2
    inner = flat.shape[1] - 2 * pitch - 2
    tall = inner + (kernel - 1) * pitch
    lines = np.concatenate([flat[:, across : across + tall] for across in range(kernel)])
    by_row = weight.transpose(2, 0, 3, 1).reshape(kernel, len(weight), -1)
    out = by_row[0] @ lines[:, :inner]
    for down in range(1, kernel):
        out += by_row[down] @ lines[:, down * pitch : down * pitch + inner]
    out += bias[:, None]
    np.maximum(out, 0, out=out)
    framed = np.zeros((len(out), flat.shape[1]), np.float32)
    middle = slice(pitch + 1, pitch + 1 + inner)
    np.multiply(out, mask[:, middle], out=framed[:, middle])
    return framed


def _halved(shown: Array) -> Array:
    """What shows, in cells twice as large."""
    rows, columns = shown.shape
    even = cv2.copyMakeBorder(shown, 0, rows % 2, 0, columns % 2, cv2.BORDER_CONSTANT, value=[0.0])
    return np.asarray(cv2.resize(even, (even.shape[1] // 2, even.shape[0] // 2), interpolation=cv2.INTER_AREA))
