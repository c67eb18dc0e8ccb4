"""The verbs around the panel and the voice: bring-up, wiring, twins, sounds."""

from __future__ import annotations

import typer

from companion.commands.panel import bringup, twin, voice, wiring

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the verbs of this room."""
    for module in (bringup, wiring, twin, voice):
        module.register(app)
