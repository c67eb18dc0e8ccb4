"""A phone as an eye: a photo of the table, taken by hand, is read by the same eye that reads the camera's pictures.

Nothing is known of a photo but that a paired phone sent it: its size is looked at before it's decoded, and it's shrunk
before it's read. Reading takes seconds on a small Pi and belongs in a thread, one photo at a time.
"""

from __future__ import annotations

import io
import threading
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image

from companion.kits import KITS
from companion.session.session import Session
from companion.session.situation import Running
from companion.table.eye import Eye
from companion.table.sight import Sight
from companion.table.simulated_table import FRAMES_TO_SETTLE
from companion.text import N_, Text
from companion.web.desk import STALE, Refused
from companion.web.eyes.records import PhotoRead
from companion.web.owner import SessionChange
from vision.calibration import calibrate
from vision.errors import VisionError
from vision.geometry import Picture
from vision.pictures import LONGEST_SIDE, MOST_PIXELS
from vision.zones import Layout

KINDS = frozenset({"JPEG", "PNG", "WEBP", "MPO"})
# Pixels along the longer side of what is read: a card is then still larger than the camera has it.
PHOTO_PIXELS = 2800
# Pixels a millimetre of the table seen from above, and millimetres around it, where the markers end.
PIXELS_A_MM = 2.6
AROUND_MM = 30.0
# A photo with more pixels is decoded at half its size, so that it takes a quarter of the memory.
LARGE_PHOTO_PIXELS = 16_000_000
NO_PHOTO = Text(N_("This is no photo that can be read: JPEG, PNG or WebP, please."))
TOO_LARGE = Text(N_("This photo is too large: at most {pixels} million pixels."), {"pixels": MOST_PIXELS // 1_000_000})
UNREADABLE = Text(N_("The table can't be read in this photo. Hold still, with all four corners and no hand in it."))


def photo_of(data: bytes, longest: int = PHOTO_PIXELS) -> Picture:
    """A photo, turned as its camera was held, no larger than it's of use. Raises `Refused`."""
    try:
        with Image.open(io.BytesIO(data)) as head:
            (width, height), kind = head.size, head.format
    except Exception:  # whatever Pillow's many readers raise for a head that makes no sense
        raise Refused(422, "no_photo", NO_PHOTO) from None
    if kind not in KINDS or min(width, height) < 1:
        raise Refused(422, "no_photo", NO_PHOTO)
    if width * height > MOST_PIXELS or max(width, height) > LONGEST_SIDE:
        raise Refused(413, "too_large", TOO_LARGE)
    how = cv2.IMREAD_REDUCED_COLOR_2 if width * height > LARGE_PHOTO_PIXELS else cv2.IMREAD_COLOR
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), how)
    except (cv2.error, MemoryError):
        picture = None
    if picture is None or picture.size == 0:
        raise Refused(422, "no_photo", NO_PHOTO)
    scale = longest / max(picture.shape[:2])
    if scale < 1:
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(picture, np.uint8)


class PhotoEye:
    """Reads photos of the running game's table."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._lock = threading.Lock()

    def read(self, data: bytes, game: str, options: Any) -> Sight:
        """What lies on the table. Raises `Refused` where the photo doesn't tell."""
        with self._lock:
            try:
                picture = flattened(photo_of(data), KITS[game].layout)
                eye = Eye(game, options, self._folder, has_own_lens=False)
                for _ in range(FRAMES_TO_SETTLE):
                    sight = eye.look(picture)
                    if not sight.is_unsettled:
                        return sight
            except VisionError as error:
                raise Refused(422, "no_photo", error.text) from None
        raise Refused(422, "no_photo", UNREADABLE)


def flattened(photo: Picture, layout: Layout) -> Picture:
    """A photo taken from anywhere, as if from straight above, its markers still in it. Raises `VisionError`."""
    to_table = calibrate(photo, layout.width, layout.height).to_table
    width, height = layout.width + 2 * AROUND_MM, layout.height + 2 * AROUND_MM
    scale, shift = PIXELS_A_MM, AROUND_MM * PIXELS_A_MM
    to_flat = np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1.0]]) @ to_table
    return np.asarray(cv2.warpPerspective(photo, to_flat, (round(width * scale), round(height * scale))), np.uint8)


def photo_taken_in(sight: Sight, of: Running) -> SessionChange[PhotoRead]:
    """The box takes in what a photo shows, if it's still the game that was photographed."""

    def change(session: Session) -> PhotoRead:
        running = session.shown.running
        if running is None or running.sitting != of.sitting:
            raise Refused(409, "stale_state", STALE)
        session.on_sight(sight)
        return PhotoRead(len(sight.cards), len(sight.strangers))

    return change
