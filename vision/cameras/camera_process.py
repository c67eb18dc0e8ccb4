"""`python -m vision.cameras.camera_process NAME LINE MEMORY`: a camera in its own process, which can be killed.

Orders come over the line, one answer each; frames go into the shared memory. Both are inherited file descriptors.
"""

from __future__ import annotations

import faulthandler
import importlib
import mmap
import os
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import Connection

import msgspec
import numpy as np

from vision.cameras.orders import Answer, Order
from vision.cameras.pi import PiCamera
from vision.cameras.port import Aimable, Camera, Frame
from vision.cameras.usb import UsbCamera
from vision.errors import VisionError
from vision.geometry import Picture


def adapter(name: str) -> Camera:
    """The camera of a name: `pi`, `pi:1`, `usb`, `usb:1`."""
    kind, _, number = name.partition(":")
    return PiCamera(int(number or 0)) if kind == "pi" else UsbCamera(int(number or 0))


def load(camera: Camera) -> None:
    """Load the camera's library, which takes a busy little machine long; one that isn't there is told at the open."""
    if isinstance(camera, PiCamera):
        with suppress(ImportError):
            importlib.import_module("picamera2")


class Memory:
    """Where frames are put for the process that asked for them."""

    def __init__(self, file: int):
        self._file = file
        self._map: mmap.mmap | None = None

    def put(self, frame: Frame) -> Answer:
        """Write a frame's pictures, one after the other."""
        pictures: list[Picture] = [frame.picture] if frame.small is None else [frame.picture, frame.small]
        size = sum(picture.size for picture in pictures)
        if self._map is None or len(self._map) < size:
            os.ftruncate(self._file, size)
            self._map = mmap.mmap(self._file, size)
        start = 0
        for picture in pictures:
            np.frombuffer(self._map, np.uint8, picture.size, start).reshape(picture.shape)[...] = picture
            start += picture.size
        return Answer(shapes=tuple(picture.shape for picture in pictures), time=frame.time)


def obey(camera: Camera, order: Order, memory: Memory) -> Answer:
    """Carry out one order."""
    try:
        if order.verb == "read":
            return memory.put(camera.read())
        if order.verb == "load":
            load(camera)
        elif order.verb == "open":
            camera.open()
        elif isinstance(camera, Aimable):
            camera.aim(order.part)
    except VisionError as error:
        return Answer(error.template, {name: str(value) for name, value in error.values.items()})
    return Answer()


def main() -> None:
    """Serve until told to close, or until nobody is there any more."""
    # Ctrl-C is for the program at the other end, which then says close.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    camera, line, memory = adapter(sys.argv[1]), Connection(int(sys.argv[2])), Memory(int(sys.argv[3]))
    try:
        while True:
            order = msgspec.json.decode(line.recv_bytes(), type=Order)
            if order.verb == "close":
                break
            # Nobody may be left to kill a camera that hangs, so it ends by itself, too.
            faulthandler.dump_traceback_later(2 * order.limit, exit=True)
            line.send_bytes(msgspec.json.encode(obey(camera, order, memory)))
            faulthandler.cancel_dump_traceback_later()
    except (EOFError, ConnectionError):
        pass
    finally:
        camera.close()


if __name__ == "__main__":
    main()
