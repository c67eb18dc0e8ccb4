"""Silencio in a terminal: four rows climbing from their shrines, the Oracle, the hands and what binds the next card."""

from __future__ import annotations

from typing import Any

from rich.console import RenderableType
from rich.text import Text as RichText

from companion.catalogue import _, current
from companion.draw.parts import HIDDEN_MARK, card, cards, cards_or_none, frame, rows
from companion.games.cards import HIDDEN, Cards
from companion.games.game import Game
from companion.games.silencio.records import COLOURS, RANK_OF, ROW_OF, State
from companion.games.silencio.words import marker_term
from companion.text import N_

STYLES = ("bold red", "bold dodger_blue1", "bold yellow", "bold green")
# A shape for each colour, the same as on the panel's covers, so that colour is never the only carrier.
SHAPES = ("▲", "●", "★", "■")


def drawn(name: str, is_dark: bool = False) -> RichText:
    """A card with its shape and rank; a dark one lies upside down."""
    if name == HIDDEN:
        return card(HIDDEN_MARK, "dim")
    row = ROW_OF[name]
    return card(f"{SHAPES[row]}{RANK_OF[name]}", STYLES[row], is_dark)


def zone(names: Cards, dark: Cards = ()) -> RichText:
    """Cards of a zone, by row and rank."""
    order = sorted(names, key=lambda name: (name == HIDDEN, ROW_OF.get(name, 0), RANK_OF.get(name, 0)))
    return cards_or_none([drawn(name, name in dark) for name in order])


def draw(game: Game[Any], state: State) -> RenderableType:
    """The table as it lies."""
    lines: list[tuple[str | RichText, RenderableType]] = []
    for row, colour in enumerate(COLOURS):
        lamp = "☀" if colour in state.lit else "○"
        name = RichText(f"{lamp} {SHAPES[row]} {current.say(game.term(colour))}", style=STYLES[row])
        lines.append((name, cards([card("1", "dim"), *(drawn(one, one in state.dark) for one in state.rows[row])])))
    large = "☀" if "large" in state.lit else "○"
    lines.append((_(N_("Oracle")), zone(state.oracle) + RichText(f"   {large} " + _(N_("large shrine")), style="dim")))
    lines.append((_(N_("deck")), RichText(str(state.deck))))
    for seat, hand in enumerate(state.hands):
        marker = "▶ " if seat == state.turn else "  "
        content = zone(hand)
        if state.open[seat]:
            content = content + RichText("   " + _(N_("open")) + " ", style="dim") + zone(state.open[seat])
        lines.append((marker + _(N_("player {seat}"), seat=seat + 1), content))
    if state.markers:
        marked = ", ".join(current.say(game.term(marker_term(marker))) for marker in state.markers)
        lines.append((_(N_("next card")), RichText(marked, style="magenta")))
    if state.options.tavern:
        lines.append((_(N_("tavern")), RichText(_(N_("open")) if state.tavern_open else _(N_("closed")))))
    return frame("Silencio", current.say(game.question(state)), rows(lines))
