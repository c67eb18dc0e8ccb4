"""Enrolment of a deck that a person owns: one card after the other, checked before it's kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
from msgspec import Struct

from companion.text import N_
from vision import comparison, quads
from vision.art.kit import DeckArt
from vision.decks.deck import CardFace, Deck, write_deck
from vision.decks.importing import square_up, upright
from vision.errors import DeckError
from vision.geometry import Picture, Points, area
from vision.index import Index
from vision.learning import build_index
from vision.pictures import read_picture, write_picture

# The mean second derivative of a sharp print is far above this, that of a picture out of focus below.
BLURRED = 18.0
# More of the card than this at full white, in patches, is a reflection.
GLARING = 0.03
# A card darker than this on the average isn't lit.
UNLIT = 30.0


class CardPictureQuality(Struct, frozen=True):
    """How good the picture of a card is: its second derivative, its share of reflections, its mean brightness."""

    sharpness: float
    glare: float
    light: float

    @property
    def is_sharp(self) -> bool:
        """Whether it's in focus and held still."""
        return self.sharpness >= BLURRED

    @property
    def is_clear(self) -> bool:
        """Whether no lamp shines in it."""
        return self.glare <= GLARING

    @property
    def is_lit(self) -> bool:
        """Whether there is light enough."""
        return self.light >= UNLIT

    @property
    def problem(self) -> str:
        """What is wrong, as a text for the message catalogue; empty if nothing is."""
        if not self.is_sharp:
            return N_("The picture isn't sharp: hold still, or let the camera focus.")
        if not self.is_clear:
            return N_("A lamp shines in the card: move it or the lamp a little.")
        return "" if self.is_lit else N_("It's too dark: more light, please.")


class EnrolCandidate(Struct, frozen=True):
    """A card found under the camera, squared up, and how good its picture is."""

    corners: Points
    picture: Picture
    quality: CardPictureQuality

    @property
    def problem(self) -> str:
        """What is wrong with its picture, if anything."""
        return self.quality.problem


class Enrolment:
    """Collects the pictures of a deck; may be stopped and gone on with later, the folder remembers.

    `sides` says which card and which of its faces a name stands for, where that isn't the name itself. Several names
    may stand for one side, if cards that are alike to the game look different: it then has several pictures.
    """

    def __init__(
        self,
        folder: Path,
        cards: list[str],
        size: tuple[float, float],
        sides: Mapping[str, tuple[str, str]] | None = None,
        used_for: str = "",
    ):
        self.folder, self.cards, self.size = folder, cards, size
        self.sides = sides or {}
        self.used_for = used_for

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

    def side_of(self, name: str) -> tuple[str, str]:
        """The card and the face that a name stands for."""
        return self.sides.get(name, (name, ""))

    def find(self, frame: Picture) -> EnrolCandidate | None:
        """The largest card in a frame, with what is wrong about it."""
        found = quads.find(frame, self.aspect, min(frame.shape[:2]) / 8)
        if not found:
            return None
        corners = upright(max(found, key=lambda c: abs(area(c))))
        picture = square_up(frame, corners, self.aspect)
        return EnrolCandidate(corners, picture, card_picture_quality_of(picture))

    def keep(self, card: str, candidate: EnrolCandidate) -> None:
        """Keep a picture for a card, in place of an earlier one; that one stays if it can't be written."""
        path = self.path_of(card)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            # Written aside and moved: a power cut leaves the old picture or the new one.
            aside = self.folder / f".{path.name}"
            write_picture(aside, candidate.picture)
            aside.replace(path)
        except OSError as error:
            raise DeckError(N_("{path} can't be written: {error}"), path=path, error=error) from None

    def finish(self) -> list[tuple[str, str]]:
        """Write the deck and return the pairs of cards that look too alike."""
        done = [card for card in self.cards if self.path_of(card).is_file()]
        if not done:
            raise DeckError(N_("{path} has no cards yet"), path=self.folder)
        shown: dict[tuple[str, str], list[Path]] = {}
        for card in done:
            shown.setdefault(self.side_of(card), []).append(self.path_of(card))
        faces = tuple(CardFace(*side, tuple(paths)) for side, paths in shown.items())
        write_deck(Deck(self.folder.name, self.folder, faces, *self.size, used_for=self.used_for))
        pictures = [(named(*self.side_of(card)), "", read_picture(self.path_of(card))) for card in done]
        return indistinguishable_cards(build_index(pictures, self.aspect))


def enrolment_of(deck: DeckArt, folder: Path) -> Enrolment:
    """The enrolment of a deck that Hush knows the cards of."""
    sides: dict[str, tuple[str, str]] = {}
    for art in deck.cards():
        # Where one drawing stands for many cards, a deck of one's own may have as many portraits.
        many = art.face and art.copies > 1
        names = [f"{art.card}-{number:02}" for number in range(1, art.copies + 1)] if many else [art.card]
        sides |= {named(name, art.face): (art.card, art.face) for name in names}
    return Enrolment(folder, list(sides), deck.size, sides, deck.name)


def named(card: str, face: str) -> str:
    """What a side of a card is called where its pictures are kept."""
    return f"{card}-{face}" if face else card


def card_picture_quality_of(picture: Picture) -> CardPictureQuality:
    """How good the picture of a squared-up card is."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    sharpness = float(cv2.Laplacian(cv2.resize(grey, (240, 400)), cv2.CV_32F).var())
    white = cv2.erode((grey >= 252).astype(np.uint8), np.ones((9, 9), np.uint8))
    return CardPictureQuality(sharpness, float(white.mean()), float(grey.mean()))


def indistinguishable_cards(index: Index) -> list[tuple[str, str]]:
    """Pairs of different cards that the eye can't tell apart even by their reference pictures."""
    everywhere = np.ones(index.face_planes.grid, np.float32)
    found = set()
    for number, (face, relatives) in enumerate(zip(index.faces, index.nearest_faces, strict=True)):
        place = comparison.compared_place(index.face_planes.face(number).full, everywhere)
        for other in relatives.tolist():
            if (
                comparison.comparison_log_odds(place, comparison.features_of(place, index.face_planes.face(other), 0))
                > 0
            ):
                found.add((min(face.card, index.faces[other].card), max(face.card, index.faces[other].card)))
    return sorted(found)
