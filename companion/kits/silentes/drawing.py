"""Silentes in a terminal: the noise meter, the map with tokens, hunts, hands and piles."""

from __future__ import annotations

from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text as RichText

from companion.catalogue import _, current
from companion.draw.parts import HIDDEN_MARK, card, cards_or_none, frame, rows
from companion.games.cards import HIDDEN, Cards
from companion.games.game import Game
from companion.games.silentes.records import HOLE, IS_RANKLESS, NOISE_LIMIT, RANK_OF, SUIT_OF, State
from companion.games.silentes.words import RANK_LETTERS
from companion.text import N_

SIGNS = {"wands": "♣", "cups": "♥", "swords": "♠", "pentacles": "♦"}
STYLES = {"wands": "bold red", "cups": "bold dodger_blue1", "swords": "bold yellow", "pentacles": "bold green"}


def drawn(name: str) -> RichText:
    """A card with the sign of its suit; a hole is empty."""
    if name == HIDDEN:
        return card(HIDDEN_MARK, "dim")
    if name in IS_RANKLESS:
        return card(SIGNS[SUIT_OF[name]], STYLES[SUIT_OF[name]])
    if name not in RANK_OF:
        return RichText("    ") if name == HOLE else card(name.removeprefix("major-"), "bold magenta")
    suit, rank = SUIT_OF[name], RANK_OF[name]
    return card(f"{SIGNS[suit]}{RANK_LETTERS.get(rank, str(rank))}", STYLES[suit])


def zone(names: Cards) -> RichText:
    """Cards side by side."""
    return cards_or_none([drawn(name) for name in names])


def draw(game: Game[Any], state: State) -> RenderableType:
    """The table as it lies."""
    grid = Table.grid(padding=(0, 3))
    for start in (0, 4):
        grid.add_row(*(shelter(state, cell) for cell in range(start, min(start + 4, len(state.map)))))
    colour = "green" if state.noise < 6 else "yellow" if state.noise < 11 else "red"
    rest = "░" * (NOISE_LIMIT - state.noise)
    meter = RichText("█" * state.noise, style=colour) + RichText(f"{rest} {state.noise}", style="dim")
    lines: list[tuple[str | RichText, RenderableType]] = [
        (_(N_("noise")), meter),
        (
            _(N_("round")),
            RichText(f"{state.round}   ") + RichText(_(N_("hunt deck {count}"), count=state.deck), style="dim"),
        ),
        (_(N_("hunt")), zone(state.hunt)),
        (_(N_("omens")), zone(state.omens)),
    ]
    for seat in (0, 1):
        held = zone(state.hands[seat]) + RichText("   ") + zone(state.provisions[seat])
        lines.append((_(N_("player {seat}"), seat=seat + 1), held))
    return frame("Silentes", current.say(game.question(state)), grid, RichText(""), rows(lines))


def shelter(state: State, cell: int) -> RichText:
    """A shelter with the tokens and the silence cards on it."""
    shown = drawn(state.map[cell])
    for seat in (0, 1):
        if state.tokens[seat] == cell:
            shown = (
                shown
                + RichText(f" ♟{seat + 1}", style="bold")
                + (zone(state.played[seat]) if state.played[seat] else RichText())
            )
    return shown
