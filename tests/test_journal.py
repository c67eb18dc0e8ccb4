"""The journal: nothing acknowledged is lost, nothing foreign is touched, everything can be played again."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import sqlite3
import threading
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import GAMES
from companion.journal import BrokenExport, BrokenJournal, Journal, file, read_export
from companion.journal.exports import Head
from companion.journal.journal import ACTS_A_CHECKPOINT, result_of
from companion.play import NothingToUndo
from companion.session.recorder import Recorder
from tests.patience import PATIENCE, meanwhile
from tests.recording import begun, play_on, taken_in

KILLS = 30


@pytest.mark.parametrize("name", GAMES)
def test_a_recorded_game_replays_to_the_same_state(name: str, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "hush.db")
    number, play = begun(journal, name)
    play_on(play, random.Random(name))
    journal.close()
    again = Journal(tmp_path / "hush.db").replay(number)
    assert again.state == play.state
    assert again.notation == play.notation


@given(seed=st.integers(0, 2**32))
@settings(max_examples=10)
def test_undo_and_redo_are_steps_like_any_other(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    rng = random.Random(seed)
    path = tmp_path_factory.mktemp("journal") / "hush.db"
    journal = Journal(path)
    number, play = begun(journal)
    steps = 0
    for _ in range(60):
        kind = rng.choice(("move", "move", "move", "undo", "redo"))
        try:
            if kind == "undo":
                play.undo()
            elif kind == "redo":
                play.redo()
            elif not play.is_over:
                play_on(play, rng, 1)
            else:
                continue
        except NothingToUndo:
            continue
        steps += 1
    again = Journal(path).replay(number)
    assert len(journal.steps(number)) == steps
    assert (again.state, again.notation, again.undone) == (play.state, play.notation, play.undone)


def test_an_unfinished_game_is_found_and_a_finished_one_is_not(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "hush.db")
    assert journal.running() is None
    number, play = begun(journal)
    assert journal.running() is not None
    play_on(play, random.Random(3))
    result = result_of(play)
    assert result is not None
    journal.finish(number, result)
    assert journal.running() is None
    assert journal.unfinished() == []
    assert journal.entry(number).result == result
    journal.finish(number, None)
    assert [entry.id for entry in journal.unfinished()] == [number]
    assert journal.running() == journal.entry(number)
    assert journal.entry(number).result is None


def test_a_step_that_cannot_be_kept_has_not_happened(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "hush.db")
    number, play = begun(journal)
    play._keep = lambda steps: journal.append(number, 1, steps)  # a number that is taken
    before = play.state
    journal.close()
    with pytest.raises(sqlite3.ProgrammingError):
        play.do("deal r2")
    assert play.state == before
    assert play.number == 0


def write_until_killed(path: Path, seed: int, acknowledged: Connection) -> None:
    """Play on in the latest game, telling the parent of each step once it's on disk."""
    rng = random.Random(seed)
    journal = Journal(path)
    entry = journal.running()
    if entry is None:
        game, play = begun(journal, rng.choice(list(GAMES)))
    else:
        game, play = entry.id, journal.replay(entry.id)
        Recorder(journal, play, game)
    while True:
        if play.is_over:
            journal.finish(game, result_of(play))
            game, play = begun(journal, rng.choice(list(GAMES)))
        if rng.random() < 0.1 and play.number:
            play.undo()
        else:
            play_on(play, rng, 1)
        acknowledged.send((game, len(journal.steps(game))))


def test_kill_at_any_moment_loses_no_acknowledged_move(tmp_path: Path) -> None:
    path = tmp_path / "hush.db"
    rng = random.Random(7)
    context = multiprocessing.get_context("fork")
    promised: dict[int, int] = {}
    for kill in range(KILLS):
        receiver, sender = context.Pipe(duplex=False)
        child: Any = context.Process(target=write_until_killed, args=(path, kill, sender))
        child.start()
        sender.close()
        assert receiver.poll(PATIENCE)
        meanwhile(rng.random() * 0.03)
        os.kill(child.pid, signal.SIGKILL)
        child.join()
        try:
            while True:
                game, count = receiver.recv()
                promised[game] = count
        except (EOFError, OSError):
            receiver.close()
        journal = Journal(path)
        for game, count in promised.items():
            assert len(journal.steps(game)) >= count
        journal.replay(max(promised))
        journal.close()
    assert sum(promised.values()) > KILLS
    journal = Journal(path)
    for entry in journal.games():
        journal.replay(entry.id)


def test_a_corrupt_file_is_set_aside_whole(tmp_path: Path) -> None:
    path = tmp_path / "hush.db"
    journal = Journal(path)
    _, play = begun(journal)
    play_on(play, random.Random(1))
    journal.close()
    healthy = path.read_bytes()
    broken = bytearray(healthy)
    broken[200 : len(broken) - 100] = os.urandom(len(broken) - 300)
    path.write_bytes(broken)
    with pytest.raises(BrokenJournal) as error:
        Journal(path)
    assert str(path) in str(error.value)
    assert path.read_bytes() == bytes(broken)
    fresh, complaint = Journal.open_or_set_aside(path)
    assert complaint is not None
    assert complaint.path.read_bytes() == bytes(broken)
    assert complaint.path.name in str(complaint)
    assert fresh.games() == []
    fresh.close()


@pytest.mark.parametrize("trouble", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR])
def test_a_good_file_on_a_bad_disk_stays_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: int
) -> None:
    path = tmp_path / "hush.db"
    journal = Journal(path)
    begun(journal)
    journal.close()

    def fail(_database: sqlite3.Connection) -> None:
        error = sqlite3.OperationalError("trouble")
        error.sqlite_errorcode = trouble
        raise error

    with monkeypatch.context() as patched:
        patched.setattr("companion.journal.journal.migrate", fail)
        with pytest.raises(BrokenJournal, match="trouble"):
            Journal.open_or_set_aside(path)
    assert [file.name for file in tmp_path.iterdir() if "broken" in file.name] == []
    assert len(Journal(path).games()) == 1


@pytest.mark.parametrize("content", [b"a shopping list\n" * 40, b"\x00" * 5000, b"SQLite format 3\x00 but not really"])
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(BrokenJournal):
        Journal(path)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_refused_and_untouched(tmp_path: Path) -> None:
    path = tmp_path / "recipes.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.commit()
    other.close()
    content = path.read_bytes()
    with pytest.raises(BrokenJournal, match="another program"):
        Journal(path)
    assert path.read_bytes() == content


def test_a_journal_of_a_newer_hush_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "hush.db"
    Journal(path).close()
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 99")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    content = path.read_bytes()
    with pytest.raises(BrokenJournal, match="newer"):
        Journal.open_or_set_aside(path)
    assert path.read_bytes() == content
    assert [one.name for one in tmp_path.iterdir() if "broken" in one.name] == []


def test_an_older_journal_is_migrated_and_keeps_its_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "hush.db"
    journal = Journal(path)
    number, play = begun(journal)
    play_on(play, random.Random(2))
    journal.close()
    newer = (*file.MIGRATIONS, "ALTER TABLE games ADD COLUMN note TEXT;")
    monkeypatch.setattr(file, "MIGRATIONS", newer)
    migrated = Journal(path)
    assert migrated.replay(number).state == play.state
    migrated.close()
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA user_version").fetchone() == (len(newer),)
    assert database.execute("SELECT note FROM games").fetchall() == [(None,)]
    database.close()


def test_a_folder_or_a_forbidden_place_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(BrokenJournal, match=str(tmp_path)):
        Journal(tmp_path)


def test_export_and_import_keep_every_step(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "one.db")
    number, play = begun(journal)
    play_on(play, random.Random(5), 30)
    play.undo()
    play.undo()
    play.redo()
    lines = list(journal.export(number))
    other = Journal(tmp_path / "two.db")
    copy = taken_in(other, lines)
    assert other.replay(copy).state == play.state
    assert [(step.kind, step.text) for step in other.steps(copy)] == [
        (step.kind, step.text) for step in journal.steps(number)
    ]
    assert list(other.export(copy)) == lines


@pytest.mark.parametrize(
    ("spoil", "line"),
    [
        (lambda lines: [], 1),
        (lambda lines: ["{", *lines[1:]], 1),
        (lambda lines: [lines[0].replace("silencio", "poker"), *lines[1:]], 1),
        (lambda lines: [*lines[:3], '{"kind":"move","text":"deal r99"}'], 4),
        (lambda lines: [lines[0], '{"kind":"undo","text":""}'], 2),
        (lambda lines: [*lines[:2], lines[1]], 3),
        (lambda lines: [*lines[:2], '{"kind":"dance","text":""}'], 3),
    ],
)
def test_a_broken_export_is_refused_with_its_line_and_imports_nothing(tmp_path: Path, spoil: Any, line: int) -> None:
    journal = Journal(tmp_path / "hush.db")
    number, play = begun(journal)
    play_on(play, random.Random(5), 20)
    lines = spoil(list(journal.export(number)))
    with pytest.raises(BrokenExport) as error:
        taken_in(journal, lines)
    assert error.value.line == line
    assert str(error.value).startswith(f"line {line}: ")
    assert len(journal.games()) == 1


def test_an_export_reads_back_without_a_journal(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "hush.db")
    number, play = begun(journal, "similo")
    play_on(play, random.Random(9))
    head, steps, again = read_export(journal.export(number))
    assert head.game == "similo"
    assert len(steps) == play.number
    assert again.state == play.state


def test_a_move_waits_for_the_write_before_it_and_no_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a restore writes, the game's own connection has the next turn; SQLite's way to wait isn't needed."""
    monkeypatch.setattr("companion.journal.journal.WRITE_WAIT_SECONDS", 0.0)
    table = Journal(tmp_path / "hush.db")
    number, play = begun(table, "silencio")
    monkeypatch.undo()
    archive = Journal(tmp_path / "hush.db", is_beside=True)
    entered, leave = threading.Event(), threading.Event()

    def restore() -> None:
        with archive._transaction():
            entered.set()
            leave.wait(PATIENCE)

    restoring = threading.Thread(target=restore)
    restoring.start()
    assert entered.wait(PATIENCE)
    threading.Timer(0.1, leave.set).start()
    play_on(play, random.Random(1), moves=1)  # with no patience of SQLite's own this would be refused
    restoring.join(PATIENCE)
    assert len(table.steps(number)) == 1
    archive.close()
    table.close()


def test_a_move_does_not_wait_while_a_restore_waits_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Journal(tmp_path / "hush.db")
    number, play = begun(table, "silencio")
    archive = Journal(tmp_path / "hush.db", is_beside=True)
    slow, done = threading.Event(), threading.Event()

    def slow_disk(descriptor: int) -> None:
        slow.set()
        assert done.wait(PATIENCE)

    monkeypatch.setattr("companion.journal.journal.os.fsync", slow_disk)
    restoring = threading.Thread(target=archive.add, args=(Head(game="similo", start="similo"), [], None))
    restoring.start()
    assert slow.wait(PATIENCE)
    play_on(play, random.Random(1), moves=1)
    assert len(table.steps(number)) == 1
    assert restoring.is_alive()
    done.set()
    restoring.join(PATIENCE)
    archive.close()
    table.close()


def test_a_restore_merges_its_own_log_so_that_no_move_has_to(tmp_path: Path) -> None:
    table = Journal(tmp_path / "hush.db")
    number, play = begun(table, "silencio")
    play_on(play, random.Random(1), moves=20)
    head, steps = Head(game="silencio", start=table.entry(number).start), table.steps(number)
    archive = Journal(tmp_path / "hush.db", is_beside=True)
    for _ in range(5 * ACTS_A_CHECKPOINT):
        archive.add(head, steps, None)
    pages = (tmp_path / "hush.db-wal").stat().st_size // 4096
    assert pages < 1000  # where SQLite has whoever writes next merge it
    archive.close()
    table.close()
