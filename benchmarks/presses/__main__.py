"""`python -m benchmarks.presses`: whole games with camera, with camera and mistakes, and with buttons alone.

A simulated hand lays the cards by code of its own; whether the box is right is judged by the script of the game.
`--eye real` renders every table and reads it with the box's eye; `--eye seen`, the default, makes its sights directly.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from benchmarks.presses.buttons import game_by_buttons
from benchmarks.presses.eyes import Eyes, RealEyes, SeenEyes
from benchmarks.presses.hand import SPOTS
from benchmarks.presses.player import CameraGroup
from benchmarks.presses.tally import PressTally
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


def run(game: str, players: int, mode: str, number: int, seed: int, eye: str) -> PressTally:
    """One game at one table."""
    rng = random.Random(f"{seed} {game} {players} {mode} {number}")
    if mode == "buttons":
        return game_by_buttons(game, players, rng)
    host, tally = HOSTS[game], PressTally(games=1)
    options: dict[str, Any] = {"players": players, **host.box_defaults, **host.at_table}
    if game == "silentes":
        options["drawing"] = "table"
    eyes: Eyes = SeenEyes(game, rng) if eye == "seen" else RealEyes(game, host.game.options(**options), seed)
    try:
        CameraGroup(game, options, rng, tally, eyes).play(mistakes=mode == "camera+mistakes")
    except Exception:  # a game that breaks off is the worst that can be counted; the others go on
        tally.cases.append(f"broke off: {traceback.format_exc(limit=-4)}")
        tally.wrong += 1
    tally.cases = [f"{game} {players} {mode} {number}: {case}" for case in tally.cases]
    return tally


class PlayedGames:
    """Games that were played already, one a line, so that a long run can go on where it was stopped."""

    def __init__(self, path: Path | None):
        self._path = path
        self._known: dict[str, PressTally] = {}
        for line in path.read_text().splitlines() if path is not None and path.exists() else ():
            played = msgspec.json.decode(line, type=PlayedLine)
            self._known[played.key] = played.tally

    def get(self, key: str) -> PressTally | None:
        """What came of a game, if it was played."""
        return self._known.get(key)

    def add(self, key: str, tally: PressTally) -> None:
        """Keep what came of a game."""
        self._known[key] = tally
        if self._path is not None:
            with self._path.open("ab") as file:
                file.write(msgspec.json.encode(PlayedLine(key, tally)) + b"\n")


class PlayedLine(msgspec.Struct):
    """A line of the record."""

    key: str
    tally: PressTally


def percentile(values: list[Any], share: float) -> float:
    """A percentile; 0 of nothing."""
    ordered = sorted(values)
    return float(ordered[min(len(ordered) - 1, int(len(ordered) * share))]) if ordered else 0.0


def summary(game: str, players: int, mode: str, tally: PressTally) -> dict[str, Any]:
    """The numbers of one table. Scripts read these keys: none is added, none goes."""
    return {
        "game": game,
        "players": players,
        "mode": mode,
        "turns": tally.turns,
        "decisions": tally.decisions,
        "visible": tally.visible,
        "followed": tally.followed,
        "picked": sum(tally.picked.values()),
        "presses_turn_mean": round(sum(tally.presses) / max(1, len(tally.presses)), 2),
        "presses_turn_p95": percentile(tally.presses, 0.95),
        "presses_worst": max(tally.presses, default=0),
        "search_p95_ms": round(percentile(tally.search, 0.95), 1),
        "wrong_states": tally.wrong,
    }


def details(tally: PressTally, eye: str) -> dict[str, Any]:
    """More of one table, for who wants to know why."""
    return {
        "eye": eye,
        "games": tally.games,
        "partly": tally.partly,
        "picked_kinds": dict(Counter(tally.picked).most_common()),
        "beyond": dict(Counter(tally.beyond).most_common()),
        "presses_setup": round(sum(tally.setup) / max(1, tally.games), 1),
        "presses_decision_p50": percentile(tally.each, 0.5),
        "presses_decision_worst": max(tally.each, default=0),
        "search_p50_ms": round(percentile(tally.search, 0.5), 1),
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
    parser.add_argument("--mode", choices=MODES, action="append", help="only this mode; may be given again")
    parser.add_argument("--json", action="store_true", help="one object a line")
    parser.add_argument("--details", action="store_true", help="more keys, and every case that wasn't followed")
    parser.add_argument("--record", type=Path, help="keep each game in this file; what is in it isn't played again")
    arguments = parser.parse_args()
    places = [
        (game, players, mode)
        for game, players in tables(arguments.game)
        for mode in arguments.mode or MODES
        if arguments.players in (None, players)
    ]
    record, started = PlayedGames(arguments.record), time.monotonic()
    sums = {place: PressTally() for place in places}
    plan = [(number, place) for number in range(arguments.games) for place in places]
    for at, (number, place) in enumerate(plan, 1):
        key = f"{arguments.seed} {' '.join(map(str, place))} {number} {arguments.eye}"
        tally = record.get(key)
        if tally is None:
            tally = run(*place, number, arguments.seed, arguments.eye)
            record.add(key, tally)
        sums[place] += tally
        if sys.stderr.isatty() or arguments.record is not None:
            print(f"{at} of {len(plan)} games, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    rows = []
    for place, tally in sums.items():
        more = details(tally, arguments.eye) if arguments.details or not arguments.json else {}
        rows.append(summary(*place, tally) | more)
        if arguments.json:
            print(json.dumps(rows[-1]), flush=True)
    if not arguments.json:
        show(rows, arguments.eye)
    if arguments.details:
        for case, count in Counter(case for tally in sums.values() for case in tally.cases).most_common():
            print(count, case, file=sys.stderr)
    return 1 if any(row["wrong_states"] for row in rows) else 0


def show(rows: list[dict[str, Any]], eye: str) -> None:
    """A table for people."""
    table = Table(title=f"Presses; eye: {eye}", title_justify="left")
    names = (
        "game", "players", "mode", "turns", "decisions", "visible", "partly", "followed", "picked", "presses_turn_mean",
        "presses_turn_p95", "presses_worst", "presses_setup", "presses_decision_p50", "presses_decision_worst",
        "search_p50_ms", "search_p95_ms", "wrong_states", "refused", "with_reason",
    )  # fmt: skip
    for name in names:
        table.add_column(name.replace("_", " "), justify="left" if name in ("game", "mode") else "right")
    for row in rows:
        table.add_row(*(str(row[name]) for name in names))
    Console(width=200).print(table)
    picked = sum((Counter(row["picked_kinds"]) for row in rows if row["mode"] != "buttons"), Counter())
    Console().print("picked with a camera, by kind:", dict(picked.most_common()))


if __name__ == "__main__":
    raise SystemExit(main())
