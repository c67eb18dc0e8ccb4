"""Speaking: a queue whose stale sentences are dropped, and a cache of what was said before.

Sentences become WAV files first and go through the same guarded output as every other sound.
"""

from __future__ import annotations

import hashlib
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from companion.text import N_, Text
from sounds.guard import AudioOutput, Channel, SilenceGuard
from sounds.loudness import matched, read_wav, write_wav
from sounds.voices import VOICES, WORDS_A_MINUTE, Voice

log = logging.getLogger(__name__)
STALE_SECONDS = 8.0
CACHED = 400
# A little above the cues, since words must be understood; the four voices differ by themselves.
SPEECH_LOUDNESS = -23.0
MIXER_POLL_SECONDS = 0.03


class Sentence(Struct, frozen=True):
    """Something to say, until it's stale or silence has come between."""

    text: str
    language: str
    stale_at: float
    silences: int


class SpeechCache:
    """WAV files of sentences, the least recently used ones dropped."""

    def __init__(self, folder: Path, most: int = CACHED):
        self._folder = folder
        self._most = most

    def path(self, text: str, language: str) -> Path:
        """Where a sentence is kept."""
        key = f"{VOICES.get(language, language)}|{WORDS_A_MINUTE}|{text}"
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.wav"

    def get(self, text: str, language: str, voice: Voice) -> Path | None:
        """The file of a sentence, made if need be; None if the voice fails. Raises `OSError` if there is no room."""
        path = self.path(text, language)
        if path.is_file():
            os.utime(path)
            return path
        # Only now: a disk that is full or read-only takes nothing but the voice away, and only as long as it is so.
        self._folder.mkdir(parents=True, exist_ok=True)
        # Written beside and renamed: a half-written file must never be played.
        part = path.with_suffix(".part")
        if not voice.write(text, language, part):
            return None
        write_wav(part, matched(read_wav(part), SPEECH_LOUDNESS))
        part.replace(path)
        self._prune()
        return path

    def _prune(self) -> None:
        files = sorted(self._folder.glob("*.wav"), key=lambda file: file.stat().st_mtime)
        for file in files[: -self._most]:
            file.unlink(missing_ok=True)


class Speaker:
    """Says sentences one after the other, in a thread of its own. Nothing is queued while silence reigns."""

    def __init__(
        self,
        voice: Voice,
        output: AudioOutput,
        guard: SilenceGuard,
        cache: SpeechCache,
        volume: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        tell: Callable[[Text], None] | None = None,
    ):
        self._voice = voice
        self._output = output
        self._guard = guard
        self._cache = cache
        self.volume = volume
        self._clock = clock
        self._tell = tell or (lambda notice: None)
        self._queue: deque[Sentence] = deque()
        self._changed = threading.Condition()
        self._is_busy = False
        self._closed = False
        self._has_told = False
        self._thread = threading.Thread(target=self._run, name="speech", daemon=True)
        self._thread.start()

    def say(self, text: str, language: str, within: float = STALE_SECONDS) -> bool:
        """Say it soon, or not at all: after `within` seconds it's stale. Whether it was taken."""
        if language not in VOICES:
            raise ValueError(f"no voice for {language!r}; there are {', '.join(VOICES)}")
        if self._guard.is_silent or self._closed or not text.strip():
            return False
        with self._changed:
            self._queue.append(Sentence(text, language, self._clock() + within, self._guard.silences))
            self._changed.notify_all()
        return True

    def hush(self) -> None:
        """Forget what was to be said and stop speaking."""
        with self._changed:
            self._queue.clear()
        self._output.stop(Channel.SPEECH)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being said, made or waiting."""
        with self._changed:
            return not self._queue and not self._is_busy

    def close(self) -> None:
        """Stop speaking for good."""
        with self._changed:
            self._closed = True
            self._queue.clear()
            self._changed.notify_all()
        self._output.stop(Channel.SPEECH)
        # The voice may be in the middle of a sentence; ending it ends the wait for it.
        self._voice.close()
        self._thread.join(timeout=5)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._is_busy = False
                while not self._queue and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                sentence = self._queue.popleft()
                self._is_busy = True
            try:
                self._speak(sentence)
            except Exception:
                # One sentence that can't be said must not take the others' voice away.
                log.exception("speech")

    def _speak(self, sentence: Sentence) -> None:
        if self._clock() > sentence.stale_at:
            return
        try:
            path = self._cache.get(sentence.text, sentence.language, self._voice)
        except OSError as error:
            # Once, not with every sentence: the game goes on without a voice.
            if not self._has_told:
                self._has_told = True
                self._tell(Text(N_("Speech can't be kept on disk: {reason}"), {"reason": str(error)}))
            return
        if path is not None:
            self._has_told = False
        if path is None or self._clock() > sentence.stale_at:
            return
        # What belonged before a silence must not burst out after it.
        if sentence.silences != self._guard.silences:
            return
        if self._output.play(path, Channel.SPEECH, self.volume):
            while self._output.is_playing(Channel.SPEECH) and not self._closed:
                time.sleep(MIXER_POLL_SECONDS)
