"""Frames, layers and the timing that makes light of them."""

from __future__ import annotations

import itertools
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.flourishes import FLOURISHES
from hardware.page import frame_as_json
from hardware.panel import ALL_PARTS, BAR, DARK, LETTERS, BarKind, Glow, Layer, PanelFrame, Parts
from hardware.timing import Animation, level, levels, next_change

letters = "".join(LETTERS)
frames = st.builds(
    lambda bar, suits, sky, reading: PanelFrame.parse(f"{bar} {suits} {sky}", reading),
    st.text(letters, min_size=15, max_size=15),
    st.text(letters, min_size=4, max_size=4),
    st.text(letters, min_size=2, max_size=2),
    st.sampled_from(BarKind),
)


@given(frames)
def test_a_drawing_reads_both_ways(frame: PanelFrame) -> None:
    assert PanelFrame.parse(str(frame), frame.bar_kind) == frame


@pytest.mark.parametrize("drawing", ["", "####", "#" * 15 + " .... .", "?" * 15 + " .... ..", "_" * 15 + " .... .."])
def test_what_is_no_frame_is_refused(drawing: str) -> None:
    with pytest.raises(ValueError, match=r"drawing|frame"):
        PanelFrame.parse(drawing)


@given(st.integers(0, 15), st.integers(1, 14))
def test_a_meter_on_a_shorter_bar_never_lies_about_empty_and_full(lit: int, length: int) -> None:
    bar = PanelFrame.parse("#" * lit + "." * (15 - lit) + " .... ..").fitted_bar(length)
    shown = bar.count(Glow.ON)
    assert bar == (Glow.ON,) * shown + (Glow.OFF,) * (length - shown)
    assert (shown == 0) == (lit == 0)
    assert abs(shown - lit * length / 15) < 1
    assert (shown == length) >= (lit == 15)


@given(st.integers(0, 9))
def test_places_stay_where_they_are_while_the_bar_is_long_enough(place: int) -> None:
    frame = PanelFrame.parse("." * place + "#" + "." * (14 - place) + " .... ..", BarKind.PLACES)
    assert frame.fitted_bar(10)[place] is Glow.ON
    assert frame.fitted_bar(10).count(Glow.ON) == 1


@given(frames, st.integers(1, 15))
def test_no_light_is_lost_on_a_shorter_bar(frame: PanelFrame, length: int) -> None:
    bar = frame.fitted_bar(length)
    assert len(bar) == length
    assert any(glow != Glow.OFF for glow in bar) == any(glow != Glow.OFF for glow in frame.bar)


@given(frames)
def test_an_empty_layer_changes_nothing(frame: PanelFrame) -> None:
    assert Layer().over(frame) == frame


@given(frames, st.floats(0, 1e6))
def test_nothing_changes_before_its_time(frame: PanelFrame, now: float) -> None:
    bright, due = levels(frame, ALL_PARTS, now)
    assert due > now
    if math.isfinite(due):
        # A hair before it's due, everything is as it was.
        assert levels(frame, ALL_PARTS, max(now, due - 1e-3))[0] == bright


@given(st.sampled_from(Glow), st.floats(0, 1e6))
def test_a_change_is_followed_to_the_end_of_time(glow: Glow, now: float) -> None:
    # Stepping from change to change must always get on, whatever floating point does.
    for _ in range(5):
        following = next_change(glow, now)
        assert following > now
        if math.isinf(following):
            break
        now = following
    assert 0 <= level(glow, now) <= 1


def flashes(levels_over_time: list[float]) -> int:
    """Rises from dark to bright."""
    return sum(b - a > 0.5 for a, b in itertools.pairwise(levels_over_time))


@pytest.mark.parametrize("glow", Glow)
def test_no_more_than_three_flashes_a_second(glow: Glow) -> None:
    seen = [level(glow, millisecond / 1000) for millisecond in range(10_000)]
    for start in range(0, 9000, 50):
        assert flashes(seen[start : start + 1000]) <= 3


@pytest.mark.parametrize("name", FLOURISHES)
def test_no_flourish_flashes_faster_either(name: str) -> None:
    scene = Animation(flourish=FLOURISHES[name])
    for lamp in ALL_PARTS.names():
        seen = []
        for hundredth in range(400):
            _, frame, _ = scene.at(hundredth / 100)
            seen.append(levels(frame, ALL_PARTS, hundredth / 100)[0][lamp])
        for start in range(300):
            assert flashes(seen[start : start + 100]) <= 3


@pytest.mark.parametrize("name", FLOURISHES)
def test_a_flourish_is_short_and_leaves_the_scene_as_it_was(name: str) -> None:
    flourish = FLOURISHES[name]
    # An address is read figure by figure.
    assert flourish.seconds <= (10 if name == "address" else 2.5)
    scene, frame, due = Animation(DARK, flourish=flourish, flourish_begun=10.0).at(10 + flourish.seconds)
    assert scene == Animation(DARK, flourish_begun=10.0)
    assert frame == DARK
    assert due == math.inf


@given(frames)
def test_the_page_gets_every_lamp(frame: PanelFrame) -> None:
    said = json.loads(frame_as_json(frame, ALL_PARTS, FLOURISHES["win"]))
    assert said["lamps"] == {lamp: frame.glow(lamp).value for lamp in ALL_PARTS.names()}
    assert PanelFrame.parse(said["frame"], BarKind(said["reading"])) == frame
    assert len(said["flourish"]["beats"]) == len(FLOURISHES["win"].beats)


def test_a_panel_without_lamps_has_nothing_to_wait_for() -> None:
    nothing = Parts(bar=0, lamps=(), buttons=())
    frame = PanelFrame((Glow.FAST,) * BAR)
    assert levels(frame, nothing, 0.0) == ({}, math.inf)


def seen(scene: Animation, now: float) -> dict[str, float]:
    _, frame, _ = scene.at(now)
    return levels(frame, ALL_PARTS, now - scene.frame_begun)[0]


@given(st.floats(0, 1e5))
def test_what_begins_to_blink_begins_bright(now: float) -> None:
    scene = Animation().with_frame(PanelFrame.parse("o*............. .... .."), now)
    assert seen(scene, now)["bar1"] == seen(scene, now)["bar2"] == 1.0


@given(st.floats(0, 10), st.floats(0, 10))
def test_what_goes_on_blinking_keeps_step(first: float, wait: float) -> None:
    scene = Animation().with_frame(PanelFrame.parse("o.............. .... .~"), first)
    after = scene.with_frame(PanelFrame.parse("o#-............ .... .~"), first + wait)
    for lamp in ("bar1", "moon"):
        assert seen(after, first + wait)[lamp] == seen(scene, first + wait)[lamp]
