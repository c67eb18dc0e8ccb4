"""A camera that shows a folder of pictures, a picture or a video file, again and again."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np

from companion.text import N_
from vision.cameras.port import Frame
from vision.errors import CameraError, PictureError
from vision.pictures import ENDINGS, check_size, pictures_in, read_picture


class FileCamera:
    """Frames from files; a video that ends starts anew unless told otherwise."""

    def __init__(self, path: str | Path, repeat: bool = True):
        self.path = Path(path)
        self.name = str(path)
        self.repeat = repeat
        self._pictures: list[Path] = []
        self._next = 0
        self._video: cv2.VideoCapture | None = None

    def open(self) -> None:
        """Look what there is."""
        self._next = 0
        try:
            if self.path.is_dir():
                self._pictures = pictures_in(self.path)
            elif self.path.suffix.lower() in ENDINGS:
                self._pictures = [self.path]
        except PictureError as error:
            raise CameraError(error.template, **error.values) from None
        except OSError as error:
            raise CameraError(N_("{path} can't be read: {error}"), path=self.path, error=error.strerror) from None
        if self._pictures:
            return
        if not self.path.is_file():
            raise CameraError(
                N_("there is no camera or picture {path}: name pi, usb, usb:1, a file or a folder of pictures"),
                path=self.path,
            )
        self._video = cv2.VideoCapture(str(self.path))
        if not self._video.isOpened():
            self._video = None
            raise CameraError(N_("{path} is no video that can be played"), path=self.path)
        try:
            width, height = (self._video.get(side) for side in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
            check_size(self.path, width, height)
        except PictureError as error:
            self.close()
            raise CameraError(error.template, **error.values) from None

    def read(self) -> Frame:
        """The next picture."""
        if self._video is not None:
            return self._from_video(self._video)
        if self._next >= len(self._pictures):
            if not self.repeat or not self._pictures:
                raise CameraError(N_("{path} has no more pictures"), path=self.path)
            self._next = 0
        path = self._pictures[self._next]
        self._next += 1
        try:
            return Frame(read_picture(path), time.monotonic())
        except PictureError as error:
            raise CameraError(error.template, **error.values) from None

    def _from_video(self, video: cv2.VideoCapture) -> Frame:
        good, picture = video.read()
        if not good and self.repeat:
            video.set(cv2.CAP_PROP_POS_FRAMES, 0)
            good, picture = video.read()
        if not good:
            raise CameraError(N_("{path} has no more pictures"), path=self.path)
        return Frame(np.asarray(picture, np.uint8), time.monotonic())

    def close(self) -> None:
        """Let go of the video."""
        if self._video is not None:
            self._video.release()
            self._video = None
