"""Cameras behind one port: Pi, USB, files and the simulated table, and the one that watches over them."""

from vision.cameras.files import FileCamera
from vision.cameras.port import Camera, Frame, SensorCrop
from vision.cameras.process import ProcessCamera
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.supervised import Health, SupervisedCamera

__all__ = [
    "Camera",
    "FileCamera",
    "Frame",
    "Health",
    "ProcessCamera",
    "SensorCrop",
    "SimulatedCamera",
    "SupervisedCamera",
    "open_camera",
]  # fmt: skip


# More cameras than a machine can have; larger numbers don't fit where the drivers keep them.
DIGITS = 3


def open_camera(name: str) -> Camera:
    """A camera by name: `pi`, `pi:1`, `usb`, `usb:1`, or the path of a video, a picture or a folder of pictures.

    Those with a driver that may hang run in a process of their own.
    """
    kind, _, number = name.partition(":")
    if kind in ("pi", "usb") and (number.isdecimal() or not number) and len(number) <= DIGITS:
        return ProcessCamera(name)
    return FileCamera(name)
