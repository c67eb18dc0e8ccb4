"""Lights out, however the program ends: at exit, after a crash, at SIGTERM.

What no program can catch (SIGKILL, a power cut) is left to `companion dark`.
"""

from __future__ import annotations

import atexit
import logging
import signal
import sys
import threading
import weakref
from types import FrameType, TracebackType

from hardware.panel import Panel

log = logging.getLogger(__name__)
_lit: weakref.WeakSet[Panel] = weakref.WeakSet()
_is_watching = False


def lights_out_at_exit(panel: Panel) -> None:
    """Close this panel when the program ends, in whatever way it does."""
    global _is_watching
    _lit.add(panel)
    _watch_signals()
    if not _is_watching:
        _is_watching = True
        atexit.register(lights_out)
        _watch_crashes()


def lights_out() -> None:
    """Close every panel that is lit."""
    for panel in list(_lit):
        try:
            panel.close()
        except Exception:
            # The next panel shall go dark all the same.
            log.exception("panel")


def _watch_crashes() -> None:
    """Exit handlers wait for other threads to end; after a crash of the main thread the lights shall not."""
    before = sys.excepthook

    def crashed(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        lights_out()
        before(kind, error, trace)

    sys.excepthook = crashed


def _watch_signals() -> None:
    """SIGTERM and a hang-up end Python without a word; unless the program handles them, exit properly."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _leave)


def _leave(number: int, _frame: FrameType | None) -> None:
    # No lights out here: the signal may have interrupted the panel while it held its lock.
    raise SystemExit(128 + number)
