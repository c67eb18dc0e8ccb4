"""Each move as a line of words: in the terminal, or in the service's journal."""

from __future__ import annotations

from collections.abc import Callable

from companion.console import tell
from companion.outputs import Output
from companion.service import logs
from companion.session.events import EventBus, Told
from companion.text import Text


class LogOutput(Output):
    """Writes what happened; `translate` turns texts into the table's language."""

    def __init__(self, translate: Callable[[Text], str]):
        self._translate = translate
        self._is_service = logs.is_journalled()

    def attach(self, bus: EventBus) -> None:
        """Subscribe to the moves."""
        bus.subscribe(Told, self._write)

    def _write(self, line: Told) -> None:
        for text in line.told:
            said = self._translate(text)
            if self._is_service:
                logs.log.info(said, extra={"fields": {"hush_number": line.number, "hush_move": line.move}})
            else:
                tell(f"{line.number}: {said}", err=False)
