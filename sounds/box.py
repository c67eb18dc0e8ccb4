"""The box's voice as a whole: cues and speech, under one guard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Annotated, Literal, Self

from msgspec import Meta, Struct

from companion.text import N_, Language, Text
from sounds.guard import AudioOutput, Channel, SilenceGuard
from sounds.make import CUES
from sounds.outputs import MixerOutput, RecordedOutput, SilentOutput
from sounds.speech import STALE_SECONDS, Speaker, SpeechCache
from sounds.voices import EspeakVoice, HummedVoice, NoVoice, Voice

# A setting that the page may change.
ON_PAGE = {"on_page": True}


class SoundSettings(Struct, frozen=True):
    """What a configuration says about sound. Whatever it says, a silent game is silent."""

    backend: Annotated[
        Literal["real", "simulated", "silent"],
        Meta(description=N_("the sound card, a simulated one, or none"), extra={"off_pi": "simulated"}),
    ] = "real"
    cues: Annotated[bool, Meta(description=N_("short sounds for what happens"), extra=ON_PAGE)] = True
    speech: Annotated[bool, Meta(description=N_("a voice that says what happens"), extra=ON_PAGE)] = True
    volume: Annotated[float, Meta(ge=0, le=1, description=N_("volume, from 0 to 1"), extra=ON_PAGE)] = 0.7
    language: Annotated[
        Language,
        Meta(description=N_("language of the voice"), extra={"follows": "language"}),
    ] = "en"


class SoundBox:
    """All that the box can be heard to do. It starts silent; `allow` gives it its voice.

    >>> from pathlib import Path
    >>> box = SoundBox(SilenceGuard(), SoundSettings(backend="silent"), Path("/nonexistent"))
    >>> box.cue("accepted")
    False
    >>> box.close()
    """

    def __init__(
        self,
        guard: SilenceGuard,
        settings: SoundSettings,
        cache: Path,
        tell: Callable[[Text], None] | None = None,
    ):
        self.guard = guard
        self.settings = settings
        self.output = make_output(settings, guard, tell)
        self._speaker: Speaker | None = None
        if settings.speech and settings.backend != "silent":
            voice = make_voice(settings, tell)
            kept = SpeechCache(cache)
            self._speaker = Speaker(voice, self.output, guard, kept, settings.volume, tell=tell)

    def silence(self) -> None:
        """A silent game begins: nothing sounds from here on."""
        self.guard.silence()
        if self._speaker is not None:
            self._speaker.hush()

    def allow(self) -> None:
        """Sound is allowed."""
        self.guard.allow()

    def cue(self, name: str) -> bool:
        """Play a cue by its name; whether it sounds."""
        path = CUES / f"{name}.wav"
        if not path.is_file():
            raise ValueError(f"there is no cue {name!r}")
        return self.settings.cues and self.output.play(path, Channel.CUE, self.settings.volume)

    def say(self, text: str, within: float = STALE_SECONDS) -> bool:
        """Say a sentence in the table's language; whether it was taken."""
        return self._speaker is not None and self._speaker.say(text, self.settings.language, within)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being said or waits to be."""
        return self._speaker is None or self._speaker.is_idle

    def close(self) -> None:
        """End everything."""
        if self._speaker is not None:
            self._speaker.close()
        self.output.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def make_output(settings: SoundSettings, guard: SilenceGuard, tell: Callable[[Text], None] | None) -> AudioOutput:
    """The output a configuration names."""
    if settings.backend == "real":
        return MixerOutput(guard, tell)
    return RecordedOutput(guard) if settings.backend == "simulated" else SilentOutput(guard)


def make_voice(settings: SoundSettings, tell: Callable[[Text], None] | None) -> Voice:
    """The voice a configuration names."""
    if settings.backend == "real":
        return EspeakVoice(tell=tell)
    return HummedVoice() if settings.backend == "simulated" else NoVoice()
