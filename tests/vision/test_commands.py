"""The eye's verbs, as a person types them."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from companion.cli import make_app
from companion.commands.given import Given
from vision.pictures import read_picture, write_picture
from vision.simulated import LaidCard, Scene, render


@pytest.fixture
def run():
    return lambda *words: CliRunner().invoke(make_app(Given()), [str(word) for word in words])


@pytest.fixture
def photo(tmp_path, looks):
    path = tmp_path / "photos" / "table.png"
    path.parent.mkdir()
    write_picture(path, render(Scene((LaidCard("r5", 150, 200), LaidCard("b9", 350, 200, 180))), looks).picture)
    return path


@pytest.fixture
def deck(tmp_path, silencio):
    place = tmp_path / "deck"
    place.mkdir()
    for card, face, picture in silencio[:24]:
        assert not face
        write_picture(place / f"{card}.png", picture)
    return place


def test_see_tells_what_lies_there_as_json(run, photo, deck, tmp_path):
    result = run("see", photo.parent, "--deck", deck, "--json", "--draw", tmp_path / "drawn.png")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout.strip())
    assert set(told) == {"picture", "width", "height", "ms", "cards", "unknown"}
    assert (told["width"], told["height"]) == (1280, 960)
    cards = {card["card"]: card for card in told["cards"]}
    assert set(cards) == {"r5", "b9"}
    assert set(cards["r5"]) == {"card", "face", "corners", "turn", "confidence", "visible"}
    assert abs(cards["b9"]["turn"] - 180) < 5
    assert len(cards["r5"]["corners"]) == 4
    assert read_picture(tmp_path / "drawn.png").shape == (960, 1280, 3)


def test_see_speaks_to_people_too(run, photo, deck):
    result = run("see", photo, "--deck", deck)
    assert result.exit_code == 0
    assert "r5" in result.stdout


@pytest.mark.parametrize("words", [("see", "absent.png"), ("see", ".")])
def test_see_explains_what_is_missing(run, words, tmp_path, monkeypatch, deck):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x").mkdir()
    result = run("see", "absent.png" if words[1] != "." else "x", "--deck", deck)
    assert result.exit_code == 1
    assert "Traceback" not in result.output
    assert run("see", "absent.png", "--deck", "no-such-deck").exit_code == 1


@pytest.mark.parametrize("what", ["markers", "panel"])
def test_print_makes_a_pdf(run, what, tmp_path):
    target = tmp_path / "out.pdf"
    result = run("print", what, "--paper", "letter", "--out", target)
    assert result.exit_code == 0, result.output
    assert target.read_bytes().startswith(b"%PDF")


def test_print_says_how_to_print_on_both_sides(run, tmp_path):
    both = run("print", "Fables", "--out", tmp_path / "both.pdf")
    assert (both.exit_code, "pages: 8" in both.stdout, "both sides" in both.stdout) == (0, True, True)
    one = run("print", "fables", "--fronts-only", "--low-ink", "--out", tmp_path / "one.pdf")
    assert (one.exit_code, "pages: 4" in one.stdout, "both sides" in one.stdout) == (0, True, False)


def test_print_explains_what_there_is(run, tmp_path):
    told = run("print", "list").stdout
    assert re.search(r"^tarot +cards to cut out$", told, re.MULTILINE)
    assert re.search(r"^aid-silencio +what cards do", told, re.MULTILINE)
    assert run("print", "nonsense", "--out", tmp_path / "x.pdf").exit_code == 1
    assert run("print", "panel", "--paper", "a9", "--out", tmp_path / "x.pdf").exit_code == 1


def test_decks_are_listed_and_imported(run, deck, tmp_path):
    assert "tarot: 78" in run("decks", "list").stdout
    assert run("decks", "import", deck, tmp_path / "new").exit_code == 0
    assert (tmp_path / "new" / "deck.toml").is_file()
    assert run("decks", "import", deck, tmp_path / "new").exit_code == 1


def test_a_deck_for_a_game_is_listed_and_used(deck, tmp_path, monkeypatch):
    from companion.settings.file import Config, state_folder
    from companion.table.eye import table_deck

    def run(*words):
        return CliRunner().invoke(make_app(Given()), [str(word) for word in words])

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert run("decks", "import", deck, "--for", "chess").exit_code == 1
    result = run("decks", "import", deck, "--for", "silencio")
    assert result.exit_code == 0, result.output
    state = state_folder(Config())
    assert "deck: 24 cards of your own, for silencio" in run("decks").stdout
    faces = {face.card: face.pictures for face in table_deck(("silencio",), state).faces}
    assert [path.parent for path in faces["r5"]] == [state / "decks" / "deck"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("decks", "import", "absent.jpg", "new"), "absent.jpg"),
        (("decks", "import", "photo.jpg", "new"), "--names"),
        (("decks", "import", "photo.jpg", "new", "--names", "absent.txt"), "absent.txt"),
        (("decks", "import", "photo.jpg"), "--for"),
        (("enrol", "silencio", "--again", "r22"), "r22"),
    ],
)
def test_what_cant_be_imported_is_told_by_name(run, words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "photo.jpg").write_text("no picture")
    result = run(*words)
    assert result.exit_code == 1
    assert said in result.output
    assert not (tmp_path / "new").exists()


def test_camera_counts_frames_and_saves_one(run, photo, tmp_path):
    result = run("camera", photo, "--seconds", "1.3", "--save", tmp_path / "frame.png")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "frame.png").is_file()


def test_enrol_takes_cards_and_stops(tmp_path, looks):
    frames = tmp_path / "frames"
    frames.mkdir()
    write_picture(frames / "a.png", render(Scene((LaidCard("r2", 300, 220),)), looks, table="dark").picture)
    words = ["enrol", "silencio", "--folder", str(tmp_path / "mine"), "--camera", str(frames)]
    result = CliRunner().invoke(make_app(Given()), words, input="\nq\n")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "mine" / "r2.png").is_file()
    assert CliRunner().invoke(make_app(Given()), ["enrol", "chess"]).exit_code == 1
