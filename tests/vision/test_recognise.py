"""What the eye must see, scene by scene."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest
from threadpoolctl import threadpool_info

from tests.vision.conftest import drawn, with_portraits
from vision import quads
from vision.decks import load_index, open_deck
from vision.geometry import turn_between, turn_of
from vision.learning import build_index
from vision.pictures import read_picture
from vision.recognise import Recogniser
from vision.simulated import Conditions, LaidCard, Look, PinholeCamera, Scene, render


def seen(reading):
    return sorted((card.card, card.face) for card in reading.cards)


def laid(shot):
    return sorted((truth.laid.card, truth.laid.face) for truth in shot.cards)


def grid(names, turns=(0,)):
    return tuple(
        LaidCard(name, 70 + k % 6 * 90, 80 + k // 6 * 130, turns[k % len(turns)]) for k, name in enumerate(names)
    )


def test_cards_side_by_side_with_turn_and_place(recogniser, looks):
    scene = Scene(grid(["r2", "b7", "y13", "g9", "r8", "b12"], (0, 35, 90, 180, 270, 310)))
    shot = render(scene, looks, PinholeCamera(tilt=12))
    reading = recogniser.read(shot.picture)
    assert seen(reading) == laid(shot)
    for truth in shot.cards:
        card = next(c for c in reading.cards if c.card == truth.laid.card)
        assert turn_between(card.turn, turn_of(truth.corners)) < 4
        assert np.abs(card.corners - truth.corners).max() < 8
        assert card.visible_share > 0.8
        assert card.confidence > 0.9


def test_upside_down_is_told(recogniser, looks):
    shot = render(Scene((LaidCard("g5", 200, 200, 180), LaidCard("g6", 400, 200, 0))), looks)
    turns = {card.card: card.turn for card in recogniser.read(shot.picture).cards}
    assert turn_between(turns["g5"], 180) < 5
    assert turn_between(turns["g6"], 0) < 5


def test_a_row_of_overlapping_cards(recogniser, looks):
    row = tuple(LaidCard(f"r{n}", 60 + n * 36, 200, 0) for n in range(2, 12))
    shot = render(Scene(row), looks)
    assert seen(recogniser.read(shot.picture)) == laid(shot)


@pytest.mark.parametrize(
    "conditions",
    [
        pytest.param(Conditions(light=0.25, noise=3, blur=0.8), id="dim"),
        pytest.param(Conditions(blur=1.2, jpeg=60), id="soft"),
    ],
)
def test_poor_light(recogniser, looks, conditions):
    shot = render(Scene(grid(["r3", "b4", "y5", "g6", "y9", "b11"], (10, 190))), looks, PinholeCamera(), conditions)
    assert seen(recogniser.read(shot.picture)) == laid(shot)


def test_by_a_candle_few_cards_are_asked_about_and_none_is_wrong(recogniser, looks):
    candle = Conditions(light=0.3, warmth=0.9, shade=0.5, noise=3)
    right = []
    for seed in range(3):
        cards = grid(["r3", "b4", "y5", "g6", "y9", "b11"], (10, 190))
        shot = render(Scene(cards), looks, PinholeCamera(), candle, seed=seed)
        named = seen(recogniser.read(shot.picture))
        assert set(named) <= set(laid(shot))
        right += named
    assert len(right) >= 12


def test_a_speckled_picture(recogniser, looks):
    shot = render(
        Scene(grid(["r3", "b4", "y5", "g6", "y9", "b11"], (10, 190))), looks, PinholeCamera(), Conditions(light=0.5)
    )
    random = np.random.default_rng(5)
    speckled = shot.picture.copy()
    speckled[random.random(speckled.shape[:2]) < 0.06] = 120
    assert seen(recogniser.read(speckled)) == laid(shot)


def test_an_outline_that_is_nearly_the_cards_own_is_no_cover_of_it():
    card = np.array([[100, 100], [200, 100], [200, 240], [100, 240]], float)
    assert not quads.is_another_card_over(card + np.array([0, 20]), card, 1.4)
    assert quads.is_another_card_over(card + np.array([0, 60]), card, 1.4)


def test_copies_of_one_face_are_all_found():
    faces = drawn("cisza", lambda art: art.card in {"drone", "axe", "mines", "surprise"})
    looks = {(card, face): Look(picture, 63, 88) for card, face, picture in faces}
    shot = render(Scene(grid(["drone"] * 4 + ["axe", "drone"], (0, 40, 200))), looks)
    assert seen(Recogniser(build_index(faces)).read(shot.picture)) == laid(shot)


def test_both_sides_of_a_card_are_told_apart():
    faces = with_portraits(lambda art: art.card in {"city-01", "city-40", "city-55"})
    looks = {(card, face): Look(picture, 63, 88) for card, face, picture in faces}
    cards = tuple(LaidCard(card, 80 + 90 * k, 200, 15 * k, face) for k, (card, face, _picture) in enumerate(faces))
    shot = render(Scene(cards), looks)
    assert seen(Recogniser(build_index(faces)).read(shot.picture)) == laid(shot)


def test_strangers_get_no_name(recogniser):
    fables = drawn("fables", lambda art: art.card[0] in "abc")
    looks = {(card, face): Look(picture, 63, 88) for card, face, picture in fables}
    shot = render(Scene(grid([card for card, _face, _picture in fables], (0, 25))), looks, table="dark")
    reading = recogniser.read(shot.picture)
    assert reading.cards == ()
    assert len(reading.unknown) >= 0.7 * len(shot.cards)


def test_strangers_in_the_same_frame_get_no_name():
    faces = drawn("history")
    index = build_index(faces[::2])
    looks = {(card, face): Look(picture, 63, 88) for card, face, picture in faces}
    strangers = [card for card, _face, _picture in faces[1::2]]
    shot = render(Scene(grid(strangers[:12], (5, 185))), looks)
    assert Recogniser(index).read(shot.picture).cards == ()


def test_strangers_with_the_same_drawing_in_them_get_no_name():
    """Tarot's queens and Fables' people are drawn by the same hand: crown, face and gown alike."""
    enrolled = drawn("tarot", lambda art: art.card.endswith(("-11", "-13", "-14")))
    strangers = drawn(
        "fables", lambda art: art.card in {"queen-of-hearts", "cinderella", "three-little-pigs", "snow-white"}
    )
    looks = {(card, face): Look(picture, 70, 120) for card, face, picture in strangers}
    shot = render(Scene(grid([card for card, _face, _picture in strangers], (0, 12))), looks, table="felt")
    assert len(shot.cards) >= 3
    assert Recogniser(build_index(enrolled)).read(shot.picture).cards == ()


@pytest.mark.parametrize("tilt", [30, 45, 55])
def test_a_slanting_view(recogniser, looks, tilt):
    shot = render(Scene(grid(["r4", "b5", "y6", "g7", "r10", "g12"])), looks, PinholeCamera(tilt=tilt, fill=1.2))
    whole = sorted((t.laid.card, t.laid.face) for t in shot.cards if t.visible > 0.95)
    assert len(whole) >= 4
    assert set(whole) <= set(seen(recogniser.read(shot.picture))) <= set(laid(shot))


def test_a_card_half_under_a_stranger_is_named_and_the_stranger_is_not(recogniser, looks):
    other = {("?", ""): Look(drawn("fables")[0][2], 63, 88)}
    cards = (LaidCard("r9", 200, 200), LaidCard("?", 230, 205, 8), LaidCard("b4", 400, 200))
    shot = render(Scene(cards), looks | other)
    assert seen(recogniser.read(shot.picture)) == [("b4", ""), ("r9", "")]


def test_a_reflection_hides_what_is_drawn_and_no_more(recogniser, looks):
    shot = render(Scene((LaidCard("g10", 300, 220, 20),)), looks)
    corners = shot.cards[0].corners
    at = tuple(int(v) for v in corners[0] * 0.5 + corners[2] * 0.5)
    wide = float(np.linalg.norm(corners[1] - corners[0]))
    bright = cv2.circle(shot.picture.copy(), at, round(0.3 * wide), (255, 255, 255), -1)
    (card,) = recogniser.read(bright).cards
    assert card.card == "g10"
    assert card.visible_share < 0.9


@pytest.mark.parametrize("shape", [(1, 1), (30, 2000), (23, 23), (200, 300)])
def test_odd_sizes_are_read_without_a_fuss(recogniser, shape):
    random = np.random.default_rng(1)
    picture = random.integers(0, 255, (*shape, 3)).astype(np.uint8)
    assert recogniser.read(picture).cards == ()


@pytest.mark.parametrize("value", [0, 128, 255])
def test_blank_pictures_hold_nothing(recogniser, value):
    assert recogniser.read(np.full((480, 640, 3), value, np.uint8)).cards == ()


def test_photos_of_another_printing(data):
    recogniser = Recogniser(load_index(open_deck(data / "decks" / "rws-roses-lilies-1909")))
    folder = data / "photos" / "tarot-majors-granite"
    for entry in json.loads((folder / "labels.json").read_text())["images"][:6]:
        reading = recogniser.read(read_picture(folder / entry["image"]))
        assert [card.card for card in reading.cards] == [entry["cards"][0]["card"]]
        assert turn_between(reading.cards[0].turn, 0) < 10


def test_photos_of_a_playmat(data):
    folder = data / "photos" / "trading-cards-playmat"
    recogniser = Recogniser(load_index(open_deck(folder / "deck")))
    for entry in json.loads((folder / "labels.json").read_text())["images"]:
        if entry["image"] in {"test1.jpg", "test4.jpg", "test9.jpg", "test11.jpg", "test14.jpg"}:
            reading = recogniser.read(read_picture(folder / entry["image"]))
            assert [c.card for c in reading.cards] == [c["card"] for c in entry["cards"]], entry["image"]


@pytest.mark.parametrize("shape", [(30, 300, 3), (59, 61, 3), (130, 90, 3)])
def test_a_sliver_of_a_frame_with_known_card_width_reads_empty(recogniser, shape):
    assert recogniser.read(np.full(shape, 90, np.uint8), 150.0).cards == ()


def test_a_table_that_only_gets_darker_has_outlines_and_no_edges():
    grain = np.random.default_rng(5).normal(0, 2, (400, 400))
    table = 150 + 60 / (1 + np.exp((np.add.outer(np.arange(400), np.arange(400)) - 400) / 60)) + grain
    corners = np.array([[150, 110], [250, 110], [250, 250], [150, 250]], np.float64)
    assert not quads.has_edges(table.astype(np.float32), corners)
    with_a_card = table.copy()
    with_a_card[110:250, 150:250] -= 15
    assert quads.has_edges(with_a_card.astype(np.float32), corners)


def outlined(picture, corners):
    """Whether an outline runs within three pixels of four corners."""
    return any(
        np.abs(np.roll(found, turn, axis=0) - corners).max() < 3
        for found in quads.find(picture, 1.4, 45.0)
        for turn in range(4)
    )


def test_a_frame_around_the_table_hides_no_card():
    table = np.full((600, 800, 3), 200, np.uint8)
    cv2.rectangle(table, (20, 30), (780, 572), (30, 30, 30), 6)
    corners = np.array([[300, 200], [400, 200], [400, 340], [300, 340]], np.float64)
    cv2.fillConvexPoly(table, corners.astype(int), (60, 60, 160))
    assert outlined(table, corners)


def test_a_card_as_dark_as_the_table_is_outlined_by_its_colour():
    table = np.full((600, 800, 3), (40, 70, 110), np.uint8)
    corners = np.array([[300, 200], [400, 200], [400, 340], [300, 340]], np.float64)
    # The same grey, another hue.
    cv2.fillConvexPoly(table, corners.astype(int), (190, 60, 74))
    grey = cv2.cvtColor(table, cv2.COLOR_BGR2GRAY)
    assert abs(int(grey[270, 350]) - int(grey[50, 50])) < 4
    assert outlined(table, corners)


def test_the_eye_leaves_products_of_matrices_to_one_thread():
    assert {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"} == {1}
