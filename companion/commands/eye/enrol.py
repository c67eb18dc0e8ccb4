"""`companion enrol`: teach the eye a deck that a person owns, card by card."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.catalogue import _
from companion.commands.eye.common import complain
from companion.commands.given import given
from companion.text import N_

if TYPE_CHECKING:
    from vision.decks.enrol import Enrolment


TEACHING = N_(
    "Teach Hush the cards of a deck you own, one after the other under the camera.\n\n"
    "Lay each card alone, the way it's read, on a table it stands out from. Stop with q and go on later.\n\n"
    "companion enrol tarot --camera usb\n\n"
    "companion enrol marseille --for tarot\n\n"
    "companion enrol tarot --again wands-07\n\n"
    "A photo of all cards or a folder of pictures is quicker: `companion decks import --help`."
)


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("enrol", help=_(TEACHING))(enrol)


def enrol(
    context: typer.Context,
    deck: Annotated[
        str, typer.Argument(help=_(N_("Which deck; `companion decks` names them. With --for, a name of your own.")))
    ],
    folder: Annotated[
        Path | None, typer.Option(help=_(N_("Where to keep the pictures; else where the box looks for them.")))
    ] = None,
    camera: Annotated[str, typer.Option(help=_(N_("The camera: pi, usb, usb:1, or files.")))] = "usb",
    again: Annotated[str | None, typer.Option(help=_(N_("Take this card's picture again.")))] = None,
    used_for: Annotated[
        str | None, typer.Option("--for", help=_(N_("The game or the deck it's for: the box uses it there.")))
    ] = None,
) -> None:
    """Ask for one card after the other; what is done stays done."""
    from companion.settings.file import state_folder
    from companion.table.decks import deck_called, own_deck
    from vision.decks.enrol import enrolment_of
    from vision.decks.importing import check_ids
    from vision.errors import DeckError, VisionError

    try:
        if used_for and not re.fullmatch(r"[\w-]+", deck):
            raise DeckError(N_("{deck} is no name for a deck: letters, digits, - and _ only"), deck=deck)
        art = deck_called(used_for or deck)
        name = deck if used_for else art.name
        enrolment = enrolment_of(art, folder or own_deck(state_folder(given(context).config), name))
        if again:
            check_ids(iter([(again, "--again")]), enrolment.cards, art.name)
            enrolment.path_of(again).unlink(missing_ok=True)
        _take_all(enrolment, camera)
        pairs = enrolment.finish()
    except VisionError as error:
        complain(error)
        raise typer.Exit(1) from None
    for a, b in pairs:
        typer.echo(_(N_("{a} and {b} look alike: a second picture or better light helps."), a=a, b=b))
    typer.echo(
        _(
            N_("{folder}: {done} of {all} cards"),
            folder=enrolment.folder,
            done=len(enrolment.cards) - len(enrolment.missing()),
            all=len(enrolment.cards),
        )
    )


def _take_all(enrolment: Enrolment, camera: str) -> None:
    from vision.cameras import open_camera

    missing = enrolment.missing()
    if not missing:
        return
    source = open_camera(camera)
    source.open()
    try:
        for number, card in enumerate(missing, start=1):
            typer.echo(
                _(
                    N_("Lay {card} under the camera ({number} of {all})."),
                    card=card,
                    number=number,
                    all=len(missing),
                )
            )
            while True:
                answer = typer.prompt(_(N_("Enter takes it, s skips it, q stops")), default="", show_default=False)
                if answer in ("q", "s"):
                    break
                found = enrolment.find(source.read().picture)
                if found is None:
                    complain(_(N_("There is no card to be seen.")))
                elif found.problem:
                    complain(_(found.problem))
                else:
                    enrolment.keep(card, found)
                    break
            if answer == "q":
                return
    finally:
        source.close()
