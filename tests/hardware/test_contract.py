"""What every panel must do, run on every adapter: real (on mock pins), simulated, terminal, window, page."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator

import pytest

from hardware.button_signals import Holding, LetGo, LongPress, Press
from hardware.flourishes import FLOURISHES
from hardware.panel import Button, PanelFrame
from hardware.silent import NullPanel
from tests.hardware.rigs import RIGS, Rig

FRAME = PanelFrame.parse("##-............ #.-. .#")


@pytest.fixture(params=RIGS)
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    rig = RIGS[request.param]()
    rig.panel.listen(rig.heard.append)
    yield rig
    rig.close()


def expected(rig: Rig, frame: PanelFrame) -> dict[str, int]:
    shade = {"off": 0, "dim": 1, "on": 2}
    return {lamp: shade[glow] for lamp, glow in rig.panel.parts.glows(frame)}


def test_it_starts_dark(rig: Rig) -> None:
    rig.wait(0.1)
    assert not any(rig.shades().values())


def test_it_shows_each_frame_until_the_next(rig: Rig) -> None:
    for frame in (FRAME, PanelFrame.parse("............... #### ##"), FRAME):
        rig.panel.show(frame)
        rig.wait(3.0)
        assert rig.shades() == expected(rig, frame)


def test_every_lamp_can_be_off_dim_and_on(rig: Rig) -> None:
    for letter in ".-#":
        frame = PanelFrame.parse(f"{letter * 15} {letter * 4} {letter * 2}")
        rig.panel.show(frame)
        rig.wait(0.1)
        assert rig.shades() == expected(rig, frame)


def test_lamps_blink_and_pulse_at_their_rhythm(rig: Rig) -> None:
    rig.panel.show(PanelFrame.parse("o*~............ .... .."))
    seen = []
    for _ in range(24):
        rig.wait(0.1)
        shades = rig.shades()
        seen.append((shades["bar1"], shades["bar2"], shades["bar3"]))
    slow, fast, pulse = zip(*seen, strict=True)
    assert changes(slow) in (3, 4)
    assert changes(fast) in (11, 12)
    assert changes(pulse) in (1, 2)
    assert set(slow) == set(fast) == {0, 2}
    assert set(pulse) == {1, 2}


def changes(values: tuple[int, ...]) -> int:
    return sum(a != b for a, b in itertools.pairwise(values))


@pytest.mark.parametrize("name", FLOURISHES)
def test_a_flourish_shows_and_ends_by_itself(rig: Rig, name: str) -> None:
    flourish = FLOURISHES[name]
    rig.panel.show(FRAME)
    rig.wait(0.1)
    rig.panel.flourish(flourish)
    rig.wait(flourish.beats[0].seconds / 2)
    assert rig.shades() == expected(rig, flourish.beats[0].layer.over(FRAME))
    rig.wait(flourish.seconds)
    assert rig.shades() == expected(rig, FRAME)


def test_a_frame_shown_during_a_flourish_is_there_afterwards(rig: Rig) -> None:
    rig.panel.flourish(FLOURISHES["win"])
    rig.wait(0.1)
    rig.panel.show(FRAME)
    rig.wait(FLOURISHES["win"].seconds)
    assert rig.shades() == expected(rig, FRAME)
    rig.wait(1)
    assert rig.shades() == expected(rig, FRAME)


def test_each_button_is_heard_once(rig: Rig) -> None:
    for button in rig.panel.parts.buttons:
        rig.hold(button, 0.1)
    assert rig.heard == [Press(button) for button in rig.panel.parts.buttons]


def test_a_long_hold_is_a_long_press_and_nothing_else(rig: Rig) -> None:
    rig.hold(Button.CONFIRM, 1.2)
    assert rig.heard == [Holding(Button.CONFIRM), LongPress(Button.CONFIRM), LetGo(Button.CONFIRM)]


def test_after_close_it_is_dark_and_deaf(rig: Rig) -> None:
    rig.panel.show(FRAME)
    rig.wait(0.1)
    rig.panel.close()
    rig.panel.close()
    rig.panel.show(FRAME)
    rig.panel.flourish(FLOURISHES["win"])
    rig.wait(0.5)
    assert not any(rig.shades().values())
    assert rig.heard == []


def test_it_takes_frames_from_many_threads(rig: Rig) -> None:
    def show() -> None:
        for place in range(15):
            rig.panel.show(PanelFrame.parse("." * place + "#" + "." * (14 - place) + " .... .."))

    threads = [threading.Thread(target=show) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rig.panel.show(FRAME)
    rig.wait(0.1)
    assert rig.shades() == expected(rig, FRAME)
    assert rig.panel.fault is None


def test_a_listener_that_fails_does_not_stop_the_panel(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: object) -> None:
        raise RuntimeError("oops")

    rig.panel.listen(fail)
    rig.hold(Button.LEFT, 0.1)
    rig.panel.listen(rig.heard.append)
    rig.hold(Button.LEFT, 0.1)
    assert rig.heard == [Press(Button.LEFT)]
    assert "oops" in caplog.text


def test_the_silent_panel_takes_everything() -> None:
    with NullPanel() as panel:
        panel.listen(print)
        panel.show(FRAME)
        panel.flourish(FLOURISHES["win"])
        assert panel.parts.names() == ()
        assert panel.parts.buttons == ()
    panel.close()
    panel.show(FRAME)
