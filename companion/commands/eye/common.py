"""What the eye's verbs share: finding a deck, and saying what went wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from companion.catalogue import _, current

if TYPE_CHECKING:
    from vision.errors import VisionError


def complain(problem: VisionError | str) -> None:
    """Say what went wrong, in the person's language, on stderr."""
    text = problem if isinstance(problem, str) else current.say(problem.text)
    typer.echo(text, err=True)


def deck_folder(deck: str) -> Path:
    """The folder of a deck given as a path or as the name of a deck that comes with Hush. Raises `DeckError`."""
    from companion.table.decks import deck_called, drawn_deck

    given = Path(deck)
    return given if given.exists() or len(given.parts) > 1 else drawn_deck(deck_called(deck).name)


@contextmanager
def progress_shown(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr for long work, where a person watches; gone once the work is done."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(_(what), total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)
