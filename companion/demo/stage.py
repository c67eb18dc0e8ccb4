"""The demo on a terminal: the table as a picture, the panel beside it, and below what people do and the box says.

A thread of its own keeps the lamps alive while the eye is busy; only lines that have changed are written.
"""

from __future__ import annotations

import threading
from collections import deque
from types import TracebackType
from typing import Self

from msgspec import Struct
from rich.console import Console, Group, RenderableType
from rich.panel import Panel as Frame
from rich.segment import Segment
from rich.table import Table
from rich.text import Text as RichText

from companion.catalogue import _
from companion.demo.terminal_picture import CameraView, Label, beside, in_characters
from companion.text import N_
from hardware.panel import BAR, SKY, SUITS, Button
from hardware.panel_drawing import COLOURS
from hardware.simulated import SimulatedPanel
from hardware.terminal import GLYPHS, shade

SMALLEST = (72, 20)
ASIDE = 34
"""Columns for the panel beside the picture."""
NUMBERED = (1, 5, 10, 15)
REDRAW_SECONDS = 0.1
PRESSED_SECONDS = 0.35
"""Seconds between two pictures of the lamps, and for which a pressed button is shown."""
INDENT, RECENT = 4, 2
"""Columns before what is told, and how many of the last things told aren't dim."""
STYLES = {"hand": "bold", "mistake": "bold yellow", "refused": "bold red", "": "dim"}
SIGNS = {"hand": "☞  ", "mistake": "✎  ", "refused": "   ", "": "   "}


class Scenery(Struct, frozen=True):
    """What is to be seen of the table: its picture and the labels on it."""

    view: CameraView
    labels: tuple[Label, ...] = ()


class DrawnTable(Struct, frozen=True):
    """The table in characters, kept as long as it stays the same."""

    scenery: Scenery | None = None
    columns: int = 0
    lines: list[list[Segment]] = []


class Stage:
    """Draws until it's closed. `title` is shown above everything."""

    def __init__(self, console: Console, panel: SimulatedPanel, title: str):
        self.title = title
        self.sign = ""
        self.question = ""
        self.foot = ""
        self._console, self._panel = console, panel
        self.scenery: Scenery | None = None
        self._lines: deque[tuple[str, str]] = deque(maxlen=40)
        self._pressed: tuple[Button, int] | None = None
        self._drawing = DrawnTable()
        self._shown: list[list[Segment]] = []
        self._ended = threading.Event()
        self._screen = console.screen(hide_cursor=True)
        self._thread = threading.Thread(target=self._run, name="stage", daemon=True)

    @staticmethod
    def fits(console: Console) -> bool:
        """Whether a terminal is one that can be drawn on."""
        return (
            console.is_terminal
            and not console.is_dumb_terminal
            and console.encoding.startswith("utf")
            and console.width >= SMALLEST[0]
            and console.height >= SMALLEST[1]
        )

    def __enter__(self) -> Self:
        self._screen.__enter__()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join(timeout=2)
        self._screen.__exit__(kind, error, trace)

    def say(self, text: str, kind: str = "") -> None:
        """Another line of what happens."""
        self._lines.append((kind, text))

    def press(self, button: Button) -> None:
        """A button is down for a moment."""
        self._pressed = button, round(PRESSED_SECONDS / REDRAW_SECONDS)

    # Drawing

    def _run(self) -> None:
        while not self._ended.is_set():
            self.draw()
            self._ended.wait(REDRAW_SECONDS)

    def draw(self) -> None:
        """Write what has changed since the last time."""
        width, height = self._console.size
        lines = self.lines(width, height)
        is_other_size = len(lines) != len(self._shown)
        for row, line in enumerate(lines):
            if is_other_size or line != self._shown[row]:
                self._console.update_screen_lines([line], 0, row)
        self._shown = lines

    def lines(self, width: int, height: int) -> list[list[Segment]]:
        """The whole screen."""
        log_rows = max(6, height // 4)
        rows = height - log_rows - 3
        columns = width - ASIDE - 2
        table = self._table(columns, rows)
        aside = self._render(self._aside(), ASIDE, rows)
        head = self._render(RichText(f" {self.title}", style="bold", no_wrap=True, overflow="ellipsis"), width, 1)
        log = self._render(self._log(log_rows, width), width, log_rows)
        foot = self._render(RichText(f" {self.foot}", style="dim"), width, 1)
        return [*head, *beside(table, aside), *self._render("", width, 1), *log, *foot]

    def _render(self, what: RenderableType, width: int, rows: int) -> list[list[Segment]]:
        options = self._console.options.update(width=width, height=None)
        lines = self._console.render_lines(what, options, pad=True)[:rows]
        blank = [Segment(" " * width)]
        return [*lines, *[blank] * (rows - len(lines))]

    def _table(self, columns: int, rows: int) -> list[list[Segment]]:
        if self.scenery is None:
            wait = RichText(_(N_("The cards are taken out of their box …")), style="dim", justify="center")
            return self._render(Group("", "", wait), columns, rows)
        scenery, drawing = self.scenery, self._drawing
        if drawing.scenery is not scenery or (len(drawing.lines), drawing.columns) != (rows, columns):
            has_colour = self._console.color_system is not None and not self._console.no_color
            lines = in_characters(scenery.view, scenery.labels, columns, rows, has_colour)
            self._drawing = DrawnTable(scenery, columns, lines)
        return self._drawing.lines

    def _aside(self) -> RenderableType:
        says = Group(
            RichText(self.sign, style="bold bright_white", no_wrap=True, overflow="ellipsis"),
            RichText(self.question, style="cyan"),
        )
        box = Frame(
            Group(self._bar(), "", self._lamps(), "", self._buttons()),
            title=_(N_("the box")),
            border_style="grey50",
            padding=(0, 0),
            width=ASIDE - 1,
        )
        return Group(box, "", says)

    def _bar(self) -> RenderableType:
        levels = [self._panel.lit.get(f"bar{place}", 0.0) for place in range(1, BAR + 1)]
        lamps = RichText(" ")
        for level in levels:
            lamps.append(GLYPHS["bar"][shade(level)], style=self._lit("bar", level))
            lamps.append(" ")
        numbers = RichText(
            " " + "".join(f"{place if place in NUMBERED else '':<2}" for place in range(1, BAR + 1)), "grey50"
        )
        return Group(lamps, numbers)

    def _lamps(self) -> RichText:
        line = RichText("  ")
        for lamp in (*SUITS, *SKY):
            level = self._panel.lit.get(lamp, 0.0)
            line.append(GLYPHS[lamp][shade(level) or 1], style=self._lit(lamp, level))
            line.append("      " if lamp == SUITS[-1] else "   ")
        return line

    def _lit(self, lamp: str, level: float) -> str:
        colour = COLOURS.get(lamp, COLOURS["bar"])
        seen = level**0.5
        parts = (round(0x30 + (int(colour[at : at + 2], 16) - 0x30) * seen) for at in (1, 3, 5))
        return f"{'bold ' if level > 0.5 else ''}#{''.join(f'{part:02x}' for part in parts)}"

    def _buttons(self) -> Table:
        grid = Table.grid(padding=(0, 2), pad_edge=True)
        down = self._pressed
        if down is not None:
            self._pressed = (down[0], down[1] - 1) if down[1] > 0 else None
        styles = ["reverse bold" if down is not None and down[0] is button else "grey70" for button in Button]
        grid.add_row(*(RichText(f" {one.symbol} ", style=style) for one, style in zip(Button, styles, strict=True)))
        return grid

    def _log(self, rows: int, width: int) -> RenderableType:
        told = list(self._lines)[-rows:]
        wrapped: list[RichText] = []
        for number, (kind, text) in enumerate(told):
            style = STYLES[kind] if number >= len(told) - RECENT else "dim"
            first, *more = RichText(text, style=style).wrap(self._console, width - INDENT)
            wrapped += [
                RichText(f" {SIGNS[kind]}", style=style) + first,
                *(RichText(" " * INDENT) + one for one in more),
            ]
        return Group(*wrapped[-rows:])
