"""`python3 -m companion`: from a bare checkout it sets itself up first, then runs the command line."""

from __future__ import annotations

import os
import signal
import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command line, in the environment that has what it needs."""
    # Ctrl-C while modules are loaded ends the process at once: there is nothing to close, and a traceback helps nobody.
    # One that the caller ignores, as nohup does, stays ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, leave)
    from companion import bootstrap, streams

    streams.make_usable()
    if bootstrap.is_checkout() and not is_ready():
        python = str(bootstrap.ensure())
        os.execv(python, [python, "-m", "companion", *sys.argv[1:]])
    from companion.cli import run

    run()


def leave(*_: object) -> None:
    """End here, without a word."""
    os._exit(INTERRUPTED)


def is_ready() -> bool:
    """Whether this interpreter has the packages the command line is made of."""
    import importlib.util

    return all(importlib.util.find_spec(name) is not None for name in ("msgspec", "rich", "typer", "cv2"))


if __name__ == "__main__":
    main()
