"""The face of the panel as a drawing: where each lamp and button sits, and how it looks at a brightness."""

from __future__ import annotations

import math

from hardware.canvas import Circle, Point, Polygon, Polyline, Shape, Words, box
from hardware.panel import SUITS, Button, Parts

SIZE = (960, 250)
BACKGROUND = "#1c1b22"
COLOURS = {"red": "#ff5252", "blue": "#5aa2ff", "yellow": "#ffd740", "green": "#5fdc7a"}
COLOURS |= {"sun": "#fff6d8", "moon": "#b98cff", "bar": "#ffb05c"}
OUTLINE = "#6d6a78"
LABEL = "#b9b6c4"
_UNLIT = (0x2A, 0x29, 0x32)
BUTTON_RADIUS = 34
SUN_RADIUS = 19


def lamp_centre(lamp: str, parts: Parts) -> Point:
    """Where a lamp sits."""
    if lamp.startswith("bar"):
        gap = 900 / max(parts.bar, 1)
        return 30 + gap * (int(lamp.removeprefix("bar")) - 0.5), 55
    if lamp in SUITS:
        return 70 + 90 * SUITS.index(lamp), 165
    return (460, 165) if lamp == "sun" else (550, 165)


def button_centre(button: Button) -> Point:
    """Where a button sits."""
    return 660 + 84 * list(Button).index(button), 165


def button_at(point: Point, parts: Parts) -> Button | None:
    """The button under a point, if any."""
    for button in parts.buttons:
        if math.dist(point, button_centre(button)) <= BUTTON_RADIUS:
            return button
    return None


def draw_panel(bright: dict[str, float], parts: Parts, down: frozenset[Button] = frozenset()) -> list[Shape]:
    """The whole panel. An unlit lamp keeps its outline, so that shapes stay readable."""
    shapes: list[Shape] = []
    for lamp in parts.names():
        shapes += _lamp(lamp, bright.get(lamp, 0.0), parts)
    for button in parts.buttons:
        shapes += _button(button, button in down)
    return shapes


def _lamp(lamp: str, level: float, parts: Parts) -> list[Shape]:
    x, y = lamp_centre(lamp, parts)
    colour = _mix(COLOURS.get(lamp, COLOURS["bar"]), level)
    if lamp == "sun":
        return [*rays(x, y, colour if level else OUTLINE), Circle((x, y), SUN_RADIUS, colour, OUTLINE)]
    if lamp in COLOURS:
        return [Polygon(tuple((x + dx, y + dy) for dx, dy in outline(lamp)), colour, OUTLINE)]
    place = lamp.removeprefix("bar")
    return [
        box(x - 20, y - 28, 40, 56, colour, OUTLINE),
        Words((x, y + 44), place, 12, LABEL, "middle"),
    ]


def outline(lamp: str) -> tuple[Point, ...]:
    """The shape of a suit's or the moon's cover around its middle; about 60 high."""
    match lamp:
        case "red":
            return ((0, -30), (32, 26), (-32, 26))
        case "blue":
            return _drop(0, 0)
        case "yellow":
            return _star(0, 0)
        case "green":
            return ((-26, -26), (26, -26), (26, 26), (-26, 26))
    return _crescent(0, 0)


def _mix(colour: str, level: float) -> str:
    """The colour at a brightness; the eye takes a tenth of the light for a third of the brightness."""
    seen = level**0.5
    parts = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(dark + (full - dark) * seen):02x}" for full, dark in zip(parts, _UNLIT, strict=True))


def rays(x: float, y: float, colour: str) -> list[Shape]:
    """What goes out from the sun's disc."""
    angles = [math.tau * step / 8 for step in range(8)]
    return [
        Polyline(
            (
                (x + 24 * math.cos(angle), y + 24 * math.sin(angle)),
                (x + 34 * math.cos(angle), y + 34 * math.sin(angle)),
            ),
            colour,
            4,
        )
        for angle in angles
    ]


def _drop(x: float, y: float) -> tuple[Point, ...]:
    """A point above, a round belly below."""
    belly = [math.radians(degrees) for degrees in range(-30, 211, 10)]
    return ((x, y - 36), *((x + 24 * math.cos(angle), y + 10 + 24 * math.sin(angle)) for angle in belly))


def _star(x: float, y: float) -> tuple[Point, ...]:
    """Eight points, as on the cards."""
    return tuple(
        (x + reach * math.sin(math.tau * step / 16), y - reach * math.cos(math.tau * step / 16))
        for step in range(16)
        for reach in (33 if step % 2 == 0 else 22,)
    )


def _crescent(x: float, y: float) -> tuple[Point, ...]:
    outer = [math.radians(degrees) for degrees in range(60, 301, 10)]
    inner = [math.radians(degrees) for degrees in range(290, 69, -10)]
    return tuple(
        [(x + 6 + 31 * math.cos(a), y + 31 * math.sin(a)) for a in outer]
        + [(x + 14 + 23 * math.cos(a), y + 27 * math.sin(a)) for a in inner]
    )


def _button(button: Button, is_down: bool) -> list[Shape]:
    x, y = button_centre(button)
    ink = "#1c1b22" if is_down else "#f0eef8"
    body: Shape = Circle((x, y), BUTTON_RADIUS, "#f0eef8" if is_down else "#3b3946", OUTLINE)
    return [body, *button_sign(button, x, y, ink)]


def button_sign(button: Button, x: float, y: float, ink: str) -> list[Shape]:
    """What is printed on or beside a button; about 30 high."""
    match button:
        case Button.LEFT:
            return [Polygon(((x + 10, y - 16), (x + 10, y + 16), (x - 16, y)), ink)]
        case Button.RIGHT:
            return [Polygon(((x - 10, y - 16), (x - 10, y + 16), (x + 16, y)), ink)]
        case Button.CONFIRM:
            return [Polyline(((x - 15, y), (x - 5, y + 12), (x + 15, y - 12)), ink, 6)]
        case Button.BACK:
            return [
                Polyline(((x - 12, y - 12), (x + 12, y + 12)), ink, 6),
                Polyline(((x - 12, y + 12), (x + 12, y - 12)), ink, 6),
            ]
