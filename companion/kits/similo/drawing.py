"""Similo in a terminal: the grid, the clues upright and across, and what has gone."""

from __future__ import annotations

from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text as RichText

from companion.catalogue import _, current
from companion.draw.parts import HIDDEN_MARK, frame, rows
from companion.games.cards import HIDDEN
from companion.games.game import Game
from companion.games.similo.records import State
from companion.text import N_

ARROWS = {"similar": ("↕", "bold bright_white"), "different": ("↔", "bold medium_purple1"), "ranked": ("≥", "bold")}


def draw(game: Game[Any], state: State) -> RenderableType:
    """The table as it lies; the secret is marked where it's known."""
    grid = Table.grid(padding=(0, 3))
    names = sorted((*state.characters_left, *state.removed, *state.taken))
    for start in range(0, len(names), 4):
        grid.add_row(*(character(game, state, name) for name in names[start : start + 4]))
    clues = RichText("  ").join(
        RichText(f"{ARROWS[clue.way][0]} {current.say(game.card(clue.card))}", style=ARROWS[clue.way][1])
        for clue in state.clues
    )
    hand = RichText(", ").join(
        RichText(current.say(game.card(one)) if one != HIDDEN else HIDDEN_MARK) for one in state.hand
    )
    lines = [(_(N_("clues")), clues), (_(N_("hand")), hand), (_(N_("pile")), RichText(str(state.pile)))]
    return frame("Similo", current.say(game.question(state)), grid, RichText(""), rows(lines))


def character(game: Game[Any], state: State, name: str) -> RichText:
    """A character in the grid; one that is gone is struck through."""
    label = current.say(game.card(name))
    if name not in state.characters_left:
        return RichText(label, style="dim strike")
    return RichText(f"★ {label}", style="bold green") if name == state.secret else RichText(label)
