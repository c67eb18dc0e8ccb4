"""Sentences before translation: a template marked for the message catalogue, and the values to put in.

The voice never translates; whoever shows a `Notice` to a person does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

Value: TypeAlias = "str | int | Notice"


def N_(template: str) -> str:  # noqa: N802 - gettext's own name for "collect, translate later"
    """Mark a string for the message catalogue."""
    return template


class Notice(Struct, frozen=True):
    """A sentence to be said.

    >>> str(Notice("{cue} plays.", {"cue": Notice("the bell")}))
    'the bell plays.'
    """

    template: str
    values: dict[str, Value] = {}

    def render(self, translate: Callable[[str], str]) -> str:
        """The sentence in the language of `translate`, values included."""
        values = {
            name: value.render(translate) if isinstance(value, Notice) else value for name, value in self.values.items()
        }
        return translate(self.template).format(**values)

    def __str__(self) -> str:
        return self.render(lambda template: template)
