"""A card under a simulated camera, so that enrolment can be tried without a real one."""

from __future__ import annotations

import cv2
import numpy as np
from msgspec import Struct

from companion.table.decks import drawn_deck
from companion.web.eyes.records import How
from vision.decks import open_deck
from vision.decks.enrol import Enrolment
from vision.geometry import Picture
from vision.pictures import read_picture
from vision.simulated import Conditions, LaidCard, Look, PinholeCamera, Scene, render

CONDITIONS: dict[How, Conditions] = {
    "well": Conditions(),
    "blurred": Conditions(blur=7.0),
    "glaring": Conditions(light=1.3),
    "dark": Conditions(light=0.12),
    "away": Conditions(),
}
# Near the card, as one would hold a camera to enrol it: a small piece of table fills the picture.
TABLE_WIDTH, TABLE_HEIGHT = 240.0, 180.0


class EnrolBench:
    """A bare table, and on it the card that was laid last."""

    def __init__(self) -> None:
        self._laid: BenchCard | None = None
        self._photo: Picture | None = None

    def lay(self, enrolment: Enrolment, deck: str, card: str, how: How) -> None:
        """Lay a card of a deck that Hush draws, in place of the one that lies there."""
        self._laid = None if how == "away" else BenchCard(deck, *enrolment.sides[card], how)
        self._photo = None

    def photograph(self) -> Picture:
        """What the camera sees; a still table is photographed once."""
        if self._photo is None:
            self._photo = photographed(self._laid)
        return self._photo


class BenchCard(Struct, frozen=True):
    """The card on the bench."""

    deck: str
    card: str
    face: str
    how: How


def photographed(laid: BenchCard | None) -> Picture:
    """A picture of the bench."""
    camera = PinholeCamera(1024, 768)
    if laid is None:
        return render(Scene((), TABLE_WIDTH, TABLE_HEIGHT), {}, camera, table="wood", seed=1).picture
    deck = open_deck(drawn_deck(laid.deck))
    face = next(one for one in deck.faces if (one.card, one.face) == (laid.card, laid.face))
    picture = read_picture(face.pictures[0])
    if laid.how == "glaring":
        picture = with_reflection(picture)
    looks = {(laid.card, laid.face): Look(picture, deck.width, deck.height)}
    scene = Scene((LaidCard(laid.card, TABLE_WIDTH / 2, TABLE_HEIGHT / 2, 4.0, laid.face),), TABLE_WIDTH, TABLE_HEIGHT)
    return render(scene, looks, camera, CONDITIONS[laid.how], table="wood", seed=1).picture


def with_reflection(picture: Picture) -> Picture:
    """A lamp shines in the card."""
    height, width = picture.shape[:2]
    shining = picture.copy()
    cv2.ellipse(shining, (width // 2, height // 3), (width // 4, height // 8), 20, 0, 360, (255, 255, 255), -1)
    return np.asarray(shining, np.uint8)
