"""Enrolment of a deck with the page: look, keep, go on later, compare. What a good picture is, the eye decides."""

from __future__ import annotations

import itertools
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from companion.games import GAMES
from companion.table.decks import DECKS, GAME_OF, own_deck
from companion.text import N_, Text
from companion.web.desk import Refused
from companion.web.eyes.photos import photo_of
from companion.web.eyes.recognised import title
from companion.web.eyes.records import Alike, CardProgress, DeckProgress, Enrolled, EnrolLook, FoundCard, How, SelfCheck
from companion.web.eyes.simulated_enrolment import EnrolBench
from companion.web.eyes.table_camera import THUMBNAIL_PIXELS, as_address, jpeg, shrunk
from companion.web.pictures.model import Say
from companion.web.records import Check
from vision import quads
from vision.decks.enrol import EnrolCandidate, Enrolment, enrolment_of, quality_of
from vision.decks.importing import square_up, upright
from vision.errors import VisionError
from vision.geometry import Picture, Points, area
from vision.pictures import read_picture

# So many looks are kept until somebody says which one is good: a few phones may look at once.
KEPT_LOOKS = 36
# Cards in one photo; what is smaller than this share of the largest is something else.
MAX_CARDS_IN_PHOTO = 24
MIN_SIZE_SHARE = 0.5


class Enrolling:
    """The decks that people teach the box. Everything here is slow and belongs in a thread; one at a time."""

    def __init__(self, folder: Path, photograph: Callable[[], Picture], bench: EnrolBench | None = None):
        self.folder = folder
        self.bench = bench
        self._photograph = photograph
        self._looks: OrderedDict[int, tuple[str, EnrolCandidate]] = OrderedDict()
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    def decks(self) -> tuple[DeckProgress, ...]:
        """Every deck that can be enrolled, and how far it is."""
        return tuple(self._progress(name) for name in DECKS)

    def _progress(self, deck: str) -> DeckProgress:
        enrolment = enrolment_of(DECKS[deck], own_deck(self.folder, deck))
        return DeckProgress(deck, len(enrolment.cards) - len(enrolment.missing()), len(enrolment.cards))

    def deck(self, deck: str, say: Say) -> Enrolled:
        """One deck, card by card."""
        with self._enrolment(deck) as enrolment:
            cards = tuple(card_progress(deck, enrolment, card, say) for card in enrolment.cards)
        return Enrolled(deck, cards, self.bench is not None)

    def look(self, deck: str, say: Say) -> EnrolLook:
        """What the camera sees now, and the card in it."""
        with self._enrolment(deck) as enrolment:
            picture = self._photograph() if self.bench is None else self.bench.photograph()
            found = enrolment.find(picture)
            number = 0 if found is None else self._remember(deck, found)
        height, width = picture.shape[:2]
        outline = () if found is None else tuple((float(x) / width, float(y) / height) for x, y in found.corners)
        can_keep = found is not None and not found.problem
        return EnrolLook(number, as_address(shrunk(picture)), width, height, outline, judged(found, say), can_keep)

    def found(self, deck: str, data: bytes, say: Say) -> tuple[FoundCard, ...]:
        """The cards in a photo that a phone sent, as one reads: row by row, from the left."""
        picture = photo_of(data)
        with self._enrolment(deck) as enrolment:
            cards = []
            for one in candidates(enrolment, picture):
                number = self._remember(deck, one)
                small = as_address(shrunk(one.picture, 2 * THUMBNAIL_PIXELS))
                cards.append(FoundCard(number, small, judged(one, say)[1:], not one.problem))
        if not cards:
            raise Refused(422, "no_card", Text(N_("No card is to be seen. Lay it on a table it stands out from.")))
        return tuple(cards)

    def _remember(self, deck: str, found: EnrolCandidate) -> int:
        """Have a look at hand until somebody says which card it is."""
        number = next(self._numbers)
        self._looks[number] = (deck, found)
        while len(self._looks) > KEPT_LOOKS:
            self._looks.popitem(last=False)
        return number

    def keep(self, deck: str, card: str, look: int) -> None:
        """Keep a card's picture, in place of an earlier one."""
        with self._enrolment(deck, card) as enrolment:
            known, found = self._looks.get(look, ("", None))
            if found is None or known != deck:
                raise Refused(409, "stale_look", Text(N_("That picture is gone: look again.")))
            if found.problem:
                raise Refused(422, "bad_picture", Text(found.problem))
            enrolment.keep(card, found)
            del self._looks[look]

    def check(self, deck: str, say: Say) -> SelfCheck:
        """Write the deck and compare it with itself."""
        with self._enrolment(deck) as enrolment:
            done = len(enrolment.cards) - len(enrolment.missing())
            if done == 0:
                raise Refused(409, "nothing", Text(N_("No card of this deck has a picture yet.")))
            alike = enrolment.finish()
            pairs = tuple(
                Alike(card_progress(deck, enrolment, one, say), card_progress(deck, enrolment, other, say))
                for one, other in alike
            )
        return SelfCheck(done, len(enrolment.cards), pairs)

    def picture(self, deck: str, card: str) -> bytes:
        """A kept picture, small."""
        with self._enrolment(deck, card) as enrolment:
            if card in enrolment.missing():
                raise Refused(404, "no_picture", Text(N_("This card has no picture yet.")))
            return jpeg(shrunk(read_picture(enrolment.path_of(card)), THUMBNAIL_PIXELS))

    def lay(self, deck: str, card: str, how: How) -> None:
        """Lay a card under the simulated camera."""
        if self.bench is None:
            raise Refused(404, "no_table", Text(N_("There is a real camera here: lay the card under it.")))
        with self._enrolment(deck, card) as enrolment:
            self.bench.lay(enrolment, deck, card, how)

    @contextmanager
    def _enrolment(self, deck: str, card: str | None = None) -> Iterator[Enrolment]:
        """A deck's enrolment, for one at a time; what goes wrong with pictures and folders becomes a refusal."""
        if deck not in DECKS:
            raise Refused(404, "no_such_deck", Text(N_("There is no such deck.")))
        with self._lock:
            try:
                enrolment = enrolment_of(DECKS[deck], own_deck(self.folder, deck))
                if card is not None and card not in enrolment.cards:
                    raise Refused(404, "no_such_card", Text(N_("There is no such card.")))
                yield enrolment
            except VisionError as error:
                raise Refused(503, "no_deck", error.text) from None


def candidates(enrolment: Enrolment, picture: Picture) -> list[EnrolCandidate]:
    """The cards of a photo, in reading order."""
    outlines = [upright(one) for one in quads.find(picture, enrolment.aspect, min(picture.shape[:2]) / 16)]
    cards: list[Points] = []
    for one in sorted(outlines, key=lambda one: -abs(area(one))):
        # What lies within a card that was found already is printed on it.
        if not any(is_within(one.mean(axis=0), other) for other in cards):
            cards.append(one)
    largest = abs(area(cards[0])) if cards else 1.0
    cards = [one for one in cards if abs(area(one)) >= MIN_SIZE_SHARE * largest]
    down = float(np.sqrt(largest * enrolment.aspect))
    ordered = sorted(cards, key=lambda one: (round(float(one[:, 1].mean()) / down), float(one[:, 0].mean())))
    squared = ((one, square_up(picture, one, enrolment.aspect)) for one in ordered[:MAX_CARDS_IN_PHOTO])
    return [EnrolCandidate(corners, card, quality_of(card)) for corners, card in squared]


def is_within(point: Points, outline: Points) -> bool:
    """Whether a point lies inside an outline."""
    x, y = float(point[0]), float(point[1])
    return cv2.pointPolygonTest(outline.astype(np.float32).reshape(-1, 1, 2), (x, y), measureDist=False) >= 0


def card_progress(deck: str, enrolment: Enrolment, card: str, say: Say) -> CardProgress:
    """One side of a card; where many cards may show it, which of their pictures this is."""
    side = enrolment.side_of(card)
    name = title(GAMES[GAME_OF[deck]], *side, say)
    alike = [one for one in enrolment.cards if enrolment.side_of(one) == side]
    name = f"{name} {alike.index(card) + 1}" if len(alike) > 1 else name
    return CardProgress(card, name, enrolment.path_of(card).is_file())


def judged(found: EnrolCandidate | None, say: Say) -> tuple[Check, ...]:
    """How good a found card's picture is, in words."""

    def check(name: str, is_well: bool, well: str, ill: str) -> Check:
        return Check(say(Text(name)), is_well, say(Text(well if is_well else ill)))

    card = check(
        N_("the card"), found is not None, N_("There it is: does the line run along its edge?"),
        N_("There is no card to be seen. Lay it alone on a table it stands out from."),
    )  # fmt: skip
    if found is None:
        return (card,)
    quality = found.quality
    return (
        card,
        check(
            N_("sharpness"), quality.is_sharp, N_("Sharp."),
            N_("The picture isn't sharp: hold still, or let the camera focus."),
        ),
        check(
            N_("glare"), quality.is_clear, N_("No lamp shines in it."),
            N_("A lamp shines in the card: move it or the lamp a little."),
        ),
        check(N_("light"), quality.is_lit, N_("There is light enough."), N_("It's too dark: more light, please.")),
    )  # fmt: skip
