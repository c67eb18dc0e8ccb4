"""Cameras behind one port: Pi, USB, files and the simulated table, and the one that watches over them."""

from vision.cameras.files import FileCamera
from vision.cameras.port import Camera, Frame
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.supervised import Health, SupervisedCamera

__all__ = ["Camera", "FileCamera", "Frame", "Health", "SimulatedCamera", "SupervisedCamera", "open_camera"]


def open_camera(name: str) -> Camera:
    """A camera by name: `pi`, `usb`, `usb:1`, or the path of a video, a picture or a folder of pictures."""
    if name == "pi":
        from vision.cameras.pi import PiCamera

        return PiCamera()
    if name.split(":")[0] == "usb":
        from vision.cameras.usb import UsbCamera

        return UsbCamera(int(name.split(":")[1]) if ":" in name else 0)
    return FileCamera(name)
