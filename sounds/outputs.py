"""Where sound comes out: pygame's mixer, a recording for tests and simulations, or nowhere."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.text import N_, Text
from sounds.guard import AudioOutput, Channel, SilenceGuard
from sounds.loudness import SAMPLE_RATE, read_wav

SOUND_RETRY_SECONDS = 30.0
_SPEECH_CHANNEL = 0
_CUE_CHANNELS = range(1, 6)
_BUFFER = 1024
# pygame greets on stdout unless told not to.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


@contextmanager
def quiet_stderr() -> Iterator[None]:
    """Keep a C library's complaints to itself."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


class MixerOutput(AudioOutput):
    """pygame's mixer. A missing or busy device is said once, and tried again later; play goes on silently.

    The device is open only while sound is allowed.
    """

    def __init__(
        self,
        guard: SilenceGuard,
        tell: Callable[[Text], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ):
        super().__init__(guard)
        self._tell = tell or (lambda notice: None)
        self._clock = clock
        self._retry_at = float("-inf")
        self._sounds: dict[Path, Any] = {}
        self._lock = threading.RLock()
        self._next_channel = 0
        self._is_open = False
        self._closed = False

    def stop(self, channel: Channel) -> None:
        """End what a channel plays."""
        with self._lock:
            if not self._is_open:
                return
            import pygame

            for number in self._numbers(channel):
                pygame.mixer.Channel(number).stop()

    def is_playing(self, channel: Channel) -> bool:
        """Whether a channel sounds now."""
        with self._lock:
            if not self._is_open:
                return False
            import pygame

            return any(pygame.mixer.Channel(number).get_busy() for number in self._numbers(channel))

    def close(self) -> None:
        """Give the device back for good."""
        with self._lock:
            self._closed = True
            self._cut()

    @staticmethod
    def _numbers(channel: Channel) -> Sequence[int]:
        return _CUE_CHANNELS if channel is Channel.CUE else (_SPEECH_CHANNEL,)

    def _start(self, sound: Path, channel: Channel, volume: float) -> bool:
        with self._lock:
            if not self._opened():
                return False
            import pygame

            if sound not in self._sounds:
                # Sentences come and go; cues stay.
                if channel is Channel.SPEECH:
                    return self._begin(pygame.mixer.Sound(str(sound)), channel, volume)
                self._sounds[sound] = pygame.mixer.Sound(str(sound))
            return self._begin(self._sounds[sound], channel, volume)

    def _begin(self, sound: Any, channel: Channel, volume: float) -> bool:
        import pygame

        mixer = pygame.mixer.Channel(self._cue_channel() if channel is Channel.CUE else _SPEECH_CHANNEL)
        mixer.set_volume(volume)
        mixer.play(sound)
        # Playing a sound resets the channel's volume.
        mixer.set_volume(volume)
        return True

    def _cue_channel(self) -> int:
        """A free channel for a cue, or the next in turn. The mixer's own search would take reserved ones."""
        import pygame

        for number in _CUE_CHANNELS:
            if not pygame.mixer.Channel(number).get_busy():
                return number
        self._next_channel += 1
        return _CUE_CHANNELS[self._next_channel % len(_CUE_CHANNELS)]

    def _cut(self) -> None:
        # Closing the device also drops what its buffer still holds.
        with self._lock:
            if self._is_open:
                import pygame

                pygame.mixer.stop()
                self._sounds.clear()
                pygame.mixer.quit()
                self._is_open = False

    def _opened(self) -> bool:
        if self._is_open:
            return True
        if self._closed or self._clock() < self._retry_at:
            return False
        import pygame

        try:
            # ALSA complains on stderr at every try; the first time is enough.
            with quiet_stderr() if self.fault else nullcontext():
                pygame.mixer.init(SAMPLE_RATE, -16, 1, _BUFFER, allowedchanges=0)
        except pygame.error as error:
            self._retry_at = self._clock() + SOUND_RETRY_SECONDS
            if self.fault is None:
                self.fault = Text(N_("No sound: {reason}. The game goes on in light."), {"reason": str(error)})
                self._tell(self.fault)
            return False
        pygame.mixer.set_num_channels(_CUE_CHANNELS.stop)
        self._is_open = True
        if self.fault is not None:
            self.fault = None
            self._tell(Text(N_("The sound is back.")))
        return True


class PlayedSound(Struct, frozen=True):
    """One sound that was played."""

    sound: str
    channel: Channel
    volume: float


class RecordedOutput(AudioOutput):
    """Plays nothing and remembers everything. Sounds last as long as they would."""

    def __init__(self, guard: SilenceGuard, clock: Callable[[], float] = time.monotonic):
        super().__init__(guard)
        self.played: list[PlayedSound] = []
        self._clock = clock
        self._ends: dict[Channel, float] = {}
        self._closed = False

    def stop(self, channel: Channel) -> None:
        """End what a channel plays."""
        self._ends.pop(channel, None)

    def is_playing(self, channel: Channel) -> bool:
        """Whether a channel would sound now."""
        return self._clock() < self._ends.get(channel, float("-inf"))

    def close(self) -> None:
        """Play nothing any more."""
        self._closed = True
        self._cut()

    def _start(self, sound: Path, channel: Channel, volume: float) -> bool:
        if self._closed:
            return False
        self.played.append(PlayedSound(sound.stem, channel, volume))
        self._ends[channel] = self._clock() + len(read_wav(sound)) / SAMPLE_RATE
        return True

    def _cut(self) -> None:
        self._ends.clear()


class SilentOutput(AudioOutput):
    """For a box without a voice."""

    def stop(self, channel: Channel) -> None:
        """Let nothing play."""

    def is_playing(self, channel: Channel) -> bool:
        """Never."""
        return False

    def close(self) -> None:
        """Nothing to close."""

    def _start(self, sound: Path, channel: Channel, volume: float) -> bool:
        return False

    def _cut(self) -> None:
        """Nothing to cut."""
