"""`companion enrol`: teach the eye a deck that a person owns, card by card."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.catalogue import _
from companion.commands.eye.common import complain
from companion.games.text import N_


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("enrol", help=_(N_("Teach Hush the cards of a deck you own.")))(enrol)


def enrol(
    deck: Annotated[str, typer.Argument(help=_(N_("Which deck: silencio, fables, history, tarot or cisza.")))],
    folder: Annotated[Path | None, typer.Option(help=_(N_("Where to keep the pictures.")))] = None,
    camera: Annotated[str, typer.Option(help=_(N_("The camera: pi, usb, usb:1, or files.")))] = "usb",
    again: Annotated[str | None, typer.Option(help=_(N_("Take this card's picture again.")))] = None,
) -> None:
    """Ask for one card after the other; what is done stays done."""
    from vision.art import DECKS
    from vision.decks.enrol import Enrolment
    from vision.errors import VisionError

    if deck not in DECKS:
        complain(_(N_("There is no deck {deck}; there are {known}."), deck=deck, known=", ".join(DECKS)))
        raise typer.Exit(1)
    make, size = DECKS[deck]
    names = list(dict.fromkeys(f"{art.card}-{art.face}" if art.face else art.card for art in make()))
    try:
        enrolment = Enrolment(folder or Path("decks") / deck, names, size)
        if again:
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
            done=len(names) - len(enrolment.missing()),
            all=len(names),
        )
    )


def _take_all(enrolment: object, camera: str) -> None:
    from vision.cameras import open_camera
    from vision.decks.enrol import Enrolment

    assert isinstance(enrolment, Enrolment)
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
