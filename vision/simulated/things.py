"""Table tops and hands for the simulated table, drawn by code."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Array, Counts, Picture, Points, map_points
from vision.simulated.scene import Scene

TABLES = ("wood", "felt", "white", "dark", "mat", "cloth")
SKIN = ((140, 170, 215), (110, 140, 190), (70, 95, 140), (50, 65, 100))


def table_top(kind: str, matrix: Points, width: int, height: int, random: np.random.Generator) -> Picture:
    """A table top as the camera sees it, without cards."""
    size = 512
    flat = texture(kind, size, random)
    # One tile of the texture is 300 mm wide; tables end nowhere.
    to_frame = matrix @ np.diag([300 / size, 300 / size, 1.0])
    source = np.linalg.inv(to_frame)
    y, x = np.mgrid[0:height, 0:width]
    points = map_points(source, np.column_stack([x.ravel(), y.ravel()])).reshape(height, width, 2)
    # Mirrored tiles have no seams.
    points = np.abs((points % (2 * size)) - size).astype(np.float32)
    return np.asarray(
        cv2.remap(flat, points[:, :, 0], points[:, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT),
        np.uint8,
    )


def texture(kind: str, size: int, random: np.random.Generator) -> Picture:
    """A square piece of table top."""
    base = {
        "wood": (60, 95, 140),
        "felt": (50, 90, 40),
        "white": (225, 230, 232),
        "dark": (38, 34, 32),
        "mat": (60, 60, 75),
        "cloth": (120, 70, 60),
    }[kind]
    picture: Array = np.full((size, size, 3), base, np.float32)
    if kind == "wood":
        grain = cv2.GaussianBlur(random.standard_normal((size, size)).astype(np.float32), (0, 0), 1.0)
        grain = cv2.resize(grain[: size // 16], (size, size), interpolation=cv2.INTER_CUBIC).T
        picture += cv2.GaussianBlur(grain, (0, 0), 0.8)[:, :, None] * 28
    elif kind == "mat":
        for _ in range(90):
            colour = [float(c) for c in random.uniform(20, 200, 3)]
            middle = tuple(int(v) for v in random.uniform(0, size, 2))
            axes = tuple(int(v) for v in random.uniform(6, 70, 2))
            cv2.ellipse(picture, middle, axes, random.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)
        picture = cv2.GaussianBlur(picture, (0, 0), 1.2)
    elif kind == "cloth":
        lines = (np.arange(size) // 16 % 2).astype(np.float32)
        picture += (lines[:, None] * 35 + lines[None, :] * 35)[:, :, None]
    picture += random.standard_normal((size, size, 1)) * (4 if kind != "felt" else 10)
    return np.clip(picture, 0, 255).astype(np.uint8)


def draw_hand(
    canvas: Picture,
    owner: Counts,
    matrix: Points,
    scene: Scene,
    reach: tuple[float, float],
    random: np.random.Generator,
) -> None:
    """A hand with its arm, reaching in from the nearer long side of the table."""
    tip = np.array(reach)
    edge = scene.height + 120 if reach[1] > scene.height / 3 else -120.0
    root = np.array([reach[0] + random.uniform(-120, 120), edge])
    along = (tip - root) / np.linalg.norm(tip - root)
    side = np.array([-along[1], along[0]])
    mask = np.zeros(canvas.shape[:2], np.uint8)
    palm = tip - along * 95
    pixels_per_mm = float(np.linalg.norm(np.diff(map_points(matrix, np.array([palm, palm + side])), axis=0)))

    def stroke(start: Points, end: Points, thick: float) -> None:
        a, b = map_points(matrix, np.array([start, end])).round().astype(int)
        cv2.line(mask, a.tolist(), b.tolist(), 255, max(1, round(thick * pixels_per_mm)), cv2.LINE_AA)

    stroke(root, palm, 65)
    stroke(palm - along * 10, palm + along * 25, 82)
    for offset, length in ((-30, 78), (-10, 92), (11, 95), (31, 80)):
        spread = side * offset
        stroke(palm + spread * 0.9, palm + spread * 1.25 + along * length, 17)
    stroke(palm - side * 38, palm - side * 62 + along * 38, 20)
    tone = np.array(SKIN[int(random.integers(len(SKIN)))], np.float32)
    grain = cv2.GaussianBlur(random.standard_normal(mask.shape).astype(np.float32), (0, 0), 3) * 25
    shape = cv2.GaussianBlur(mask, (0, 0), 7).astype(np.float32) / 255
    skin = tone * (0.72 + 0.28 * shape[:, :, None]) + grain[:, :, None]
    weight = (cv2.GaussianBlur(mask, (0, 0), 1.0).astype(np.float32) / 255)[:, :, None]
    canvas[:] = np.clip(canvas * (1 - weight) + skin * weight, 0, 255).astype(np.uint8)
    owner[mask > 127] = -2
