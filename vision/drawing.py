"""Draws what was seen into a picture, so that a person can check it at a glance."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Picture, Points
from vision.sight import Reading

SURE, UNSURE, UNKNOWN = (60, 220, 60), (40, 190, 250), (70, 70, 240)


def annotate(picture: Picture, reading: Reading) -> Picture:
    """The picture with outlines and names; a thick line marks each card's top."""
    drawn = picture.copy()
    scale = max(0.4, max(picture.shape[:2]) / 1600)
    for stranger in reading.unknown:
        _outline(drawn, stranger.corners, UNKNOWN, scale)
        _label(drawn, stranger.corners, " / ".join(stranger.maybe) or "?", UNKNOWN, scale)
    for card in reading.cards:
        colour = SURE if card.confidence >= 0.95 else UNSURE
        _outline(drawn, card.corners, colour, scale)
        name = f"{card.card} {card.face}".strip()
        _label(drawn, card.corners, f"{name} {round(card.confidence * 100)}%", colour, scale)
    return drawn


def _outline(drawn: Picture, corners: Points, colour: tuple[int, int, int], scale: float) -> None:
    points = corners.round().astype(np.int32)
    cv2.polylines(drawn, [points], True, colour, max(1, round(2 * scale)), cv2.LINE_AA)
    cv2.line(drawn, points[0].tolist(), points[1].tolist(), colour, max(2, round(6 * scale)), cv2.LINE_AA)


def _label(drawn: Picture, corners: Points, text: str, colour: tuple[int, int, int], scale: float) -> None:
    thick = max(1, round(1.6 * scale))
    (width, height), _base = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.7 * scale, thick)
    x, y = (corners.mean(axis=0) - [width / 2, -height / 2]).round().astype(int).tolist()
    x = int(np.clip(x, 2, max(2, drawn.shape[1] - width - 2)))
    y = int(np.clip(y, height + 2, drawn.shape[0] - 4))
    cv2.rectangle(drawn, (x - 3, y - height - 4), (x + width + 3, y + 5), (20, 20, 20), -1)
    cv2.putText(drawn, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.7 * scale, colour, thick, cv2.LINE_AA)
