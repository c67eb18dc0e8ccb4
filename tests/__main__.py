"""`python3 -m tests`: sets up, then lints, checks types and walls, and runs every test.

`python3 -m tests -k shrine` passes its arguments to pytest and skips the other checks.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from companion import bootstrap

# Many tests wait for a process or a browser: one worker more than there are cores keeps them all busy.
WORKERS = (os.cpu_count() or 1) + 1
CHECKS = {
    "lint": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "types": ["mypy"],
    "walls": ["lint-imports"],
    "tests": ["pytest", f"--numprocesses={WORKERS}", "--dist=worksteal", "--durations=5"],
}


def passes(tools: Path, name: str) -> bool:
    """Run one check; whether all is well."""
    program, *arguments = CHECKS[name]
    bootstrap.say(f"{name}: {' '.join(CHECKS[name])}")
    start = time.monotonic()
    code = subprocess.call([tools / program, *arguments])
    bootstrap.say(f"{name} took {time.monotonic() - start:.0f} s")
    return code == 0


def main() -> int:
    """Run each check; stop at none, so that one run shows everything that is wrong."""
    tools = bootstrap.ensure("dev").parent
    if not bootstrap.ensure_voice():
        bootstrap.say("no espeak-ng here and no right to install it: the tests that need it are skipped")
    if not bootstrap.ensure_browser():
        bootstrap.say("no chromium here and no right to install it: the tests of the page in a browser are skipped")
    if not bootstrap.ensure_picamera2():
        bootstrap.say("Picamera2 can't be fetched: the tests that compare our camera with it are skipped")
    os.chdir(bootstrap.ROOT)
    if sys.argv[1:]:
        return subprocess.call([tools / "pytest", *sys.argv[1:]])
    with ThreadPoolExecutor(1) as beside:
        # The types take one core for most of a minute, and the tests run meanwhile.
        types = beside.submit(passes, tools, "types")
        passed = {name: passes(tools, name) for name in CHECKS if name != "types"} | {"types": types.result()}
    failed = [name for name in CHECKS if not passed[name]]
    bootstrap.say(f"FAILED: {', '.join(failed)}" if failed else "all checks passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
