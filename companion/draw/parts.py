"""Pieces that every drawing uses: cards, captions and the frame around a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text as RichText

HIDDEN_MARK = "░░"
"""A card that nobody may see."""


def card(label: str, style: str = "", is_turned: bool = False) -> RichText:
    """A card as a little tab; a turned one is shown in reverse."""
    return RichText(f" {label} ", style=f"{style} reverse" if is_turned else f"{style} on grey11")


def cards(pieces: Iterable[RichText]) -> RichText:
    """Cards side by side."""
    return RichText(" ").join(pieces)


def cards_or_none(pieces: Sequence[RichText]) -> RichText:
    """Cards side by side; a dash where none lies."""
    return cards(pieces) if pieces else RichText("–", style="dim")


def rows(pairs: Iterable[tuple[str | RichText, RenderableType]]) -> Table:
    """Captions on the left, content on the right."""
    table = Table.grid(padding=(0, 2))
    for name, content in pairs:
        table.add_row(name if isinstance(name, RichText) else RichText(name, style="dim"), content)
    return table


def frame(title: str, question: str, *content: RenderableType) -> Panel:
    """A table with its title above and the pending question below."""
    return Panel(Group(*content), title=title, subtitle=question, border_style="grey50", padding=(0, 1))
