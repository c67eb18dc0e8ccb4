"""The front plate of a panel, to print at its true size: a hole for each lamp and button, a window for the display.

Everything is in millimetres from the plate's left upper corner.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas as Pdf

from companion.text import N_
from hardware.canvas import Circle, Point, Polygon, Polyline, Shape, Words, box
from hardware.errors import PanelError
from hardware.outfit import Outfit
from hardware.panel import SKY, SUITS
from hardware.panel_drawing import SUN_RADIUS, button_sign, outline, rays
from hardware.wiring import Translate

PAPERS = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}
"""Width and height of a sheet that lies."""
PIXEL_PITCH = 1000 / 60
LED_PITCH, LED_HOLE = 11.0, 5.0
CELL = (9.0, 7.0)
"""What a pixel of the bar shines through."""
COVER = 0.2
"""Millimetres for each unit of a cover's outline."""
BUTTON_HOLE, BUTTON_PITCH = 12.0, 18.0
WINDOWS = {"128x64": (24.0, 13.0), "128x32": (24.0, 7.5)}
"""What is seen of a display of 0.96 or 0.91 inch; one of 1.3 inch is a third wider."""
PLATE_EDGE, PART_GAP, BAR_Y, ROW_Y, PLATE_HEIGHT = 9.0, 7.0, 16.0, 46.0, 66.0
RULER = 100.0
INK, CUT = "#555555", "#000000"
POINTS = 72 / 25.4
FONT = "Plate"


class Plate(Struct, frozen=True):
    """A front plate: its size, what is cut out of it by name, and what is printed on it."""

    size: tuple[float, float]
    holes: dict[str, Circle | Polygon]
    prints: tuple[Shape, ...]


def plate(outfit: Outfit) -> Plate:
    """The plate of a panel: the bar above; below it suits, sun and moon, the display, and the buttons at the right."""
    holes: dict[str, Circle | Polygon] = {}
    prints: list[Shape] = []
    lamps = [lamp for lamp in SUITS + SKY if lamp in outfit.parts.lamps]
    window = WINDOWS[outfit.display.size] if outfit.display.is_there else (0.0, 0.0)
    pitch = PIXEL_PITCH if outfit.strip.is_there else LED_PITCH
    covers, buttons = PIXEL_PITCH * len(lamps), BUTTON_PITCH * len(outfit.parts.buttons)
    inner = max(pitch * outfit.parts.bar, covers + PART_GAP + window[0] + PART_GAP + buttons)
    for place in range(outfit.parts.bar):
        x = PLATE_EDGE + pitch * (place + 0.5)
        holes[f"bar{place + 1}"] = _light(x, is_pixel=outfit.strip.is_there)
        prints.append(Words((x, BAR_Y + 9), str(place + 1), 3.2, INK, "middle"))
    for number, lamp in enumerate(lamps):
        holes[lamp], around = _cover(lamp, (PLATE_EDGE + PIXEL_PITCH * (number + 0.5), ROW_Y))
        prints += around
    if outfit.display.is_there:
        holes["display"] = box(PLATE_EDGE + covers + PART_GAP, ROW_Y - window[1] / 2, *window, stroke=CUT)
    for number, button in enumerate(outfit.parts.buttons):
        centre = PLATE_EDGE + inner - buttons + BUTTON_PITCH * (number + 0.5), ROW_Y
        holes[button.value] = Circle(centre, BUTTON_HOLE / 2, stroke=CUT)
        prints += [_scaled(shape, (centre[0], ROW_Y - 12), COVER / 2) for shape in button_sign(button, 0, 0, INK)]
    return Plate((round(inner + 2 * PLATE_EDGE, 1), PLATE_HEIGHT), holes, tuple(prints))


def _light(x: float, *, is_pixel: bool) -> Circle | Polygon:
    """What a light of the bar shines through."""
    if not is_pixel:
        return Circle((x, BAR_Y), LED_HOLE / 2, stroke=CUT)
    wide, high = CELL
    return box(x - wide / 2, BAR_Y - high / 2, wide, high, stroke=CUT)


def _cover(lamp: str, at: Point) -> tuple[Circle | Polygon, list[Shape]]:
    if lamp == "sun":
        around = [_scaled(ray, at, COVER) for ray in rays(0, 0, INK)]
        return Circle(at, SUN_RADIUS * COVER, stroke=CUT), around
    points = tuple((at[0] + x * COVER, at[1] + y * COVER) for x, y in outline(lamp))
    return Polygon(points, stroke=CUT), []


def _scaled(shape: Shape, at: Point, by: float) -> Shape:
    """A shape of the panel's face, around a point of the plate."""

    def spots(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((at[0] + x * by, at[1] + y * by) for x, y in points)

    match shape:
        case Polygon():
            return Polygon(spots(shape.points), shape.fill, shape.stroke)
        case Polyline():
            return Polyline(spots(shape.points), shape.stroke, 0.6)
    return shape


def write_plate(outfit: Outfit, path: Path, paper: str = "a4", translate: Translate = str) -> Plate:
    """Write the plate as a PDF of one sheet. Raises `PanelError` if it doesn't fit, or can't be written."""
    made = plate(outfit)
    sheet = PAPERS[paper]
    if made.size[0] > sheet[0] - 8:
        raise PanelError(N_("A plate of {width} mm doesn't fit on this paper."), width=round(made.size[0]))
    spec = find_spec("font_source_sans_pro")
    assert spec is not None
    assert spec.origin is not None
    pdfmetrics.registerFont(TTFont(FONT, Path(spec.origin).parent / "files" / "SourceSansPro-Regular.ttf"))
    pdf = Pdf(str(path), pagesize=(sheet[0] * POINTS, sheet[1] * POINTS), invariant=1)
    pdf.setTitle("Hush: front plate")
    pen = _Pen(pdf, sheet, ((sheet[0] - made.size[0]) / 2, 40.0))
    pen.draw(box(0, 0, *made.size, stroke=CUT))
    for shape in (*made.holes.values(), *made.prints):
        pen.draw(shape)
    for hole in made.holes.values():
        pen.cross(hole)
    pen.ruler(made.size[1] + 18, translate)
    words = N_("Hush, front plate. Cut along the black lines; tracing paper behind the shapes makes them shine evenly.")
    pen.draw(Words((0, -14), translate(words), 4.2, CUT))
    try:
        pdf.save()
    except OSError as error:
        raise PanelError(N_("{path} can't be written: {reason}"), path=str(path), reason=str(error)) from None
    return made


class _Pen:
    """Draws shapes in millimetres on a page of a PDF."""

    def __init__(self, pdf: Pdf, sheet: tuple[float, float], origin: Point):
        self._pdf = pdf
        self._height = sheet[1]
        self._origin = origin

    def _at(self, point: Point) -> Point:
        return (self._origin[0] + point[0]) * POINTS, (self._height - self._origin[1] - point[1]) * POINTS

    def draw(self, shape: Shape) -> None:
        """One shape."""
        pdf = self._pdf
        pdf.setLineWidth(0.25 * POINTS)
        match shape:
            case Words():
                pdf.setFont(FONT, shape.size * POINTS)
                pdf.setFillColor(shape.fill)
                x, y = self._at((shape.at[0], shape.at[1] + shape.size * 0.35))
                (pdf.drawCentredString if shape.anchor == "middle" else pdf.drawString)(x, y, shape.text)
            case Circle():
                pdf.setStrokeColor(shape.stroke or CUT)
                pdf.circle(*self._at(shape.centre), shape.radius * POINTS)
            case Polyline():
                pdf.setStrokeColor(shape.stroke)
                pdf.setLineWidth(shape.width * POINTS)
                self._path(shape.points, is_closed=False, fill="")
            case Polygon():
                pdf.setStrokeColor(shape.stroke or CUT)
                self._path(shape.points, is_closed=True, fill=shape.fill)

    def _path(self, points: tuple[Point, ...], *, is_closed: bool, fill: str) -> None:
        path = self._pdf.beginPath()
        path.moveTo(*self._at(points[0]))
        for point in points[1:]:
            path.lineTo(*self._at(point))
        if is_closed:
            path.close()
        if fill:
            self._pdf.setFillColor(fill)
        self._pdf.drawPath(path, stroke=int(not fill), fill=int(bool(fill)))

    def cross(self, hole: Circle | Polygon) -> None:
        """Where to set the drill."""
        if isinstance(hole, Circle):
            x, y = hole.centre
            for points in (((x - 1.5, y), (x + 1.5, y)), ((x, y - 1.5), (x, y + 1.5))):
                self.draw(Polyline(points, INK, 0.15))

    def ruler(self, y: float, translate: Translate) -> None:
        """A length to measure: printers like to shrink."""
        self.draw(Polyline(((0, y), (RULER, y)), CUT, 0.3))
        for at in range(0, int(RULER) + 1, 10):
            self.draw(Polyline(((at, y), (at, y - (4 if at % 50 == 0 else 2))), CUT, 0.3))
        words = N_("This line is 100 mm long. If not, print again at 100 %, without “fit to page”.")
        self.draw(Words((0, y + 6), translate(words), 4.2, CUT))
