"""What the journal's finished games add up to, for `companion stats`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct
from rich.table import Table

from companion.bots.simulator import spread
from companion.catalogue import _, current
from companion.games import GAMES
from companion.journal import GameResult
from companion.text import N_

LATEST = 10
DAYS = 30


class FinishedGame(Struct, frozen=True):
    """A finished game: its number in the journal, the day, what it came to."""

    number: int
    game: str
    day: str
    result: GameResult


def table(played: Sequence[FinishedGame]) -> Table:
    """A line for each game: how often, how often won, scores, moves."""
    shown = Table()
    for heading in (N_("game"), N_("games"), N_("won"), N_("score"), N_("moves")):
        shown.add_column(_(heading))
    for game in dict.fromkeys(one.game for one in played):
        mine = [one for one in played if one.game == game]
        won = sum(one.result.has_won for one in mine)
        scores = [score for one in mine for score in one.result.score]
        moves = spread([one.result.moves for one in mine])
        shown.add_row(game, str(len(mine)), f"{won / len(mine):.0%}", spread(scores), moves)
    return shown


def chart(played: Sequence[FinishedGame]) -> Table:
    """Games a day, as bars, for the last days that were played."""
    days = Counter(one.day or "?" for one in played)
    most = max(days.values())
    shown = Table.grid(padding=(0, 1))
    for day in sorted(days)[-DAYS:]:
        shown.add_row(day, f"[cyan]{'█' * max(1, round(30 * days[day] / most))}[/]", f"[dim]{days[day]}")
    return shown


def latest(played: Sequence[FinishedGame]) -> Table:
    """The last games with their numbers, for replay, audit and export."""
    shown = Table()
    for heading in (N_("number"), N_("game"), N_("day"), N_("how it ended")):
        shown.add_column(_(heading))
    for one in played[-LATEST:]:
        shown.add_row(str(one.number), one.game, one.day, current.say(GAMES[one.game].term(one.result.reason)))
    return shown
