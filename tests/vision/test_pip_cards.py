"""Cards as most people have them: white paper, pips that repeat, the same either way up. Drawn here, by the test."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from vision import cells, features, identity, posterior, quads
from vision.decks.importing import import_photo, look_at, read_list
from vision.fitting import fit_face
from vision.geometry import turn_between, turn_of
from vision.learning import build_index
from vision.pipeline import decision
from vision.reading import Reader
from vision.recognise import Recogniser
from vision.simulated import Conditions, LaidCard, Look, PinholeCamera, Scene, render
from vision.tracking import Tracker

SIZE = (63.0, 88.0)
WIDE, TALL = 400, 559
# Where pips lie, as shares of the card; each but those in the middle row stands again the other way up.
PLACES = {
    "2": [(0.5, 0.22)],
    "4": [(0.3, 0.22), (0.7, 0.22)],
    "6": [(0.3, 0.22), (0.7, 0.22)],
    "8": [(0.3, 0.2), (0.7, 0.2), (0.3, 0.4), (0.7, 0.4)],
}
UPRIGHT = {"3": [(0.5, 0.5)], "5": [(0.3, 0.5), (0.7, 0.5), (0.5, 0.3)]}
INK = {"disc": (30, 30, 200), "arrow": (30, 30, 30)}


def pip(picture, suit, x, y, up=True):
    """A disc, which is the same either way up, or an arrow, which isn't."""
    if suit == "disc":
        cv2.circle(picture, (round(x), round(y)), 34, INK[suit], -1, cv2.LINE_AA)
        return
    away = -1 if up else 1
    points = [(0, 40 * away), (32, 0), (12, 0), (12, -38 * away), (-12, -38 * away), (-12, 0), (-32, 0)]
    cv2.fillPoly(picture, [np.array([(x + dx, y + dy) for dx, dy in points], np.int32)], INK[suit], cv2.LINE_AA)


def drawn(suit, rank):
    picture = np.full((TALL, WIDE, 3), 255, np.uint8)
    for x, y in PLACES.get(rank, []):
        pip(picture, suit, x * WIDE, y * TALL)
        pip(picture, suit, (1 - x) * WIDE, (1 - y) * TALL, up=False)
    if rank == "6":
        for x in (0.3, 0.7):
            pip(picture, suit, x * WIDE, TALL / 2)
    for x, y in UPRIGHT.get(rank, []):
        pip(picture, suit, x * WIDE, y * TALL)
    for _ in range(2):
        cv2.putText(picture, rank, (14, 64), cv2.FONT_HERSHEY_DUPLEX, 1.9, INK[suit], 4, cv2.LINE_AA)
        picture = np.ascontiguousarray(picture[::-1, ::-1])
    return picture


@pytest.fixture(scope="module")
def faces():
    return [(f"{suit}-{rank}", "", drawn(suit, rank)) for suit, rank in itertools.product(INK, [*PLACES, *UPRIGHT])]


@pytest.fixture(scope="module")
def eye(faces):
    return Recogniser(build_index(faces, SIZE[1] / SIZE[0]))


@pytest.fixture(scope="module")
def looks(faces):
    return {(card, face): Look(picture, *SIZE) for card, face, picture in faces}


def test_what_looks_the_same_either_way_is_known(eye):
    either = {face.card for face in eye.index.faces if face.either_way}
    assert either >= {"disc-2", "disc-3", "disc-4", "disc-6", "disc-8", "arrow-2", "arrow-4", "arrow-8"}
    assert not either & {"disc-5", "arrow-5", "arrow-6"}


def test_white_paper_is_no_reflection(eye, faces):
    for card, _face, picture in faces:
        # As a scan has it: paper as white as white gets.
        table = np.full((700, 900, 3), (60, 90, 60), np.uint8)
        spin = cv2.getRotationMatrix2D((WIDE / 2, TALL / 2), 33, 0.5)
        spin[:, 2] += (250, 70)
        cv2.warpAffine(picture, spin, (900, 700), table, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
        (found,) = eye.read(table).cards
        assert found.card == card
        assert turn_between(found.turn, 327, found.either_way) < 3


def test_white_ink_on_a_dark_card_is_no_reflection(faces):
    def dark(picture):
        is_ink = np.repeat(picture.min(axis=2, keepdims=True) < 128, 3, axis=2)
        return np.where(is_ink, np.uint8(255), np.uint8(40))

    index = build_index([(card, face, dark(picture)) for card, face, picture in faces], SIZE[1] / SIZE[0])
    for number, (_card, _face, picture) in enumerate(faces):
        pose = np.diag([WIDE / index.fine.width, TALL / index.fine.height, 1.0])
        grey = features.luminance(dark(picture))
        fit = fit_face(index, cells.levels_of(grey), number, pose)
        assert fit.glare is not None
        assert not fit.glare.any()


@pytest.mark.parametrize("top", ["felt", "dark", "wood"])
def test_pip_cards_on_a_table(eye, looks, faces, top):
    # Cards with one or two marks have little to be told by: about those the eye may ask.
    names = [card for card, _face, _picture in faces]
    cards = tuple(LaidCard(name, 75 + k % 5 * 115, 75 + k // 5 * 120, 37 * k) for k, name in enumerate(names))
    shot = render(Scene(cards), looks, PinholeCamera(tilt=12), Conditions(warmth=0.2), top, seed=4)
    found = eye.read(shot.picture)
    named = [card.card for card in found.cards]
    assert set(named) <= set(names)
    assert set(names) - set(named) <= {"arrow-2", "arrow-3", "disc-3"}
    assert len(named) == len(set(named))
    for card in found.cards:
        truth = next(truth for truth in shot.cards if truth.laid.card == card.card)
        assert turn_between(card.turn, turn_of(truth.corners), card.either_way) < 5


def test_a_piece_is_told_from_what_repeats_in_it(eye, looks):
    # Of an eight that another card covers by a third, four pips are those of a four, in another place.
    laid = (LaidCard("arrow-8", 200, 200), LaidCard("disc-3", 243, 200))
    for top in ("felt", "dark"):
        shot = render(Scene(laid), looks, PinholeCamera(tilt=8), table=top, seed=2)
        assert {card.card for card in eye.read(shot.picture).cards} <= {"arrow-8", "disc-3"}


def test_half_a_turn_of_such_a_card_is_no_event(eye, looks):
    tracker = Tracker(Reader(eye))
    events = []
    for turn in (8, 188):
        events.clear()
        for _ in range(6):
            scene = Scene((LaidCard("disc-8", 200, 200, turn), LaidCard("arrow-6", 400, 200, turn)))
            events += tracker.look(render(scene, looks, table="felt").picture)[1]
    assert [(event.change.value, event.card) for event in events] == [("turned", "arrow-6")]


def test_outlines_are_exact(looks):
    for turn in (0, 20, 75):
        shot = render(Scene((LaidCard("disc-4", 300, 220, turn),)), looks, PinholeCamera(tilt=20), table="dark")
        (outline,) = quads.find(shot.picture, SIZE[1] / SIZE[0], 45)
        truth = shot.cards[0].corners
        away = min(np.abs(np.roll(outline, k, axis=0) - truth).max() for k in range(4))
        assert away < 0.025 * np.linalg.norm(truth[0] - truth[1])


@pytest.mark.parametrize("turn", [0, 5, -6])
def test_a_laid_out_deck_is_read_row_by_row_however_the_photo_is_turned(tmp_path, looks, faces, turn):
    names = [card for card, _face, _picture in faces]
    cards = tuple(LaidCard(name, 60 + k % 6 * 95, 110 + k // 6 * 130) for k, name in enumerate(names))
    camera = PinholeCamera(width=2400, height=1800, tilt=15, around=turn)
    shot = render(Scene(cards), looks, camera, table="felt")
    photo = tmp_path / "photo.png"
    cv2.imwrite(str(photo), shot.picture)
    (tmp_path / "list.txt").write_text(" ".join(names))
    found = look_at(photo, SIZE[1] / SIZE[0], len(names))
    for outline, truth in zip(found.spread.cards, shot.cards, strict=True):
        assert np.linalg.norm(outline.mean(axis=0) - truth.corners.mean(axis=0)) < 10
    deck = import_photo(found, tmp_path / "deck", read_list(tmp_path / "list.txt"))
    assert [face.card for face in deck.faces] == names


def test_who_wins_a_contest_leads_over_another(monkeypatch, eye, looks, faces):
    # A winner's lead is its own, never one that it was given as the loser of the round before.
    likelihoods = []
    posterior_of = posterior.posterior_of

    def watched(index, picture, fit, *more):
        likelihoods.append(identity.likelihood_of(index, picture, fit))
        return posterior_of(index, picture, fit, *more)

    monkeypatch.setattr(decision, "posterior_of", watched)
    names = [card for card, _face, _picture in faces]
    for step in (30, 45):
        row = tuple(LaidCard(name, 60 + k * step, 100 + k % 2 * 200, 7 * k) for k, name in enumerate(names))
        eye.read(render(Scene(row), looks, table="cloth", seed=step).picture)
    assert len(likelihoods) > 5
    for likelihood in likelihoods:
        assert all(rival.hypothesis.face != likelihood.fit.face for rival in likelihood.rivals)
