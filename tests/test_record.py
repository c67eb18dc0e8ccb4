"""The record holds whatever comes: a wrong clock, damage to one game, a cut in a correction, another version."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import GAMES
from companion.games.game import BadState, IllegalMove
from companion.games.notation import read_state
from companion.journal import Journal, file, replay
from companion.journal.exports import clean_time
from companion.play import HistoryStep, Play, replace_move
from companion.session.recorder import Recorder
from companion.table.menu import NewGame, Resume
from tests.recording import begun, finished, play_on, taken_in
from tests.table.fingers import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.close()


def values(bench: Bench) -> list[Any]:
    """Everything that the open menu offers."""
    assert bench.box.shown.chooser is not None
    waiting, found = list(bench.box.shown.chooser.nodes), []
    while waiting:
        node = waiting.pop()
        waiting += node.branches
        found.append(node.value)
    return found


def resumed(journal: Journal) -> int | None:
    entry = journal.running()
    return None if entry is None else entry.id


# Which game runs


def test_a_game_begun_with_an_earlier_clock_is_the_one_that_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Pi without a network has no clock: the game it began last may bear the earliest date."""
    journal = Journal(tmp_path / "hush.db")
    monkeypatch.setattr("companion.journal.journal.now", lambda: "2026-11-17T20:00:00.000+00:00")
    finished(journal, "similo")
    first, _ = begun(journal)
    monkeypatch.setattr("companion.journal.journal.now", lambda: "1970-01-01T00:00:10.000+00:00")
    last, play = begun(journal, "cisza")
    play_on(play, random.Random(1), 3)
    assert resumed(journal) == last != first


def test_the_box_wakes_in_the_running_game_whatever_the_dates_say(bench: Bench) -> None:
    bench.box.start("silencio", {"players": 2, "driver": "table"})
    bench.box.do("show r8")
    bench.journal._db.execute("UPDATE games SET started = '1970-01-01T00:00:00.000+00:00'")  # type: ignore[union-attr]
    bench.journal._db.execute(  # type: ignore[union-attr]
        "INSERT INTO games (game, start, started) VALUES ('cisza', 'cisza', '2099-01-01')"
    )
    bench.power_cut()
    assert bench.history.notation == ("show r8",)


def test_a_new_game_abandons_none_and_every_one_can_be_gone_on_with(bench: Bench) -> None:
    bench.box.start("silencio", {"players": 2, "driver": "table"})
    bench.box.do("show r8")
    bench.box.start("similo", {"players": 2})
    assert bench.box.shown.remark is not None
    assert "kept" in str(bench.box.shown.remark)
    bench.box.do(bench.history.game.legal(bench.history.state)[0])
    bench.box.show_menu()
    assert Resume(1) in values(bench)
    assert Resume(2) not in values(bench), "it runs"
    bench.pick(Resume(1))
    assert bench.history.notation == ("show r8",)
    assert resumed(bench.journal) == 1  # type: ignore[arg-type]
    assert [one.game_id for one in bench.box.unfinished] == [2]


def test_a_game_without_a_step_is_not_missed(bench: Bench) -> None:
    bench.box.start("silencio", {"players": 2, "driver": "table"})
    bench.box.start("similo", {"players": 2})
    assert bench.box.shown.remark is None
    assert bench.box.unfinished == ()


# Damage to one game


def spoil(path: Path, statement: str) -> None:
    """Damage as a bad card does it: bytes that no program would write."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA ignore_check_constraints = ON")
    database.execute(statement)
    database.commit()
    database.close()


DAMAGE = {
    "a letter of the end's date": "UPDATE games SET ended = CAST(x'B2303236' AS TEXT) WHERE id = 1",
    "a letter of the game's name": "UPDATE games SET game = CAST(x'F3696C656E63696F' AS TEXT) WHERE id = 1",
    "the start": "UPDATE games SET start = CAST(x'FF00FE' AS TEXT) WHERE id = 1",
    "a step": "UPDATE steps SET text = CAST(x'80' AS TEXT) WHERE game = 1 AND number = 3",
    "a kind of step": "UPDATE steps SET kind = 'mowe' WHERE game = 1 AND number = 3",
    "a missing step": "DELETE FROM steps WHERE game = 1 AND number = 3",
    "a date": "UPDATE games SET started = 'last summer', ended = '2099' WHERE id = 1",
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
@pytest.mark.parametrize("is_running", [False, True], ids=["old game", "running game"])
def test_whatever_is_wrong_with_one_game_the_others_play(tmp_path: Path, damage: str, is_running: bool) -> None:
    path = tmp_path / "hush.db"
    journal = Journal(path)
    if is_running:
        _, play = begun(journal)
        play_on(play, random.Random(3), 20)
    else:
        finished(journal)
    good, _ = finished(journal, "similo")
    if is_running:
        journal.put_on_table(1)
    journal.close()
    spoil(path, damage)
    bench = Bench(tmp_path)
    bench.box.wake()
    assert bench.box.shown.is_menu or bench.box.shown.running is not None
    journal = bench.journal  # type: ignore[assignment]
    assert journal.replay(good).is_over
    assert [entry.id for entry in journal.with_results(journal.games())] == [1, 2]
    bench.box.start("cisza", {"players": 2})
    bench.box.show_menu()
    assert any(isinstance(value, NewGame) for value in values(bench))
    bench.close()


def test_a_game_that_cannot_be_read_is_said_to_be_so_when_it_is_picked(bench: Bench) -> None:
    bench.box.start("silencio", {"players": 2, "driver": "table"})
    bench.box.do("show r8")
    bench.box.start("similo", {"players": 2})
    bench.journal._db.execute("UPDATE steps SET text = 'show r99' WHERE game = 1")  # type: ignore[union-attr]
    bench.box.show_menu()
    bench.pick(Resume(1))
    assert bench.box.shown.is_menu
    assert str(bench.box.shown.remark).startswith("Game 1 can't go on: its step 1 was made under older rules")


def test_damage_to_pages_sets_the_file_aside_and_saves_what_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "hush.db"
    journal = Journal(path)
    games = [finished(journal, name)[0] for name in list(GAMES) * 6]
    running, play = begun(journal)
    play_on(play, random.Random(1), 9)
    journal.close()
    content = bytearray(path.read_bytes())
    pages = len(content) // 4096
    # The last page of steps: the first ones hold the tables' own roots.
    content[(pages - 2) * 4096 : (pages - 1) * 4096] = bytes(4096)
    path.write_bytes(content)
    fresh, complaint = Journal.open_or_set_aside(path)
    assert complaint is not None
    assert complaint.path.read_bytes() == bytes(content)
    saved = [entry.id for entry in fresh.games()]
    assert len(games) * 0.6 < len(saved) < len(games) + 1, saved
    for number in saved:
        fresh.replay(number)
    assert f"{len(saved)} games" in str(complaint)
    if running in saved:
        assert resumed(fresh) == running
    fresh.close()


def test_what_is_set_aside_has_its_steps_with_it(tmp_path: Path) -> None:
    """Steps that wait beside the file must be set aside with it, as they are."""
    path = tmp_path / "hush.db"
    journal = Journal(path)
    _, play = begun(journal)
    play_on(play, random.Random(1), 30)
    # As after a power cut: the file is not closed, so its steps are still beside it.
    parts = {ending: (tmp_path / f"hush.db{ending}").read_bytes() for ending in ("", "-wal")}
    journal.close()
    broken = bytearray(parts[""])
    broken[100:4000] = b"\xff" * 3900
    path.write_bytes(broken)
    (tmp_path / "hush.db-wal").write_bytes(b"not what SQLite writes" + parts["-wal"])
    fresh, complaint = Journal.open_or_set_aside(path)
    fresh.close()
    assert complaint is not None
    assert complaint.path.read_bytes() == bytes(broken)
    wal = complaint.path.with_name(complaint.path.name + "-wal")
    assert wal.read_bytes() == b"not what SQLite writes" + parts["-wal"]


# Corrections, undo and redo are one act


class Cut(Exception):
    """The power goes."""


@pytest.mark.parametrize("act", ["undo", "redo", "correct"])
def test_a_cut_at_any_write_leaves_the_game_before_or_after_an_act(tmp_path: Path, act: str) -> None:
    """Each row of an act is the last one that is written, in turn: the record is never in between."""
    for rows in range(1, 200):
        folder = tmp_path / f"{act}{rows}"
        bench = Bench(folder)
        bench.box.start("similo", {"players": 2})
        bench.box.do("show aladdin")
        bench.box._game.play.do_all(["show jack", "show giant", "show alice"])
        if act == "redo":
            bench.box.undo()
        journal = bench.journal
        assert journal is not None
        before = journal.replay(1).notation
        doing = {
            "undo": bench.box.undo,
            "redo": bench.box.redo,
            "correct": lambda bench=bench: bench.box.correct(1, "show queen-of-hearts"),
        }[act]
        cut = CutAfter(journal._db, rows)
        journal._db = cut  # type: ignore[assignment]
        is_whole = True
        try:
            doing()
        except Cut:
            is_whole = False
        cut.real.close()
        again = Journal(folder / "hush.db")
        left = again.replay(1).notation
        again.close()
        bench.close()
        if is_whole:
            assert left != before
            break
        assert left == before, (act, rows)
    else:
        pytest.fail("the act never came to its end")


class CutAfter:
    """A connection whose power goes after so many rows."""

    def __init__(self, real: sqlite3.Connection, rows: int):
        self.real = real
        self.rows = rows

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def execute(self, *arguments: Any) -> Any:
        return self.real.execute(*arguments)

    def executemany(self, statement: str, rows: Any) -> Any:
        def some() -> Iterator[Any]:
            for row in rows:
                if self.rows == 0:
                    raise Cut
                self.rows -= 1
                yield row

        return self.real.executemany(statement, some())


def test_a_correction_that_cannot_be_written_has_not_happened() -> None:
    game = GAMES["silencio"]
    play = Play(game, game.new(game.options(players=2, driver="table")))
    for move in ("show r8", "show b8", "start 0"):
        play.do(move)
    before = (play.state, play.notation, play.undone)

    def fail(steps: Any) -> None:
        raise sqlite3.OperationalError("full")

    play.kept_by(fail)
    for act in (lambda: replace_move(play, 1, "show r7"), play.undo, lambda: play.do("pass_on ?")):
        with pytest.raises(sqlite3.OperationalError):
            act()
        assert (play.state, play.notation, play.undone) == before


# Believed states, and moves that belong together


def table_game() -> Play:
    game = GAMES["silencio"]
    return Play(game, game.new(game.options(players=2, driver="table")))


def test_a_believed_state_is_kept_with_its_reason_and_can_be_undone(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "hush.db")
    play = table_game()
    number = Recorder(journal, play).game
    assert number is not None
    play.do("show r8")
    before = play.state
    other = table_game()
    for move in ("show r4", "show b8", "start 0"):
        other.do(move)
    play.believe(other.state, "the table lies so")
    again = journal.replay(number)
    assert again.state == other.state
    assert again.steps[-1].reason == "the table lies so"
    assert again.steps[-1].kind == "believe"
    play.undo()
    assert journal.replay(number).state == play.state == before
    play.redo()
    assert journal.replay(number).state == other.state
    copy = Journal(tmp_path / "other.db")
    assert copy.replay(taken_in(copy, journal.export(number))).state == other.state


def test_a_state_of_another_game_is_not_believed() -> None:
    play = table_game()
    other = GAMES["silencio"]
    for state in (
        GAMES["cisza"].new(GAMES["cisza"].options()),
        other.new(other.options(players=3, driver="table")),
    ):
        with pytest.raises(BadState):
            play.believe(state, "no")
    assert play.number == 0


def test_moves_made_together_are_undone_together(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "hush.db")
    play = table_game()
    number = Recorder(journal, play).game
    assert number is not None
    play.do("show r8")
    play.do_all(["show b8", "start 0", "pass_on ?"])
    assert journal.replay(number).notation == ("show r8", "show b8", "start 0", "pass_on ?")
    assert play.undo() == ("pass_on ?", "start 0", "show b8")
    again = journal.replay(number)
    assert again.notation == ("show r8",)
    assert again.redo() == ("show b8", "start 0", "pass_on ?")


def test_of_moves_made_together_all_or_none_are_made(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "hush.db")
    play = table_game()
    Recorder(journal, play)
    with pytest.raises(IllegalMove):
        play.do_all(["show r8", "show r8"])
    assert play.number == 0
    assert journal.steps(1) == []


@given(seed=st.integers(0, 2**32))
@settings(max_examples=20)
def test_any_history_replays_to_the_same_state_and_the_same_undo(seed: int) -> None:
    """Moves alone, moves together, undo, redo, corrections, believed states: the record tells all of it again."""
    rng = random.Random(seed)
    name = rng.choice(list(GAMES))
    game = GAMES[name]
    play = Play(game, game.new(game.options()))
    written: list[HistoryStep] = []
    play.kept_by(lambda steps: written.extend(steps))
    start = play.state
    for _ in range(40):
        kind = rng.choice(("one", "one", "some", "undo", "redo", "believe", "correct"))
        if kind == "undo" and play.number:
            play.undo()
        elif kind == "redo" and play.undone:
            play.redo()
        elif kind == "believe" and play.number:
            play.believe(play.state_at(rng.randrange(play.number)), "so it lies")
        elif kind == "correct" and play.number:
            at = rng.randint(1, play.number)
            if play.steps[at - 1].kind == "move":
                replace_move(play, at, rng.choice(game.legal(play.state_at(at - 1))))
        elif kind == "some":
            with play.together():
                play_on(play, rng, 3)
        else:
            play_on(play, rng, 1)
    again = Play(game, start)
    for step in written:
        again.repeat(step)
    assert (again.state, again.steps, again.undone) == (play.state, play.steps, play.undone)


# Times from elsewhere


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("2026-11-17T20:15:00+01:00", "2026-11-17T19:15:00.000+00:00"),
        ("2026-11-17T20:15", "2026-11-17T20:15:00.000+00:00"),
        ("2099-01-01T00:00:00+00:00", ""),
        ("0001-01-01T00:00:00+14:00", ""),
        ("yesterday", ""),
        ("", ""),
    ],
)
def test_times_from_a_backup_are_checked(said: str, kept: str) -> None:
    assert clean_time(said) == kept


# What an older Hush left

OLD = Path(__file__).parent / "kept" / "81ca099"


def test_the_record_of_81ca099_opens_with_all_its_games(tmp_path: Path) -> None:
    path = tmp_path / "hush.db"
    path.write_bytes((OLD / "hush.db").read_bytes())
    database = sqlite3.connect(path)
    rows = database.execute("SELECT game, kind, text FROM steps ORDER BY game, number").fetchall()
    database.close()
    journal = Journal(path)
    steps = [(entry.id, step.kind, step.text) for entry in journal.games() for step in journal.steps(entry.id)]
    assert steps == rows
    assert resumed(journal) == 6
    assert [entry.id for entry in journal.unfinished()] == [6, 5]
    finished = journal.with_results(entry for entry in journal.games() if entry.ended)
    for entry in finished:
        assert entry.result is not None
        play = journal.replay(entry.id)
        assert (entry.result.moves, entry.result.reason) == (play.number, play.pending.reason)  # type: ignore[union-attr]
    assert [entry.result for entry in journal.games()][:4] == [entry.result for entry in finished]


def test_a_migration_is_whole_or_has_not_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "hush.db"
    path.write_bytes((OLD / "hush.db").read_bytes())
    with monkeypatch.context() as patched:
        patched.setattr(
            file, "MIGRATIONS", (file.MIGRATIONS[0], file.MIGRATIONS[1] + "INSERT INTO nowhere VALUES (1);")
        )
        with pytest.raises(file.BrokenJournal):
            Journal(path)
    assert len(Journal(path).games()) == 6


def test_every_start_on_record_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "hush.db"
    path.write_bytes((OLD / "hush.db").read_bytes())
    journal = Journal(path)
    for entry in journal.games():
        read_state(GAMES[entry.game], entry.start)
        assert replay(entry.game, entry.start, [line.step for line in journal.steps(entry.id)]).number
