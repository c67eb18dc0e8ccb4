"""From a posterior to a name: who is named, who is asked about, and what is too little to say anything."""

from __future__ import annotations

from vision.identity import Verdict
from vision.index import Index
from vision.judging import Judged
from vision.tuning import IDENTITY, NAMING


def is_worth_a_contest(index: Index, judged: Judged) -> bool:
    """Whether a face agrees enough to be compared with its rivals."""
    drawn = float(index.fine.texture[judged.face].sum())
    return judged.support > min(NAMING.least, NAMING.least_share * drawn) and judged.quality > NAMING.least_quality


def of(verdict: Verdict) -> float:
    """The probability that a name is right."""
    return verdict.probability


def is_one_of_us(verdict: Verdict) -> float:
    """The probability that a place shows an enrolled face, this one or one of its rivals."""
    return verdict.enrolled


def is_either_way(verdict: Verdict) -> bool:
    """Whether nothing tells which way up a card lies."""
    return verdict.either_way or verdict.turn < NAMING.turned


def has_lead(verdict: Verdict) -> bool:
    """Whether a face is plainly not its twin."""
    return verdict.lead >= NAMING.led


def is_piece_of_a_card(verdict: Verdict) -> bool:
    """Whether what shows of a card can be a piece of it: all that isn't covered, or else a piece whose cover comes from
    a side.

    A piece from the middle of a card, its cover unknown, may as well be the same drawing on another card.
    """
    judged, seen = verdict.judged, float(verdict.judged.seen.mean())
    if seen >= NAMING.half or (judged.shown >= IDENTITY.whole and seen >= NAMING.sliver):
        return True
    return judged.support >= NAMING.least_of_a_piece and (judged.shown >= NAMING.half or judged.rim >= NAMING.rim)


def is_certain(verdict: Verdict) -> bool:
    """Whether a name may be given, and the turn with it."""
    return is_piece_of_a_card(verdict) and of(verdict) >= NAMING.named


def names(index: Index, verdict: Verdict) -> tuple[tuple[str, float], ...]:
    """The cards that may lie at a place with their probabilities, likeliest first, if worth a question."""
    likely = [(card, round(chance, 3)) for card, chance in verdict.cards[: NAMING.offered] if chance >= NAMING.asked]
    return tuple(likely)
