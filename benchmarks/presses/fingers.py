"""Fingers on the four buttons of a session: calm, by the fewest presses, and counted.

A held arrow that runs counts two presses, a hold one.
"""

from __future__ import annotations

import time
from typing import Any

from companion.demo.box_user import CALM_SECONDS
from companion.games.game import Move
from companion.session.session import Session
from companion.session.situation import Running
from companion.table.chooser import Node, first_gestures_to
from hardware.button_signals import HeldToEnd, Holding, Press, Run
from hardware.panel import Button


class Clock:
    """Time that passes only when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """The time now."""
        return self.now


class Fingers:
    """Somebody at the buttons; `count` are the presses so far."""

    def __init__(self, session: Session, clock: Clock):
        self.session = session
        self.count = 0
        self._clock = clock

    @property
    def running(self) -> Running:
        """The game that runs."""
        running = self.session.shown.running
        assert running is not None
        return running

    def wait(self, seconds: float) -> None:
        """Let time pass, for the box too."""
        self._clock.now += seconds
        started = time.perf_counter()
        self.session.tick()
        while self.session.due is not None and self.session.due <= self._clock.now:
            self.session.tick()
            if time.perf_counter() - started > 5:
                break

    def press(self, *buttons: Button) -> None:
        """Press buttons, calmly."""
        for button in buttons:
            self.wait(CALM_SECONDS)
            self.count += 1
            self.session.on_signal(Press(button))

    def pick(self, wanted: Move) -> int:
        """Reach a move with ◀ ▶ ✔ alone, past whatever the box proposes; how many presses it took."""
        before = self.count
        for _ in range(6):
            shown = self.session.shown
            if shown.doubt is None and not shown.proposal.explanations and shown.complaint is None:
                break
            self.press(Button.BACK)
        self.pick_in_chooser(wanted, self.running.host.options(self.running.public_state))
        return self.count - before

    def pick_in_chooser(self, wanted: Any, nodes: tuple[Node, ...]) -> None:
        """Open the chooser if it's closed, at its nearer end, go to a value and take it; hold what ends a game."""
        chooser = self.session.shown.chooser
        way = first_gestures_to(nodes, wanted) if chooser is None else chooser.gestures_to(wanted)
        assert way, f"{wanted} can't be picked"
        for finger in way:
            self.wait(CALM_SECONDS)
            if finger.button is Button.CONFIRM and self._is_lit_and_held(wanted):
                self._keep_down()
                return
            self.count += finger.presses
            if finger.is_run:
                self._run(finger.button, wanted, nodes)
            else:
                self.session.on_signal(Press(finger.button))
        self.hold_confirm()

    def _run(self, button: Button, wanted: Any, nodes: tuple[Node, ...]) -> None:
        """Hold an arrow until the option that leads on is under the light."""
        for _ in range(len(nodes) + 60):
            chooser = self.session.shown.chooser
            if chooser is not None and chooser.gestures_to(wanted)[0].button is Button.CONFIRM:
                return
            self.session.on_signal(Run(button))

    def _is_lit_and_held(self, wanted: Any) -> bool:
        """Whether an option that takes a hold is under the light already: one long ✔ takes it.

        An answer to what explanations differ in is taken first, and then what is left is held.
        """
        if self.session.shown.proposal.asked:
            return False
        chooser, running = self.session.shown.chooser, self.running
        is_lit = chooser is not None and not chooser.chosen.branches and chooser.chosen.value == wanted
        return is_lit and isinstance(wanted, Move) and running.host.takes_hold(running.public_state, (wanted,))

    def hold_confirm(self) -> None:
        """Hold ✔ where a hold is asked for."""
        if self.session.shown.hold is not None:
            self.wait(CALM_SECONDS)
            self._keep_down()

    def _keep_down(self) -> None:
        self.count += 1
        self.session.on_signal(Holding(Button.CONFIRM))
        self.wait(2.0)
        self.session.on_signal(HeldToEnd(Button.CONFIRM))
