"""What the journal's finished games add up to, for `companion stats`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.table import Table

from companion.bots.simulator import spread
from companion.catalogue import _
from companion.games.game import Over
from companion.games.text import N_

Played = tuple[str, str, Over, int]


def table(played: Sequence[Played]) -> Table:
    """A line for each game: how often, how often won, scores, moves."""
    shown = Table()
    for heading in (N_("game"), N_("games"), N_("won"), N_("score"), N_("moves")):
        shown.add_column(_(heading))
    for game in dict.fromkeys(name for name, *_rest in played):
        mine = [(over, moves) for name, _day, over, moves in played if name == game]
        won = sum(bool(over.winners) for over, _moves in mine)
        scores = [score for over, _moves in mine for score in over.score]
        shown.add_row(game, str(len(mine)), f"{won / len(mine):.0%}", spread(scores), spread([n for _over, n in mine]))
    return shown


def chart(played: Sequence[Played]) -> Table:
    """Games a day, as bars."""
    days = Counter(day for _game, day, _over, _moves in played)
    most = max(days.values())
    shown = Table.grid(padding=(0, 1))
    for day in sorted(days):
        shown.add_row(day, f"[cyan]{'█' * max(1, round(30 * days[day] / most))}[/]", f"[dim]{days[day]}")
    return shown
