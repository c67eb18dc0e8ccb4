"""Which parts a command works on, and how its errors reach the person."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from companion.catalogue import _, current
from companion.console import tell
from companion.text import N_, Text

if TYPE_CHECKING:
    from hardware.outfit import Outfit

PINS = N_("A TOML file whose tables “panel”, “strip” and “display” name the parts; without it, the box's own.")
EASY = N_("The easy panel: a strip, a display and four buttons.")


def chosen_outfit(config: Path | None, *, is_easy: bool = False) -> Outfit:
    """The parts that a configuration file names, or the box's own configuration, or the easy panel's."""
    from companion.settings.effective import outfit_of
    from companion.settings.file import contents, load, read
    from hardware.outfit import EASY_PANEL

    if is_easy:
        return EASY_PANEL
    try:
        written, complaints = load() if config is None else read(contents(config), config)
    except (OSError, ValueError, RecursionError) as error:
        fail(_(N_("{path} can't be read: {reason}"), path=config, reason=why(error)))
    for complaint in complaints:
        tell(current.say(complaint), typer.colors.YELLOW)
    wrong: list[Text] = []
    outfit = outfit_of(written, {"backend": "pi", "language": current.language}, wrong)
    if wrong:
        fail("\n".join(current.say(problem) for problem in wrong))
    return outfit


def why(error: Exception) -> object:
    """What is wrong, without the number and the path that a system error repeats."""
    return getattr(error, "strerror", None) or error


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
