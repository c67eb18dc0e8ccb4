"""The picture for a phone's home screen, drawn by code: a crescent over a rising row of lamps."""

from __future__ import annotations

import struct
import zlib
from functools import cache

import numpy as np
from numpy.typing import NDArray

NIGHT = (20, 19, 26)
MOON = (244, 241, 234)
LAMPS = ((255, 176, 92), (255, 82, 82), (90, 162, 255), (255, 215, 64), (95, 220, 122))
FINE = 3  # drawn this much larger, then averaged, so that edges are smooth


@cache
def icon(size: int) -> bytes:
    """A PNG of so many pixels."""
    wide = size * FINE
    across = np.linspace(0, 1, wide, endpoint=False, dtype=np.float32)
    down = across[:, np.newaxis]
    image: NDArray[np.uint8] = np.empty((wide, wide, 3), np.uint8)
    image[:] = NIGHT
    moon = (np.hypot(across - 0.5, down - 0.40) < 0.24) & (np.hypot(across - 0.60, down - 0.34) > 0.20)
    image[moon] = MOON
    for at, colour in enumerate(LAMPS):
        image[np.hypot(across - (0.22 + 0.14 * at), down - 0.78) < 0.045] = colour
    small = image.reshape(size, FINE, size, FINE, 3).mean(axis=(1, 3), dtype=np.float32)
    return png(np.rint(small).astype(np.uint8))


def png(pixels: NDArray[np.uint8]) -> bytes:
    """Pixels as a PNG file."""
    height, width, _ = pixels.shape

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, width * 3)], axis=1)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows.tobytes(), 9))
        + chunk(b"IEND", b"")
    )
