"""Joins the eye to the table: the decks and the layout of a game, and a tracker's views as sights for the host."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.kits import KITS
from companion.table.decks import DECKS, drawn_deck, own_decks
from companion.table.fingerprints import fingerprint_of
from companion.table.sight import Seen, Sight, ZonedToken
from companion.text import N_, Text
from vision.calibration import Calibration, Lens, calibrate, load_lens
from vision.decks import Deck, load_index, open_deck
from vision.errors import DeckError, VisionError
from vision.geometry import Picture, Points, sides
from vision.reading import Reader
from vision.recognise import Recogniser
from vision.tokens import find_tokens
from vision.tracking import CardEvent, Tracker
from vision.view import TableView, UnknownCard
from vision.zones import Layout

# By so much the size of a card without a name may differ from that of the others.
SIZE_TOLERANCE = 0.25
MAX_CARD_MM = 200.0
"""Millimetres of the long side of the largest card that anybody plays with."""


def deck_names(game: str, options: Any) -> tuple[str, ...]:
    """The decks on the table of a game."""
    return KITS[game].decks_on_table(options)


def lens_file(folder: Path) -> Path:
    """Where the box keeps what it learnt of its camera's lens."""
    return folder / "lens.json"


def table_deck(names: tuple[str, ...], folder: Path | None = None, game: str = "") -> Deck:
    """All cards that may lie on the table: decks that come with Hush, with a person's own cards in their place.

    A name that Hush has no deck for is a deck that people bring to a game.
    """
    decks = []
    for name in names:
        own = own_decks(folder, name if name in DECKS else game)
        if name in DECKS:
            decks.append(with_own(open_deck(drawn_deck(name)), own))
        elif own:
            faces = tuple(face for deck in own for face in deck.faces)
            decks.append(replace(own[0], faces=faces))
        else:
            raise DeckError(
                N_("no deck is for {game}: `companion decks import PICTURES --for {game}` makes one"), game=game
            )
    first = decks[0]
    if len(decks) == 1:
        return first
    return replace(first, name="+".join(names), faces=tuple(face for deck in decks for face in deck.faces))


def with_own(deck: Deck, own: list[Deck]) -> Deck:
    """A deck with a person's enrolled pictures in place of ours; several decks of theirs are joined."""
    if not own:
        return deck
    theirs: dict[tuple[str, str], tuple[Path, ...]] = {}
    for face in (face for one in own for face in one.faces):
        theirs[face.card, face.face] = (*theirs.get((face.card, face.face), ()), *face.pictures)
    ours = {(face.card, face.face) for face in deck.faces}
    # A side that was enrolled card by card, before it was one for all of them, has all those pictures.
    several: dict[str, tuple[Path, ...]] = {}
    for side, pictures in theirs.items():
        if side[1] and side not in ours:
            several[side[1]] = (*several.get(side[1], ()), *pictures)
    faces = tuple(
        replace(face, pictures=theirs.get((face.card, face.face)) or several.get(face.face, face.pictures))
        for face in deck.faces
    )
    # What is learnt from a deck is kept beside it: beside theirs, not beside ours.
    return replace(deck, folder=own[0].folder, faces=faces)


class Snapshot(Struct, frozen=True):
    """One picture of the table, and how it lies in it where that is known."""

    picture: Picture
    layout: Layout | None = None
    calibration: Calibration | None = None


class Eye:
    """Watches the table of one game. Without markers in sight it can't tell zones, and says so.

    Pictures that another camera took, with another lens than the box's, are for an eye without `has_own_lens`.
    """

    def __init__(
        self,
        game: str,
        options: Any,
        folder: Path | None = None,
        reader: Callable[[Recogniser], Reader] = Reader,
        has_own_lens: bool = True,
    ):
        self.layout = KITS[game].layout
        self.tokens = KITS[game].tokens
        self.deck = table_deck(deck_names(game, options), folder, game)
        self._tracker = Tracker(reader(Recogniser(load_index(self.deck))))
        self.calibration: Calibration | None = None
        self.complaint: Text | None = None
        self._lens: Lens | None = None
        try:
            self._lens = load_lens(lens_file(folder)) if folder and has_own_lens else None
        except VisionError as error:
            self.complaint = error.text
        self.view = TableView()
        self._tracked = self.view
        self.events: tuple[CardEvent, ...] = ()
        self._sight = Sight(is_unsettled=True)
        self._sight_calibration: Calibration | None = None

    def look(self, picture: Picture, small: Picture | None = None) -> Sight:
        """Take in a frame, with the camera's small picture where it has one; the sight as it stands after it."""
        if self.calibration is None or (not self.view.settled and self.calibration.has_moved(picture)):
            self._calibrate(picture)
        before = self._tracked
        self._tracked, self.events = self._tracker.look(picture, small)
        # An idle table is one view for many frames; how its cards look is worked out once.
        if self._tracked is not before or self.calibration is not self._sight_calibration:
            self.view = self._with_tokens(self._tracked, picture)
            self._sight = to_sight(self.view, self.layout, self.calibration, picture, self.tokens)
            self._sight_calibration = self.calibration
        return self._sight

    def _with_tokens(self, view: TableView, picture: Picture) -> TableView:
        """A settled view with the tokens on the table, where the game has some."""
        if not self.tokens or not view.settled or self.calibration is None:
            return view
        return replace(view, tokens=find_tokens(picture, self.calibration))

    def recalibrate(self) -> None:
        """Look for the markers anew: the camera or the table was moved."""
        self.calibration = None

    def _calibrate(self, picture: Picture) -> None:
        try:
            self.calibration = calibrate(picture, self.layout.width, self.layout.height, self._lens)
        except VisionError as error:
            self.calibration, self.complaint = None, error.text
        else:
            self.complaint = None
        self._tracker.calibration = self.calibration


def to_sight(
    view: TableView,
    layout: Layout,
    calibration: Calibration | None,
    picture: Picture | None = None,
    tokens: Mapping[int, str] = MappingProxyType({}),
) -> Sight:
    """A tracker's view in the words of the rules: zones instead of millimetres, and looks from its picture."""
    if not view.settled or not view.millimetres or calibration is None:
        return Sight(is_unsettled=True)
    cards = tuple(
        Seen(
            card.card,
            zone=layout.zone_at(card.x, card.y),
            angle=card.turn,
            face=card.face,
            x=card.x,
            y=card.y,
            confidence=card.confidence,
            maybe=tuple(name.card for name in card.names) if card.others else (),
            chances=tuple(name.probability for name in card.names) if card.others else (),
            fingerprint=b"" if picture is None else fingerprint_of(picture, card.corners),
            has_way=not card.either_way,
            identity=card.identity,
            laid=card.laid,
        )
        for card in view.cards
        if not card.covered
    )
    strangers = (
        one
        for one in view.unknown
        if _is_card_sized(one, view, calibration) and not calibration.is_marker(one.corners.mean(axis=0))
    )
    return Sight(
        cards=cards,
        strangers=tuple(_stranger(one, layout, picture) for one in strangers),
        tokens=tuple(
            ZonedToken(tokens[one.number], layout.zone_at(one.x, one.y), one.x, one.y)
            for one in view.tokens
            if one.number in tokens
        ),
    )


def _is_card_sized(found: UnknownCard, view: TableView, calibration: Calibration) -> bool:
    """Whether something is as large as the cards that are read; the pattern of a cloth has card shapes too.

    While no card is read, a mat on an empty table is at least no card.
    """
    sizes = [_size(card.corners, calibration) for card in view.cards]
    size = _size(found.corners, calibration)
    if not sizes:
        return bool(size[1] < MAX_CARD_MM)
    share = size / np.median(sizes, axis=0)
    return bool((np.abs(share - 1) < SIZE_TOLERANCE).all())


def _size(corners: Points, calibration: Calibration) -> Points:
    """The short and the long sides in millimetres."""
    lengths = np.sort(sides(calibration.table_points(corners)))
    return np.array([lengths[:2].mean(), lengths[2:].mean()])


def _stranger(found: UnknownCard, layout: Layout, picture: Picture | None) -> Seen:
    return Seen(
        "",
        zone=layout.zone_at(found.x, found.y),
        angle=found.turn,
        x=found.x,
        y=found.y,
        confidence=0.0,
        maybe=tuple(name.card for name in found.names),
        fingerprint=b"" if picture is None else fingerprint_of(picture, found.corners),
        has_way=False,
        chances=tuple(name.probability for name in found.names),
    )
