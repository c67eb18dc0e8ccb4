"""The light language: told apart without colours, and the same in code and docs."""

from __future__ import annotations

import io
import itertools

import pytest
from rich.console import Console

from hardware import guide
from hardware.flourishes import FLOURISHES
from hardware.lights import GAUGES, PATTERNS, TOPICS, chooser, compose, count, countdown, noise, score, seats
from hardware.panel import ALL_PARTS, BAR, DARK, Glow, PanelFrame
from hardware.terminal import GLYPHS, TerminalPanel, shade
from hardware.timing import levels

FRAMES = {name: one.frame for name, one in PATTERNS.items()} | {
    f"{one.name}{example}": one.draw(*example).over(DARK) for one in GAUGES for example in one.examples
}


def test_no_two_patterns_look_the_same() -> None:
    for (one, first), (other, second) in itertools.combinations(FRAMES.items(), 2):
        assert (first.bar, first.suits, first.sky) != (second.bar, second.suits, second.sky), (one, other)


def test_no_two_refusals_or_faults_look_the_same_on_a_bar_of_any_usual_length() -> None:
    coded = [one for one in PATTERNS.values() if one.name.startswith(("refused", "no-", "too", "unreadable"))]
    for length in (10, 15):
        seen = {one.frame.fitted_bar(length) for one in coded}
        assert len(seen) == len(coded)


def test_flourishes_are_told_apart_by_the_bar_alone() -> None:
    bars = {tuple(beat.layer.bar for beat in one.beats) for one in FLOURISHES.values()}
    assert len(bars) == len(FLOURISHES)


def test_no_lamp_is_told_by_its_colour_alone() -> None:
    lit = [glyphs[2] for glyphs in GLYPHS.values()]
    assert len(set(lit)) == len(lit)
    for glyphs in GLYPHS.values():
        assert len(set(glyphs)) == 3


def test_without_colours_every_pattern_is_still_told_apart() -> None:
    nowhere = Console(file=io.StringIO(), force_terminal=True)
    panel = TerminalPanel(clock=lambda: 0.0, console=nowhere, keys=None)

    def picture(frame: PanelFrame) -> str:
        """What a colour-blind person sees in the terminal, at moments through one cycle."""
        screen = io.StringIO()
        console = Console(file=screen, color_system=None, width=100)
        for moment in (0.0, 0.3, 0.7, 1.0, 1.3, 2.0):
            bright, _ = levels(frame, ALL_PARTS, moment)
            console.print(panel.face({lamp: shade(value) for lamp, value in bright.items()}))
        return screen.getvalue()

    pictures = {name: picture(frame) for name, frame in FRAMES.items()}
    assert len(set(pictures.values())) == len(FRAMES)
    panel.close()


def test_every_pattern_shows_some_light_within_a_second() -> None:
    for name, frame in FRAMES.items():
        moments = [levels(frame, ALL_PARTS, n / 10)[0] for n in range(11)]
        assert any(value > 0 for bright in moments for value in bright.values()), name


def test_every_topic_has_its_patterns() -> None:
    assert {one.topic for one in (*PATTERNS.values(), *GAUGES)} == set(TOPICS)


@pytest.mark.parametrize("options", range(1, 46))
def test_the_chooser_shows_every_option_differently(options: int) -> None:
    seen = {chooser(choice, options) for choice in range(options)}
    assert len(seen) == options


@pytest.mark.parametrize("lamps", [10, 15])
def test_the_chooser_fits_the_bar_there_is(lamps: int) -> None:
    for options in range(1, 3 * lamps + 1):
        bars = {chooser(choice, options, lamps).over(DARK).fitted_bar(lamps) for choice in range(options)}
        assert len(bars) == options


def test_the_chooser_refuses_what_it_cannot_show() -> None:
    with pytest.raises(ValueError, match="no option"):
        chooser(4, 4)
    with pytest.raises(ValueError, match="two steps"):
        chooser(0, 46)


def test_the_meters_keep_within_the_bar() -> None:
    for layer in (
        noise(99),
        noise(-3),
        noise(15, 0),
        count(20, 30),
        seats(15, 14),
        score(9, 9),
        countdown(9, 5),
    ):
        assert len(layer.bar) == BAR
    assert noise(99).bar == (Glow.ON,) * 15
    assert noise(-3).bar == (Glow.OFF,) * 15
    assert noise(2, before=9).bar == (Glow.ON,) * 2 + (Glow.OFF,) * 13


def test_the_countdown_shrinks() -> None:
    lit = [sum(glow != Glow.OFF for glow in countdown(left).bar) for left in (5, 4, 3, 2, 1)]
    assert lit == sorted(lit, reverse=True)
    assert len(set(lit)) == 5


def test_markers_leave_the_question_alone() -> None:
    frame = compose(PATTERNS["question"].layer, *(one.layer for one in PATTERNS.values() if "pulse" in one.topic))
    assert str(frame) == "o......~......o ...~ ~~"


def test_the_pages_are_up_to_date() -> None:
    assert (guide.DOCS / "lights.md").read_text() == guide.lights_page(), "run python -m hardware.guide"
    wiring = (guide.DOCS / "wiring.md").read_text()
    assert wiring == guide.with_sections(wiring), "run python -m hardware.guide"
    drawing = (guide.DOCS / "images" / "wiring.svg").read_text()
    assert drawing == guide.wiring_svg(guide.DEFAULT), "run python -m hardware.guide"
