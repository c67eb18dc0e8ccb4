"""The silence guard: whatever is configured or called, a silent game is silent."""

from __future__ import annotations

import ast
import re
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

import sounds
from sounds.box import SoundBox, SoundSettings
from sounds.guard import AudioOutput, Channel, SilenceGuard
from sounds.make import CUES, MAKERS
from sounds.outputs import MixerOutput, PlayedSound, RecordedOutput, SilentOutput

CUE = CUES / "tick.wav"


class Spy(RecordedOutput):
    """Notes every sound that would leave it, with what the guard said at that moment."""

    def __init__(self, guard: SilenceGuard):
        super().__init__(guard)
        self.broken: list[str] = []

    def _start(self, sound: Path, channel: Channel, volume: float) -> bool:
        if self._guard.is_silent:
            self.broken.append(sound.stem)
        return super()._start(sound, channel, volume)


class Evening(RuleBasedStateMachine):
    """An evening of play: the game falls silent and speaks again while everything is tried."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.guard = SilenceGuard()
        self.boxes = [self.box(SoundSettings(backend="simulated"))]
        self.spy = Spy(self.guard)

    def box(self, chosen: SoundSettings) -> SoundBox:
        return SoundBox(self.guard, chosen, Path(self.folder.name))

    @rule(cues=st.booleans(), speech=st.booleans(), volume=st.floats(0, 1))
    def configure(self, cues: bool, speech: bool, volume: float) -> None:
        chosen = SoundSettings(backend="simulated", cues=cues, speech=speech, volume=volume)
        if len(self.boxes) < 4:
            self.boxes.append(self.box(chosen))

    @rule(name=st.sampled_from(sorted(MAKERS)))
    def cue(self, name: str) -> None:
        heard = [box.cue(name) for box in self.boxes]
        assert not (self.guard.is_silent and any(heard))

    @rule(text=st.text(max_size=20))
    def say(self, text: str) -> None:
        taken = [box.say(text) for box in self.boxes]
        assert not (self.guard.is_silent and any(taken))

    @rule(channel=st.sampled_from(Channel), volume=st.floats(0, 1))
    def play_directly(self, channel: Channel, volume: float) -> None:
        for output in (self.spy, *(box.output for box in self.boxes)):
            assert output.play(CUE, channel, volume) != self.guard.is_silent

    @rule()
    def fall_silent(self) -> None:
        self.boxes[0].silence()

    @rule()
    def speak_again(self) -> None:
        self.boxes[0].allow()

    @invariant()
    def silence_is_silence(self) -> None:
        assert self.spy.broken == []
        if self.guard.is_silent:
            for output in (self.spy, *(box.output for box in self.boxes)):
                assert not any(output.is_playing(channel) for channel in Channel)

    def teardown(self) -> None:
        for box in self.boxes:
            box.close()
        self.folder.cleanup()


TestEvening = Evening.TestCase
TestEvening.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)


def test_it_starts_silent() -> None:
    guard = SilenceGuard()
    output = RecordedOutput(guard)
    assert not output.play(CUE)
    assert output.played == []


def test_what_sounds_stops_before_silence_returns() -> None:
    guard = SilenceGuard()
    guard.allow()
    output = RecordedOutput(guard)
    assert output.play(CUES / "win.wav")
    guard.silence()
    assert not output.is_playing(Channel.CUE)


def test_no_sound_slips_through_while_silence_begins() -> None:
    guard = SilenceGuard()
    spy = Spy(guard)
    stop = threading.Event()

    def play() -> None:
        while not stop.is_set():
            spy.play(CUE)

    threads = [threading.Thread(target=play) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(200):
        guard.allow()
        guard.silence()
        assert not spy.is_playing(Channel.CUE)
    stop.set()
    for thread in threads:
        thread.join()
    assert spy.broken == []


@given(st.lists(st.sampled_from(["silence", "allow", "play"]), max_size=60))
def test_a_sound_is_played_exactly_when_it_is_allowed(acts: list[str]) -> None:
    guard = SilenceGuard()
    output = RecordedOutput(guard)
    allowed, expected = False, 0
    for act in acts:
        if act == "play":
            expected += allowed
            assert output.play(CUE) == allowed
        else:
            allowed = act == "allow"
            getattr(guard, act)()
    assert output.played == [PlayedSound("tick", Channel.CUE, 1.0)] * expected


def test_an_adapter_with_a_way_round_cannot_even_be_defined() -> None:
    with pytest.raises(TypeError, match="guard"):
        type("Sneaky", (SilentOutput,), {"play": lambda self: True})


def test_an_adapter_without_a_guard_cannot_be_made() -> None:
    for adapter in (MixerOutput, RecordedOutput, SilentOutput):
        with pytest.raises(TypeError):
            adapter()  # type: ignore[call-arg]
    assert {one.__name__ for one in AudioOutput.__subclasses__()} >= {
        "MixerOutput",
        "RecordedOutput",
        "SilentOutput",
    }


def test_only_the_outputs_touch_a_device() -> None:
    """Nothing else names pygame, and the engine's own `say` is never called: the guard can't be avoided."""
    house = Path(sounds.__file__).parent.parent
    for room in ("companion", "hardware", "sounds", "vision"):
        for file in (house / room).rglob("*.py"):
            words = re.findall(r"\b(?:mixer|aplay|paplay|winsound|sounddevice|simpleaudio)\b", file.read_text())
            assert not words or file.name == "outputs.py", file
    for file in Path(sounds.__file__).parent.glob("*.py"):
        tree = ast.parse(file.read_text())
        imports = {
            name.name.split(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in (node.names if isinstance(node, ast.Import) else [ast.alias(node.module or "")])
        }
        assert ("pygame" in imports) == (file.name == "outputs.py"), file
        assert ("pyttsx3" in imports) == (file.name == "voice_process.py"), file
        if file.name == "voice_process.py":
            calls = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
            assert "save_to_file" in calls
            assert "say" not in calls
