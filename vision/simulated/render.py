"""Draws a scene as a camera sees it, with the truth about each card beside the picture."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from msgspec import Struct

from vision.colours import shrunk
from vision.geometry import Array, Counts, Picture, Points, homography_to_quad, map_points, rectangle, sides
from vision.simulated.lights import Conditions, expose
from vision.simulated.scene import LaidCard, PinholeCamera, Scene
from vision.simulated.things import draw_hand, table_top


class Look(Struct, frozen=True):
    """How a card face looks: its picture and its size in millimetres."""

    picture: Picture
    width: float = 70.0
    height: float = 120.0


class Truth(Struct, frozen=True):
    """Where a card really is in the picture and how much of it shows (outside the frame counts as hidden)."""

    laid: LaidCard
    corners: Points
    visible: float


class Rendered(Struct, frozen=True):
    """A simulated photo and what is in it."""

    picture: Picture
    cards: tuple[Truth, ...]


def render(
    scene: Scene,
    looks: Mapping[tuple[str, str], Look],
    camera: PinholeCamera | None = None,
    conditions: Conditions | None = None,
    table: str = "wood",
    seed: int = 0,
) -> Rendered:
    """Photograph a scene; the same seed gives the same picture."""
    camera = camera or PinholeCamera()
    conditions = conditions or Conditions()
    matrix = camera.matrix(scene)
    canvas, random = table_top(table, matrix, camera.width, camera.height, seed)
    owner = np.full((camera.height, camera.width), -1, np.int16)
    placed: list[Points] = []
    for number, laid in enumerate(scene.cards):
        look = looks[laid.card, laid.face]
        corners = map_points(matrix, on_table(laid, look))
        placed.append(corners)
        lay(canvas, owner, number, look, corners, conditions.shadow)
    for x, y in scene.hands:
        draw_hand(canvas, owner, matrix, scene, (x, y), random)
    if camera.bulge:
        canvas, owner = bulged(canvas, owner, camera)
        placed = [bulge_points(corners, camera) for corners in placed]
    shown = np.bincount(owner[owner >= 0], minlength=len(placed))
    truths = tuple(
        Truth(laid, corners, float(min(1.0, shown[number] / max(1.0, polygon_area(corners)))))
        for number, (laid, corners) in enumerate(zip(scene.cards, placed, strict=True))
    )
    return Rendered(expose(canvas, conditions, random), truths)


def on_table(laid: LaidCard, look: Look) -> Points:
    """The corners of a laid card in millimetres, from its own top left."""
    angle = np.radians(laid.turn)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    box = rectangle(look.width, look.height) - [look.width / 2, look.height / 2]
    return np.asarray(box @ spin.T + [laid.x, laid.y], np.float64)


def polygon_area(corners: Points) -> float:
    """Area in pixels."""
    return float(cv2.contourArea(corners.astype(np.float32)))


def lay(
    canvas: Picture,
    owner: Counts,
    number: int,
    look: Look,
    corners: Points,
    shadow: float,
) -> None:
    """Draw one card and the shadow under its edge."""
    low = np.floor(corners.min(axis=0)).astype(int) - 8
    high = np.ceil(corners.max(axis=0)).astype(int) + 9
    left, top = np.maximum(low, 0)
    right, bottom = np.minimum(high, [canvas.shape[1], canvas.shape[0]])
    if right <= left or bottom <= top:
        return
    texture = at_scale(look.picture, float(np.median(sides(corners)[[0, 2]])))
    height, width = texture.shape[:2]
    to_frame = homography_to_quad(corners - [left, top], width, height)
    size = (int(right - left), int(bottom - top))
    drawn = cv2.warpPerspective(texture, to_frame, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    alpha = cv2.warpPerspective(rounded(width, height), to_frame, size, flags=cv2.INTER_LINEAR)
    region: Array = canvas[top:bottom, left:right].astype(np.float32)
    if shadow > 0:
        dark = cv2.GaussianBlur(np.roll(alpha, (2, 2), (0, 1)), (0, 0), 3.0).astype(np.float32) / 255
        region *= (1 - shadow * dark)[:, :, None]
    weight = (alpha.astype(np.float32) / 255)[:, :, None]
    region = region * (1 - weight) + drawn.astype(np.float32) * weight
    canvas[top:bottom, left:right] = region.astype(np.uint8)
    owner[top:bottom, left:right][alpha > 127] = number


def at_scale(picture: Picture, width: float) -> Picture:
    """The picture shrunk to about the size at which it will be seen, so that it doesn't alias."""
    factor = width / picture.shape[1]
    if factor >= 0.9:
        return picture
    size = (max(8, round(picture.shape[1] * factor)), max(8, round(picture.shape[0] * factor)))
    return shrunk(picture, size)


def rounded(width: int, height: int) -> Picture:
    """The outline of a card with rounded corners, white on black."""
    mask = np.zeros((height, width), np.uint8)
    radius = max(2, round(width * 0.045))
    cv2.rectangle(mask, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, -1)
    return mask


def bulge_points(points: Points, camera: PinholeCamera) -> Points:
    """Points after the lens has bent them."""
    middle = np.array([camera.width / 2, camera.height / 2])
    away = (points - middle) / middle[0]
    return np.asarray(middle + away * middle[0] * (1 + camera.bulge * (away**2).sum(axis=1, keepdims=True)))


def bulged(canvas: Picture, owner: Counts, camera: PinholeCamera) -> tuple[Picture, Counts]:
    """Bend picture and ownership as a lens does; the inverse of `bulge_points`, by fixed-point steps."""
    y, x = np.mgrid[0 : camera.height, 0 : camera.width]
    middle = np.array([camera.width / 2, camera.height / 2])
    bent = (np.stack([x, y], axis=-1) - middle) / middle[0]
    straight = bent.copy()
    for _ in range(4):
        straight = bent / (1 + camera.bulge * (straight**2).sum(axis=-1, keepdims=True))
    source = (straight * middle[0] + middle).astype(np.float32)
    across, down = source[:, :, 0], source[:, :, 1]
    picture = cv2.remap(canvas, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    owners = cv2.remap(
        owner,
        source[:, :, 0],
        source[:, :, 1],
        cv2.INTER_NEAREST,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(-1,),
    )
    return np.asarray(picture, np.uint8), np.asarray(owners, np.int16)
