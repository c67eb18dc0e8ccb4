"""The verbs of the service: doctor, backup, installer, address."""

from __future__ import annotations

import typer

from companion.commands.service import arriving, checking, installing

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the verbs of this room."""
    checking.register(app)
    installing.register(app)
    arriving.register(app)
