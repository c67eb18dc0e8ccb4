"""`companion address`: where the page of this box is; `companion pair`: a code that lets one phone in."""

from __future__ import annotations

import sys

import typer

from companion.catalogue import _, current
from companion.commands.given import effective
from companion.text import N_
from companion.web.words import NO_NETWORK

ADDRESS = N_("Print where the page of this box is, with a QR code for a phone.")
PAIR = N_("Make a code that lets one phone in, once, for a box without a panel.")
TYPE_IT = N_("Type this on the phone: {code}. It lets one phone in, within ten minutes.")
NOT_YOURS = N_("You may not write into {path}. Try: sudo companion pair")
NO_BOX = N_("No box has run here yet: there is no folder {path}.")
HERE = N_("The page of this box: {address}")
OR_ELSE = N_("If the phone doesn't find that name: {address}")
OWN = N_("Where there is no other, the box opens a Wi-Fi of its own. {words}")
FOR_ROOT = N_("Its Wi-Fi's password is shown to root alone: sudo companion address")
NO_PAGE = N_("This box serves no page: web.enabled is false in its configuration.")


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command(help=_(ADDRESS))(address)
    app.command(help=_(PAIR))(pair)


def address(context: typer.Context) -> None:
    """Print the addresses; the exit code is 1 if there is none that a phone could open."""
    import segno

    from companion.service.address import address_of, is_elsewhere, named_address

    show_own_network()
    web = effective(context).web
    if not web.enabled:
        typer.echo(_(NO_PAGE), err=True)
        raise typer.Exit(1)
    plain = address_of(web, web.port)
    if not is_elsewhere(plain):
        typer.echo(_(NO_NETWORK), err=True)
        raise typer.Exit(1)
    named = named_address(web, web.port)
    typer.echo(_(HERE, address=named or plain))
    if named:
        typer.echo(_(OR_ELSE, address=plain))
    # The one of figures: every phone in this network can open it.
    segno.make(plain, error="l").terminal(sys.stdout, compact=True)


def show_own_network() -> None:
    """The box's own Wi-Fi, with what a phone's camera joins it by; its password is for who is beside the box."""
    import os

    import segno

    from companion.service.network import STATUS, standing

    own = standing()
    if own.name and own.is_open:
        typer.echo(current.say(own.words))
        segno.make(own.card, error="l").terminal(sys.stdout, compact=True)
    elif own.name:
        typer.echo(_(OWN, words=current.say(own.words)))
    elif STATUS.exists() and not os.access(STATUS, os.R_OK):
        typer.echo(_(FOR_ROOT))


def pair(context: typer.Context) -> None:
    """Print a code. Whoever can write into the box's folder may let phones in."""
    from companion.service.pairing import in_groups, issue

    folder = effective(context).folder
    try:
        code = issue(folder)
    except FileNotFoundError:
        typer.echo(_(NO_BOX, path=folder), err=True)
        raise typer.Exit(1) from None
    except PermissionError:
        typer.echo(_(NOT_YOURS, path=folder), err=True)
        raise typer.Exit(1) from None
    typer.echo(_(TYPE_IT, code=in_groups(code)))
