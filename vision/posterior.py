"""The posterior over faces at a place, from a likelihood of drawing and colour and from a neural network.

The likelihood (`vision/identity.py`) knows much of drawings, and of pieces of them; the comparison
(`vision/comparison.py`) sees one digit and one shade of ink. A painting that the likelihood is sure of is named by it
alone, another one unless the network is against it, a card that has near-twins only with the network's word. Both make
one posterior over cards and "none of these".
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import TypeVar

import cv2
import numpy as np
from msgspec import Struct

from vision import cells, comparison, confidence, detail, identity, ink, upright
from vision.comparison import ComparisonInput, FacePlanes
from vision.detail import Rough
from vision.fitting import FaceFit, refine
from vision.geometry import Array, Mask
from vision.identity import FaceHypothesis, PreparedPicture
from vision.index import Index
from vision.tuning import COMPARISON, DETAIL, INK, NAMING

TINY = 1e-9
Place = TypeVar("Place")


class Posterior(Struct, frozen=True):
    """What may lie at a place: the likeliest face at its pose, and how likely each card is.

    `cards` are names with their probabilities, likeliest first; what is missing to one is that it's none of them.
    `lead` is by how much the likeliest is ahead of all other cards in nats. `is_certain` where its name may be given.
    `odds` are the network's, `likelihood` is the likelihood's verdict.
    """

    fit: FaceFit
    cards: tuple[tuple[str, float], ...]
    lead: float
    is_certain: bool
    either_way: bool
    odds: float
    likelihood: identity.Likelihood

    @property
    def probability(self) -> float:
        """How likely the place shows the likeliest card."""
        return self.cards[0][1]

    @property
    def enrolled(self) -> float:
        """How likely the place shows an enrolled card at all."""
        return sum(chance for _card, chance in self.cards)


def posterior_of(
    index: Index,
    picture: PreparedPicture,
    fit: FaceFit,
    first: identity.Likelihood | None = None,
    is_outlined: bool = False,
) -> Posterior:
    """Ask likelihood and network about a place where a face seems to lie; `first` is the likelihood where it's known.

    Where an outline tells that a card shows wholly (`is_outlined`), what doesn't agree isn't hidden: it's compared.
    """
    if first is None or first.fit is not fit:
        first = identity.likelihood_of(index, picture, fit)
    is_small = not confidence.is_piece_of_a_card(first)
    is_painting = is_distinctive(index, first.fit.face)
    is_exact = first.fit.quality >= NAMING.exact_agreement and confidence.is_certain(first)
    is_sure = is_painting and is_exact and confidence.probability(first) >= NAMING.sure_probability
    is_hidden = is_small or (first.fit.shown < COMPARISON.min_whole_share and not is_painting)
    if is_sure or (is_hidden and not is_outlined):
        return _by_likelihood(index, first)
    seen = _compared(index, picture, first)
    winner = seen.winner
    if index.faces[winner.face].card == index.faces[first.fit.face].card:
        return _by_both(index, first.fit, first, seen, is_outlined)
    # The network sees another card: it's looked at where that one would lie itself, unless it's no enrolled card.
    moved = identity.in_place(index, first.fit, winner, picture.levels[0].pixels.shape)
    if _odds(seen.rough[winner]) < COMPARISON.min_agreeing_log_odds_nats:
        return _by_both(index, moved, first, seen, is_outlined)
    finer = refine(index, picture.levels, moved, moved.covered)
    second = identity.likelihood_of(index, picture, finer)
    if index.faces[second.fit.face].card == index.faces[winner.face].card:
        return _by_both(index, second.fit, second, _compared(index, picture, second), is_outlined)
    return _by_both(index, moved, first, seen, is_outlined)


def _by_both(index: Index, fit: FaceFit, first: identity.Likelihood, seen: Compared, is_outlined: bool) -> Posterior:
    """A verdict on a place by likelihood and network; where they contradict each other, on the network's face.

    `first` is what the likelihood says; it speaks for its own face only.
    """
    top, weights = _weights(index, seen.odds)
    own = index.faces[fit.face].card
    # A face that others leave so far behind that it isn't compared in detail.
    weights.setdefault(own, 0.0)
    agree, is_first = fit is first.fit, weights[own] == max(weights.values())
    is_painting = is_distinctive(index, fit.face)
    if is_outlined:
        is_enough = True
    elif agree:
        is_enough = fit.shown >= NAMING.piece_share and confidence.is_piece_of_a_card(first)
    else:
        is_whole = fit.shown >= COMPARISON.min_whole_share and float(fit.seen.mean()) >= NAMING.piece_share
        is_enough = is_whole and not is_painting
    if is_painting:
        cards, is_certain = _painting(index, own, first if agree and is_first else None, top, weights)
        is_certain = is_certain or (is_enough and cards[own] >= NAMING.min_network_probability)
    else:
        told = DETAIL.known_camera_bonus_nats if seen.is_camera_known else 0.0
        cards = near_twin_chances(own, top + told, weights, first if agree else None)
        is_certain = is_enough and cards[own] >= NAMING.min_network_probability
    lead = first.lead if is_painting and agree else _lead(weights, own)
    lead = min(first.lead, lead) if agree else lead
    either_way = confidence.is_either_way(first) if agree else index.faces[fit.face].either_way
    ranked = tuple(sorted(cards.items(), key=lambda item: -item[1]))
    return Posterior(fit, ranked, lead, is_certain and is_first, either_way, top, first)


def _painting(
    index: Index, own: str, first: identity.Likelihood | None, top: float, weights: dict[str, float]
) -> tuple[dict[str, float], bool]:
    """How likely each card is where a painting seems to lie, and whether its likelihood alone is certain of it.

    What the likelihood adds to its own name it takes from the rivals that it knows, and from "none of these".
    """
    cards = _enrolled(top + COMPARISON.enrolled_prior_nats, weights)
    if first is None or top < COMPARISON.min_agreeing_log_odds_nats:
        return cards, False
    known = {index.faces[rival.hypothesis.face].card for rival in first.rivals}
    unknown = sum(chance for card, chance in cards.items() if card != own and card not in known)
    share = cards[own]
    sure = max(share, min(1 - (1 - share) * (1 - confidence.probability(first)), 1 - unknown))
    rest = sum(cards.values()) - share
    scale = min(1.0, (1 - sure) / rest) if rest else 1.0
    cards = {card: sure if card == own else chance * scale for card, chance in cards.items()}
    return cards, confidence.is_certain(first) and unknown <= 1 - NAMING.min_network_probability


def _enrolled(top: float, weights: dict[str, float]) -> dict[str, float]:
    """How likely each card is; the best one's log-odds against none of them are given."""
    return {card: weight / (sum(weights.values()) + math.exp(-top)) for card, weight in weights.items()}


def near_twin_chances(
    own: str, top: float, weights: dict[str, float], first: identity.Likelihood | None
) -> dict[str, float]:
    """How likely each card is where one seems to lie that has near-twins; `first` is the likelihood where it agrees.

    "None of these" may be a camera far from that of the references: where the likelihood is certain, its word counts,
    but leaves the name unsure. A likelihood that has another card, or none, counts against the name.
    """
    if first is None or confidence.enrolled_probability(first) <= 1 - NAMING.sure_probability:
        return _enrolled(top - DETAIL.contradiction_penalty_nats, weights)
    cards = _enrolled(top, weights)
    if not confidence.is_certain(first) or cards[own] >= DETAIL.max_probability_by_likelihood:
        return cards
    likely = _enrolled(top + DETAIL.likelihood_bonus_nats, weights)
    return (
        likely
        if likely[own] <= DETAIL.max_probability_by_likelihood
        else {**cards, own: DETAIL.max_probability_by_likelihood}
    )


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
    if not is_distinctive(index, first.fit.face):
        is_certain = is_certain and confidence.probability(first) >= NAMING.min_network_probability
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
    return is_drawn_all_over(index, face) and float(index.apart[face]) >= COMPARISON.min_distinctive_distance


def is_drawn_all_over(index: Index, face: int) -> bool:
    """Whether hardly any of a face is bare paper."""
    return float(index.fine.texture[face].mean()) >= COMPARISON.min_drawn_share


class Compared(Struct, frozen=True):
    """What the comparison says of some faces, and the log-odds that decide: in detail for cards with near-twins."""

    rough: dict[FaceHypothesis, Rough]
    odds: dict[FaceHypothesis, float]
    is_camera_known: bool

    @property
    def winner(self) -> FaceHypothesis:
        """The likeliest of them."""
        return max(self.odds, key=lambda hypothesis: self.odds[hypothesis])


def _compared(index: Index, picture: PreparedPicture, first: identity.Likelihood) -> Compared:
    """A place compared with the likelihood's face, with its rivals, and with whatever looks alike at first sight."""
    views = _views(index, picture, first.fit)
    rough = _rough(index, picture, first, views)
    is_known = picture.camera is not None
    seen = Compared(rough, {hypothesis: _odds(each) for hypothesis, each in rough.items()}, is_known)
    if is_distinctive(index, seen.winner.face):
        return seen
    return Compared(rough, _in_detail(index, picture, first.fit, views, rough), is_known)


def _in_detail(
    index: Index,
    picture: PreparedPicture,
    fit: FaceFit,
    views: Callable[[bool], ComparisonInput],
    rough: dict[FaceHypothesis, Rough],
) -> dict[FaceHypothesis, float]:
    """The log-odds of the few likeliest faces that have near-twins, in detail."""
    height = detail.height_of(index.aspect)
    shows = cv2.resize(views(False).shows, (detail.DETAIL_WIDTH, height), interpolation=cv2.INTER_NEAREST)
    places = _either_way(detail.place_of(_planes(index, picture, fit, shows > 0.5), views(False).shows), detail.turned)
    likely = sorted((h for h in rough if h.face in index.detailed), key=lambda h: -_odds(rough[h]))[: DETAIL.max_faces]
    best = likely[0]
    likely = [h for h in likely if _odds(rough[h]) >= _odds(rough[best]) - DETAIL.max_gap_nats]
    blur = detail.blur_of(places(best.is_half_turned), index.detailed[best.face], rough[best].features.alignment)
    return {
        h: detail.detail_log_odds(places(h.is_half_turned), index.detailed[h.face], blur, rough[h]) - _against(rough[h])
        for h in likely
    }


def _odds(rough: Rough) -> float:
    """The comparison's log-odds, in nats."""
    return rough.odds - _against(rough)


def _against(rough: Rough) -> float:
    """What speaks against a face in another ink, in nats."""
    return INK.other_ink_penalty_nats * rough.hue.is_another


def _rough(
    index: Index, picture: PreparedPicture, first: identity.Likelihood, views: Callable[[bool], ComparisonInput]
) -> dict[FaceHypothesis, Rough]:
    """What the comparison says of each face that may lie at a place."""
    fit = first.fit
    blur = comparison.blur_of(views(False), index.looks.face(fit.face))
    found: dict[FaceHypothesis, Rough] = {}

    def compare(hypothesis: FaceHypothesis) -> None:
        if hypothesis not in found:
            view, face = views(hypothesis.is_half_turned), index.looks.face(hypothesis.face)
            features = comparison.features_of(view, face, blur, picture.camera is not None)
            hue = ink.hue_shift(view, face, index.inks[hypothesis.face], index.inks, picture.camera is not None)
            found[hypothesis] = Rough(features, comparison.comparison_log_odds(view, features), hue)

    compare(FaceHypothesis(fit.face, False))
    if is_distinctive(index, fit.face):
        for rival in first.rivals[:2]:
            compare(rival.hypothesis)
        return found
    place = views(False)
    seen, shows = comparison.thumbnail_vectors(place.low[None])[0], place.shows
    far = np.stack(
        [
            comparison.distances(seen, index.outlined, shows),
            comparison.distances(seen[::-1, ::-1], index.outlined, shows[::-1, ::-1]),
        ]
    )
    nearest = min(float(far.min()), float(far[0, fit.face]))
    ranked = identity.nearest(index, far, COMPARISON.max_faces)
    own = index.faces[fit.face].card
    next_best = min(
        (float(far[int(h.is_half_turned), h.face]) for h in ranked[:9] if index.faces[h.face].card != own), default=0.0
    )
    if confidence.is_certain(first) and next_best > COMPARISON.clear_distance_ratio * nearest:
        # At first sight nothing else comes near, and the likelihood is certain.
        return found
    for hypothesis in ranked:
        if far[int(hypothesis.is_half_turned), hypothesis.face] <= COMPARISON.max_distance_ratio * nearest:
            compare(hypothesis)
    # The true face may look less alike at first sight than a near-twin of it.
    winner = max(found, key=lambda hypothesis: _odds(found[hypothesis]))
    for number in index.relatives[winner.face].tolist():
        if far[int(winner.is_half_turned), number] <= 2 * COMPARISON.max_distance_ratio * nearest:
            compare(FaceHypothesis(number, winner.is_half_turned))
    return found


def _views(index: Index, picture: PreparedPicture, fit: FaceFit) -> Callable[[bool], ComparisonInput]:
    """A place as the comparison sees it, the other way up if asked so."""
    return _either_way(comparison.input_of(*_seen(index, picture, fit)), comparison.turned)


def _either_way(place: Place, turned: Callable[[Place], Place]) -> Callable[[bool], Place]:
    """A place, or the same the other way up, which is hardly ever asked for: it's turned once it is."""
    return functools.cache(lambda is_half_turned: turned(place) if is_half_turned else place)


def _seen(index: Index, picture: PreparedPicture, fit: FaceFit) -> tuple[Array, Array]:
    """A place cut out for the comparison, and where on the grid it shows; of a painting that something unknown lies on,
    what agrees."""
    fine = index.fine
    rows, columns = index.looks.grid
    height = rows * comparison.COMPARISON_CELL
    region = ~fit.covered
    if is_distinctive(index, fit.face):
        region = region & cells.visible_regions(fit.seen, fine)[1]
    shows = region.reshape(fine.rows, fine.columns).astype(np.float32)
    grid = cv2.resize(shows, (columns, rows), interpolation=cv2.INTER_LINEAR)
    whole = cv2.resize(grid, (comparison.COMPARISON_WIDTH, height), interpolation=cv2.INTER_NEAREST)
    return _planes(index, picture, fit, whole > 0.5), grid


def _planes(index: Index, picture: PreparedPicture, fit: FaceFit, shows: Mask) -> Array:
    """A place cut out upright, as large as the mask of what shows, with what is known of the camera undone."""
    height, width = shows.shape
    zoom = np.diag([index.fine.width / width, index.fine.height / height, 1])
    planes = upright.planes_of(upright.cut(picture.tints, fit.matrix @ zoom, (width, height)), shows)
    return planes if picture.camera is None else comparison.undo_camera_chroma(planes, picture.camera)


class ToldColours(Struct, frozen=True):
    """What a named card tells of lamp and camera: its place as it is, its face, and their share in the estimate."""

    place: ComparisonInput
    face: FacePlanes
    sums: Array

    def gain(self, camera: Array) -> float:
        """By how much its ink isn't its face's, once the camera is undone."""
        seen = comparison.undo_camera_chroma(self.place.low, camera)
        return comparison.chroma_error(seen, self.face.low, self.place.shows)


def colours_told(index: Index, picture: PreparedPicture, fit: FaceFit) -> ToldColours:
    """What a face at a place tells of lamp and camera."""
    bare = PreparedPicture(picture.levels, picture.tints)
    place, face = comparison.input_on_grid(*_seen(index, bare, fit)), index.looks.face(fit.face)
    return ToldColours(place, face, comparison.chroma_sums(place, face))


def names(verdict: Posterior) -> tuple[tuple[str, float], ...]:
    """The cards that may lie at a place with their probabilities, likeliest first, if worth a question."""
    likely = ((card, round(chance, 3)) for card, chance in verdict.cards[: NAMING.max_offered_names])
    return tuple((card, chance) for card, chance in likely if chance >= NAMING.min_asked_probability)
