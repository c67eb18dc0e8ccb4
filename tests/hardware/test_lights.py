"""The light language: told apart without colours, and the same in code and docs."""

from __future__ import annotations

import io
import itertools

import pytest
from rich.console import Console

from hardware import manual_pages
from hardware.flourishes import FLOURISHES
from hardware.lights import (
    NUMBER_PATTERNS,
    PATTERNS,
    SIGN_SECONDS,
    STANDING_SECONDS,
    TOPICS,
    alternating,
    compose,
    count,
    countdown,
    inwards,
    noise,
    number_picked,
    running,
    score,
    seats,
    yes_or_no,
)
from hardware.panel import ALL_PARTS, BAR, DARK, Glow, Layer, PanelFrame
from hardware.signs import SIGN
from hardware.terminal import GLYPHS, TerminalPanel, shade
from hardware.timing import FAST_SECONDS, PULSE_SECONDS, SLOW_SECONDS, Animation, levels

FRAMES = (
    {name: one.frame for name, one in PATTERNS.items()}
    | {f"{one.name}{example}": one.draw(*example).over(DARK) for one in NUMBER_PATTERNS for example in one.examples}
    | {
        name: Layer.parse(one.drawings[0]).over(DARK)
        for name, one in SIGN.items()
        if name not in ("turn", "refused", "fault", "visitor")
    }
)


def test_no_two_patterns_look_the_same() -> None:
    for (one, first), (other, second) in itertools.combinations(FRAMES.items(), 2):
        assert (first.bar, first.suits, first.sky) != (second.bar, second.suits, second.sky), (one, other)


def test_no_two_refusals_or_faults_look_the_same_on_a_bar_of_any_usual_length() -> None:
    for starts in (("refused", "unreadable"), ("no-", "too")):
        coded = [one for one in PATTERNS.values() if one.name.startswith(starts)]
        for length in (10, 15):
            assert len({one.frame.fitted_bar(length) for one in coded}) == len(coded)


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
            console.print(panel.drawn_panel({lamp: shade(value) for lamp, value in bright.items()}))
        return screen.getvalue()

    pictures = {name: picture(frame) for name, frame in FRAMES.items()}
    assert len(set(pictures.values())) == len(FRAMES)
    panel.close()


def test_every_pattern_shows_some_light_within_a_second() -> None:
    for name, frame in FRAMES.items():
        moments = [levels(frame, ALL_PARTS, n / 10)[0] for n in range(11)]
        assert any(value > 0 for bright in moments for value in bright.values()), name


def test_every_topic_has_its_patterns() -> None:
    assert {one.topic for one in (*PATTERNS.values(), *NUMBER_PATTERNS)} == set(TOPICS)


@pytest.mark.parametrize("lamps", [10, 15])
def test_every_number_looks_different_on_the_bar_there_is(lamps: int) -> None:
    bars = {number_picked(place, *range(45), lamps=lamps).over(DARK).fitted_bar(lamps) for place in range(3 * lamps)}
    assert len(bars) == 3 * lamps


def test_what_stands_is_shown_for_longer_than_the_sign_and_both_begin_bright() -> None:
    assert STANDING_SECONDS > SIGN_SECONDS
    whole = SIGN_SECONDS + STANDING_SECONDS
    for rhythm in (SLOW_SECONDS, FAST_SECONDS, PULSE_SECONDS):
        assert whole / rhythm == pytest.approx(round(whole / rhythm))
    for beats in (running(), inwards(), yes_or_no()):
        assert sum(beat.seconds for beat in beats) == pytest.approx(SIGN_SECONDS)


def test_a_frame_in_turns_shows_the_meter_again_and_again() -> None:
    frame = alternating(compose(noise(4)), running())
    scene = Animation().with_frame(frame, 10.0)
    seen = [str(scene.at(10.0 + tenth / 10)[1]) for tenth in range(96)]
    assert seen[:48] == seen[48:]
    assert seen.count("####........... .... ..") > 48


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


def test_markers_leave_the_bar_alone() -> None:
    frame = compose(seats(3, 1), *(one.layer for one in PATTERNS.values() if "pulse" in one.topic))
    assert str(frame) == "-~-............ ~~~~ ~~"


def test_the_pages_are_up_to_date() -> None:
    assert (manual_pages.DOCS / "lights.md").read_text() == manual_pages.lights_page(), (
        "run python -m hardware.manual_pages"
    )
    wiring = (manual_pages.DOCS / "wiring.md").read_text()
    assert wiring == manual_pages.with_sections(wiring), "run python -m hardware.manual_pages"
    for name, outfit in (("wiring", manual_pages.PLAIN_PANEL), ("wiring-easy", manual_pages.EASY_PANEL)):
        drawing = (manual_pages.DOCS / "images" / f"{name}.svg").read_text()
        assert drawing == manual_pages.wiring_svg(outfit), "run python -m hardware.manual_pages"
