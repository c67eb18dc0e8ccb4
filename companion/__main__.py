"""`python3 -m companion`: from a bare checkout it sets itself up first, then runs the command line."""

from __future__ import annotations

import importlib.util
import os
import sys

from companion import bootstrap


def main() -> None:
    """Run the command line, in the environment that has what it needs."""
    if bootstrap.is_checkout() and not is_ready():
        python = str(bootstrap.ensure())
        os.execv(python, [python, "-m", "companion", *sys.argv[1:]])
    from companion.cli import run

    run()


def is_ready() -> bool:
    """Whether this interpreter has the packages the command line is made of."""
    return all(importlib.util.find_spec(name) is not None for name in ("msgspec", "rich", "typer", "cv2"))


if __name__ == "__main__":
    main()
