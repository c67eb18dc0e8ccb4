"""The wiring of a pinout: table, parts list, current, and a drawing, all from the same data the code uses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from companion.text import N_, Text
from hardware.canvas import Circle, Line, Shape, Words, as_svg, box, write_png
from hardware.face import COLOURS
from hardware.panel import SKY, SUITS
from hardware.pinout import GROUNDS, HEADER, Pinout, part_name

Translate = Callable[[str], str]
# Forward voltage of common LEDs at about a milliampere, and the resistor that suits them at 3.3 V.
LEDS = {
    "bar": (1.9, 1000),
    "red": (1.8, 1000),
    "yellow": (1.9, 1000),
    "green": (2.1, 1000),
    "blue": (2.7, 330),
    "sun": (2.7, 330),
    "moon": (2.8, 330),
}
SUPPLY = 3.3
BUDGET_MA = 50.0
"""What all GPIO pins of a Pi together may give."""


class PinRow(Struct, frozen=True):
    """One line of the pinout table."""

    part: Text
    gpio: int
    place: int
    note: Text


class PartRow(Struct, frozen=True):
    """One line of the parts list."""

    count: int
    part: Text
    note: Text


def pin_rows(pinout: Pinout) -> list[PinRow]:
    """Every part with its pin, in the order of the panel."""
    rows = []
    for lamp, pin in pinout.lamps():
        low = pinout.is_active_low(lamp)
        note = Text(N_("to 3.3 V, shines when low")) if low else Text(N_("to ground, shines when high"))
        rows.append(PinRow(part_name(lamp), pin, HEADER[pin], note))
    for button, pin in pinout.buttons():
        low = pinout.pressed_level == "low"
        note = Text(N_("to ground, pressed is low")) if low else Text(N_("to 3.3 V, pressed is high"))
        rows.append(PinRow(part_name(button), pin, HEADER[pin], note))
    return rows


def milliamps(pinout: Pinout) -> float:
    """The current with every lamp on."""
    total = 0.0
    for lamp, _ in pinout.lamps():
        volts, ohms = LEDS["bar" if lamp.startswith("bar") else lamp]
        total += (SUPPLY - volts) / ohms * 1000
    return round(total, 1)


def parts_list(pinout: Pinout) -> list[PartRow]:
    """What to buy for this panel."""
    rows = []
    names = {
        "red": N_("red LED, triangle cover"),
        "blue": N_("blue LED, drop cover"),
        "yellow": N_("yellow LED, star cover"),
        "green": N_("green LED, square cover"),
        "sun": N_("white LED, sun cover"),
        "moon": N_("violet LED, crescent cover"),
    }
    ohms: dict[int, int] = {}
    for lamp, _ in pinout.lamps():
        ohm = LEDS["bar" if lamp.startswith("bar") else lamp][1]
        ohms[ohm] = ohms.get(ohm, 0) + 1
    if pinout.bar:
        note = Text(N_("or bar modules; low-current, amber or red"))
        rows.append(PartRow(len(pinout.bar), Text(N_("LED, 3 or 5 mm, for the bar")), note))
    for name in SUITS + SKY:
        if getattr(pinout, name) is not None:
            rows.append(PartRow(1, Text(names[name]), Text(N_("high-efficiency, for 1 to 2 mA"))))
    for ohm, count in sorted(ohms.items(), reverse=True):
        note = Text(N_("one for each LED, in series"))
        rows.append(PartRow(count, Text(N_("resistor {ohms} Ω"), {"ohms": ohm}), note))
    buttons = len(list(pinout.buttons()))
    if buttons:
        note = Text(N_("momentary, normally open"))
        rows.append(PartRow(buttons, Text(N_("push button")), note))
    note = Text(N_("female; one for each part, and for ground"))
    rows.append(PartRow(len(pin_rows(pinout)) + 2, Text(N_("jumper wire")), note))
    return rows


SIZE = (1100, 760)
PAPER, INK, COPPER = "#fbfaf6", "#2b2a33", "#c9a227"
_TOP, _PITCH, _LEFT, _RIGHT = 80, 32, 515, 585


def drawing(pinout: Pinout, translate: Translate = str) -> list[Shape]:
    """The header seen from above, pin 1 at the top left, with every part beside its pin."""
    uses: dict[int, tuple[str, str]] = {}
    for lamp, pin in pinout.lamps():
        uses[HEADER[pin]] = (_label(part_name(lamp), pin, translate), _colour(lamp))
    for button, pin in pinout.buttons():
        uses[HEADER[pin]] = (_label(part_name(button), pin, translate), INK)
    shapes: list[Shape] = [
        Words((SIZE[0] / 2, 34), translate(N_("The panel's wiring, seen from above")), 22, INK, "middle"),
        box(_LEFT - 32, _TOP - 22, _RIGHT - _LEFT + 64, 20 * _PITCH + 12, "#2f5d3a", "#1d3a25"),
    ]
    for place in range(1, 41):
        shapes += _header_pin(place, uses.get(place), translate)
    lamp_end = translate(N_("LED: pin, resistor, long leg; short leg to ground."))
    if pinout.active_low:
        lamp_end = translate(N_("Active-low LED: 3.3 V, resistor, long leg; short leg to the pin."))
    button_end = translate(N_("Button: between pin and ground."))
    if pinout.pressed_level == "high":
        button_end = translate(N_("Button: between pin and 3.3 V."))
    shapes.append(Words((SIZE[0] / 2, SIZE[1] - 18), f"{lamp_end}  {button_end}", 14, INK, "middle"))
    return shapes


def _header_pin(place: int, use: tuple[str, str] | None, translate: Translate) -> list[Shape]:
    is_left = place % 2 == 1
    x = _LEFT if is_left else _RIGHT
    y = _TOP + (place - 1) // 2 * _PITCH
    fixed = {1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V", 27: "ID", 28: "ID"}
    step = -1 if is_left else 1
    shapes: list[Shape] = [
        Circle((x, y), 10, COPPER, INK),
        Words((x, y), str(place), 10, INK, "middle"),
    ]
    if use is not None:
        label, colour = use
        shapes.append(Line(((x + step * 12, y), (x + step * 130, y)), colour, 4))
        shapes.append(Circle((x + step * 136, y), 7, colour, INK, 1))
        shapes.append(Words((x + step * 152, y), label, 14, INK, "end" if is_left else "start"))
        return shapes
    name = fixed.get(place) or (translate(N_("ground")) if place in GROUNDS else translate(N_("free")))
    shapes.append(Words((x + step * 42, y), name, 12, "#77747f", "end" if is_left else "start"))
    return shapes


def _label(name: Text, pin: int, translate: Translate) -> str:
    return f"{name.render(translate)} (GPIO {pin})"


def _colour(lamp: str) -> str:
    # The face's colours are lights on black; on paper they must be darker.
    paper = {"sun": "#8f8a76", "yellow": "#c79a00", "bar": "#d0751a", "green": "#2b9c49"}
    key = "bar" if lamp.startswith("bar") else lamp
    return paper.get(key, COLOURS[key])


def wiring_svg(pinout: Pinout, translate: Translate = str) -> str:
    """The drawing as SVG."""
    return as_svg(drawing(pinout, translate), SIZE, PAPER)


def write_wiring_png(pinout: Pinout, path: Path, translate: Translate = str) -> None:
    """The drawing as a PNG file. Symbols the bundled font lacks are spelt out."""
    spelt = {"◀": "<", "▶": ">", "✔": "OK", "✖": "X"}
    shapes: list[Shape] = []
    for shape in drawing(pinout, translate):
        if isinstance(shape, Words):
            text = "".join(spelt.get(letter, letter) for letter in shape.text)
            shape = Words(shape.at, text, shape.size, shape.fill, shape.anchor)
        shapes.append(shape)
    write_png(shapes, SIZE, PAPER, path)
