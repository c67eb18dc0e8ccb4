"""`companion panel`: the light language on a panel, to walk through with its buttons."""

from __future__ import annotations

import itertools
import queue
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from companion.catalogue import _, current
from companion.commands.panel.pins import PINS, chosen_outfit, explained
from companion.console import tell
from companion.text import N_

if TYPE_CHECKING:
    from hardware.button_signals import Signal
    from hardware.display import Display
    from hardware.panel import Panel, PanelFrame


def panel(
    on: Annotated[Literal["terminal", "window", "pins"], typer.Option(help=_(N_("Where the panel is.")))] = "terminal",
    config: Annotated[Path | None, typer.Option("--config", help=_(PINS))] = None,
) -> None:
    """Show the light language on a panel: ◀ ▶ through the patterns, ✔ for a flourish, ✖ to leave."""
    from companion.commands.devices import missing, text_display
    from hardware.backends import open_panel
    from hardware.display import SilentDisplay

    heard: queue.Queue[Signal | None] = queue.Queue()
    with explained():
        outfit = chosen_outfit(config)
        opened = open_panel(on, outfit, current.translate, lambda: heard.put(None))
    display = text_display(outfit, opened) if on == "pins" else SilentDisplay()
    for notice in missing(opened):
        tell(current.say(notice), typer.colors.YELLOW)
    try:
        with opened:
            opened.listen(heard.put)
            walk(opened, heard, display)
    finally:
        display.close()


def pages() -> list[tuple[str, str, PanelFrame]]:
    """Every pattern of the light language: name, meaning, frame."""
    from hardware.lights import NUMBER_PATTERNS, PATTERNS
    from hardware.panel import DARK

    fixed = [(one.name, one.meaning, one.frame) for one in PATTERNS.values()]
    moving = [
        (one.name, one.meaning, one.draw(*example).over(DARK)) for one in NUMBER_PATTERNS for example in one.examples
    ]
    return fixed + moving


def walk(panel: Panel, heard: queue.Queue[Signal | None], display: Display | None = None) -> None:
    """Follow the buttons until ✖, a closed window or the chord; each pattern is told on the display, too."""
    from hardware.button_signals import Countdown, CountdownStopped, Press, Shutdown
    from hardware.flourishes import FLOURISHES
    from hardware.lights import countdown
    from hardware.panel import DARK, Button

    shown, flourishes = pages(), itertools.cycle(FLOURISHES.values())
    at = 0

    def show_page() -> None:
        name, meaning, frame = shown[at]
        panel.show(frame)
        caption(panel, f"{name}: {_(meaning)}", display)

    show_page()
    while True:
        match heard.get():
            case None | Press(Button.BACK) | Shutdown():
                return
            case Press(Button.LEFT | Button.RIGHT as button):
                at = (at + (1 if button is Button.RIGHT else -1)) % len(shown)
                show_page()
            case Press(Button.CONFIRM):
                flourish = next(flourishes)
                panel.flourish(flourish)
                caption(panel, _(flourish.meaning), display)
            case Countdown(left):
                panel.show(countdown(left).over(DARK))
            case CountdownStopped():
                show_page()
            case _:
                pass


def caption(panel: Panel, text: str, display: Display | None) -> None:
    """Words, where the panel has room for them."""
    from hardware.display import Message
    from hardware.terminal import TerminalPanel
    from hardware.window import WindowPanel

    if display is not None:
        display.write(Message((text,)))
    if isinstance(panel, TerminalPanel):
        panel.caption(text)
    elif isinstance(panel, WindowPanel):
        panel.show_table(None, text)


def register(app: typer.Typer) -> None:
    """Add the verb."""
    help_text = N_("Show the light language on a panel: ◀ ▶ through the patterns, ✔ for a flourish, ✖ to leave.")
    app.command("panel", help=_(help_text))(panel)
