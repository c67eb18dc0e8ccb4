"""From pixels to table millimetres: four corner markers, and a lens straightened by a printed board."""

from __future__ import annotations

import cv2
import numpy as np
from msgspec import Struct

from vision.errors import N_, VisionError
from vision.geometry import Picture, Points, map_points

DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
MARKER_SIDE = 30.0
# The board for the lens: chessboard fields with markers between, so that it needn't be seen whole.
BOARD = cv2.aruco.CharucoBoard((8, 11), 22.0, 16.0, cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100))
# Markers that moved farther than this many pixels mean a bumped camera, not noise: noise stays below one.
MOVED = 4.0


class Calibration(Struct, frozen=True):
    """How a camera sees the table: the map from pixels to millimetres and where the markers were."""

    to_table: Points
    markers: Points  # the outer corners in pixels, from the upper left, clockwise

    def table_points(self, pixels: Points) -> Points:
        """Pixels as millimetres on the table."""
        return map_points(self.to_table, pixels)

    def has_moved(self, picture: Picture) -> bool:
        """Whether the camera or the markers moved since; unknown (no) while a marker is covered."""
        now = find_markers(picture)
        return any(float(np.linalg.norm(spot - self.markers[number])) > MOVED for number, spot in now.items())


class Lens(Struct, frozen=True):
    """A lens's focal lengths and distortion, for one picture size."""

    matrix: Points
    bend: Points
    size: tuple[int, int]
    error: float

    def straighten(self, picture: Picture) -> Picture:
        """The picture as a perfect lens had taken it."""
        return np.asarray(cv2.undistort(picture, self.matrix, self.bend), np.uint8)


def find_markers(picture: Picture) -> dict[int, Points]:
    """The outer corner of each table marker in sight, by number (0 upper left, then clockwise)."""
    detector = cv2.aruco.ArucoDetector(DICTIONARY)
    detector.setDetectorParameters(_fine())
    found, numbers, _rejected = detector.detectMarkers(picture)
    if numbers is None:
        return {}
    spots: dict[int, Points] = {}
    for corners, number in zip(found, np.asarray(numbers, int).ravel(), strict=True):
        # Marker n lies in corner n, and its own nth corner is the table's.
        if number < 4 and int(number) not in spots:
            spots[int(number)] = np.asarray(corners, np.float64).reshape(4, 2)[int(number)]
    return spots


def _fine() -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # A marker cut out with a rim of white paper is two squares, one in the other; on a dark table both must be tried.
    parameters.minMarkerDistanceRate, parameters.minGroupDistance = 0.01, 0.0
    return parameters


def calibrate(picture: Picture, width: float, height: float) -> Calibration:
    """Find the four markers of a table of a known size."""
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
    matrix = cv2.getPerspectiveTransform(markers.astype(np.float32), table)
    return Calibration(np.asarray(matrix, np.float64), markers)


def calibrate_lens(pictures: list[Picture]) -> Lens:
    """Learn a lens from several pictures of the printed board, held at different slants."""
    detector = cv2.aruco.CharucoDetector(BOARD)
    objects, images = [], []
    for picture in pictures:
        corners, numbers, _markers, _ids = detector.detectBoard(picture)
        if np.size(numbers) >= 8:
            seen, spots = BOARD.matchImagePoints([corners], numbers)
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
    return Lens(np.asarray(matrix), np.asarray(bend), size, float(error))
