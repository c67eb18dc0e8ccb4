"""`python -m hardware.guide`: makes docs/lights.md and parts of docs/wiring.md from the code's data."""

from __future__ import annotations

import sys
from pathlib import Path

from hardware import timing
from hardware.flourishes import FLOURISHES
from hardware.lights import GAUGES, PATTERNS, TOPICS
from hardware.panel import SHAPES, SUITS
from hardware.pinout import DEFAULT
from hardware.signs import BOX_SIGNS, SIGNS
from hardware.wiring import parts_list, pin_rows, wiring_svg

DOCS = Path(__file__).resolve().parent.parent / "docs"
BOX_TITLE = "The box itself: all four suits are lit as well"
BEGIN, END = "<!-- made by python -m hardware.guide: {name} -->", "<!-- end: {name} -->"


def lights_page() -> str:
    """The light language as a page for players."""
    shapes = ", ".join(f"{suit} {SHAPES[suit]}" for suit in SUITS)
    lines = [
        "# The light language",
        "",
        "Made by `python -m hardware.guide` from `signs.py`, `lights.py` and `flourishes.py` in `hardware/`.",
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
        f"| `o` | blinks slowly, every {timing.SLOW:g} s |",
        f"| `*` | blinks fast, every {timing.FAST:g} s |",
        f"| `~` | pulses, every {timing.PULSE:g} s |",
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
        for gauge in GAUGES:
            if gauge.topic == topic:
                drawings = "<br>".join(f"`{gauge.draw(*example)}`" for example in gauge.examples)
                lines.append(f"| {gauge.name} | {drawings} | {gauge.meaning} |")
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


def pins_section() -> str:
    """The default pins as a table."""
    lines = ["| part | GPIO | header pin |", "| --- | --- | --- |"]
    lines += [f"| {row.part} | {row.gpio} | {row.place} |" for row in pin_rows(DEFAULT)]
    free = ", ".join(f"GPIO {pin}" for pin in DEFAULT.free())
    return "\n".join([*lines, "", f"Free: {free}."])


def parts_section() -> str:
    """The parts list as a table."""
    rows = parts_list(DEFAULT)
    lines = ["| count | part | note |", "| --- | --- | --- |"]
    return "\n".join([*lines, *(f"| {row.count} | {row.part} | {row.note} |" for row in rows)])


def with_sections(page: str) -> str:
    """The wiring page with its made parts replaced."""
    for name, text in (("pins", pins_section()), ("parts", parts_section())):
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
        DOCS / "images" / "wiring.svg": wiring_svg(DEFAULT),
    }
    for path, text in made.items():
        if not path.is_file() or path.read_text() != text:
            path.write_text(text)
            print(f"written: {path.relative_to(DOCS.parent)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
