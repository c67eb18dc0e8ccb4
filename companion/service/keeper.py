"""What the owner loop does besides the game at each tick: pings, backups, the reserve, and a word on faults."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.service.backups import Backups
from companion.service.disk import make_reserve, release_reserve
from companion.service.notify import Supervisor
from companion.session.events import EventBus, Faulted
from companion.table.worker import ErrorGuard

# Often enough for a box that is switched on for one evening.
CHECK_SECONDS = 600.0
NO_PANEL = "no-panel"
NO_BACKUP = "no-backup"
log = logging.getLogger(__name__)


class Keeper:
    """Keeps house for a running box. `tick` is cheap; what may take long runs in a thread of its own.

    `lacking` names what this box should have and will not get while it runs.
    """

    def __init__(
        self,
        bus: EventBus,
        folder: Path,
        supervisor: Supervisor | None = None,
        clock: Callable[[], float] = time.monotonic,
        lacking: frozenset[str] = frozenset(),
        has_record: bool = True,
    ):
        self._folder = folder
        self._supervisor = supervisor or Supervisor()
        self._clock = clock
        self._backups = Backups(folder / "hush.db")
        self._next = clock()
        self._lacking = lacking
        self._has_record = has_record
        self._faults: set[str] = set()
        self._known: set[str] = set()
        self._worker: threading.Thread | None = None
        self._guard = ErrorGuard("keeper", self._fails)
        self._has_no_backup = False
        bus.subscribe(Faulted, self._hear)

    def _hear(self, fault: Faulted) -> None:
        (self._faults.add if fault.is_active else self._faults.discard)(fault.name)

    def tick(self) -> None:
        """Called by the owner loop, at least every two seconds."""
        self._supervisor.ping()
        faults = self._faults | self._lacking | ({NO_BACKUP} if self._has_no_backup else set())
        if faults != self._known:
            self._on_faults(faults)
        if self._clock() >= self._next and not self._is_busy:
            self._next = self._clock() + CHECK_SECONDS
            self._worker = threading.Thread(target=self._guard.does, args=(self._check,), name="keeper", daemon=True)
            self._worker.start()

    def stopping(self) -> None:
        """The loop has ended."""
        self._supervisor.stopping()

    def stop(self) -> None:
        """A backup under way may finish, for a moment."""
        if self._worker is not None:
            self._worker.join(5.0)

    @property
    def _is_busy(self) -> bool:
        return self._worker is not None and self._worker.is_alive()

    def _on_faults(self, faults: set[str]) -> None:
        for name in sorted(faults - self._known):
            log.warning("fault: %s", name, extra={"fields": {"hush_fault": name}})
            if name == "no-record" and release_reserve(self._folder):
                log.warning("the disk is full or broken: the reserve was given up so that the game is kept")
        for name in sorted(self._known - faults):
            log.info("fault is over: %s", name, extra={"fields": {"hush_fault": name}})
        self._known = faults
        self._supervisor.status(", ".join(sorted(faults)) or "all is well")

    def _fails(self, is_failing: bool) -> None:
        self._has_no_backup = is_failing

    def _check(self) -> bool:
        """Make the reserve, and a backup if one is due; False where there is no record."""
        if not self._has_record:
            return False
        make_reserve(self._folder)
        if self._backups.is_due:
            log.info("backup: %s", self._backups.make().name)
        return True
