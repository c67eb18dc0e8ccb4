"""The chooser: any decision picked with ◀ ▶ ✔ ✖ alone, one light an option, in steps where there are many.

Pure: it knows neither the panel's pins nor the rules; what it picks are values that somebody else understands.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.text import Text
from hardware import lights
from hardware.panel import BAR, SKY, SUITS, Glow, Layer

PAGES = 3
"""The chosen light is steady, blinks slowly or blinks fast: so many pages the bar has."""


class Pick(Struct, frozen=True):
    """One option: a key to tell it from others, its words, and the lamps that light up with it.

    `place` is its light on the bar where that has a meaning of its own, such as a card's rank; else it's the option's
    number.
    """

    key: str
    label: Text
    lamps: tuple[str, ...] = ()
    place: int | None = None


class Node(Struct, frozen=True):
    """An option with what follows it: more options, or the value that is picked."""

    pick: Pick
    branches: tuple[Node, ...] = ()
    value: Any = None


def tree(paths: Iterable[tuple[tuple[Pick, ...], Any]]) -> tuple[Node, ...]:
    """Options from the steps that lead to each value; the order stays, a step without a choice is left out.

    >>> pick = lambda key: Pick(key, Text(key))
    >>> nodes = tree([((pick("play"), pick("r2")), 1), ((pick("play"), pick("r4")), 2), ((pick("pass"),), 3)])
    >>> [(node.pick.key, len(node.branches), node.value) for node in nodes]
    [('play', 2, None), ('pass', 0, 3)]
    >>> [node.pick.key for node in tree([((pick("show"), pick("r2")), 1), ((pick("show"), pick("r4")), 2)])]
    ['r2', 'r4']
    """
    groups: dict[str, tuple[Pick, list[tuple[tuple[Pick, ...], Any]]]] = {}
    for (first, *rest), value in paths:
        groups.setdefault(first.key, (first, []))[1].append((tuple(rest), value))
    nodes = []
    for pick, members in groups.values():
        if len(members) == 1:
            last = members[0][0][-1:] or (pick,)
            lamps = tuple(dict.fromkeys(lamp for one in (pick, *members[0][0]) for lamp in one.lamps))
            label = pick.label if not members[0][0] else joined((pick, *members[0][0]))
            key = last[0].key if not members[0][0] else pick.key
            nodes.append(Node(Pick(key, label, lamps, last[0].place), (), members[0][1]))
        else:
            nodes.append(Node(pick, tree(members)))
    return nodes[0].branches if len(nodes) == 1 and nodes[0].branches else tuple(nodes)


def joined(picks: Iterable[Pick]) -> Text:
    """The words of several steps as one option."""
    labels = [pick.label for pick in picks]
    return Text(" › ".join(f"{{p{at}}}" for at in range(len(labels))), {f"p{at}": one for at, one in enumerate(labels)})


class Chooser(Struct, frozen=True):
    """Where somebody is in a tree of options. Every press gives a new chooser."""

    nodes: tuple[Node, ...]
    above: tuple[int, ...] = ()
    at: int = 0

    @property
    def level(self) -> tuple[Node, ...]:
        """The options of the present step."""
        nodes = self.nodes
        for index in self.above:
            nodes = nodes[index].branches
        return nodes

    @property
    def chosen(self) -> Node:
        """The option under the light."""
        return self.level[self.at]

    @property
    def first(self) -> Any:
        """The first value there is, which tells what is picked."""
        node = self.nodes[0]
        while node.branches:
            node = node.branches[0]
        return node.value

    def step(self, by: int) -> Chooser:
        """◀ or ▶: another option, round the ends."""
        return replace(self, at=(self.at + by) % len(self.level))

    def enter(self) -> Chooser | None:
        """✔ on an option with more behind it; None where a value is picked."""
        if not self.chosen.branches:
            return None
        return replace(self, above=(*self.above, self.at), at=0)

    def leave(self) -> Chooser | None:
        """✖: one step up; None at the top."""
        if not self.above:
            return None
        return replace(self, above=self.above[:-1], at=self.above[-1])

    @property
    def label(self) -> Text:
        """The option in words, with the steps that led to it."""
        nodes, picks = self.nodes, []
        for index in self.above:
            picks.append(nodes[index].pick)
            nodes = nodes[index].branches
        return joined([*picks, self.chosen.pick])

    def layer(self, lamps: int = BAR) -> Layer:
        """What the panel shows."""
        # A short bar has few pages; what doesn't fit on them starts again at the first light. No bar shows nothing.
        bar = self._bar(lamps) if lamps else Layer()
        lit = self.chosen.pick.lamps
        if not lit:
            return bar
        return Layer(
            bar=bar.bar,
            suits=tuple(Glow.ON if suit in lit else Glow.OFF for suit in SUITS),
            sky=tuple(Glow.ON if one in lit else Glow.OFF for one in SKY),
            reading=bar.reading,
        )

    def _bar(self, lamps: int) -> Layer:
        chosen = self.chosen.pick
        among = self.chosen.branches or [node for node in self.level if node.pick.lamps == chosen.lamps]
        places = [node.pick.place for node in among if node.pick.place is not None]
        if places:
            return lights.naming(chosen.place, *places, lamps=lamps)
        most = lamps * PAGES
        return lights.chooser(self.at % most, min(len(self.level), most), lamps)
