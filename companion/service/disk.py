"""The disk and its last reserve: a file that is given up when the disk is full, so that a game can still be kept."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

RESERVE_BYTES = 2 * 1024 * 1024
# A disk with less room than this gets no reserve and no backup: the game's own steps come first.
MIN_FREE_BYTES = 16 * 1024 * 1024


def free(folder: Path) -> int:
    """Bytes that an ordinary user may still write here."""
    return shutil.disk_usage(folder).free


def make_reserve(folder: Path) -> bool:
    """Make sure that the reserve exists; whether it does. Written once, so it costs the card nothing later."""
    path = folder / "reserve"
    try:
        if path.exists():
            return True
        if free(folder) < MIN_FREE_BYTES:
            return False
        with path.open("wb") as file:
            # Allocated, not sparse: a hole would hold no room.
            os.posix_fallocate(file.fileno(), 0, RESERVE_BYTES)
    except OSError:
        # On a read-only disk not even that works.
        with suppress(OSError):
            path.unlink()
        return False
    return True


def release_reserve(folder: Path) -> bool:
    """Give the reserve back to the disk; whether there was one."""
    try:
        (folder / "reserve").unlink()
    except OSError:
        return False
    return True
