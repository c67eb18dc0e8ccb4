"""Sounds and the voice. Before the first game nothing is heard."""

from __future__ import annotations

from collections.abc import Callable

from companion.outputs import Output
from companion.session.events import EventBus, Sounded, SoundRule, Spoken
from companion.text import Text
from sounds.box import SoundBox


class SoundOutput(Output):
    """Plays cues and speaks sentences; `translate` turns texts into the table's language."""

    def __init__(self, sound: SoundBox, translate: Callable[[Text], str] = str):
        self._sound = sound
        self._translate = translate

    def attach(self, bus: EventBus) -> None:
        """Subscribe to what is heard."""
        self._sound.silence()
        bus.subscribe(Sounded, lambda event: self._cue(event.sound))
        bus.subscribe(Spoken, lambda event: self._say(event.text))
        bus.subscribe(SoundRule, self._hush)

    def _cue(self, sound: str) -> None:
        self._sound.cue(sound)

    def _say(self, text: Text) -> None:
        self._sound.say(self._translate(text))

    def _hush(self, event: SoundRule) -> None:
        if event.is_silent:
            self._sound.silence()
        else:
            self._sound.allow()
