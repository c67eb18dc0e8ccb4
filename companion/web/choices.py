"""What can be done now, grouped as the chooser groups it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from companion.games.cards import HIDDEN
from companion.games.game import Move
from companion.games.notation import write_move
from companion.table.chooser import Node
from companion.table.host import Host
from companion.text import Text
from companion.web.pictures import face
from companion.web.pictures.model import Say
from companion.web.records import CardSet, Choice, Options


def options(host: Host[Any], state: Any, say: Say) -> Options:
    """Every legal move; moves that name several cards become a pick of so many, the rest a tree."""
    plain: list[Move] = []
    sets: dict[type[Move], list[Move]] = {}
    for move in sorted(host.game.conceivable(state), key=lambda one: isinstance(one, host.game.mishaps)):
        if is_set(move):
            sets.setdefault(type(move), []).append(move)
        else:
            plain.append(move)
    nodes = host.choices(state, plain)
    return Options(
        tuple(_choice(host, node, say) for node in nodes),
        tuple(_card_set(host, kind, moves, say) for kind, moves in sets.items()),
    )


def is_set(move: Move) -> bool:
    """Whether a move is nothing but a set of cards."""
    fields = structs.fields(type(move))
    return len(fields) == 1 and isinstance(getattr(move, fields[0].name), tuple)


def _card_set(host: Host[Any], kind: type[Move], moves: Sequence[Move], say: Say) -> CardSet:
    (field,) = structs.fields(kind)
    zones = [getattr(move, field.name) for move in moves]
    cards = sorted({card for zone in zones for card in zone})
    return CardSet(
        str(kind.__struct_config__.tag),
        say(Text(host.verbs[kind])),
        len(zones[0]),
        tuple(face(host.game, card, say) for card in cards),
    )


def _choice(host: Host[Any], node: Node, say: Say) -> Choice:
    move = node.value
    branches = tuple(_choice(host, branch, say) for branch in node.branches)
    card = getattr(move, "card", "") if move is not None else ""
    return Choice(
        node.pick.key,
        say(node.pick.label),
        "" if move is None else write_move(move),
        node.pick.lamps,
        face(host.game, card, say) if card and card != HIDDEN and card != "none" else None,
        branches,
        all(branch.is_mishap for branch in branches) if branches else isinstance(move, host.game.mishaps),
    )
