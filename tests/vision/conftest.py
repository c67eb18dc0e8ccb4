"""What the tests of the eye share: a small drawn deck, its recogniser, and scenes of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.kits.cisza import art as cisza
from companion.table.decks import DECKS, drawn_deck
from tests.vision.golden import APART, ROW, golden
from vision.art import draw_card
from vision.art.kit import CardArt
from vision.decks import load_index, open_deck
from vision.learning import build_index
from vision.recognise import Recogniser
from vision.simulated import Look, PinholeCamera

DATA = Path(os.environ.get("HUSH_DATA", Path(__file__).resolve().parents[2].parent / "shared" / "data"))


def drawn(name, wanted=None, dpi=150):
    make, size = DECKS[name].cards, DECKS[name].size
    return [(a.card, a.face, draw_card(a, size, dpi)) for a in make() if wanted is None or wanted(a)]


TINTS = ((244, 190, 130), (176, 206, 226), (236, 170, 160), (206, 214, 170))


def portrait(number):
    """A survivor as a deck of one's own has them: no two alike, some with little drawn on them."""
    draw = cisza.survivor(f"survivor {number}", number, TINTS[number % 4])
    return CardArt(f"city-{number:02}", "survivor", f"City {number}", draw, 1)


def with_portraits(wanted=None):
    """The deck of Cisza in which every city card has a portrait of its own."""
    arts = []
    for art in cisza.cards():
        if art.face == "zombie":
            arts.append(portrait(int(art.card.removeprefix("city-"))))
        if art.face != "survivor":
            arts.append(art)
    return [(a.card, a.face, draw_card(a, cisza.SIZE, 150)) for a in arts if wanted is None or wanted(a)]


@pytest.fixture(scope="session")
def silencio():
    return drawn("silencio")


@pytest.fixture(scope="session")
def looks(silencio):
    return {(card, face): Look(picture, 63, 88) for card, face, picture in silencio}


@pytest.fixture(scope="session")
def recogniser():
    return Recogniser(load_index(open_deck(drawn_deck("silencio"))))


@pytest.fixture(scope="session")
def portraits():
    return with_portraits()


@pytest.fixture(scope="session")
def city(portraits):
    """The eye for a deck of Cisza in which every survivor is another one: the largest deck there is."""
    return Recogniser(build_index(portraits, 88 / 63))


@pytest.fixture(scope="session")
def city_looks(portraits):
    return {(card, face): Look(picture, 63, 88) for card, face, picture in portraits}


@pytest.fixture(scope="session")
def apart(recogniser, looks):
    return golden(recogniser.index, looks, APART)


@pytest.fixture(scope="session")
def row(recogniser, looks):
    return golden(recogniser.index, looks, ROW)


@pytest.fixture(scope="session")
def slanted(recogniser, looks):
    return golden(recogniser.index, looks, APART[:3], PinholeCamera(tilt=55, fill=1.2))


@pytest.fixture(scope="session")
def bare(recogniser, looks):
    return golden(recogniser.index, looks, ())


@pytest.fixture
def data():
    if not DATA.is_dir():
        pytest.skip(f"no test pictures at {DATA} (set HUSH_DATA)")
    return DATA
