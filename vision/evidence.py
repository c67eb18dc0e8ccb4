"""Fuses still frames: the names that the card at one place may have, with their probabilities.

Blur, glare and print are the same in each frame, so that frames err together: a share of the error in each frame's
log-odds repeats. So the frames together count as fewer independent ones than there are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from vision.detections import Detection, Detections, UnknownDetection
from vision.tuning import EVIDENCE, NAMING

NOT_ENROLLED = ""
"""The name of no enrolled card."""


class FrameEvidence(Struct, frozen=True):
    """What a place showed in each frame so far: as first seen, its names, and the card where a frame named it."""

    seen: Detection | UnknownDetection
    frames: tuple[Mapping[str, float], ...]
    named: Detection | None = None

    @property
    def names(self) -> dict[str, float]:
        """The names by all frames together."""
        return fuse(self.frames)

    @property
    def is_open(self) -> bool:
        """Whether another frame may tell more."""
        return (
            len(self.frames) < EVIDENCE.max_frames and max(self.names.values(), default=0.0) < NAMING.sure_probability
        )

    @property
    def confirmed(self) -> Detection | None:
        """The named card: one frame alone named it, and all frames together confirm it; else None."""
        names = self.names
        if self.named is None or self.named.card != next(iter(names)):
            return None
        probability = names[self.named.card]
        least = NAMING.min_probability if isinstance(self.seen, Detection) else NAMING.sure_probability
        if probability < least:
            return None
        others = tuple((name, p) for name, p in names.items() if name != self.named.card)
        return msgspec.structs.replace(
            self.named, confidence=probability, others=others[: NAMING.max_offered_names - 1]
        )

    def with_frame(self, found: Detection | UnknownDetection | None) -> FrameEvidence:
        """The same with what another frame showed there."""
        if found is None and isinstance(self.seen, Detection):
            # A part of a picture may be too small to find a card again that the whole one showed.
            return FrameEvidence(self.seen, (*self.frames, self.frames[0]), self.named)
        # The card as it was first seen by name: the picture doesn't move.
        named = found if self.named is None and isinstance(found, Detection) else self.named
        return FrameEvidence(self.seen, (*self.frames, names_in(found)), named)


def from_first_frame(seen: Detection | UnknownDetection) -> FrameEvidence:
    """The evidence of one frame."""
    return FrameEvidence(seen, (names_in(seen),), seen if isinstance(seen, Detection) else None)


def names_in(found: Detection | UnknownDetection | None) -> dict[str, float]:
    """The names that one frame gives a place, with their probabilities."""
    if found is None:
        return {}
    if isinstance(found, Detection):
        return {found.card: found.confidence}
    return dict(zip(found.maybe, found.chances, strict=False))


def effective_frames(frames: int, repeats: float) -> float:
    """How many independent frames so many still ones are worth, if a share of their error repeats.

    >>> [round(effective_frames(*each), 2) for each in ((1, 0.5), (5, 0.0), (5, 1.0), (1000, 0.5))]
    [1.0, 5.0, 1.0, 2.0]
    """
    return frames / (1 + (frames - 1) * repeats)


def fuse(frames: Sequence[Mapping[str, float]], repeats: float = EVIDENCE.repeated_error_share) -> dict[str, float]:
    """The names of all frames with their probabilities, likeliest first; what is missing to 1 is none of them.

    >>> fuse([{"r4": 0.6, "r6": 0.3}] * 5, repeats=1.0)
    {'r4': 0.6, 'r6': 0.3}
    >>> fuse([{"r4": 0.6, "r6": 0.3}] * 5, repeats=0.5)["r4"] > 0.7
    True
    """
    names = list(dict.fromkeys(name for frame in frames for name in frame))
    logs = dict.fromkeys((*names, NOT_ENROLLED), 0.0)
    for frame in frames:
        rest = max(1 - sum(frame.values()), EVIDENCE.min_probability)
        # A name missing from a frame was less likely there than those it has.
        missing = min(EVIDENCE.max_missing_probability, rest / 2)
        for name in names:
            logs[name] += math.log(max(frame.get(name, missing), EVIDENCE.min_probability))
        logs[NOT_ENROLLED] += math.log(rest)
    weight = effective_frames(len(frames), repeats) / len(frames)
    most = max(logs.values())
    weights = {name: math.exp(weight * (log - most)) for name, log in logs.items()}
    total = sum(weights.values())
    ranked = sorted(names, key=lambda name: -weights[name])
    return {name: round(weights[name] / total, 3) for name in ranked}


def with_fused_names(reading: Detections, evidence: Sequence[FrameEvidence]) -> Detections:
    """A reading in which doubtful places have the names by all frames together."""
    by_detection = {id(one.seen): one for one in evidence}
    cards: list[Detection] = []
    unknown: list[UnknownDetection] = []
    for seen in reading.everything:
        one = by_detection.get(id(seen))
        found = seen if one is None else one.confirmed or _asked(one)
        if isinstance(found, Detection):
            cards.append(found)
        else:
            unknown.append(found)
    return Detections(tuple(cards), tuple(unknown))


def _asked(one: FrameEvidence) -> UnknownDetection:
    """A place that stays in doubt, with the names worth a question."""
    names = [(name, p) for name, p in one.names.items() if p >= NAMING.min_asked_probability][
        : NAMING.max_offered_names
    ]
    return UnknownDetection(one.seen.corners, tuple(name for name, _p in names), tuple(p for _name, p in names))
