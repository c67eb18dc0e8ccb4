"""Decks: folders of reference pictures, with or without a deck.toml, and what is learnt from them."""

from vision.decks.cache import load_index
from vision.decks.deck import CardFace, Deck, open_deck, write_deck

__all__ = ["CardFace", "Deck", "load_index", "open_deck", "write_deck"]
