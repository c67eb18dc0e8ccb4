"""The real adapter on gpiozero's own mock pins, with the history of every pin for every pattern."""

from __future__ import annotations

import itertools
import math
import os
import random
import threading
from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from msgspec.structs import replace

from hardware.button_signals import Press, Run
from hardware.flourishes import FLOURISHES
from hardware.gpio import Board, GpioPanel, NoPins, pi_pins
from hardware.lights import NUMBER_PATTERNS, PATTERNS
from hardware.panel import ALL_PARTS, BAR, DARK, Button, Glow, PanelFrame
from hardware.pinout import DEFAULT, Pinout
from hardware.timing import DIM_LEVEL
from tests.hardware.rigs import GpioRig, active_low
from tests.patience import eventually, meanwhile


def history(rig: GpioRig, lamp: str) -> list[float]:
    """The levels a lamp's pin went through, its first one included."""
    pin = rig.pins.pin(dict(rig.pinout.lamps())[lamp])
    return [float(state.state) for state in pin.states]


def forget(rig: GpioRig) -> None:
    for _, number in rig.pinout.lamps():
        rig.pins.pin(number).clear_states()


@pytest.fixture
def rig() -> Iterator[GpioRig]:
    rig = GpioRig()
    rig.wait(0)
    forget(rig)
    yield rig
    rig.close()


# A pulse on its way up, in steps of 50 ms: even to the eye, so slow while it's dark.
PULSE = [
    0.047, 0.049, 0.053, 0.06, 0.07, 0.085, 0.104, 0.128, 0.158, 0.195, 0.238, 0.287, 0.343,
    0.404, 0.47, 0.538, 0.608, 0.676, 0.742, 0.802, 0.855, 0.898, 0.93, 0.95, 0.957,
]  # fmt: skip
# What each glow does to a pin in 2.4 s from time 0: levels, without repeats.
HISTORIES = {
    Glow.OFF: [0],
    Glow.ON: [0, 1],
    Glow.DIM: [0, DIM_LEVEL],
    Glow.SLOW: [0, 1, 0, 1, 0],
    Glow.FAST: [0] + [1, 0] * 6,
}


@pytest.mark.parametrize("glow", HISTORIES)
@pytest.mark.parametrize("lamp", ["bar1", "bar15", "red", "moon"])
def test_the_history_of_each_glow(rig: GpioRig, glow: Glow, lamp: str) -> None:
    rig.panel.show(PanelFrame((glow,) * BAR, (glow,) * 4, (glow,) * 2))
    rig.wait(2.399)
    assert history(rig, lamp) == HISTORIES[glow]


def test_the_history_of_a_pulse(rig: GpioRig) -> None:
    rig.panel.show(PanelFrame.parse("~.............. .... .."))
    rig.wait(1.2)
    seen = history(rig, "bar1")
    up = [level for i, level in enumerate(PULSE) if i == 0 or level != PULSE[i - 1]]
    assert seen[0] == 0
    assert seen[1:] == pytest.approx(up, abs=0.011)
    rig.wait(1.2)
    assert history(rig, "bar1")[len(seen) :] == pytest.approx(up[-2::-1], abs=0.011)


FRAMES = {name: one.frame for name, one in PATTERNS.items()} | {
    f"{one.name}{example}": one.draw(*example).over(DARK) for one in NUMBER_PATTERNS for example in one.examples
}


@pytest.mark.parametrize("name", FRAMES)
def test_every_pattern_of_the_light_language_on_every_pin(rig: GpioRig, name: str) -> None:
    frame = FRAMES[name]
    rig.panel.show(frame)
    rig.wait(2.399)
    for lamp in ALL_PARTS.names():
        glow, seen = frame.glow(lamp), history(rig, lamp)
        if glow is Glow.PULSE:
            assert len(seen) > 30
            assert all(0.04 <= level <= 0.96 for level in seen[1:])
        else:
            assert seen == HISTORIES[glow], lamp


@pytest.mark.parametrize("name", FLOURISHES)
def test_the_history_of_each_flourish(rig: GpioRig, name: str) -> None:
    flourish = FLOURISHES[name]
    rig.panel.flourish(flourish)
    rig.wait(flourish.seconds + 1)
    for lamp in ALL_PARTS.names():
        levels = [0.0]
        for beat in (*flourish.beats, None):
            frame = beat.layer.over(DARK) if beat else DARK
            level = {Glow.OFF: 0.0, Glow.ON: 1.0, Glow.DIM: DIM_LEVEL}[frame.glow(lamp)]
            if level != levels[-1]:
                levels.append(level)
        # Leaving a dimmed level passes through zero: the pin stops being pulsed first.
        seen = [level for i, level in enumerate(history(rig, lamp)) if i == 0 or level != history(rig, lamp)[i - 1]]
        assert seen == levels, lamp


def test_a_lamp_that_does_not_change_is_not_touched(rig: GpioRig) -> None:
    rig.panel.show(PanelFrame.parse("#.............. .... .."))
    rig.wait(1)
    rig.panel.show(PanelFrame.parse("##............. .... .."))
    rig.wait(1)
    assert history(rig, "bar1") == [0, 1]


def test_steady_lamps_cost_no_pulses(rig: GpioRig) -> None:
    rig.panel.show(PanelFrame.parse("#-............. .... .."))
    rig.wait(0.1)
    pins = dict(rig.pinout.lamps())
    assert rig.pins.pin(pins["bar1"]).frequency is None
    assert rig.pins.pin(pins["bar2"]).frequency == 100
    rig.panel.show(DARK)
    rig.wait(0.1)
    assert rig.pins.pin(pins["bar2"]).frequency is None


@pytest.mark.parametrize("seed", range(5))
def test_pulses_begun_last_never_end_while_others_go_on(
    rig: GpioRig, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """After that lgpio's thread may spin, and no lamp is dimmed any more."""
    pulsed: list[MockPWMPin] = []
    wrong: list[list[MockPWMPin]] = []
    set_frequency = MockPWMPin._set_frequency

    def watched(pin: MockPWMPin, value: float | None) -> None:
        if value is not None:
            pulsed.append(pin)
        elif pin in pulsed:
            if pin is pulsed[-1] and len(pulsed) > 1:
                wrong.append(list(pulsed))
            pulsed.remove(pin)
        set_frequency(pin, value)

    monkeypatch.setattr(MockPWMPin, "_set_frequency", watched)
    rng = random.Random(seed)
    for _ in range(100):
        bar, *others = ("".join(rng.choices(".#--", k=count)) for count in (BAR, 4, 2))
        frame = PanelFrame.parse(" ".join([bar, *others]))
        rig.panel.show(frame)
        rig.wait(0.1)
        assert len(pulsed) == len(set(pulsed)) == (bar + "".join(others)).count("-")
        for lamp, number in rig.pinout.lamps():
            level = {Glow.OFF: 0.0, Glow.ON: 1.0, Glow.DIM: DIM_LEVEL}[frame.glow(lamp)]
            assert rig.pins.pin(number).state == level
    rig.panel.close()
    assert not pulsed
    assert not wrong


def test_active_low_lamps_never_flash_at_the_start() -> None:
    rig = GpioRig(active_low())
    rig.wait(0)
    pin = rig.pins.pin(dict(rig.pinout.lamps())["sun"])
    assert bool(pin.state)
    assert 0 not in [state.state for state in pin.states[1:]]
    rig.panel.show(PanelFrame.parse("............... .... #."))
    rig.wait(0.1)
    assert not pin.state
    rig.panel.show(PanelFrame.parse("............... .... -."))
    rig.wait(0.1)
    assert pin.state == pytest.approx(1 - DIM_LEVEL)
    rig.close()


@pytest.mark.parametrize(("pull", "pressed"), [("up", None), ("down", None), ("none", "low"), ("none", "high")])
def test_buttons_with_each_kind_of_resistor(pull: str, pressed: str | None) -> None:
    pinout = Pinout(left=5, right=6, pull=pull, pressed=pressed)
    pins = MockFactory(pin_class=MockPWMPin)
    level_down = pinout.pressed_level == "high"
    if pull == "none":  # the resistor of their own holds the line at rest
        for number in (5, 6):
            pin = pins.pin(number)
            (pin.drive_low if level_down else pin.drive_high)()
    panel_clock = [0.0]
    panel = GpioPanel(pinout, pins, lambda: panel_clock[0])
    heard: list[object] = []
    panel.listen(heard.append)
    for is_down in (True, False):
        pin = pins.pin(6)
        (pin.drive_high if is_down == level_down else pin.drive_low)()
        panel_clock[0] += 0.3
        panel.step()
    panel_clock[0] += 0.3
    panel.step()
    assert heard == [Press(Button.RIGHT)]
    panel.close()


def test_a_bar_of_ten_scales() -> None:
    rig = GpioRig(replace(DEFAULT, bar=DEFAULT.bar[:10], red=None, sun=None))
    rig.panel.show(PanelFrame.parse("#########...... #### ##"))
    rig.wait(0.1)
    lit = [lamp for lamp, shade in rig.shades().items() if shade]
    assert lit == [f"bar{n}" for n in range(1, 7)] + ["blue", "yellow", "green", "moon"]
    rig.close()


@pytest.mark.parametrize(
    "pinout",
    [
        Pinout(),
        Pinout(bar=(5,)),
        Pinout(sun=18),
        Pinout(confirm=3),
        replace(DEFAULT, bar=()),
        Pinout(bar=DEFAULT.bar),
    ],
)
def test_any_subset_works(pinout: Pinout) -> None:
    rig = GpioRig(pinout)
    for frame in FRAMES.values():
        rig.panel.show(frame)
        rig.wait(0.1)
    rig.panel.flourish(FLOURISHES["win"])
    rig.wait(5)
    assert rig.panel.fault is None
    rig.close()


def test_the_threaded_panel_blinks_at_the_right_times_and_hears_presses() -> None:
    """A busy machine may draw a lamp late, but never early; how long each rhythm is, is tested on a clock above."""
    pins = MockFactory(pin_class=MockPWMPin)
    heard: list[object] = []
    threads = threading.active_count()
    panel = GpioPanel(DEFAULT, pins)
    assert threading.active_count() == threads + 1, "one thread for the whole panel"
    panel.listen(heard.append)
    panel.show(PanelFrame((Glow.FAST,) * BAR, (Glow.SLOW,) * 4, (Glow.PULSE,) * 2))
    pins.pin(DEFAULT.left).drive_low()
    eventually(lambda: panel._buttons._contacts[Button.LEFT].is_down)
    pins.pin(DEFAULT.left).drive_high()
    eventually(lambda: heard == [Press(Button.LEFT)])
    eventually(lambda: len(pins.pin(25).states) >= 6)
    assert threading.active_count() == threads + 1, "and none for a lamp"
    panel.close()
    assert threading.active_count() == threads
    edges = list(itertools.accumulate(state.timestamp for state in pins.pin(25).states[2:-1]))
    assert len(edges) >= 3
    assert all(edge > 0.2 * number - 0.05 for number, edge in enumerate(edges, start=1)), edges


def test_nothing_runs_while_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[float] = []
    step = GpioPanel.step
    monkeypatch.setattr(GpioPanel, "step", lambda self: steps.append(step(self)) or steps[-1])
    monkeypatch.setattr("hardware.gpio.LISTEN_AGAIN_SECONDS", 0.0)  # buttons are listened to once more at once
    panel = GpioPanel(DEFAULT, MockFactory(pin_class=MockPWMPin))
    panel.show(PanelFrame.parse("#####---------- #### ##"))
    eventually(lambda: steps and steps[-1] == math.inf and not panel._woken)
    before = len(steps)
    meanwhile(0.5)
    assert len(steps) == before
    panel.close()


@pytest.mark.parametrize("pause", [0.05, 5.0], ids=["step by step", "in one go"])
def test_presses_that_are_heard_late_are_neither_lost_nor_taken_for_bounces(pause: float) -> None:
    """We were held up: all changes come at once, each with the moment at which the system saw it."""
    now = [1000.0]
    pins = MockFactory(pin_class=MockPWMPin)
    panel = GpioPanel(Pinout(left=5, right=6), pins, lambda: now[0])
    heard: list[object] = []
    panel.listen(heard.append)
    panel.step()
    right, left = pins.pin(6), pins.pin(5)
    for ticks, is_high in ((7.0, False), (7.003, True), (7.005, False), (7.25, True), (7.6, False), (7.8, True)):
        right.when_changed(ticks, is_high)
    for ticks, is_high in ((7.0, False), (7.004, True)):
        left.when_changed(ticks, is_high)
    while now[0] < 1005:
        now[0] += pause
        panel.step()
    assert heard == [Press(Button.RIGHT)] * 2
    panel.close()


def test_buttons_pressed_one_after_the_other_are_no_chord_when_they_are_heard_late() -> None:
    now = [1000.0]
    pins = MockFactory(pin_class=MockPWMPin)
    panel = GpioPanel(Pinout(left=5, right=6, confirm=13), pins, lambda: now[0])
    heard: list[object] = []
    panel.listen(heard.append)
    panel.step()
    presses = [(6, 7.0), (13, 7.6), (13, 8.2), (5, 8.8), (13, 9.4)]
    for pin, ticks in presses:
        pins.pin(pin).when_changed(ticks, False)
        pins.pin(pin).when_changed(ticks + 0.2, True)
    while now[0] < 1008:
        now[0] += 0.05
        panel.step()
    wanted = [Button.RIGHT, Button.CONFIRM, Button.CONFIRM, Button.LEFT, Button.CONFIRM]
    assert heard == [Press(button) for button in wanted]
    panel.close()


def test_a_clock_of_the_system_that_jumps_delays_a_button_by_seconds_at_most() -> None:
    now = [1000.0]
    pins = MockFactory(pin_class=MockPWMPin)
    panel = GpioPanel(Pinout(left=5, right=6), pins, lambda: now[0])
    heard: list[object] = []
    panel.listen(heard.append)
    for ticks, is_high in ((1e9, False), (3.0, True), (3.5, False), (1e9, True)):
        pins.pin(6).when_changed(ticks, is_high)
        now[0] += 0.3
        panel.step()
    now[0] += 3.0
    panel.step()
    # An arrow whose two edges lie on both sides of the jump may count as held for a while.
    assert heard[0] == Press(Button.RIGHT)
    assert set(heard) <= {Press(Button.RIGHT), Run(Button.RIGHT)}
    now[0] += 3.0
    heard.clear()
    for is_high in (False, True):
        pins.pin(6).when_changed(now[0], is_high)
        now[0] += 0.3
        panel.step()
    now[0] += 3.0
    panel.step()
    assert Press(Button.RIGHT) in heard
    panel.close()


def test_buttons_are_listened_to_once_more_after_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """lgpio's thread may sleep through the first time; what happened on a button meanwhile is told."""
    monkeypatch.setattr("hardware.gpio.LISTEN_AGAIN_SECONDS", 0.2)
    pins = MockFactory(pin_class=MockPWMPin)
    panel = GpioPanel(pins=pins)
    heard: list[object] = []
    panel.listen(heard.append)
    button, number = next(iter(DEFAULT.buttons()))
    pin, hear = pins.pin(number), pins.pin(number).when_changed
    pin.when_changed = None
    pin._set_edges = lambda edges: setattr(pin, "when_changed", hear)
    pin.drive_low()
    eventually(lambda: panel._buttons._contacts[button].is_down)
    pin.drive_high()
    eventually(lambda: heard == [Press(button)])
    panel.close()


def test_a_button_held_at_the_start_is_no_press() -> None:
    pins = MockFactory(pin_class=MockPWMPin)
    pins.pin(3).pull = "up"
    pins.pin(3).drive_low()

    class Held(MockPWMPin):
        """A thing lies on the button: the pull can't lift it."""

        def _set_pull(self, value: str) -> None:
            super()._set_pull(value)
            if self._number == 3:
                self._state = False

    pins = MockFactory(pin_class=Held)
    now = [0.0]
    panel = GpioPanel(DEFAULT, pins, lambda: now[0])
    heard: list[object] = []
    panel.listen(heard.append)
    for _ in range(30):
        now[0] += 0.1
        panel.step()
    pins.pin(3).drive_high()
    now[0] += 1
    panel.step()
    assert heard == []
    panel.close()


def test_without_pins_the_error_is_clear() -> None:
    with pytest.raises(NoPins, match=r"lgpio|pins"):
        pi_pins()
    assert os.access(os.environ["LG_WD"], os.W_OK)


def test_a_claimed_pin_gives_everything_back() -> None:
    pins = MockFactory(pin_class=MockPWMPin)
    first = Board(Pinout(sun=18), pins)
    with pytest.raises(NoPins, match="18"):
        Board(Pinout(bar=(5,), sun=18), pins)
    first.close()
    Board(Pinout(bar=(5,), sun=18), pins).close()
