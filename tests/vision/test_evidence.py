"""Evidence over still frames: they err together, so that more of them are hardly more witnesses."""

from __future__ import annotations

import numpy as np
import pytest

from vision import evidence
from vision.detections import Detection, Detections, UnknownDetection
from vision.evidence import FrameEvidence, effective_frames, fuse, with_fused_names
from vision.geometry import rectangle
from vision.tuning import EVIDENCE, NAMING

CORNERS = rectangle(60, 90)


def named(card: str, confidence: float) -> Detection:
    return Detection(card, "", CORNERS, 0.0, confidence, 1.0)


def doubt(**names: float) -> UnknownDetection:
    return UnknownDetection(CORNERS, tuple(names), tuple(names.values()))


def over(first: Detection | UnknownDetection, *later: Detection | UnknownDetection | None) -> FrameEvidence:
    found = evidence.from_first_frame(first)
    for one in later:
        found = found.with_frame(one)
    return found


def test_one_frame_tells_what_it_tells() -> None:
    assert fuse([{"r4": 0.6, "r6": 0.3}]) == {"r4": 0.6, "r6": 0.3}


@pytest.mark.parametrize("frames", [2, 5, 50])
def test_equal_frames_are_hardly_more_than_one(frames: int) -> None:
    once, often = fuse([{"r4": 0.7, "r6": 0.2}]), fuse([{"r4": 0.7, "r6": 0.2}] * frames)
    assert once["r4"] <= often["r4"] < once["r4"] + 0.02
    assert 1 <= effective_frames(frames, EVIDENCE.repeated_error_share) < 1 / EVIDENCE.repeated_error_share


def test_frames_that_differ_agree_on_their_mean() -> None:
    names = fuse([{"r4": 0.9}, {"r4": 0.5, "r6": 0.45}, {"r6": 0.6, "r4": 0.35}, {"r4": 0.8}])
    assert list(names) == ["r4", "r6"]
    assert 0.5 < names["r4"] < 0.9


def test_a_frame_in_which_nothing_was_found_speaks_against_every_name() -> None:
    assert fuse([{"r4": 0.7}, {}, {}])["r4"] < fuse([{"r4": 0.7}])["r4"]


@pytest.mark.parametrize("chance", [0.3, 0.6, 0.9, 0.95])
def test_a_stranger_that_looks_like_a_card_in_every_frame_never_gets_its_name(chance: float) -> None:
    found = over(doubt(r4=chance), *[doubt(r4=chance)] * 60)
    assert found.confirmed is None
    found = over(doubt(r4=chance), *[named("r4", chance)] * 60)
    assert found.confirmed is None


def test_a_doubt_becomes_a_name_once_frames_give_it_and_all_bear_it_out() -> None:
    found = over(doubt(r4=0.9), *[named("r4", 0.995)] * 7)
    assert found.confirmed is not None
    assert found.confirmed.card == "r4"
    assert found.confirmed.confidence >= NAMING.sure_probability
    assert over(doubt(r4=0.9), *[doubt(r4=0.995)] * 7).confirmed is None, "no frame could tell how it lies"


def test_a_name_that_isnt_sure_comes_with_the_names_that_it_may_be_instead() -> None:
    found = over(named("r4", 0.85), doubt(r4=0.75, r6=0.2), named("r4", 0.85))
    assert found.confirmed is not None
    assert [name for name, _p in found.confirmed.others] == ["r6"]
    assert found.confirmed.confidence + found.confirmed.others[0][1] < 1


def test_a_name_that_the_next_frames_dont_bear_out_is_asked() -> None:
    found = over(named("r4", 0.7), doubt(r6=0.5, r4=0.4), doubt(r6=0.5, r4=0.4))
    assert found.confirmed is None
    reading = with_fused_names(Detections((found.seen,)), [found])  # type: ignore[arg-type]
    assert reading.cards == ()
    (asked,) = reading.unknown
    assert set(asked.maybe) == {"r4", "r6"}
    assert sum(asked.chances) <= 1


def test_what_isnt_in_doubt_stays_as_it_is() -> None:
    sure, strange = named("b2", 0.99), UnknownDetection(CORNERS + 200)
    reading = with_fused_names(Detections((sure,), (strange,)), [])
    assert reading.cards[0] is sure
    assert reading.unknown[0] is strange


def test_no_more_frames_are_asked_for_than_tell_something() -> None:
    found = over(doubt(r4=0.5))
    while found.is_open:
        found = found.with_frame(doubt(r4=0.5))
    assert len(found.frames) == EVIDENCE.max_frames
    assert not over(named("r4", 0.97), named("r4", 0.995), named("r4", 0.995)).is_open
    assert np.isclose(sum(found.names.values()), 0.5, atol=0.05)
