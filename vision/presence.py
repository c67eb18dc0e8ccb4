"""Decides whether a card that is no longer read where it lay is still there, covered, or gone.

Judged on two small pictures, the one in which the card was last read and the newest. The light may have changed, and a
cover may hide a part; a card is gone where nothing of its drawing is left in what isn't covered.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence

import cv2
import numpy as np

from vision.changes import CHANGED_LEVELS, ChangeDetector, changed_pixels, edges_of, filled_quads
from vision.geometry import Mask, Picture, Points
from vision.tuning import PRESENCE


class Presence(enum.Enum):
    """What has become of a card."""

    THERE = "there"
    COVERED = "covered"
    GONE = "gone"


def presence_of(changes: ChangeDetector, before: Picture | None, corners: Points, covers: Sequence[Points]) -> Presence:
    """What has become of a card that was last read in an earlier small picture; `covers` may lie over it."""
    now = changes.small
    if before is None or before.shape != now.shape:
        return Presence.COVERED if before is None else Presence.GONE
    own = filled_quads(now.shape, [corners], changes.zoom)
    # A card's edge and its shadow may lie a pixel beside its outline.
    over = cv2.dilate(filled_quads(now.shape, covers, changes.zoom), np.ones((5, 5), np.uint8))
    visible = (cv2.erode(own, np.ones((3, 3), np.uint8)) > 0) & (over == 0) & ~_blown_pixels(before, now)
    if np.count_nonzero(visible) <= PRESENCE.min_uncovered_share * np.count_nonzero(own):
        return Presence.COVERED
    # White paper on a white table: only what was drawn on it changes.
    drawn = visible & (edges_of(before) > 2 * CHANGED_LEVELS)
    changed = changed_pixels(before, now) > 0
    if _intact(drawn, drawn & ~changed) > PRESENCE.min_intact_share:
        return Presence.THERE
    is_changed = changed[visible].mean() > PRESENCE.min_changed_share or (
        drawn.any() and changed[drawn].mean() > PRESENCE.min_changed_share
    )
    return Presence.GONE if is_changed and not is_alike(before, now, visible) else Presence.THERE


def is_alike(before: Picture, now: Picture, where: Mask) -> bool:
    """Whether a part of the table shows the same in another light: its drawing agrees, and so do its colours."""
    one, other = before[where].astype(np.float32), now[where].astype(np.float32)
    # The lamp's colour is that of the whole picture.
    tint = np.log((other.mean(axis=0) + 1) / (one.mean(axis=0) + 1))
    lamp = np.log((now.mean(axis=(0, 1)) + 1) / (before.mean(axis=(0, 1)) + 1))
    if float(np.abs(tint - lamp).max()) > PRESENCE.max_tint_change:
        return False
    one, other = one - one.mean(axis=0), other - other.mean(axis=0)
    contrast = float(np.sqrt((one * one).sum() * (other * other).sum()))
    return contrast > 0 and float((one * other).sum()) / contrast > PRESENCE.min_correlation


def _intact(drawn: Mask, same: Mask) -> float:
    """The share of a drawing about which nothing has changed: a part that shows, not single pixels alike by chance."""
    window = (PRESENCE.window_px, PRESENCE.window_px)
    count = cv2.boxFilter(drawn.astype(np.float32), -1, window, normalize=False)
    kept = cv2.boxFilter(same.astype(np.float32), -1, window, normalize=False)
    asked = drawn & (count >= PRESENCE.window_px)
    return float((kept[asked] >= PRESENCE.min_unchanged_share * count[asked]).mean()) if asked.any() else 0.0


def _blown_pixels(before: Picture, now: Picture) -> Mask:
    """Where a reflection has come: white now, and not before."""
    return np.asarray((now.min(axis=2) >= 250) & (before.min(axis=2) < 250))
