"""Decks from all kinds of folders, sound and broken."""

from __future__ import annotations

import itertools
import shutil

import cv2
import numpy as np
import pytest

from companion.table.decks import DECKS, deck_called, drawn_deck
from tests.vision.conftest import with_portraits
from vision.art import draw_card
from vision.art.decks import two_sided
from vision.decks import load_index, open_deck
from vision.decks.cache import FILE
from vision.decks.enrol import Enrolment, card_picture_quality_of, enrolment_of, indistinguishable_cards
from vision.decks.importing import import_folder, import_photo, look_at, read_list
from vision.errors import DeckError, PictureError, VisionError
from vision.pictures import read_picture, write_picture
from vision.recognise import Recogniser
from vision.simulated import LaidCard, Look, PinholeCamera, Scene, render


@pytest.fixture
def folder(tmp_path, silencio):
    place = tmp_path / "deck"
    place.mkdir()
    for card, _face, picture in silencio[:4]:
        write_picture(place / f"{card}.png", picture)
    return place


def test_a_plain_folder_is_a_deck(folder):
    (folder / "notes.txt").write_text("junk")
    (folder / ".hidden.png").write_bytes(b"junk")
    (folder / "sub").mkdir()
    assert open_deck(folder).cards == ("r2", "r3", "r4", "r5")


def test_second_pictures_belong_to_their_card(folder):
    shutil.copy(folder / "r2.png", folder / "r2~2.png")
    deck = open_deck(folder)
    assert deck.cards == ("r2", "r3", "r4", "r5")
    assert len(deck.faces[0].pictures) == 2


def test_the_index_is_cached_and_rebuilt_when_a_picture_changes(folder, silencio):
    deck = open_deck(folder)
    first = load_index(deck)
    cached = (folder / FILE).stat().st_mtime_ns
    again = load_index(deck)
    assert (folder / FILE).stat().st_mtime_ns == cached
    assert np.array_equal(first.fine.cells, again.fine.cells)
    assert again.faces == first.faces
    write_picture(folder / "r2.png", silencio[20][2])
    assert not np.array_equal(load_index(deck).fine.cells, first.fine.cells)


@pytest.mark.parametrize("junk", [b"", b"PK\x03\x04 not a zip", b"\x00" * 100])
def test_a_corrupt_cache_is_replaced(folder, junk):
    (folder / FILE).write_bytes(junk)
    assert len(load_index(open_deck(folder)).faces) == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = ", "can't be read"),
        ("name = 'x'", "names no cards"),
        ("[[card]]\nid = 'r2'\n[[card]]\nid = 'r2'", "twice"),
        ("[[card]]\nid = 'r2'\npictures = ['gone.png']", "gone.png"),
        ("[[card]]\nname = 'no id'", "isn't right"),
    ],
)
def test_a_wrong_deck_file_is_explained(folder, text, said):
    (folder / "deck.toml").write_text(text)
    with pytest.raises(DeckError, match=said):
        open_deck(folder)


def test_no_deck_and_an_empty_one(tmp_path):
    with pytest.raises(DeckError, match="no deck folder"):
        open_deck(tmp_path / "none")
    with pytest.raises(DeckError, match="no pictures"):
        open_deck(tmp_path)


def test_a_broken_picture_in_a_deck_is_named(folder):
    (folder / "r9.png").write_bytes(b"\x89PNG broken")
    with pytest.raises(PictureError, match=r"r9\.png"):
        load_index(open_deck(folder))


def test_the_arcana_land_format(tmp_path, silencio):
    for place in ("h512/major_arcana", "h512/minor_arcana/cups"):
        (tmp_path / place).mkdir(parents=True)
    write_picture(tmp_path / "h512/major_arcana/00.png", silencio[0][2])
    write_picture(tmp_path / "h512/minor_arcana/cups/ace.png", silencio[1][2])
    write_picture(tmp_path / "h512/minor_arcana/cups/king.png", silencio[2][2])
    (tmp_path / "deck.toml").write_text('[deck]\nid = "x"\nname = "X"\nschema_version = "1.0"\n')
    assert open_deck(tmp_path).cards == ("major-00", "cups-01", "cups-14")
    made, _detector_variants = import_folder(tmp_path, tmp_path / "ours")
    assert open_deck(made.folder).cards == made.cards


def laid_out(cards, looks, columns=13, gap=7.0, table="felt", size=(1600, 900), **camera):
    """A photo of cards in rows."""
    step = (63 + gap, 88 + gap)
    laid = tuple(
        LaidCard(card, 70 + k % columns * step[0], 90 + k // columns * step[1], (k * 37 % 11 - 5) / 8)
        for k, card in enumerate(cards)
        if card
    )
    scene = Scene(laid, columns * step[0] + 80, -(-len(cards) // columns) * step[1] + 100)
    return render(scene, looks, PinholeCamera(*size, **camera), table=table)


def imported(tmp_path, picture, cards, name="deck"):
    write_picture(tmp_path / "photo.png", picture)
    (tmp_path / "list.txt").write_text("\n".join(cards))
    listed = read_list(tmp_path / "list.txt")
    photo = look_at(tmp_path / "photo.png", 88 / 63, len(listed.cards))
    return import_photo(photo, tmp_path / name, listed)


@pytest.fixture(scope="module")
def whole_deck(silencio):
    """52 cards, each with one of its sides."""
    return dict(list({card: picture for card, _face, picture in silencio}.items())[:52])


@pytest.mark.parametrize(("table", "gap"), [("felt", 7.0), ("wood", 8.0), ("white", 6.0)])
def test_one_small_photo_of_a_whole_deck(tmp_path, whole_deck, table, gap):
    looks = {(card, ""): Look(picture, 63, 88) for card, picture in whole_deck.items()}
    cards = list(whole_deck)
    assert len(cards) == 52
    shot = laid_out(cards, looks, table=table, gap=gap, tilt=8)
    deck = imported(tmp_path, shot.picture, cards)
    assert list(open_deck(deck.folder).cards) == cards
    found = look_at(tmp_path / "photo.png", 88 / 63, 52).spread.cards
    for card, corners, laid in zip(cards, found, shot.cards, strict=True):
        assert np.abs(corners - laid.corners).max() < 0.06 * np.linalg.norm(laid.corners[1] - laid.corners[0]), card


@pytest.mark.parametrize("table", ["felt", "white"])
def test_what_is_drawn_on_the_cards_is_not_taken_for_cards(tmp_path, whole_deck, table):
    """The cards touch, and on each the upper half and a white field have outlines."""
    looks = {(card, ""): Look(picture, 63, 88) for card, picture in whole_deck.items()}
    shot = laid_out(list(whole_deck), looks, table=table, gap=1.5, tilt=8)
    with pytest.raises(DeckError, match=r"shows .* cards"):
        imported(tmp_path, shot.picture, list(whole_deck))


def test_a_place_without_a_card_is_told(tmp_path, silencio, looks):
    cards = [card for card, face, _picture in silencio if not face][:26]
    there = [*cards[:6], "", *cards[7:]]
    with pytest.raises(DeckError, match=rf"25 of the 26 .*: row 1, place 7 has no card \({cards[6]}\)"):
        imported(tmp_path, laid_out(there, looks).picture, cards)
    with pytest.raises(DeckError, match=r"shows 26 cards .*names 25"):
        imported(tmp_path, laid_out(cards, looks).picture, cards[:-1])
    deck = imported(tmp_path, laid_out(cards, looks).picture, [*cards[:-1], "-"])
    assert list(deck.cards) == cards[:-1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names no cards"),
        ("r2\nr3\nr2", "r2 is in line 1 and again in line 3"),
        ("../r2", "line 1: ../r2 is no card"),
    ],
)
def test_a_wrong_list_is_told_by_its_line(tmp_path, text, said):
    (tmp_path / "list.txt").write_text(text)
    with pytest.raises(DeckError, match=said):
        read_list(tmp_path / "list.txt")


def test_unreadable_pictures_are_told_together_and_nothing_is_imported(folder, tmp_path):
    (folder / "b2.jpg").write_text("no picture")
    (folder / "b3.jpg").write_bytes(b"")
    with pytest.raises(DeckError, match=r"b2\.jpg.*b3\.jpg"):
        import_folder(folder, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_cards_that_a_deck_does_not_have_are_told_with_the_likeliest(folder, tmp_path):
    write_picture(folder / "red-2.png", read_picture(folder / "r2.png"))
    with pytest.raises(DeckError, match=r"silencio has no such cards: red-2\.png: red-2"):
        import_folder(folder, tmp_path / "new", ["r2", "r3", "r4", "r5"], "silencio")


def test_a_deck_is_the_same_however_its_pictures_lie(tmp_path, silencio):
    faces = [(card, picture) for card, face, picture in silencio if not face][:16]
    ways = {"standing": [0], "left": [3], "right": [1], "mixed": [0, 0, 3, 0, 1]}
    learnt = {}
    for way, quarters in ways.items():
        (tmp_path / way).mkdir()
        for number, (card, picture) in enumerate(faces):
            lying = np.ascontiguousarray(np.rot90(picture, -quarters[number % len(quarters)]))
            write_picture(tmp_path / way / f"{card}.png", lying)
        learnt[way] = load_index(open_deck(tmp_path / way))
        made, _detector_variants = import_folder(tmp_path / way, tmp_path / f"{way}-imported")
        assert all(np.subtract(*read_picture(f.pictures[0]).shape[:2]) > 0 for f in made.faces)
    for way in ("left", "mixed"):
        assert np.array_equal(learnt[way].fine.cells, learnt["standing"].fine.cells), way
        assert learnt[way].faces == learnt["standing"].faces
    assert learnt["right"].aspect == learnt["standing"].aspect


def test_the_same_names_are_read_with_landscape_pictures(tmp_path, silencio, looks):
    faces = [(card, picture) for card, face, picture in silencio if not face][:16]
    laid = tuple(LaidCard(card, 60 + 75 * k, 110, 40 * k) for k, (card, _picture) in enumerate(faces[::3]))
    shot = render(Scene(laid, 500, 220), looks, PinholeCamera(1280, 960), table="wood")
    names = {}
    for way, quarters in {"standing": 0, "left": 3, "right": 1}.items():
        (tmp_path / way).mkdir()
        for card, picture in faces:
            write_picture(tmp_path / way / f"{card}.png", np.ascontiguousarray(np.rot90(picture, -quarters)))
        made, _detector_variants = import_folder(tmp_path / way, tmp_path / f"{way}-imported")
        for deck in (open_deck(tmp_path / way), made):
            found = Recogniser(load_index(deck)).read(shot.picture).cards
            names[deck.folder.name] = sorted(one.card for one in found)
    assert len(names) == 6
    assert set(map(tuple, names.values())) == {tuple(sorted(one.card for one in laid))}, names


def test_drawn_decks_are_complete():
    counts = {name: len({art.card for art in deck.cards()}) for name, deck in DECKS.items()}
    assert counts == {"silencio": 48 + 5 + 2, "fables": 32, "history": 32, "tarot": 78, "cisza": 1 + 55 + 16}
    copies = sum(art.copies for art in DECKS["cisza"].cards() if not art.face)
    assert copies == 55


@pytest.mark.parametrize("name", DECKS)
def test_no_two_cards_of_a_drawn_deck_look_alike(name):
    assert indistinguishable_cards(load_index(open_deck(drawn_deck(name)))) == []


def test_the_survivors_side_is_the_same_whatever_is_behind_it():
    """CIS-01: nobody may know an underside, nor learn it in ten games: the fronts of every kind are one picture."""
    fronts = {}
    for front, back in two_sided(DECKS["cisza"].cards()):
        picture = draw_card(front, DECKS["cisza"].size, 60).tobytes()
        fronts.setdefault(back.title.rpartition(" ")[2], []).append(picture)
    assert {kind: len(pictures) for kind, pictures in fronts.items()} == {
        "regular": 23, "strong": 12, "fast": 18, "horde": 2,
    }  # fmt: skip
    assert len({picture for pictures in fronts.values() for picture in pictures}) == 1


def test_a_city_cards_place_on_the_sheets_tells_nothing():
    kinds = [back.title.rpartition(" ")[2] for _front, back in two_sided(DECKS["cisza"].cards())]
    assert sum(one != other for one, other in itertools.pairwise(kinds)) > 25, "not in sorted order"
    assert all(len(set(kinds[start : start + 9])) > 1 for start in range(0, 54, 9))


def test_portraits_of_a_deck_of_ones_own_are_one_side(tmp_path):
    """The real game's survivors differ; enrolled one by one, they're pictures of the same side."""
    enrolment = enrolment_of(DECKS["cisza"], tmp_path)
    assert len(enrolment.cards) == 55 + 55 + 16
    assert {enrolment.side_of(f"city-{number:02}-survivor") for number in range(1, 56)} == {("city", "survivor")}
    for card, face, picture in with_portraits(lambda art: art.card in ("city-07", "city-08")):
        if (card, face) != ("city-08", "zombie"):
            write_picture(enrolment.path_of(f"{card}-{face}"), picture)
    assert enrolment.finish() == []
    faces = {(face.card, face.face): len(face.pictures) for face in open_deck(tmp_path).faces}
    assert faces == {("city", "survivor"): 2, ("city-07", "zombie"): 1}


def test_a_drawn_deck_is_a_deck(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    deck = open_deck(drawn_deck("fables"))
    assert "queen-of-hearts" in deck.cards
    assert deck.names["queen-of-hearts"]["en"] == "Queen of Hearts"
    assert deck.aspect == pytest.approx(88 / 63)
    assert drawn_deck("fables") == deck.folder


def test_enrolment_goes_on_where_it_stopped(tmp_path, looks):
    enrolment = Enrolment(tmp_path / "mine", ["r2", "b8"], (63, 88))
    frame = render(Scene((LaidCard("r2", 300, 220),)), looks, table="dark").picture
    found = enrolment.find(frame)
    assert found is not None
    assert found.problem == ""
    enrolment.keep("r2", found)
    assert Enrolment(tmp_path / "mine", ["r2", "b8"], (63, 88)).missing() == ["b8"]
    assert enrolment.finish() == []
    assert open_deck(tmp_path / "mine").cards == ("r2",)
    assert enrolment.find(np.zeros((480, 640, 3), np.uint8)) is None


def test_enrolment_refuses_blurred_and_glaring_cards(silencio):
    picture = silencio[0][2]
    assert card_picture_quality_of(picture).problem == ""
    assert "sharp" in card_picture_quality_of(cv2.GaussianBlur(picture, (0, 0), 9)).problem
    glaring = picture.copy()
    cv2.circle(glaring, (180, 250), 80, (255, 255, 255), -1)
    assert "lamp" in card_picture_quality_of(glaring).problem
    assert not card_picture_quality_of(picture // 10).is_lit


@pytest.mark.parametrize("turn", [-15, 0, 15])
def test_a_card_is_enrolled_the_way_up_it_lies(tmp_path, looks, turn):
    enrolment = enrolment_of(DECKS["silencio"], tmp_path / "mine")
    for card in ("r2", "b7", "y5", "g12"):
        shot = render(Scene((LaidCard(card, 110, 82, turn),), 240, 180), looks, table="wood")
        found = enrolment.find(shot.picture)
        assert found is not None
        assert np.abs(found.corners - shot.cards[0].corners).max() < 12, card


def test_both_sides_of_a_card_are_enrolled_as_one_card(tmp_path, looks):
    enrolment = enrolment_of(DECKS["silencio"], tmp_path / "mine")
    for face in ("lit", "unlit"):
        scene = Scene((LaidCard("shrine-red", 110, 82, face=face),), 240, 180)
        found = enrolment.find(render(scene, looks, table="wood").picture)
        enrolment.keep(f"shrine-red-{face}", found)
    enrolment.finish()
    faces = open_deck(tmp_path / "mine").faces
    assert {(one.card, one.face) for one in faces} == {("shrine-red", "lit"), ("shrine-red", "unlit")}


def test_an_unknown_deck_cant_be_enrolled():
    with pytest.raises(DeckError, match="there are silencio"):
        deck_called("../chess")


@pytest.mark.parametrize("content", [b"", b"no picture at all", b"\xff\xd8\xff\xe0 cut off"])
def test_broken_pictures_are_explained(tmp_path, content):
    path = tmp_path / "broken.jpg"
    path.write_bytes(content)
    with pytest.raises(PictureError, match=r"broken\.jpg"):
        read_picture(path)
    with pytest.raises(PictureError, match="no picture"):
        read_picture(tmp_path / "absent.jpg")


def test_grey_deep_and_transparent_pictures(tmp_path):
    for name, picture in {
        "grey.png": np.full((40, 30), 90, np.uint8),
        "deep.png": np.full((40, 30, 3), 40000, np.uint16),
        "clear.png": np.full((40, 30, 4), 90, np.uint8),
    }.items():
        cv2.imwrite(str(tmp_path / name), picture)
        read = read_picture(tmp_path / name)
        assert read.dtype == np.uint8
        assert read.shape == (40, 30, 3)


def test_exif_turns_the_picture(tmp_path):
    from PIL import Image

    image = Image.fromarray(np.zeros((20, 60, 3), np.uint8))
    exif = image.getexif()
    exif[0x0112] = 6
    image.save(tmp_path / "turned.jpg", exif=exif)
    assert read_picture(tmp_path / "turned.jpg").shape[:2] == (60, 20)


def test_errors_speak_english_by_themselves():
    assert str(VisionError("no {what}", what="light")) == "no light"
    assert Look(np.zeros((2, 2, 3), np.uint8)).width == 70
