"""The posterior over faces at a place, from a likelihood of drawing and colour and from a neural network.

The likelihood (`vision/identity.py`) knows much of drawings, and of pieces of them; the comparison
(`vision/comparison.py`) sees one digit and one shade of ink. A painting that the likelihood is sure of is named by it
alone, another one unless the network is against it, a card that has near-twins only with the network's word. Both make
one posterior over cards and "none of these".
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import numpy as np
from msgspec import Struct

from vision import cells, comparison, confidence, fitted_weights, identity, ink, near_twins, upright
from vision.comparison import ComparisonInput
from vision.fitting import FaceFit, refine
from vision.geometry import Array, Mask
from vision.identity import FaceHypothesis, PreparedPicture
from vision.index import Index
from vision.tuning import COMPARISON, INK, NAMING, NEAR_TWINS

TINY = 1e-9
# Less than this isn't told from nothing.
LEAST = 1e-3


class Posterior(Struct, frozen=True):
    """What may lie at a place: the likeliest face at its pose, and how likely each card is.

    `cards` are names with their probabilities, likeliest first; what is missing to one is that it's none of them.
    `lead` is by how much the likeliest is ahead of all other cards in nats. `is_certain` where its name may be given.
    `odds` are the network's, `likelihood` is the other witness's verdict, `evidence` is what a card that has near-twins
    was named by (`near_twin_evidence`).
    """

    fit: FaceFit
    cards: tuple[tuple[str, float], ...]
    lead: float
    is_certain: bool
    either_way: bool
    odds: float
    likelihood: identity.Likelihood
    evidence: tuple[float, ...] = ()

    @property
    def probability(self) -> float:
        """How likely the place shows the likeliest card."""
        return self.cards[0][1]

    @property
    def enrolled(self) -> float:
        """How likely the place shows an enrolled card at all."""
        return sum(chance for _card, chance in self.cards)


def posterior_of(
    index: Index, picture: PreparedPicture, fit: FaceFit, first: identity.Likelihood | None = None
) -> Posterior:
    """Hear both witnesses about a place where a face seems to lie; `first` is the likelihood where it's known."""
    if first is None or first.fit is not fit:
        first = identity.likelihood_of(index, picture, fit)
    is_small = not confidence.is_piece_of_a_card(first)
    is_painting = is_distinctive(index, first.fit.face)
    is_exact = first.fit.quality >= NAMING.exact and confidence.is_certain(first)
    is_sure = is_painting and is_exact and confidence.probability(first) >= NAMING.sure
    if is_small or is_sure or (first.fit.shown < COMPARISON.whole and not is_painting):
        return _by_likelihood(index, first)
    seen = _compared(index, picture, first)
    winner = seen.winner
    if index.faces[winner.face].card == index.faces[first.fit.face].card:
        return _by_both(index, first.fit, first, seen)
    # The network sees another card: it's looked at where that one would lie itself, unless it's no enrolled card.
    moved = identity.in_place(index, first.fit, winner, picture.levels[0].pixels.shape)
    if seen.odds[winner] < COMPARISON.agreed:
        return _by_both(index, moved, first, seen)
    finer = refine(index, picture.levels, moved, moved.covered)
    second = identity.likelihood_of(index, picture, finer)
    if index.faces[second.fit.face].card == index.faces[winner.face].card:
        return _by_both(index, second.fit, second, _compared(index, picture, second))
    return _by_both(index, moved, first, seen)


def _by_both(index: Index, fit: FaceFit, first: identity.Likelihood, seen: Compared) -> Posterior:
    """A verdict on a place by both witnesses; where they contradict each other, on the network's face.

    `first` is what the likelihood says; it speaks for its own face only.
    """
    top, weights = _weights(index, seen.odds)
    own = index.faces[fit.face].card
    agree, is_first = fit is first.fit, weights[own] == max(weights.values())
    is_painting = is_distinctive(index, fit.face)
    if agree:
        is_enough = fit.shown >= NAMING.half and confidence.is_piece_of_a_card(first)
    else:
        is_whole = fit.shown >= COMPARISON.whole and float(fit.seen.mean()) >= NAMING.half
        is_enough = is_whole and not is_painting
    evidence: tuple[float, ...] = ()
    if is_painting:
        cards, is_certain = _painting(index, own, first if agree and is_first else None, top, weights)
        is_certain = is_certain or (is_enough and cards[own] >= COMPARISON.certain)
    else:
        evidence = near_twin_evidence(first if agree else None, top, _lead(weights, own), seen.near_twin_deviation)
        cards = _near_twin(own, weights, evidence)
        is_certain = is_enough and top >= COMPARISON.alike and cards[own] >= NEAR_TWINS.certain
    lead = first.lead if is_painting and agree else _lead(weights, own)
    lead = min(first.lead, lead) if agree else lead
    either_way = confidence.is_either_way(first) if agree else index.faces[fit.face].either_way
    ranked = tuple(sorted(cards.items(), key=lambda item: -item[1]))
    return Posterior(fit, ranked, lead, is_certain and is_first, either_way, top, first, evidence)


def _painting(
    index: Index, own: str, first: identity.Likelihood | None, top: float, weights: dict[str, float]
) -> tuple[dict[str, float], bool]:
    """How likely each card is where a painting seems to lie, and whether its likelihood alone is certain of it.

    What the likelihood adds to its own name it takes from the rivals that it knows, and from "none of these".
    """
    alone = confidence.sigmoid(top + COMPARISON.enrolled) / sum(weights.values())
    cards = {card: alone * weight for card, weight in weights.items()}
    if first is None or top < COMPARISON.agreed:
        return cards, False
    known = {index.faces[rival.hypothesis.face].card for rival in first.rivals}
    unknown = sum(chance for card, chance in cards.items() if card != own and card not in known)
    share = cards[own]
    sure = max(share, min(1 - (1 - share) * (1 - confidence.probability(first)), 1 - unknown))
    rest = sum(cards.values()) - share
    scale = min(1.0, (1 - sure) / rest) if rest else 1.0
    cards = {card: sure if card == own else chance * scale for card, chance in cards.items()}
    return cards, confidence.is_certain(first) and unknown <= 1 - COMPARISON.certain


def near_twin_evidence(
    first: identity.Likelihood | None, top: float, lead: float, near_twin_deviation: float
) -> tuple[float, ...]:
    """What speaks for a card that has near-twins; `first` is what the likelihood says of it, if anything."""
    is_likely = first is not None and confidence.is_certain(first)
    return min(top, lead), math.log(max(near_twin_deviation, LEAST)), float(is_likely), 1.0


def _near_twin(own: str, weights: dict[str, float], evidence: tuple[float, ...]) -> dict[str, float]:
    """How likely each card is where one seems to lie that has near-twins."""
    sure = confidence.sigmoid(
        sum(weight * value for weight, value in zip(fitted_weights.NEAR_TWIN, evidence, strict=True))
    )
    chances = {card: sure * weight / weights[own] for card, weight in weights.items()}
    total = sum(chances.values())
    return {card: chance / max(1.0, total) for card, chance in chances.items()}


def _by_likelihood(index: Index, first: identity.Likelihood) -> Posterior:
    """A verdict by the likelihood alone: on a painting that it's sure of, on a card that has near-twins and on which
    something unknown lies, or where next to nothing shows.

    Where it's drawn all over, the likelihood tells a hidden part from another card. On bare paper nothing can.
    """
    likely = {index.faces[first.fit.face].card: 1.0}
    for rival in first.rivals:
        card = index.faces[rival.hypothesis.face].card
        likely[card] = max(likely.get(card, 0.0), math.exp(-max(rival.lead, 0.0)))
    enrolled = confidence.enrolled_probability(first)
    is_certain = confidence.is_certain(first) and is_drawn_all_over(index, first.fit.face)
    share = enrolled / (sum(likely.values()) + (0 if is_certain else 1))
    ranked = tuple(sorted(((card, share * weight) for card, weight in likely.items()), key=lambda item: -item[1]))
    return Posterior(first.fit, ranked, first.lead, is_certain, confidence.is_either_way(first), -math.inf, first)


def _weights(index: Index, odds: dict[FaceHypothesis, float]) -> tuple[float, dict[str, float]]:
    """The best log-odds, and how likely each card is beside the best one."""
    best: dict[str, float] = {}
    for hypothesis, value in odds.items():
        card = index.faces[hypothesis.face].card
        best[card] = max(best.get(card, -math.inf), value)
    top = max(best.values())
    return top, {card: math.exp(value - top) for card, value in best.items()}


def _lead(weights: dict[str, float], own: str) -> float:
    """By how much a card is likelier than all others together, in nats."""
    others = sum(weight for card, weight in weights.items() if card != own)
    return math.log((weights[own] + TINY) / (others + TINY))


def is_distinctive(index: Index, face: int) -> bool:
    """Whether a face is distinctive everywhere: a painting is, a number or a few symbols aren't."""
    return is_drawn_all_over(index, face) and float(index.apart[face]) >= COMPARISON.unlike


def is_drawn_all_over(index: Index, face: int) -> bool:
    """Whether hardly any of a face is bare paper."""
    return float(index.fine.texture[face].mean()) >= COMPARISON.drawn


class Compared(Struct, frozen=True):
    """What the network says of some faces, in nats, and how far the place is from the best (`vision/near_twins.py`)."""

    odds: dict[FaceHypothesis, float]
    near_twin_deviation: float = 1.0

    @property
    def winner(self) -> FaceHypothesis:
        """The likeliest of them."""
        return max(self.odds, key=lambda hypothesis: self.odds[hypothesis])


def _compared(index: Index, picture: PreparedPicture, first: identity.Likelihood) -> Compared:
    """A place compared with the likelihood's face, with its rivals, and with whatever looks alike at first sight."""
    fit = first.fit
    views = _views(index, picture, fit)
    seen = Compared(_odds(index, picture, first, views))
    if is_distinctive(index, seen.winner.face):
        return seen
    return Compared(seen.odds, _stray(index, picture, fit, views, seen.winner))


def _stray(
    index: Index, picture: PreparedPicture, fit: FaceFit, views: tuple[ComparisonInput, ...], winner: FaceHypothesis
) -> float:
    """How far a place strays from a face towards its near-twins."""
    view = views[winner.is_half_turned]
    height = near_twins.height_of(index.aspect)
    shows = cv2.resize(views[0].shows, (near_twins.WIDTH, height), interpolation=cv2.INTER_NEAREST)
    seen = _planes(index, picture, fit, shows > 0.5)
    seen = np.ascontiguousarray(seen[::-1, ::-1] if winner.is_half_turned else seen)
    near = [index.sharp[n] for n in index.relatives[winner.face].tolist() if n in index.sharp]
    return near_twins.near_twin_deviation(view, seen, index.looks.face(winner.face), index.sharp[winner.face], near)


def _odds(
    index: Index, picture: PreparedPicture, first: identity.Likelihood, views: tuple[ComparisonInput, ...]
) -> dict[FaceHypothesis, float]:
    """What the network says of each face that may lie at a place."""
    fit = first.fit
    blur = comparison.blur_of(views[0], index.looks.face(fit.face))
    odds: dict[FaceHypothesis, float] = {}

    def compare(hypothesis: FaceHypothesis) -> None:
        if hypothesis not in odds:
            view, face = views[hypothesis.is_half_turned], index.looks.face(hypothesis.face)
            value = comparison.log_odds(view, face, blur, picture.camera is not None)
            is_other = ink.is_another(view, face, index.inks[hypothesis.face], index.inks)
            odds[hypothesis] = value - INK.against if is_other else value

    compare(FaceHypothesis(fit.face, False))
    if is_distinctive(index, fit.face):
        for rival in first.rivals[:2]:
            compare(rival.hypothesis)
        return odds
    far = np.stack(
        [
            comparison.distances(comparison.thumbnail_vectors(view.low[None])[0], index.outlined, view.shows)
            for view in views
        ]
    )
    nearest = min(float(far.min()), float(far[0, fit.face]))
    ranked = identity.nearest(index, far, COMPARISON.most)
    own = index.faces[fit.face].card
    next_best = min(
        (float(far[int(h.is_half_turned), h.face]) for h in ranked[:9] if index.faces[h.face].card != own), default=0.0
    )
    if confidence.is_certain(first) and next_best > COMPARISON.clear * nearest:
        # At first sight nothing else comes near, and the other witness is certain.
        return odds
    for hypothesis in ranked:
        if far[int(hypothesis.is_half_turned), hypothesis.face] <= COMPARISON.near * nearest:
            compare(hypothesis)
    # The true face may look less alike at first sight than a near-twin of it.
    winner = max(odds, key=lambda hypothesis: odds[hypothesis])
    for number in index.relatives[winner.face].tolist():
        if far[int(winner.is_half_turned), number] <= 2 * COMPARISON.near * nearest:
            compare(FaceHypothesis(number, winner.is_half_turned))
    return odds


def _views(index: Index, picture: PreparedPicture, fit: FaceFit) -> tuple[ComparisonInput, ComparisonInput]:
    """A place as the comparison sees it, both ways up."""
    view = comparison.input_of(*_seen(index, picture, fit))
    return view, comparison.turned(view)


def _seen(index: Index, picture: PreparedPicture, fit: FaceFit) -> tuple[Array, Array]:
    """A place cut out for the comparison, and where on the grid it shows; of a painting that something unknown lies on,
    what agrees."""
    fine = index.fine
    rows, columns = index.looks.grid
    height = rows * comparison.CELL
    region = ~fit.covered
    if is_distinctive(index, fit.face):
        region = region & cells.visible_regions(fit.seen, fine)[1]
    shows = region.reshape(fine.rows, fine.columns).astype(np.float32)
    grid = cv2.resize(shows, (columns, rows), interpolation=cv2.INTER_LINEAR)
    whole = cv2.resize(grid, (comparison.WIDTH, height), interpolation=cv2.INTER_NEAREST)
    return _planes(index, picture, fit, whole > 0.5), grid


def _planes(index: Index, picture: PreparedPicture, fit: FaceFit, shows: Mask) -> Array:
    """A place cut out upright, as large as the mask of what shows, with what is known of the camera undone."""
    height, width = shows.shape
    zoom = np.diag([index.fine.width / width, index.fine.height / height, 1])
    planes = upright.planes_of(upright.cut(picture.tints, fit.matrix @ zoom, (width, height)), shows)
    return planes if picture.camera is None else comparison.undo_camera_chroma(planes, picture.camera)


def camera_chroma(index: Index, picture: PreparedPicture, known: Iterable[FaceFit]) -> Array:
    """What lamp and camera make of colours, from the cards of a picture that are known."""
    bare = PreparedPicture(picture.levels, picture.tints)
    # Those of which most shows tell as much as all.
    known = sorted(known, key=lambda fit: -float(fit.seen.mean()))[: COMPARISON.tell]
    return comparison.camera_chroma(
        (comparison.input_on_grid(*_seen(index, bare, fit)), index.looks.face(fit.face)) for fit in known
    )


def names(verdict: Posterior) -> tuple[tuple[str, float], ...]:
    """The cards that may lie at a place with their probabilities, likeliest first, if worth a question."""
    likely = ((card, round(chance, 3)) for card, chance in verdict.cards[: NAMING.offered])
    return tuple((card, chance) for card, chance in likely if chance >= NAMING.asked)
