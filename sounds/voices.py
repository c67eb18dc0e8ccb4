"""Who turns a sentence into a WAV file: espeak-ng in its own process, a stand-in that hums, or nobody."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
import numpy as np

from companion.text import N_, Text
from sounds.loudness import SAMPLE_RATE, write_wav
from sounds.voice_process import VoiceAnswer, VoiceOrder

VOICES = {"en": "gmw/en", "nl": "gmw/nl", "es": "roa/es", "pl": "zlw/pl"}
WORDS_A_MINUTE = 155
SENTENCE_SECONDS = 6.0
# After so many failures in a row the voice rests, lest it burns the Pi's time on restarts.
MAX_FAILURES = 3
REST_SECONDS = 60.0


class Voice(ABC):
    """The port: writes a spoken sentence to a file. `fault` says why it can't, if so."""

    fault: Text | None = None

    @abstractmethod
    def write(self, text: str, language: str, path: Path) -> bool:
        """Write the sentence; whether there's a file now. Never raises for a voice that fails."""

    @abstractmethod
    def close(self) -> None:
        """End the voice."""


class EspeakVoice(Voice):
    """pyttsx3 with espeak-ng, in a process that is killed and started anew when it hangs."""

    def __init__(
        self,
        limit: float = SENTENCE_SECONDS,
        tell: Callable[[Text], None] | None = None,
        command: Sequence[str] = (sys.executable, "-m", "sounds.voice_process"),
        clock: Callable[[], float] = time.monotonic,
    ):
        self._limit = limit
        self._tell = tell or (lambda notice: None)
        self._command = tuple(command)
        self._clock = clock
        self._process: subprocess.Popen[bytes] | None = None
        self._failures = 0
        self._rests_until = float("-inf")
        self.starts = 0

    def write(self, text: str, language: str, path: Path) -> bool:
        """Write the sentence within the time limit, or give up on it."""
        if language not in VOICES:
            raise ValueError(f"no voice for {language!r}; there are {', '.join(VOICES)}")
        if self._clock() < self._rests_until:
            return False
        order = VoiceOrder(text, VOICES[language], WORDS_A_MINUTE, str(path), self._limit)
        try:
            problem = self._ask(order)
        except OSError as error:
            problem = str(error)
        if not problem:
            self._failures = 0
            self.fault = None
            return True
        path.unlink(missing_ok=True)
        self._failed(problem)
        return False

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            process, self._process = self._process, None
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    # An order that the process didn't live to read is lost with it.
                    with suppress(BrokenPipeError):
                        pipe.close()

    def _ask(self, order: VoiceOrder) -> str:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(msgspec.json.encode(order) + b"\n")
        process.stdin.flush()
        answer = self._answer(process.stdout.fileno())
        if answer is None:
            return "timeout"
        return answer.problem

    def _answer(self, file: int) -> VoiceAnswer | None:
        end = self._clock() + self._limit
        said = b""
        with selectors.DefaultSelector() as selector:
            selector.register(file, selectors.EVENT_READ)
            while not said.endswith(b"\n"):
                left = end - self._clock()
                if left <= 0 or not selector.select(left):
                    return None
                piece = os.read(file, 4096)
                if not piece:
                    raise OSError("the voice's process has ended")
                said += piece
        return msgspec.json.decode(said, type=VoiceAnswer)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self.close()
        if self._process is None:
            home = str(Path(__file__).resolve().parent.parent)
            paths = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            )
            self.starts += 1
        return self._process

    def _failed(self, problem: str) -> None:
        self.close()
        self._failures += 1
        if self._failures >= MAX_FAILURES:
            self._failures = 0
            self._rests_until = self._clock() + REST_SECONDS
            if self.fault is None:
                self.fault = Text(
                    N_("No voice: {reason}. Is espeak-ng installed? sudo apt-get install espeak-ng"),
                    {"reason": problem},
                )
                self._tell(self.fault)


class HummedVoice(Voice):
    """A stand-in for simulations: a hum as long as the sentence."""

    def write(self, text: str, language: str, path: Path) -> bool:
        """Hum it."""
        t = np.arange(round(SAMPLE_RATE * (0.2 + 0.06 * len(text)))) / SAMPLE_RATE
        write_wav(path, 0.2 * np.sin(2 * np.pi * 180 * t))
        return True

    def close(self) -> None:
        """Nothing to end."""


class NoVoice(Voice):
    """For a box that doesn't speak."""

    def write(self, text: str, language: str, path: Path) -> bool:
        """Nothing is written."""
        return False

    def close(self) -> None:
        """Nothing to end."""
