"""`companion wiring`: the pinout as a table and as a drawing, from the same data the panel uses."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.catalogue import _, current
from companion.commands.panel.pins import PINS, chosen_pinout, explained
from companion.text import N_


def wiring(
    config: Annotated[Path | None, typer.Option("--config", help=_(PINS))] = None,
    svg: Annotated[Path | None, typer.Option(help=_(N_("Write the drawing here, as SVG.")))] = None,
    png: Annotated[Path | None, typer.Option(help=_(N_("Write the drawing here, as PNG.")))] = None,
) -> None:
    """Print which part goes to which pin, and draw it."""
    from rich.console import Console
    from rich.table import Table

    from hardware.wiring import BUDGET_MA, milliamps, parts_list, pin_rows, wiring_svg, write_wiring_png

    say = current.translate
    with explained():
        pinout = chosen_pinout(config)
    pins = Table(title=_(N_("Pins")))
    for heading in (_(N_("part")), _(N_("GPIO")), _(N_("header pin")), _(N_("connect"))):
        pins.add_column(heading)
    for row in pin_rows(pinout):
        pins.add_row(row.part.render(say), str(row.gpio), str(row.place), row.note.render(say))
    parts = Table(title=_(N_("Parts")))
    for heading in (_(N_("count")), _(N_("part")), _(N_("note"))):
        parts.add_column(heading)
    for part in parts_list(pinout):
        parts.add_row(str(part.count), part.part.render(say), part.note.render(say))
    console = Console()
    console.print(pins, parts)
    current_ma = milliamps(pinout)
    console.print(_(N_("All lights on take {mA} mA of {most} mA."), mA=f"{current_ma:g}", most=f"{BUDGET_MA:g}"))
    if svg is not None:
        svg.write_text(wiring_svg(pinout, say), encoding="utf-8")
    if png is not None:
        write_wiring_png(pinout, png, say)
    for path in (svg, png):
        if path is not None:
            console.print(_(N_("Written: {path}"), path=path))


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("wiring", help=_(N_("Print which part goes to which pin, and draw it.")))(wiring)
