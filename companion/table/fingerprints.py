"""A small fingerprint of a card's picture: enough to tell whether the same card still lies there.

It names nothing; that is the eye's work. It serves for cards that the eye has no name for.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Picture, Points, homography_to_quad

ACROSS, DOWN = 12, 18
FINER = 4
"""A card is cut out finer than it's kept, so that a pixel more or less at its edge doesn't matter."""
FLAT_CONTRAST = 3.0
"""Grey levels of contrast below which there is nothing to compare."""
SAME_CARD_AGREEMENT = 0.9
"""How much two looks of one card agree at least, from 0 to 1; those of different cards agree less."""


def fingerprint_of(picture: Picture, corners: Points) -> bytes:
    """How the card with these corners looks; the light of the room is taken out."""
    wide, high = ACROSS * FINER, DOWN * FINER
    cut = cv2.warpPerspective(
        picture,
        homography_to_quad(corners, wide, high),
        (wide, high),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    grey = cut if cut.ndim == 2 else cv2.cvtColor(cut, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (ACROSS, DOWN), interpolation=cv2.INTER_AREA).astype(np.float64)
    contrast = float(small.std())
    even = (small - small.mean()) / contrast if contrast > FLAT_CONTRAST else np.zeros_like(small)
    return np.clip(np.rint(even * 40), -127, 127).astype(np.int8).tobytes()


def is_same_fingerprint(one: bytes, other: bytes) -> bool:
    """Whether two fingerprints are of the same card, upside down too; what has no fingerprint is taken for the same."""
    if not one or not other:
        return True
    a, b = (np.frombuffer(fingerprint, np.int8).astype(np.float64) for fingerprint in (one, other))
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    if not size:
        return not a.any() and not b.any()
    return max(float(a @ b), float(a @ b[::-1])) > SAME_CARD_AGREEMENT * size
