"""How sure a judged face is, as a probability that means something: fitted on generated scenes."""

from __future__ import annotations

import math

from vision.contest import Verdict
from vision.judging import Judged

# A name is given from here on: below it lie the strangers that share a frame with an enrolled card.
NAMED = 0.7
# Below this lead over itself the other way up, a card's turn isn't certain enough to name it.
TURNED = 0.03
# Fitted by logistic regression on generated scenes of seven decks, half of each enrolled, the other half
# strangers in the same frames: 407 true and 310 false verdicts.
QUALITY, LEAD, SUPPORT, SHOWN, OFFSET = 23.7, 19.0, 2.5, -5.6, -1.15


def is_worth_a_contest(judged: Judged) -> bool:
    """Whether a face agrees enough to be compared with its rivals."""
    return judged.support > 3 and judged.quality > 0.45


def of(judged: Judged, lead: float) -> float:
    """The probability that a face is right, from how well it agrees, its lead, and how much of it shows.

    The more of a card shows, the better it must agree: a stranger in the same frame agrees here and there
    all over, a covered card agrees in the part that is visible.
    """
    evidence = (
        QUALITY * (judged.quality - 0.65)
        + LEAD * (min(lead, 0.5) - 0.2)
        + SUPPORT * math.log(min(max(judged.support, 1.0), 30.0) / 20)
        + SHOWN * (float(judged.seen.mean()) - 0.5)
        + OFFSET
    )
    return 1 / (1 + math.exp(-evidence))


def is_certain(verdict: Verdict) -> bool:
    """Whether a name may be given, and the turn with it."""
    return of(verdict.judged, verdict.lead) >= NAMED and verdict.turn_lead >= TURNED
