"""`companion decks`: list the decks there are, import others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.catalogue import _
from companion.commands.eye.common import complain
from companion.text import N_

TAROT_ASPECT = 120 / 70


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    decks = typer.Typer(help=_(N_("List and import decks.")), no_args_is_help=True)
    decks.command("list", help=_(N_("The decks that come with Hush.")))(list_decks)
    decks.command("import", help=_(N_("Make a deck from a folder, the Arcana Land format or one photo.")))(import_deck)
    app.add_typer(decks, name="decks")


def list_decks() -> None:
    """Names and sizes of the decks that need no enrolment."""
    from companion.table.decks import DECKS

    for name, deck in DECKS.items():
        cards = len({art.card for art in deck.cards()})
        width, height = deck.size
        typer.echo(
            _(
                N_("{name}: {cards} cards, {width} x {height} mm"),
                name=name,
                cards=cards,
                width=width,
                height=height,
            )
        )


def import_deck(
    source: Annotated[Path, typer.Argument(help=_(N_("A folder of pictures, a deck folder, or a photo.")))],
    target: Annotated[Path, typer.Argument(help=_(N_("The new deck's folder.")))],
    names: Annotated[
        Path | None, typer.Option(help=_(N_("For a photo: a text file with one card id on each line.")))
    ] = None,
    aspect: Annotated[
        float, typer.Option(help=_(N_("For a photo: a card's height divided by its width.")))
    ] = TAROT_ASPECT,
) -> None:
    """Copy a deck into a folder of ours."""
    from vision.decks.importing import import_folder, import_photo
    from vision.errors import VisionError

    try:
        if source.is_dir():
            deck = import_folder(source, target)
        elif names is None:
            complain(_(N_("A photo needs --names, a list of its cards in reading order.")))
            raise typer.Exit(1)
        else:
            listed = [line.strip() for line in names.read_text(encoding="utf-8").splitlines() if line.strip()]
            deck = import_photo(source, target, listed, aspect)
    except VisionError as error:
        complain(error)
        raise typer.Exit(1) from None
    except OSError as error:
        complain(str(error))
        raise typer.Exit(1) from None
    typer.echo(_(N_("{folder}: {cards} cards"), folder=target, cards=len(deck.cards)))
