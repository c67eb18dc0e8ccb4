"""The recogniser: from one picture to the cards in it. Knows nothing of time; `tracking` does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import msgspec
import numpy as np

from vision.detections import Detection, Detections, UnknownDetection
from vision.fitting import fit_face
from vision.geometry import Picture, overlap
from vision.index import Index
from vision.pipeline.query import Query, prepare_query
from vision.pipeline.search import search, search_covered
from vision.pipeline.search_state import SearchState, initial_state
from vision.posterior import Posterior
from vision.tuning import CARD, NAMING, POSE, SEARCH


class Recogniser:
    """Reads pictures with one deck enrolled; `observe` is told every posterior on the way."""

    def __init__(self, index: Index, observe: Callable[[Posterior], None] | None = None):
        self.index = index
        self.observe = observe

    def read(
        self,
        picture: Picture,
        card_width: float = 0.0,
        known: Sequence[Detection] = (),
        expected: Sequence[Detection] = (),
    ) -> Detections:
        """All cards in a picture but those `known` to lie in it already, which hide what is under them.

        `card_width` is about how wide cards are in pixels, where that's known. Cards `expected` to lie where they lay
        before are looked for there first.
        """
        factor = min(1.0, SEARCH.max_long_side_px / max(picture.shape[:2]))
        if min(picture.shape[:2]) * factor < CARD.min_width_px:
            return Detections()
        if factor < 1:
            picture = np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))
        known = [card.moved(np.zeros(2), factor) for card in known]
        expected = [card.moved(np.zeros(2), factor) for card in expected]
        query = prepare_query(self.index, picture, card_width * factor, self.observe)
        state = search(query, initial_state(query, known), expected)
        # For a picture out of focus, the same with faces out of focus.
        soft = msgspec.structs.replace(self.index, fine=self.index.soft)
        if is_out_of_focus(query, state, soft):
            query = msgspec.structs.replace(query, index=soft, observe=None)
            state = search(query, initial_state(query, known), expected)
        return reading_of(search_covered(query, state), factor)


def is_out_of_focus(query: Query, state: SearchState, soft: Index) -> bool:
    """Whether the cards seen so far agree better with what a camera out of focus would see of them."""
    fits = [card.fit for card in state.cards] + [posterior.fit for posterior in state.pending_posteriors]
    fits = sorted(fits, key=lambda fit: -fit.support)[: SEARCH.max_focus_cards]
    if not fits or float(np.mean([fit.mean_agreement for fit in fits])) > NAMING.exact_agreement:
        return False
    softened = [fit_face(soft, query.levels, fit.face, fit.template_pose, fit.covered) for fit in fits]
    return (
        float(np.mean([other.mean_agreement - fit.mean_agreement for other, fit in zip(softened, fits, strict=True)]))
        > POSE.min_agreement_gain
    )


def reading_of(state: SearchState, factor: float) -> Detections:
    """What was read in a picture that had been made smaller by a factor."""
    named = [card.detection for card in state.cards]
    strangers: list[UnknownDetection] = []
    unnamed_places = [
        UnknownDetection(doubt.corners, *(tuple(each) for each in zip(*doubt.names, strict=True)))
        for doubt in state.unnamed_places
        if doubt.names
    ]
    unnamed_places += [UnknownDetection(corners) for corners in state.unexplained_outlines]
    for stranger in sorted(unnamed_places, key=lambda s: -max(s.chances, default=0.0)):
        taken = [card.corners for card in named] + [other.corners for other in strangers]
        if not any(overlap(corners, stranger.corners) > CARD.same_place_overlap for corners in taken):
            strangers.append(stranger)
    cards = tuple(
        msgspec.structs.replace(
            card.moved(np.zeros(2), 1 / factor),
            confidence=round(card.confidence, 3),
            visible_share=round(card.visible_share, 3),
        )
        for card in named
    )
    return Detections(cards, tuple(UnknownDetection(s.corners / factor, s.maybe, s.chances) for s in strangers))
