"""The probability that the likeliest face is right, over all faces there, both ways up, and "none of these".

Three probabilities that are multiplied: that the place shows an enrolled face at all rather than a stranger of the same
design or something else, by a logistic regression; that it's this face and no other, and this way up, by their leads.
"""

from __future__ import annotations

import math

from vision import fitted
from vision.identity import Likelihood
from vision.index import Index
from vision.judging import Judged
from vision.tuning import NAMING


def is_worth_comparing(index: Index, judged: Judged) -> bool:
    """Whether a face agrees enough to be compared with its rivals."""
    drawn = float(index.fine.texture[judged.face].sum())
    return judged.support > min(NAMING.least, NAMING.least_share * drawn) and judged.quality > NAMING.least_quality


def regression_features(verdict: Likelihood) -> tuple[float, ...]:
    """What speaks for an enrolled face at a place: what fits, and whether a rival or itself turned comes near."""
    judged, residuals = verdict.judged, verdict.residuals
    return (
        residuals.drawn,
        residuals.own,
        residuals.ink,
        max(0.0, residuals.hue - NAMING.hue),
        math.log1p(residuals.lamp),
        judged.quality,
        _share_of(verdict.lead),
        # A stranger with the same frame matches a face upside down as well.
        _share_of(verdict.lead if is_either_way(verdict) else verdict.turn_lead),
        1.0,
    )


def _share_of(lead: float) -> float:
    """A lead as a share of one that leaves no doubt."""
    return min(max(lead, 0.0), NAMING.far) / NAMING.far


def of(verdict: Likelihood) -> float:
    """The probability that a face is right, and the way up with it."""
    turn = 1.0 if is_either_way(verdict) else sigmoid(verdict.turn_lead)
    return enrolled_probability(verdict) * sigmoid(verdict.lead) * turn


def enrolled_probability(verdict: Likelihood) -> float:
    """The probability that a place shows an enrolled face, this one or one of its rivals."""
    return sigmoid(
        sum(weight * value for weight, value in zip(fitted.ENROLLED, regression_features(verdict), strict=True))
    )


def sigmoid(odds: float) -> float:
    """The probability of these log-odds."""
    return 1 / (1 + math.exp(-min(max(odds, -60.0), 60.0)))


def is_either_way(verdict: Likelihood) -> bool:
    """Whether a card looks the same either way up, as its face does, or as it does itself where it shows wholly."""
    judged = verdict.judged
    is_exact = judged.quality >= NAMING.exact and float(judged.seen.mean()) >= NAMING.whole
    # The lead of such a face over itself upside down is chance.
    return verdict.either_way or (abs(verdict.turn_lead) < NAMING.turned and is_exact)


def has_lead(verdict: Likelihood) -> bool:
    """Whether a face clearly beats its rivals and itself upside down."""
    return verdict.lead >= NAMING.led and (verdict.turn_lead >= NAMING.turned or is_either_way(verdict))


def is_piece_of_a_card(verdict: Likelihood) -> bool:
    """Whether what shows of a card can be a piece of it: enough is drawn in it, and a cover comes from a side.

    A piece from the middle of a card, its cover unknown, may as well be the same drawing on another card.
    """
    judged, seen = verdict.judged, float(verdict.judged.seen.mean())
    if seen >= NAMING.half:
        return True
    return judged.support >= NAMING.least_of_a_piece and (judged.shown >= NAMING.half or judged.rim >= NAMING.rim)


def is_certain(verdict: Likelihood) -> bool:
    """Whether a name may be given, and the turn with it."""
    return has_lead(verdict) and is_piece_of_a_card(verdict) and of(verdict) >= NAMING.named
