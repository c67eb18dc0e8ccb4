"""`python -m companion.doctor.picture_process CAMERA`: take a picture and say what it's like, as JSON."""

from __future__ import annotations

import sys

import msgspec

from companion.doctor.camera import CAMERA_HANGS_CODE, PictureFacts
from vision.cameras import open_camera
from vision.errors import CameraHung, VisionError
from vision.geometry import Picture
from vision.quality import quality_of

# The first pictures are taken before exposure and white balance have settled.
PICTURES_TO_SETTLE = 10


def main() -> None:
    """Print the picture's numbers on the last line."""
    eye = open_camera(sys.argv[1])
    try:
        eye.open()
        for _ in range(PICTURES_TO_SETTLE):
            frame = eye.read()
    except CameraHung:
        sys.exit(CAMERA_HANGS_CODE)
    except VisionError as error:
        sys.exit(str(error))
    finally:
        eye.close()
    print(msgspec.json.encode(described(frame.picture)).decode())


def described(taken: Picture) -> PictureFacts:
    """The numbers of a picture."""
    height, width = taken.shape[:2]
    quality = quality_of(taken)
    return PictureFacts(width, height, quality.light, quality.sharpness, tuple(sorted(quality.markers)))


if __name__ == "__main__":
    main()
