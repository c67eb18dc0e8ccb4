"""What can go wrong with the panel, said so that a person can act on it; translated elsewhere."""

from __future__ import annotations

from companion.text import Text, Value


class PanelError(Exception):
    """Something is wrong with the panel. `notice` says what, for people."""

    def __init__(self, template: str, **values: Value):
        self.notice = Text(template, values)
        super().__init__(self.notice)

    def __str__(self) -> str:
        return str(self.notice)


class WiringError(PanelError, ValueError):
    """Parts that can't be wired so."""
