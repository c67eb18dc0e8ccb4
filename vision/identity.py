"""Which face lies at a place: a posterior over the enrolled faces that may, both ways up, and over none of them.

Every hypothesis is compared with the place by one small network (`vision/comparison.py`), in colour, where nothing
known covers it. A stranger, a near-twin, a piece and another printing are the same case with other numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import numpy as np
from msgspec import Struct

from vision import cells, colours, comparison, fitted
from vision.geometry import Array, Mask, Points
from vision.index import Index
from vision.judging import Judged, judge_blocks, refine
from vision.tuning import IDENTITY, NAMING


class Hypothesis(Struct, frozen=True):
    """A face, or a face the other way up than the leader has it, that may lie at a place."""

    face: int
    flipped: bool


class Verdict(Struct, frozen=True):
    """What may lie at a place: the likeliest face at its pose, and how likely each card is.

    `cards` are names with their probabilities, likeliest first; what is missing to one is that it's none of them. `lead`
    is how much likelier the likeliest card is than all others together, in nats, and `turn` how likely it lies the way
    up it was found. `evidence` is what speaks for an enrolled card at all.
    """

    judged: Judged
    cards: tuple[tuple[str, float], ...]
    lead: float
    turn: float
    either_way: bool
    evidence: tuple[float, ...]

    @property
    def probability(self) -> float:
        """How likely the place shows the likeliest card."""
        return self.cards[0][1]

    @property
    def enrolled(self) -> float:
        """How likely the place shows an enrolled card at all."""
        return sum(chance for _card, chance in self.cards)


class Place(Struct, frozen=True):
    """What of a picture is looked at."""

    levels: list[cells.Level]
    coloured: colours.Coloured
    camera: Array | None = None  # what lamp and camera make of colours, once cards are known that tell


def turn_about(templates: cells.Templates) -> Points:
    """The map that turns a template by half a turn."""
    return np.array([[-1, 0, templates.width], [0, -1, templates.height], [0, 0, 1.0]])


def decide(index: Index, place: Place, judged: Judged) -> Verdict:
    """What lies where a face seems to: all of what isn't covered, or else, under something unknown, a piece of it."""
    verdict = _decided(index, place, judged, False)
    if verdict.probability >= NAMING.named or judged.shown >= IDENTITY.whole:
        return verdict
    piece = _decided(index, place, judged, True)
    return piece if piece.probability > verdict.probability else verdict


def _decided(index: Index, place: Place, judged: Judged, is_piece: bool) -> Verdict:
    """Compare all faces that may lie where one seems to; the likeliest is looked at where it would lie itself."""
    odds = _compared(index, place, judged, is_piece)
    for _ in range(IDENTITY.rounds):
        winner = max(odds, key=lambda hypothesis: odds[hypothesis])
        if winner == Hypothesis(judged.face, False):
            break
        moved = _in_place(index, judged, winner, place.levels[0].pixels.shape)
        finer = refine(index, place.levels, moved, moved.covered)
        again = _compared(index, place, finer, is_piece)
        if max(again.values()) < odds[winner]:
            # It was better where it was found.
            judged = moved
            odds = {Hypothesis(h.face, h.flipped != winner.flipped): value for h, value in odds.items()}
            break
        judged, odds = finer, again
    return _verdict(index, judged, odds)


def _compared(index: Index, place: Place, judged: Judged, is_piece: bool) -> dict[Hypothesis, float]:
    """The hypotheses about a place, each with its log-odds against none of them."""
    views = _views(index, place, judged, is_piece)
    blur = comparison.blur_of(views[0], index.looks.face(judged.face))
    far = np.stack(
        [comparison.distances(comparison.outlined(view.low[None])[0], index.outlined, view.shows) for view in views]
    )
    nearest = min(float(far.min()), float(far[0, judged.face]))
    likely = [Hypothesis(n % far.shape[1], n >= far.shape[1]) for n in np.argsort(far, axis=None).tolist()]
    asked = [h for h in likely[: IDENTITY.most] if far[int(h.flipped), h.face] <= IDENTITY.near * nearest]
    odds: dict[Hypothesis, float] = {}

    def compare(hypothesis: Hypothesis) -> None:
        if hypothesis not in odds:
            face = index.looks.face(hypothesis.face)
            odds[hypothesis] = comparison.log_odds(views[hypothesis.flipped], face, blur, place.camera is not None)

    for hypothesis in (Hypothesis(judged.face, False), *asked):
        compare(hypothesis)
    # The true face may look less alike at first sight than a near-twin of it.
    winner = max(odds, key=lambda hypothesis: odds[hypothesis])
    for face in index.relatives[winner.face].tolist():
        if far[int(winner.flipped), face] <= 2 * IDENTITY.near * nearest:
            compare(Hypothesis(face, winner.flipped))
    return odds


def _views(
    index: Index, place: Place, judged: Judged, is_piece: bool = False
) -> tuple[comparison.Place, comparison.Place]:
    """A place as the comparison sees it, both ways up."""
    fine = index.fine
    rows, columns = index.looks.grid
    height = rows * comparison.CELL
    shows = _region(index, judged, is_piece).reshape(fine.rows, fine.columns).astype(np.float32)
    grid = cv2.resize(shows, (columns, rows), interpolation=cv2.INTER_LINEAR)
    whole = cv2.resize(grid, (comparison.WIDTH, height), interpolation=cv2.INTER_NEAREST)
    upright = place.coloured.cut(
        judged.matrix @ np.diag([fine.width / comparison.WIDTH, fine.height / height, 1]), height
    )
    planes = colours.planes_of(upright, whole > 0.5)
    if place.camera is not None:
        planes = comparison.undone(planes, place.camera)
    view = comparison.place_of(planes, grid)
    return view, comparison.turned(view)


def _region(index: Index, judged: Judged, is_piece: bool) -> Mask:
    """Where a place is compared: where nothing known covers it; of a piece, where the leader agrees."""
    shows = ~judged.covered
    return cells.pieces(judged.seen, index.fine)[1] & shows if is_piece else shows


def _verdict(index: Index, judged: Judged, odds: dict[Hypothesis, float]) -> Verdict:
    best: dict[str, float] = {}
    for hypothesis, value in odds.items():
        card = index.faces[hypothesis.face].card
        best[card] = max(best.get(card, -math.inf), value)
    ranked = sorted(best.items(), key=lambda item: -item[1])
    top = ranked[0][1]
    weights = [math.exp(value - top) for _card, value in ranked]
    lead = min(IDENTITY.farthest, -math.log(sum(weights[1:]) + TINY))
    known = evidence(index, judged, top, lead)
    share = sigmoid(sum(w * v for w, v in zip(fitted.ENROLLED, known, strict=True))) / sum(weights)
    cards = tuple((card, share * weight) for (card, _value), weight in zip(ranked, weights, strict=True))
    other_way = odds.get(Hypothesis(judged.face, True), -math.inf) - odds[Hypothesis(judged.face, False)]
    return Verdict(judged, cards, lead, sigmoid(-other_way), index.faces[judged.face].either_way, known)


def evidence(index: Index, judged: Judged, odds: float, lead: float) -> tuple[float, ...]:
    """What speaks for an enrolled card: each value as it is, and once more by how unlike the deck's cards are.

    Strangers come from the same kind of deck: where all its cards are unlike, a stranger is as well.
    """
    unlike = min(1.0, max(0.0, (math.log10(float(index.apart[judged.face]) + TINY) + 1) / 1.3))
    values = (
        min(max(odds, -IDENTITY.farthest), IDENTITY.farthest),
        lead,
        judged.quality,
        math.log1p(judged.support),
        float(judged.seen.mean()),
        1.0,
    )
    return (*values, *(value * unlike for value in values))


def sigmoid(odds: float) -> float:
    """The probability of log-odds."""
    return 1 / (1 + math.exp(-min(max(odds, -60.0), 60.0)))


TINY = 1e-9


def _in_place(index: Index, judged: Judged, rival: Hypothesis, shape: tuple[int, ...]) -> Judged:
    """The rival exactly where the leader lies."""
    if not rival.flipped:
        return judge_blocks(index, judged.place, rival.face, judged.matrix, judged.covered, shape)
    matrix = judged.matrix @ turn_about(index.fine)
    return judge_blocks(index, judged.place.turned(), rival.face, matrix, judged.covered[::-1], shape)


def camera_of(index: Index, place: Place, known: Iterable[Judged]) -> Array:
    """What lamp and camera make of colours, from the cards of a picture that are known."""
    bare = Place(place.levels, place.coloured)
    return comparison.camera_of((_views(index, bare, judged)[0], index.looks.face(judged.face)) for judged in known)
