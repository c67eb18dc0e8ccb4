"""From pixels to table millimetres: four corner markers, and a lens straightened by a printed board."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from companion.files import write_whole
from companion.text import N_
from vision.errors import VisionError
from vision.geometry import Picture, Points, map_points

DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
MARKER_SIDE = 30.0
# The board for the lens: chessboard fields with markers between, so that it needn't be seen whole.
BOARD = cv2.aruco.CharucoBoard((8, 11), 22.0, 16.0, cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100))
# Markers that moved farther than this many pixels mean a bumped camera, not noise: noise stays below one.
MOVED = 4.0


class Lens(Struct, frozen=True):
    """A lens's focal lengths and distortion, for one picture size; `error` in pixels is how well it was learnt."""

    matrix: list[list[float]]
    bend: list[float]
    size: tuple[int, int]
    error: float

    def undistorted(self, pixels: Points) -> Points:
        """Where points had been seen by a perfect lens."""
        matrix = np.array(self.matrix)
        spots = np.asarray(pixels, np.float64).reshape(-1, 1, 2)
        return np.asarray(cv2.undistortPoints(spots, matrix, np.array(self.bend), P=matrix)).reshape(-1, 2)

    def fits(self, picture: Picture) -> bool:
        """Whether it was learnt on pictures of this size."""
        return self.size == (picture.shape[1], picture.shape[0])


def save_lens(lens: Lens, path: Path) -> None:
    """Keep what was learnt of a lens; a power cut leaves the old file or the new one."""
    try:
        write_whole(path, msgspec.json.encode(lens))
    except OSError as error:
        raise VisionError(N_("{path} can't be written: {error}"), path=path, error=error) from None


def load_lens(path: Path) -> Lens | None:
    """What is known of the camera's lens; None where nobody taught it."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Lens)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise VisionError(N_("{path} can't be read: {error}"), path=path, error=error) from None


class Calibration(Struct, frozen=True):
    """How a camera sees the table: the map from pixels to millimetres and where the markers were."""

    to_table: Points
    markers: Points  # the outer corners in pixels, from the upper left, clockwise
    lens: Lens | None = None

    def table_points(self, pixels: Points) -> Points:
        """Pixels as millimetres on the table."""
        return map_points(self.to_table, pixels if self.lens is None else self.lens.undistorted(pixels))

    def is_marker(self, pixel: Points) -> bool:
        """Whether a spot is on one of the corner markers, or on the paper around it."""
        spots = self.table_points(np.vstack([pixel, self.markers]))
        return bool(np.linalg.norm(spots[1:] - spots[0], axis=1).min() < MARKER_SIDE)

    def has_moved(self, picture: Picture) -> bool:
        """Whether the camera or the markers moved since, by the markers that are seen; if none is, no."""
        now = find_markers(picture)
        return any(float(np.linalg.norm(spot - self.markers[number])) > MOVED for number, spot in now.items())


def find_markers(picture: Picture) -> dict[int, Points]:
    """The outer corner of each table marker in sight, by number (0 upper left, then clockwise)."""
    spots: dict[int, Points] = {}
    for parameters, seen in _detector_variants(picture):
        detector = cv2.aruco.ArucoDetector(DICTIONARY)
        detector.setDetectorParameters(parameters)
        found, numbers, _rejected = detector.detectMarkers(seen)
        if numbers is None:
            continue
        for corners, number in zip(found, np.asarray(numbers, int).ravel(), strict=True):
            # Marker n lies in corner n, and its own nth corner is the table's.
            if number < 4 and int(number) not in spots:
                spots[int(number)] = np.asarray(corners, np.float64).reshape(4, 2)[int(number)]
        if len(spots) == 4:
            break
    return spots


def _detector_variants(picture: Picture) -> Iterator[tuple[cv2.aruco.DetectorParameters, Picture]]:
    """How to look for markers; each way misses some that another sees."""
    usual, rimmed = cv2.aruco.DetectorParameters(), cv2.aruco.DetectorParameters()
    for parameters in (usual, rimmed):
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # A marker cut out with a rim of white paper is two squares, one in the other; on a dark table both must be tried.
    rimmed.minMarkerDistanceRate, rimmed.minGroupDistance = 0.01, 0.0
    yield usual, picture
    yield rimmed, picture
    # Grain frays the outline of a small marker.
    soft = np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), np.uint8)
    yield usual, soft
    yield rimmed, soft


def calibrate(picture: Picture, width: float, height: float, lens: Lens | None = None) -> Calibration:
    """Find the four markers of a table of a known size, seen through a lens that may be known."""
    found = find_markers(picture)
    missing = sorted(set(range(4)) - set(found))
    if missing:
        raise VisionError(
            N_(
                "corner markers {missing} can't be seen: positions stay in pixels, and zones and real "
                "sizes can't be told"
            ),
            missing=", ".join(str(n) for n in missing),
        )
    markers = np.array([found[number] for number in range(4)])
    table = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    lens = lens if lens is not None and lens.fits(picture) else None
    corners = markers if lens is None else lens.undistorted(markers)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), table)
    return Calibration(np.asarray(matrix, np.float64), markers, lens)


def calibrate_lens(pictures: list[Picture]) -> Lens:
    """Learn a lens from several pictures of the printed board, held at different slants."""
    detector = cv2.aruco.CharucoDetector(BOARD)
    objects, images = [], []
    if len({picture.shape[:2] for picture in pictures}) > 1:
        raise VisionError(N_("the pictures of the board differ in size; take all with the same camera and setting"))
    for picture in pictures:
        corners, numbers, _markers, _ids = detector.detectBoard(picture)
        if np.size(numbers) >= 8:
            seen, spots = BOARD.matchImagePoints(list(corners), numbers)
            objects.append(seen)
            images.append(spots)
    if len(objects) < 4:
        raise VisionError(
            N_("the board was found in {count} pictures; four or more are needed, from different sides"),
            count=len(objects),
        )
    size = (pictures[0].shape[1], pictures[0].shape[0])
    error, matrix, bend, _turns, _shifts = cv2.calibrateCamera(
        objects, images, size, np.eye(3), np.zeros(5), flags=cv2.CALIB_FIX_K3
    )
    return Lens(np.asarray(matrix).tolist(), np.asarray(bend).ravel().tolist(), size, float(error))
