"""`companion print`: decks, mats, markers, aids and the panel's reference card as PDFs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from companion.catalogue import _, current
from companion.commands.eye.common import complain
from companion.commands.given import effective
from companion.text import N_
from companion.web.words import NO_NETWORK

HELP = N_(
    "Make PDFs to print: decks, mats, table markers, aids, the panel's card.\n\n"
    "Decks come with each sheet's back right behind it: print them on both sides, turned over the long edge, at 100 %. "
    "'companion print list' tells what there is."
)
NO_WIFI = N_("This box has made no Wi-Fi of its own, or only root may read it: sudo companion print wifi")


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("print", help=_(HELP))(print_)


def print_(
    context: typer.Context,
    what: Annotated[str, typer.Argument(help=_(N_("What to print; 'list' tells what there is.")))],
    paper: Annotated[str, typer.Option(help=_(N_("The paper: a4 or letter.")))] = "a4",
    out: Annotated[Path | None, typer.Option(help=_(N_("Where to write the PDF.")))] = None,
    fronts_only: Annotated[
        bool,
        typer.Option("--fronts-only", help=_(N_("For printing on one side: no backs but those with a meaning."))),
    ] = False,
    low_ink: Annotated[
        bool,
        typer.Option(
            "--low-ink", help=_(N_("Less ink: pale mats and backs, and cards as light as the camera can read."))
        ),
    ] = False,
) -> None:
    """Write a PDF with cut marks."""
    from rich.console import Console
    from rich.progress import Progress

    from companion.service.network import standing
    from companion.table.printing import ADDRESS_SHEET, WIFI_SHEET, prints
    from vision.art.sheets import print_pdf
    from vision.errors import VisionError

    what = what.lower()
    wifi = standing().sheet(effective(context).web.port)
    if what == WIFI_SHEET and wifi is None:
        typer.echo(_(NO_WIFI), err=True)
        raise typer.Exit(1)
    printed = prints(current.translate, own_page(context) if what == ADDRESS_SHEET else "", wifi)
    if what == "list":
        wide = max(map(len, printed.sheets))
        typer.echo("\n".join(f"{name:{wide}}  {_(sheet.about)}" for name, sheet in printed.sheets.items()))
        return
    target = out or Path(f"hush-{what}-{paper}.pdf")
    try:
        with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
            # How many pages there are is only known once the words are.
            bar = progress.add_task(what, total=None)
            pages = print_pdf(
                what,
                paper,
                target,
                printed,
                fronts_only=fronts_only,
                low_ink=low_ink,
                on_page=lambda done, total: progress.update(bar, completed=done, total=total),
            )
    except VisionError as error:
        complain(error)
        raise typer.Exit(1) from None
    typer.echo(_(N_("{path} (pages: {pages}). Print at 100 %, not fitted to the page."), path=target, pages=pages))
    if printed.sheets[what].has_backs and not fronts_only:
        typer.echo(_(N_("Print on both sides, turned over the long edge: each sheet's back follows it.")))


def own_page(context: typer.Context) -> str:
    """The page's address for a sheet that hangs for long: by its name where that works. Raises `typer.Exit`."""
    from companion.service.address import address_of, is_elsewhere, named_address

    web = effective(context).web
    address = named_address(web, web.port) or address_of(web, web.port)
    if not is_elsewhere(address):
        typer.echo(_(NO_NETWORK), err=True)
        raise typer.Exit(1)
    return address
