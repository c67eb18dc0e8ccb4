"""What a check says: well, doubtful or broken, in words, and what to do about it."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from companion.text import N_, Text, Value


class Standing(StrEnum):
    """How a part is."""

    OK = "ok"
    WARNING = "warning"
    FAULT = "fault"


STANDINGS = {Standing.OK: N_("ok"), Standing.WARNING: N_("warning"), Standing.FAULT: N_("fault")}


class Finding(Struct, frozen=True):
    """One line of the doctor's report. `name` is stable, for programs; the rest is for people."""

    name: str
    standing: Standing
    said: Text
    fix: Text | None = None


def ok(name: str, said: str, /, **values: Value) -> Finding:
    """A part that is well."""
    return Finding(name, Standing.OK, Text(said, values))


def warning(name: str, said: str, fix: str, /, **values: Value) -> Finding:
    """A part that works, but not as it should."""
    return Finding(name, Standing.WARNING, Text(said, values), Text(fix, values))


def fault(name: str, said: str, fix: str, /, **values: Value) -> Finding:
    """A part that doesn't work."""
    return Finding(name, Standing.FAULT, Text(said, values), Text(fix, values))


def unknown(name: str) -> Finding:
    """A part that couldn't be judged in time: nothing to repair on a machine that is only busy."""
    return warning(
        name,
        N_("This couldn't be found out in time: the machine is very busy."),
        N_("Ask again when it has less to do: companion doctor"),
    )
