"""The table as the camera sees it, in characters: quarter blocks in two colours each, and the names of what was read.

Without colours only what lies there is shaded, and the names stand on it.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Callable, Iterable, Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from rich.color import Color
from rich.segment import Segment
from rich.style import Style

from vision.geometry import Picture, map_points
from vision.simulated import PinholeCamera, Scene

BLOCKS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""The block for each set of bright quarters: 1 for the upper left, 2 right of it, 4 and 8 below."""
PATTERNS = np.array([[number >> bit & 1 for bit in range(4)] for number in range(len(BLOCKS))], bool)
SURROUNDINGS_MM = 14.0
"""Millimetres of the table's surroundings that are shown."""
SHADED = 45
"""By how many grey levels something differs from the bare table where it's shaded, without colours."""
STRANGER = "?"

Cell = tuple[str, Style]
TextRow = list[Segment]


class Label(Struct, frozen=True):
    """What is written on a card: its middle and width in millimetres, and how it looks."""

    x: float
    y: float
    width: float
    text: str
    colour: str
    is_new: bool = False


class CameraView(Struct, frozen=True):
    """The table in the camera's picture."""

    photo: Picture
    camera: PinholeCamera
    scene: Scene

    def cut(self) -> tuple[Picture, Callable[[float, float], tuple[float, float]]]:
        """The table's part of the picture, and where a millimetre of the table is in it, as shares."""
        matrix = self.camera.matrix(self.scene)
        ends = np.array(
            [
                [-SURROUNDINGS_MM, -SURROUNDINGS_MM],
                [self.scene.width + SURROUNDINGS_MM, self.scene.height + SURROUNDINGS_MM],
            ]
        )
        (left, top), (right, bottom) = map_points(matrix, ends).round().astype(int)
        left, top = max(0, left), max(0, top)
        right, bottom = min(self.photo.shape[1], right), min(self.photo.shape[0], bottom)

        def to_cell(x: float, y: float) -> tuple[float, float]:
            at = map_points(matrix, np.array([[x, y]]))[0]
            return float((at[0] - left) / (right - left)), float((at[1] - top) / (bottom - top))

        return self.photo[top:bottom, left:right], to_cell


def in_characters(
    view: CameraView, labels: Iterable[Label], columns: int, rows: int, has_colour: bool = True
) -> list[TextRow]:
    """The picture in so many characters."""
    photo, to_cell = view.cut()
    small = np.asarray(cv2.resize(photo, (2 * columns, 2 * rows), interpolation=cv2.INTER_AREA)[:, :, ::-1], np.uint8)
    cells = coloured(small) if has_colour else shaded(small)
    for label in labels:
        write_label(cells, label, to_cell, columns * label.width / (view.scene.width + 2 * SURROUNDINGS_MM), has_colour)
    return [list(itertools.starmap(Segment, line)) for line in cells]


def coloured(picture: NDArray[np.uint8]) -> list[list[Cell]]:
    """Two by two pixels as one character: the split into two colours that loses least."""
    rows, columns = picture.shape[0] // 2, picture.shape[1] // 2
    blocks = picture.reshape(rows, 2, columns, 2, 3).transpose(0, 2, 1, 3, 4).reshape(rows, columns, 4, 3)
    blocks = blocks.astype(np.float32)
    best = np.full((rows, columns), np.inf, np.float32)
    pattern = np.zeros((rows, columns), int)
    bright = np.zeros((rows, columns, 3), np.float32)
    dark = np.zeros((rows, columns, 3), np.float32)
    for number, lit in enumerate(PATTERNS):
        if not lit.any() or lit.all():
            continue
        one, other = blocks[:, :, lit], blocks[:, :, ~lit]
        means = one.mean(axis=2), other.mean(axis=2)
        lost = ((one - means[0][:, :, None]) ** 2).sum(axis=(2, 3)) + ((other - means[1][:, :, None]) ** 2).sum(
            axis=(2, 3)
        )
        better = lost < best
        best[better], pattern[better] = lost[better], number
        bright[better], dark[better] = means[0][better], means[1][better]
    return [
        [
            (BLOCKS[pattern[row, column]], Style(color=rgb(bright[row, column]), bgcolor=rgb(dark[row, column])))
            for column in range(columns)
        ]
        for row in range(rows)
    ]


def shaded(picture: NDArray[np.uint8]) -> list[list[Cell]]:
    """What differs from the bare table, without colours."""
    grey = picture.mean(axis=2)
    table = float(np.median(grey))
    small = grey.reshape(grey.shape[0] // 2, 2, -1, 2).mean(axis=(1, 3))
    return [[("░" if abs(value - table) > SHADED else " ", Style()) for value in row] for row in small]


def rgb(colour: NDArray[np.float32]) -> Color:
    """A colour of the picture; a little coarser than it is, so that noise doesn't change characters."""
    red, green, blue = (int(value) & ~3 for value in colour)
    return Color.from_rgb(red, green, blue)


def write_label(
    cells: list[list[Cell]],
    label: Label,
    to_cell: Callable[[float, float], tuple[float, float]],
    room: float,
    has_colour: bool,
) -> None:
    """Write a label over the middle of its card, in as many lines as it needs, up to three."""
    across, down = to_cell(label.x, label.y)
    lines = textwrap.wrap(label.text, max(2, int(room)), max_lines=3, placeholder="…") or [label.text[:2]]
    top = round(down * len(cells) - len(lines) / 2)
    style = Style.parse(f"bold {label.colour} on {'#ffe9a8' if label.is_new else '#14131a'}") if has_colour else Style()
    if label.is_new and has_colour:
        style = Style.parse("bold #14131a on #ffd740")
    elif label.is_new:
        style = Style(reverse=True)
    for number, text in enumerate(lines):
        left = round(across * len(cells[0]) - len(text) / 2)
        for at, letter in enumerate(text):
            if 0 <= top + number < len(cells) and 0 <= left + at < len(cells[0]):
                cells[top + number][left + at] = (letter, style)


def beside(left: Sequence[TextRow], right: Sequence[TextRow], gap: int = 2) -> list[TextRow]:
    """Two blocks of lines side by side."""
    return [[*one, Segment(" " * gap), *other] for one, other in zip(left, right, strict=True)]
