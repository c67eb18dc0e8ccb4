"""Speech: the queue, the cache, and the real espeak-ng in its own process."""

from __future__ import annotations

import inspect
import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from companion import bootstrap
from companion.text import Text
from sounds.box import SoundBox, SoundSettings
from sounds.guard import Channel, SilenceGuard
from sounds.loudness import SAMPLE_RATE, loudness, read_wav, write_wav
from sounds.outputs import RecordedOutput
from sounds.speech import SPEECH_LOUDNESS, Speaker, SpeechCache
from sounds.voice_process import VoiceOrder, write
from sounds.voices import MAX_FAILURES, REST_SECONDS, VOICES, EspeakVoice, HummedVoice, NoVoice, Voice
from tests.patience import PATIENCE, eventually

needs_espeak = pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="espeak-ng is not installed: sudo apt-get install espeak-ng"
)
SENTENCES = {
    "en": "Seven of Cups. The hunt hears you.",
    "nl": "Bekers zeven. De jacht hoort jullie.",
    "es": "Siete de Copas. La caza os oye.",
    "pl": "Siódemka kielichów. Łowy was słyszą, ćśźż.",
}


class SlowVoice(HummedVoice):
    """Writes only when it's let, and remembers the order."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.go = threading.Event()
        self.written: list[str] = []

    def write(self, text: str, language: str, path: Path) -> bool:
        self.begun.set()
        self.go.wait(PATIENCE)
        self.written.append(text)
        return super().write("", language, path)


@pytest.fixture
def guard() -> SilenceGuard:
    guard = SilenceGuard()
    guard.allow()
    return guard


class Booth:
    def __init__(self, guard: SilenceGuard, folder: Path, voice: Voice | None = None):
        self.now = 0.0
        self.voice = voice or SlowVoice()
        self.output = RecordedOutput(guard)
        self.cache = SpeechCache(folder)
        self.speaker = Speaker(self.voice, self.output, guard, self.cache, clock=lambda: self.now)

    def said(self) -> int:
        return sum(one.channel is Channel.SPEECH for one in self.output.played)

    def rest(self) -> None:
        eventually(lambda: self.speaker.is_idle)


@pytest.fixture
def booth(guard: SilenceGuard, tmp_path: Path) -> Iterator[Booth]:
    booth = Booth(guard, tmp_path)
    yield booth
    assert isinstance(booth.voice, SlowVoice)
    booth.voice.go.set()
    booth.speaker.close()


def test_sentences_are_said_in_their_order(booth: Booth) -> None:
    assert isinstance(booth.voice, SlowVoice)
    for text in ("first", "one", "two"):
        assert booth.speaker.say(text, "en")
    booth.voice.go.set()
    booth.rest()
    assert booth.voice.written == ["first", "one", "two"]
    assert booth.said() == 3


def test_a_stale_sentence_is_dropped(booth: Booth) -> None:
    assert isinstance(booth.voice, SlowVoice)
    booth.speaker.say("now", "en", within=5)
    booth.speaker.say("old", "en", within=1)
    booth.speaker.say("late", "en", within=60)
    booth.now = 3
    booth.voice.go.set()
    booth.rest()
    assert booth.voice.written == ["now", "late"]
    assert booth.said() == 2


def test_a_sentence_that_went_stale_while_it_was_made_is_not_said(booth: Booth) -> None:
    assert isinstance(booth.voice, SlowVoice)
    booth.speaker.say("slow", "en", within=1)
    assert booth.voice.begun.wait(PATIENCE)
    booth.now = 2
    booth.voice.go.set()
    booth.rest()
    assert booth.said() == 0


def test_nothing_is_queued_or_said_in_silence(booth: Booth, guard: SilenceGuard) -> None:
    assert isinstance(booth.voice, SlowVoice)
    booth.speaker.say("being made when silence begins", "en")
    assert booth.voice.begun.wait(PATIENCE)
    guard.silence()
    booth.speaker.hush()
    assert not booth.speaker.say("no", "en")
    booth.voice.go.set()
    booth.rest()
    assert booth.said() == 0


def test_what_was_to_be_said_before_a_silence_is_not_said_after_it(booth: Booth, guard: SilenceGuard) -> None:
    assert isinstance(booth.voice, SlowVoice)
    booth.speaker.say("before", "en")
    guard.silence()
    guard.allow()
    booth.speaker.say("after", "en")
    booth.voice.go.set()
    booth.rest()
    assert booth.voice.written == ["before", "after"]
    assert booth.said() == 1


def test_a_sentence_is_made_once(booth: Booth, tmp_path: Path) -> None:
    assert isinstance(booth.voice, SlowVoice)
    booth.voice.go.set()
    for _ in range(3):
        booth.speaker.say("again", "en")
    booth.speaker.say("again", "nl")
    booth.rest()
    assert booth.voice.written == ["again", "again"], "once for each language"
    assert booth.said() == 4
    assert len(list(tmp_path.glob("*.wav"))) == 2


def test_the_cache_keeps_the_latest(tmp_path: Path) -> None:
    cache = SpeechCache(tmp_path, most=3)
    for n in range(6):
        file = cache.get(str(n), "en", HummedVoice())
        assert file is not None
        os.utime(file, (n, n))
    kept = {file.name for file in tmp_path.glob("*")}
    assert kept == {cache.path(str(n), "en").name for n in (3, 4, 5)}


def test_a_voice_that_fails_leaves_no_file(tmp_path: Path, guard: SilenceGuard) -> None:
    booth = Booth(guard, tmp_path, NoVoice())
    booth.speaker.say("hello", "en")
    booth.rest()
    assert booth.said() == 0
    assert list(tmp_path.glob("*")) == []
    booth.speaker.close()


def test_an_unknown_language_is_refused(booth: Booth) -> None:
    with pytest.raises(ValueError, match="en, nl, es, pl"):
        booth.speaker.say("hei", "fi")


VOICE_CONTRACT = {"hummed": HummedVoice, "espeak": partial(EspeakVoice, limit=PATIENCE), "none": NoVoice}


@pytest.mark.parametrize("name", VOICE_CONTRACT)
def test_every_voice_writes_a_file_or_says_it_did_not(name: str, tmp_path: Path) -> None:
    if name == "espeak" and shutil.which("espeak-ng") is None:
        pytest.skip("espeak-ng is not installed")
    voice = VOICE_CONTRACT[name]()
    path = tmp_path / "hello.wav"
    written = voice.write("Hello", "en", path)
    assert written == path.is_file() == (name != "none")
    if written:
        assert len(read_wav(path)) > SAMPLE_RATE / 10
    voice.close()
    voice.close()


@needs_espeak
def test_espeak_speaks_four_languages_and_each_differs(tmp_path: Path) -> None:
    voice = EspeakVoice(limit=PATIENCE)
    spoken = {}
    for language, text in SENTENCES.items():
        path = tmp_path / f"{language}.wav"
        assert voice.write(text, language, path)
        spoken[language] = read_wav(path)
        assert 1.0 < len(spoken[language]) / SAMPLE_RATE < 8.0
        assert loudness(spoken[language]) > -35
    assert voice.starts == 1, "one process serves them all"
    # The same words in another voice must sound different, or the voice wasn't changed.
    for language in VOICES:
        assert voice.write("Silencio, siete.", language, tmp_path / f"same-{language}.wav")
    same = [read_wav(tmp_path / f"same-{language}.wav") for language in VOICES]
    assert len({len(one) for one in same}) == 4 or len({one.tobytes() for one in same}) == 4
    voice.close()


@needs_espeak
def test_the_whole_way_from_a_sentence_to_the_output(tmp_path: Path) -> None:
    guard = SilenceGuard()
    guard.allow()
    booth = Booth(guard, tmp_path, EspeakVoice(limit=PATIENCE))
    booth.speaker.say("Siete de Copas", "es", within=PATIENCE)
    eventually(lambda: booth.said() == 1)
    booth.speaker.close()


@needs_espeak
def test_all_voices_are_equally_loud_in_the_end(tmp_path: Path) -> None:
    voice, cache = EspeakVoice(limit=PATIENCE), SpeechCache(tmp_path)
    for language, text in SENTENCES.items():
        path = cache.get(text, language, voice)
        assert path is not None
        assert loudness(read_wav(path)) == pytest.approx(SPEECH_LOUDNESS, abs=1.0)
    voice.close()


def test_a_sentence_that_cannot_be_said_does_not_end_the_voice(
    guard: SilenceGuard, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Garbled(HummedVoice):
        def write(self, text: str, language: str, path: Path) -> bool:
            if text == "garbled":
                path.write_bytes(b"no sound at all")
                return True
            return super().write(text, language, path)

    booth = Booth(guard, tmp_path, Garbled())
    booth.speaker.say("garbled", "en")
    booth.speaker.say("clear", "en")
    booth.rest()
    assert booth.said() == 1
    assert "speech" in caplog.text
    booth.speaker.close()


class FlakyEngine:
    """pyttsx3's engine on a bad day: the first files are empty."""

    def __init__(self, empty: int):
        self.empty = empty
        self.path = ""

    def setProperty(self, name: str, value: object) -> None: ...

    def save_to_file(self, text: str, path: str) -> None:
        self.path = path

    def runAndWait(self) -> None:
        write_wav(Path(self.path), np.zeros(0) if self.empty > 0 else np.full(99, 0.1))
        self.empty -= 1


@pytest.mark.parametrize(("empty", "written"), [(0, True), (2, True), (3, False)])
def test_a_file_without_sound_is_written_again(empty: int, written: bool, tmp_path: Path) -> None:
    order = VoiceOrder("hello", VOICES["en"], 155, str(tmp_path / "a.wav"), 5)
    assert write(FlakyEngine(empty), order) == written


def test_the_flaky_engine_has_the_real_ones_methods() -> None:
    from pyttsx3.engine import Engine

    for name in ("setProperty", "save_to_file", "runAndWait"):
        real = inspect.signature(getattr(Engine, name)).parameters
        ours = inspect.signature(getattr(FlakyEngine, name)).parameters
        assert len(real) >= len(ours)


HANGS = (sys.executable, "-c", "import time; time.sleep(600)")
DIES = (sys.executable, "-c", "pass")
MISSING = ("/nonexistent/python",)


def test_a_hanging_voice_is_killed_in_time_and_started_anew(tmp_path: Path) -> None:
    voice = EspeakVoice(limit=0.3, command=HANGS)
    began = time.monotonic()
    assert not voice.write("hello", "en", tmp_path / "a.wav")
    assert time.monotonic() - began < PATIENCE
    assert voice._process is None, "killed"
    assert not voice.write("hello", "en", tmp_path / "a.wav")
    assert voice.starts == 2
    voice.close()


@needs_espeak
def test_after_a_hang_the_voice_speaks_again(tmp_path: Path) -> None:
    voice = EspeakVoice(limit=0.3, command=HANGS)
    assert not voice.write("hello", "en", tmp_path / "a.wav")
    voice._command = (sys.executable, "-m", "sounds.voice_process")
    voice._limit = PATIENCE
    assert voice.write("hello", "en", tmp_path / "a.wav")
    assert np.any(read_wav(tmp_path / "a.wav"))
    voice.close()


@needs_espeak
def test_a_voice_that_was_killed_from_outside_comes_back(tmp_path: Path) -> None:
    voice = EspeakVoice(limit=PATIENCE)
    assert voice.write("one", "en", tmp_path / "1.wav")
    assert voice._process is not None
    voice._process.kill()
    voice._process.wait()
    assert voice.write("two", "en", tmp_path / "2.wav")
    assert voice.starts == 2
    voice.close()


@pytest.mark.parametrize("command", [DIES, MISSING])
def test_a_voice_that_fails_again_and_again_rests_and_says_so_once(command: tuple[str, ...], tmp_path: Path) -> None:
    told: list[Text] = []
    now = [0.0]
    voice = EspeakVoice(limit=5, tell=told.append, command=command, clock=lambda: now[0])
    for _ in range(MAX_FAILURES):
        assert not voice.write("hello", "en", tmp_path / "a.wav")
    starts = voice.starts
    assert len(told) == 1
    assert "espeak-ng" in str(told[0])
    assert not voice.write("hello", "en", tmp_path / "a.wav")
    assert voice.starts == starts, "it rests"
    now[0] += REST_SECONDS + 1
    for _ in range(MAX_FAILURES):
        assert not voice.write("hello", "en", tmp_path / "a.wav")
    assert len(told) == 1
    voice.close()


def test_an_unknown_cue_is_refused(tmp_path: Path) -> None:
    with (
        SoundBox(SilenceGuard(), SoundSettings(backend="silent"), tmp_path) as box,
        pytest.raises(ValueError, match="kazoo"),
    ):
        box.cue("kazoo")


def test_set_up_knows_whether_the_voice_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[tuple[str, ...]] = []

    def refuse(*packages: str) -> bool:
        asked.append(packages)
        return False

    monkeypatch.setattr(bootstrap, "apt_install", refuse)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not bootstrap.ensure_voice()
    assert asked == [("espeak-ng",)]
    program = tmp_path / "espeak-ng"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert bootstrap.ensure_voice()
    assert len(asked) == 1, "what is there isn't installed again"


def test_a_disk_without_room_is_told_once_and_speech_comes_back_with_it(guard: SilenceGuard, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the folder's place")
    told: list[Text] = []
    settings = SoundSettings(backend="simulated")
    with SoundBox(guard, settings, tmp_path / "state" / "speech", told.append) as box:
        for sentence in ("One.", "Two."):
            assert box.say(sentence)
            eventually(lambda: box.is_idle)
        assert [notice.template for notice in told] == ["Speech can't be kept on disk: {reason}"]
        (tmp_path / "state").unlink()
        assert box.say("Three.")
        eventually(lambda: box.is_idle)
        assert len(list((tmp_path / "state" / "speech").glob("*.wav"))) == 1
    assert len(told) == 1
