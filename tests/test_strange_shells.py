"""The command line on strangers' machines: other letters, a full disk, closed pipes, Ctrl-C, spoilt files.

Whatever comes, there is a sentence or silence, and a code; never a traceback.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from companion.cli import is_interrupted, make_app, outcome
from companion.commands.given import Given
from companion.games import GAMES
from companion.games.game import Over
from companion.journal import GameResult, Journal
from companion.journal.journal import result_of
from companion.play import Play
from companion.streams import LOOKALIKES, lookalike
from tests.recording import kept

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = {"HUSH_CONFIG": "/nowhere", "LANG": "C.UTF-8", "COLUMNS": "120"}
COMPANION = [sys.executable, "-m", "companion"]
# Sends Ctrl-C at the moment a module is looked for, then runs the command line.
INTERRUPTED = """
import os, signal, sys
class Finger:
    def find_spec(self, name, *rest):
        if name == module:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finger())
module = sys.argv.pop(1)
from companion.__main__ import main
main()
"""


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "XDG_"))}
    return {**kept, **SETTINGS, **more}


def test_output_for_a_stream_without_our_letters_is_ascii() -> None:
    """Polish help, with arrows and a tick; typer and Rich both write it."""
    ran = subprocess.run(
        [*COMPANION, "--help"], capture_output=True, check=False, cwd=ROOT,
        env=environment(PYTHONIOENCODING="ascii", LANG="pl_PL.UTF-8"),
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.isascii()
    assert b"swiat" in ran.stdout, "accents are left out"
    assert b"\\u" not in ran.stdout


def test_everything_we_say_has_a_look_in_ascii() -> None:
    sources = [*ROOT.glob("companion/locale/*/LC_MESSAGES/*.po"), *ROOT.glob("companion/draw/*.py")]
    sources += [*ROOT.glob("companion/kits/*/drawing.py"), *ROOT.glob("companion/kits/*/locale/*.po")]
    sources += [*ROOT.glob("companion/commands/**/*.py"), *ROOT.glob("hardware/*.py")]
    used = {character for source in sources for character in source.read_text(encoding="utf-8") if character > "\x7f"}
    assert {character for character in used if lookalike(character) == "?"} - {"¿"} == set()
    assert all(ascii_form.isascii() for ascii_form in LOOKALIKES.values())


@pytest.mark.parametrize("arguments", [("decks", "list"), ("wiring",)], ids=["by typer", "by Rich"])
def test_a_full_disk_behind_the_output_is_told(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [*COMPANION, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=ROOT,
            env=environment(),
        )  # fmt: skip
    assert ran.returncode == 1
    assert ran.stderr == "The output can't be written: [Errno 28] No space left on device\n"


def test_a_closed_pipe_ends_it_without_a_word() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run(
        [*COMPANION, "wiring"], stdout=writer, stderr=subprocess.PIPE, text=True, check=False, cwd=ROOT,
        env=environment(),
    )  # fmt: skip
    os.close(writer)
    assert (ran.returncode, ran.stderr) == (1, "")


def test_closed_streams_stop_nothing(tmp_path: Path) -> None:
    """The record must not be opened as standard output."""
    recorded(tmp_path)
    ran = subprocess.run(
        ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *COMPANION, "stats"],
        check=False, cwd=ROOT, env=environment(XDG_STATE_HOME=str(tmp_path)),
    )  # fmt: skip
    assert ran.returncode == 0
    assert Journal(tmp_path / "hush" / "hush.db").games()


@pytest.mark.parametrize("module", ["companion.bootstrap", "typer", "companion.commands.simulation", "companion.draw"])
def test_an_interrupt_while_it_loads_ends_it_without_a_word(module: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, module, "simulate", "similo", "--games", "1"],
        capture_output=True, text=True, check=False, cwd=ROOT, env=environment(),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


def test_an_ignored_interrupt_stays_ignored() -> None:
    """As under nohup."""
    ran = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, "typer", "decks", "list"],
        capture_output=True, text=True, check=False, cwd=ROOT, env=environment(),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "silencio" in ran.stdout


def test_an_interrupt_at_a_prompt_has_the_code_of_one() -> None:
    """A prompt makes an abort of it, and of the end of the input."""
    asking = typer.Typer()

    @asking.command()
    def ask(is_interrupt: bool) -> None:
        try:
            raise KeyboardInterrupt if is_interrupt else EOFError
        except (KeyboardInterrupt, EOFError):
            raise typer.Abort from None

    assert outcome(lambda: asking(["true"])) == (130, None)
    assert outcome(lambda: asking(["false"])) == (1, None)


# Files that can't be used


def recorded(folder: Path) -> None:
    """A record with one finished game of Silencio."""
    game = GAMES["silencio"]
    journal = Journal(folder / "hush" / "hush.db")
    play = Play(game, game.new(game.options(players=2, driver="table")))
    number = kept(journal, play)
    for move in ("show r8", "show b8", "start 0", "pass_on ?", "pass_on ?", "pass", "pass"):
        play.do(move)
    assert isinstance(play.pending, Over)
    journal.finish(number, result_of(play))
    journal.close()


def noise(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 40)


def cut(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"x" * 50)


def another_programs(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE songs (name TEXT)")
    database.close()


def damaged(path: Path) -> None:
    """The second page, where the games are, is lost."""
    recorded(path.parent.parent)
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * 4096 + whole[8192:])


@pytest.mark.parametrize("spoil", [noise, cut, another_programs, damaged, Path.mkdir], ids=lambda spoil: spoil.__name__)
@pytest.mark.parametrize(
    "arguments",
    [["stats"], ["export", "1"], ["replay"], ["replay", "1"], ["audit", "1", "r2/b2"]],
    ids=" ".join,
)
def test_a_spoilt_record_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Path], None], arguments: list[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    path = tmp_path / "hush" / "hush.db"
    path.parent.mkdir()
    spoil(path)
    before = path.read_bytes() if path.is_file() else None
    code, sentence = outcome(lambda: make_app(Given())(arguments))
    assert code == 1
    assert str(path) in str(sentence)
    assert before == (path.read_bytes() if path.is_file() else None)


def test_a_game_of_another_version_is_told_and_the_others_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    recorded(tmp_path)
    journal = Journal(tmp_path / "hush" / "hush.db")
    later = journal.open_game("silencio", "silencio of a later kind")
    journal.finish(later, GameResult("found", players=2, moves=0, has_won=True))
    journal.close()
    assert outcome(lambda: make_app(Given())(["stats"])) == (0, None)
    assert "silencio" in capsys.readouterr().out, "its result is in the record, and the other game's, too"
    code, sentence = outcome(lambda: make_app(Given())(["replay", str(later)]))
    assert code == 1
    assert f"Game {later} can't be read" in str(sentence)


@pytest.mark.parametrize("arguments", [["stats"], ["export", "1"], ["audit", "1", "-/-"], ["replay"]], ids=" ".join)
def test_looking_makes_no_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    code, _ = outcome(lambda: make_app(Given())(arguments))
    assert code == (0 if arguments == ["stats"] else 2)
    assert list(tmp_path.iterdir()) == []


def test_errors_that_are_each_others_cause_end_the_search_for_an_interrupt() -> None:
    one, other = ValueError("one"), ValueError("other")
    one.__cause__, other.__cause__ = other, one
    assert not is_interrupted(one)
    other.__cause__ = KeyboardInterrupt()
    assert is_interrupted(one)
