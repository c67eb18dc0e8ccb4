"""Reads picture files of any kind into plain BGR bytes, with an error a person understands where it can't."""

from __future__ import annotations

import io
import stat
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from companion.text import N_
from vision.errors import PictureError
from vision.geometry import Picture

ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".ppm", ".pgm"})
# The largest picture that is read: that of the largest camera for a Pi, and a file that holds it in any usual format.
# OpenCV takes at most 32,767 pixels on a side. `companion see` with the largest takes 470 MB in all, 95 MB without one.
MOST_PIXELS, LONGEST_SIDE, MOST_BYTES = 64_000_000, 32_000, 100_000_000
# Pillow only reads sizes here, and our bound is below the one it warns of.
Image.MAX_IMAGE_PIXELS = None


def read_picture(path: Path) -> Picture:
    """A picture file, turned as its EXIF data says, 8 bits, in colour. Its size is looked at before it's decoded."""
    data = picture_bytes(path)
    width, height = _size(path, data)
    check_size(path, width, height)
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except (cv2.error, MemoryError):
        picture = None
    if picture is None or picture.size == 0:
        raise PictureError(N_("{path} is no picture that can be read"), path=path)
    return np.asarray(picture, np.uint8)


def picture_bytes(path: Path) -> bytes:
    """The content of a picture file, if it's a file, has any content and isn't too large to be a picture's."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            # A pipe would be waited for, and a device never ends.
            raise PictureError(N_("{path} is no file"), path=path)
        if about.st_size > MOST_BYTES:
            raise too_large(path)
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise PictureError(N_("there is no picture {path}"), path=path) from None
    except (OSError, ValueError) as error:
        raise PictureError(N_("{path} can't be read: {error}"), path=path, error=error) from None
    if not data:
        raise PictureError(N_("{path} is empty"), path=path)
    return data


def picture_size(path: Path) -> tuple[int, int]:
    """Width and height of a picture file as it lies, by its head alone."""
    return _size(path, picture_bytes(path))


def _size(path: Path, data: bytes) -> tuple[int, int]:
    """Width and height as the head of the file has them."""
    try:
        with Image.open(io.BytesIO(data)) as head:
            return head.size
    except Exception:  # whatever Pillow's many readers raise for a head that makes no sense
        raise PictureError(N_("{path} is no picture that can be read"), path=path) from None


def check_size(path: Path, width: float, height: float) -> None:
    """Refuse a picture that would take more memory than a Pi has to spare."""
    if width * height > MOST_PIXELS or max(width, height) > LONGEST_SIDE:
        raise too_large(path)


def too_large(path: Path) -> PictureError:
    """What is wrong with a picture beyond the bounds, and what they are."""
    return PictureError(
        N_("{path} is too large: a picture may have {pixels} million pixels, {side} on a side, and {bytes} MB"),
        path=path, pixels=MOST_PIXELS // 1_000_000, side=LONGEST_SIDE, bytes=MOST_BYTES // 1_000_000,
    )  # fmt: skip


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


def pictures_in(folder: Path) -> list[Path]:
    """The picture files of a folder, by name; hidden files and everything else are left out."""
    try:
        found = sorted(folder.iterdir())
    except OSError as error:
        raise PictureError(N_("{path} can't be read: {error}"), path=folder, error=error) from None
    return [p for p in found if p.suffix.lower() in ENDINGS and not p.name.startswith(".") and p.is_file()]
