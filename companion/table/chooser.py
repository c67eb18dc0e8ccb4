"""The chooser: any decision picked with ◀ ▶ ✔ ✖ alone, each option at its own light, in steps where there are many.

Pure: it knows neither the panel's pins nor the rules; what it picks are values that somebody else understands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from companion.text import N_, Text, in_a_row
from hardware import lights
from hardware.panel import BAR, SKY, SUITS, BarKind, Button, Glow, Layer

HIDDEN_LAMPS = SKY
"""Sun and moon together stand for a hidden card."""
ONE_OF = N_("{card} ({at} of {of})")
"""A card among others that are picked together: how many are picked with it."""

Kind = Literal["verb", "seat", "suit", "number", "card", "sky", "menu"]
"""What an option is, and so how it looks: a thing to do, a player, a suit, a number, a card in a list of all suits, sun
or moon, an entry of the menu."""


class Pick(Struct, frozen=True):
    """One option: a key to tell it from others, its words, its light on the bar, and the lamps lit with it."""

    key: str
    label: Text
    lamps: tuple[str, ...] = ()
    place: int = 0
    kind: Kind = "number"


class Node(Struct, frozen=True, dict=True):
    """An option with what follows it: more options, or the value that is picked.

    Where several are picked in any order, `sets` are those that are still missing to each value. What follows is made
    of them only when somebody gets there: nine of twelve can be picked in 80 million orders.
    """

    pick: Pick
    below: tuple[Node, ...] = ()
    value: Any = None
    sets: tuple[tuple[tuple[Pick, ...], Any], ...] = ()
    of: int = 0

    @cached_property
    def branches(self) -> tuple[Node, ...]:
        """The options that follow."""
        return self.below or any_order(self.sets, self.of)

    def leads_to(self, value: Any) -> bool:
        """Whether a value can be picked from here on."""
        if self.sets:
            return any(one == value for _, one in self.sets)
        return any(node.leads_to(value) for node in self.below) if self.below else self.value == value


class Gesture(NamedTuple):
    """What a finger does: press a button, or hold an arrow that runs."""

    button: Button
    is_run: bool = False

    @property
    def presses(self) -> int:
        """How many presses it counts for."""
        return 2 if self.is_run else 1


def tree(paths: Iterable[tuple[tuple[Pick, ...], Any]]) -> tuple[Node, ...]:
    """A tree of options from the steps to each value, in order of place; a step with one option is skipped.

    >>> pick = lambda key, place=0: Pick(key, Text(key), place=place)
    >>> nodes = tree([((pick("play"), pick("r2")), 1), ((pick("play"), pick("r4", 2)), 2), ((pick("pass", 3),), 3)])
    >>> [(node.pick.key, len(node.branches), node.value) for node in nodes]
    [('play', 2, None), ('pass', 0, 3)]
    >>> [node.pick.key for node in tree([((pick("show"), pick("r2")), 1), ((pick("show"), pick("r4", 2)), 2)])]
    ['r2', 'r4']
    """
    groups: dict[str, tuple[Pick, list[tuple[tuple[Pick, ...], Any]]]] = {}
    for (first, *rest), value in paths:
        groups.setdefault(first.key, (first, []))[1].append((tuple(rest), value))
    nodes = []
    for pick, members in groups.values():
        if len(members) == 1:
            steps, value = members[0]
            # What can't be chosen among others looks like what it's about, not like a verb.
            shown = steps[-1] if steps and len(groups) == 1 else pick
            # A suit with one card left is that card, also to those who ask what it does.
            key = steps[-1].key if steps and pick.kind == "suit" else shown.key
            nodes.append(
                Node(replace(shown, key=key, label=path_label((pick, *steps)) if steps else pick.label), (), value)
            )
        else:
            nodes.append(Node(pick, tree(members)))
    if len(nodes) == 1 and nodes[0].branches:
        return nodes[0].branches
    return tuple(sorted(nodes, key=lambda node: order(node.pick)))


def any_order(sets: Sequence[tuple[tuple[Pick, ...], Any]], of: int = 0) -> tuple[Node, ...]:
    """The options of which several lead to a value, whichever is picked first; each says how many are picked with it.

    >>> alice, hook, jack = (Pick(name, Text(name), place=at) for at, name in enumerate(("Alice", "Hook", "Jack")))
    >>> nodes = any_order([((alice, hook), 1), ((alice, jack), 2), ((hook, jack), 3)])
    >>> [str(node.pick.label) for node in nodes]
    ['Alice (1 of 2)', 'Hook (1 of 2)', 'Jack (1 of 2)']
    >>> [(str(node.pick.label), node.value) for node in nodes[2].branches]
    [('Alice (2 of 2)', 2), ('Hook (2 of 2)', 3)]
    """
    if not sets:
        return ()
    missing = len(sets[0][0])
    of = of or missing
    picks = {pick.key: pick for steps, _ in sets for pick in steps}
    nodes = []
    for pick in sorted(picks.values(), key=order):
        left = tuple((tuple(one for one in steps if one != pick), value) for steps, value in sets if pick in steps)
        label = Text(ONE_OF, {"card": pick.label, "at": of - missing + 1, "of": of}) if of > 1 else pick.label
        shown = replace(pick, label=label)
        nodes.append(Node(shown, value=left[0][1]) if missing == 1 else Node(shown, sets=left, of=of))
    return tuple(nodes)


def order(pick: Pick) -> tuple[int, int]:
    """Where an option stands among others of its step: suits, then lights of the bar, then sun and moon."""
    if pick.kind == "suit":
        return 0, min((*SUITS, *SKY).index(lamp) for lamp in pick.lamps)
    return (2, SKY.index(pick.lamps[0])) if pick.kind == "sky" else (1, pick.place)


def path_label(picks: Iterable[Pick]) -> Text:
    """The words of several steps as one option."""
    return in_a_row([pick.label for pick in picks], between=" › ")


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

    def picks(self, kind: type) -> bool:
        """Whether values of this kind are picked: the first one tells, since only the menu has several kinds."""
        node = self.nodes[0]
        while node.branches:
            node = node.branches[0]
        return isinstance(node.value, kind)

    def step(self, by: int) -> Chooser:
        """◀ or ▶: another option, round the ends."""
        return replace(self, at=(self.at + by) % len(self.level))

    def run(self, by: int) -> Chooser:
        """A held ◀ or ▶: another option, up to the end."""
        return replace(self, at=max(0, min(len(self.level) - 1, self.at + by)))

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
        return path_label([*self._picked, self.chosen.pick])

    @property
    def _picked(self) -> list[Pick]:
        """The options that led to this step."""
        nodes, picks = self.nodes, []
        for index in self.above:
            picks.append(nodes[index].pick)
            nodes = nodes[index].branches
        return picks

    @property
    def is_menu(self) -> bool:
        """Whether it's the menu of the box, in all its steps."""
        return any(node.pick.kind == "menu" for node in self.nodes)

    @property
    def sign(self) -> str:
        """Which sign of the light language it is."""
        if self.is_menu:
            return "menu"
        kinds = {node.pick.kind for node in self.level}
        if "seat" in kinds:
            return "whom"
        if "verb" in kinds:
            return "one-of"
        return "yes-no" if kinds == {"sky"} else "which"

    def layer(self, lamps: int = BAR) -> Layer:
        """What the panel shows."""
        chosen = self.chosen.pick
        if self.is_menu:
            bar = lights.number_picked(chosen.place, *(node.pick.place for node in self.level), lamps=lamps or BAR)
            return Layer(bar.bar, (Glow.ON,) * len(SUITS), (Glow.OFF, Glow.OFF), bar.bar_kind)
        suits = [lamp for pick in (*self._picked, chosen) for lamp in pick.lamps if lamp in SUITS]
        return options_layer([node.pick for node in self.level], chosen, suits, lamps or BAR)

    def gestures_to(self, value: Any) -> tuple[Gesture, ...]:
        """The fewest presses from here to a value of this step or below; nothing where it isn't there."""
        return _gestures_to(self.level, self.at, value)


def first_gestures_to(nodes: tuple[Node, ...], value: Any) -> tuple[Gesture, ...]:
    """The fewest presses from a question that nobody has touched: ▶ lights the first option, ◀ the last."""
    return _gestures_to(nodes, -1, value)


def _gestures_to(level: tuple[Node, ...], at: int, value: Any) -> tuple[Gesture, ...]:
    for index, node in enumerate(level):
        if node.leads_to(value):
            below = _gestures_to(node.branches, 0, value)
            return (*_steps(level, at, index), Gesture(Button.CONFIRM), *below)
    return ()


def _steps(level: tuple[Node, ...], at: int, to: int) -> tuple[Gesture, ...]:
    """◀ or ▶ to an option, or a held one where that is less."""
    right = to - at if at < 0 else (to - at) % len(level)
    left = len(level) - to if at < 0 else (at - to) % len(level)
    button, presses = (Button.LEFT, left) if left < right else (Button.RIGHT, right)
    if presses <= Gesture(button, is_run=True).presses:
        return (Gesture(button),) * presses
    # A held arrow doesn't go round the ends.
    return (Gesture(Button.RIGHT if to > at else Button.LEFT, is_run=True),)


def options_layer(level: Iterable[Pick], chosen: Pick | None, suits: Iterable[str] = (), lamps: int = BAR) -> Layer:
    """The options of a step, with the picked one if there is one; `suits` are those of the steps before."""
    level = [pick for pick in level if chosen is None or (pick.kind == "card") == (chosen.kind == "card")]
    by_kind: dict[str, list[Pick]] = {}
    for pick in level:
        by_kind.setdefault(pick.kind, []).append(pick)
    if "seat" in by_kind:
        return _players(by_kind["seat"], by_kind.get("verb", []), chosen, lamps)
    if by_kind.keys() & {"verb", "suit"}:
        return _verbs(by_kind.get("verb", []), by_kind.get("suit", []), chosen, lamps)
    if "sky" in by_kind:
        lit = chosen.lamps if chosen is not None else ()
        return Layer(sky=tuple(Glow.ON if one in lit else Glow.DIM for one in SKY))
    if "card" in by_kind and chosen is not None:
        level = [pick for pick in level if pick.lamps == chosen.lamps]
    bar = lights.number_picked(None if chosen is None else chosen.place, *(p.place for p in level), lamps=lamps)
    lit_suits = {*suits, *(() if chosen is None else chosen.lamps)}
    sky = (Glow.OFF, Glow.OFF) if lit_suits & set(SUITS) else (Glow.SLOW, Glow.SLOW)
    return Layer(bar.bar, lights.suits_lit(lit_suits, Glow.ON).suits, sky, bar.bar_kind)


def _players(seats: list[Pick], verbs: list[Pick], chosen: Pick | None, lamps: int) -> Layer:
    """Players at their own lights, and what leaves the offer at its place."""
    left = [_place(pick, lamps) for pick in verbs]
    lit = None if chosen is None else _place(chosen, lamps) if chosen in verbs else chosen.place
    return lights.players_to_pick([pick.place for pick in seats], lit, left)


def _place(verb: Pick, lamps: int) -> int:
    """A verb's light; a short bar has no room for gaps."""
    return verb.place if lamps >= BAR else verb.place // 2


def _verbs(verbs: list[Pick], suits: list[Pick], chosen: Pick | None, lamps: int) -> Layer:
    """Things to do at their places, every second light; suits that can be picked beside them blink."""
    bar: tuple[Glow | None, ...] = (None,) * BAR
    sky: tuple[Glow | None, ...] = (None,) * len(SKY)
    if verbs:
        place = {pick.key: _place(pick, lamps) for pick in verbs}
        bar = lights.number_picked(None if chosen is None else place.get(chosen.key), *place.values(), lamps=lamps).bar
        sky = (Glow.DIM,) * len(SKY)
    can_be = {lamp for pick in suits for lamp in pick.lamps}
    lit = set(chosen.lamps) if chosen is not None and chosen.kind == "suit" else set()
    glows = {lamp: Glow.ON if lamp in lit else Glow.SLOW if lamp in can_be else Glow.OFF for lamp in (*SUITS, *SKY)}
    if can_be & set(SKY) and (not verbs or lit & set(SKY)):
        sky = tuple(glows[one] for one in SKY)
    # Suits that can't be picked are dark: a marker that waits for the next card isn't taken for an option.
    return Layer(bar, tuple(glows[suit] for suit in SUITS), sky, BarKind.PLACES)
