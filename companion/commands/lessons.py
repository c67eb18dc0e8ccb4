"""The command that shows what the group was told of each game, and forgets it."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.catalogue import _
from companion.commands.given import effective
from companion.commands.rules import fail, known_game
from companion.kits import NAMES
from companion.text import N_

LESSONS = N_(
    "Show what you were told of each game; `companion lessons reset` forgets it, and every rule is told again.\n\n"
    "With a game's name only that one is shown or forgotten: companion lessons reset GAME"
)
TOLD = N_("{game}: told {told} of {all}, known without being told {shown}.")
KNOWN = N_("{game}: you know it, nothing is told.")
FORGOTTEN = N_("Forgotten: {games}. From the next game on every rule is told again when it first matters.")
RESET = "reset"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(help=_(LESSONS))(lessons)


def lessons(
    context: typer.Context,
    act: Annotated[
        str | None, typer.Argument(metavar="[reset]", help=_(N_("reset, to be told everything again")))
    ] = None,
    game: Annotated[
        str | None, typer.Argument(help=_(N_("one of {games}; else all of them"), games=", ".join(NAMES)))
    ] = None,
) -> None:
    """Show or forget what was told."""
    from companion.session.lesson_memory import LessonMemory
    from companion.table.lessons import course_of

    if act is not None and act != RESET:
        if game is not None:
            fail(_(N_("{act} isn't something to do with lessons: only reset is."), act=act))
        act, game = None, act
    names = NAMES if game is None else (known_game(game),)
    groups = LessonMemory(effective(context).folder)
    if act == RESET:
        groups.forget(None if game is None else names[0])
        typer.echo(_(FORGOTTEN, games=", ".join(name.capitalize() for name in names)))
        return
    for name in names:
        group, course = groups.of(name), course_of(name)
        told = sum(one.key in group.told for one in course.all)
        said = KNOWN if group.is_known else TOLD
        typer.echo(_(said, game=name.capitalize(), told=told, all=len(course.all), shown=len(group.shown)))
