"""`companion installer`: where the installer of the service is, for who has the package and no checkout."""

from __future__ import annotations

import typer

from companion.catalogue import _
from companion.text import N_

INSTALLER = N_("Print where the installer of the service is.")


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("installer", help=_(INSTALLER))(installer)


def installer() -> None:
    """Print the path alone, to be used as a command."""
    from companion.service.installer import installer as place

    typer.echo(place())
