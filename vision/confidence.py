"""How sure a judged face is, as a probability that means something: fitted on generated scenes."""

from __future__ import annotations

import math

from vision.contest import Verdict
from vision.judging import Judged

# A name is given from here on: below it lie the strangers that share a frame with an enrolled card.
NAMED = 0.78
# Below this lead over itself the other way up, a card's turn isn't certain enough to name it; below the other,
# it may as well be its twin.
TURNED, LED = 0.05, 0.05
# A pose at which a card agrees this well is right to a pixel: what looks the same either way up there is the same.
EXACT = 0.88
# Cells, by how much is drawn in each, that must be seen: a smaller sliver of a card says too little.
LEAST, LEAST_OF_A_PIECE = 8.0, 12.0
# A piece of less than half a card, the rest of it hidden by nobody knows what, shows some of the card's own edge: a
# cover comes from a side. Most of the side of a square of its size is little. A piece from the middle is one of
# another card with the same drawing in it, unless no other face comes near and the colours are its own: of another
# printing, cut otherwise, the edge is never seen.
PIECE, RIM = 0.4, 1.0
# Where nearly all of a card shows, agreement and lead together are at least this, as another printing's are, or it's
# as sure as that: of true ones in generated scenes one in four hundred is neither. A stranger much like it in the same
# frame reaches 1.09 and 0.89.
HALF, WHOLE, TOGETHER, PLAIN = 0.5, 0.8, 1.15, 0.95
# Less is asked where the colours are its own: strangers much like it that have the same colours too reach 1.0 and 0.6.
TOGETHER_IN_COLOUR, PLAIN_IN_COLOUR = 1.05, 0.9
# A lead that is clear enough, and one with which no other face comes near.
CLEAR, ALONE = 0.3, 0.6
# A piece of a card without a clear lead may be a piece of its twin that lies elsewhere, as with pips: it's named only
# with this lead at least, and as surely as this.
LED_OF_A_PIECE, SURE = 0.1, 0.98
# A face that agrees poorly and has no rival near must at least be clearly ahead of itself upside down: in generated
# scenes 422 of 426 true ones are, and 8 of 41 strangers.
UPRIGHT = 0.3
# For each value of `evidence`, by `python -m benchmarks.vision.fit` on decks in their own printing; the last but one,
# which only another printing needs, as large as names nobody wrongly there; the last, of the colours, so that colours
# as unlike as a stranger's undo a sureness of 0.98.
WEIGHTS = (41.5, 18.9, 3.48, -3.24, 0.76, -3.82, 6.0, 4.0)


def is_worth_a_contest(judged: Judged) -> bool:
    """Whether a face agrees enough to be compared with its rivals."""
    return judged.support > LEAST and judged.quality > 0.45


def evidence(verdict: Verdict) -> tuple[float, ...]:
    """What speaks for a face: how well it agrees, its lead, how much there is to see, and what hides the rest.

    The more of a card shows, the better it must agree: a stranger in the same frame agrees here and there
    all over, a covered card agrees in the part that is visible. And what is covered is covered by something: a
    known card, the edge of the picture. Another printing agrees less, but then no other face comes near, nor the same
    one upside down.
    """
    judged, lead = verdict.judged, verdict.lead
    is_alone = _ramp(lead, 0.5, ALONE) * _ramp(_turn_lead(verdict), UPRIGHT, 0.5)
    return (
        judged.quality - 0.65,
        min(lead, CLEAR) - 0.2,
        math.log(min(max(judged.support, 1.0), 30.0) / 20),
        float(judged.seen.mean()) - 0.5,
        min(judged.shown, 0.9) - 0.5,
        1.0,
        is_alone * _ramp(judged.shown, 0.3, 0.5),
        # A piece has few colours; another card's piece with the same drawing may well have the same few.
        verdict.colour if float(judged.seen.mean()) >= WHOLE else min(verdict.colour, 0.0),
    )


def _ramp(value: float, low: float, high: float) -> float:
    """From 0 at the low end to 1 at the high end."""
    return min(max((value - low) / (high - low), 0.0), 1.0)


def _turn_lead(verdict: Verdict) -> float:
    """The lead over itself upside down; that of a card which looks the same either way up speaks for nothing."""
    return 0.0 if is_either_way(verdict) else verdict.turn_lead


def of(verdict: Verdict) -> float:
    """The probability that a face is right."""
    total = sum(weight * value for weight, value in zip(WEIGHTS, evidence(verdict), strict=True))
    return 1 / (1 + math.exp(-total))


def is_either_way(verdict: Verdict) -> bool:
    """Whether a card looks the same either way up, as its face does, or as it does itself where it shows wholly."""
    judged = verdict.judged
    is_exact = judged.quality >= EXACT and float(judged.seen.mean()) >= WHOLE
    # By chance such a face leads over itself turned, or the other way about.
    return verdict.either_way or (verdict.turn_lead < TURNED and is_exact)


def has_lead(verdict: Verdict) -> bool:
    """Whether a face is plainly neither its twin nor itself upside down."""
    return verdict.lead >= LED and (verdict.turn_lead >= TURNED or is_either_way(verdict))


def is_possible(verdict: Verdict) -> bool:
    """Whether nothing speaks plainly against a face: a twin, itself upside down, where it was cut off."""
    if not has_lead(verdict):
        return False
    judged, seen = verdict.judged, float(verdict.judged.seen.mean())
    if judged.support < LEAST_OF_A_PIECE and seen < HALF and (verdict.lead < ALONE or judged.shown < WHOLE):
        return False
    if seen < WHOLE and verdict.lead < CLEAR and (verdict.lead < LED_OF_A_PIECE or of(verdict) < SURE):
        return False
    is_cut = seen < PIECE or (seen < HALF and verdict.lead < ALONE)
    if is_cut and judged.shown < HALF:
        is_its_own = verdict.lead >= ALONE and verdict.colour > 0 and of(verdict) >= PLAIN
        return judged.rim >= RIM or is_its_own
    together, plain = (TOGETHER, PLAIN) if verdict.colour <= 0 else (TOGETHER_IN_COLOUR, PLAIN_IN_COLOUR)
    if seen < WHOLE or (judged.quality + verdict.lead >= together and _turn_lead(verdict) >= UPRIGHT):
        return True
    return of(verdict) >= plain


def is_certain(verdict: Verdict) -> bool:
    """Whether a name may be given, and the turn with it."""
    return is_possible(verdict) and of(verdict) >= NAMED
