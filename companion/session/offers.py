"""What ◀ ▶ open beside a game's own options: how much of an explanation is taken, and ways out where there is none."""

from __future__ import annotations

from msgspec import Struct

from companion.table.chooser import Node, Pick
from companion.table.menu import BELIEVE, ENTRIES, UNDO, Act
from companion.text import N_, Text


class Whole(Struct, frozen=True):
    """All of what was understood is taken, or only what shows: the player isn't done yet."""

    is_open: bool


class Nearest(Struct, frozen=True):
    """What explains most of the table is taken; the rest is put right by hand."""


WAYS_OUT = (
    Node(Pick("nearest", Text(N_("take what fits the rules")), place=0, kind="verb"), value=Nearest()),
    Node(Pick("undo", Text(ENTRIES[UNDO]), place=2, kind="verb"), value=Act("undo")),
    Node(Pick("believe", BELIEVE.label, place=4, kind="verb"), value=Act("believe")),
)
"""What can be done where nothing explains the table."""
ALL_OR_OPEN = (
    Node(Pick("whole", Text(N_("all of it")), place=0, kind="verb"), value=Whole(False)),
    Node(Pick("open", Text(N_("not done yet")), place=2, kind="verb"), value=Whole(True)),
)
