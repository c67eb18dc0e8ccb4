"""The posterior over cards at a place, and "none of these"; `posterior_of` decides whether a name may be given.

A card with near-twins (a number, a few symbols) is named by the networks, which see one digit and one shade of ink
(`vision/place_comparison.py`). A painting is named by its likelihood (`vision/identity.py`), which knows
much of drawings and of pieces of them. The likelihood alone names it where it's sure; elsewhere the network must not
contradict.
"""

from __future__ import annotations

import math

from msgspec import Struct

from vision import confidence, identity, place_comparison
from vision.fitting import FaceFit, refine
from vision.identity import FaceHypothesis, PreparedPicture
from vision.index import Index
from vision.place_comparison import PlaceComparison
from vision.tuning import COMPARISON, DETAIL, NAMING, POSE

EPSILON = 1e-9


class Posterior(Struct, frozen=True):
    """What may lie at a place, and how likely each card is.

    `fit` is the face with which the pose was refined. `lead` is by how much the card of that face is likelier than all
    others together, in nats: negative where another one is likelier. Only the card of `fit` `can_be_named`, where it's
    the likeliest.
    `cards` are names with their probabilities, likeliest first; what is missing to one is that it's none of them.
    `log_odds` are the network's for the likeliest card, against "none of these", and -inf where it wasn't asked;
    `likelihood` is what a painting's drawing and colour say.
    """

    fit: FaceFit
    cards: tuple[tuple[str, float], ...]
    lead: float
    can_be_named: bool
    either_way: bool
    log_odds: float
    likelihood: identity.Likelihood | None

    @property
    def top_probability(self) -> float:
        """How likely the place shows the likeliest card."""
        return self.cards[0][1]

    @property
    def enrolled_probability(self) -> float:
        """How likely the place shows an enrolled card at all."""
        return sum(chance for _card, chance in self.cards)


def posterior_of(
    index: Index,
    picture: PreparedPicture,
    fit: FaceFit,
    likelihood: identity.Likelihood | None = None,
) -> Posterior:
    """What may lie at a place where a face seems to lie; a painting's `likelihood` may be known already."""
    if index.has_near_twins:
        return _by_network(index, picture, fit)
    if likelihood is None or likelihood.fit is not fit:
        likelihood = identity.likelihood_of(index, picture, fit)
    is_exact = likelihood.fit.mean_agreement >= NAMING.exact_agreement and confidence.likelihood_may_name(likelihood)
    is_sure = is_exact and confidence.face_probability(likelihood) >= NAMING.sure_probability
    if is_sure or not confidence.is_piece_of_a_card(likelihood):
        return _by_likelihood(index, likelihood)
    place = place_comparison.prepared_place(index, picture, likelihood.fit)
    compared = place_comparison.compare(index, picture, place, likelihood)
    winner = compared.winner
    if index.faces[winner.face].card == index.faces[likelihood.fit.face].card:
        return _by_both(index, likelihood, compared)
    return _by_network(index, picture, _at_winner(index, picture, likelihood.fit, winner))


def _at_winner(index: Index, picture: PreparedPicture, fit: FaceFit, winner: FaceHypothesis) -> FaceFit:
    """The network's face at a place, refined from where the leader lies."""
    moved = identity.in_place(index, fit, winner, picture.levels[0].pixels.shape)
    return refine(index, picture.levels, moved, moved.covered)


def _by_network(index: Index, picture: PreparedPicture, fit: FaceFit) -> Posterior:
    """The posterior by the networks, at the pose of the face that they find likeliest.

    Every face of a deck of near-twins comes here. So does a painting where the comparison finds another card likeliest
    than the likelihood does; the likelihood isn't asked again then.
    """
    place = place_comparison.prepared_place(index, picture, fit)
    nearer = place_comparison.far_likelier_face(index, place)
    if nearer is not None:
        moved = _at_winner(index, picture, fit, nearer)
        # By a strange lamp another face may be more like the place in colour, but its drawing agrees less.
        fit = moved if moved.mean_agreement > fit.mean_agreement - POSE.min_agreement_gain else fit
    for _ in range(2):
        place = place_comparison.prepared_place(index, picture, fit, place)
        compared = place_comparison.compare(index, picture, place)
        winner, least = compared.winner, COMPARISON.min_agreeing_log_odds_nats
        if winner == FaceHypothesis(fit.face, False) or compared.log_odds[winner] < least:
            break
        fit = _at_winner(index, picture, fit, winner)
    top_log_odds, weights = _card_weights(index, compared.log_odds)
    fitted_card = index.faces[fit.face].card
    # A face that others leave far behind isn't compared in detail, and has no weight then.
    weights.setdefault(fitted_card, 0.0)
    cards = _probabilities(top_log_odds, weights)
    # Not for a painting: its likelihood was asked before, and has another card.
    if cards[fitted_card] < NAMING.min_network_probability and index.has_near_twins:
        cards = _with_likelihood(index, picture, fit, cards, top_log_odds, weights)
    is_likeliest = weights[fitted_card] == max(weights.values())
    is_enough = float((~fit.covered).mean()) >= NAMING.min_uncovered_share
    can_be_named = is_likeliest and is_enough and cards[fitted_card] >= NAMING.min_network_probability
    ranked = tuple(sorted(cards.items(), key=lambda item: -item[1]))
    either_way = index.faces[fit.face].either_way
    return Posterior(fit, ranked, _lead_of(weights, fitted_card), can_be_named, either_way, top_log_odds, None)


def _with_likelihood(
    index: Index,
    picture: PreparedPicture,
    fit: FaceFit,
    cards: dict[str, float],
    top_log_odds: float,
    weights: dict[str, float],
) -> dict[str, float]:
    """The network's card made likelier where the likelihood has the same one, up to a limit below sure.

    Before the camera is known, the network doubts too much: a likelihood that may name the same card is enough then.
    On a card that is drawn all over, the likelihood tells a covered part from another card.
    """
    fitted_card = index.faces[fit.face].card
    is_partly_seen = fit.visible_share_of_uncovered < NAMING.whole_share and index.is_drawn_all_over
    if not is_partly_seen and cards[fitted_card] < NAMING.min_asked_probability:
        return cards
    likelihood, limit = identity.likelihood_of(index, picture, fit), DETAIL.max_probability_by_likelihood
    least = NAMING.min_probability if picture.camera_colours is None and not is_partly_seen else NAMING.sure_probability
    is_own = index.faces[likelihood.fit.face].card == fitted_card and confidence.likelihood_may_name(likelihood)
    if not is_own or confidence.face_probability(likelihood) < least:
        return cards
    raised = _probabilities(top_log_odds + DETAIL.likelihood_bonus_nats, weights)
    if not is_partly_seen and raised[fitted_card] <= limit:
        return raised
    rest = (1 - limit) / max(1 - cards[fitted_card], EPSILON)
    return {card: limit if card == fitted_card else chance * rest for card, chance in cards.items()}


def _by_both(index: Index, likelihood: identity.Likelihood, compared: PlaceComparison) -> Posterior:
    """The posterior of a painting by likelihood and network, which have the same card."""
    fit, (top_log_odds, weights) = likelihood.fit, _card_weights(index, compared.log_odds)
    fitted_card = index.faces[fit.face].card
    is_likeliest = weights[fitted_card] == max(weights.values())
    cards, can_be_named = _painting_probabilities(
        index, fitted_card, likelihood if is_likeliest else None, top_log_odds, weights
    )
    is_enough = fit.visible_share_of_uncovered >= NAMING.piece_share and confidence.is_piece_of_a_card(likelihood)
    can_be_named = can_be_named or (is_enough and cards[fitted_card] >= NAMING.min_network_probability)
    ranked = tuple(sorted(cards.items(), key=lambda item: -item[1]))
    either_way = confidence.is_either_way(likelihood)
    return Posterior(fit, ranked, likelihood.lead, can_be_named and is_likeliest, either_way, top_log_odds, likelihood)


def _painting_probabilities(
    index: Index,
    fitted_card: str,
    likelihood: identity.Likelihood | None,
    top_log_odds: float,
    weights: dict[str, float],
) -> tuple[dict[str, float], bool]:
    """How likely each card is where a painting seems to lie, and whether its likelihood allows a name.

    What the likelihood adds to its own name it takes from all other cards and from "none of these".
    """
    cards = _probabilities(top_log_odds + COMPARISON.enrolled_prior_nats, weights)
    if likelihood is None or top_log_odds < COMPARISON.min_agreeing_log_odds_nats:
        return cards, False
    rivals = {index.faces[rival.hypothesis.face].card for rival in likelihood.rivals}
    others = sum(chance for card, chance in cards.items() if card != fitted_card and card not in rivals)
    own = cards[fitted_card]
    raised = max(own, min(1 - (1 - own) * (1 - confidence.face_probability(likelihood)), 1 - others))
    rest = sum(cards.values()) - own
    scale = min(1.0, (1 - raised) / rest) if rest else 1.0
    cards = {card: raised if card == fitted_card else chance * scale for card, chance in cards.items()}
    return cards, confidence.likelihood_may_name(likelihood) and others <= 1 - NAMING.min_network_probability


def _probabilities(top_log_odds: float, weights: dict[str, float]) -> dict[str, float]:
    """How likely each card is, by weights beside the best one's, whose log-odds are against none of them."""
    return {card: weight / (sum(weights.values()) + math.exp(-top_log_odds)) for card, weight in weights.items()}


def _by_likelihood(index: Index, likelihood: identity.Likelihood) -> Posterior:
    """The posterior by the likelihood alone: of a painting that it's sure of, or of which next to nothing shows.

    As a painting is drawn all over, the likelihood tells a covered part of it from another card.
    """
    weights = {index.faces[likelihood.fit.face].card: 1.0}
    for rival in likelihood.rivals:
        card = index.faces[rival.hypothesis.face].card
        weights[card] = max(weights.get(card, 0.0), math.exp(-max(rival.lead, 0.0)))
    enrolled = confidence.enrolled_probability(likelihood)
    can_be_named = confidence.likelihood_may_name(likelihood)
    unit = enrolled / (sum(weights.values()) + (0 if can_be_named else 1))
    ranked = tuple(sorted(((card, unit * weight) for card, weight in weights.items()), key=lambda item: -item[1]))
    either_way = confidence.is_either_way(likelihood)
    return Posterior(likelihood.fit, ranked, likelihood.lead, can_be_named, either_way, -math.inf, likelihood)


def _card_weights(index: Index, log_odds: dict[FaceHypothesis, float]) -> tuple[float, dict[str, float]]:
    """The best log-odds, and how likely each card is beside the best one."""
    best: dict[str, float] = {}
    for hypothesis, value in log_odds.items():
        card = index.faces[hypothesis.face].card
        best[card] = max(best.get(card, -math.inf), value)
    top = max(best.values())
    return top, {card: math.exp(value - top) for card, value in best.items()}


def _lead_of(weights: dict[str, float], fitted_card: str) -> float:
    """By how much a card is likelier than all others together, in nats."""
    others = sum(weight for card, weight in weights.items() if card != fitted_card)
    return math.log((weights[fitted_card] + EPSILON) / (others + EPSILON))


def offered_names(posterior: Posterior) -> tuple[tuple[str, float], ...]:
    """The cards that may lie at a place with their probabilities, likeliest first, if worth a question."""
    # Rounded first: whoever asks sees the number that was compared.
    rounded = ((card, round(chance, 3)) for card, chance in posterior.cards[: NAMING.max_offered_names])
    return tuple((card, chance) for card, chance in rounded if chance >= NAMING.min_asked_probability)
