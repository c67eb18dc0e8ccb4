"""`python -m companion.doctor.picture_process CAMERA`: take a picture and say what it's like, as JSON."""

from __future__ import annotations

import sys

import cv2
import msgspec

from companion.doctor.camera import HANGS, Picture
from vision.calibration import find_markers
from vision.cameras import open_camera
from vision.errors import CameraHung, VisionError
from vision.geometry import Picture as Pixels

# The first pictures are taken before exposure and white balance have settled.
SETTLING = 10


def main() -> None:
    """Print the picture's numbers on the last line."""
    eye = open_camera(sys.argv[1])
    try:
        eye.open()
        for _ in range(SETTLING):
            frame = eye.read()
    except CameraHung:
        sys.exit(HANGS)
    except VisionError as error:
        sys.exit(str(error))
    finally:
        eye.close()
    print(msgspec.json.encode(described(frame.picture)).decode())


def described(taken: Pixels) -> Picture:
    """The numbers of a picture."""
    grey = cv2.cvtColor(taken, cv2.COLOR_BGR2GRAY)
    sharpness = float(cv2.Laplacian(grey, cv2.CV_32F).var())
    seen = tuple(sorted(find_markers(taken)))
    return Picture(grey.shape[1], grey.shape[0], float(grey.mean()), sharpness, seen)


if __name__ == "__main__":
    main()
