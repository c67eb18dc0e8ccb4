"""`companion print`: decks, markers, mats and the panel's reference card as PDFs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.catalogue import _, current
from companion.commands.eye.common import complain
from companion.text import N_


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("print", help=_(N_("Make PDFs to print: decks, table markers, mats, the panel's card.")))(print_)


def print_(
    what: Annotated[str, typer.Argument(help=_(N_("What to print; 'list' tells what there is.")))],
    paper: Annotated[str, typer.Option(help=_(N_("The paper: a4 or letter.")))] = "a4",
    out: Annotated[Path | None, typer.Option(help=_(N_("Where to write the PDF.")))] = None,
) -> None:
    """Write a PDF with cut marks."""
    from companion.table.card import prints
    from vision.art.sheets import print_pdf
    from vision.errors import VisionError

    printed = prints(current.translate)
    if what == "list":
        typer.echo("\n".join(printed.things))
        return
    target = out or Path(f"hush-{what}-{paper}.pdf")
    try:
        pages = print_pdf(what, paper, target, printed)
    except VisionError as error:
        complain(error)
        raise typer.Exit(1) from None
    typer.echo(_(N_("{path}: {pages} pages. Print at 100 %, not fitted to the page."), path=target, pages=pages))
