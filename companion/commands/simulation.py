"""Showing simulated games: one to watch, then the results of many as a table and a chart."""

from __future__ import annotations

import os
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from companion.bots.policy import POLICIES
from companion.bots.simulator import GameOutcome, Summary, decide, simulate, spread, summarise
from companion.catalogue import _, current
from companion.commands.rules import fail
from companion.draw import draw
from companion.games import GAMES
from companion.games.game import BadOptions, Decide, Game, option_table
from companion.play import Play
from companion.text import N_

WATCH_SECONDS = 6.0


def wanted_options(game: Game[Any], players: int | None, pairs: Sequence[str]) -> dict[str, Any]:
    """Options from the command line, turned into the types the rules want, and checked."""
    known = {option.name: option for option in option_table(game.options_type)}
    chosen: dict[str, Any] = {} if players is None else {"players": players}
    for pair in pairs:
        name, _equals, text = pair.partition("=")
        value: Any = text
        if name in known:
            words = {word: one for one in known[name].allowed for word in ways_to_say(one)}
            value = words.get(text.lower(), text.split(",") if isinstance(known[name].default, tuple) else text)
        chosen[name] = value
    try:
        game.options(**chosen)
    except BadOptions as error:
        fail(current.say(error.reason))
    return chosen


def ways_to_say(value: object) -> tuple[str, ...]:
    """How a person may write a value of an option."""
    said = str(value).lower()
    return (said, "yes" if value else "no") if isinstance(value, bool) else (said,)


def run(
    name: str, chosen: dict[str, Any], *, games: int, seed: int, policy: str, jobs: int, watch: bool, as_json: bool
) -> None:
    """Simulate one game and show it."""
    game = GAMES[name]
    options = game.options(**chosen)
    console = Console()
    if watch:
        watch_one(console, game, options, POLICIES[policy], seed)
    if jobs > (os.cpu_count() or 1):
        jobs = os.cpu_count() or 1
    outcomes: list[GameOutcome] = []
    with Progress(
        TextColumn(name), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True,
    ) as progress:  # fmt: skip
        task = progress.add_task(name, total=games)
        for outcome in simulate(name, chosen, games, seed, policy, jobs):
            outcomes.append(outcome)
            progress.advance(task)
    summary = summarise(outcomes, options.players)
    if as_json:
        sys.stdout.write(msgspec.json.encode({"game": name, **msgspec.to_builtins(summary)}).decode() + "\n")
        return
    console.print(result_table(game, options, policy, summary))
    console.print(chart(summary))


def watch_one(console: Console, game: Game[Any], options: Any, policy: Any, seed: int) -> None:
    """Show one whole game, sentence by sentence, with the table now and then."""
    play = Play(game, game.new(options))
    rng = random.Random(f"{seed}:0")
    console.rule(f"[bold]{game.name.capitalize()}")
    pause = WATCH_SECONDS / 80 if console.is_terminal else 0.0
    decisions = 0
    while not play.is_over and play.number < 2000:
        is_decision = isinstance(play.pending, Decide)
        events = play.do(decide(game, play.state, policy, rng))
        if not is_decision and decisions == 0:
            continue
        for event in events:
            console.print(f"  {current.say(game.tell(event))}", highlight=False)
        if is_decision:
            decisions += 1
            if decisions % 15 == 0 and not play.is_over:
                console.print(draw(game, play.state))
        time.sleep(pause)
    console.print(draw(game, play.state))


def result_table(game: Game[Any], options: Any, policy: str, summary: Summary) -> Table:
    """What many games came to."""
    title = _(N_("{game}, {players} players, {policy} bots"), game=game.name, players=options.players, policy=policy)
    table = Table(title=title, title_justify="left", show_header=False)
    table.add_row(_(N_("games")), str(summary.games))
    wins = f"{summary.wins} ({summary.win_rate:.1%} ± {summary.win_margin:.1%})"
    table.add_row(_(N_("won")), wins)
    if len(set(summary.by_seat)) > 1:
        table.add_row(
            _(N_("wins by seat")), "  ".join(f"{seat + 1}: {won}" for seat, won in enumerate(summary.by_seat))
        )
    table.add_row(_(N_("score")), spread(summary.scores))
    table.add_row(_(N_("moves")), spread(summary.lengths))
    for reason, count in summary.reasons.items():
        label = _(N_("stopped")) if reason == "stopped" else current.say(game.term(reason))
        table.add_row(_(N_("ended: {reason}"), reason=label), f"{count} ({count / summary.games:.1%})")
    return table


def chart(summary: Summary) -> Table:
    """How the scores are spread, as bars."""
    counts = Counter(summary.scores)
    table = Table.grid(padding=(0, 1))
    most = max(counts.values(), default=1)
    for score in range(min(counts, default=0), max(counts, default=-1) + 1):
        bar = "█" * round(40 * counts[score] / most) or ("▏" if counts[score] else "")
        table.add_row(str(score), f"[cyan]{bar}[/]", f"[dim]{counts[score]}")
    return table
