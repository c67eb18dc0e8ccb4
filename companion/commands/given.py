"""What every verb is given: the configuration as the entry point has read it, in typer's context."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer
from msgspec import Struct

from companion.catalogue import current
from companion.console import tell
from companion.settings.file import Config
from companion.text import Text

if TYPE_CHECKING:
    from companion.settings.effective import Settings


class Given(Struct, frozen=True):
    """The configuration, and what is wrong with the file itself."""

    config: Config = Config()
    complaints: tuple[Text, ...] = ()


def given(context: typer.Context) -> Given:
    """What this run of the program was given."""
    found = context.obj
    assert isinstance(found, Given)
    return found


def effective(context: typer.Context) -> Settings:
    """The settings, with complaints about them on stderr."""
    from companion.settings.effective import effective_settings

    settings, complaints = effective_settings(given(context).config, current.language)
    complain(complaints)
    return settings


def complain(complaints: list[Text]) -> None:
    """What is wrong in the configuration, on stderr."""
    for complaint in complaints:
        tell(current.say(complaint), typer.colors.YELLOW)
