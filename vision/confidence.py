"""How sure a judged face is, as a probability that means something: fitted on generated scenes."""

from __future__ import annotations

import math

from vision.judging import Judged

NAMED = 0.8


def is_worth_a_contest(judged: Judged) -> bool:
    """Whether a face agrees enough to be compared with its rivals."""
    return judged.support > 3 and judged.quality > 0.45


def of(judged: Judged, lead: float) -> float:
    """The probability that a face is right, from how much of it agrees, how well, and its lead over rivals."""
    evidence = 14 * (judged.quality - 0.62) + 1.2 * math.log(judged.support / 8) + 6 * (min(lead, 0.5) - 0.15)
    return 1 / (1 + math.exp(-evidence))
