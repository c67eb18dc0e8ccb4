"""`python -m companion.doctor.picture_process`: take one picture with picamera2 and say what it's like, as JSON."""

from __future__ import annotations

import sys
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.doctor.camera import Picture

SIZE = (1536, 864)
# The first pictures are taken before exposure and white balance have settled.
SETTLING = 10


def main() -> None:
    """Print the picture's numbers on the last line."""
    from picamera2 import Picamera2

    if not Picamera2.global_camera_info():
        sys.exit("no sensor was found")
    eye: Any = Picamera2()
    try:
        eye.configure(eye.create_still_configuration(main={"size": SIZE, "format": "RGB888"}))
        eye.start()
        for _ in range(SETTLING):
            taken = eye.capture_array()
    finally:
        eye.close()
    print(msgspec.json.encode(described(taken)).decode())


def described(taken: NDArray[np.uint8]) -> Picture:
    """The numbers of a picture."""
    grey = cv2.cvtColor(taken, cv2.COLOR_BGR2GRAY)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    _, numbers, _ = detector.detectMarkers(grey)
    # OpenCV gives None, against its own types, where it finds no marker.
    found = np.asarray([] if numbers is None else numbers, np.int32).ravel()  # type: ignore[redundant-expr]
    seen = tuple(sorted({int(one) for one in found if one < 4}))
    sharpness = float(cv2.Laplacian(grey, cv2.CV_32F).var())
    return Picture(grey.shape[1], grey.shape[0], float(grey.mean()), sharpness, seen)


if __name__ == "__main__":
    main()
