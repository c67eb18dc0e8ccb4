"""What a hand did between two looks at the simulated table, and whether the eye told just that."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np
from msgspec import Struct, field

from companion.table.sight import Sight
from companion.table.simulated_table import SimulatedTable
from vision.geometry import Picture, overlap, turn_between
from vision.simulated import Scene, Truth
from vision.tracking import CardChange, CardEvent
from vision.tuning import TRACKING
from vision.view import TrackedCard

# A card that shows less than this is one that others cover: what the eye says of it doesn't count.
CLEAR_SHARE = 0.5
# So near the border between a nudge and a move, or a lean and a turn, either is right.
DOUBT = 0.3
# What lies so far under another card can't be seen to be gone.
COVERED_SHARE = 0.3
MAX_CASES = 5


class TrueChange(Struct, frozen=True):
    """One thing done to one card. An unclear one may be told or not."""

    change: str
    card: str
    is_clear: bool = True


class ChangeTally(Struct):
    """Events told rightly, wrongly and not at all; identities kept and mixed up; the cases that went wrong."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    kept: int = 0
    mixed: int = 0
    cases: list[str] = field(default_factory=list)


class Witness(SimulatedTable):
    """A simulated table that compares the eye's events with what the hand did.

    `dim` holds what the eye told while a lamp was out, and when it was on again.
    """

    tally: ChangeTally
    dim: ChangeTally
    _told: list[CardEvent]
    _before: tuple[Truth, ...] = ()
    _seen: tuple[Truth, ...] = ()
    _known: dict[str, int]
    _covered: set[str]
    _lamp: float = 1.0

    def restart(self) -> None:
        """A new eye sees everything for the first time."""
        super().restart()
        self.forget()

    def forget(self) -> None:
        """Nothing has been seen."""
        self._told, self._before, self._known, self._covered = [], (), {}, set()

    def look(self, picture: Picture) -> Sight:
        """Hear what the eye tells."""
        sight = super().look(picture)
        self._told += self.eye.events
        return sight

    def watch(self, scene: Scene) -> list[Sight]:
        """Look until the view settles, then compare."""
        self._told.clear()
        sights = super().watch(scene)
        # Without its markers in sight the box does nothing with what the eye tells, but it's told all the same.
        if self._told or (self.truths is not self._seen and not sights[-1].is_unsettled):
            self._seen = self.truths
            now = tuple(truth for truth in self.truths if not truth.laid.card.startswith("marker-"))
            tally = self.tally if self.lamp == self._lamp == 1 else self.dim
            compare(tally, true_changes(self._before, now, self._covered), self._told)
            self._covered = covered(self._covered, self._before, now)
            self._known = recognise(tally, self._known, self.eye.view.cards, self._before, now)
            self._before, self._lamp = now, self.lamp
        return sights


def true_changes(before: Sequence[Truth], now: Sequence[Truth], covered: Collection[str] = ()) -> list[TrueChange]:
    """What happened to each card between two tables. Cards that seem to lie under others come back unclear."""
    done = []
    gone, fresh = list(before), list(now)
    for old, new in pairs(before, now):
        gone = [truth for truth in gone if truth is not old]
        fresh = [truth for truth in fresh if truth is not new]
        done += changes(old, new)
    done += [
        TrueChange("removed", truth.laid.card, truth.visible >= CLEAR_SHARE and not is_under(truth, now))
        for truth in gone
    ]
    done += [TrueChange("placed", truth.laid.card, truth.visible >= CLEAR_SHARE) for truth in fresh]
    unsure = [TrueChange(change.value, card, is_clear=False) for card in covered for change in CardChange]
    return [deed for deed in done if deed.card not in covered] + unsure


def is_under(gone: Truth, now: Iterable[Truth]) -> bool:
    """Whether something lies where a card was: nobody can see whether the card was taken away or laid over."""
    return any(overlap(gone.corners, truth.corners) > COVERED_SHARE for truth in now)


def covered(already: set[str], before: Sequence[Truth], now: Sequence[Truth]) -> set[str]:
    """The cards that may still lie under others, as far as anybody can see."""
    present = {truth.laid.card for truth in now}
    under = {truth.laid.card for truth in before if truth.laid.card not in present and is_under(truth, now)}
    return (already | under) - present


def pairs(before: Iterable[Truth], now: Iterable[Truth]) -> list[tuple[Truth, Truth]]:
    """Which card is which: the same card nearest to where it lay."""
    ranked = [
        (apart(old, new), number, old, new)
        for number, (old, new) in enumerate((old, new) for old in before for new in now)
        if old.laid.card == new.laid.card
    ]
    taken: set[int] = set()
    chosen = []
    for _far, _number, old, new in sorted(ranked, key=lambda item: item[:2]):
        if id(old) not in taken and id(new) not in taken:
            taken |= {id(old), id(new)}
            chosen.append((old, new))
    return chosen


def apart(old: Truth, new: Truth) -> float:
    """How far a card went, in its own widths."""
    across = float(np.linalg.norm(new.corners[1] - new.corners[0]))
    return float(np.linalg.norm(new.corners.mean(axis=0) - old.corners.mean(axis=0))) / across


def changes(old: Truth, new: Truth) -> list[TrueChange]:
    """What was done to a card that stayed on the table."""
    is_clear = min(old.visible, new.visible) >= CLEAR_SHARE
    measures = (
        ("flipped", float(old.laid.face != new.laid.face), 0.5),
        ("moved", apart(old, new), TRACKING.min_move_widths),
        ("turned", turn_between(old.laid.turn, new.laid.turn), TRACKING.min_turn_degrees),
    )
    return [
        TrueChange(change, new.laid.card, is_clear and amount > limit * (1 + DOUBT))
        for change, amount, limit in measures
        if amount > limit * (1 - DOUBT)
    ] + ([] if is_clear else [TrueChange(change.value, new.laid.card, is_clear=False) for change in CardChange])


def compare(tally: ChangeTally, done: Sequence[TrueChange], told: Sequence[CardEvent]) -> None:
    """Count what was told rightly, wrongly or not at all."""
    # What must be told first: of two copies of a card, a word on the one that shows isn't lost on the hidden one.
    left = sorted(done, key=lambda deed: not deed.is_clear)
    for event in told:
        match = next((deed for deed in left if (deed.change, deed.card) == (event.change.value, event.card)), None)
        if match is None:
            tally.wrong += 1
            note(tally, f"told but not done: {event.card} {event.change.value}")
        else:
            left.remove(match)
            tally.right += match.is_clear
    for deed in left:
        if deed.is_clear:
            tally.missed += 1
            note(tally, f"done but not told: {deed.card} {deed.change}")


def recognise(
    tally: ChangeTally,
    known: dict[str, int],
    cards: Sequence[TrackedCard],
    before: Sequence[Truth],
    now: Sequence[Truth],
) -> dict[str, int]:
    """Check that cards which stayed kept their identities; returns the present ones. Copies of a card don't count."""
    names = [card.card for card in cards]
    present = {card.card: card.identity for card in cards if names.count(card.card) == 1}
    for old, new in pairs(before, now):
        name = new.laid.card
        if name in known and name in present and min(old.visible, new.visible) >= CLEAR_SHARE:
            tally.kept += known[name] == present[name]
            tally.mixed += known[name] != present[name]
    return present


def note(tally: ChangeTally, case: str) -> None:
    """Keep a few cases for a person to look at."""
    if len(tally.cases) < MAX_CASES:
        tally.cases.append(case)
