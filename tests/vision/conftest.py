"""What the tests of the eye share: a small drawn deck, its recogniser, and scenes of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from vision.art import DECKS, deck_pictures, draw_card
from vision.decks import load_index, open_deck
from vision.pictures import read_picture
from vision.recognise import Recogniser
from vision.simulated import Look

DATA = Path(os.environ.get("HUSH_DATA", Path(__file__).resolve().parents[2].parent / "shared" / "data"))


def drawn(name, wanted=None, dpi=150):
    make, size = DECKS[name]
    return [(a.card, a.face, draw_card(a, size, dpi)) for a in make() if wanted is None or wanted(a)]


@pytest.fixture(scope="session")
def silencio():
    return drawn("silencio")


@pytest.fixture(scope="session")
def looks(silencio):
    return {(card, face): Look(picture, 63, 88) for card, face, picture in silencio}


@pytest.fixture(scope="session")
def recogniser():
    return Recogniser(load_index(open_deck(deck_pictures("silencio"))))


@pytest.fixture(scope="session")
def city():
    """The eye for Cisza's cards: the largest deck there is."""
    return Recogniser(load_index(open_deck(deck_pictures("cisza"))))


@pytest.fixture(scope="session")
def city_looks():
    faces = open_deck(deck_pictures("cisza")).faces
    return {(face.card, face.face): Look(read_picture(face.pictures[0]), 63, 88) for face in faces}


@pytest.fixture
def data():
    if not DATA.is_dir():
        pytest.skip(f"no test pictures at {DATA} (set HUSH_DATA)")
    return DATA
