"""What the eye's verbs share: finding a deck, and saying what went wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from companion.catalogue import current

if TYPE_CHECKING:
    from vision.errors import VisionError


def complain(problem: VisionError | str) -> None:
    """Say what went wrong, in the person's language, on stderr."""
    text = problem if isinstance(problem, str) else current.say(problem.template, **problem.values)
    typer.echo(text, err=True)


def deck_folder(deck: str) -> Path:
    """The folder of a deck given as a path or as the name of a deck that comes with Hush."""
    from companion.table.decks import DECKS, drawn_deck

    given = Path(deck)
    if deck in DECKS and not given.exists():
        return drawn_deck(deck)
    return given
