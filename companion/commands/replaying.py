"""Showing a recorded game move by move."""

from __future__ import annotations

from pathlib import Path

import msgspec
from rich.console import Console

from companion.catalogue import _, current
from companion.commands.record import resumed
from companion.commands.rules import NONE_YET, fail
from companion.draw import draw
from companion.journal import BrokenExport, Journal, read_export
from companion.play import Play, tell_step
from companion.table.knowledge import heard
from companion.text import N_


def own(journal: Journal | None, number: int | None) -> Play:
    """A finished game of the box's own journal; what still goes on may have its secrets."""
    over = [] if journal is None else [entry.id for entry in journal.games() if entry.reason]
    if journal is None or not over:
        return fail(_(NONE_YET))  # type: ignore[no-any-return]
    if number is not None and number not in over:
        fail(_(N_("There is no finished game {number}; `companion stats` shows which there are."), number=number))
    return resumed(journal, over[-1] if number is None else number)


def load(file: Path, number: int | None) -> Play:
    """The game in a file: a journal or an export; ends with a clear sentence where it's neither."""
    if not file.is_file():
        fail(_(N_("There is no file {file}."), file=file))
    try:
        with file.open("rb") as opened:
            is_journal = opened.read(15) == b"SQLite format 3"
        if not is_journal:
            with file.open(encoding="utf-8") as lines:
                return read_export(lines)[2]
        journal = Journal(file)
        games = journal.games()
        if not games:
            fail(_(N_("The journal {file} holds no game yet."), file=file))
        wanted = games[-1].id if number is None else number
        if wanted not in [entry.id for entry in games]:
            fail(_(N_("There is no game {number}; there are 1 to {last}."), number=wanted, last=games[-1].id))
        return resumed(journal, wanted)
    except BrokenExport as error:
        if not isinstance(error.__cause__, msgspec.DecodeError) or error.line > 1:
            return fail(current.say(error.reason))  # type: ignore[no-any-return]
        return fail(_(N_("{file} is neither a journal nor an exported game."), file=file))  # type: ignore[no-any-return]
    except UnicodeDecodeError:
        return fail(_(N_("{file} is neither a journal nor an exported game."), file=file))  # type: ignore[no-any-return]


def step_through(play: Play, seat: int | None, wait: bool) -> None:
    """Show each move, its events and the table."""
    console = Console()
    game, history = play.game, play.history
    if seat is not None and not 1 <= seat <= play.state.options.players:
        fail(_(N_("There is no player {seat}."), seat=seat))
    viewer = None if seat is None else seat - 1
    number = 0
    while number < play.number:
        number += 1
        after = play.state_at(number)
        console.print(f"[bold]{number}[/] / {play.number}", highlight=False)
        for text in tell_step(history, number, lambda events: events if seat is None else heard(events, viewer)):
            console.print(f"  {current.say(text)}", highlight=False)
        console.print(draw(game, after if seat is None else game.view(after, viewer)))
        if wait:
            answer = console.input("[dim]⏎ [/]").strip().lower()
            if answer == "q":
                return
            if answer == "b":
                number = max(0, number - 2)
