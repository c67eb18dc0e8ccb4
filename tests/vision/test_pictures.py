"""Pictures from outside: whatever is said to be one, memory stays bounded and there is a sentence."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import quads
from vision.cameras import FileCamera, open_camera
from vision.decks.spread import find_spread
from vision.errors import CameraError, PictureError
from vision.pictures import LONGEST_SIDE, MOST_BYTES, MOST_PIXELS, read_picture


def png_of(width: int, height: int) -> bytes:
    """A PNG that says it is so large; decoding it would first make room for all of it."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(20_000, 20_000), (LONGEST_SIDE + 1, 1), (2**31 - 1, 2**31 - 1), (9_000, 9_000)])
def test_a_picture_beyond_the_bounds_is_never_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    def decode(*_: object) -> None:
        raise AssertionError("decoded")

    monkeypatch.setattr(cv2, "imdecode", decode)
    path = tmp_path / "huge.png"
    path.write_bytes(png_of(*size))
    with pytest.raises(PictureError, match=f"{MOST_PIXELS // 1_000_000} million pixels"):
        read_picture(path)


def test_a_file_too_large_to_be_a_picture_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.png"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(PictureError, match="too large"):
        read_picture(path)


@pytest.mark.timeout(20)
def test_what_is_no_file_is_told_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "empty.png").touch()
    (tmp_path / "link.png").symlink_to(tmp_path / "nothing")
    for path in (tmp_path / "pipe.png", tmp_path, Path("/dev/zero"), tmp_path / "empty.png", tmp_path / "link.png"):
        with pytest.raises(PictureError, match=str(path)):
            read_picture(path)
    camera = FileCamera(tmp_path / "pipe.png")
    camera.open()
    with pytest.raises(CameraError, match="no file"):
        camera.read()


def test_a_camera_with_a_name_no_file_can_have_is_told() -> None:
    for name in (f"{'x' * 5000}.png", "usb:99999999999", "a\0b"):
        with pytest.raises(CameraError):
            open_camera(name).open()


SHAPES = [(1, 20_000), (20_000, 1), (1, 1), (2, 3), (3, 5_000), (16, 16), (24, 24), (25, 30), (49, 25), (40, 8_000)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_picture_of_any_shape_is_read(recogniser, shape: tuple[int, int]) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (*shape, 3), np.uint8)
    for picture in (np.full((*shape, 3), 90, np.uint8), noise):
        assert recogniser.read(picture).cards == ()
        quads.find(picture, 1.4, min(shape) / 8)
        find_spread(picture, 1.4, 4)


def test_more_outlines_than_opencv_samples_at_once_are_sharpened() -> None:
    corners = np.array([[10.0, 10], [60, 10], [60, 80], [10, 80]])
    picture = np.zeros((100, 100, 3), np.uint8)
    picture[10:80, 10:60] = 255
    alone = quads.sharpened(picture, [corners])[0]
    for sharp in quads.sharpened(picture, [corners] * (quads.MAX_REMAP_OUTLINES + 10)):
        np.testing.assert_allclose(sharp, alone)
