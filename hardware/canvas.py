"""Drawings as values: a few shapes, written as SVG or painted with pygame, so that both show the same."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

if TYPE_CHECKING:
    import pygame

Point: TypeAlias = tuple[float, float]
NONE = ""
# pygame greets on stdout unless told not to.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


class Polygon(Struct, frozen=True):
    """A closed area."""

    points: tuple[Point, ...]
    fill: str = NONE
    stroke: str = NONE
    width: float = 2


class Circle(Struct, frozen=True):
    """A disc or a ring."""

    centre: Point
    radius: float
    fill: str = NONE
    stroke: str = NONE
    width: float = 2


class Polyline(Struct, frozen=True):
    """An open line through its points."""

    points: tuple[Point, ...]
    stroke: str
    width: float = 2


class Words(Struct, frozen=True):
    """A line of text; `at` is on its middle height."""

    at: Point
    text: str
    size: float = 14
    fill: str = "#222222"
    anchor: Literal["start", "middle", "end"] = "start"


Shape: TypeAlias = Polygon | Circle | Polyline | Words


def box(left: float, top: float, width: float, height: float, fill: str = NONE, stroke: str = NONE) -> Polygon:
    """An upright rectangle."""
    right, bottom = left + width, top + height
    return Polygon(((left, top), (right, top), (right, bottom), (left, bottom)), fill, stroke)


def as_svg(shapes: Iterable[Shape], size: tuple[int, int], background: str) -> str:
    """The drawing as an SVG file."""
    width, height = size
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" '
        'font-family="DejaVu Sans, Verdana, sans-serif">',
        f'<rect width="{width}" height="{height}" fill="{background}"/>',
        *(_svg(shape) for shape in shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _svg(shape: Shape) -> str:
    if isinstance(shape, Words):
        x, y = shape.at
        return (
            f'<text x="{x:g}" y="{y:g}" font-size="{shape.size:g}" fill="{shape.fill}" '
            f'text-anchor="{shape.anchor}" dy="0.36em">{escape(shape.text)}</text>'
        )
    paint = f'stroke={quoteattr(shape.stroke or "none")} stroke-width="{shape.width:g}"'
    if isinstance(shape, Circle):
        x, y = shape.centre
        return f'<circle cx="{x:g}" cy="{y:g}" r="{shape.radius:g}" fill="{shape.fill or "none"}" {paint}/>'
    points = " ".join(f"{x:g},{y:g}" for x, y in shape.points)
    if isinstance(shape, Polyline):
        return f'<polyline points="{points}" fill="none" {paint} stroke-linecap="round"/>'
    return f'<polygon points="{points}" fill="{shape.fill or "none"}" {paint}/>'


def paint(surface: pygame.Surface, shapes: Iterable[Shape], scale: float = 1) -> None:
    """The drawing on a pygame surface."""
    for shape in shapes:
        _paint(surface, shape, scale)


def _paint(surface: pygame.Surface, shape: Shape, scale: float) -> None:
    import pygame

    if isinstance(shape, Words):
        _write(surface, shape, scale)
        return
    width = max(1, round(shape.width * scale))
    if isinstance(shape, Circle):
        centre = (shape.centre[0] * scale, shape.centre[1] * scale)
        if shape.fill:
            pygame.draw.circle(surface, shape.fill, centre, shape.radius * scale)
        if shape.stroke:
            pygame.draw.circle(surface, shape.stroke, centre, shape.radius * scale, width)
        return
    points = [(x * scale, y * scale) for x, y in shape.points]
    if isinstance(shape, Polyline):
        pygame.draw.lines(surface, shape.stroke, False, points, width)
        return
    if shape.fill:
        pygame.draw.polygon(surface, shape.fill, points)
    if shape.stroke:
        pygame.draw.polygon(surface, shape.stroke, points, width)


def _write(surface: pygame.Surface, words: Words, scale: float) -> None:
    import pygame

    if not pygame.font.get_init():
        pygame.font.init()
    text = pygame.font.Font(None, round(words.size * scale * 1.35)).render(words.text, True, words.fill)
    x, y = words.at[0] * scale, words.at[1] * scale
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[words.anchor]
    surface.blit(text, (x - shift * text.get_width(), y - text.get_height() / 2))


def write_png(shapes: Iterable[Shape], size: tuple[int, int], background: str, path: Path) -> None:
    """The drawing as a PNG file, painted larger and scaled down so that its edges are smooth."""
    import pygame

    large = pygame.Surface((size[0] * 2, size[1] * 2))
    large.fill(background)
    paint(large, shapes, 2)
    pygame.image.save(pygame.transform.smoothscale(large, size), str(path))
