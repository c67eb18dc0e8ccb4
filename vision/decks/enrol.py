"""Enrolment of a deck that a person owns: one card after the other, checked before it's kept."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from msgspec import Struct

from vision import quads
from vision.cells import GRAIN, TEXTURE
from vision.decks.deck import CardFace, Deck, write_deck
from vision.decks.importing import square_up
from vision.errors import N_, DeckError
from vision.geometry import Picture, Points, area
from vision.index import Index, build_index
from vision.pictures import read_picture, write_picture

# The mean second derivative of a sharp print is far above this, that of a picture out of focus below.
BLURRED = 18.0
# More of the card than this at full white, in patches, is a reflection.
GLARING = 0.03
# Two faces that agree on more than this share of what is drawn on them are hard to tell apart.
ALIKE = 0.86


class Candidate(Struct, frozen=True):
    """A card found under the camera, squared up, and what is wrong with its picture, if anything."""

    corners: Points
    picture: Picture
    problem: str = ""


class Enrolment:
    """Collects the pictures of a deck; may be stopped and gone on with later, the folder remembers."""

    def __init__(self, folder: Path, cards: list[str], size: tuple[float, float]):
        self.folder, self.cards, self.size = folder, cards, size
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DeckError(N_("{path} can't be written: {error}"), path=folder, error=error) from None

    @property
    def aspect(self) -> float:
        """Height over width of the cards."""
        return self.size[1] / self.size[0]

    def path_of(self, card: str) -> Path:
        """Where a card's picture is kept."""
        return self.folder / f"{card}.png"

    def missing(self) -> list[str]:
        """The cards still to come, in order."""
        return [card for card in self.cards if not self.path_of(card).is_file()]

    def find(self, frame: Picture) -> Candidate | None:
        """The largest card in a frame, with what is wrong about it."""
        found = quads.find(frame, self.aspect, min(frame.shape[:2]) / 8)
        if not found:
            return None
        corners = max(found, key=lambda c: abs(area(c)))
        picture = square_up(frame, corners, self.aspect)
        return Candidate(corners, picture, problem_with(picture))

    def keep(self, card: str, candidate: Candidate) -> None:
        """Keep a picture for a card, in place of an earlier one."""
        write_picture(self.path_of(card), candidate.picture)

    def finish(self) -> list[tuple[str, str]]:
        """Write the deck and return the pairs of cards that look too alike."""
        done = [card for card in self.cards if self.path_of(card).is_file()]
        if not done:
            raise DeckError(N_("{path} has no cards yet"), path=self.folder)
        faces = tuple(CardFace(card, "", (self.path_of(card),)) for card in done)
        write_deck(Deck(self.folder.name, self.folder, faces, *self.size))
        pictures = [(card, "", read_picture(self.path_of(card))) for card in done]
        return twins(build_index(pictures, self.aspect))


def problem_with(picture: Picture) -> str:
    """What is wrong with a squared-up card, as a text for the message catalogue; empty if nothing is."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    if float(cv2.Laplacian(cv2.resize(grey, (240, 400)), cv2.CV_32F).var()) < BLURRED:
        return N_("The picture isn't sharp: hold still, or let the camera focus.")
    white = cv2.erode((grey >= 252).astype(np.uint8), np.ones((9, 9), np.uint8))
    if float(white.mean()) > GLARING:
        return N_("A lamp shines in the card: move it or the lamp a little.")
    if float(grey.mean()) < 30:
        return N_("It's too dark: more light, please.")
    return ""


def twins(index: Index) -> list[tuple[str, str]]:
    """Pairs of different cards that agree nearly everywhere."""
    fine = index.fine
    found = []
    texture = np.minimum(1, np.sqrt(fine.spread) / TEXTURE)
    for a in range(len(index.faces)):
        common = (fine.cells * fine.cells[:, :, a : a + 1]).mean(axis=1).T
        alike = (2 * common + GRAIN**2) / (fine.spread + fine.spread[a] + GRAIN**2)
        weight = np.maximum(texture, texture[a])
        share = (weight * (alike > 0.6)).sum(axis=1) / (weight.sum(axis=1) + 1e-6)
        for b in range(a + 1, len(index.faces)):
            if index.faces[a].card != index.faces[b].card and share[b] > ALIKE:
                found.append((index.faces[a].card, index.faces[b].card))
    return found
