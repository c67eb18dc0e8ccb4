"""`companion bringup`: every light and button, tried with the person. `companion dark`: all lights off."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.catalogue import _, current
from companion.commands.panel.pins import PINS, chosen_pinout, explained
from companion.text import N_, Text

if TYPE_CHECKING:
    from hardware.bringup import Report
    from hardware.panel import Button
    from hardware.pinout import Pinout

SIMULATED = N_("On pins that exist only in memory: to see how it goes, on any computer.")


class Asker:
    """The person at the keyboard."""

    def presses(self, button: Button, request: Text) -> None:
        """Print what to do; the pins will tell whether it was done."""
        typer.echo(request.render(current.translate))

    def sees(self, question: Text) -> bool | None:
        """Yes, no, or passed over."""
        yes, no = _(N_("y")), _(N_("n"))
        answer = self.names(question, f" [{yes}/{no}/-]").strip().lower()
        return {yes: True, no: False}.get(answer[:1])

    def names(self, question: Text, hint: str = "") -> str:
        """A word from the person."""
        return str(typer.prompt(question.render(current.translate) + hint, default="", show_default=False)).strip()


class SimulatedAsker(Asker):
    """The person at the keyboard of a computer without pins: Enter presses the button."""

    def __init__(self, pins: Any, pinout: Pinout):
        self._pins = pins
        self._pinout = pinout

    def presses(self, button: Button, request: Text) -> None:
        """Press it once Enter comes, and let it go a moment later."""
        self.names(request, " [Enter]")
        pin = self._pins.pin(dict(self._pinout.buttons())[button])
        press, release = pin.drive_low, pin.drive_high
        if self._pinout.pressed_level == "high":
            press, release = release, press
        press()
        threading.Timer(0.2, release).start()


def mock_pins() -> Any:
    """Pins in memory."""
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    return MockFactory(pin_class=MockPWMPin)


def bringup(
    config: Annotated[Path | None, typer.Option("--config", help=_(PINS))] = None,
    simulated: Annotated[bool, typer.Option("--simulated", help=_(SIMULATED))] = False,
    report_file: Annotated[
        Path | None, typer.Option("--report", help=_(N_("Also write the report to this file, as JSON.")))
    ] = None,
) -> None:
    """Try every light and button together with you, and report what works."""
    import msgspec

    from hardware.bringup import walk
    from hardware.gpio import Board

    with explained():
        pinout = chosen_pinout(config)
        pins = mock_pins() if simulated else None
        board = Board(pinout, pins)
    try:
        typer.echo(_(N_("Each light comes on once; say what you see. y: yes, n: no, -: pass over.")))
        report = walk(board, SimulatedAsker(pins, pinout) if simulated else Asker())
    finally:
        board.close()
    if report_file is not None:
        report_file.write_bytes(msgspec.json.format(msgspec.json.encode(report)))
    show(report)
    if report.faults:
        raise typer.Exit(1)


def show(report: Report) -> None:
    """The wiring report as a table and a verdict."""
    from rich.console import Console
    from rich.table import Table

    from hardware.bringup import STANDINGS, Standing

    table = Table(title=_(N_("Wiring report")))
    for heading in (_(N_("part")), _(N_("GPIO")), _(N_("header pin")), _(N_("found"))):
        table.add_column(heading)
    for one in report.findings:
        found = _(STANDINGS[one.standing])
        if one.note is not None:
            found += f": {one.note.render(current.translate)}"
        table.add_row(one.name.render(current.translate), str(one.gpio), str(one.place), found)
    console = Console()
    console.print(table)
    unseen = sum(one.standing is Standing.EMITTED for one in report.findings)
    if report.faults:
        console.print(_(N_("Parts that need a hand: {count}."), count=len(report.faults)))
    elif report.is_proven:
        console.print(_(N_("Everything works.")))
    else:
        console.print(_(N_("No fault found; lights that nobody looked at: {count}."), count=unseen))


def dark(config: Annotated[Path | None, typer.Option("--config", help=_(PINS))] = None) -> None:
    """Turn every light off, for after a crash that left some on."""
    from hardware.gpio import Board

    with explained():
        Board(chosen_pinout(config)).close()


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command("bringup", help=_(N_("Try every light and button together with you, and report what works.")))(bringup)
    app.command("dark", help=_(N_("Turn every light off, for after a crash that left some on.")))(dark)
