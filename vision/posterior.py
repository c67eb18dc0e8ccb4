"""The posterior over cards at a place, and "none of these".

A card with near-twins (a number, a few symbols) is named by the networks, which see one digit and one shade of ink
(`vision/comparison.py`, `vision/detail.py`). A painting is named by its likelihood (`vision/identity.py`), which knows
much of drawings and of pieces of them: alone where that is sure, else unless the network is against it.
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
from vision.index import Index, has_paintings, is_drawn_all_over
from vision.tuning import COMPARISON, DETAIL, IDENTITY, INK, NAMING

EPSILON = 1e-9
Input = TypeVar("Input")


class Posterior(Struct, frozen=True):
    """What may lie at a place: the likeliest face at its pose, and how likely each card is.

    `cards` are names with their probabilities, likeliest first; what is missing to one is that it's none of them.
    `lead` is by how much the likeliest is ahead of all other cards in nats. `is_certain` where its name may be given.
    `log_odds` are the network's, against "none of these", and -inf where it wasn't asked;
    `likelihood` is what a painting's drawing and colour say.
    """

    fit: FaceFit
    cards: tuple[tuple[str, float], ...]
    lead: float
    is_certain: bool
    either_way: bool
    log_odds: float
    likelihood: identity.Likelihood | None

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
    """What may lie at a place where a face seems to lie; a painting's `likelihood` may be known already.

    Where its sides tell how a card lies and what covers it is known (`is_outlined`), cells that disagree count against
    the face.
    """
    if not has_paintings(index):
        return _of_near_twin(index, picture, fit)
    if likelihood is None or likelihood.fit is not fit:
        likelihood = identity.likelihood_of(index, picture, fit)
    is_exact = likelihood.fit.quality >= NAMING.exact_agreement and confidence.is_certain(likelihood)
    is_sure = is_exact and confidence.probability(likelihood) >= NAMING.sure_probability
    if is_sure or (not confidence.is_piece_of_a_card(likelihood) and not is_outlined):
        return _by_likelihood(index, likelihood)
    compared = _compared(index, picture, likelihood.fit, likelihood)
    winner = compared.winner
    if index.faces[winner.face].card == index.faces[likelihood.fit.face].card:
        return _by_both(index, likelihood, compared, is_outlined)
    return _of_near_twin(index, picture, _at_winner(index, picture, likelihood.fit, winner))


def _at_winner(index: Index, picture: PreparedPicture, fit: FaceFit, winner: FaceHypothesis) -> FaceFit:
    """The network's face at a place, refined from where the leader lies."""
    moved = identity.in_place(index, fit, winner, picture.levels[0].pixels.shape)
    return refine(index, picture.levels, moved, moved.covered)


def _of_near_twin(index: Index, picture: PreparedPicture, fit: FaceFit) -> Posterior:
    """The posterior by the network alone, at the pose of the face that it finds likeliest."""
    for _ in range(2):
        compared = _compared(index, picture, fit)
        winner, least = compared.winner, COMPARISON.min_agreeing_log_odds_nats
        if winner == FaceHypothesis(fit.face, False) or compared.log_odds[winner] < least:
            break
        fit = _at_winner(index, picture, fit, winner)
    top_log_odds, weights = _card_weights(index, compared.log_odds)
    own_card = index.faces[fit.face].card
    # A face that others leave far behind isn't compared in detail, and has no weight then.
    weights.setdefault(own_card, 0.0)
    cards = _probabilities(top_log_odds, weights)
    if cards[own_card] < NAMING.min_network_probability:
        cards = _with_likelihood(index, picture, fit, cards, top_log_odds, weights)
    is_likeliest = weights[own_card] == max(weights.values())
    is_enough = float((~fit.covered).mean()) >= NAMING.min_uncovered_share
    is_certain = is_likeliest and is_enough and cards[own_card] >= NAMING.min_network_probability
    ranked = tuple(sorted(cards.items(), key=lambda item: -item[1]))
    either_way = index.faces[fit.face].either_way
    return Posterior(fit, ranked, _lead_of(weights, own_card), is_certain, either_way, top_log_odds, None)


def _with_likelihood(
    index: Index,
    picture: PreparedPicture,
    fit: FaceFit,
    cards: dict[str, float],
    top_log_odds: float,
    weights: dict[str, float],
) -> dict[str, float]:
    """The network's card made likelier where the likelihood is sure of it too, up to a limit below sure.

    Until named cards tell what the camera does to colours, the network doubts too much by a strange camera: a certain
    likelihood is enough then. On a card that is drawn all over, the likelihood tells a covered part from another card.
    """
    own_card = index.faces[fit.face].card
    is_hidden = fit.visible_share < NAMING.whole_share and is_drawn_all_over(index)
    if not is_hidden and cards[own_card] < NAMING.min_asked_probability:
        return cards
    likelihood, limit = identity.likelihood_of(index, picture, fit), DETAIL.max_probability_by_likelihood
    least = NAMING.min_probability if picture.camera is None and not is_hidden else NAMING.sure_probability
    is_own = index.faces[likelihood.fit.face].card == own_card and confidence.is_certain(likelihood)
    if not is_own or confidence.probability(likelihood) < least:
        return cards
    raised = _probabilities(top_log_odds + DETAIL.likelihood_bonus_nats, weights)
    return {**cards, own_card: limit} if is_hidden or raised[own_card] > limit else raised


def _by_both(index: Index, likelihood: identity.Likelihood, compared: PlaceComparison, is_outlined: bool) -> Posterior:
    """The posterior of a painting by likelihood and network, which have the same card."""
    fit, (top_log_odds, weights) = likelihood.fit, _card_weights(index, compared.log_odds)
    own_card = index.faces[fit.face].card
    is_likeliest = weights[own_card] == max(weights.values())
    cards, is_certain = _painting_probabilities(
        index, own_card, likelihood if is_likeliest else None, top_log_odds, weights
    )
    is_enough = is_outlined or (fit.visible_share >= NAMING.piece_share and confidence.is_piece_of_a_card(likelihood))
    is_certain = is_certain or (is_enough and cards[own_card] >= NAMING.min_network_probability)
    ranked = tuple(sorted(cards.items(), key=lambda item: -item[1]))
    either_way = confidence.is_either_way(likelihood)
    return Posterior(fit, ranked, likelihood.lead, is_certain and is_likeliest, either_way, top_log_odds, likelihood)


def _painting_probabilities(
    index: Index, own_card: str, likelihood: identity.Likelihood | None, top_log_odds: float, weights: dict[str, float]
) -> tuple[dict[str, float], bool]:
    """How likely each card is where a painting seems to lie, and whether its likelihood alone is certain of it.

    What the likelihood adds to its own name it takes from all other cards and from "none of these".
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


def _by_likelihood(index: Index, likelihood: identity.Likelihood) -> Posterior:
    """The posterior by the likelihood alone: of a painting that it's sure of, or of which next to nothing shows.

    As a painting is drawn all over, the likelihood tells a hidden part of it from another card.
    """
    weights = {index.faces[likelihood.fit.face].card: 1.0}
    for rival in likelihood.rivals:
        card = index.faces[rival.hypothesis.face].card
        weights[card] = max(weights.get(card, 0.0), math.exp(-max(rival.lead, 0.0)))
    enrolled = confidence.enrolled_probability(likelihood)
    is_certain = confidence.is_certain(likelihood)
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


class PlaceComparison(Struct, frozen=True):
    """A place compared with some faces; `log_odds` are the detail network's for near-twins, else the comparison's."""

    faces: dict[FaceHypothesis, FaceComparison]
    log_odds: dict[FaceHypothesis, float]

    @property
    def winner(self) -> FaceHypothesis:
        """The likeliest of them."""
        return max(self.log_odds, key=lambda hypothesis: self.log_odds[hypothesis])


def _compared(
    index: Index, picture: PreparedPicture, fit: FaceFit, likelihood: identity.Likelihood | None = None
) -> PlaceComparison:
    """A place compared with a face, with its rivals, and with all faces whose thumbnails look alike."""
    inputs = _comparison_inputs(index, picture, fit)
    faces = _compared_faces(index, picture, fit, likelihood, inputs)
    found = PlaceComparison(faces, {hypothesis: _less_ink_penalty(each) for hypothesis, each in faces.items()})
    if has_paintings(index):
        return found
    return PlaceComparison(faces, _in_detail(index, picture, fit, inputs, faces))


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
    log_odds = {hypothesis: _less_ink_penalty(each) for hypothesis, each in faces.items()}
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
    index: Index,
    picture: PreparedPicture,
    fit: FaceFit,
    likelihood: identity.Likelihood | None,
    inputs: Callable[[bool], ComparisonInput],
) -> dict[FaceHypothesis, FaceComparison]:
    """What the comparison says of each face that may lie at a place; a painting's `likelihood` tells its rivals."""
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
    if likelihood is not None:
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
    for hypothesis in ranked:
        if far[int(hypothesis.is_half_turned), hypothesis.face] <= COMPARISON.max_distance_ratio * nearest:
            compare(hypothesis)
    # The true face's thumbnail may be less alike than that of a near-twin.
    winner = max(found, key=lambda hypothesis: _less_ink_penalty(found[hypothesis]))
    for number in index.nearest_faces[winner.face].tolist()[: IDENTITY.max_relatives]:
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
    if has_paintings(index):
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


def offered_names(verdict: Posterior) -> tuple[tuple[str, float], ...]:
    """The cards that may lie at a place with their probabilities, likeliest first, if worth a question."""
    rounded = ((card, round(chance, 3)) for card, chance in verdict.cards[: NAMING.max_offered_names])
    return tuple((card, chance) for card, chance in rounded if chance >= NAMING.min_asked_probability)
