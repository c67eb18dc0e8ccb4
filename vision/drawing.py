"""Draws what was seen into a picture, so that a person can check it at a glance."""

from __future__ import annotations

import cv2
import numpy as np

from vision.detections import Detections
from vision.geometry import Picture, Points

SURE, UNSURE, UNKNOWN = (60, 220, 60), (40, 190, 250), (70, 70, 240)
# How far a name may go out of another's way, in its own heights: down first, then up.
STEPS = (0, 1, -1, 2, -2, 3, -3)


def annotate(picture: Picture, reading: Detections) -> Picture:
    """The picture with outlines and names; a thick line marks each card's top, a name lies on what shows of it."""
    drawn = picture.copy()
    scale = max(0.4, max(picture.shape[:2]) / 1600)
    labels = []
    for stranger in reading.unknown:
        _outline(drawn, stranger.corners, UNKNOWN, scale)
        labels.append((stranger.corners.mean(axis=0), " / ".join(stranger.maybe) or "?", UNKNOWN))
    for card in reading.cards:
        colour = SURE if card.confidence >= 0.95 else UNSURE
        _outline(drawn, card.corners, colour, scale)
        visible = card.visible_quads if len(card.visible_quads) else card.corners
        text = f"{f'{card.card} {card.face}'.strip()} {round(card.confidence * 100)}%"
        labels.append((visible.reshape(-1, 2).mean(axis=0), text, colour))
    taken: list[tuple[int, int, int, int]] = []
    # From the top down, so that those which make room for others do so downwards.
    for middle, text, colour in sorted(labels, key=lambda label: float(label[0][1])):
        taken.append(_label(drawn, middle, text, colour, scale, taken))
    return drawn


def _outline(drawn: Picture, corners: Points, colour: tuple[int, int, int], scale: float) -> None:
    points = corners.round().astype(np.int32)
    cv2.polylines(drawn, [points], True, colour, max(1, round(2 * scale)), cv2.LINE_AA)
    cv2.line(drawn, points[0].tolist(), points[1].tolist(), colour, max(2, round(6 * scale)), cv2.LINE_AA)


def _label(
    drawn: Picture,
    middle: Points,
    text: str,
    colour: tuple[int, int, int],
    scale: float,
    taken: list[tuple[int, int, int, int]],
) -> tuple[int, int, int, int]:
    """Write a name at a place, or as near as other names leave room; returns its box."""
    thick = max(1, round(1.6 * scale))
    (width, height), _base = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.7 * scale, thick)
    wide, tall = width + 6, height + 9
    left = int(np.clip(middle[0] - wide / 2, 0, max(0, drawn.shape[1] - wide)))
    tops = [int(np.clip(middle[1] + (step - 0.5) * tall, 0, max(0, drawn.shape[0] - tall))) for step in STEPS]
    boxes = [(left, top, left + wide, top + tall) for top in tops]
    box = next((box for box in boxes if not any(_touch(box, other) for other in taken)), boxes[0])
    cv2.rectangle(drawn, box[:2], box[2:], (20, 20, 20), -1)
    at = (box[0] + 3, box[3] - 5)
    cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.7 * scale, colour, thick, cv2.LINE_AA)
    return box


def _touch(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def numbered(picture: Picture, cards: list[Points]) -> Picture:
    """The picture with the outline of each card and its number in the middle."""
    drawn = picture.copy()
    scale = max(0.5, max(picture.shape[:2]) / 1600)
    for number, corners in enumerate(cards, start=1):
        _outline(drawn, corners, SURE, scale)
        _label(drawn, corners.mean(axis=0), str(number), SURE, scale, [])
    return drawn
