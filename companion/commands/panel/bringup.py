"""`companion bringup`: every light and button, tried with the person. `companion dark`: all lights off."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.catalogue import _, current
from companion.commands.panel.pins import PINS, chosen_outfit, explained
from companion.console import tell
from companion.text import N_, Text

if TYPE_CHECKING:
    from hardware.bringup import PartFinding, WiringReport
    from hardware.outfit import DisplaySettings, Outfit
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

    from hardware.bringup import WiringReport

    with explained():
        outfit = chosen_outfit(config)
        findings, is_whole = tried(outfit, is_simulated=simulated)
    report = WiringReport(findings)
    if report_file is not None:
        report_file.write_bytes(msgspec.json.format(msgspec.json.encode(report)))
    show(report)
    if report.faults or not is_whole:
        raise typer.Exit(1)


def tried(outfit: Outfit, *, is_simulated: bool) -> tuple[tuple[PartFinding, ...], bool]:
    """Every part with the person: the strip, what hangs on pins, the display; and whether all could be tried.

    Raises `PanelError` if none could.
    """
    from hardware.bringup_buses import walk_display
    from hardware.errors import PanelError

    pins = mock_pins() if is_simulated else None
    person = SimulatedAsker(pins, outfit.pinout) if is_simulated else Asker()
    typer.echo(_(N_("Each light comes on once; say what you see. y: yes, n: no, -: pass over.")))
    found: tuple[PartFinding, ...] = ()
    untried: list[PanelError] = []
    for is_there, walk in ((outfit.strip.is_there, try_strip), (outfit.has_pins, try_pins)):
        if is_there:
            try:
                found += walk(outfit, person, pins)
            except PanelError as error:
                untried.append(error)
    if outfit.display.is_there and is_simulated:
        found += (walk_display(outfit.display, person, no_glass, lambda number: typer.echo(f"[ {number} ]")),)
    elif outfit.display.is_there:
        found += (walk_display(outfit.display, person),)
    if untried and not found:
        raise untried[0]
    for problem in untried:
        tell(current.say(problem.notice), typer.colors.YELLOW)
    return found, not untried


def try_strip(outfit: Outfit, person: Asker, pins: Any) -> tuple[PartFinding, ...]:
    """Every pixel; pins in memory mean that there is no strip either."""
    from hardware.bringup_buses import walk_strip
    from hardware.strip import open_bus

    bus = open_bus(outfit.strip.device) if pins is None else NoBus()
    try:
        return walk_strip(outfit.strip, bus, person)
    finally:
        bus.close()


def try_pins(outfit: Outfit, person: Asker, pins: Any) -> tuple[PartFinding, ...]:
    """Every lamp and button on a pin."""
    from hardware.bringup import walk
    from hardware.gpio import Board

    board = Board(outfit.pinout, pins)
    try:
        return walk(board, person).findings
    finally:
        board.close()


class NoBus:
    """A bus with nothing at its end."""

    def writebytes2(self, data: bytes) -> None:
        """Nobody listens."""

    def close(self) -> None:
        """Nothing to close."""


def no_glass(settings: DisplaySettings) -> Any:
    """Luma's own display in memory."""
    from luma.core.device import dummy

    width, height = settings.pixels
    return dummy(width=width, height=height, mode="1")


def show(report: WiringReport) -> None:
    """The wiring report as a table and a verdict."""
    from rich.console import Console
    from rich.table import Table

    from hardware.bringup import STANDINGS, UNSEEN

    table = Table(title=_(N_("Wiring report")))
    for heading in (_(N_("part")), _(N_("GPIO")), _(N_("header pin")), _(N_("found"))):
        table.add_column(heading)
    for one in report.findings:
        found = _(STANDINGS[one.standing])
        if one.note is not None:
            found += f": {one.note.render(current.translate)}"
        table.add_row(one.name.render(current.translate), str(one.gpio), str(one.header_pin), found)
    console = Console()
    console.print(table)
    unseen = sum(one.standing in UNSEEN for one in report.findings)
    if report.faults:
        console.print(_(N_("Parts that need a hand: {count}."), count=len(report.faults)))
    elif report.is_proven:
        console.print(_(N_("Everything works.")))
    else:
        console.print(_(N_("No fault found; lights that nobody looked at: {count}."), count=unseen))


def dark(config: Annotated[Path | None, typer.Option("--config", help=_(PINS))] = None) -> None:
    """Turn every light off, for after a crash that left some on."""
    from hardware.backends import open_parts
    from hardware.oled import open_device

    with explained():
        outfit = chosen_outfit(config)
        open_parts(outfit).close()
    if outfit.display.is_there:
        # One that isn't there shows nothing either.
        with contextlib.suppress(Exception):
            open_device(outfit.display).hide()


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command("bringup", help=_(N_("Try every light and button together with you, and report what works.")))(bringup)
    app.command("dark", help=_(N_("Turn every light off, for after a crash that left some on.")))(dark)
