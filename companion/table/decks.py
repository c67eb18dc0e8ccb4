"""The decks of all games, from their kits: drawn where nobody enrolled their own."""

from __future__ import annotations

from pathlib import Path

from companion.catalogue import Catalogue
from companion.kits import KITS, game_called
from companion.text import LANGUAGES, N_
from vision.art import deck_pictures
from vision.art.kit import DeckArt
from vision.decks import Deck, open_deck
from vision.errors import DeckError

DECKS: dict[str, DeckArt] = {deck.name: deck for kit in KITS.values() for deck in kit.decks}
GAME_OF: dict[str, str] = {deck.name: kit.name for kit in KITS.values() for deck in kit.decks}


OWN = "decks"
"""The folder for people's own decks, in the box's state folder."""


def deck_called(name: str) -> DeckArt:
    """A deck by its name, or by that of the only game's deck. Raises `DeckError`."""
    game, deck = game_called(name), name.casefold()
    if game in KITS and len(KITS[game].decks) == 1:
        return KITS[game].decks[0]
    if deck not in DECKS:
        raise DeckError(N_("There is no deck {deck}; there are {known}."), deck=name, known=", ".join(DECKS))
    return DECKS[deck]


def stands_for(name: str) -> str:
    """What a deck for a game or for a deck of Hush's is for: that deck, or the game that people bring a deck to."""
    if game_called(name) in KITS and KITS[game_called(name)].takes_own_cards:
        return game_called(name)
    return deck_called(name).name


def drawn_deck(name: str) -> Path:
    """The folder of a deck that comes with Hush."""
    return deck_pictures(DECKS[name], tuple(Catalogue(language).translate for language in LANGUAGES))


def own_deck(folder: Path, name: str) -> Path:
    """Where a person's own deck lies in the box's state folder, once it's enrolled."""
    return folder / OWN / name


def own_folders(folder: Path) -> list[Path]:
    """The folders of people's own decks."""
    decks = folder / OWN
    return sorted(one for one in decks.iterdir() if (one / "deck.toml").is_file()) if decks.is_dir() else []


def purpose(deck: Deck) -> str:
    """What a person's own deck is for: what it says, else the deck of its name."""
    return deck.used_for or deck.folder.name


def own_decks(folder: Path | None, used_for: str) -> list[Deck]:
    """People's own decks for a deck of Hush's or for a game."""
    decks = []
    for own in own_folders(folder) if folder else []:
        try:
            decks.append(open_deck(own))
        except DeckError:
            # A broken deck for another game is no reason not to play this one.
            if own.name == used_for:
                raise
    return [deck for deck in decks if purpose(deck) == used_for]
