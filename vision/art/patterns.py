"""Ornaments that differ from card to card: rosettes, ridges, skylines, suit shapes."""

from __future__ import annotations

import math

import numpy as np

from vision.art.canvas import Canvas, Colour, Spot, around, mixed

Random = np.random.Generator
# The panel's four colours: told apart by shade as well as by hue, and by their shapes.
INKS: dict[str, Colour] = {"r": (196, 48, 42), "b": (36, 92, 168), "y": (236, 184, 40), "g": (44, 128, 72)}
DEEP: dict[str, Colour] = {"r": (92, 20, 30), "b": (16, 38, 88), "y": (140, 86, 16), "g": (16, 62, 42)}


def rosette(canvas: Canvas, x: float, y: float, radius: float, inks: list[Colour], random: Random) -> None:
    """A medallion of rings with petals, dots and rays; every draw of `random` gives another one."""
    rings = int(random.integers(3, 6))
    for ring in range(rings):
        outer = radius * (1 - ring / rings)
        inner = radius * (1 - (ring + 1) / rings)
        ink, other = inks[ring % len(inks)], inks[(ring + 1) % len(inks)]
        canvas.disc(x, y, outer, ink, mixed(ink, (0, 0, 0), 0.45), 0.35)
        count = int(random.integers(5, 17))
        kind = int(random.integers(4))
        spin = float(random.uniform(0, 360 / count))
        middle, half = (outer + inner) / 2, (outer - inner) / 2
        if kind == 0:
            canvas.shape(around(x, y, outer * 0.97, count, spin, max(0.3, inner / outer)), other)
            continue
        for n in range(count):
            angle = math.radians(spin + 360 * n / count)
            px, py = x + middle * math.sin(angle), y - middle * math.cos(angle)
            if kind == 1:
                canvas.disc(px, py, half * 0.62, other, mixed(other, (0, 0, 0), 0.4), 0.3)
            elif kind == 2:
                canvas.shape(around(px, py, half * 0.85, 4, math.degrees(angle), 0.45), other)
            else:
                wide = math.pi / count * 0.62
                canvas.shape(_petal(x, y, inner, outer * 0.96, angle, wide), other)


def lattice(canvas: Canvas, kind: str, ground: Colour, soft: Colour, bright: Colour) -> None:
    """A card's back: a net of diamonds with a sign in each, to its edges and the same either way up.

    It has no frame, so that nobody sees whether the two sides of a sheet met to the millimetre.
    """
    canvas.box(-2, -2, canvas.width + 4, canvas.height + 4, ground)
    # An odd number of diamonds each way has one in the middle: turned about, it's the same.
    across, down = 7, 2 * round(canvas.height / canvas.width * 3.5) + 1
    wide, high = canvas.width / across, canvas.height / down
    for row in range(-1, 2 * down + 2):
        for column in range(-1, across + 1):
            x, y = wide * (column + 0.5 + row % 2 / 2), high * (row + 1) / 2
            is_bright = row % 2 == 0 and (row // 2 + column) % 2 == 0
            diamond = [(x, y - high / 2), (x + wide / 2, y), (x, y + high / 2), (x - wide / 2, y)]
            canvas.shape(diamond, None, soft, 0.3)
            _sign(canvas, kind, x, y, min(wide, high) * 0.26, bright if is_bright else soft)


def _sign(canvas: Canvas, kind: str, x: float, y: float, size: float, ink: Colour) -> None:
    if kind == "square":
        canvas.box(x - size * 0.8, y - size * 0.8, size * 1.6, size * 1.6, ink)
    elif kind == "sun":
        canvas.shape(around(x, y, size, 8, 0, 0.62), ink)
    elif kind == "star":
        # Four points, not five: upside down it looks the same.
        canvas.shape(around(x, y, size * 1.2, 4, 0, 0.4), ink)
    else:
        canvas.disc(x, y, size * 0.9, ink)


def _petal(x: float, y: float, inner: float, outer: float, angle: float, wide: float) -> list[Spot]:
    middle = (inner + outer) / 2

    def at(radius: float, a: float) -> Spot:
        return x + radius * math.sin(a), y - radius * math.cos(a)

    return [at(inner, angle), at(middle, angle - wide), at(outer, angle), at(middle, angle + wide)]


def ridges(
    canvas: Canvas, top: float, bottom: float, inks: tuple[Colour, Colour], random: Random, layers: int = 4
) -> None:
    """Hills behind hills, lighter far away."""
    for layer in range(layers):
        share = layer / max(1, layers - 1)
        base = top + (bottom - top) * (0.15 + 0.75 * share)
        waves = [
            (random.uniform(2, 6) / (k + 1), random.uniform(0.05, 0.12) * (k + 1), random.uniform(0, 6))
            for k in range(3)
        ]
        line: list[Spot] = []
        for step in range(41):
            x = canvas.width * step / 40
            line.append((x, base + sum(a * math.sin(f * x * 2 + p) for a, f, p in waves)))
        canvas.shape([*line, (canvas.width, bottom), (0, bottom)], mixed(inks[0], inks[1], share))


def skyline(canvas: Canvas, ground: float, ink: Colour, lit: Colour, random: Random) -> None:
    """A row of houses, some windows lit."""
    x = -2.0
    while x < canvas.width:
        wide, tall = float(random.uniform(5, 11)), float(random.uniform(9, 32))
        shade = mixed(ink, (0, 0, 0), float(random.uniform(0, 0.35)))
        canvas.box(x, ground - tall, wide, tall + 1, shade)
        if random.random() < 0.4:
            canvas.shape([(x, ground - tall), (x + wide / 2, ground - tall - 4), (x + wide, ground - tall)], shade)
        for column in range(int(wide // 2.4)):
            for row in range(int(tall // 3.4)):
                if random.random() < 0.45:
                    canvas.box(x + 0.9 + column * 2.4, ground - tall + 1.4 + row * 3.4, 1.2, 1.8, lit)
        x += wide + float(random.uniform(0.2, 1.2))


def suit_shape(canvas: Canvas, kind: str, x: float, y: float, size: float, ink: Colour, line: Colour) -> None:
    """The shape of a colour or suit, for those who can't tell the colours."""
    thick = max(0.25, size * 0.06)
    if kind in ("r", "triangle"):
        canvas.shape(around(x, y + size * 0.1, size, 3), ink, line, thick)
    elif kind in ("b", "drop"):
        spots = [
            (x + size * 0.8 * math.sin(a) * math.sin(a / 2) ** 1.2, y + size * (0.15 - 0.85 * math.cos(a)))
            for a in (2 * math.pi * n / 40 for n in range(40))
        ]
        canvas.shape(spots, ink, line, thick)
    elif kind in ("y", "sun"):
        canvas.shape(around(x, y, size, 8, 0, 0.62), ink, line, thick)
    elif kind in ("g", "square"):
        canvas.shape(around(x, y, size, 4, 45), ink, line, thick)
    elif kind == "wands":
        canvas.path([(x - size * 0.45, y + size), (x + size * 0.45, y - size)], line, size * 0.36)
        canvas.path([(x - size * 0.42, y + size * 0.94), (x + size * 0.42, y - size * 0.94)], ink, size * 0.22)
        canvas.disc(x + size * 0.1, y - size * 0.55, size * 0.26, (96, 150, 70), line, thick)
        canvas.disc(x + size * 0.2, y + size * 0.1, size * 0.2, (96, 150, 70), line, thick)
    elif kind == "cups":
        canvas.shape(
            [(x - size * 0.7, y - size), (x + size * 0.7, y - size), (x + size * 0.25, y + size * 0.2),
             (x + size * 0.12, y + size * 0.7), (x + size * 0.5, y + size), (x - size * 0.5, y + size),
             (x - size * 0.12, y + size * 0.7), (x - size * 0.25, y + size * 0.2)], ink, line, thick,
        )  # fmt: skip
        canvas.disc(x, y - size, size * 0.7, mixed(ink, (255, 255, 255), 0.5), line, thick, 0.28)
    elif kind == "swords":
        canvas.shape(
            [(x, y - size * 1.1), (x + size * 0.2, y - size * 0.75), (x + size * 0.17, y + size * 0.45),
             (x - size * 0.17, y + size * 0.45), (x - size * 0.2, y - size * 0.75)], ink, line, thick,
        )  # fmt: skip
        canvas.box(x - size * 0.6, y + size * 0.42, size * 1.2, size * 0.18, line)
        canvas.box(
            x - size * 0.12,
            y + size * 0.55,
            size * 0.24,
            size * 0.5,
            mixed(ink, (90, 50, 20), 0.7),
            line,
            thick,
        )
    else:
        canvas.disc(x, y, size * 0.95, ink, line, thick)
        canvas.shape(around(x, y, size * 0.78, 5, 0, 0.42), mixed(ink, (255, 255, 255), 0.6), line, thick)


ROWS = {
    1: (1,), 2: (1, 1), 3: (1, 1, 1), 4: (2, 2), 5: (2, 1, 2), 6: (2, 2, 2), 7: (2, 1, 2, 2),
    8: (2, 2, 2, 2), 9: (2, 2, 1, 2, 2), 10: (3, 2, 2, 3), 11: (3, 2, 1, 2, 3), 12: (3, 3, 3, 3),
    13: (3, 2, 3, 2, 3), 14: (3, 3, 2, 3, 3),
}  # fmt: skip


def pip_places(count: int, left: float, top: float, width: float, height: float) -> list[Spot]:
    """Where to put so many equal shapes that they can be counted at a glance."""
    rows = ROWS[count]
    spots = []
    for number, inside in enumerate(rows):
        y = top + height * (number + 0.5) / len(rows)
        spots += [(left + width * (k + 0.5) / inside if inside > 1 else left + width / 2, y) for k in range(inside)]
    return spots
