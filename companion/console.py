"""Saying a sentence in the terminal, by whoever has one; a terminal that can't take it stops nothing."""

from __future__ import annotations

import typer

from companion import streams


def tell(sentence: str, colour: str | None = None, err: bool = True) -> None:
    """A sentence on stderr, or on stdout, in a colour where there are any."""
    try:
        typer.secho(sentence, err=err, fg=colour)
    except OSError:
        # Nobody hears it: a full disk behind it, a pipe that was closed.
        streams.discard_output(2 if err else 1)
