"""The wiring of a panel as a drawing: the header with every part beside its pin, and the way to the strip."""

from __future__ import annotations

from pathlib import Path

from companion.text import N_, Text
from hardware.canvas import Circle, Polyline, Shape, Words, as_svg, box, write_png
from hardware.outfit import DISPLAY_LINES, STRIP_DATA, STRIP_LINES, Outfit
from hardware.panel import Button
from hardware.panel_drawing import COLOURS
from hardware.pinout import GROUNDS, HEADER, part_name
from hardware.wiring import (
    DISPLAY_GROUND,
    DISPLAY_POWER,
    SHIFTER,
    STRIP_GROUND,
    STRIP_POWER,
    Translate,
    ohms_of,
)

DRAWING_WIDTH, HEADER_HEIGHT, STRIP_HEIGHT = 1100, 760, 250
PAPER, INK, COPPER, GREY = "#fbfaf6", "#2b2a33", "#c9a227", "#77747f"
HOT, COLD, DATA, GLASS = "#c0392b", "#2b2a33", "#2b7a3d", "#2563a8"
_FIRST_PIN_Y, _PIN_PITCH, _LEFT, _RIGHT = 80, 32, 515, 585


def size_of(outfit: Outfit) -> tuple[int, int]:
    """How large the drawing is: a strip has a row of its own."""
    return DRAWING_WIDTH, HEADER_HEIGHT + (STRIP_HEIGHT if outfit.strip.is_there else 0)


def drawing(outfit: Outfit, translate: Translate = str) -> list[Shape]:
    """Pin 1 is at the top left."""
    uses = _uses(outfit, translate)
    shapes: list[Shape] = [
        Words((DRAWING_WIDTH / 2, 34), translate(N_("The panel's wiring, seen from above")), 22, INK, "middle"),
        box(_LEFT - 32, _FIRST_PIN_Y - 22, _RIGHT - _LEFT + 64, 20 * _PIN_PITCH + 12, "#2f5d3a", "#1d3a25"),
    ]
    taken = {HEADER[pin] for pin in STRIP_LINES} if outfit.strip.is_there else set()
    for header_pin in range(1, 41):
        shapes += _header_pin(header_pin, uses.get(header_pin), translate, "SPI" if header_pin in taken else "")
    shapes.append(Words((DRAWING_WIDTH / 2, HEADER_HEIGHT - 18), _legend(outfit, translate), 14, INK, "middle"))
    return shapes + (_strip(outfit, translate) if outfit.strip.is_there else [])


def _uses(outfit: Outfit, translate: Translate) -> dict[int, tuple[str, str]]:
    """The label and the colour of every pin that is used."""
    uses: dict[int, tuple[str, str]] = {}
    for lamp, pin in outfit.pinout.lamps():
        uses[HEADER[pin]] = (f"{_label(lamp, pin, translate)}: {ohms_of(lamp)} Ω", _colour(lamp))
    for button, pin in outfit.pinout.buttons():
        uses[HEADER[pin]] = (_label(button, pin, translate), INK)
    if outfit.strip.is_there:
        to_shifter = Text(N_("to 1A of the {chip}"), {"chip": SHIFTER}).render(translate)
        uses[HEADER[STRIP_DATA]] = (f"GPIO {STRIP_DATA} {to_shifter}", DATA)
        uses[STRIP_POWER] = (translate(N_("5 V for the strip")), HOT)
        uses[STRIP_GROUND] = (translate(N_("ground for the strip")), COLD)
    if outfit.display.is_there:
        for pin, name in DISPLAY_LINES.items():
            uses[HEADER[pin]] = (f"{translate(name)} (GPIO {pin})", GLASS)
        uses[DISPLAY_POWER] = (translate(N_("3.3 V for the display")), HOT)
        uses[DISPLAY_GROUND] = (translate(N_("ground for the display")), COLD)
    return uses


def _legend(outfit: Outfit, translate: Translate) -> str:
    pinout, said = outfit.pinout, []
    if list(pinout.lamps()):
        low = N_("Active-low LED: 3.3 V, resistor, long leg; short leg to the pin.")
        said.append(translate(low if pinout.active_low else N_("LED: pin, resistor, long leg; short leg to ground.")))
    if list(pinout.buttons()):
        is_high = pinout.pressed_level == "high"
        said.append(
            translate(N_("Button: between pin and 3.3 V.") if is_high else N_("Button: between pin and ground."))
        )
    return "  ".join(said)


def _header_pin(header_pin: int, use: tuple[str, str] | None, translate: Translate, taken: str) -> list[Shape]:
    """A pin with its part; one without has its own name, or that of the bus that has taken it."""
    is_left = header_pin % 2 == 1
    x = _LEFT if is_left else _RIGHT
    y = _FIRST_PIN_Y + (header_pin - 1) // 2 * _PIN_PITCH
    fixed = {1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V", 27: "ID", 28: "ID"}
    step = -1 if is_left else 1
    shapes: list[Shape] = [
        Circle((x, y), 10, COPPER, INK),
        Words((x, y), str(header_pin), 10, INK, "middle"),
    ]
    if use is not None:
        label, colour = use
        shapes.append(Polyline(((x + step * 12, y), (x + step * 130, y)), colour, 4))
        shapes.append(Circle((x + step * 136, y), 7, colour, INK, 1))
        shapes.append(Words((x + step * 152, y), label, 14, INK, "end" if is_left else "start"))
        return shapes
    unused = translate(N_("ground")) if header_pin in GROUNDS else translate(N_("free"))
    name = fixed.get(header_pin) or taken or unused
    shapes.append(Words((x + step * 42, y), name, 12, GREY, "end" if is_left else "start"))
    return shapes


def _strip(outfit: Outfit, translate: Translate) -> list[Shape]:
    """From the Pi through the level shifter and a resistor into the strip; below them 5 V and ground."""
    top = HEADER_HEIGHT + 20
    data, hot, cold = top + 60, top + 130, top + 175
    first = 470
    shapes: list[Shape] = [
        Words((30, top), translate(N_("The way to the strip")), 16, INK),
        Polyline(((40, data), (170, data)), DATA, 4),
        Words((40, data - 16), f"GPIO {STRIP_DATA} (19)", 12, INK),
        box(170, data - 36, 130, 76, "#e8e4d8", INK),
        Words((235, data - 20), SHIFTER, 14, INK, "middle"),
        Words((178, data), "2 1A", 12, INK),
        Words((292, data), "1Y 3", 12, INK, "end"),
        Words((178, data + 24), "14 VCC", 11, INK),
        Words((292, data + 24), "1OE 1, GND 7", 11, INK, "end"),
        Polyline(((300, data), (350, data)), DATA, 4),
        box(350, data - 10, 60, 20, "#d8c9a0", INK),
        Words((380, data - 22), "330 Ω", 12, INK, "middle"),
        Polyline(((410, data), (first, data)), DATA, 4),
        Words((first - 4, data - 16), "DIN", 12, INK, "end"),
        Polyline(((40, hot), (1060, hot)), HOT, 4),
        Words((40, hot - 14), "5 V (2)", 12, INK),
        Polyline(((40, cold), (1060, cold)), COLD, 4),
        Words((40, cold + 16), f"{translate(N_('ground'))} (6)", 12, INK),
        Polyline(((200, data + 40), (200, hot)), HOT, 3),
        Polyline(((270, data + 40), (270, cold)), COLD, 3),
        Polyline(((440, hot), (440, hot + 16)), HOT, 3),
        Polyline(((424, hot + 16), (456, hot + 16)), HOT, 5),
        Polyline(((424, hot + 26), (456, hot + 26)), COLD, 5),
        Polyline(((440, hot + 26), (440, cold)), COLD, 3),
        Words((462, hot + 22), "470 µF", 12, INK),
    ]
    lamps = {pixel: lamp for lamp, pixel in outfit.strip.lamps()}
    pitch = min(26.0, (1070 - first) / outfit.strip.pixels)
    for pixel in range(1, outfit.strip.pixels + 1):
        x = first + (pixel - 1) * pitch
        fill = _colour(lamps[pixel]) if pixel in lamps else PAPER
        shapes.append(box(x, data - pitch / 2, pitch - 2, pitch, fill, INK))
        shapes.append(Words((x + pitch / 2 - 1, data + pitch / 2 + 10), str(pixel), 9, INK, "middle"))
    last = first + outfit.strip.pixels * pitch
    for line, colour, shift in ((hot, HOT, 20), (cold, COLD, 8)):
        shapes.append(Polyline(((last - shift, data + pitch / 2 + 18), (last - shift, line)), colour, 3))
    return shapes


def _label(part: str | Button, pin: int, translate: Translate) -> str:
    return f"{part_name(part).render(translate)} (GPIO {pin})"


def _colour(lamp: str) -> str:
    # The face's colours are lights on black; on paper they must be darker.
    paper = {"sun": "#8f8a76", "yellow": "#c79a00", "bar": "#d0751a", "green": "#2b9c49"}
    key = "bar" if lamp.startswith("bar") else lamp
    return paper.get(key, COLOURS[key])


def wiring_svg(outfit: Outfit, translate: Translate = str) -> str:
    """The drawing as SVG."""
    return as_svg(drawing(outfit, translate), size_of(outfit), PAPER)


def write_wiring_png(outfit: Outfit, path: Path, translate: Translate = str) -> None:
    """The drawing as a PNG file. Symbols the bundled font lacks are spelt out."""
    spelt = {"◀": "<", "▶": ">", "✔": "OK", "✖": "X", "Ω": "ohm"}
    shapes: list[Shape] = []
    for shape in drawing(outfit, translate):
        if isinstance(shape, Words):
            text = "".join(spelt.get(letter, letter) for letter in shape.text)
            shape = Words(shape.at, text, shape.size, shape.fill, shape.anchor)
        shapes.append(shape)
    write_png(shapes, size_of(outfit), PAPER, path)
