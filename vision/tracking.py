"""From readings over time to a view of the table that can be trusted: settled, with events and identities."""

from __future__ import annotations

import enum
import itertools

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from vision.calibration import Calibration
from vision.changes import STIRRED, ChangeDetector, Glance
from vision.geometry import Mask, Picture, Points, overlap, sides, turn_between, turn_of
from vision.quality import sharpness_of
from vision.reading import Reader
from vision.sight import Reading, Sighting, Stranger
from vision.tuning import CARD
from vision.view import TableView, TrackedCard, UnknownCard, names_of

# A change between two frames larger than this share of the picture is movement; noise stays far below.
MOVING = 0.003
# A view counts when this many still frames in a row agree.
AGREEING = 3
# A changed area at the picture's edge, larger than this and not made of cards, is an arm.
ARM = 0.015
# An arm that lies still for so many frames is a thing left on the table.
PATIENT = 150
# An arm that was there when the view settled and is gone now: only a moment's stillness is asked for.
GONE = 5
# Its outline has then faded to less than this: what's left is the table's own texture.
FADED = 0.7
# Cards move by more than this share of their width before it's called a move: a nudge isn't one.
NUDGE = 0.12
# A card is gone when this much of its place has changed, so far as no other card lies there.
GIVEN_WAY = 0.4
TURNED = 20.0


class Change(enum.Enum):
    """What happened to a card."""

    PLACED = "placed"
    REMOVED = "removed"
    MOVED = "moved"
    TURNED = "turned"
    FLIPPED = "flipped"


class Event(Struct, frozen=True):
    """A settled change; `before` and `after` are the card then and now."""

    change: Change
    identity: int
    card: str
    before: TrackedCard | None = None
    after: TrackedCard | None = None


class _Since(Struct, frozen=True):
    """The last settled view as a small picture, and what has changed since."""

    before: Picture
    glance: Glance


class Tracker:
    """Watches frames; `look` gives the view after each, and the events of a newly settled one."""

    def __init__(self, reader: Reader, calibration: Calibration | None = None):
        self.reader = reader
        self.calibration = calibration
        self.view = TableView(millimetres=calibration is not None)
        self._numbers = itertools.count(1)
        self._changes = ChangeDetector()
        self._last: Picture | None = None
        self._settled: Picture | None = None
        self._candidate: Reading | None = None
        self._agreed = 0
        self._still = 0

    def look(self, frame: Picture, small: Picture | None = None) -> tuple[TableView, tuple[Event, ...]]:
        """Take in a frame, and the camera's small picture of it. Judgement pauses while a hand or an arm is in view."""
        self._changes.take(frame, small)
        last, self._last = self._last, self._changes.small
        moved = self._changes.since(last)
        if moved is None:
            self._settled, self._still = None, 0
        elif moved.share > MOVING:
            self._still, self._agreed = 0, 0
            return self._unsettled(hand=True)
        self._still += 1
        if self._is_idle():
            return self.view, ()
        reading = self.reader.read(frame, self._changes)
        if self._still < self._patience(reading):
            return self._unsettled(hand=True)
        if self._candidate is not None and _agree(reading, self._candidate):
            self._agreed += 1
        else:
            self._candidate, self._agreed = reading, 1
        if self._agreed < AGREEING:
            return self._unsettled(hand=False)
        before, self._settled = self._settled, self._changes.small
        changed = self._changes.since(before)
        since = None if before is None or changed is None else _Since(before, changed)
        return self._settle(reading, since, sharpness_of(frame))

    def _is_idle(self) -> bool:
        """Whether nothing changed since the view settled."""
        since = self._changes.since(self._settled) if self.view.settled else None
        return since is not None and since.share == 0

    def _unsettled(self, hand: bool) -> tuple[TableView, tuple[Event, ...]]:
        self.view = msgspec.structs.replace(self.view, settled=False, hand=hand)
        return self.view, ()

    def _patience(self, reading: Reading) -> int:
        """For how many still frames to wait: long, where what changed since the last settled view reaches in
        from the edge and isn't cards, for that is an arm; not so long where it's an arm that went."""
        since = self._changes.since(self._settled)
        if since is None or self._settled is None:
            return 0
        changed, zoom = since.changed.copy(), since.zoom
        known = [seen.corners for seen in reading.cards] + [seen.corners for seen in reading.unknown]
        cards: Picture = np.zeros(changed.shape, np.uint8)
        for corners in known + [card.corners for card in self.view.cards]:
            cv2.fillConvexPoly(cards, (corners / zoom).round().astype(np.int32), 1)
        changed[cards > 0] = 0
        bare = cv2.dilate(cards, np.ones((7, 7), np.uint8)) == 0
        count, labels, boxes, _middles = cv2.connectedComponentsWithStats(changed)
        height, width = changed.shape
        arms = [
            number
            for number, (x, y, across, down, area) in enumerate(boxes[:count])
            if number and area > ARM * height * width
            and (x == 0 or y == 0 or x + across >= width or y + down >= height)
        ]  # fmt: skip
        if not arms:
            return 0
        edge = _outline(np.isin(labels, arms).astype(np.uint8)) & bare
        return GONE if _sharpness(self._changes.small, edge) < FADED * _sharpness(self._settled, edge) else PATIENT

    def _settle(self, reading: Reading, since: _Since | None, sharpness: float) -> tuple[TableView, tuple[Event, ...]]:
        cards, events = self._follow([self._tracked(s) for s in reading.cards], reading.unknown, since)
        self.view = TableView(
            tuple(cards),
            tuple(self._unknown(s) for s in reading.unknown),
            settled=True,
            millimetres=self.calibration is not None,
            sharpness=sharpness,
        )
        return self.view, tuple(events)

    def _unknown(self, seen: Stranger) -> UnknownCard:
        spots = self._on_table(seen.corners)
        x, y = spots.mean(axis=0)
        return UnknownCard(seen.corners, float(x), float(y), turn_of(spots), names_of(seen.maybe, seen.chances))

    def _on_table(self, corners: Points) -> Points:
        return corners if self.calibration is None else self.calibration.table_points(corners)

    def _tracked(self, seen: Sighting) -> TrackedCard:
        spots = self._on_table(seen.corners)
        x, y = spots.mean(axis=0)
        return TrackedCard(
            0,
            seen.card,
            seen.face,
            seen.corners,
            float(x),
            float(y),
            turn_of(spots),
            seen.confidence,
            seen.visible,
            either_way=seen.either_way,
        )

    def _follow(
        self, now: list[TrackedCard], unnamed: tuple[Stranger, ...], since: _Since | None
    ) -> tuple[list[TrackedCard], list[Event]]:
        """Give the cards of a settled reading the identities of those that were there."""
        before = list(self.view.cards)
        cards: list[TrackedCard] = []
        events: list[Event] = []
        for old, new in _pairs(before, now):
            kept = msgspec.structs.replace(new, identity=old.identity)
            cards.append(kept)
            events += _changes(old, kept)
            before = [card for card in before if card is not old]
            now = [card for card in now if card is not new]
        fresh = [msgspec.structs.replace(card, identity=next(self._numbers)) for card in now]
        for old in before:
            # What was laid over a card hides it; it's still there.
            if any(overlap(old.corners, top.corners) > 0.3 for top in fresh + cards if top.identity > old.identity):
                cards.append(msgspec.structs.replace(old, covered=True, visible=0.0))
            elif since is not None and not _is_gone(old, [card.corners for card in now], unnamed, since):
                # A card that merely stops agreeing lies there still.
                cards.append(old)
            else:
                events.append(Event(Change.REMOVED, old.identity, old.card, before=old))
        events += [Event(Change.PLACED, card.identity, card.card, after=card) for card in fresh]
        cards = sorted(cards + fresh, key=lambda card: card.identity)
        return cards, events


def _is_gone(card: TrackedCard, laid: list[Points], unnamed: tuple[Stranger, ...], since: _Since) -> bool:
    """Whether something else is seen in a card's place: most of it changed where no card was laid over it."""
    glance = since.glance
    own = np.zeros(glance.changed.shape, np.uint8)
    cv2.fillConvexPoly(own, (card.corners / glance.zoom).round().astype(np.int32), 1)
    over = np.zeros_like(own)
    for corners in [*laid, *(stranger.corners for stranger in unnamed)]:
        # What lies exactly there took its place, or is the card itself without its name.
        if overlap(corners, card.corners) < CARD.same:
            cv2.fillConvexPoly(over, (corners / glance.zoom).round().astype(np.int32), 1)
    left = (own > 0) & (over == 0)
    if not left.any():
        return False
    # White paper on a white table: only what was drawn on it changes.
    edges = cv2.morphologyEx(since.before, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).max(axis=2)
    drawn = left & (edges > 2 * STIRRED)
    changed = glance.changed > 0
    return bool(changed[left].mean() > GIVEN_WAY or (drawn.any() and changed[drawn].mean() > GIVEN_WAY))


def _outline(shape: Picture) -> Mask:
    return np.asarray(cv2.morphologyEx(shape, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0)


def _sharpness(picture: Picture, where: Mask) -> float:
    """How sharp edges are at some pixels: on the outline of an arm they are, on a bare table they aren't."""
    edges = cv2.morphologyEx(picture, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return float(edges[where].mean()) if where.any() else 0.0


def _apart(a: TrackedCard, b: TrackedCard) -> float:
    """The distance of two cards in card widths, in the picture."""
    wide = float(np.sort(sides(a.corners))[:2].mean())
    return float(np.linalg.norm(a.corners.mean(axis=0) - b.corners.mean(axis=0))) / max(wide, 1.0)


def _pairs(before: list[TrackedCard], now: list[TrackedCard]) -> list[tuple[TrackedCard, TrackedCard]]:
    """Which card of before is which now: the same face nearby first, then another side, then farther away."""
    ranked: list[tuple[float, int, TrackedCard, TrackedCard]] = []
    for a in before:
        for b in now:
            if a.card == b.card:
                ranked.append((_apart(a, b) + (0.5 if a.face != b.face else 0.0), len(ranked), a, b))
    taken: set[int] = set()
    chosen = []
    for _far, _number, a, b in sorted(ranked, key=lambda item: item[:2]):
        if id(a) not in taken and id(b) not in taken:
            taken |= {id(a), id(b)}
            chosen.append((a, b))
    return chosen


def _changes(old: TrackedCard, new: TrackedCard) -> list[Event]:
    def event(change: Change) -> Event:
        return Event(change, new.identity, new.card, old, new)

    events = []
    if old.face != new.face:
        events.append(event(Change.FLIPPED))
    if _apart(old, new) > NUDGE:
        events.append(event(Change.MOVED))
    if turn_between(old.turn, new.turn, old.either_way or new.either_way) > TURNED:
        events.append(event(Change.TURNED))
    return events


def _agree(a: Reading, b: Reading) -> bool:
    """Whether two readings tell the same."""
    if a is b:
        return True
    if len(a.cards) != len(b.cards):
        return False
    left = list(b.cards)
    for card in a.cards:
        wide = float(np.sort(sides(card.corners))[:2].mean())
        same = [
            other
            for other in left
            if (other.card, other.face) == (card.card, card.face)
            and float(np.linalg.norm(other.corners.mean(axis=0) - card.corners.mean(axis=0))) < NUDGE * wide
            and turn_between(other.turn, card.turn, other.either_way or card.either_way) < TURNED
        ]
        if not same:
            return False
        # By identity: two copies of one face can't be compared as values, their corners are arrays.
        left = [other for other in left if other is not same[0]]
    return True
