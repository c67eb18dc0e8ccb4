"""How sure a judged face is, as a probability that means something: fitted on generated scenes."""

from __future__ import annotations

import math

from vision.contest import Verdict
from vision.judging import Judged

# A name is given from here on. Fitted probabilities below it are where strangers with a shared frame lie.
NAMED = 0.8
# Below this lead over itself the other way up, a card's turn isn't certain enough to name it.
TURNED = 0.03
QUALITY, LEAD, SUPPORT, OFFSET = 16.0, 22.0, 2.5, 0.5


def is_worth_a_contest(judged: Judged) -> bool:
    """Whether a face agrees enough to be compared with its rivals."""
    return judged.support > 3 and judged.quality > 0.45


def of(judged: Judged, lead: float) -> float:
    """The probability that a face is right, from how much of it agrees, how well, and its lead."""
    evidence = (
        QUALITY * (judged.quality - 0.65)
        + LEAD * (min(lead, 0.5) - 0.2)
        + SUPPORT * math.log(min(max(judged.support, 1.0), 30.0) / 20)
        + OFFSET
    )
    return 1 / (1 + math.exp(-evidence))


def is_certain(verdict: Verdict) -> bool:
    """Whether a name may be given, and the turn with it."""
    return of(verdict.judged, verdict.lead) >= NAMED and verdict.turn_lead >= TURNED
