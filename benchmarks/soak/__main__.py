"""`python -m benchmarks.soak`: many games with mistakes and faults, each checked move by move.

Every game has options of its own and is played with a camera, with buttons alone, or with a camera that fails on the
way. Prints games, moves, wrong states (must be 0), lost moves (must be 0), refusals explained, events, memory.
`--record FILE` keeps each game's result; the same command again goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import signal
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import cv2
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from benchmarks.soak.game import EVERY_TABLE, WAYS, SoakResult, play
from companion.table.hosts import HOSTS

# So many games of a worker load every deck and both eyes of a two-deck table; memory is compared from there.
WARM = 12


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, help="how many games (default: each kind in each way, or each table)")
    parser.add_argument(
        "--every-table", action="store_true", help="by camera, each game with each number of players it can have"
    )
    parser.add_argument("--mistakes", type=int, default=6, help="mistakes a game, at most (default 6)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--doubts", type=float, default=0.0, help="share of the cards that the eye can't name (0 to 1)")
    parser.add_argument("--jobs", type=int, default=1, help="games at the same time (default 1)")
    parser.add_argument("--record", type=Path, help="keep results here, and skip the games that are in it already")
    arguments = parser.parse_args()
    console = Console()
    if arguments.games is None:
        arguments.games = len(EVERY_TABLE) if arguments.every_table else len(HOSTS) * len(WAYS)
    results = recorded(arguments.record)
    wanted = [number for number in range(arguments.games) if number not in {result.number for result in results}]
    started = time.monotonic()
    for result in played(console, wanted, arguments):
        results.append(result)
        if arguments.record is not None:
            with arguments.record.open("ab") as file:
                file.write(msgspec.json.encode(result) + b"\n")
    report(console, results, time.monotonic() - started)
    return 1 if any(result.wrong or result.lost or result.trouble for result in results) else 0


def recorded(path: Path | None) -> list[SoakResult]:
    """Results of an earlier run."""
    if path is None or not path.is_file():
        return []
    return [msgspec.json.decode(line, type=SoakResult) for line in path.read_bytes().splitlines() if line.strip()]


def quiet() -> None:
    """A worker leaves Ctrl-C to its parent and takes one core."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)


def played(console: Console, wanted: Sequence[int], arguments: argparse.Namespace) -> Iterator[SoakResult]:
    """Play the games; Ctrl-C lets those that run come to their end and starts no more."""
    columns = (TextColumn("soak"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with ProcessPoolExecutor(arguments.jobs, initializer=quiet) as pool, Progress(*columns, console=console) as bar:
        how = (arguments.seed, arguments.mistakes, arguments.doubts, arguments.every_table)
        games = [pool.submit(play, number, *how) for number in wanted]

        def stop(_number: int, _frame: object) -> None:
            bar.print("stopping: the games that run are played to their end")
            for game in games:
                game.cancel()

        signal.signal(signal.SIGINT, stop)
        for game in bar.track(as_completed(games), total=len(games)):
            if not game.cancelled():
                bar.print(line(game.result()))
                yield game.result()


def line(result: SoakResult) -> str:
    """One game in a line."""
    events = result.events
    told = f"{events.right} events" + (f", {events.wrong} wrong, {events.missed} missed" * bool(events.cases))
    made = sum(result.mistakes.values())
    return (
        f"{result.number}: {result.game}, {result.way}, {result.moves} moves, {made} mistakes, "
        f"{result.explained}/{result.refusals} explained, {told}, {result.seconds:.0f} s, {result.memory:.0f} MB "
        f"{result.trouble[:300]}"
    ).rstrip()


def report(console: Console, results: Sequence[SoakResult], seconds: float) -> None:
    """The numbers of all games."""
    table = Table(title=f"Soak: {len(results)} games, {seconds:.0f} s", title_justify="left")
    for column in (
        "",
        "games",
        "moves",
        "seen",
        "picked",
        "named",
        "refusals",
        "explained",
        "wrong states",
        "lost moves",
    ):
        table.add_column(column, justify="left" if not column else "right")
    groups = [(f"{result.game}, {result.way}", result) for result in results]
    for name in sorted({name for name, _result in groups}):
        table.add_row(name, *sums([result for group, result in groups if group == name]))
    table.add_section()
    table.add_row("all", *sums(results))
    console.print(table)
    console.print(counted("Mistakes and faults", sum((Counter(result.mistakes) for result in results), Counter())))
    console.print(told(results))
    for result in results:
        for case in (*result.events.cases, *result.dim.cases):
            console.print(f"  game {result.number}, {result.game}: {case}")
        if result.trouble:
            console.print(f"game {result.number}, {result.game}, {result.way}, {result.options}: {result.trouble}")
    console.print(memory(results))


def sums(results: Sequence[SoakResult]) -> list[str]:
    """A row of totals."""
    fields = ("moves", "seen", "picked", "named", "refusals", "explained", "wrong", "lost")
    return [str(len(results)), *(str(sum(getattr(result, field) for result in results)) for field in fields)]


def told(results: Sequence[SoakResult]) -> Table:
    """The eye's events and identities, by table top, and while a lamp was out."""
    table = Table(title="Events of the eye, and identities", title_justify="left")
    names = ("right", "wrong", "missed", "kept", "mixed")
    for column in ("", *names):
        table.add_column(column, justify="right" if column else "left")
    seen = [result for result in results if result.table]
    rows = {top: [result.events for result in seen if result.table == top] for top in sorted({r.table for r in seen})}
    rows |= {"all": [result.events for result in seen], "lamp out": [result.dim for result in seen]}
    for row, tallies in rows.items():
        table.add_row(row, *(str(sum(getattr(tally, name) for tally in tallies)) for name in names))
    return table


def counted(title: str, counts: Counter[str]) -> Table:
    """Numbers by name."""
    table = Table(title=title, title_justify="left", show_header=False)
    for name, count in counts.items():
        table.add_row(name, str(count))
    return table


def memory(results: Sequence[SoakResult]) -> Table:
    """What each worker held after a game, early and late, with garbage collected; the peak was during a game."""
    table = Table(title="Memory (MB)", title_justify="left")
    for column in ("worker", "games", f"most after the first {WARM}", f"most after the last {WARM}", "peak"):
        table.add_column(column, justify="right")
    for worker in sorted({result.worker for result in results}):
        mine = [result for result in results if result.worker == worker]
        held = [result.memory for result in mine]
        peak = max(result.peak for result in mine)
        table.add_row(
            str(worker), str(len(mine)), *(f"{max(part):.0f}" for part in (held[:WARM], held[-WARM:], [peak]))
        )
    return table


if __name__ == "__main__":
    raise SystemExit(main())
