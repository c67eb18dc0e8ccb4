"""Golden pictures: scenes rendered with a fixed seed, so that the truth is known."""

from __future__ import annotations

import msgspec

from vision.fitting import fit_face
from vision.geometry import homography_to_quad
from vision.pipeline import decision
from vision.pipeline.query import prepare_query
from vision.pipeline.search_state import initial_state, with_card
from vision.simulated import LaidCard, PinholeCamera, Scene, render

APART = (LaidCard("r2", 110, 120, 0), LaidCard("b7", 300, 130, 35), LaidCard("y13", 490, 120, 180),
         LaidCard("g9", 110, 320, 270), LaidCard("r8", 300, 320, 100), LaidCard("b12", 490, 320, 12))  # fmt: skip
ROW = tuple(LaidCard(f"r{n}", 60 + n * 36, 200, 0) for n in range(2, 10))


class Golden(msgspec.Struct, frozen=True):
    """A picture with what lies in it, and its query."""

    shot: object
    query: object

    def truth(self, card):
        return next(truth for truth in self.shot.cards if truth.laid.card == card)

    def face(self, card):
        return next(n for n, face in enumerate(self.query.index.faces) if face.card == card)

    def unit_pose(self, card):
        """The map from a face's unit coordinates to where it truly lies."""
        return homography_to_quad(self.truth(card).corners, 1.0, self.query.index.faces[self.face(card)].aspect)

    def template_pose(self, card):
        """The same from template pixels."""
        fine = self.query.index.fine
        return homography_to_quad(self.truth(card).corners, fine.width, fine.height)

    def fit(self, card):
        return fit_face(self.query.index, self.query.levels, self.face(card), self.template_pose(card))

    def decided(self, card):
        return decision.decide(self.query, initial_state(self.query), self.fit(card))

    def state(self, *cards):
        """What is explained once some cards have their names."""
        state = initial_state(self.query)
        for card in cards:
            state = with_card(self.query, state, self.decided(card).posterior)
        return state


def golden(index, looks, cards, camera=None):
    shot = render(Scene(tuple(cards)), looks, camera or PinholeCamera(), seed=18)
    return Golden(shot, prepare_query(index, shot.picture))


def named(state):
    return sorted(card.detection.card for card in state.cards)
