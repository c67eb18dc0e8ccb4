"""Cisza in a terminal: the city as a clock, and each shelter with its survivors, barriers and zombies."""

from __future__ import annotations

from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text as RichText

from companion.catalogue import _, current
from companion.draw.parts import HIDDEN_MARK, card, cards, frame, rows
from companion.games.cards import HIDDEN
from companion.games.cisza.records import CITY_SIZE, State
from companion.games.game import Game
from companion.text import N_

ZOMBIE_STYLES = {"regular": "green", "strong": "bold red", "fast": "bold yellow", "horde": "bold magenta"}
CLOCK = 30


def draw(game: Game[Any], state: State) -> RenderableType:
    """The table as it lies."""
    table = Table.grid(padding=(0, 2))
    for seat in range(state.options.players):
        table.add_row(*shelter(game, state, seat))
    left = round(CLOCK * state.city / CITY_SIZE)
    clock = RichText("█" * left + "░" * (CLOCK - left), style="grey70") + RichText(f" {state.city}")
    if state.top != "none":
        clock += RichText("  ⚠ " + current.say(game.term(state.top)), style=ZOMBIE_STYLES[state.top])
    if state.final:
        clock += RichText("  " + _(N_("final attack")), style="bold red")
    stock = _(N_("{deck} in the deck, {discard} discarded"), deck=state.stock, discard=len(state.discard))
    lines = [(_(N_("city")), clock), (_(N_("resources")), RichText(stock))]
    return frame("Cisza", current.say(game.question(state)), rows(lines), RichText(""), table)


def shelter(game: Game[Any], state: State, seat: int) -> tuple[RichText, RichText, RichText, RichText, RichText]:
    """One player's shelter: survivors, barriers, zombies, hand."""
    marker = "▶ " if seat == state.turn else "  "
    name = RichText(marker + _(N_("player {seat}"), seat=seat + 1), style="dim" if seat in state.out else "")
    if seat in state.out:
        return name, RichText("✝", style="dim"), RichText(), RichText(), RichText()
    barriers = cards(card(current.say(game.term(one)), "cyan") for one in state.barriers[seat])
    zombies = cards(card(current.say(game.term(one)), ZOMBIE_STYLES[one]) for one in state.zombies[seat])
    held = (HIDDEN_MARK if one == HIDDEN else current.say(game.term(one)) for one in state.hands[seat])
    hand = RichText(", ").join(map(RichText, held))
    return name, RichText("☻" * state.survivors[seat], style="bold white"), barriers, zombies, hand
