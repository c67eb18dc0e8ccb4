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
from vision.comparison import ColourTransform, ComparisonInput, FacePlanes
from vision.detail import FaceComparison
from vision.fitting import FaceFit, refine
from vision.geometry import Array, Mask
from vision.identity import FaceHypothesis, PreparedPicture
from vision.index import Index
from vision.tuning import COMPARISON, DETAIL, INK, NAMING

EPSILON = 1e-9
Input = TypeVar("Input")


class Posterior(Struct, frozen=True):
    """What may lie at a place: the likeliest face at its pose, and how likely each card is.

    `cards` are names with their probabilities, likeliest first; what is missing to one is that it's none of them.
    `lead` is by how much the likeliest is ahead of all other cards in nats. `is_certain` where its name may be given.
    `log_odds` are the network's, against none of the cards; `likelihood` is what drawing and colour say.
    """

    fit: FaceFit
    cards: tuple[tuple[str, float], ...]
    lead: float
    is_certain: bool
    either_way: bool
    log_odds: float
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
    likelihood: identity.Likelihood | None = None,
    is_outlined: bool = False,
) -> Posterior:
    """Ask likelihood and network about a place where a face seems to lie; the `likelihood` may be known already.

    Where an outline tells that a card shows wholly (`is_outlined`), what doesn't agree isn't hidden: it's compared.
    """
    if likelihood is None or likelihood.fit is not fit:
        likelihood = identity.likelihood_of(index, picture, fit)
    is_small = not confidence.is_piece_of_a_card(likelihood)
    is_painting = is_distinctive(index, likelihood.fit.face)
    is_exact = likelihood.fit.quality >= NAMING.exact_agreement and confidence.is_certain(likelihood)
    is_sure = is_painting and is_exact and confidence.probability(likelihood) >= NAMING.sure_probability
    is_hidden = is_small or (likelihood.fit.visible_share < COMPARISON.min_whole_share and not is_painting)
    if is_sure or (is_hidden and not is_outlined):
        return _by_likelihood(index, likelihood)
    compared = _compared(index, picture, likelihood)
    winner = compared.winner
    if index.faces[winner.face].card == index.faces[likelihood.fit.face].card:
        return _by_both(index, likelihood.fit, likelihood, compared, is_outlined)
    # The network sees another card: it's looked at where that one would lie itself, unless it's no enrolled card.
    moved = identity.in_place(index, likelihood.fit, winner, picture.levels[0].pixels.shape)
    if _less_ink_penalty(compared.faces[winner]) < COMPARISON.min_agreeing_log_odds_nats:
        return _by_both(index, moved, likelihood, compared, is_outlined)
    finer = refine(index, picture.levels, moved, moved.covered)
    winners = identity.likelihood_of(index, picture, finer)
    if index.faces[winners.fit.face].card == index.faces[winner.face].card:
        return _by_both(index, winners.fit, winners, _compared(index, picture, winners), is_outlined)
    return _by_both(index, moved, likelihood, compared, is_outlined)


def _by_both(
    index: Index, fit: FaceFit, likelihood: identity.Likelihood, compared: PlaceComparison, is_outlined: bool
) -> Posterior:
    """The posterior by likelihood and network; where they contradict each other, `fit` is the network's face.

    The likelihood speaks for its own face only.
    """
    top_log_odds, weights = _card_weights(index, compared.log_odds)
    own_card = index.faces[fit.face].card
    # A face that others leave far behind isn't compared in detail, and has no weight then.
    weights.setdefault(own_card, 0.0)
    agree, is_likeliest = fit is likelihood.fit, weights[own_card] == max(weights.values())
    is_painting = is_distinctive(index, fit.face)
    if is_outlined:
        is_enough = True
    elif agree:
        is_enough = fit.visible_share >= NAMING.piece_share and confidence.is_piece_of_a_card(likelihood)
    else:
        is_whole = fit.visible_share >= COMPARISON.min_whole_share and float(fit.seen.mean()) >= NAMING.piece_share
        is_enough = is_whole and not is_painting
    if is_painting:
        agreeing = likelihood if agree and is_likeliest else None
        cards, is_certain = _painting_probabilities(index, own_card, agreeing, top_log_odds, weights)
        is_certain = is_certain or (is_enough and cards[own_card] >= NAMING.min_network_probability)
    else:
        bonus = DETAIL.known_camera_bonus_nats if compared.is_camera_known else 0.0
        cards = near_twin_probabilities(own_card, top_log_odds + bonus, weights, likelihood if agree else None)
        is_certain = is_enough and cards[own_card] >= NAMING.min_network_probability
    lead = likelihood.lead if is_painting and agree else _lead_of(weights, own_card)
    lead = min(likelihood.lead, lead) if agree else lead
    either_way = confidence.is_either_way(likelihood) if agree else index.faces[fit.face].either_way
    ranked = tuple(sorted(cards.items(), key=lambda item: -item[1]))
    return Posterior(fit, ranked, lead, is_certain and is_likeliest, either_way, top_log_odds, likelihood)


def _painting_probabilities(
    index: Index, own_card: str, likelihood: identity.Likelihood | None, top_log_odds: float, weights: dict[str, float]
) -> tuple[dict[str, float], bool]:
    """How likely each card is where a painting seems to lie, and whether its likelihood alone is certain of it.

    What the likelihood adds to its own name it takes from the rivals that it knows, and from "none of these".
    """
    cards = _probabilities(top_log_odds + COMPARISON.enrolled_prior_nats, weights)
    if likelihood is None or top_log_odds < COMPARISON.min_agreeing_log_odds_nats:
        return cards, False
    known = {index.faces[rival.hypothesis.face].card for rival in likelihood.rivals}
    unknown = sum(chance for card, chance in cards.items() if card != own_card and card not in known)
    share = cards[own_card]
    sure = max(share, min(1 - (1 - share) * (1 - confidence.probability(likelihood)), 1 - unknown))
    rest = sum(cards.values()) - share
    scale = min(1.0, (1 - sure) / rest) if rest else 1.0
    cards = {card: sure if card == own_card else chance * scale for card, chance in cards.items()}
    return cards, confidence.is_certain(likelihood) and unknown <= 1 - NAMING.min_network_probability


def _probabilities(top_log_odds: float, weights: dict[str, float]) -> dict[str, float]:
    """How likely each card is, by weights beside the best one's, whose log-odds are against none of them."""
    return {card: weight / (sum(weights.values()) + math.exp(-top_log_odds)) for card, weight in weights.items()}


def near_twin_probabilities(
    own_card: str, top_log_odds: float, weights: dict[str, float], likelihood: identity.Likelihood | None
) -> dict[str, float]:
    """How likely each card is where one with near-twins seems to lie; `likelihood` is given where it has that card too.

    "None of these" may be a camera far from that of the references: a certain likelihood makes the name likelier then,
    but not sure. A likelihood that has another card, or none, counts against the name.
    """
    if likelihood is None or confidence.enrolled_probability(likelihood) <= 1 - NAMING.sure_probability:
        return _probabilities(top_log_odds - DETAIL.contradiction_penalty_nats, weights)
    cards = _probabilities(top_log_odds, weights)
    limit = DETAIL.max_probability_by_likelihood
    if not confidence.is_certain(likelihood) or cards[own_card] >= limit:
        return cards
    raised = _probabilities(top_log_odds + DETAIL.likelihood_bonus_nats, weights)
    return raised if raised[own_card] <= limit else {**cards, own_card: limit}


def _by_likelihood(index: Index, likelihood: identity.Likelihood) -> Posterior:
    """The posterior by the likelihood alone: of a painting that it's sure of, of a card with near-twins on which
    something unknown lies, and of a place where next to nothing shows.

    Where it's drawn all over, the likelihood tells a hidden part from another card. On bare paper nothing can.
    """
    weights = {index.faces[likelihood.fit.face].card: 1.0}
    for rival in likelihood.rivals:
        card = index.faces[rival.hypothesis.face].card
        weights[card] = max(weights.get(card, 0.0), math.exp(-max(rival.lead, 0.0)))
    enrolled = confidence.enrolled_probability(likelihood)
    is_certain = confidence.is_certain(likelihood) and is_drawn_all_over(index, likelihood.fit.face)
    if not is_distinctive(index, likelihood.fit.face):
        is_certain = is_certain and confidence.probability(likelihood) >= NAMING.min_network_probability
    share = enrolled / (sum(weights.values()) + (0 if is_certain else 1))
    ranked = tuple(sorted(((card, share * weight) for card, weight in weights.items()), key=lambda item: -item[1]))
    either_way = confidence.is_either_way(likelihood)
    return Posterior(likelihood.fit, ranked, likelihood.lead, is_certain, either_way, -math.inf, likelihood)


def _card_weights(index: Index, log_odds: dict[FaceHypothesis, float]) -> tuple[float, dict[str, float]]:
    """The best log-odds, and how likely each card is beside the best one."""
    best: dict[str, float] = {}
    for hypothesis, value in log_odds.items():
        card = index.faces[hypothesis.face].card
        best[card] = max(best.get(card, -math.inf), value)
    top = max(best.values())
    return top, {card: math.exp(value - top) for card, value in best.items()}


def _lead_of(weights: dict[str, float], own_card: str) -> float:
    """By how much a card is likelier than all others together, in nats."""
    others = sum(weight for card, weight in weights.items() if card != own_card)
    return math.log((weights[own_card] + EPSILON) / (others + EPSILON))


def is_distinctive(index: Index, face: int) -> bool:
    """Whether a face is distinctive everywhere: a painting is, a number or a few symbols aren't."""
    return is_drawn_all_over(index, face) and float(index.nearest_distance[face]) >= COMPARISON.min_distinctive_distance


def is_drawn_all_over(index: Index, face: int) -> bool:
    """Whether hardly any of a face is bare paper."""
    return float(index.fine.texture[face].mean()) >= COMPARISON.min_drawn_share


class PlaceComparison(Struct, frozen=True):
    """A place compared with some faces, and the log-odds that decide, which are the detail network's for near-twins."""

    faces: dict[FaceHypothesis, FaceComparison]
    log_odds: dict[FaceHypothesis, float]
    is_camera_known: bool

    @property
    def winner(self) -> FaceHypothesis:
        """The likeliest of them."""
        return max(self.log_odds, key=lambda hypothesis: self.log_odds[hypothesis])


def _compared(index: Index, picture: PreparedPicture, likelihood: identity.Likelihood) -> PlaceComparison:
    """A place compared with the likelihood's face, with its rivals, and with all faces whose thumbnails look alike."""
    inputs = _comparison_inputs(index, picture, likelihood.fit)
    faces = _compared_faces(index, picture, likelihood, inputs)
    is_known = picture.camera is not None
    found = PlaceComparison(
        faces, {hypothesis: _less_ink_penalty(each) for hypothesis, each in faces.items()}, is_known
    )
    if is_distinctive(index, found.winner.face):
        return found
    return PlaceComparison(faces, _in_detail(index, picture, likelihood.fit, inputs, faces), is_known)


def _in_detail(
    index: Index,
    picture: PreparedPicture,
    fit: FaceFit,
    inputs: Callable[[bool], ComparisonInput],
    faces: dict[FaceHypothesis, FaceComparison],
) -> dict[FaceHypothesis, float]:
    """The log-odds of the few likeliest faces that have near-twins, in detail."""
    height = detail.height_of(index.aspect)
    shows = cv2.resize(inputs(False).shows, (detail.DETAIL_WIDTH, height), interpolation=cv2.INTER_NEAREST)
    planes = _upright_planes(index, picture, fit, shows > 0.5)
    places = _both_ways_up(detail.place_of(planes, inputs(False).shows), detail.turned)
    log_odds = {h: _less_ink_penalty(each) for h, each in faces.items() if h.face in index.detailed}
    likeliest = sorted(log_odds, key=lambda h: -log_odds[h])[: DETAIL.max_faces]
    best = likeliest[0]
    likeliest = [h for h in likeliest if log_odds[h] >= log_odds[best] - DETAIL.max_gap_nats]
    blur = detail.blur_of(places(best.is_half_turned), index.detailed[best.face], faces[best].features.alignment)
    return {
        h: detail.detail_log_odds(places(h.is_half_turned), index.detailed[h.face], blur, faces[h])
        - _ink_penalty(faces[h])
        for h in likeliest
    }


def _less_ink_penalty(compared: FaceComparison) -> float:
    """The comparison's log-odds in nats, less what speaks against another ink."""
    return compared.log_odds - _ink_penalty(compared)


def _ink_penalty(compared: FaceComparison) -> float:
    """What speaks against a face in another ink, in nats."""
    return INK.other_ink_penalty_nats * compared.hue_shift.is_another


def _compared_faces(
    index: Index, picture: PreparedPicture, likelihood: identity.Likelihood, inputs: Callable[[bool], ComparisonInput]
) -> dict[FaceHypothesis, FaceComparison]:
    """What the comparison says of each face that may lie at a place."""
    fit = likelihood.fit
    own = index.face_planes.face(fit.face)
    transform = comparison.colour_transform(inputs(False), own)
    blur = comparison.blur_of(inputs(False), own, transform)
    found: dict[FaceHypothesis, FaceComparison] = {}

    def compare(hypothesis: FaceHypothesis, transform: ColourTransform | None = None) -> None:
        if hypothesis not in found:
            place, face = inputs(hypothesis.is_half_turned), index.face_planes.face(hypothesis.face)
            features = comparison.features_of(place, face, blur, picture.camera is not None, transform)
            hue_shift = ink.hue_shift(
                place, face, index.ink_hues[hypothesis.face], index.ink_hues, picture.camera is not None
            )
            found[hypothesis] = FaceComparison(features, comparison.comparison_log_odds(place, features), hue_shift)

    compare(FaceHypothesis(fit.face, False), transform)
    if is_distinctive(index, fit.face):
        for rival in likelihood.rivals[:2]:
            compare(rival.hypothesis)
        return found
    place = inputs(False)
    seen, shows = comparison.thumbnail_vectors(place.low[None])[0], place.shows
    far = np.stack(
        [
            comparison.distances(seen, index.thumbnails, shows),
            comparison.distances(seen[::-1, ::-1], index.thumbnails, shows[::-1, ::-1]),
        ]
    )
    nearest = min(float(far.min()), float(far[0, fit.face]))
    ranked = identity.nearest(index, far, COMPARISON.max_faces)
    own_card = index.faces[fit.face].card
    next_best = min(
        (float(far[int(h.is_half_turned), h.face]) for h in ranked[:9] if index.faces[h.face].card != own_card),
        default=0.0,
    )
    if confidence.is_certain(likelihood) and next_best > COMPARISON.clear_distance_ratio * nearest:
        # No other card's thumbnail comes near, and the likelihood is certain.
        return found
    for hypothesis in ranked:
        if far[int(hypothesis.is_half_turned), hypothesis.face] <= COMPARISON.max_distance_ratio * nearest:
            compare(hypothesis)
    # The true face's thumbnail may be less alike than that of a near-twin.
    winner = max(found, key=lambda hypothesis: _less_ink_penalty(found[hypothesis]))
    for number in index.nearest_faces[winner.face].tolist():
        if far[int(winner.is_half_turned), number] <= 2 * COMPARISON.max_distance_ratio * nearest:
            compare(FaceHypothesis(number, winner.is_half_turned))
    return found


def _comparison_inputs(index: Index, picture: PreparedPicture, fit: FaceFit) -> Callable[[bool], ComparisonInput]:
    """A place as the comparison sees it, upright or rotated by 180 degrees."""
    return _both_ways_up(comparison.input_of(*_visible_planes(index, picture, fit)), comparison.turned)


def _both_ways_up(place: Input, turned: Callable[[Input], Input]) -> Callable[[bool], Input]:
    """A place, or the same rotated by 180 degrees, which is made when it's asked for first: that is seldom."""
    return functools.cache(lambda is_half_turned: turned(place) if is_half_turned else place)


def _visible_planes(index: Index, picture: PreparedPicture, fit: FaceFit) -> tuple[Array, Array]:
    """A place cut out for the comparison, and where on the grid it shows.

    Of a painting only what agrees shows: the rest may be under something unknown.
    """
    fine = index.fine
    rows, columns = index.face_planes.grid
    height = rows * comparison.COMPARISON_CELL
    region = ~fit.covered
    if is_distinctive(index, fit.face):
        region = region & cells.visible_regions(fit.seen, fine)[1]
    shows = region.reshape(fine.rows, fine.columns).astype(np.float32)
    grid = cv2.resize(shows, (columns, rows), interpolation=cv2.INTER_LINEAR)
    whole = cv2.resize(grid, (comparison.COMPARISON_WIDTH, height), interpolation=cv2.INTER_NEAREST)
    return _upright_planes(index, picture, fit, whole > 0.5), grid


def _upright_planes(index: Index, picture: PreparedPicture, fit: FaceFit, shows: Mask) -> Array:
    """A place cut out upright, as large as the mask of what shows, with what is known of the camera undone."""
    height, width = shows.shape
    zoom = np.diag([index.fine.width / width, index.fine.height / height, 1])
    planes = upright.planes_of(upright.cut(picture.colours, fit.matrix @ zoom, (width, height)), shows)
    return planes if picture.camera is None else comparison.undo_camera_chroma(planes, picture.camera)


class CameraEvidence(Struct, frozen=True):
    """What a named card tells of lamp and camera: its place as it is, its face, and its normal equations."""

    place: ComparisonInput
    face: FacePlanes
    normal_equations: Array

    def chroma_error(self, camera: Array) -> float:
        """By how much its ink differs from its face's, once the camera is undone."""
        seen = comparison.undo_camera_chroma(self.place.low, camera)
        return comparison.chroma_error(seen, self.face.low, self.place.shows)


def camera_evidence(index: Index, picture: PreparedPicture, fit: FaceFit) -> CameraEvidence:
    """What a face at a place tells of lamp and camera."""
    bare = PreparedPicture(picture.levels, picture.colours)
    place, face = comparison.input_on_grid(*_visible_planes(index, bare, fit)), index.face_planes.face(fit.face)
    return CameraEvidence(place, face, comparison.chroma_sums(place, face))


def names(verdict: Posterior) -> tuple[tuple[str, float], ...]:
    """The cards that may lie at a place with their probabilities, likeliest first, if worth a question."""
    rounded = ((card, round(chance, 3)) for card, chance in verdict.cards[: NAMING.max_offered_names])
    return tuple((card, chance) for card, chance in rounded if chance >= NAMING.min_asked_probability)
