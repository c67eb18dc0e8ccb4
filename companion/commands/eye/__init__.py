"""The verbs of the eye: see, camera, print, enrol, decks."""

from __future__ import annotations

import typer

from companion.commands.eye import camera, decks, enrol, printing, see

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the verbs of this room."""
    for module in (see, camera, printing, enrol, decks):
        module.register(app)
