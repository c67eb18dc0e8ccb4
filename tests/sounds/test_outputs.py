"""The outputs: one contract for all, and pygame's mixer on SDL's dummy and disk drivers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.text import Text
from sounds.guard import AudioOutput, Channel, SilenceGuard
from sounds.loudness import read_wav
from sounds.make import CUES
from sounds.outputs import SOUND_RETRY_SECONDS, MixerOutput, RecordedOutput, SilentOutput
from tests.patience import PATIENCE, eventually

WIN, TICK = CUES / "win.wav", CUES / "tick.wav"


@pytest.fixture
def guard() -> SilenceGuard:
    guard = SilenceGuard()
    guard.allow()
    return guard


@pytest.fixture(params=["mixer", "recorded"])
def output(
    request: pytest.FixtureRequest, guard: SilenceGuard, monkeypatch: pytest.MonkeyPatch
) -> Iterator[AudioOutput]:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    made = MixerOutput(guard) if request.param == "mixer" else RecordedOutput(guard)
    yield made
    made.close()


@pytest.mark.parametrize("channel", Channel)
def test_a_sound_plays_and_ends(output: AudioOutput, channel: Channel) -> None:
    assert output.play(WIN, channel)
    assert output.is_playing(channel), "it lasts for a second; a tick may be over on a busy machine"
    assert output.play(TICK, channel)
    eventually(lambda: not output.is_playing(channel))


@pytest.mark.parametrize("channel", Channel)
def test_a_sound_plays_until_it_is_stopped(output: AudioOutput, channel: Channel) -> None:
    assert output.play(WIN, channel)
    output.stop(channel)
    assert not output.is_playing(channel)


def test_channels_do_not_cut_each_other(output: AudioOutput) -> None:
    assert output.play(WIN, Channel.SPEECH)
    for _ in range(12):
        assert output.play(TICK)
    assert output.is_playing(Channel.SPEECH)


def test_silence_cuts_everything_and_sound_comes_back(output: AudioOutput, guard: SilenceGuard) -> None:
    output.play(WIN, Channel.SPEECH)
    output.play(WIN)
    guard.silence()
    assert not any(output.is_playing(channel) for channel in Channel)
    assert not output.play(WIN)
    guard.allow()
    assert not any(output.is_playing(channel) for channel in Channel), "nothing comes back by itself"
    assert output.play(WIN)
    assert output.is_playing(Channel.CUE)


def test_after_close_nothing_plays(output: AudioOutput) -> None:
    output.play(WIN)
    output.close()
    output.close()
    assert not output.play(WIN)
    assert not any(output.is_playing(channel) for channel in Channel)


def test_the_silent_output_takes_everything(guard: SilenceGuard) -> None:
    output = SilentOutput(guard)
    assert not output.play(WIN)
    output.stop(Channel.CUE)
    guard.silence()
    output.close()
    assert not output.is_playing(Channel.CUE)


def test_a_missing_device_is_said_once_and_tried_again_later(
    guard: SilenceGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Text] = []
    now = [0.0]
    output = MixerOutput(guard, told.append, lambda: now[0])
    monkeypatch.setenv("SDL_AUDIODRIVER", "nonesuch")
    for _ in range(5):
        assert not output.play(TICK)
        now[0] += SOUND_RETRY_SECONDS
    assert len(told) == 1
    assert str(told[0]).startswith("No sound: ")
    assert output.fault == told[0]
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    assert output.play(TICK)
    assert output.fault is None
    assert [str(one) for one in told[1:]] == ["The sound is back."]
    output.close()


def test_between_tries_the_device_is_left_alone(guard: SilenceGuard, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    output = MixerOutput(guard, clock=lambda: now[0])
    monkeypatch.setenv("SDL_AUDIODRIVER", "nonesuch")
    assert not output.play(TICK)
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    now[0] = SOUND_RETRY_SECONDS - 1
    assert not output.play(TICK)
    now[0] = SOUND_RETRY_SECONDS + 1
    assert output.play(TICK)
    output.close()


ON_DISK = """
import json, os, sys, time
from pathlib import Path
from sounds.guard import Channel, SilenceGuard
from sounds.loudness import read_wav
from sounds.make import CUES
from sounds.outputs import MixerOutput
guard = SilenceGuard()
output = MixerOutput(guard)

def size():
    return Path(os.environ["SDL_DISKAUDIOFILE"]).stat().st_size

def wait_until(happened):
    while not happened():
        time.sleep(0.01)

def act():
{act}
act()
output.close()
"""


def recorded(act: str, tmp_path: Path) -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    """What went to the sound card: SDL's disk driver writes it to a file."""
    raw = tmp_path / "played.raw"
    body = "\n".join(f"    {line}" for line in act.strip().splitlines())
    # A device that takes a buffer each millisecond, and so doesn't play in real time.
    fast = {"SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIODELAY": "1"}
    environment = {**os.environ, **fast, "SDL_DISKAUDIOFILE": str(raw)}
    done = subprocess.run(
        [sys.executable, "-c", ON_DISK.replace("{act}", body)], env=environment, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0
    return np.frombuffer(raw.read_bytes(), "<i2") if raw.is_file() else np.zeros(0, np.int16)


def test_allowed_sounds_reach_the_device(tmp_path: Path) -> None:
    act = """
guard.allow()
output.play(CUES / "win.wav")
wait_until(lambda: not output.is_playing(Channel.CUE))
grown = size() + 8 * 2048
wait_until(lambda: size() > grown)
"""
    played = recorded(act, tmp_path)
    cue = read_wav(CUES / "win.wav") * 32768
    assert np.abs(played).max() == pytest.approx(np.abs(cue).max(), rel=0.05)
    assert np.sum(played.astype(float) ** 2) == pytest.approx(np.sum(cue.astype(float) ** 2), rel=0.1)


def test_under_the_guard_not_one_sample_reaches_the_device(tmp_path: Path) -> None:
    act = """
for name in ("win", "noise"):
    for channel in Channel:
        assert not output.play(CUES / f"{name}.wav", channel, 1.0)
time.sleep(0.3)
"""
    assert not np.any(recorded(act, tmp_path))


def test_silence_in_the_middle_of_a_sound_ends_it(tmp_path: Path) -> None:
    act = """
guard.allow()
output.play(CUES / "loss.wav")
wait_until(lambda: any(Path(os.environ["SDL_DISKAUDIOFILE"]).read_bytes()))
guard.silence()
assert not output.is_playing(Channel.CUE)
before = size()
output.play(CUES / "win.wav")
time.sleep(0.3)
assert size() == before, "the device is closed"
"""
    assert np.any(recorded(act, tmp_path))


def test_the_recorded_output_tells_what_was_played(guard: SilenceGuard) -> None:
    output = RecordedOutput(guard)
    output.play(TICK, volume=0.5)
    assert json.dumps([one.sound for one in output.played]) == '["tick"]'
