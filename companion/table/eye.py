"""Joins the eye to the table: the decks and the layout of a game, and a tracker's views as sights for the host."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion.games.text import Text
from companion.table.sight import Seen, Sight
from vision.art import deck_pictures
from vision.calibration import Calibration, calibrate
from vision.decks import Deck, load_index, open_deck
from vision.errors import VisionError
from vision.geometry import Picture
from vision.reading import Reader
from vision.recognise import Recogniser
from vision.tracking import TableView, Tracker
from vision.zones import Layout, load_layout

DECK_OF = {"silencio": "silencio", "silentes": "tarot", "cisza": "cisza"}


def deck_names(game: str, options: Any) -> tuple[str, ...]:
    """The decks on the table of a game."""
    if game != "similo":
        return (DECK_OF[game],)
    clues = options.deck if options.clue_deck == "same" else options.clue_deck
    return tuple(dict.fromkeys((options.deck, clues)))


def table_deck(names: tuple[str, ...], own: dict[str, Path] | None = None) -> Deck:
    """All cards that may lie on the table: decks that come with Hush, or a person's own in their place."""
    decks = [open_deck((own or {}).get(name) or deck_pictures(name)) for name in names]
    first = decks[0]
    if len(decks) == 1:
        return first
    return replace(first, name="+".join(names), faces=tuple(face for deck in decks for face in deck.faces))


class Eye:
    """Watches the table of one game. Without markers in sight it can't tell zones, and says so."""

    def __init__(self, game: str, options: Any, own: dict[str, Path] | None = None):
        self.layout = load_layout(game)
        self.deck = table_deck(deck_names(game, options), own)
        self._tracker = Tracker(Reader(Recogniser(load_index(self.deck))))
        self.calibration: Calibration | None = None
        self.complaint: Text | None = None
        self.view = TableView()

    def look(self, picture: Picture) -> Sight:
        """Take in a frame; the sight as it stands after it."""
        if self.calibration is None or (not self.view.settled and self.calibration.has_moved(picture)):
            self._calibrate(picture)
        self.view, _events = self._tracker.look(picture)
        return to_sight(self.view, self.layout)

    def _calibrate(self, picture: Picture) -> None:
        try:
            self.calibration = calibrate(picture, self.layout.width, self.layout.height)
        except VisionError as error:
            self.calibration, self.complaint = None, as_text(error)
        else:
            self.complaint = None
        self._tracker.calibration = self.calibration


def to_sight(view: TableView, layout: Layout) -> Sight:
    """A tracker's view in the words of the rules: zones instead of millimetres."""
    if not view.settled or not view.millimetres:
        return Sight(is_busy=True)
    cards = tuple(
        Seen(
            card.card,
            zone=layout.zone_at(card.x, card.y),
            turn=card.turn,
            face=card.face,
            x=card.x,
            y=card.y,
            sure=card.confidence,
        )
        for card in view.cards
        if not card.covered
    )
    return Sight(cards=cards)


def as_text(error: VisionError) -> Text:
    """What the eye complains of, as a sentence for people."""
    return Text(error.template, {name: str(value) for name, value in error.values.items()})
