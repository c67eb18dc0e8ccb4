"""The command line: one program, `companion`, with a verb for each thing a person does with the box."""

from __future__ import annotations

import sys

import typer

from companion.catalogue import _, complaints, current
from companion.commands import COMMANDS
from companion.games.text import N_

app = typer.Typer(
    name="companion",
    help=_(N_("Hush sits beside a silent card game: it keeps the rules and speaks in light.")),
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
for command in COMMANDS:
    command.register(app)


def run() -> None:
    """Run the command line; Ctrl-C and a closed pipe end it quietly."""
    for complaint in complaints:
        typer.secho(current.say(complaint), err=True, fg=typer.colors.YELLOW)
    try:
        app()
    except BrokenPipeError:
        sys.stderr.close()
        raise SystemExit(0) from None
