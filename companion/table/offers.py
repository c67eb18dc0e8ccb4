"""What ◀ ▶ offer beside ✔: all or part of a proposal, and ways out where nothing explains the table."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from companion.table.chooser import Node, Pick, tree
from companion.table.host import Host
from companion.table.menu import BELIEVE, ENTRIES, UNDO, MenuAct
from companion.table.proposal import Proposal
from companion.text import N_, Text


class NearestMoves(Struct, frozen=True):
    """What explains most of the table is taken; the rest is put right by hand."""


WAYS_OUT = (
    Node(Pick("nearest", Text(N_("take what fits the rules")), place=0, kind="verb"), value=NearestMoves()),
    Node(Pick("undo", Text(ENTRIES[UNDO]), place=2, kind="verb"), value=MenuAct("undo")),
    Node(Pick("believe", BELIEVE.label, place=4, kind="verb"), value=MenuAct("believe")),
)
"""What can be done where nothing explains the table."""
ALL = Pick("whole", Text(N_("all of it")), place=0, kind="verb")
NOT_DONE_YET = Pick("open", Text(N_("not done yet")), place=2, kind="verb")
UNSEEN_MOVES = Pick("unseen", Text(N_("and what nobody sees")), place=4, kind="verb")


def alternatives(host: Host[Any], public: Any, proposal: Proposal) -> tuple[Node, ...]:
    """What can be picked on a proposal, each an explanation: all of it, not the end, or with what no camera sees."""
    more = () if proposal.without_turn_end is None else (Node(NOT_DONE_YET, value=proposal.without_turn_end),)
    paths = (
        (tuple(pick for move in one.moves for pick in host.path(public, move)), one.whole) for one in proposal.asides
    )
    return (
        Node(ALL, value=proposal.explanations[0]),
        *more,
        *((Node(UNSEEN_MOVES, tree(paths)),) if proposal.asides else ()),
    )
