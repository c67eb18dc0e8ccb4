"""Rows of cards that overlap: of each but the last only a half shows."""

from __future__ import annotations

import numpy as np
import pytest

from companion.table.decks import drawn_deck
from tests.vision.conftest import drawn
from vision.decks import load_index, open_deck
from vision.geometry import rectangle
from vision.recognise import Recogniser
from vision.rows import next_places
from vision.simulated import Conditions, LaidCard, Look, PinholeCamera, Scene, render


@pytest.fixture(scope="module")
def eyes(city):
    """The eye for a deck with portraits, and the one for the printed deck, whose survivors are all alike."""
    return {"portraits": city, "drawn": Recogniser(load_index(open_deck(drawn_deck("cisza"))))}


@pytest.fixture(scope="module")
def both_looks(city_looks):
    alike = drawn("cisza", lambda art: art.face == "survivor")
    return {**city_looks, **{(card, face): Look(picture, 63, 88) for card, face, picture in alike}}


@pytest.mark.parametrize(
    ("deck", "row", "table"),
    [
        ("portraits", ["city-01", "city-02", "city-04", "city-15", "city-16", "city-10"], "cloth"),
        ("portraits", ["barricade", "city-08", "city-03", "city-04", "city-11", "city-12"], "wood"),
        ("drawn", ["city"] * 6, "cloth"),
        ("drawn", ["barricade", "alarm", *["city"] * 4], "wood"),
    ],
)
def test_a_row_of_small_cards_is_read_to_its_end(eyes, both_looks, deck, row, table):
    """As the table shows them, 73 pixels wide: single cards of these rows have no two features that agree."""
    cards = tuple(
        LaidCard(card, 100 + 35 * k, 300, 0, "survivor" if card.startswith("city") else "")
        for k, card in enumerate(row)
    )
    scene = Scene(cards, width=885, height=664)
    for seed in range(3):
        shot = render(
            scene, both_looks, PinholeCamera(1024, 768), Conditions(light=0.8, warmth=0.2, noise=2), table, seed=seed
        )
        assert sorted(card.card for card in eyes[deck].read(shot.picture).cards) == sorted(row)


def at(x, y, turn=0.0):
    """The corners of a card 100 wide and 140 high at a place."""
    angle = np.radians(turn)
    spin = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return (rectangle(100, 140) - [50, 70]) @ spin + [x, y]


def middles(places):
    return [tuple(place.mean(axis=0).round().astype(int).tolist()) for place in places]


def test_a_row_goes_on_at_both_ends_by_its_own_step():
    places = middles(next_places([at(0, 0), at(60, 0), at(120, 0)]))
    assert (-60, 0) in places
    assert (180, 0) in places
    assert all(y == 0 and (x < 0 or x > 120) for x, y in places)


def test_a_column_goes_on_too():
    assert (0, 80) in middles(next_places([at(0, 0), at(0, 40)]))


def test_cards_turned_against_each_other_or_apart_are_no_row():
    assert next_places([at(0, 0), at(60, 0, 40)]) == []
    assert next_places([at(0, 0), at(130, 0)]) == []
    assert next_places([at(0, 0), at(60, 30)]) == []
    assert next_places([]) == []


def test_one_card_of_a_row_may_lie_upside_down():
    assert (120, 0) in middles(next_places([at(0, 0), at(60, 0, 180)]))
