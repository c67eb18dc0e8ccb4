"""The wiring of a panel: table, parts list, current, all from the same data the code uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from companion.text import N_, Text
from hardware.outfit import DISPLAY_LINES, STRIP_DATA, STRIP_LINES, Outfit
from hardware.panel import SKY, SUITS
from hardware.pinout import HEADER, Pinout, part_name
from hardware.pixels import Strip, budget

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
SUPPLY_VOLTS = 3.3
BUDGET_MA = 50.0
"""What all GPIO pins of a Pi together may give."""
STRIP_POWER, STRIP_GROUND, DISPLAY_POWER, DISPLAY_GROUND = 2, 6, 1, 9
"""Places on the header: 5 V and ground for the strip, 3.3 V and ground for the display."""
SHIFTER = "74AHCT125"


class PinRow(Struct, frozen=True):
    """One line of the pinout table; power and ground have no GPIO number."""

    part: Text
    gpio: int | None
    header_pin: int
    note: Text


class PartRow(Struct, frozen=True):
    """One line of the parts list."""

    count: int
    part: Text
    note: Text


def ohms_of(lamp: str) -> int:
    """The resistor that belongs to a lamp's LED."""
    return LEDS["bar" if lamp.startswith("bar") else lamp][1]


def pin_rows(outfit: Outfit) -> list[PinRow]:
    """Every wire that goes to the header, in the order of the panel."""
    return [*_pin_rows(outfit.pinout), *_bus_rows(outfit)]


def _pin_rows(pinout: Pinout) -> Iterator[PinRow]:
    for lamp, pin in pinout.lamps():
        low = N_("{ohms} Ω, to 3.3 V; shines when low")
        high = N_("{ohms} Ω, to ground; shines when high")
        note = Text(low if pinout.is_active_low(lamp) else high, {"ohms": ohms_of(lamp)})
        yield PinRow(part_name(lamp), pin, HEADER[pin], note)
    for button, pin in pinout.buttons():
        is_low = pinout.pressed_level == "low"
        note = Text(N_("to ground, pressed is low")) if is_low else Text(N_("to 3.3 V, pressed is high"))
        yield PinRow(part_name(button), pin, HEADER[pin], note)


def _bus_rows(outfit: Outfit) -> Iterator[PinRow]:
    if outfit.strip.is_there:
        to_shifter = Text(N_("to 1A of the {chip}; from its 1Y through 330 Ω to DIN of the strip"), {"chip": SHIFTER})
        yield PinRow(Text(STRIP_LINES[STRIP_DATA]), STRIP_DATA, HEADER[STRIP_DATA], to_shifter)
        five = Text(N_("to the strip's 5 V and to VCC of the {chip}"), {"chip": SHIFTER})
        yield PinRow(Text(N_("5 V for the strip")), None, STRIP_POWER, five)
        ground = Text(N_("to the strip's ground, and to GND and 1OE of the {chip}"), {"chip": SHIFTER})
        yield PinRow(Text(N_("ground for the strip")), None, STRIP_GROUND, ground)
    if outfit.display.is_there:
        for pin, name in DISPLAY_LINES.items():
            yield PinRow(Text(name), pin, HEADER[pin], Text(N_("to the same name on the display")))
        yield PinRow(Text(N_("3.3 V for the display")), None, DISPLAY_POWER, Text(N_("to VCC of the display")))
        yield PinRow(Text(N_("ground for the display")), None, DISPLAY_GROUND, Text(N_("to GND of the display")))


def milliamps(pinout: Pinout) -> float:
    """The current of the pins with every lamp on."""
    total = 0.0
    for lamp, _ in pinout.lamps():
        volts, ohms = LEDS["bar" if lamp.startswith("bar") else lamp]
        total += (SUPPLY_VOLTS - volts) / ohms * 1000
    return round(total, 1)


def parts_list(outfit: Outfit) -> list[PartRow]:
    """What to buy for this panel."""
    rows = [*_lamp_parts(outfit.pinout), *(_strip_parts(outfit.strip) if outfit.strip.is_there else ())]
    if outfit.display.is_there:
        chip, size = outfit.display.chip.upper(), outfit.display.size
        name = Text(N_("display {chip}, {size}, I2C"), {"chip": chip, "size": size})
        rows.append(PartRow(1, name, Text(N_("0.96 or 1.3 inch, four pins: GND, VCC, SCL, SDA"))))
    buttons = len(list(outfit.pinout.buttons()))
    if buttons:
        rows.append(
            PartRow(buttons, Text(N_("push button")), Text(N_("momentary, normally open; for a hole of 12 mm")))
        )
    note = Text(N_("female; one for each part, and for ground"))
    rows.append(PartRow(len(pin_rows(outfit)) + 2, Text(N_("jumper wire")), note))
    return rows


def _lamp_parts(pinout: Pinout) -> Iterator[PartRow]:
    names = {
        "red": N_("red LED, triangle cover"),
        "blue": N_("blue LED, drop cover"),
        "yellow": N_("yellow LED, star cover"),
        "green": N_("green LED, square cover"),
        "sun": N_("white LED, sun cover"),
        "moon": N_("violet LED, crescent cover"),
    }
    if pinout.bar:
        note = Text(N_("or bar modules; low-current, amber or red; {ohms} Ω each"), {"ohms": ohms_of("bar")})
        yield PartRow(len(pinout.bar), Text(N_("LED, 3 or 5 mm, for the bar")), note)
    for name in SUITS + SKY:
        if getattr(pinout, name) is not None:
            note = Text(N_("high-efficiency, for 1 to 2 mA; {ohms} Ω"), {"ohms": ohms_of(name)})
            yield PartRow(1, Text(names[name]), note)
    ohms = [ohms_of(lamp) for lamp, _ in pinout.lamps()]
    for ohm in sorted(set(ohms), reverse=True):
        note = Text(N_("one for each LED that says so, in series"))
        yield PartRow(ohms.count(ohm), Text(N_("resistor {ohms} Ω"), {"ohms": ohm}), note)


def _strip_parts(strip: Strip) -> Iterator[PartRow]:
    name = Text(N_("strip of WS2812B or SK6812, 5 V, 60 pixels a metre: {count} pixels"), {"count": strip.pixels})
    cut = N_("cut behind pixel 15 and joined by three wires; all lights on take {total} mA at 5 V")
    yield PartRow(1, name, Text(cut, {"total": round(budget(strip).total)}))
    shifter = Text(N_("level shifter {chip}"), {"chip": SHIFTER})
    yield PartRow(1, shifter, Text(N_("makes 5 V of the Pi's 3.3 V; a 74HCT125 does, too")))
    yield PartRow(1, Text(N_("resistor {ohms} Ω"), {"ohms": 330}), Text(N_("in the data wire, beside the first pixel")))
    name = Text(N_("capacitor 470 µF, 10 V"))
    yield PartRow(1, name, Text(N_("between 5 V and ground of the strip; mind its stripe")))


def box_parts() -> list[PartRow]:
    """What every box needs besides its panel."""
    return [
        PartRow(
            1,
            Text(N_("Raspberry Pi with 40 pins: Zero 2 W, 3, 4 or 5")),
            Text(N_("512 MB will do; a 4 or a 5 sees faster")),
        ),
        PartRow(
            1,
            Text(N_("its own power supply")),
            Text(N_("5.1 V: 2.5 A (Zero 2 W, 3), 3 A (4) or 5 A (5)")),
        ),
        PartRow(1, Text(N_("microSD card, 16 GB or more, class A1")), Text(N_("a good one: it keeps the games"))),
        PartRow(
            1,
            Text(N_("camera: Camera Module 3, or 2; or a USB camera with 1080 lines")),
            Text(N_("a ribbon cable of 500 mm or more; the Zero and the 5 need the narrow one (22 to 15 pins)")),
        ),
        PartRow(
            1,
            Text(N_("stand for the camera: a lamp arm, a boom or a shelf")),
            Text(N_("it looks straight down and doesn't shake; how high: companion camera --plan 84x60")),
        ),
        PartRow(4, Text(N_("corner marker")), Text(N_("printed: companion print markers"))),
        PartRow(
            1, Text(N_("box or board for the front plate")), Text(N_("printed: companion wiring --plate plate.pdf"))
        ),
    ]
