"""What every game asks of a state written by hand: no trace of something that can't have happened yet, or is over."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Any

from msgspec import Struct, structs

from companion.games.game import BadState
from companion.text import Text


def impossible(template: str, fields: Iterable[str]) -> BadState:
    """A state that no table can reach, with the fields that say so."""
    return BadState("impossible", Text(template, {"fields": ", ".join(dict.fromkeys(fields))}))


def strays(state: Struct, belongs: Mapping[str, Collection[str]]) -> list[str]:
    """The fields that mean something only in some phases, and have a value in another.

    `belongs` has the phases of each such field.
    """
    phase = getattr(state, "phase")  # noqa: B009 - every State has one
    return [name for name, phases in belongs.items() if phase not in phases and not is_untouched(state, name)]


def too_early(state: Struct, touched: Collection[str]) -> list[str]:
    """The fields that have a value although nothing but `touched` can have one so early in a game."""
    derived: Collection[str] = getattr(state, "derived", ())
    always = {"options", "phase", *derived, *touched}
    return [name for name in state.__struct_fields__ if name not in always and not is_untouched(state, name)]


def is_untouched(state: Struct, name: str) -> bool:
    """Whether a field is as it is where nothing has happened; empty zones are as good as none."""
    value = getattr(state, name)
    return value == _defaults(type(state))[name] or (isinstance(value, tuple) and all(part == () for part in value))


@cache
def _defaults(kind: type[Struct]) -> dict[str, Any]:
    return {field.name: field.default for field in structs.fields(kind)}
