"""`companion say` and `companion sounds`: try the voice and the cues."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path
from typing import Annotated, cast

import typer

from companion.catalogue import _, current
from companion.text import N_, Language, Text

SPEAK_WITHIN_SECONDS = 30.0


def cache_folder() -> Path:
    """Where spoken sentences are kept."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "hush" / "speech"


def tell(notice: Text) -> None:
    """A fault, in the person's language."""
    typer.echo(notice.render(current.translate), err=True)


def say(
    text: Annotated[str, typer.Argument(help=_(N_("What to say.")))],
    language: Annotated[Language | None, typer.Option(help=_(N_("The voice's language.")))] = None,
    save: Annotated[Path | None, typer.Option(help=_(N_("Write a WAV file instead of speaking.")))] = None,
) -> None:
    """Say a sentence with the box's voice."""
    from sounds.box import SoundBox, SoundSettings
    from sounds.guard import SilenceGuard
    from sounds.voices import EspeakVoice

    # The catalogue has the same four languages.
    spoken = cast(Language, language or current.language)
    if save is not None:
        if not save.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "", str(save.parent))
        voice = EspeakVoice(limit=SPEAK_WITHIN_SECONDS)
        try:
            if not voice.write(text, spoken, save):
                typer.echo(_(N_("The voice wrote nothing. Is espeak-ng installed?")), err=True)
                raise typer.Exit(1)
        finally:
            voice.close()
        typer.echo(_(N_("Written: {path}"), path=save))
        return
    with SoundBox(SilenceGuard(), SoundSettings(language=spoken), cache_folder(), tell) as box:
        box.allow()
        box.say(text, within=SPEAK_WITHIN_SECONDS)
        end = time.monotonic() + SPEAK_WITHIN_SECONDS
        while not box.is_idle and time.monotonic() < end:
            time.sleep(0.05)


def sounds() -> None:
    """Play every cue, one after the other."""
    from sounds.box import SoundBox, SoundSettings
    from sounds.guard import Channel, SilenceGuard
    from sounds.make import MAKERS

    with SoundBox(SilenceGuard(), SoundSettings(speech=False), cache_folder(), tell) as box:
        box.allow()
        for name in MAKERS:
            if not box.cue(name):
                raise typer.Exit(1)
            typer.echo(name)
            while box.output.is_playing(Channel.CUE):
                time.sleep(0.05)
            time.sleep(0.3)


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command("say", help=_(N_("Say a sentence with the box's voice.")))(say)
    app.command("sounds", help=_(N_("Play every cue, one after the other.")))(sounds)
