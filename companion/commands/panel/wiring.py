"""`companion wiring`: the pinout as a table and as a drawing, from the same data the panel uses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from companion.catalogue import _, current
from companion.commands.panel.pins import EASY, PINS, chosen_outfit, explained
from companion.text import N_, Text, Value

if TYPE_CHECKING:
    from rich.table import Table

    from hardware.outfit import Outfit


def wiring(
    config: Annotated[Path | None, typer.Option("--config", help=_(PINS))] = None,
    easy: Annotated[bool, typer.Option("--easy", help=_(EASY))] = False,
    svg: Annotated[Path | None, typer.Option(help=_(N_("Write the drawing here, as SVG.")))] = None,
    png: Annotated[Path | None, typer.Option(help=_(N_("Write the drawing here, as PNG.")))] = None,
    plate: Annotated[
        Path | None, typer.Option(help=_(N_("Write the front plate here, as PDF, to print at its true size.")))
    ] = None,
    paper: Annotated[Literal["a4", "letter"], typer.Option(help=_(N_("The plate's paper.")))] = "a4",
) -> None:
    """Print which part goes to which pin, and draw it."""
    from rich.console import Console

    from hardware.plate import write_plate
    from hardware.wiring_drawing import wiring_svg, write_wiring_png

    say = current.translate
    with explained():
        outfit = chosen_outfit(config, is_easy=easy)
    console = Console()
    for table in tables(outfit):
        console.print(table)
    for text in currents(outfit):
        console.print(current.say(text))
    if svg is not None:
        svg.write_text(wiring_svg(outfit, say), encoding="utf-8")
    if png is not None:
        write_wiring_png(outfit, png, say)
    if plate is not None:
        with explained():
            made = write_plate(outfit, plate, paper, say)
        width, height = made.size
        console.print(_(N_("The front plate is {width} by {height} mm."), width=f"{width:g}", height=f"{height:g}"))
    for path in (svg, png, plate):
        if path is not None:
            console.print(_(N_("Written: {path}"), path=path))


def tables(outfit: Outfit) -> Iterator[Table]:
    """Pins, the parts of the panel, and those of the whole box."""
    from rich.table import Table

    from hardware.wiring import box_parts, parts_list, pin_rows

    pins = Table(title=_(N_("Pins")))
    for heading in (_(N_("part")), _(N_("GPIO")), _(N_("header pin")), _(N_("connect"))):
        pins.add_column(heading)
    for row in pin_rows(outfit):
        gpio = "–" if row.gpio is None else str(row.gpio)
        pins.add_row(current.say(row.part), gpio, str(row.header_pin), current.say(row.note))
    yield pins
    for title, rows in ((N_("Parts of the panel"), parts_list(outfit)), (N_("Parts of the box"), box_parts())):
        parts = Table(title=_(title))
        for heading in (_(N_("count")), _(N_("part")), _(N_("note"))):
            parts.add_column(heading)
        for part in rows:
            parts.add_row(str(part.count), current.say(part.part), current.say(part.note))
        yield parts


def currents(outfit: Outfit) -> Iterator[Text]:
    """What the lights take, of what they may."""
    from hardware.pixels import budget
    from hardware.wiring import BUDGET_MA, milliamps

    if list(outfit.pinout.lamps()):
        said: dict[str, Value] = {"mA": f"{milliamps(outfit.pinout):g}", "most": f"{BUDGET_MA:g}"}
        yield Text(N_("All lights on take {mA} mA of {most} mA."), said)
    if outfit.strip.is_there:
        cost = budget(outfit.strip)
        said = {"mA": round(cost.total), "most": outfit.strip.milliamps, "share": round(cost.brightness * 100)}
        yield Text(N_("The whole strip on takes {mA} mA of {most} mA at 5 V, at {share} % of its light."), said)
        if cost.is_limited:
            yield Text(N_("That is less than its brightness asks for: the limit in [strip] milliamps dims it."))


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("wiring", help=_(N_("Print which part goes to which pin, and draw it.")))(wiring)
