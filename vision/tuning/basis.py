"""What goes with each tunable number of the eye."""

from __future__ import annotations

from msgspec import Struct


class Basis(Struct, frozen=True):
    """What a tunable number is measured in, what it rests on, and the benchmark that gets worse when it moves."""

    unit: str
    rests_on: str
    noticed_by: str = "families"
