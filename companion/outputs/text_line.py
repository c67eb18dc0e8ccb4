"""Words beside the lights, for a display that has room for them: who knocks, a remark, the question, the offer."""

from __future__ import annotations

from collections.abc import Callable

from companion.outputs import Output
from companion.session.events import Changed, Events
from companion.session.situation import Situation
from companion.text import Text


class TextLine(Output):
    """Writes the situation in words; `write` gets the lines, `translate` turns texts into the table's language."""

    def __init__(self, write: Callable[[str], None], translate: Callable[[Text], str]):
        self._write = write
        self._translate = translate

    def attach(self, events: Events) -> None:
        """Subscribe to what is seen."""
        events.subscribe(Changed, lambda event: self._write(self.lines(event.shown)))

    def lines(self, shown: Situation) -> str:
        """What there is to say now, a line each."""
        knock = None if shown.visitor is None else shown.visitor.text
        parts = (knock, shown.remark, shown.question, shown.offered)
        return "\n".join(self._translate(part) for part in parts if part is not None)
