"""What can be done now, grouped as the chooser groups it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.cards import HIDDEN
from companion.games.game import Move
from companion.games.notation import write_move
from companion.kits import KITS
from companion.table.chooser import Node
from companion.table.host import Host
from companion.table.offers import NOT_DONE_YET, UNSEEN_MOVES
from companion.table.proposal import Aside, Explanation, Proposal
from companion.text import N_, Text, raw
from companion.web.pictures import drawn_card
from companion.web.pictures.model import Say
from companion.web.records import Choice, GroupedOptions, SetOfCards


def options(host: Host[Any], state: Any, say: Say) -> GroupedOptions:
    """Every legal move; moves that name several cards become a pick of so many, the rest a tree."""
    plain: list[Move] = []
    sets: dict[type[Move], list[Move]] = {}
    for move in sorted(host.game.conceivable(state), key=lambda one: isinstance(one, host.game.mishaps)):
        if is_set(move):
            sets.setdefault(type(move), []).append(move)
        else:
            plain.append(move)
    nodes = host.options_by_verb(state, plain)
    return GroupedOptions(
        tuple(_choice(host, state, node, say) for node in nodes),
        tuple(_card_set(host, kind, moves, say) for kind, moves in sets.items()),
    )


def ways(proposal: Proposal) -> list[Explanation]:
    """The ways to take what was understood, but for what ✔ does."""
    not_done = [] if proposal.without_turn_end is None else [proposal.without_turn_end]
    return [*not_done, *(one.whole for one in proposal.asides)]


def otherwise(host: Host[Any], proposal: Proposal, say: Say) -> tuple[Choice, ...]:
    """The same as choices; the move of each is its place among them."""
    found = {one.moves: str(at) for at, one in enumerate(ways(proposal))}

    def branches_of(asides: Sequence[Aside], at: int) -> tuple[Choice, ...]:
        """What nobody has seen, move by move."""
        groups: dict[Move, list[Aside]] = {}
        for one in asides:
            groups.setdefault(one.moves[at], []).append(one)
        return tuple(
            Choice(write_move(move), say(phrase(host, proposal.asked_state, move)), branches=branches_of(alike, at + 1))
            if len(alike[0].moves) > at + 1
            else Choice(write_move(move), say(phrase(host, proposal.asked_state, move)), found[alike[0].whole.moves])
            for move, alike in groups.items()
        )

    not_done = (
        ()
        if proposal.without_turn_end is None
        else (Choice(NOT_DONE_YET.key, say(NOT_DONE_YET.label), found[proposal.without_turn_end.moves]),)
    )
    unseen = branches_of(proposal.asides, 0)
    return (*not_done, *((Choice(UNSEEN_MOVES.key, say(UNSEEN_MOVES.label), branches=unseen),) if unseen else ()))


def is_set(move: Move) -> bool:
    """Whether a move is nothing but a set of cards."""
    fields = move.__struct_fields__
    return len(fields) == 1 and isinstance(getattr(move, fields[0]), tuple)


def phrase(host: Host[Any], state: Any, move: Move) -> Text:
    """A move in a few words: what is done, and with what."""
    about: list[Text] = []
    for name in move.__struct_fields__:
        value = getattr(move, name)
        for one in value if isinstance(value, tuple) else (value,):
            about += [] if one in ("none", -1) else [_named(host, state, name, one)]
    verb = host.verb(state, move)
    if not about:
        return verb
    return Text(N_("{verb}: {what}"), {"verb": verb, "what": tuple(about)})


def _named(host: Host[Any], state: Any, field: str, value: Any) -> Text:
    """What a field of a move is called; a card without a name as the buttons of a state that is known call it."""
    if field in ("seat", "to"):
        return Text(N_("player {seat}"), {"seat": value + 1})
    if field == "cell":
        return Text(N_("shelter {number}"), {"number": value + 1})
    if field.startswith("card"):
        if value != HIDDEN:
            return host.game.card(value)
        return host.game.term(HIDDEN) if state is None else [*host.steps(state, field, value)][-1].label
    return host.game.term(value) if isinstance(value, str) else raw(value)


def _card_set(host: Host[Any], kind: type[Move], moves: Sequence[Move], say: Say) -> SetOfCards:
    (field,) = kind.__struct_fields__
    zones = [getattr(move, field) for move in moves]
    cards = sorted({card for zone in zones for card in zone})
    return SetOfCards(
        str(kind.__struct_config__.tag),
        say(Text(host.verbs[kind])),
        len(zones[0]),
        tuple(drawn_card(host.game, card, say) for card in cards),
    )


def _choice(host: Host[Any], state: Any, node: Node, say: Say) -> Choice:
    move = node.value
    branches = tuple(_choice(host, state, branch, say) for branch in node.branches)
    return Choice(
        node.pick.key,
        say(node.pick.label),
        "" if move is None else write_move(move),
        node.pick.lamps,
        "" if move is None else say(phrase(host, state, move)),
        () if move is None else KITS[host.game.name].on_page.targets(state, move),
        branches,
        all(branch.is_mishap for branch in branches) if branches else isinstance(move, host.game.mishaps),
    )
