"""The decks of all games, from their kits: drawn where nobody enrolled their own."""

from __future__ import annotations

from pathlib import Path

from companion.kits import KITS
from companion.text import N_
from vision.art import deck_pictures
from vision.art.kit import DeckArt
from vision.errors import DeckError

DECKS: dict[str, DeckArt] = {deck.name: deck for kit in KITS.values() for deck in kit.decks}
GAME_OF: dict[str, str] = {deck.name: kit.name for kit in KITS.values() for deck in kit.decks}


def deck_called(name: str) -> DeckArt:
    """A deck by its name. Raises `DeckError`."""
    if name not in DECKS:
        raise DeckError(N_("There is no deck {deck}; there are {known}."), deck=name, known=", ".join(DECKS))
    return DECKS[name]


def drawn_deck(name: str) -> Path:
    """The folder of a deck that comes with Hush."""
    return deck_pictures(DECKS[name])
