"""Light and camera faults of the simulated table: dim, coloured, glaring, blurred, noisy pictures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from vision.colours import LINEAR, gamma_coded
from vision.geometry import Array, Picture


class Conditions(Struct, frozen=True):
    """How a scene is lit and photographed.

    `light` multiplies the brightness, `warmth` shifts it towards candle light (1 leaves little blue),
    `shade` is how much darker one side of the table is, `glare` the number of reflections,
    `blur` and `shake` are in pixels, `noise` in grey levels at full light, `jpeg` the quality.
    """

    light: float = 1.0
    warmth: float = 0.0
    shade: float = 0.15
    glare: int = 0
    blur: float = 0.5
    shake: float = 0.0
    noise: float = 2.0
    jpeg: int = 90
    shadow: float = 0.35


def expose(clean: Picture, conditions: Conditions, random: np.random.Generator) -> Picture:
    """The picture a camera takes of a perfectly lit one."""
    height, width = clean.shape[:2]
    picture: Array = clean.astype(np.float32)
    if conditions.blur > 0:
        # A lens blurs light, not the values that a picture keeps of it.
        picture = 255 * gamma_coded(cv2.GaussianBlur(cv2.LUT(clean, LINEAR), (0, 0), conditions.blur))
    picture *= light_map(height, width, conditions, random)
    for _ in range(conditions.glare):
        picture += reflection(height, width, random)
    if conditions.shake > 1:
        picture = cv2.filter2D(picture, -1, streak(conditions.shake, float(random.uniform(0, np.pi))))
    # Photons are counted: a dim picture is noisier in proportion once the gain is up.
    sigma = (
        conditions.noise * (0.4 + 0.6 * np.sqrt(np.clip(picture, 0, 255) / 255)) / np.sqrt(max(conditions.light, 0.05))
    )
    picture += grain(picture.shape, random) * sigma
    taken = np.clip(picture, 0, 255).astype(np.uint8)
    if conditions.jpeg < 100:
        _ok, data = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, conditions.jpeg])
        taken = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return taken


def grain(shape: tuple[int, ...], random: np.random.Generator) -> Array:
    """Noise of one grey level for each pixel and colour."""
    state = random.bit_generator.state
    noise, random.bit_generator.state = _grain(shape, msgspec.json.encode(state))
    return noise


# Drawing noise is half the work of a picture, and pictures with the same seed have the same; some megabytes each.
@lru_cache(maxsize=2)
def _grain(shape: tuple[int, ...], state: bytes) -> tuple[Array, Mapping[str, Any]]:
    random = np.random.default_rng()
    random.bit_generator.state = msgspec.json.decode(state)
    return random.standard_normal(shape, np.float32), random.bit_generator.state


def light_map(height: int, width: int, conditions: Conditions, random: np.random.Generator) -> Array:
    """Brightness for each pixel and colour: a gradient across the table, tinted."""
    return _light_map(height, width, conditions, random.uniform(0, 2 * np.pi))


# The light stays the same for a whole game; some megabytes each.
@lru_cache(maxsize=2)
def _light_map(height: int, width: int, conditions: Conditions, angle: float) -> Array:
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    along = (x / width - 0.5) * np.cos(angle) + (y / height - 0.5) * np.sin(angle)
    tint = np.array([1 - 0.8 * conditions.warmth, 1 - 0.35 * conditions.warmth, 1.0], np.float32)
    level = conditions.light * (1 - conditions.shade * (along + 0.5))
    return np.asarray(level[:, :, None] * tint, np.float32)


def reflection(height: int, width: int, random: np.random.Generator) -> Array:
    """One soft white patch, as a lamp leaves on a sleeve."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    cx, cy = random.uniform(0.1, 0.9) * width, random.uniform(0.1, 0.9) * height
    long, short = random.uniform(0.04, 0.12) * width, random.uniform(0.02, 0.05) * width
    angle = random.uniform(0, np.pi)
    along = (x - cx) * np.cos(angle) + (y - cy) * np.sin(angle)
    across = -(x - cx) * np.sin(angle) + (y - cy) * np.cos(angle)
    spot = 220 * np.exp(-((along / long) ** 2) - (across / short) ** 2)
    return np.repeat(spot[:, :, None], 3, axis=2)


def streak(length: float, angle: float) -> Array:
    """The kernel of a shaken camera."""
    size = 2 * int(np.ceil(length / 2)) + 1
    kernel = np.zeros((size, size), np.float32)
    middle, dx, dy = size // 2, np.cos(angle) * length / 2, np.sin(angle) * length / 2
    cv2.line(kernel, (round(middle - dx), round(middle - dy)), (round(middle + dx), round(middle + dy)), 1.0, 1)
    return np.asarray(kernel / kernel.sum(), np.float32)
