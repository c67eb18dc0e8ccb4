"""Waiting for what happens in another thread or process: until it has happened, and not for a while and a hope.

A test that sleeps for as long as something usually takes fails on a busy machine. Each waits here for the event itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 120.0
"""Seconds after which what hasn't happened never will; many times what the busiest machine has needed."""
OFTEN = 0.01


def eventually(look: Callable[[], T | None], seconds: float = PATIENCE, why: str = "it never came") -> T:
    """What `look` finds, as soon as it finds something."""
    end = time.monotonic() + seconds
    while True:
        # Looked at once more after the end: this thread itself may have been held up.
        is_late = time.monotonic() > end
        if found := look():
            return found
        assert not is_late, why
        time.sleep(OFTEN)


def meanwhile(seconds: float) -> None:
    """Give what must not happen the time to happen, or let any moment come. Nothing may be waited for like this."""
    time.sleep(seconds)
