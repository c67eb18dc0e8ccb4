"""The probability that the likeliest face is right, over all faces there, both ways up, and "none of these".

Three probabilities that are multiplied: that the place shows an enrolled face at all rather than a stranger of the same
design or something else, by a logistic regression; that it's this face and no other, and this way up, by their leads.
"""

from __future__ import annotations

import math

from vision import fitted_weights
from vision.fitting import FaceFit
from vision.geometry import Mask
from vision.identity import Likelihood
from vision.index import Index
from vision.tuning import NAMING


def is_worth_comparing(index: Index, fit: FaceFit) -> bool:
    """Whether a face agrees enough to be compared with its rivals."""
    return fit.support > _least_support(index, fit.face) and fit.quality > NAMING.min_agreement


def can_be_worth_comparing(index: Index, face: int, covered: Mask) -> bool:
    """Whether a face could agree enough, would all of it that isn't covered."""
    return float(index.fine.texture[face][~covered].sum()) > _least_support(index, face)


def _least_support(index: Index, face: int) -> float:
    """How many drawn cells of a face have to be visible."""
    return min(NAMING.min_drawn_cells, NAMING.min_drawn_share * float(index.fine.texture[face].sum()))


def regression_features(likelihood: Likelihood) -> tuple[float, ...]:
    """What speaks for an enrolled face at a place: what fits, and whether a rival or itself half-turned comes near."""
    fit, residuals = likelihood.fit, likelihood.residuals
    return (
        residuals.drawn,
        residuals.own,
        residuals.ink,
        max(0.0, residuals.hue - NAMING.max_hue_shift_radians),
        math.log1p(residuals.lamp),
        fit.quality,
        _saturated(likelihood.lead),
        # A stranger with the same frame matches a face half-turned as well.
        _saturated(likelihood.lead if is_either_way(likelihood) else likelihood.turn_lead),
        1.0,
    )


def _saturated(lead: float) -> float:
    """A lead as a share of one that leaves no doubt."""
    return min(max(lead, 0.0), NAMING.saturated_lead_nats) / NAMING.saturated_lead_nats


def face_probability(likelihood: Likelihood) -> float:
    """The probability that a face is right, and the way up with it."""
    turn = 1.0 if is_either_way(likelihood) else sigmoid(likelihood.turn_lead)
    return enrolled_probability(likelihood) * sigmoid(likelihood.lead) * turn


def enrolled_probability(likelihood: Likelihood) -> float:
    """The probability that a place shows an enrolled face, this one or one of its rivals."""
    return sigmoid(
        sum(
            weight * value
            for weight, value in zip(fitted_weights.ENROLLED, regression_features(likelihood), strict=True)
        )
    )


def sigmoid(log_odds: float) -> float:
    """The probability of these log-odds."""
    return 1 / (1 + math.exp(-min(max(log_odds, -60.0), 60.0)))


def is_either_way(likelihood: Likelihood) -> bool:
    """Whether a card looks the same either way up, as its face does, or as it does itself where it shows wholly."""
    if likelihood.either_way or abs(likelihood.turn_lead) >= NAMING.min_turn_lead_nats:
        return likelihood.either_way
    # The lead of a face that agrees all over is chance.
    return likelihood.fit.quality >= NAMING.exact_agreement and likelihood.fit.seen.mean() >= NAMING.whole_share


def has_lead(likelihood: Likelihood) -> bool:
    """Whether a face clearly beats its rivals and itself half-turned."""
    return likelihood.lead >= NAMING.min_lead_nats and (
        likelihood.turn_lead >= NAMING.min_turn_lead_nats or is_either_way(likelihood)
    )


def is_piece_of_a_card(likelihood: Likelihood) -> bool:
    """Whether what shows of a card can be a piece of it: enough is drawn in it, and a cover comes from a side.

    A piece from the middle of a card, its cover unknown, may as well be the same drawing on another card.
    """
    fit, seen = likelihood.fit, float(likelihood.fit.seen.mean())
    if seen >= NAMING.piece_share:
        return True
    return fit.support >= NAMING.min_piece_drawn_cells and (
        fit.visible_share >= NAMING.piece_share or fit.rim_ratio >= NAMING.min_piece_rim_ratio
    )


def likelihood_may_name(likelihood: Likelihood) -> bool:
    """Whether a name may be given by the likelihood alone, and the turn with it."""
    return (
        has_lead(likelihood)
        and is_piece_of_a_card(likelihood)
        and face_probability(likelihood) >= NAMING.min_probability
    )
