"""`companion doctor`: every part of the box with its standing and what to do; `companion backup`: a copy now."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.catalogue import _, current
from companion.commands.given import effective, given
from companion.text import N_

if TYPE_CHECKING:
    from companion.doctor.finding import Finding

DOCTOR = N_("Check every part of the box and say what to do about what isn't well.")
BACKUP = N_("Make today's copy of the record of games now.")


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command(help=_(DOCTOR))(doctor)
    app.command(help=_(BACKUP))(backup)


def doctor(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help=_(N_("Print the findings as JSON.")))] = False,
    bundle: Annotated[
        Path | None, typer.Option(help=_(N_("Also write a zip for a bug report, with names and addresses taken out.")))
    ] = None,
) -> None:
    """Check the box; the exit code is 1 if there is a fault."""
    import msgspec

    from companion.doctor import examine
    from companion.doctor.bundle import make_bundle
    from companion.doctor.finding import Standing
    from companion.doctor.system import System
    from companion.doctor.tonight import tonight
    from companion.settings.effective import effective_settings

    config, complaints = given(context).config, given(context).complaints
    settings, more = effective_settings(config, current.language)
    system = System(settings, (*complaints, *more))
    found = examine(system)
    findings = [tonight(found), *found]
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode([said(one) for one in findings])).decode())
    else:
        show(findings)
    if bundle is not None:
        try:
            make_bundle(bundle, system, findings, said)
        except OSError as error:
            typer.echo(_(N_("{path} can't be written: {reason}"), path=bundle, reason=error), err=True)
            raise typer.Exit(2) from None
        typer.echo(_(N_("Written: {path}. Look through it before you send it."), path=bundle), err=True)
    if any(one.standing is Standing.FAULT for one in findings):
        raise typer.Exit(1)


def said(finding: Finding) -> dict[str, str]:
    """A finding in the person's language, as a record for programs."""
    words = {"name": finding.name, "standing": finding.standing.value, "said": current.say(finding.said)}
    return words if finding.fix is None else {**words, "fix": current.say(finding.fix)}


def show(findings: list[Finding]) -> None:
    """Whether one can play, and then the findings as a table."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text as RichText

    from companion.doctor import NAMES
    from companion.doctor.finding import STANDINGS, Standing

    colours = {Standing.OK: "green", Standing.WARNING: "yellow", Standing.FAULT: "red"}
    answer, *others = findings
    console = Console()
    console.print(RichText(current.say(answer.said), style=f"bold {colours[answer.standing]}"), end="\n\n")
    table = Table(show_header=False, box=None, pad_edge=False)
    for finding in others:
        words = current.say(finding.said)
        if finding.fix is not None:
            words += f"\n→ {current.say(finding.fix)}"
        standing = RichText(_(STANDINGS[finding.standing]), style=colours[finding.standing])
        table.add_row(standing, _(NAMES[finding.name]), RichText(words))
    console.print(table)


def backup(context: typer.Context) -> None:
    """Copy the record of games now, besides the daily copies the service makes by itself."""
    import sqlite3

    from companion.journal import BrokenJournal
    from companion.service.backups import Backups

    backups = Backups(effective(context).folder / "hush.db")
    try:
        path = backups.make()
    except FileNotFoundError:
        typer.echo(_(N_("No game was played yet.")), err=True)
        raise typer.Exit(1) from None
    except (OSError, sqlite3.Error, BrokenJournal) as error:
        typer.echo(_(N_("No backup was made: {reason}"), reason=error), err=True)
        raise typer.Exit(1) from None
    typer.echo(_(N_("Written: {path}"), path=path))
