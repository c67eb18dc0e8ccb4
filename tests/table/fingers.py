"""A box on a simulated panel, and fingers that reach any move with the four buttons alone."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from benchmarks.presses.fingers import Clock
from benchmarks.wiring import wired
from companion.demo.box_user import path_to
from companion.games.game import Move
from companion.journal import Journal
from companion.outputs.panel_frame import frame_of
from companion.play import History
from companion.session.session import Session
from companion.table.chooser import Chooser
from companion.table.sight import Sight
from hardware.animation_loop import LitPanel
from hardware.button_signals import HeldToEnd, Holding, LongPress, Press
from hardware.gpio import GpioPanel
from hardware.panel import Button, PanelFrame
from hardware.pinout import DEFAULT
from hardware.simulated import SimulatedPanel
from sounds.box import SoundBox, SoundSettings
from sounds.guard import SilenceGuard
from tests.hardware.rigs import clocked_pins


class BoxWithPanel:
    """What can be seen of a session and its panel."""

    box: Session
    panel: LitPanel

    @property
    def history(self) -> History:
        """The game so far."""
        running = self.box.shown.running
        assert running is not None
        return running.history

    @property
    def frame(self) -> PanelFrame:
        """What the panel shows."""
        return frame_of(self.box.shown, self.panel.parts.bar)


class Bench(BoxWithPanel):
    """A box, its panel in memory, its sound recorded, its journal on disk."""

    def __init__(self, folder: Path, seed: int = 1):
        self.clock = Clock()
        self.panel = self.made_panel()
        self.sound = SoundBox(SilenceGuard(), SoundSettings(backend="simulated", speech=False), folder / "speech")
        self.folder = folder
        self.seed = seed
        self.box = self.woken()

    def made_panel(self) -> LitPanel:
        """The panel; a kind of bench may have another."""
        return SimulatedPanel(clock=self.clock)

    def woken(self) -> Session:
        """The box after power on."""
        self.journal = Journal(self.folder / "hush.db")
        return self.joined(self.journal)

    def joined(self, journal: Journal | None) -> Session:
        """A session with the lights and the sound of this bench."""
        return wired(journal, self.clock, random.Random(self.seed), self.panel, self.sound)

    def power_cut(self) -> None:
        """The plug is pulled and put back: all that is left is what was on disk."""
        self.journal.close()
        self.box = self.woken()
        self.box.wake()

    def wait(self, seconds: float) -> None:
        """Let time pass; whatever is due by then is done, as by the loop that owns a box."""
        self.clock.now += seconds
        self.box.tick()
        while self.box.due is not None and self.box.due <= self.clock.now:
            self.box.tick()

    def see(self, sight: Sight) -> None:
        """Show the box a table, and let it think about it."""
        self.box.on_sight(sight)
        self.wait(1)

    def press(self, *buttons: Button) -> None:
        """Press buttons one after the other, as fast as a calm person."""
        for button in buttons:
            self.clock.now += 0.5
            self.box.on_signal(Press(button))

    def hold(self, button: Button) -> None:
        """Hold ✔ or ✖."""
        self.clock.now += 2.0
        self.box.on_signal(LongPress(button))

    def pick(self, wanted: Any) -> None:
        """Reach a value of the open chooser with ◀ ▶ ✔ and take it."""
        chooser = self.box.shown.chooser
        assert chooser is not None
        for index in path_to(chooser.nodes, wanted):
            chooser = self.box.shown.chooser
            assert chooser is not None
            steps = index - chooser.at
            self.press(*[Button.RIGHT if steps > 0 else Button.LEFT] * abs(steps))
            self.press(Button.CONFIRM)
        self.hold_confirm()

    def hold_confirm(self) -> None:
        """Hold ✔ where a hold is asked for."""
        if self.box.shown.hold is not None:
            self.clock.now += 2.0
            self.box.on_signal(Holding(Button.CONFIRM))
            self.box.on_signal(HeldToEnd(Button.CONFIRM))

    def make(self, move: Move) -> None:
        """Make a move with the buttons alone."""
        self.press(Button.RIGHT)
        chooser = self.box.shown.chooser
        assert isinstance(chooser, Chooser)
        self.pick(move)

    def close(self) -> None:
        self.panel.close()
        self.sound.close()


class PinBench(Bench):
    """The same on gpiozero's mock pins: buttons are lines pulled low, lamps are lines one can read."""

    def made_panel(self) -> LitPanel:
        self.pins = clocked_pins(self.clock)
        return GpioPanel(DEFAULT, self.pins, self.clock)

    def woken(self) -> Session:
        box = super().woken()
        self.panel.listen(box.on_signal)
        return box

    def touch(self, button: Button) -> None:
        """Pull a button's line to ground for a tenth of a second."""
        line = self.pins.pin(getattr(DEFAULT, button.value))
        for change in (line.drive_low, line.drive_high):
            change()
            self.clock.now += 0.1
            self.panel.step()

    def hold_down(self, button: Button) -> None:
        """Pull a button's line to ground for as long as the menu takes."""
        line = self.pins.pin(getattr(DEFAULT, button.value))
        line.drive_low()
        for _ in range(25):
            self.clock.now += 0.1
            self.panel.step()
        line.drive_high()
        self.clock.now += 0.1
        self.panel.step()

    def lit(self) -> dict[str, bool]:
        """Which lamps shine now, read from their lines."""
        self.panel.step()
        return {lamp: self.pins.pin(pin).state > 0 for lamp, pin in DEFAULT.lamps()}
