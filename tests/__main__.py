"""`python3 -m tests`: sets up, then lints, checks types and walls, and runs every test.

`python3 -m tests -k shrine` passes its arguments to pytest and skips the other checks.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

from companion import bootstrap

CHECKS = {
    "lint": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "types": ["mypy"],
    "walls": ["lint-imports"],
    "tests": ["pytest", "--numprocesses=auto", "--dist=worksteal", "--durations=5"],
}


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
    failed = []
    for name, command in CHECKS.items():
        bootstrap.say(f"{name}: {' '.join(command)}")
        start = time.monotonic()
        if subprocess.call([tools / command[0], *command[1:]]) != 0:
            failed.append(name)
        bootstrap.say(f"{name} took {time.monotonic() - start:.0f} s")
    bootstrap.say(f"FAILED: {', '.join(failed)}" if failed else "all checks passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
