"""From readings over time to a view of the table that can be trusted: settled, with events and identities."""

from __future__ import annotations

import enum
import itertools

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from vision.calibration import Calibration
from vision.changes import ChangeDetector, filled_quads
from vision.detections import Detection, Detections, UnknownDetection
from vision.evidence import FrameEvidence, from_first_frame, with_fused_names
from vision.geometry import Mask, Picture, Points, mean_short_side, overlap, turn_between, turn_of
from vision.presence import Presence, presence_of
from vision.quality import sharpness_of
from vision.reading import Reader
from vision.tuning import CARD, EVIDENCE, NAMING, TRACKING
from vision.view import Name, TableView, TrackedCard, UnknownCard, names_of


class CardChange(enum.Enum):
    """What happened to a card."""

    PLACED = "placed"
    REMOVED = "removed"
    MOVED = "moved"
    TURNED = "turned"
    FLIPPED = "flipped"


class CardEvent(Struct, frozen=True):
    """A settled change; `before` and `after` are the card then and now."""

    change: CardChange
    identity: int
    card: str
    before: TrackedCard | None = None
    after: TrackedCard | None = None


class Tracker:
    """Watches frames; `look` gives the view after each, and the events of a newly settled one."""

    def __init__(self, reader: Reader, calibration: Calibration | None = None):
        self.reader = reader
        self.calibration = calibration
        self.view = TableView(millimetres=calibration is not None)
        self._numbers = itertools.count(1)
        self._detector = ChangeDetector()
        self._last_picture: Picture | None = None
        self._settled_picture: Picture | None = None
        self._candidate: Detections | None = None
        self._agreed = 0
        self._still = 0
        self._evidence: list[FrameEvidence] = []
        # The small picture in which each card was last read.
        self._pictures: dict[int, Picture] = {}
        self._layings = itertools.count(1)

    def look(self, frame: Picture, small: Picture | None = None) -> tuple[TableView, tuple[CardEvent, ...]]:
        """Take in a frame, and the camera's small picture of it. Judgement pauses while a hand or an arm is in view."""
        self._detector.on_frame(frame, small)
        last, self._last_picture = self._last_picture, self._detector.small
        moved = self._detector.since(last)
        if moved is None:
            self._settled_picture, self._still = None, 0
        elif moved.share > TRACKING.max_still_change:
            self._still, self._agreed = 0, 0
            return self._unsettled(hand=True)
        self._still += 1
        if self._is_idle():
            return self._look_again(frame)
        reading = self.reader.read(frame, self._detector)
        if self._still < self._frames_to_wait(reading):
            return self._unsettled(hand=True)
        if self._candidate is not None and _agree(reading, self._candidate):
            self._agreed += 1
        else:
            self._agreed = 1
        self._candidate = reading
        fused = self._fused(frame, reading)
        if self._agreed < TRACKING.agreeing_frames:
            return self._unsettled(hand=False)
        has_before = self._detector.since(self._settled_picture) is not None
        self._settled_picture = self._detector.small
        return self._settle(fused, has_before, sharpness_of(frame))

    def _look_again(self, frame: Picture) -> tuple[TableView, tuple[CardEvent, ...]]:
        """Look again at doubtful cards of a still table, until they are sure or enough frames are read."""
        if self._candidate is None or not any(one.is_open for one in self._evidence):
            return self.view, ()
        before = with_fused_names(self._candidate, self._evidence)
        fused = self._fused(frame, self._candidate)
        # Small changes of probabilities aren't reported; the final ones are.
        is_over = not any(one.is_open for one in self._evidence)
        if not is_over and _names(fused) == _names(before):
            return self.view, ()
        return self._settle(fused, True, self.view.sharpness)

    def _fused(self, frame: Picture, reading: Detections) -> Detections:
        """A reading in which all still frames so far are fused for its doubtful places."""
        known = {id(one.seen): one for one in self._evidence}
        # What didn't change since the last reading is the same record in this one.
        evidence = [
            known.get(id(seen)) or from_first_frame(seen)
            for seen in reading.everything
            if id(seen) in known or self._is_doubtful(seen)
        ]
        again = [one for one in evidence if id(one.seen) in known and one.is_open]
        for one in sorted(again, key=lambda one: len(one.frames))[: EVIDENCE.max_places_per_frame]:
            seen = one.with_frame(self.reader.again(frame, one.seen))
            evidence = [seen if other is one else other for other in evidence]
        self._evidence = evidence
        return with_fused_names(reading, evidence)

    def _is_doubtful(self, seen: Detection | UnknownDetection) -> bool:
        """Whether more frames may decide on a place: it has likely names, or a name that is unsure and new here."""
        if isinstance(seen, UnknownDetection):
            return bool(seen.chances)
        if seen.confidence >= NAMING.sure_probability:
            return False
        return all(
            old.card != seen.card or _distance(old, self._tracked(seen)) > TRACKING.min_move_widths
            for old in self.view.cards
        )

    def _is_idle(self) -> bool:
        """Whether nothing changed since the view settled."""
        since = self._detector.since(self._settled_picture) if self.view.settled else None
        return since is not None and since.share == 0

    def _unsettled(self, hand: bool) -> tuple[TableView, tuple[CardEvent, ...]]:
        self.view = msgspec.structs.replace(self.view, settled=False, hand=hand)
        return self.view, ()

    def _frames_to_wait(self, reading: Detections) -> int:
        """How many still frames to wait before a view counts.

        Many while something that isn't a card reaches in from the edge (an arm), fewer once that has gone, else none.
        """
        since = self._detector.since(self._settled_picture)
        if since is None or self._settled_picture is None:
            return 0
        changed = since.changed.copy()
        known = [seen.corners for seen in reading.cards] + [seen.corners for seen in reading.unknown]
        cards = filled_quads(changed.shape, known + [card.corners for card in self.view.cards], since.zoom)
        changed[cards > 0] = 0
        # A card's edge and its shadow lie within three pixels of it.
        bare = cv2.dilate(cards, np.ones((7, 7), np.uint8)) == 0
        count, labels, boxes, _middles = cv2.connectedComponentsWithStats(changed)
        height, width = changed.shape
        arms = [
            number
            for number, (x, y, across, down, area) in enumerate(boxes[:count])
            if number and area > TRACKING.min_arm_share * height * width
            and (x == 0 or y == 0 or x + across >= width or y + down >= height)
        ]  # fmt: skip
        if not arms:
            return 0
        edge = _outline(np.isin(labels, arms).astype(np.uint8)) & bare
        return (
            TRACKING.arm_left_frames
            if _sharpness(self._detector.small, edge)
            < TRACKING.max_left_arm_sharpness * _sharpness(self._settled_picture, edge)
            else TRACKING.arm_still_frames
        )

    def _settle(
        self, reading: Detections, has_before: bool, sharpness: float | None
    ) -> tuple[TableView, tuple[CardEvent, ...]]:
        cards, events = self._follow([self._tracked(s) for s in reading.cards], reading.unknown, has_before)
        # What has no name where a card lies that is known is that card.
        unknown = [
            stranger
            for stranger in reading.unknown
            if all(card.covered or overlap(stranger.corners, card.corners) < CARD.same_card_overlap for card in cards)
        ]
        self.view = TableView(
            tuple(cards),
            tuple(self._unknown(s) for s in unknown),
            settled=True,
            millimetres=self.calibration is not None,
            sharpness=sharpness,
        )
        return self.view, tuple(events)

    def _unknown(self, seen: UnknownDetection) -> UnknownCard:
        spots = self._on_table(seen.corners)
        x, y = spots.mean(axis=0)
        return UnknownCard(seen.corners, float(x), float(y), turn_of(spots), names_of(seen.maybe, seen.chances))

    def _on_table(self, corners: Points) -> Points:
        return corners if self.calibration is None else self.calibration.table_points(corners)

    def _tracked(self, seen: Detection) -> TrackedCard:
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
            seen.visible_share,
            either_way=seen.either_way,
            others=tuple(Name(card, probability=chance) for card, chance in seen.others),
        )

    def _follow(
        self, now: list[TrackedCard], unnamed: tuple[UnknownDetection, ...], has_before: bool
    ) -> tuple[list[TrackedCard], list[CardEvent]]:
        """Give the cards of a settled reading the identities of those that were there."""
        before = list(self.view.cards)
        cards: list[TrackedCard] = []
        events: list[CardEvent] = []
        for old, new in _pairs(before, now):
            others = [card for card in now if card is not new]
            kept = msgspec.structs.replace(new, identity=old.identity, laid=old.laid)
            away = _distance(old, new)
            if (
                has_before
                and away > TRACKING.min_move_widths
                and self._presence(old, others, unnamed) is Presence.THERE
            ):
                # A second copy may be laid elsewhere while the first can't be read: that one hasn't moved.
                if away > TRACKING.same_card_widths:
                    continue
                # The pose of a card is poor where little of it shows; it lies where it lay.
                if new.visible_share < TRACKING.well_seen_share:
                    kept = msgspec.structs.replace(kept, corners=old.corners, x=old.x, y=old.y, turn=old.turn)
            happened = _changes_between(old, kept)
            if happened:  # somebody took it up
                kept = msgspec.structs.replace(kept, laid=next(self._layings))
            cards.append(kept)
            events += happened
            before = [card for card in before if card is not old]
            now = [card for card in now if card is not new]
        fresh = [msgspec.structs.replace(card, identity=next(self._numbers), laid=next(self._layings)) for card in now]
        read = fresh + cards
        for card in read:
            self._pictures[card.identity] = self._detector.small
        for old in before:
            above = [top for top in read if top.laid > old.laid]
            is_covered = any(overlap(old.corners, top.corners) > TRACKING.min_hidden_overlap for top in above)
            if has_before:
                stands = self._presence(old, above, unnamed)
            else:
                stands = Presence.COVERED if is_covered else Presence.GONE
            if stands is Presence.GONE:
                self._pictures.pop(old.identity, None)
                events.append(CardEvent(CardChange.REMOVED, old.identity, old.card, before=old))
            elif is_covered or stands is Presence.COVERED:
                cards.append(msgspec.structs.replace(old, covered=True, visible_share=0.0))
            else:
                # What merely stops agreeing lies there still.
                cards.append(msgspec.structs.replace(old, covered=False))
        events += [CardEvent(CardChange.PLACED, card.identity, card.card, after=card) for card in fresh]
        cards = sorted(cards + fresh, key=lambda card: card.identity)
        return cards, events

    def _presence(self, card: TrackedCard, above: list[TrackedCard], unnamed: tuple[UnknownDetection, ...]) -> Presence:
        """What has become of a card that isn't read where it lay, under what may have been laid over it."""
        covers = [top.corners for top in above]
        for stranger in unnamed:
            # What lies exactly there took its place, or is the card itself without its name.
            if overlap(stranger.corners, card.corners) < CARD.same_card_overlap:
                covers.append(stranger.corners)
        return presence_of(self._detector, self._pictures.get(card.identity), card.corners, covers)


def _outline(mask: Picture) -> Mask:
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0)


def _sharpness(picture: Picture, where: Mask) -> float:
    """How sharp edges are at some pixels: on the outline of an arm they are, on a bare table they aren't."""
    edges = cv2.morphologyEx(picture, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return float(edges[where].mean()) if where.any() else 0.0


def _distance(a: TrackedCard, b: TrackedCard) -> float:
    """The distance of two cards in card widths, in the picture."""
    wide = mean_short_side(a.corners)
    return float(np.linalg.norm(a.corners.mean(axis=0) - b.corners.mean(axis=0))) / max(wide, 1.0)


def _pairs(before: list[TrackedCard], now: list[TrackedCard]) -> list[tuple[TrackedCard, TrackedCard]]:
    """Which card of before is which now: the same face nearby first, then another side, then farther away.

    One that showed comes before an equal one under it.
    """
    ranked: list[tuple[float, int, TrackedCard, TrackedCard]] = []
    for a in before:
        for b in now:
            if a.card == b.card:
                less_likely = (TRACKING.other_face_widths if a.face != b.face else 0.0) + (
                    TRACKING.covered_widths if a.covered else 0.0
                )
                ranked.append((_distance(a, b) + less_likely, len(ranked), a, b))
    taken: set[int] = set()
    chosen = []
    for _far, _number, a, b in sorted(ranked, key=lambda item: item[:2]):
        if id(a) not in taken and id(b) not in taken:
            taken |= {id(a), id(b)}
            chosen.append((a, b))
    return chosen


def _changes_between(old: TrackedCard, new: TrackedCard) -> list[CardEvent]:
    def event(change: CardChange) -> CardEvent:
        return CardEvent(change, new.identity, new.card, old, new)

    events = []
    if old.face != new.face:
        events.append(event(CardChange.FLIPPED))
    if _distance(old, new) > TRACKING.min_move_widths:
        events.append(event(CardChange.MOVED))
    if turn_between(old.turn, new.turn, old.either_way or new.either_way) > TRACKING.min_turn_degrees:
        events.append(event(CardChange.TURNED))
    return events


def _names(reading: Detections) -> list[tuple[str, ...]]:
    """The names in a reading, without probabilities."""
    return [(card.card,) for card in reading.cards] + [("", *stranger.maybe) for stranger in reading.unknown]


def _agree(a: Detections, b: Detections) -> bool:
    """Whether two readings have the same cards at the same places."""
    if a is b:
        return True
    if len(a.cards) != len(b.cards):
        return False
    left = list(b.cards)
    for card in a.cards:
        wide = mean_short_side(card.corners)
        same = [
            other
            for other in left
            if (other.card, other.face) == (card.card, card.face)
            and float(np.linalg.norm(other.corners.mean(axis=0) - card.corners.mean(axis=0)))
            < TRACKING.min_move_widths * wide
            and turn_between(other.turn, card.turn, other.either_way or card.either_way) < TRACKING.min_turn_degrees
        ]
        if not same:
            return False
        # By identity: two copies of one face can't be compared as values, their corners are arrays.
        left = [other for other in left if other is not same[0]]
    return True
