"""The command line as a person meets it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from companion.bots.policy import at_random
from companion.bots.simulator import decide
from companion.cli import GROUPS, make_app, verb_name
from companion.commands.given import Given
from companion.games import GAMES
from companion.journal import GameResult, Journal
from companion.journal.journal import result_of
from companion.kits import NAMES
from companion.play import Play
from tests.recording import kept


def companion(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a process of its own, in English unless told otherwise."""
    settings = {**os.environ, "LANG": "C.UTF-8", "COLUMNS": "120", "HUSH_CONFIG": "/nowhere", **environment}
    for name in ("LC_ALL", "LC_MESSAGES"):
        settings.pop(name, None)
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        capture_output=True, text=True, check=False, env=settings, input="",
    )  # fmt: skip


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with one short game of each kind."""
    path = tmp_path_factory.mktemp("games") / "hush.db"
    journal = Journal(path)
    for name in NAMES:
        game = GAMES[name]
        rng = random.Random(name)
        play = Play(game, game.new(game.options()))
        kept(journal, play)
        while play.number < 40 and not play.is_over:
            play.do(decide(game, play.state, at_random, rng))
    journal.close()
    return path


def test_help_shows_every_verb_in_a_group() -> None:
    app = make_app(Given())
    verbs = [verb_name(verb) for verb in (*app.registered_commands, *app.registered_groups)]
    assert sorted(verbs) == sorted(verb for _, group in GROUPS for verb in group)
    shown = companion("--help")
    assert shown.returncode == 0
    for title, listed in GROUPS:
        assert f"─ {title} ─" in shown.stdout
        assert all(verb in shown.stdout for verb in listed)
    assert "companion engine" in companion("engine", "--help").stdout
    for verb in verbs:
        teaches = CliRunner().invoke(app, [verb, "--help"])
        assert (teaches.exit_code, f" {verb} " in teaches.output) == (0, True)
    assert "docs/nl/README.md" in companion("--help", LANG="nl_NL.UTF-8").stdout


@pytest.mark.parametrize("arguments", [
    ("simulate", "Similo", "--games", "1"), ("decks", "import", "/nowhere", "--for", "SIMILO"), ("enrol", "Chess"),
])  # fmt: skip
def test_a_game_may_be_written_with_a_capital(arguments: tuple[str, ...]) -> None:
    shown = companion(*arguments)
    assert "no game" not in shown.stderr
    assert ("no deck" in shown.stderr) == (arguments[-1] == "Chess")


WAYS_OUT = [
    (("see", "photo.jpg", "--deck", "nodeck"), "silencio, fables, history, tarot, cisza"),
    (("see", "photo.jpg"), "silencio, fables, history, tarot, cisza"),
    (("run", "chess"), "silencio, similo, silentes, cisza"),
    (("simulate", "silencio", "-o", "tavern=perhaps"), "Allowed: false, true"),
    (("camera", "nocam"), "pi, usb, usb:1"),
    (("camera", "--plan", "big"), "such as 84x60"),
    (("export", "7"), "`companion stats`"),
    (("audit", "7", "r2/-"), "`companion stats`"),
    (("replay",), "`companion run`"),
    (("replay", "pyproject.toml"), "neither a journal nor an exported game"),
    (("wiring", "--svg", "/nowhere/wiring.svg"), "no file or folder /nowhere/wiring.svg"),
    (("say", "hello", "--save", "/nowhere/hello.wav"), "no file or folder /nowhere"),
]


@pytest.mark.parametrize(("arguments", "way_out"), WAYS_OUT, ids=lambda value: " ".join(value))
def test_an_error_names_the_way_out(arguments: tuple[str, ...], way_out: str, tmp_path: Path) -> None:
    shown = companion(*arguments, XDG_DATA_HOME=str(tmp_path), XDG_STATE_HOME=str(tmp_path))
    assert shown.returncode != 0
    assert way_out in " ".join(shown.stderr.split())
    assert "Errno" not in shown.stderr
    assert "Traceback" not in shown.stderr


def test_an_option_of_the_rules_may_be_a_yes() -> None:
    shown = companion("simulate", "silencio", "--games", "1", "-o", "tavern=yes")
    assert shown.returncode == 0, shown.stderr


def test_the_plan_for_a_camera_is_a_table() -> None:
    shown = companion("camera", "--plan", "84x60")
    assert shown.returncode == 0
    for said in ("Camera Module 2", "Camera Module 3 Wide", "74 cm", "90 px", "enough"):
        assert said in shown.stdout


def test_help_speaks_the_language_of_the_locale() -> None:
    assert "spel" in companion("--help", LANG="nl_NL.UTF-8").stdout
    assert "silencios" in companion("--help", LANG="es_ES.UTF-8").stdout


def test_the_frames_of_help_speak_the_language_too() -> None:
    shown = companion("camera", "--help", LANG="es_ES.UTF-8").stdout
    assert "─ Argumentos ─" in shown
    assert "─ Opciones ─" in shown
    assert "[por defecto: usb]" in shown


def test_the_configuration_beats_the_locale(tmp_path: Path) -> None:
    file = tmp_path / "hush.toml"
    file.write_text('language = "nl"\n')
    shown = companion("--help", HUSH_CONFIG=str(file), LANG="es_ES.UTF-8")
    assert "spel" in shown.stdout
    assert shown.stderr == ""


def test_a_bad_configuration_is_reported_and_the_rest_still_starts(tmp_path: Path) -> None:
    file = tmp_path / "hush.toml"
    file.write_text('language = "klingon"\ncolour = 1\n')
    shown = companion("simulate", "similo", "--games", "2", HUSH_CONFIG=str(file))
    assert shown.returncode == 0
    assert "klingon" in shown.stderr
    assert "en, nl, es, pl" in shown.stderr
    assert "colour" in shown.stderr
    file.write_text("language = \n")
    assert "line 1" in companion("simulate", "similo", "--games", "2", HUSH_CONFIG=str(file)).stderr


@pytest.mark.parametrize("name", GAMES)
def test_simulate_shows_a_game_and_what_many_came_to(name: str) -> None:
    shown = companion("simulate", name, "--games", "3", "--watch")
    assert shown.returncode == 0, shown.stderr
    assert name.capitalize() in shown.stdout
    assert "won" in shown.stdout


def test_the_same_seed_gives_the_same_games_with_any_number_of_jobs() -> None:
    call = ("simulate", "silencio", "--games", "12", "--seed", "5", "--json")
    one, two, other = companion(*call), companion(*call, "--jobs", "2"), companion(*call, "--seed", "6")
    assert json.loads(one.stdout)["games"] == 12
    assert one.stdout == two.stdout != other.stdout


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("simulate", "poker"), "silencio"),
        (("simulate", "silencio", "--players", "7"), "Allowed: 2, 3, 4"),
        (("simulate", "silencio", "-o", "unlit=maybe"), "Allowed: none, large, small, all"),
        (("simulate", "silencio", "-o", "dance=1"), "has no option dance"),
        (("simulate", "silencio", "--policy", "genius"), "sensible"),
        (("replay", "nowhere.db"), "nowhere.db"),
        (("replay", __file__), "neither a journal nor an exported game"),
        (("replay", "99"), "finished game"),
    ],
)
def test_a_wrong_call_gets_a_sentence_with_the_way_out(arguments: tuple[str, ...], hint: str) -> None:
    shown = companion(*arguments)
    assert shown.returncode == 2
    assert hint in shown.stderr
    assert "Traceback" not in shown.stderr


def test_replay_shows_every_move_of_a_journal_and_of_an_export(recorded: Path, tmp_path: Path) -> None:
    shown = companion("replay", str(recorded), "--game", "1")
    assert shown.returncode == 0, shown.stderr
    assert "40 / 40" in shown.stdout
    file = tmp_path / "game.jsonl"
    file.write_text("\n".join(Journal(recorded).export(1)))
    assert companion("replay", str(file)).stdout == shown.stdout
    assert companion("replay", str(recorded), "--game", "99").returncode == 2


def test_replay_finds_finished_games_of_the_box_by_their_number(recorded: Path, tmp_path: Path) -> None:
    folder = tmp_path / "hush"
    folder.mkdir()
    (folder / "hush.db").write_bytes(recorded.read_bytes())
    journal = Journal(folder / "hush.db")
    journal.finish(2, GameResult("found", players=2, moves=40, has_won=True))
    journal.close()
    wanted = companion("replay", str(recorded), "--game", "2").stdout
    for arguments in ((), ("2",)):
        assert companion("replay", *arguments, XDG_STATE_HOME=str(tmp_path)).stdout == wanted
    assert companion("replay", "1", XDG_STATE_HOME=str(tmp_path)).returncode == 2  # it still goes on


def test_replay_for_one_seat_shows_no_other_hand(recorded: Path) -> None:
    everything = companion("replay", str(recorded), "--game", "1").stdout
    mine = companion("replay", str(recorded), "--game", "1", "--seat", "1").stdout
    assert "░░" not in everything
    assert "░░" in mine


def test_stats_export_and_audit_of_played_games(tmp_path: Path) -> None:
    """A table game of Silencio, played to its end: counted, exported, and audited with the hands laid open."""
    game = GAMES["silencio"]
    folder = tmp_path / "hush"
    journal = Journal(folder / "hush.db")
    play = Play(game, game.new(game.options(players=2, driver="table")))
    number = kept(journal, play)
    for move in ("show r8", "show b8", "start 0", "pass_on ?", "pass_on ?", "pass", "pass"):
        play.do(move)
    journal.finish(number, result_of(play))
    journal.close()
    home = {"XDG_STATE_HOME": str(tmp_path)}
    assert "silencio" in companion("stats", **home).stdout
    exported = companion("export", "1", **home).stdout
    assert len(exported.splitlines()) == 8
    # Everybody could have played a 2 all the time.
    findings = companion("audit", "1", "r2,r3,r4,r5,r6,r7/b2,b3,b4,b5,b6,b7", **home)
    assert findings.returncode == 0, findings.stderr
    assert findings.stdout.count("passed") == 2
    missing = companion("audit", "7", "-/r2", **home)
    assert missing.returncode == 2
    assert "no game 7" in missing.stderr
    assert companion("export", "7", **home).returncode == 2
