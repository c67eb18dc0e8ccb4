"""Pictures of the table for a browser: as the camera takes them, or laid flat through the calibration."""

from __future__ import annotations

import base64
from typing import Any, Protocol

import cv2
import numpy as np

from companion.table.eye import Snapshot
from companion.text import N_, Text
from companion.web.desk import Refused
from vision.geometry import Picture

NO_PICTURE = Text(N_("There is no picture yet."))
NO_MARKERS = Text(N_("The corner markers haven't been seen yet: the picture can't be laid under the cards."))
# The flat picture's width in pixels: enough for a phone's screen, little for a network.
FLAT_PIXELS = 1000
# The widths of a picture on a page, and of one among many.
SHOWN_PIXELS = 900
THUMBNAIL_PIXELS = 160


class TableCamera(Protocol):
    """Whoever watches the table: a camera's watcher, or the simulated table."""

    def snapshot(self) -> Snapshot | None:
        """The newest picture; None while there is none."""

    def recalibrate(self) -> None:
        """Look for the markers anew."""

    def renew(self) -> None:
        """Learn the cards of the table anew."""


def newest_picture(camera: TableCamera | None) -> Snapshot:
    """The newest picture. Raises `Refused` where there is none."""
    snapshot = None if camera is None else camera.snapshot()
    if snapshot is None:
        raise Refused(404, "no_picture", NO_PICTURE)
    return snapshot


def flat(snapshot: Snapshot) -> bytes:
    """The table seen straight from above, edge to edge. Raises `Refused` before the markers were seen."""
    if snapshot.calibration is None or snapshot.layout is None:
        raise Refused(404, "no_markers", NO_MARKERS)
    scale = FLAT_PIXELS / snapshot.layout.width
    to_flat = np.diag([scale, scale, 1.0]) @ snapshot.calibration.to_table
    return jpeg(cv2.warpPerspective(snapshot.picture, to_flat, (FLAT_PIXELS, round(snapshot.layout.height * scale))))


def jpeg(picture: Any) -> bytes:
    """A picture for a browser."""
    done, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])
    if not done:
        raise Refused(503, "no_picture", NO_PICTURE)
    return packed.tobytes()


def shrunk(picture: Picture, width: int = SHOWN_PIXELS) -> Picture:
    """A picture no wider than a page needs."""
    if picture.shape[1] <= width:
        return picture
    size = (width, round(width * picture.shape[0] / picture.shape[1]))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def as_address(picture: Picture) -> str:
    """A picture inside an answer, so that picture and words are of the same moment."""
    return f"data:image/jpeg;base64,{base64.b64encode(jpeg(picture)).decode()}"
