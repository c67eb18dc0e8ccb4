"""A small convolutional network in plain NumPy: maps of what differs, and numbers about the whole, become one log-odds.

Its convolutions are pooled by mean, maximum and root mean square over what shows, and three dense layers weigh these
with the numbers. Weights are made by `python -m benchmarks.vision.train`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from vision.geometry import Array

CONVOLUTIONS = ("first", "second", "third")
# A number about the whole is cut off at so many times its usual size.
FARTHEST = 4.0


@lru_cache(maxsize=4)
def weights(file: Path) -> dict[str, Array]:
    """The trained weights in a file."""
    with np.load(file) as kept:
        return {name: kept[name].astype(np.float32) for name in kept}


def log_odds(net: dict[str, Array], maps: Array, summary: Array, shows: Array) -> float:
    """The log-odds of maps (map, row, column) that aren't negative, where their cells show."""
    seen = (np.sqrt(maps) - net["maps.mean"][:, None, None]) / net["maps.scale"][:, None, None] * shows
    for name in CONVOLUTIONS:
        if f"{name}.weight" in net:
            seen, shows = _convolved(seen, net[f"{name}.weight"], net[f"{name}.bias"], shows)
    flat, total = seen.reshape(len(seen), -1), np.float32(shows.sum() + 1)
    known = np.clip((summary - net["summary.mean"]) / net["summary.scale"], -FARTHEST, FARTHEST)
    values = np.concatenate(
        [
            flat.sum(axis=1) / total,
            flat.max(axis=1),
            np.sqrt((flat * flat).sum(axis=1) / total + np.float32(1e-6)),
            known,
        ]
    )
    for name in ("pooled", "hidden"):
        values = np.maximum(net[f"{name}.weight"] @ values + net[f"{name}.bias"], 0)
    return float((net["odds.weight"] @ values + net["odds.bias"])[0])


def _convolved(planes: Array, weight: Array, bias: Array, shows: Array) -> tuple[Array, Array]:
    """A convolution with a margin of zeros and what is above 0 of it, and what shows; one 4 wide halves the grid."""
    channels, rows, columns = planes.shape
    kernel = weight.shape[2]
    stride = 2 if kernel == 4 else 1
    if stride == 2:
        shows = _halved(shows)
    high, wide = shows.shape
    padded = np.zeros((channels, rows + 2 + rows % stride, columns + 2 + columns % stride), np.float32)
    padded[:, 1 : rows + 1, 1 : columns + 1] = planes
    c, y, x = padded.strides
    windows: Array = np.ndarray(
        (channels, kernel, kernel, high, wide), np.float32, padded, 0, (c, y, x, stride * y, stride * x)
    )
    out = weight.reshape(len(weight), -1) @ windows.reshape(channels * kernel**2, high * wide)
    out += bias[:, None]
    return np.maximum(out, 0, out=out).reshape(len(weight), high, wide) * shows, shows


def _halved(shows: Array) -> Array:
    """What shows, in cells twice as large."""
    rows, columns = shows.shape
    even = cv2.copyMakeBorder(shows, 0, rows % 2, 0, columns % 2, cv2.BORDER_CONSTANT, value=[0.0])
    return np.asarray(cv2.resize(even, (even.shape[1] // 2, even.shape[0] // 2), interpolation=cv2.INTER_AREA))
