"""Reads a state from the table: from what is seen, from the state before, and from a few answers by people.

Nothing is searched for here. Each kit says what it can read and what it can't; the rules complete and check the rest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, cast

from msgspec import Struct

from companion.games.game import BadState
from companion.table.chooser import Node, Pick
from companion.table.host import Host
from companion.table.sight import Seen, Sight
from companion.table.tabletop import ReadCards, TableQuestion
from companion.text import N_, Text, Value, raw


class Answered(Struct, frozen=True):
    """A person's answer: the key of the `TableQuestion`, and which of its values."""

    key: str
    answer: int


def question_and_answer(node: Node) -> tuple[Text, Text]:
    """The question and the answer of one of these nodes."""
    labels = node.pick.label.values
    return cast("Text", labels["question"]), cast("Text", labels["answer"])


def answer_nodes(question: TableQuestion) -> tuple[Node, ...]:
    """The answers for the chooser.

    Player n and number n are at light n, zero after the last number, verbs on every second light.
    """

    def place(value: int) -> int:
        if question.kind == "number":
            return value - 1 if value else max(question.values)
        return value if question.kind == "seat" else 2 * value

    def label(value: int) -> Text:
        answer: Value = question.words.get(value, raw(value + (question.kind == "seat")))
        return Text(N_("{question} {answer}"), {"question": question.text, "answer": answer})

    return tuple(
        Node(
            Pick(f"{question.key}-{value}", label(value), (), place(value), question.kind),
            (),
            Answered(question.key, value),
        )
        for value in sorted(question.values, key=place)
    )


def in_zones(host: Host[Any], sight: Sight) -> ReadCards:
    """The named cards by zone, left to right; an unread card that looks unchanged keeps its earlier name."""
    found: dict[str, list[tuple[str, Seen]]] = defaultdict(list)
    for zone, seen in host.table.watched(sight):
        if seen.card or seen.was:
            found[zone].append((host.table.layout_name(seen.card or seen.was), seen))
    for cards in found.values():
        cards.sort(key=lambda one: one[1].x)
    return found


def state_from_table(host: Host[Any], state: Any, sight: Sight, answers: Mapping[str, int]) -> Any:
    """The state that a table shows, with what people answered. Raises `BadState`, saying what is impossible."""
    found = host.table.believed(state, in_zones(host, sight), answers)
    if found is None:
        raise BadState("not_read", Text(N_("The box can't read a whole table of this game.")))
    return host.game.settle(found)
