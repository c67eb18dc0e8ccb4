"""`python -m benchmarks.presses`: whole games with camera, with camera and mistakes, and with buttons alone.

A simulated hand lays the cards by code of its own; whether the box is right is judged by the script of the game.
`--eye real` renders every table and reads it with the box's eye; `--eye seen`, the default, makes its sights directly.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.presses.eyes import Eyes, RealEyes, SeenEyes
from benchmarks.presses.hand import SPOTS
from benchmarks.presses.player import Player, Tally
from companion.games.game import option_table
from companion.table.hosts import HOSTS

MODES = ("camera", "camera+mistakes", "buttons")


def tables(only: str | None) -> list[tuple[str, int]]:
    """Every game with every number of players."""
    found = []
    for name, host in HOSTS.items():
        players = {option.name: option for option in option_table(host.game.options_type)}["players"].allowed
        if name in SPOTS and only in (None, name):
            found += [(name, int(count)) for count in players]
    return found


def run(game: str, players: int, mode: str, games: int, seed: int, eye: str) -> Tally:
    """Some games at one table."""
    tally = Tally()
    host = HOSTS[game]
    for number in range(games):
        rng = random.Random(f"{seed} {game} {players} {mode} {number}")
        options: dict[str, Any] = {"players": players, **host.usual, **host.at_table}
        if game == "silentes":
            options["drawing"] = "table"
        eyes: Eyes | None = None
        if mode != "buttons":
            checked = host.game.options(**options)
            eyes = SeenEyes(game, rng) if eye == "seen" else RealEyes(game, checked, seed)
        try:
            Player(game, options, rng, tally, eyes).play(mistakes=mode == "camera+mistakes")
        except AssertionError as error:
            tally.cases.append(f"{game} {players} {mode} game {number}: {error!r:.300}")
            tally.wrong += 1
    return tally


def percentile(values: list[Any], share: float) -> float:
    """A percentile; 0 of nothing."""
    ordered = sorted(values)
    return float(ordered[min(len(ordered) - 1, int(len(ordered) * share))]) if ordered else 0.0


def summary(game: str, players: int, mode: str, tally: Tally, eye: str) -> dict[str, Any]:
    """The numbers of one table."""
    return {
        "game": game,
        "players": players,
        "mode": mode,
        "eye": eye if mode != "buttons" else "",
        "turns": tally.turns,
        "decisions": tally.decisions,
        "visible": tally.visible,
        "followed": tally.followed,
        "picked": sum(tally.picked.values()),
        "picked_kinds": dict(tally.picked.most_common()),
        "presses_turn_mean": round(sum(tally.presses) / max(1, len(tally.presses)), 2),
        "presses_turn_p95": percentile(tally.presses, 0.95),
        "presses_worst": max(tally.presses, default=0),
        "presses_setup": round(sum(tally.setup) / max(1, len(tally.setup)), 1),
        "search_p50_ms": round(percentile(tally.search, 0.5), 1),
        "search_p95_ms": round(percentile(tally.search, 0.95), 1),
        "wrong_states": tally.wrong,
        "mistakes": sum(tally.mistakes.values()),
        "refused": tally.refused,
        "with_reason": tally.reasons,
    }


def main() -> int:
    """Run, print, and fail if a wrong state was taken."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.presses", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=2, help="games for each game, number of players and mode")
    parser.add_argument("--eye", choices=("seen", "real"), default="seen")
    parser.add_argument("--game", choices=list(SPOTS), help="only this game")
    parser.add_argument("--players", type=int, help="only this number of players")
    parser.add_argument("--mode", choices=MODES, help="only this mode")
    parser.add_argument("--json", action="store_true", help="one object a line")
    parser.add_argument("--cases", action="store_true", help="print what wasn't followed")
    arguments = parser.parse_args()
    rows, cases = [], []
    for game, players in tables(arguments.game):
        for mode in MODES:
            if arguments.players not in (None, players) or arguments.mode not in (None, mode):
                continue
            tally = run(game, players, mode, arguments.games, arguments.seed, arguments.eye)
            row = summary(game, players, mode, tally, arguments.eye)
            rows.append(row)
            cases += tally.cases
            if arguments.json:
                print(json.dumps(row), flush=True)
    if not arguments.json:
        show(rows, arguments.eye)
    if arguments.cases:
        for case, count in Counter(cases).most_common():
            print(count, case, file=sys.stderr)
    return 1 if any(row["wrong_states"] for row in rows) else 0


def show(rows: list[dict[str, Any]], eye: str) -> None:
    """A table for people."""
    table = Table(title=f"Presses; eye: {eye}", title_justify="left")
    names = ("game", "players", "mode", "turns", "decisions", "visible", "followed", "picked", "presses_turn_mean",
             "presses_turn_p95", "presses_worst", "presses_setup", "search_p50_ms", "search_p95_ms", "wrong_states",
             "refused", "with_reason")  # fmt: skip
    for name in names:
        table.add_column(name.replace("_", " "), justify="left" if name in ("game", "mode") else "right")
    for row in rows:
        table.add_row(*(str(row[name]) for name in names))
    Console(width=200).print(table)
    picked = sum((Counter(row["picked_kinds"]) for row in rows if row["mode"] != "buttons"), Counter())
    Console().print("picked with a camera, by kind:", dict(picked.most_common()))


if __name__ == "__main__":
    raise SystemExit(main())
