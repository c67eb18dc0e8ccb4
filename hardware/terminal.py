"""The terminal twin: the panel in a text console, also over ssh. Keys act as buttons.

Every lamp has a letter for off, dim and on, so it reads the same without colours.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import sys
import threading
from collections.abc import Callable
from typing import TextIO

from rich.align import Align
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel as Box
from rich.table import Table
from rich.text import Text

from companion.text import N_
from hardware.animation_loop import LitPanel
from hardware.button_signals import END_HOLD_SECONDS, LONG_PRESS_SECONDS
from hardware.display import BLANK, Display, Message
from hardware.lights_out import lights_out_at_exit
from hardware.panel import ALL_PARTS, SKY, SUITS, Button, Parts

log = logging.getLogger(__name__)

GLYPHS = {
    "bar": ("·", "▒", "█"),
    "red": ("·", "△", "▲"),
    "blue": ("·", "○", "●"),
    "yellow": ("·", "☆", "★"),
    "green": ("·", "□", "■"),
    "sun": ("·", "☼", "☀"),
    "moon": ("·", "☽", "☾"),
}
STYLES = {
    "red": "red",
    "blue": "blue",
    "yellow": "yellow",
    "green": "green",
    "sun": "white",
    "moon": "magenta",
}
LABELS = {
    "red": N_("red"),
    "blue": N_("blue"),
    "yellow": N_("yellow"),
    "green": N_("green"),
    "sun": N_("sun"),
    "moon": N_("moon"),
}
KEYS = {
    b"\x1b[D": Button.LEFT, b"\x1bOD": Button.LEFT, b"a": Button.LEFT,
    b"\x1b[C": Button.RIGHT, b"\x1bOC": Button.RIGHT, b"d": Button.RIGHT,
    b"\r": Button.CONFIRM, b"\n": Button.CONFIRM, b" ": Button.CONFIRM,
    b"\x7f": Button.BACK, b"\x08": Button.BACK, b"x": Button.BACK,
}  # fmt: skip
LONG_KEYS = {
    b"?": (Button.CONFIRM, LONG_PRESS_SECONDS[Button.CONFIRM]),
    b"m": (Button.BACK, LONG_PRESS_SECONDS[Button.BACK]),
    b"h": (Button.CONFIRM, END_HOLD_SECONDS),
}
CHORD_KEY = b"s"
# A terminal over ssh has 80 columns.
COLUMNS = 78
HELP = N_("← → or a d: ◀ ▶   Enter: ✔   Backspace or x: ✖   ?: long ✔   h: ✔ for 2 s   m: long ✖   s: hold ◀+▶")


def shade(level: float) -> int:
    """0 for off, 1 for dim, 2 for on."""
    return 0 if level == 0 else 1 if level < 0.5 else 2


class TerminalPanel(LitPanel):
    """The panel in a terminal. `keys` is where keys come from; None: the panel only shows."""

    def __init__(
        self,
        parts: Parts = ALL_PARTS,
        clock: Callable[[], float] | None = None,
        console: Console | None = None,
        keys: TextIO | None = sys.stdin,
        translate: Callable[[str], str] = str,
    ):
        super().__init__(parts, clock)
        self._translate = translate
        self._caption = ""
        self._shades: dict[str, int] = {}
        self._is_holding = False
        self._live = Live(console=console or Console(), auto_refresh=False, transient=False)
        self._live.start()
        self._keyboard = Keyboard(keys, self.key) if keys is not None and keys.isatty() else None
        lights_out_at_exit(self)
        self.start()

    def caption(self, text: str) -> None:
        """Lines of text below the lamps."""
        if text == self._caption or self._closed:
            return
        self._caption = text
        self._live.update(self.drawn_panel(self._shades), refresh=True)

    def key(self, key: bytes) -> None:
        """A key was struck. Terminals don't tell when it's let go, so each stands for a whole press."""
        if self._is_holding:
            self._is_holding = False
            self.contact(Button.LEFT, False)
            self.contact(Button.RIGHT, False)
        elif key == CHORD_KEY:
            self._is_holding = True
            self.contact(Button.LEFT, True)
            self.contact(Button.RIGHT, True)
        elif key in LONG_KEYS:
            button, seconds = LONG_KEYS[key]
            self.tap(button, seconds + 0.1)
        elif key in KEYS:
            self.tap(KEYS[key])

    def drawn_panel(self, shades: dict[str, int]) -> RenderableType:
        """The panel as rich draws it."""
        rows: list[RenderableType] = []
        if self.parts.bar:
            rows += [Align.center(self._bar(shades)), Text()]
        if self.parts.lamps:
            rows += [Align.center(self._lamps(shades)), Text()]
        if self.parts.buttons:
            buttons = "   ".join(f"[ {button.symbol} ]" for button in self.parts.buttons)
            rows.append(Align.center(Text(buttons, "bold")))
        if self._caption:
            rows += [Text(), Text(self._caption, justify="center")]
        if self._keyboard is not None:
            # A line may break between two keys, not inside one.
            keys = self._translate(HELP).split("   ")
            help_text = "   ".join(key.replace(" ", "\N{NO-BREAK SPACE}") for key in keys)
            rows += [Text(), Text(help_text, "dim", justify="center")]
        return Box(Group(*rows), title="Hush", width=COLUMNS)

    def _bar(self, shades: dict[str, int]) -> Table:
        grid = Table.grid(padding=(0, 1))
        places = range(1, self.parts.bar + 1)
        glyphs = [shades.get(f"bar{place}", 0) for place in places]
        grid.add_row(*(Text(GLYPHS["bar"][one] * 2, _style("bright_white", one)) for one in glyphs))
        grid.add_row(*(Text(f"{place:2}", "dim") for place in places))
        return grid

    def _lamps(self, shades: dict[str, int]) -> Table:
        grid = Table.grid(padding=(0, 2))
        lamps = [lamp for lamp in SUITS + SKY if lamp in self.parts.lamps]
        for _ in lamps:
            grid.add_column(justify="center")
        grid.add_row(
            *(Text(GLYPHS[lamp][shades.get(lamp, 0)], _style(STYLES[lamp], shades.get(lamp, 0))) for lamp in lamps)
        )
        grid.add_row(*(Text(self._translate(LABELS[lamp]), "dim") for lamp in lamps))
        return grid

    def _draw(self, bright: dict[str, float]) -> None:
        shades = {lamp: shade(level) for lamp, level in bright.items()}
        if shades != self._shades:
            self._shades = shades
            self._live.update(self.drawn_panel(shades), refresh=True)

    def _leave(self) -> None:
        self._draw(dict.fromkeys(self.parts.names(), 0.0))
        self._live.stop()
        if self._keyboard is not None:
            self._keyboard.close()


class TerminalDisplay(Display):
    """The text line of the terminal twin: below the lamps, all of it at once."""

    def __init__(self, panel: TerminalPanel):
        self._panel = panel

    def write(self, message: Message) -> None:
        """Show a message."""
        self._panel.caption(str(message))

    def wake(self) -> None:
        """A terminal doesn't dim."""

    def close(self, last: Message = BLANK) -> None:
        """The panel closes the terminal."""


def _style(colour: str, shade: int) -> str:
    return ("dim", colour, f"bold {colour}")[shade]


class Keyboard:
    """Reads single keys from a terminal in a thread, and puts the terminal back as it was."""

    def __init__(self, stream: TextIO, struck: Callable[[bytes], None]):
        import termios
        import tty

        self._stream = stream
        self._file = stream.fileno()
        self._before = termios.tcgetattr(self._file)
        tty.setcbreak(self._file)
        self._struck = struck
        self._stop_read, self._stop_write = os.pipe()
        self._thread = threading.Thread(target=self._read, name="keyboard", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while True:
            ready, _, _ = select.select([self._file, self._stop_read], [], [])
            if self._stop_read in ready:
                return
            try:
                text = os.read(self._file, 64)
            except OSError as error:
                # The terminal is gone, as after a broken ssh connection: the box goes on without keys.
                log.warning("keyboard: %s", error)
                return
            if not text:
                return
            for key in split_keys(text):
                try:
                    self._struck(key)
                except Exception:
                    # One key that fails must not take the others away.
                    log.exception("keyboard")

    def close(self) -> None:
        """Give the terminal back."""
        import termios

        os.write(self._stop_write, b".")
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=2)
        os.close(self._stop_read)
        os.close(self._stop_write)
        # The terminal may be gone by now, as after a broken ssh connection.
        with contextlib.suppress(termios.error):
            termios.tcsetattr(self._file, termios.TCSADRAIN, self._before)


def split_keys(text: bytes) -> list[bytes]:
    r"""Single keys out of what the terminal sent at once.

    >>> split_keys(b"a\x1b[C?")
    [b'a', b'\x1b[C', b'?']
    """
    keys = []
    while text:
        length = 3 if text[:2] in (b"\x1b[", b"\x1bO") else 1
        keys.append(text[:length])
        text = text[length:]
    return keys
