"""Printed tokens on the table: small round ArUco markers, with numbers apart from those of the table's corners."""

from __future__ import annotations

import cv2
import numpy as np

from vision.calibration import DICTIONARY, Calibration
from vision.geometry import Picture
from vision.view import Token

TOKEN_SIDE = 26.0
"""Millimetres of the square in the middle of a token."""
TOKEN_WIDTH = 40.0
"""Millimetres of the round piece of paper: the square and a white rim fit into it."""
FIRST = 10
"""The lowest number of a token; the table's corners have smaller ones."""


def find_tokens(picture: Picture, calibration: Calibration) -> tuple[Token, ...]:
    """The tokens in a picture, in table millimetres, by number and place.

    Nothing is corrected: a pattern of a cloth that is nearly a token isn't one.
    """
    parameters = cv2.aruco.DetectorParameters()
    parameters.errorCorrectionRate = 0.0
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(DICTIONARY)
    detector.setDetectorParameters(parameters)
    found, numbers, _rejected = detector.detectMarkers(picture)
    tokens = []
    for corners, number in zip(found, np.asarray(numbers if found else (), int).ravel(), strict=True):
        if number < FIRST:
            continue
        spots = calibration.table_points(np.asarray(corners, np.float64).reshape(4, 2))
        (x, y), (along, down) = spots.mean(axis=0), spots[1] - spots[0]
        tokens.append(Token(int(number), float(x), float(y), float(np.degrees(np.arctan2(down, along)) % 360)))
    return tuple(sorted(tokens, key=lambda token: (token.number, token.x, token.y)))


def draw_token(number: int, pixels_per_mm: float) -> Picture:
    """A token as it's printed: the marker on a white disc with a thin rim to cut along."""
    width, side = round(TOKEN_WIDTH * pixels_per_mm), round(TOKEN_SIDE * pixels_per_mm)
    picture = np.full((width, width, 3), 255, np.uint8)
    cv2.circle(picture, (width // 2, width // 2), width // 2 - 1, (170, 170, 170), max(1, round(0.3 * pixels_per_mm)))
    image = cv2.cvtColor(cv2.aruco.generateImageMarker(DICTIONARY, number, side), cv2.COLOR_GRAY2BGR)
    at = (width - side) // 2
    picture[at : at + side, at : at + side] = image
    return picture
