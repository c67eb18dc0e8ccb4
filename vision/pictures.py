"""Reads picture files of any kind into plain BGR bytes, with an error a person understands where it can't."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision.errors import N_, PictureError
from vision.geometry import Array, Picture

ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".ppm", ".pgm"})
# Larger than any camera a table has; a broken header asks for more memory than a Pi holds.
MOST_PIXELS = 200_000_000


def read_picture(path: Path) -> Picture:
    """A picture file, turned as its EXIF data says, 8 bits, in colour."""
    try:
        data = np.fromfile(path, np.uint8)
    except (FileNotFoundError, NotADirectoryError):
        raise PictureError(N_("there is no picture {path}"), path=path) from None
    except (OSError, ValueError) as error:
        raise PictureError(N_("{path} can't be read: {error}"), path=path, error=error) from None
    if not data.size:
        raise PictureError(N_("{path} is empty"), path=path)
    try:
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
    except (cv2.error, MemoryError):
        picture = None
    if picture is None or picture.size == 0:
        raise PictureError(N_("{path} is no picture that can be read"), path=path)
    if picture.shape[0] * picture.shape[1] > MOST_PIXELS:
        raise PictureError(N_("{path} is too large"), path=path)
    return np.asarray(picture, np.uint8)


def write_picture(path: Path, picture: Picture) -> None:
    """Write a picture; the ending of its name says in which format."""
    try:
        done, data = cv2.imencode(path.suffix or ".png", picture)
    except cv2.error:
        done = False
    if not done:
        raise PictureError(N_("{path}: no picture format has this ending; try .png or .jpg"), path=path)
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise PictureError(N_("{path} can't be written: {error}"), path=path, error=error) from None


def as_colour(frame: Array) -> Picture:
    """Any frame a camera may give (grey, 16 bits, with alpha) as 8-bit BGR."""
    picture = np.asarray(frame)
    if picture.ndim == 3 and picture.shape[2] == 1:
        picture = picture[:, :, 0]
    if picture.ndim not in (2, 3) or picture.size == 0 or (picture.ndim == 3 and picture.shape[2] not in (3, 4)):
        raise PictureError(N_("a frame of shape {shape} is no picture"), shape=picture.shape)
    if picture.dtype == np.uint16:
        picture = picture >> 8
    elif np.issubdtype(picture.dtype, np.floating):
        picture = np.nan_to_num(np.clip(picture, 0, 1)) * 255
    picture = np.ascontiguousarray(picture).astype(np.uint8)
    if picture.ndim == 2:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    return np.ascontiguousarray(picture[:, :, :3])


def pictures_in(folder: Path) -> list[Path]:
    """The picture files of a folder, by name; hidden files and everything else are left out."""
    try:
        found = sorted(folder.iterdir())
    except OSError as error:
        raise PictureError(N_("{path} can't be read: {error}"), path=folder, error=error) from None
    return [p for p in found if p.suffix.lower() in ENDINGS and not p.name.startswith(".") and p.is_file()]
