"""Which face lies at a place: decks in which one thing only tells cards apart."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from benchmarks.vision import families
from benchmarks.vision.tuning import PAGE, page
from companion.catalogue import Catalogue
from companion.kits.cisza import art as cisza
from companion.text import LANGUAGES
from vision import cells, colours, features, identity, place_comparison, posterior
from vision.art import draw_card
from vision.decks import load_index, open_deck
from vision.fitting import fit_face
from vision.geometry import homography_to_quad
from vision.learning import build_index, stood_up
from vision.pictures import read_picture
from vision.recognise import Recogniser
from vision.simulated import Conditions, LaidCard, Look, PinholeCamera, Scene, render

INKS = {"red": (40, 40, 200), "green": (60, 150, 40), "blue": (190, 90, 30), "yellow": (40, 200, 230)}


def number_card(ink, number):
    """White paper, a coloured field, a large white number."""
    picture = np.full((440, 315, 3), 250, np.uint8)
    cv2.rectangle(picture, (22, 22), (292, 417), ink, -1)
    (wide, tall), _base = cv2.getTextSize(number, cv2.FONT_HERSHEY_DUPLEX, 7, 24)
    cv2.putText(picture, number, (157 - wide // 2, 220 + tall // 2), cv2.FONT_HERSHEY_DUPLEX, 7, (250,) * 3, 24)
    return picture


@pytest.fixture(scope="module")
def numbers():
    return [(f"{name}-{n}", "", number_card(ink, str(n))) for name, ink in INKS.items() for n in (3, 5, 6, 8)]


@pytest.fixture(scope="module")
def eye(numbers):
    return Recogniser(build_index(numbers))


def table(faces, names, **conditions):
    looks = {(card, face): Look(picture, 63, 88) for card, face, picture in faces}
    cards = tuple(LaidCard(name, 70 + k % 5 * 115, 120 + k // 5 * 190, 23 * k) for k, name in enumerate(names))
    return render(Scene(cards), looks, PinholeCamera(tilt=10), Conditions(**conditions), "felt", seed=3)


def posterior_at(eye, picture, face, corners):
    """What is decided where a card lies, having begun with some face."""
    levels = cells.levels_of(features.luminance(picture))
    place = posterior.PreparedPicture(levels, colours.ColourPyramid(picture))
    fine = eye.index.fine
    fit = fit_face(eye.index, place.levels, face, homography_to_quad(corners, fine.width, fine.height))
    return posterior.posterior_of(eye.index, place, fit)


@pytest.mark.parametrize("warmth", [0.0, 0.5])
def test_colours_and_numbers_are_told_apart(eye, numbers, warmth):
    names = [card for card, _face, _picture in numbers][::2]
    shot = table(numbers, names, light=0.8, warmth=warmth)
    assert sorted(card.card for card in eye.read(shot.picture).cards) == sorted(names)


def test_printings_of_one_face_are_no_rivals():
    # One card in four languages: whichever printing a pose was found by, the one that lies there is compared.
    printed = [
        (art.card, art.face, draw_card(art, cisza.SIZE, 150))
        for language in LANGUAGES
        for art in cisza.cards(Catalogue(language).translate)
        if art.card in ("city", "axe", "barricade", "drone")
    ]
    eye = Recogniser(build_index(printed, 88 / 63))
    half = Scene((LaidCard("city", 100, 100, 0, "survivor"), LaidCard("axe", 135, 100)))
    polish = {(card, face): Look(picture, 63, 88) for card, face, picture in printed[-4:]}
    shot = render(half, polish, PinholeCamera(), Conditions(), "cloth", seed=1)
    for number, face in enumerate(eye.index.faces):
        if face.card == "city":
            found = posterior_at(eye, shot.picture, number, shot.cards[0].corners)
            assert found.fit.face == len(printed) - 4
    asked = [posterior.FaceHypothesis(number, False) for number in range(len(printed))]
    assert len(identity.best_printings(eye.index, asked, np.arange(len(asked)))) == 4
    assert {eye.index.faces[other].card for other in eye.index.nearest_faces[0]} == {"axe", "barricade", "drone"}


@pytest.mark.parametrize("start", ["blue-5", "red-8", "green-6"])
def test_whoever_is_tried_first_the_likeliest_face_wins(eye, numbers, start):
    shot = table(numbers, ["red-5"], light=0.7)
    names = [face.card for face in eye.index.faces]
    found = posterior_at(eye, shot.picture, names.index(start), shot.cards[0].corners)
    assert names[found.fit.face] == "red-5"
    assert found.lead > 3


def test_a_face_that_was_not_compared_in_detail_is_not_named(monkeypatch, eye, numbers):
    shot = table(numbers, ["red-5"])
    other = next(n for n, face in enumerate(eye.index.faces) if face.card == "blue-5")
    compared = place_comparison.PlaceComparison({}, {identity.FaceHypothesis(other, False): -6.0})
    monkeypatch.setattr(place_comparison, "compare", lambda *_what: compared)
    found = posterior_at(eye, shot.picture, 0, shot.cards[0].corners)
    assert "red-5" not in dict(found.cards) or dict(found.cards)["red-5"] == 0
    assert not found.can_be_named


def test_the_same_number_in_a_strange_colour_is_a_stranger(numbers):
    shot = table(numbers, ["blue-3", "blue-6", "red-3", "red-6"])
    known = Recogniser(build_index([face for face in numbers if not face[0].startswith("blue")]))
    assert {card.card for card in known.read(shot.picture).cards} <= {"red-3", "red-6"}


def test_a_doubt_goes_out_as_names_with_probabilities(eye, numbers):
    shot = table(numbers, ["red-5"], light=0.7)
    names = [face.card for face in eye.index.faces]
    found = posterior_at(eye, shot.picture, names.index("red-5"), shot.cards[0].corners)
    (first, chance), *others = posterior.offered_names(found)
    assert first == "red-5"
    assert chance > 0.5
    assert chance + sum(p for _n, p in others) <= 1.01


def test_a_print_that_lies_askew_on_its_card_is_still_itself(numbers):
    # As reference photos are cut, or decks printed: everything on the card is shifted by 2 %.
    shifted = [
        (card, face, np.roll(picture, (9 * (k % 3 - 1), 6 * (k % 2)), (0, 1)))
        for k, (card, face, picture) in enumerate(numbers)
    ]
    names = ["red-3", "blue-8", "green-5", "yellow-6"]
    shot = table(numbers, names, light=0.8)
    found = Recogniser(build_index(shifted)).read(shot.picture)
    assert {card.card for card in found.cards} <= set(names)
    assert len(found.cards) >= 3


def test_references_may_lie_on_their_side(eye, numbers):
    lying = [(card, face, np.ascontiguousarray(np.rot90(picture))) for card, face, picture in numbers]
    names = ["red-3", "blue-8", "green-5", "yellow-6"]
    shot = table(numbers, names, light=0.8)
    found = Recogniser(build_index(lying)).read(shot.picture)
    assert sorted(card.card for card in found.cards) == sorted(names)
    assert stood_up(lying[0][2]).shape == numbers[0][2].shape


def test_photos_of_number_cards(data):
    folder = data / "photos" / "number-cards"
    recogniser = Recogniser(load_index(open_deck(folder / "deck")))
    labels = json.loads((folder / "labels.json").read_text())["images"]
    missed = 0
    for name, wanted in list(labels.items())[::4]:
        named = [card.card for card in recogniser.read(read_picture(folder / "images" / name)).cards]
        assert set(named) <= set(wanted), name
        missed += named != wanted
    assert missed <= 1


@pytest.mark.parametrize("kind", families.KINDS)
def test_families_are_what_they_say(kind):
    faces = families.deck(kind, 5)
    assert len({card for card, _face, _picture in faces}) == len(faces)
    again = families.deck(kind, 5)
    assert all((one[2] == other[2]).all() for one, other in zip(faces, again, strict=True))
    other = families.deck(kind, 6)
    assert faces[0][2].shape == other[0][2].shape
    assert any((one[2] != two[2]).any() for one, two in zip(faces, other, strict=False))


def test_the_page_of_tunable_numbers_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page()


def symbols(ink, shape, count):
    """One to three symbols in a thin line on white paper."""
    picture = np.full((440, 315, 3), 245, np.uint8)
    for k in range(count):
        x, y = 157, 220 + 110 * k - 55 * (count - 1)
        if shape == "disc":
            cv2.circle(picture, (x, y), 38, ink, 7, cv2.LINE_AA)
        else:
            cv2.rectangle(picture, (x - 36, y - 36), (x + 36, y + 36), ink, 7, cv2.LINE_AA)
    return picture


def test_a_stranger_in_another_ink_of_the_deck_gets_no_name():
    # Every other card is enrolled, so that each of the others has its like in another ink.
    inks = {"brick": (44, 72, 176), "plum": (98, 44, 120), "moss": (44, 110, 84), "cyan": (200, 160, 20)}
    deck = [
        (f"{name}-{shape}-{count}", "", symbols(ink, shape, count))
        for name, ink in inks.items()
        for shape in ("disc", "square")
        for count in (1, 2, 3)
    ]
    enrolled = [face for n, face in enumerate(deck) if (n + n // 6) % 2]
    laid = [card for card, _face, _picture in deck[::3]]
    found = Recogniser(build_index(enrolled)).read(table(deck, laid, light=0.8, warmth=0.3).picture)
    assert sorted(card.card for card in found.cards) == sorted({card for card, _face, _picture in enrolled} & set(laid))
