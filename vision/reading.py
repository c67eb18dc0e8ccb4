"""Reads a stream of frames: only a change wakes the recogniser, and only the changed part is read again."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.changes import CHANGED_LEVELS, SMALL_WIDTH, ChangeDetector, ChangeMask, edges_of, filled_quads
from vision.detections import Detection, Detections, UnknownDetection
from vision.geometry import Mask, Picture, Points, mean_short_side, overlap, sides
from vision.recognise import Recogniser
from vision.tuning import CARD, READING


class Reader:
    """Keeps the last reading and brings it up to date with each frame."""

    def __init__(self, recogniser: Recogniser):
        self.recogniser = recogniser
        self._before: Picture | None = None
        self._reading = Detections()

    def read(self, frame: Picture, changes: ChangeDetector | None = None) -> Detections:
        """The cards in a frame; costs little when little changed. `changes` has the frame already."""
        if changes is None:
            changes = ChangeDetector()
            changes.on_frame(frame)
        difference = changes.since(self._before)
        if difference is not None and difference.share == 0:
            return self._reading
        if difference is None:
            self._reading = self.recogniser.read(frame)
        elif difference.share > READING.max_changed_share:
            # A lamp was switched on, or the camera was bumped: what lay there is looked for first all the same.
            self._reading = self.recogniser.read(frame, expected=self._reading.cards)
        else:
            self._reading = self._renew(frame, difference, changes.small)
        self._before = changes.small
        return self._reading

    def again(self, frame: Picture, seen: Detection | UnknownDetection) -> Detection | UnknownDetection | None:
        """What another frame shows where something was seen, given that nothing has changed since the last reading."""
        others = [card for card in self._reading.cards if card is not seen]
        margin = READING.margin_share * float(sides(seen.corners).max())
        low = np.maximum(seen.corners.min(axis=0) - margin, 0).astype(int)
        width, height = (np.ceil(seen.corners.max(axis=0) + margin).astype(int) - low).tolist()
        card_width = min((mean_short_side(card.corners) for card in others), default=0.0)
        found = self._read_part(frame, (int(low[0]), int(low[1]), width, height), card_width, others, ())
        return max(
            (one for one in found.everything if overlap(one.corners, seen.corners) > CARD.same_card_overlap),
            key=lambda one: overlap(one.corners, seen.corners),
            default=None,
        )

    def _renew(self, frame: Picture, difference: ChangeMask, small: Picture) -> Detections:
        """Read the changed parts again, with every card they touch, and keep the rest."""
        kept: list[Detection] = []
        touched: list[Detection] = []
        mask = difference.changed.copy()
        for card in self._reading.cards:
            if _is_touched(card.corners, difference):
                cv2.fillConvexPoly(mask, (card.corners / difference.zoom).round().astype(np.int32), 1)
                touched.append(card)
            else:
                kept.append(card)
        strangers = [s for s in self._reading.unknown if not _is_touched(s.corners, difference)]
        # A margin shows the recogniser the edge of what it reads.
        reach = max(2, round(SMALL_WIDTH / 40))
        mask = cv2.dilate(mask, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
        count, labels, boxes, _middles = cv2.connectedComponentsWithStats(mask)
        fresh: list[Detection] = []
        known = [card.corners for card in self._reading.cards]
        # The narrowest card sets the pace: a view from the side shows far cards smaller.
        card_width = min((mean_short_side(each) for each in known), default=0.0)
        longest = max((float(sides(each).max()) for each in known), default=0.0)
        drawn = _drawn(small)
        for number in range(1, count):
            x, y, width, height = (boxes[number, :4] * difference.zoom).astype(int)
            here = [card for card in touched if labels[_at(card, difference)] == number]
            found = self._read_part(frame, (x, y, width, height), card_width, kept, here)
            if here and _has_more(found.cards, here, difference, labels == number, drawn):
                # A card that lay there may be mistaken for an equal one that came beside it.
                anew = self._read_part(frame, (x, y, width, height), card_width, kept, ())
                found = anew if len(anew.cards) > len(found.cards) else found
            if longest and not _explain(found.cards, difference, labels == number):
                # A card that was covered before may show now, half of it outside the part that changed.
                more = int(longest)
                x, y = max(0, x - more), max(0, y - more)
                found = self._read_part(frame, (x, y, width + 2 * more, height + 2 * more), card_width, kept, here)
                if _is_unexplained(found, here, difference, labels == number):
                    return self.recogniser.read(frame, card_width, expected=self._reading.cards)
            fresh += found.cards
            strangers += found.unknown
        # A part may cut through a card that hasn't changed; what is seen there is that card.
        fresh = [
            card for card in fresh if all(overlap(card.corners, old.corners) < READING.cut_overlap for old in kept)
        ]
        cards = list(kept)
        for card in fresh:  # parts overlap, so that two of them may hold the same card
            if not any(_is_same(card, old) for old in cards):
                cards.append(card)
        unnamed = [
            s for s in strangers if not any(overlap(s.corners, c.corners) > READING.max_named_overlap for c in cards)
        ]
        return Detections(tuple(cards), tuple(unnamed))

    def _read_part(
        self,
        frame: Picture,
        box: tuple[int, int, int, int],
        card_width: float,
        known: Sequence[Detection],
        expected: Sequence[Detection],
    ) -> Detections:
        """The new cards in a part of a frame; unchanged cards in it still occlude what lies under them."""
        x, y, width, height = box
        part = np.ascontiguousarray(frame[y : y + height, x : x + width])
        shift = np.array([x, y])
        known, expected = ([card.moved(-shift) for card in cards] for cards in (known, expected))
        found = self.recogniser.read(part, card_width, known, expected)
        cards = tuple(card.moved(shift) for card in found.cards)
        return Detections(cards, tuple(UnknownDetection(s.corners + shift, s.maybe, s.chances) for s in found.unknown))


def _at(card: Detection, difference: ChangeMask) -> tuple[int, int]:
    """Row and column of a card's middle in the small picture."""
    x, y = (card.corners.mean(axis=0) / difference.zoom).astype(int)
    height, width = difference.changed.shape
    return min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1)


def _explain(cards: Sequence[Detection], difference: ChangeMask, part: Mask) -> bool:
    """Whether most of what changed in a part are cards that lie there now."""
    changed = (difference.changed > 0) & part
    laid = _filled(difference, [card.corners for card in cards])
    return int((changed & laid).sum()) > READING.min_explained_share * int(changed.sum())


def _has_more(
    cards: Sequence[Detection], before: Sequence[Detection], difference: ChangeMask, part: Mask, drawn: Mask
) -> bool:
    """Whether so much changed beside what shows of the cards that one more may be there; where one left, a bare place
    is enough."""
    rest = (difference.changed > 0) & part
    left = _filled(difference, [old.corners for old in before if not any(_is_same(old, card) for card in cards)])
    rest &= ~left | drawn
    rest &= ~_filled(difference, [quad for card in cards for quad in card.visible_quads])
    whole = min(cv2.contourArea((old.corners / difference.zoom).astype(np.float32)) for old in before)
    return int(cv2.erode(rest.astype(np.uint8), np.ones((3, 3), np.uint8)).sum()) > READING.min_strip_share * whole


def _filled(difference: ChangeMask, quads: Sequence[Points]) -> Mask:
    """The pixels of the small picture in some quadrilaterals."""
    return np.asarray(filled_quads(difference.changed.shape, quads, difference.zoom) > 0)


def _drawn(small: Picture) -> Mask:
    """Where something is drawn, within two pixels."""
    return np.asarray(cv2.dilate(edges_of(small), np.ones((5, 5), np.uint8)) > 2 * CHANGED_LEVELS)


def _is_unexplained(found: Detections, before: Sequence[Detection], difference: ChangeMask, part: Mask) -> bool:
    """Whether a part shows something new that its cards don't explain; where a card left, bare table is enough."""
    if found.unknown or _explain(found.cards, difference, part):
        return False
    return all(any(_is_same(old, card) for card in found.cards) for old in before)


def _is_touched(corners: Points, difference: ChangeMask) -> bool:
    """Whether the picture changed on a card, more than along its edge."""
    spots = (corners / difference.zoom).round().astype(np.int32)
    low, high = np.maximum(spots.min(axis=0), 0), np.maximum(spots.max(axis=0) + 1, 0)
    changed = difference.changed[low[1] : high[1], low[0] : high[0]]
    if not changed.any():
        return False
    area = np.zeros_like(changed)
    cv2.fillConvexPoly(area, spots - low, 1)
    return bool(np.count_nonzero(area & changed) > READING.min_touched_share * np.count_nonzero(area))


def _is_same(card: Detection, other: Detection) -> bool:
    """Whether two detections are one card, seen twice."""
    apart = float(np.linalg.norm(card.corners.mean(axis=0) - other.corners.mean(axis=0)))
    return card.card == other.card and apart < READING.same_card_sides * float(sides(other.corners).min())
