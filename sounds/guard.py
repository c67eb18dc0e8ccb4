"""The silence guard: the one place every sound goes through. While it's silent, nothing sounds.

An output can't be made without a guard, and its `play` belongs to the base class: no adapter has a way round.
"""

from __future__ import annotations

import threading
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import final

from companion.text import Text


class SilenceGuard:
    """Says whether sound is allowed. Starts silent: a box that wakes up in a silent game must not chirp."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._is_silent = True
        self.silences = 0
        self._outputs: weakref.WeakSet[AudioOutput] = weakref.WeakSet()

    @property
    def is_silent(self) -> bool:
        """Whether nothing may sound now."""
        return self._is_silent

    def silence(self) -> None:
        """From now on nothing sounds; what is sounding stops before this returns."""
        with self._lock:
            self._is_silent = True
            self.silences += 1
            for output in list(self._outputs):
                output._cut()

    def allow(self) -> None:
        """Sound is allowed again."""
        with self._lock:
            self._is_silent = False

    def pass_through(self, emit: Callable[[], bool]) -> bool:
        """Make a sound, if that's allowed, while nobody can silence us half-way."""
        with self._lock:
            return not self._is_silent and emit()

    def watch(self, output: AudioOutput) -> None:
        """Remember an output, to cut it off when silence begins."""
        with self._lock:
            self._outputs.add(output)


class Channel(StrEnum):
    """What a sound is for. Each has its own place, so that a cue doesn't cut a sentence."""

    CUE = "cue"
    SPEECH = "speech"


class AudioOutput(ABC):
    """The port: something that can play a WAV file. `fault` says why it's mute, if it is."""

    fault: Text | None = None

    def __init__(self, guard: SilenceGuard):
        self._guard = guard
        guard.watch(self)

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        if "play" in cls.__dict__:
            raise TypeError(f"{cls.__name__} must not have its own play: every sound passes the guard")

    @final
    def play(self, sound: Path, channel: Channel = Channel.CUE, volume: float = 1.0) -> bool:
        """Play a file if the guard allows it; whether it sounds."""
        return self._guard.pass_through(lambda: self._start(sound, channel, volume))

    @abstractmethod
    def stop(self, channel: Channel) -> None:
        """End what a channel plays."""

    @abstractmethod
    def is_playing(self, channel: Channel) -> bool:
        """Whether a channel sounds now."""

    @abstractmethod
    def close(self) -> None:
        """End everything and give the device back."""

    @abstractmethod
    def _start(self, sound: Path, channel: Channel, volume: float) -> bool: ...

    @abstractmethod
    def _cut(self) -> None:
        """Silence, now."""
