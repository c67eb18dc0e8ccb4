"""The words of the panel's reference card: what lights and buttons are, and each game's questions with their options.

The options are asked of the hosts, in the order in which the chooser has them; drawing is the eye's work.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import structs

from companion.games.cards import HIDDEN
from companion.games.game import Decide, Move
from companion.kits import KITS
from companion.table.chooser import Node
from companion.table.decks import DECKS
from companion.table.host import Host
from companion.table.hosts import HOSTS
from companion.table.questions import asked
from companion.text import N_
from hardware.panel import SKY, SUITS
from vision.art.reference import Answer, Chapter, Question, Reference
from vision.art.sheets import Prints

Translate = Callable[[str], str]

NOTES = (
    N_("The arrows open the options of a question, one light an option."),
    N_("What can't be done now is left out and the rest moves up; a step with a single option is skipped."),
    N_("Past the last light the bar begins anew, blinking slowly, then fast."),
)
NOBODY = (HIDDEN, "none", -1)
"""Values of a move that nobody has to pick."""


def reference(translate: Translate) -> Reference:
    """The whole card in a language."""
    return Reference(
        title=translate(N_("Hush: the panel")),
        bar=translate(N_("the bar: noise, seats, counters; in the chooser one light an option")),
        suits=tuple(map(translate, (N_("wands"), N_("cups"), N_("swords"), N_("pentacles")))),
        sun=translate(N_("sun: light, similar, yes")),
        moon=translate(N_("moon: dark, different, no")),
        buttons=tuple(
            map(
                translate,
                (
                    N_("back one option"),
                    N_("on one option"),
                    N_("yes; held 1 s: what now?"),
                    N_("no, undo; held 2 s: menu"),
                ),
            )
        ),
        off=translate(N_("both arrows held 5 s: switch off safely")),
        chapters=tuple(chapter(host, translate) for host in HOSTS.values()),
        notes=tuple(map(translate, NOTES)),
    )


def prints(translate: Translate) -> Prints:
    """Everything that can be printed, with the card's words in a language."""
    mats = {name: kit.layout for name, kit in KITS.items()}
    tokens = {name: kit.tokens for name, kit in KITS.items() if kit.tokens}
    return Prints(DECKS, mats, lambda: reference(translate), tokens)


def chapter(host: Host[Any], translate: Translate) -> Chapter:
    """One game's questions, in the order in which its rules have them."""
    found = options(host)
    asked_for = [
        Question(to_anybody(translate(text)), tuple(answers(host, found[ask], translate)))
        for ask, text in host.game.questions.items()
        if ask in found
    ]
    lists = [
        Question(translate(title), tuple(Answer(host.game.card(card).render(translate)) for card in cards))
        for title, cards in host.lists.items()
    ]
    return Chapter(host.game.name.capitalize(), (*asked_for, *lists))


def options(host: Host[Any]) -> dict[str, list[tuple[Any, tuple[Node, ...]]]]:
    """For every question that people decide, states with all the kinds of answers it has, and the chooser's options."""
    found: dict[str, dict[tuple[type[Move], ...], tuple[Any, tuple[Node, ...]]]] = {}
    for step, state in asked(host):
        if isinstance(step, Decide):
            kinds = tuple(dict.fromkeys(map(type, host.game.legal(state))))
            states = found.setdefault(step.ask, {})
            if kinds not in states:
                states[kinds] = state, host.options(state)
    return {ask: list(states.values()) for ask, states in found.items()}


def answers(host: Host[Any], states: list[tuple[Any, tuple[Node, ...]]], translate: Translate) -> Iterator[Answer]:
    """What may be answered to a question, first to last, each with how the rest of it is picked."""
    picked = [(state, list(leaves(nodes))) for state, nodes in states]
    for kind in merged(tuple(dict.fromkeys(map(type, moves))) for _state, moves in picked):
        made = [(state, move) for state, moves in picked for move in moves if type(move) is kind]
        lit = {lamp for state, move in made for pick in host.path(state, move) for lamp in pick.lamps}
        rules = follows(host, [move for _state, move in made])
        yield Answer(
            translate(host.verbs[kind]),
            "; ".join(map(translate, rules)),
            tuple(lamp for lamps in (SUITS, SKY) if lit.intersection(lamps) for lamp in lamps),
        )


def follows(host: Host[Any], moves: list[Move]) -> Iterator[str]:
    """How the fields of a kind of move are picked, as rules."""
    for field in structs.fields(type(moves[0])):
        values = {value for move in moves if (value := getattr(move, field.name)) not in NOBODY}
        if values:
            is_suited = field.name == "card" and any(len(host.card_steps(card)) > 1 for card in values)
            yield host.rules["suited" if is_suited else field.name]


def leaves(nodes: Iterable[Node]) -> Iterator[Move]:
    """All that can be picked, in order."""
    for node in nodes:
        if node.branches:
            yield from leaves(node.branches)
        else:
            yield node.value


def merged(orders: Iterable[tuple[type[Move], ...]]) -> list[type[Move]]:
    """Several orders that agree with each other as one."""
    whole: list[type[Move]] = []
    for order in sorted(orders, key=len, reverse=True):
        for at, kind in enumerate(order):
            if kind not in whole:
                later = [whole.index(one) for one in order[at + 1 :] if one in whole]
                whole.insert(min(later, default=len(whole)), kind)
    return whole


def to_anybody(question: str) -> str:
    """A question without the number of a seat.

    >>> to_anybody("Player {seat}: ¿which one?"), to_anybody("Clue giver (player {seat}): safe or lost?")
    ('¿Which one?', 'Clue giver: safe or lost?')
    """
    question = re.sub(r" \([^)]*{seat}\)", "", question)
    bare = re.sub(r"^[^:]*{seat}: ", "", question)
    return bare if bare == question else re.sub(r"\w", lambda letter: letter[0].upper(), bare, count=1)
