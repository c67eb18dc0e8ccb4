"""Tables as games leave them, cards as small as a table camera shows them: what was once misread there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.calibration import DICTIONARY, MARKER_SIDE, find_markers
from vision.cells import noise_of
from vision.geometry import turn_between, turn_of
from vision.reading import Reader
from vision.simulated import Conditions, LaidCard, Look, PinholeCamera, Scene, render
from vision.tracking import CardChange, Tracker

# Cards are 73 pixels wide in it.
TABLE_CAMERA = PinholeCamera(1024, 768, fill=0.97)
WIDE, HIGH = 860, 600


def table(looks, cards, top="white", conditions=None):
    scene = Scene(tuple(cards), width=WIDE, height=HIGH)
    return render(scene, looks, TABLE_CAMERA, conditions or Conditions(), top, seed=5)


def names(reading):
    return sorted((card.card, card.face) for card in reading.cards)


@pytest.mark.parametrize("top", ["white", "wood", "felt", "mat", "cloth"])
def test_a_survivor_with_little_drawn_on_it_is_named_on_any_table(city, city_looks, top):
    # Seen roughly, these look like other survivors, and were given up for it.
    cards = [LaidCard(f"city-{n:02}", 100 + k * 90, 300, 2, "survivor") for k, n in enumerate((7, 8, 15, 48, 9, 40))]
    assert names(city.read(table(city_looks, cards, top).picture)) == sorted((c.card, c.face) for c in cards)


def test_zombies_in_a_row_are_named_one_by_one(city, city_looks):
    # Their frames are the same, and each draws the one that it hides towards itself.
    row = [LaidCard(f"city-{n:02}", 76 + k * 35, 85, 0, "zombie") for k, n in enumerate((38, 15, 16, 13, 1, 24))]
    shot = table(city_looks, row, "wood")
    reading = city.read(shot.picture)
    assert names(reading) == sorted((c.card, c.face) for c in row)
    for truth in shot.cards:
        card = next(c for c in reading.cards if c.card == truth.laid.card)
        # Where it's hidden, a card's edge is told by the rest of it.
        assert np.abs(card.corners - truth.corners).max() < 0.09 * np.linalg.norm(truth.corners[1] - truth.corners[0])


def test_dark_shrines_are_told_apart_by_candle_light(recogniser, looks):
    shrines = [("large", 1), ("red", 2), ("blue", 3), ("yellow", 4), ("green", 5)]
    scene = Scene(tuple(LaidCard(f"shrine-{name}", 20 + 90 * k, 200, 5, "unlit") for name, k in shrines))
    shot = render(scene, looks, PinholeCamera(), Conditions(light=0.3, warmth=0.9, shade=0.6, noise=3, blur=0.8))
    assert len(recogniser.read(shot.picture).cards) == 5
    assert names(recogniser.read(shot.picture)) == sorted((t.laid.card, t.laid.face) for t in shot.cards)


@pytest.mark.parametrize("turn", range(0, 360, 40))
def test_a_round_ornament_doesnt_turn_the_card_about(recogniser, looks, turn):
    shot = render(Scene((LaidCard("start", 300, 220, turn),)), looks, PinholeCamera(tilt=8))
    (card,) = recogniser.read(shot.picture).cards
    assert turn_between(card.turn, turn_of(shot.cards[0].corners)) < 5


def test_a_dark_card_in_the_place_of_another_is_noticed(city, city_looks):
    # One is as dark as the other, but red where that is blue.
    tracker = Tracker(Reader(city))
    before = [LaidCard("city-24", 76, 420, 0, "zombie"), LaidCard("city-09", 300, 420, 0, "survivor")]
    after = [LaidCard("city-38", 76, 420, 0, "zombie"), LaidCard("city-09", 300, 420, 0, "survivor")]
    events = []
    for cards in (before, after):
        events.clear()
        picture = table(city_looks, cards, "felt").picture
        for _ in range(6):
            events += tracker.look(picture)[1]
    # For all one can see, the first one still lies under it.
    assert [(event.change, event.card) for event in events] == [(CardChange.PLACED, "city-38")]


def test_a_card_cut_by_what_is_read_again_keeps_its_name(city, city_looks):
    strong = [LaidCard(f"city-{n}", 120 + k * 64, 85, 0, "zombie") for k, n in enumerate((27, 28, 29, 30))]
    reader = Reader(city)
    reader.read(table(city_looks, strong, "wood").picture)
    for k, laid in enumerate(("city-11", "city-12", "city-40")):
        strong.append(LaidCard(laid, 120 + k * 70, 178, 0, "survivor"))
        reading = reader.read(table(city_looks, strong, "wood").picture)
        assert names(reading) == sorted((c.card, c.face) for c in strong)


def test_a_card_in_doubt_is_unknown_with_the_name_it_may_have(recogniser, looks):
    # The light goes down until the eye isn't sure any more; before it goes blind it says what it takes the card for.
    wondered = set()
    for light in (0.2, 0.154, 0.138, 0.123, 0.107, 0.06):
        conditions = Conditions(light=light, noise=4, blur=1.2)
        shot = render(Scene((LaidCard("y6", 200, 200), LaidCard("b13", 400, 200))), looks, PinholeCamera(), conditions)
        reading = recogniser.read(shot.picture)
        assert {card.card for card in reading.cards} <= {"y6", "b13"}
        wondered |= {stranger.maybe[0] for stranger in reading.unknown if stranger.maybe}
    assert wondered <= {"y6", "b13"}
    assert wondered


@pytest.mark.parametrize("top", ["white", "wood", "felt", "dark", "mat", "cloth"])
@pytest.mark.parametrize("seed", [3, 7, 8])
def test_all_markers_are_seen_on_any_table(top, seed):
    # By one way of looking alone, one of them was missed on a white table in this light.
    looks = {}
    for number in range(4):
        marker = cv2.cvtColor(cv2.aruco.generateImageMarker(DICTIONARY, number, 120), cv2.COLOR_GRAY2BGR)
        rimmed = cv2.copyMakeBorder(marker, 24, 24, 24, 24, cv2.BORDER_CONSTANT, value=(255, 255, 255))
        looks[f"marker-{number}", ""] = Look(rimmed, MARKER_SIDE * 1.4, MARKER_SIDE * 1.4)
    corners = [(15, 15), (825, 15), (825, 579), (15, 579)]
    cards = tuple(LaidCard(f"marker-{number}", x, y) for number, (x, y) in enumerate(corners))
    light = Conditions(light=0.757, warmth=0.219, noise=2.7528)
    shot = render(Scene(cards, width=840, height=594), looks, TABLE_CAMERA, light, top, seed)
    assert sorted(find_markers(shot.picture)) == [0, 1, 2, 3]


def test_noise_is_measured_where_nothing_is_drawn():
    random = np.random.default_rng(3)
    plain = np.full((400, 640), 0.5, np.float32)
    plain[100:300, 100:300] = random.uniform(0, 1, (200, 200))
    assert noise_of(plain) == 0
    noisy = plain + random.normal(0, 0.02, plain.shape).astype(np.float32)
    assert 0.014 < noise_of(noisy) < 0.021
    assert noise_of(np.zeros((4, 2), np.float32)) == 0


def test_a_row_laid_card_by_card_keeps_its_names(city, city_looks):
    # Each survivor is laid so that it shows by half when the next one lies; then something happens beside the row.
    row = [LaidCard(f"city-{n:02}", 70 + k * 34, 420, 0, "survivor") for k, n in enumerate((1, 4, 9, 11, 16, 20))]
    beside = LaidCard("city-30", 150, 330, 20, "zombie")
    steps = [(row[: k + 1], "placed", card.card) for k, card in enumerate(row)]
    steps += [([*row, beside], "placed", "city-30"), (row, "removed", "city-30")]
    tracker = Tracker(Reader(city))
    for cards, change, name in steps:
        events = []
        picture = table(city_looks, cards, "felt").picture
        for _ in range(6):
            events += tracker.look(picture)[1]
        assert [(event.change.value, event.card) for event in events] == [(change, name)]
        assert {card.card for card in tracker.view.cards} == {card.card for card in cards}


def test_the_squares_of_a_cloth_are_no_cards(recogniser, looks):
    shot = render(
        Scene((LaidCard("r2", 150, 200), LaidCard("b7", 400, 220, 30))), looks, PinholeCamera(tilt=20), table="cloth"
    )
    reading = recogniser.read(shot.picture)
    assert names(reading) == [("b7", ""), ("r2", "")]
    assert len(reading.unknown) < 3
