"""Which pinout a command works on, and how its errors reach the person."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from companion.catalogue import _, current
from companion.telling import tell
from companion.text import N_

if TYPE_CHECKING:
    from hardware.pinout import Pinout

PINS = N_("A TOML file whose table “panel” names the pins; without it, the default panel.")


def chosen_pinout(config: Path | None) -> Pinout:
    """The pinout of a configuration file, or the default one."""
    from companion.settings.file import contents, read
    from hardware.pinout import DEFAULT, from_config

    if config is None:
        return DEFAULT
    try:
        written, complaints = read(contents(config), config)
    except (OSError, ValueError, RecursionError) as error:
        fail(_(N_("{path} can't be read: {reason}"), path=config, reason=error))
    for complaint in complaints:
        tell(current.say(complaint), typer.colors.YELLOW)
    return from_config(written.section("panel"))


def fail(text: str) -> typer.Exit:
    """End with a sentence on stderr."""
    typer.echo(text, err=True)
    raise typer.Exit(2)


@contextmanager
def explained() -> Iterator[None]:
    """Turn the panel's errors into sentences in the person's language."""
    from hardware.errors import PanelError

    try:
        yield
    except PanelError as error:
        fail(error.notice.render(current.translate))
