"""Compares the table as seen with the table that a state expects: zone by zone, card by card."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.table.difference import Difference, DifferenceKind
from companion.table.same_card import is_same_card, is_same_card_unmoved
from companion.table.sight import Seen, Sight
from companion.table.tabletop import ExpectedCard, ExpectedLayout, Tabletop

# The cost of reading an unnamed card as one that lay there before, or as one the recogniser didn't list.
UNREAD_COST, WILD_COST = 0.2, 6.0
# The cost of a new card that isn't visible: in a heap another may lie on it, elsewhere that is rare.
BURIED_COST, NEWLY_COVERED_COST = 0.3, 0.9
# The cost of each identical card that is hidden more or less than before: cards in a fan overlap.
FANNED_COST = 0.2


class AssumedName(Struct, frozen=True):
    """A card without a name, what it's taken for, and how likely that is; 0 for a name the eye didn't think of."""

    seen: Seen
    card: str
    chance: float


class Match(Struct, frozen=True):
    """How a zone agrees: what differs, and what doubtful names and covered cards cost.

    `changed_copies` counts identical cards that are newly hidden or newly visible; `buried` counts the cards that came
    to a heap and aren't seen there.
    """

    differences: tuple[Difference, ...] = ()
    cost: float = 0.0
    assumed: tuple[AssumedName, ...] = ()
    changed_copies: int = 0
    buried: int = 0


KnownDifferences = Counter[tuple[str, str, str]]
"""Differences, by their keys, that players have still to see to."""


class Comparison:
    """Compares layouts with one sight.

    `known_differences` are ignored: they were there when the first state began and still are. What `sight_before`
    shows in a heap is no news. A lenient comparison leaves out cards without a name that are no card of the layout.
    """

    def __init__(
        self,
        table: Tabletop[Any],
        start: ExpectedLayout,
        sight: Sight,
        known_differences: KnownDifferences | None = None,
        sight_before: Sight | None = None,
        *,
        lenient: bool,
    ):
        self.table = table
        self._start = start
        self._lenient = lenient
        self._has_known_differences = known_differences is not None
        swept = () if sight_before is None else (*sight_before.cards, *sight_before.strangers)
        self._named: dict[str, list[tuple[str, Seen]]] = {zone: [] for zone in start}
        self._unnamed: dict[str, list[Seen]] = {zone: [] for zone in start}
        self._occupied: set[str] = set()
        for zone, seen in table.watched(sight):
            self._occupied.add(zone)
            has_lain = zone in table.heaps and any(one.zone == seen.zone and is_same_card(one, seen) for one in swept)
            if zone not in start or has_lain:
                continue
            if seen.card:
                self._named[zone].append((table.layout_name(seen.card), seen))
            else:
                self._unnamed[zone].append(seen)
        self._was_unnamed = {} if sight_before is None else dict(self._never_read(sight_before))
        self._matches: dict[tuple[str, tuple[ExpectedCard, ...]], Match] = {}
        self._has_sight_before = sight_before is not None
        self._hidden = self._hidden_before(sight_before)
        self._known_differences: KnownDifferences = Counter() if known_differences is None else known_differences
        self.has_unnamed = any(seen not in self._was_unnamed for cards in self._unnamed.values() for seen in cards)
        covered = ((zone, seen) for zone, seen in table.watched(Sight(sight.covered)) if zone in table.crowded)
        self._covered = Counter((zone, table.layout_name(seen.card)) for zone, seen in covered)
        self.covered = frozenset(name for _, name in self._covered)
        self.lying = Counter(table.layout_name(seen.card) for seen in sight.cards)

    def _never_read(self, sight_before: Sight) -> Iterator[tuple[Seen, ExpectedCard | None]]:
        """Unnamed cards that already lay there when the state came about, with the piece that each must be.

        That is the only piece that wasn't read then. It's None where all pieces were read: the card is none of them.
        """
        read = Counter(
            (zone, self.table.layout_name(seen.card)) for zone, seen in self.table.watched(sight_before) if seen.card
        )
        for zone, cards in self._unnamed.items():
            lain = [one for one in sight_before.strangers if one.zone == zone]
            pieces = Counter(one for one in self._start[zone] if not one.is_under)
            unread = [one for one, count in pieces.items() for _ in range(count - read[zone, one.card])]
            if zone in self.table.heaps or len(unread) > 1 or (unread and len(lain) > 1):
                continue
            for seen in cards:
                names = map(self.table.layout_name, seen.maybe)
                is_likely = not unread or not seen.maybe or unread[0].card in names
                if is_likely and any(is_same_card_unmoved(one, seen) for one in lain):
                    yield seen, unread[0] if unread else None

    def _hidden_before(self, sight_before: Sight | None) -> Counter[tuple[str, str]]:
        """How many identical cards of each zone were hidden in the earlier sight."""
        pieces = ((zone, one.card) for zone, pieces in self._start.items() for one in pieces)
        alike = Counter(key for key in pieces if key[0] not in self.table.heaps and self.table.copies(key[1]) > 1)
        if sight_before is not None:
            alike.subtract((zone, self.table.layout_name(seen.card)) for zone, seen in self.table.watched(sight_before))
        return Counter({key: max(0, count) for key, count in alike.items()})

    def _changed_copies(self, zone: str, under: Sequence[ExpectedCard]) -> int:
        """How many identical cards are newly hidden or newly visible: one was probably added or taken."""
        if not self._has_sight_before:
            return 0
        hidden = Counter(one.card for one in under if self.table.copies(one.card) > 1)
        names = {*hidden, *(one.card for one in self._start[zone] if one.is_under and self.table.copies(one.card) > 1)}
        return sum(abs(hidden[name] - self._hidden[zone, name]) for name in names)

    def is_bare(self, zone: str) -> bool:
        """Whether nothing at all lies in a zone."""
        return zone not in self._occupied

    @property
    def lying_by_zone(self) -> Counter[tuple[str, str]]:
        """How many cards of each name lie in each zone."""
        return Counter((zone, name) for zone, cards in self._named.items() for name, _ in cards)

    def compare(self, laid: ExpectedLayout) -> list[Match]:
        """How each zone agrees."""
        return [self.match(zone, pieces) for zone, pieces in laid.items()]

    def nearest(self, layouts: Sequence[ExpectedLayout]) -> tuple[ExpectedLayout, list[Match]]:
        """The layout that differs least, the first where several do; with how its zones agree."""
        judged = [(laid, self.compare(laid)) for laid in layouts]
        return min(judged, key=lambda one: sum(len(match.differences) for match in one[1])) if judged[1:] else judged[0]

    def match(self, zone: str, pieces: tuple[ExpectedCard, ...]) -> Match:
        """How one zone agrees."""
        found = self._matches.get((zone, pieces))
        if found is None:
            wanted: Iterable[ExpectedCard] = pieces
            if zone in self.table.heaps:
                wanted = (Counter(pieces) - Counter(self._start[zone])).elements()
            found = self._matches[zone, pieces] = self._matched(zone, list(wanted))
        return found

    def _matched(self, zone: str, left: list[ExpectedCard]) -> Match:
        differences: list[Difference] = []
        lain = self._there_from_start(zone)
        for name, seen in self._named[zone]:
            fits = [one for one in left if one.card == name]
            if not fits and lain[name]:
                lain[name] -= 1
                continue  # what lay on it was taken off, or nobody has looked before
            if not fits:
                differences.append(Difference(zone, name, "extra", seen))
                continue
            best = min(fits, key=lambda one: (self._wrong(one, seen) is not None, one.is_under))
            left.remove(best)
            wrong = self._wrong(best, seen)
            if wrong is not None:
                differences.append(Difference(zone, name, wrong, seen))
        cost, assumed, rest = self._assume_names(zone, left)
        if not self._lenient:
            differences += [Difference(zone, "", "unnamed", seen) for seen in rest]
        hidden = self._covered.copy()
        for one in left:
            if not one.is_under and hidden[zone, one.card] > 0:
                hidden[zone, one.card] -= 1
                cost += BURIED_COST
            elif not one.is_under:
                differences.append(Difference(zone, one.card, "missing"))
        under = [one for one in left if one.is_under]
        if zone in self.table.heaps:
            return Match(tuple(self._new(differences)), cost + BURIED_COST * len(under), assumed, buried=len(under))
        new = [one for one in under if one not in self._start[zone] and self.table.copies(one.card) == 1]
        changed = self._changed_copies(zone, under)
        return Match(
            tuple(self._new(differences)),
            cost + NEWLY_COVERED_COST * len(new) + FANNED_COST * changed,
            assumed,
            changed,
        )

    def _there_from_start(self, zone: str) -> Counter[str]:
        """The cards that a heap had when the state came about: single ones, and at the first sight of a game all."""
        if zone not in self.table.heaps:
            return Counter()
        return Counter(
            one.card for one in self._start[zone] if not self._has_sight_before or self.table.copies(one.card) == 1
        )

    def _wrong(self, one: ExpectedCard, seen: Seen) -> DifferenceKind | None:
        if one.face and seen.face and one.face != seen.face:
            return "flipped"
        return "turned" if one.way and one.way not in self.table.ways(seen) else None

    def _assume_names(self, zone: str, left: list[ExpectedCard]) -> tuple[float, tuple[AssumedName, ...], list[Seen]]:
        """Give cards without a name to pieces that nobody has read, likeliest first; `left` loses those."""
        rest = list(self._unnamed[zone])
        cost, assumed = 0.0, []
        pairs = [(self._naming_cost(zone, seen, one), at, seen, one) for at, seen in enumerate(rest) for one in left]
        for name_cost, _, seen, one in sorted(pairs, key=lambda pair: pair[:2]):
            if one in left and seen in rest and name_cost < (WILD_COST if self._lenient else math.inf):
                left.remove(one)
                rest.remove(seen)
                cost += name_cost
                # What may lie under others is no news, whatever its name.
                if name_cost not in (0.0, UNREAD_COST) and not (one.is_under and one in self._start[zone]):
                    assumed.append(AssumedName(seen, one.card, 0.0 if name_cost >= WILD_COST else math.exp(-name_cost)))
        return cost, tuple(assumed), [seen for seen in rest if seen not in self._was_unnamed]

    def _naming_cost(self, zone: str, seen: Seen, one: ExpectedCard) -> float:
        """What it costs to take a card without a name for a piece."""
        if seen.was and self.table.layout_name(seen.was) == one.card:
            return 0.0
        if seen in self._was_unnamed:
            was = self._was_unnamed[seen]
            return 0.0 if (one == was if was else one.is_under and one in self._start[zone]) else math.inf
        is_still = one in self._start[zone] and not one.is_under and not self._has_known_differences
        if is_still and not seen.maybe:
            return UNREAD_COST
        names = [self.table.layout_name(card) for card in seen.maybe]
        if one.card in names:
            chances = seen.chances if len(seen.chances) == len(names) else (1 / (len(names) + 1),) * len(names)
            chance = sum(each for name, each in zip(names, chances, strict=True) if name == one.card)
            return max(0.01, -math.log(max(chance, 1e-3)))
        return math.inf if one in self._start[zone] else WILD_COST

    def _new(self, differences: Iterable[Difference]) -> Iterator[Difference]:
        """The differences that weren't there already when the first state came about."""
        known_differences = self._known_differences.copy()
        for one in differences:
            if known_differences[one.key] > 0:
                known_differences[one.key] -= 1
            else:
                yield one


def each_once(table: Tabletop[Any], laid: ExpectedLayout, sight: Sight) -> Sight:
    """Where one card of a deck is read in two places, the likelier place keeps it and the other card has no name.

    The likelier one is where the state has it, then the one that the eye is surer of.
    """
    expected = {(zone, one.card) for zone, pieces in laid.items() for one in pieces}
    likely: dict[str, Seen] = {}
    for card in sorted(sight.cards, key=lambda one: ((one.zone, one.card) in expected, one.confidence)):
        if table.copies(table.layout_name(card.card)) == 1:
            likely[card.card] = card
    doubled = [card for card in sight.cards if likely.get(card.card, card) is not card]
    if not doubled:
        return sight
    others = (tuple(name for name in card.maybe if name != card.card) for card in doubled)
    unnamed = tuple(
        replace(card, card="", face="", confidence=0.0, maybe=maybe, chances=())
        for card, maybe in zip(doubled, others, strict=True)
    )
    kept = tuple(card for card in sight.cards if likely.get(card.card, card) is card)
    return replace(sight, cards=kept, strangers=(*sight.strangers, *unnamed))


def differences_of(table: Tabletop[Any], state: Any, sight: Sight, sight_before: Sight | None) -> KnownDifferences:
    """By what a table differs from a state."""
    laid = table.layout(state)
    found = Comparison(table, laid, sight, sight_before=sight_before, lenient=True).compare(laid)
    return Counter(one.key for match in found for one in match.differences)
