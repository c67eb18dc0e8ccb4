"""What a setting is, read from the record of its section: a field with type, default, sentence and marks.

A section is a frozen record in the room that uses it. `Meta(description=…)` is the setting's sentence, and
`Meta(extra=…)` holds its `Marks`; everything else about settings is made from these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct, structs

from companion.text import N_, Text, Value, raw

# Characters of a value that a complaint repeats.
MAX_CHARACTERS_SHOWN = 60


class Marks(Struct, frozen=True, forbid_unknown_fields=True):
    """What a field says in `Meta(extra=…)`; the defaults are those of a setting that only the file can change."""

    on_page: bool = False
    """Whether a paired phone may change it."""
    needs_restart: bool = True
    """Whether the box must be started again before a change holds."""
    off_pi: Any = None
    """The default where the backend isn't `pi`, if it's another one there."""
    follows: str = ""
    """The key at the top of the file whose value is the default."""
    allowed: str = ""
    """What it can be, in words, where the type doesn't say it."""
    check: Callable[[Any], bool] | None = None
    """What a value of the right type must pass, too."""


class Setting(Struct, frozen=True):
    """One setting. `choices` are all its values, where they can be listed; a number has its limits instead."""

    key: str
    text: Text
    allowed: Text
    default: Any = None
    choices: tuple[Any, ...] = ()
    lowest: float | None = None
    highest: float | None = None
    marks: Marks = Marks()
    kind: Any = None

    @property
    def section(self) -> str:
        """The section it's in; empty at the top of the file."""
        return self.key.rpartition(".")[0]

    @property
    def name(self) -> str:
        """Its key within the section."""
        return self.key.rpartition(".")[2]

    def problem_with(self, value: Any) -> Text | None:
        """What is wrong with a value, if anything."""
        try:
            msgspec.convert(value, self.kind)
            is_right = self.marks.check is None or self.marks.check(value)
        except msgspec.ValidationError:
            is_right = False
        return None if is_right else refused(self.name, value, self.allowed)


def refused(key: str, value: Any, allowed: Text) -> Text:
    """The sentence about a value that can't be."""
    said: dict[str, Value] = {"key": key, "value": quoted(value), "allowed": allowed}
    return Text(N_("{key} can't be {value}. Allowed: {allowed}."), said)


def unknown_key(key: str, known: Mapping[str, object] | tuple[str, ...]) -> Text:
    """The sentence about a key that doesn't exist."""
    return Text(N_("there is no key {key}. There are: {known}."), {"key": key, "known": ", ".join(known)})


@cache
def settings_in(
    default: Struct, section: str = "", named: Callable[[str], Mapping[str, Value]] = lambda name: {}
) -> dict[str, Setting]:
    """The settings of a section by name, from its default record. `named` is what a field's sentence needs besides."""
    record = type(default)
    hints = get_type_hints(record, include_extras=True)
    found = {}
    for field in structs.fields(record):
        kind, metas = bare(hints[field.name])
        description = first(meta.description for meta in metas)
        if description is None:
            raise TypeError(f"{record.__name__}.{field.name} is a setting without a sentence")
        extra = {name: value for meta in reversed(metas) for name, value in (meta.extra or {}).items()}
        marks = Marks(**extra)
        choices = choices_of(kind)
        low, high = (first(getattr(meta, limit) for meta in metas) for limit in ("ge", "le"))
        found[field.name] = Setting(
            f"{section}.{field.name}" if section else field.name,
            Text(description, dict(named(field.name))),
            Text(marks.allowed) if marks.allowed else allowed(kind, choices, low, high),
            getattr(default, field.name),
            choices,
            low,
            high,
            marks,
            hints[field.name],
        )
    return found


def first(values: Iterable[Any]) -> Any:
    """The first value that isn't None; None if there is none."""
    return next((value for value in values if value is not None), None)


def bare(hint: Any) -> tuple[Any, list[Meta]]:
    """A type without notes and without None, and the notes, the outer ones first."""
    metas: list[Meta] = []
    while True:
        if get_origin(hint) is Annotated:
            hint, *notes = get_args(hint)
            metas += [note for note in notes if isinstance(note, Meta)]
        elif get_origin(hint) in (Union, UnionType) and NoneType in get_args(hint):
            (hint,) = (one for one in get_args(hint) if one is not NoneType)
        else:
            return hint, metas


def choices_of(kind: Any) -> tuple[Any, ...]:
    """All values of a type, where they can be listed."""
    if kind is bool:
        return (False, True)
    return get_args(kind) if get_origin(kind) is Literal else ()


def allowed(kind: Any, choices: tuple[Any, ...] = (), low: float | None = None, high: float | None = None) -> Text:
    """What a setting may be, in words."""
    if kind is bool:
        return raw("true, false")
    if choices:
        return raw(", ".join(map(str, choices)))
    if low is not None and high is not None:
        return Text(N_("numbers from {low} to {high}"), {"low": f"{low:g}", "high": f"{high:g}"})
    return Text(N_("a text in quotes")) if kind is str else Text(N_("a list of texts in quotes"))


def quoted(value: Any) -> str:
    """A value as a complaint repeats it: as it's written in Python, cut where it's long.

    >>> quoted("x" * 1000)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, tables within tables
        return "…"
    return text if len(text) <= MAX_CHARACTERS_SHOWN else f"{text[: MAX_CHARACTERS_SHOWN - 1]}…"
