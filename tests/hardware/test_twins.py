"""The twins as they really run: with their own threads, on a pseudo-terminal and on an offscreen window."""

from __future__ import annotations

import io
import os
import pty
import termios
import threading
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from hardware.animation_loop import LitPanel
from hardware.button_signals import Countdown, CountdownStopped, Holding, LetGo, LongPress, Press
from hardware.panel import ALL_PARTS, Button, PanelFrame, Parts
from hardware.panel_drawing import button_centre, lamp_centre
from hardware.simulated import SimulatedPanel
from hardware.terminal import TerminalPanel
from hardware.window import PANEL_TOP, TABLE_SIZE, NoScreen, WindowPanel
from tests.patience import PATIENCE, eventually, meanwhile

FRAME = PanelFrame.parse("#####.......... #..# .#")


def test_the_terminal_hears_keys_and_puts_the_terminal_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "hardware.button_signals.CHORD_SECONDS", 600
    )  # on a busy machine seconds pass before the next key
    keyboard, terminal = pty.openpty()
    stream = os.fdopen(terminal, "r")
    before = termios.tcgetattr(terminal)
    screen = io.StringIO()
    heard: list[object] = []
    console = Console(file=screen, force_terminal=True, width=100)
    with TerminalPanel(console=console, keys=stream, translate=lambda text: text.upper()) as panel:
        panel.listen(heard.append)
        panel.show(FRAME)
        panel.caption("Lay a card.")
        assert termios.tcgetattr(terminal) != before
        os.write(keyboard, b"\x1b[C\x1b[C d\x7f")
        eventually(lambda: len(heard) == 5)
        presses = sorted(str(one.button) for one in heard if isinstance(one, Press))
        assert presses == ["back", "confirm", "right", "right", "right"]
        os.write(keyboard, b"?")
        eventually(lambda: LongPress(Button.CONFIRM) in heard[5:])
        assert all(isinstance(one, LongPress | Holding | LetGo) for one in heard[5:])
        os.write(keyboard, b"s")
        eventually(lambda: Countdown(599) in heard)
        os.write(keyboard, b" ")
        eventually(lambda: heard[-1] == CountdownStopped())
        assert all(isinstance(one, Countdown) for one in heard[heard.index(Countdown(599)) : -1])
        text = screen.getvalue()
        assert "Lay a card." in text
        assert "YELLOW" in text, "labels are translated"
        assert "▲" in text
        assert "■" in text
    assert termios.tcgetattr(terminal) == before
    stream.close()
    os.close(keyboard)


def test_the_terminal_only_shows_where_no_keys_come_from() -> None:
    with Path("/dev/null").open() as nothing, TerminalPanel(console=quiet(), keys=nothing) as panel:
        panel.show(FRAME)
        assert panel._keyboard is None


def quiet() -> Console:
    return Console(file=io.StringIO(), force_terminal=True, width=100)


def test_a_still_terminal_writes_nothing() -> None:
    screen = io.StringIO()
    with TerminalPanel(console=Console(file=screen, force_terminal=True, width=100), keys=None) as panel:
        panel.show(FRAME)
        eventually(lambda: "█" in screen.getvalue())
        size = len(screen.getvalue())
        meanwhile(0.4)
        assert len(screen.getvalue()) == size


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> WindowPanel:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    return WindowPanel()


def test_the_window_draws_in_its_own_thread_and_shows_the_table(window: WindowPanel) -> None:
    import pygame

    heard: list[object] = []
    with window:
        window.listen(heard.append)
        window.show(FRAME)
        picture = np.zeros((100, 200, 3), np.uint8)
        picture[:, :, 1] = 200
        window.show_table(picture, "four cards")
        surface = window.surface
        assert surface is not None
        middle = (TABLE_SIZE[0] // 2, TABLE_SIZE[1] // 2)
        eventually(lambda: surface.get_at(middle)[:3] == (0, 200, 0))
        x, y = lamp_centre("bar1", ALL_PARTS)
        eventually(lambda: max(surface.get_at((round(x), round(y) + PANEL_TOP))[:3]) > 200)
        # Arrows know no long press, however late this thread lets go.
        x, y = button_centre(Button.RIGHT)
        spot = (round(x), round(y) + PANEL_TOP)
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=spot, button=1))
        eventually(lambda: is_down(window, Button.RIGHT))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=spot, button=1))
        eventually(lambda: heard == [Press(Button.RIGHT)])
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_LEFT))
        eventually(lambda: is_down(window, Button.LEFT))
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=pygame.K_LEFT))
        eventually(lambda: heard[1:] == [Press(Button.LEFT)])
        assert window.fault is None


def is_down(panel: LitPanel, button: Button) -> bool:
    """Whether a button is down for good, and no bounce any more."""
    return panel._buttons._contacts[button].is_down


def test_a_click_beside_the_buttons_is_nothing(window: WindowPanel) -> None:
    import pygame

    heard: list[object] = []
    with window:
        window.listen(heard.append)
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(5, 5), button=1))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(5, 5), button=1))
        # Events come in their order: with the key's press, the click's has had its turn.
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_LEFT))
        eventually(lambda: is_down(window, Button.LEFT))
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=pygame.K_LEFT))
        eventually(lambda: heard)
        assert heard == [Press(Button.LEFT)]


def test_closing_the_window_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    import pygame

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    closed = threading.Event()
    with WindowPanel(closed=closed.set):
        pygame.event.post(pygame.event.Event(pygame.QUIT))
        assert closed.wait(PATIENCE)


def test_without_a_screen_the_error_is_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "nonesuch")
    with pytest.raises(NoScreen, match="window can't be opened"):
        WindowPanel()


def test_a_window_of_a_small_panel_has_no_other_buttons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with WindowPanel(Parts(bar=10, lamps=("sun",), buttons=(Button.CONFIRM,)), clock=lambda: 0.0) as panel:
        panel.show(FRAME)
        panel.step()
        assert panel.surface is not None


def test_a_clockwork_that_fails_is_a_fault_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failures: list[int] = []
    monkeypatch.setattr("hardware.animation_loop.RESTART_SECONDS", 0.01)
    panel = SimulatedPanel()

    def step(self: LitPanel) -> float:
        failures.append(1)
        raise ZeroDivisionError("no time")

    try:
        with monkeypatch.context() as broken:
            broken.setattr(LitPanel, "step", step)
            panel.show(FRAME)
            eventually(lambda: len(failures) > 3)
        eventually(lambda: panel.lit["bar1"] == 1.0)
        assert "no time" in str(panel.fault)
        assert [str(record.exc_info[1]) for record in caplog.records if record.exc_info] == ["no time"]
    finally:
        panel.close()
