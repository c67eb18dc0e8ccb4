"""`python -m benchmarks.broken_configurations [WORDS]`: starts the real box with each broken configuration.

The box must come up, or end with a sentence and a code; `companion config` must end with code 0. A traceback, a hang,
silence about what is wrong, or a complaint without the file and its line is a failure.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from msgspec import Struct
from rich.console import Console
from rich.table import Table
from rich.text import Text

from benchmarks.broken_configurations.cases import CASES, Case

WITHIN_SECONDS = 60.0


class StartOutcome(Struct, frozen=True):
    """What became of a start: whether it came up, its code, and what it said."""

    is_up: bool
    code: int
    said: str

    def problems(self, case: Case, path: Path) -> list[str]:
        """What must not be so."""
        found = ["traceback"] if "Traceback" in self.said else []
        if self.code < 0:
            found.append(f"signal {-self.code}")
        if self.is_up and self.code != 0:
            found.append(f"ended with {self.code}")
        if not self.is_up and not self.said.strip():
            found.append("no word")
        if case.line is not None and not self.said.strip():
            found.append("nothing said")
        if case.line and f"{path}, line {case.line}:" not in self.said:
            found.append("no line")
        return found


def environment(here: Path, config: Path) -> dict[str, str]:
    """That of a person without any other configuration."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "HUSH_", "LC_"))}
    fresh = {"HOME": str(here / "home"), "HUSH_CONFIG": str(config), "LANG": "C.UTF-8", "COLUMNS": "200"}
    return {**kept, **fresh, "SDL_AUDIODRIVER": "dummy", "NOTIFY_SOCKET": str(here / "notify")}


def started(here: Path, config: Path) -> StartOutcome:
    """Run the box until it's ready, then stop it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line, (here / "said").open("w+b") as said:
        line.bind(str(here / "notify"))
        line.settimeout(0.05)
        process = subprocess.Popen(
            [sys.executable, "-m", "companion", "run"],
            stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, env=environment(here, config),
        )  # fmt: skip
        is_up = False
        end = time.monotonic() + WITHIN_SECONDS
        while process.poll() is None and not is_up and time.monotonic() < end:
            try:
                is_up = b"READY=1" in line.recv(4096)
            except TimeoutError:
                continue
        if is_up:
            # The parts that open late, the camera among them, get a moment to fail in.
            time.sleep(0.4)
            process.send_signal(signal.SIGTERM)
        try:
            code = process.wait(WITHIN_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        said.seek(0)
        return StartOutcome(is_up, code, said.read().decode(errors="replace"))


def shown(here: Path, config: Path) -> StartOutcome:
    """Ask for the effective configuration."""
    done = subprocess.run(
        [sys.executable, "-m", "companion", "config"],
        capture_output=True, stdin=subprocess.DEVNULL, env=environment(here, config), timeout=WITHIN_SECONDS,
        check=False,
    )  # fmt: skip
    said = done.stderr.decode(errors="replace")
    return StartOutcome(done.returncode == 0, done.returncode, said or "-")


def tried(case: Case) -> tuple[StartOutcome, list[str]]:
    """Start the box and ask for the configuration; what came of it, and what is wrong with that."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "home").mkdir()
        if case.prepare is not None:
            case.prepare(here)
        config = here / "hush.toml"
        config.write_bytes(case.content(here))
        asked = shown(here, config)
        outcome = started(here, config)
        problems = outcome.problems(case, config)
        if asked.code != 0 or "Traceback" in asked.said:
            problems.append(f"config: {asked.code}")
        said = outcome.said.replace(str(here), "…")
        return StartOutcome(outcome.is_up, outcome.code, said), problems


def main() -> int:
    """Try all cases, or those with a word in their names; print a table."""
    console = Console(width=160)
    words = sys.argv[1:]
    chosen = [case for case in CASES if not words or any(word in case.name for word in words)]
    table = Table("configuration", "came up", "code", "said first", "wrong")
    failed = 0
    for case in chosen:
        outcome, problems = tried(case)
        failed += bool(problems)
        lines = [line for line in outcome.said.splitlines() if line.strip() and not line.startswith("The page:")]
        first = lines[0][:90] if lines else ""
        row = (case.name, "yes" if outcome.is_up else "no", str(outcome.code), first, ", ".join(problems))
        table.add_row(*map(Text, row))
        if problems:
            console.print(case.name, problems, outcome.said[-1500:], markup=False, highlight=False)
    console.print(table)
    console.print(f"{len(chosen)} kinds, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
