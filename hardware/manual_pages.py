"""`python -m hardware.manual_pages`: makes docs/lights.md and parts of docs/wiring.md from the code's data."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from hardware import timing
from hardware.flourishes import FLOURISHES
from hardware.lights import NUMBER_PATTERNS, PATTERNS, TOPICS
from hardware.outfit import EASY_PANEL, PLAIN_PANEL, Outfit
from hardware.panel import SHAPES, SUITS
from hardware.signs import BOX_SIGNS, SIGNS
from hardware.wiring import PartRow, box_parts, parts_list, pin_rows
from hardware.wiring_drawing import wiring_svg

DOCS = Path(__file__).resolve().parent.parent / "docs"
BOX_TITLE = "The box itself: all four suits are lit as well"
BEGIN, END = "<!-- made by python -m hardware.manual_pages: {name} -->", "<!-- end: {name} -->"


def lights_page() -> str:
    """The light language as a page for players."""
    shapes = ", ".join(f"{suit} {SHAPES[suit]}" for suit in SUITS)
    lines = [
        "# The light language",
        "",
        "Made by `python -m hardware.manual_pages` from `signs.py`, `lights.py` and `flourishes.py` in `hardware/`.",
        "",
        f"The panel has a bar of 15 lights, four suits ({shapes}),",
        "a sun and a moon. Colour is never the only carrier: every light has its own place, every suit its",
        "own shape, and patterns differ in place, rhythm or number.",
        "",
        "| in a drawing | the light |",
        "| --- | --- |",
        "| `.` | off |",
        "| `#` | on |",
        "| `-` | dim |",
        f"| `o` | blinks slowly, every {timing.SLOW_SECONDS:g} s |",
        f"| `*` | blinks fast, every {timing.FAST_SECONDS:g} s |",
        f"| `~` | pulses, every {timing.PULSE_SECONDS:g} s |",
        "| `_` | stays as it was |",
        "",
        "Drawings show the bar, then the suits (red, blue, yellow, green), then sun and moon. What is shown in turns",
        "has a drawing each. A sign takes turns with what stands on the panel (a meter, the seats), which is shown for",
        "longer. **Light n means n** while a question stands; what can't be chosen is dark.",
    ]
    for title, signs in (("A dozen signs, the same in every game", SIGNS), (BOX_TITLE, BOX_SIGNS)):
        lines += ["", f"## {title}", "", "| sign | looks like | tells |", "| --- | --- | --- |"]
        for sign in signs:
            drawings = "<br>".join(f"`{drawing}`" for drawing in sign.drawings)
            lines.append(f"| {sign.title} | {drawings} | {sign.meaning} |")
    for topic in TOPICS:
        lines += ["", f"## {topic}", "", "| pattern | drawing | meaning |", "| --- | --- | --- |"]
        lines += [
            f"| {one.name} | `{one.drawing}` | {one.meaning} |" for one in PATTERNS.values() if one.topic == topic
        ]
        for pattern in NUMBER_PATTERNS:
            if pattern.topic == topic:
                drawings = "<br>".join(f"`{pattern.draw(*example)}`" for example in pattern.examples)
                lines.append(f"| {pattern.name} | {drawings} | {pattern.meaning} |")
    lines += ["", "## Flourishes: short, and they end by themselves", ""]
    for flourish in FLOURISHES.values():
        lines += [f"**{flourish.name}** ({flourish.seconds:g} s). {flourish.meaning}", "", "```"]
        lines += [str(beat.layer) for beat in flourish.beats]
        lines += ["```", ""]
    lines += [
        "## Buttons",
        "",
        "| button | short | held |",
        "| --- | --- | --- |",
        "| ◀ ▶ | light the first or last option, then move | it runs; both for 5 s: safe shutdown |",
        "| ✔ | yes: takes what is lit or understood, nothing else | 1 s: what now? 2 s: an ending that was picked |",
        "| ✖ | back, one step; it never decides, ends or skips anything | 2 s: the menu |",
    ]
    return "\n".join(lines) + "\n"


def pins_section(outfit: Outfit) -> str:
    """The wires to the header as a table."""
    lines = ["| part | GPIO | header pin | connect |", "| --- | --- | --- | --- |"]
    rows = pin_rows(outfit)
    lines += [
        f"| {row.part} | {'–' if row.gpio is None else row.gpio} | {row.header_pin} | {row.note} |" for row in rows
    ]
    free = ", ".join(f"GPIO {pin}" for pin in outfit.free())
    return "\n".join([*lines, "", f"Free: {free}."])


def parts_section(rows: list[PartRow]) -> str:
    """A parts list as a table."""
    lines = ["| count | part | note |", "| --- | --- | --- |"]
    return "\n".join([*lines, *(f"| {row.count} | {row.part} | {row.note} |" for row in rows)])


SECTIONS: dict[str, Callable[[], str]] = {
    "box": lambda: parts_section(box_parts()),
    "parts": lambda: parts_section(parts_list(PLAIN_PANEL)),
    "pins": lambda: pins_section(PLAIN_PANEL),
    "easy parts": lambda: parts_section(parts_list(EASY_PANEL)),
    "easy pins": lambda: pins_section(EASY_PANEL),
}


def with_sections(page: str) -> str:
    """The wiring page with its made parts replaced."""
    for name, make in SECTIONS.items():
        text = make()
        begin, end = BEGIN.format(name=name), END.format(name=name)
        before, _, rest = page.partition(begin)
        _, _, after = rest.partition(end)
        page = f"{before}{begin}\n\n{text}\n\n{end}{after}"
    return page


def main() -> int:
    """Write everything; says what has changed."""
    wiring = DOCS / "wiring.md"
    made = {
        DOCS / "lights.md": lights_page(),
        wiring: with_sections(wiring.read_text()),
        DOCS / "images" / "wiring.svg": wiring_svg(PLAIN_PANEL),
        DOCS / "images" / "wiring-easy.svg": wiring_svg(EASY_PANEL),
    }
    for path, text in made.items():
        if not path.is_file() or path.read_text() != text:
            path.write_text(text)
            print(f"written: {path.relative_to(DOCS.parent)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
