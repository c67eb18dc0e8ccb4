"""What a service does beside the game: pings, log, backups, the reserve, the switch."""

from __future__ import annotations

import errno
import logging
import os
import socket
import sqlite3
import struct
import sys
import threading
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.journal import BrokenJournal, Journal
from companion.play import Play
from companion.service import disk, logs
from companion.service.backups import Backups, contents
from companion.service.keeper import Keeper
from companion.service.notify import PING_GAP_SECONDS, Supervisor
from companion.service.power import power_down
from tests.patience import PATIENCE, eventually
from tests.recording import kept
from tests.table.fingers import Bench


class NotifySocket:
    """A datagram socket that somebody listens at."""

    def __init__(self, path: Path):
        self.path = path
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(path))
        self.socket.settimeout(5)

    def heard(self) -> bytes:
        return self.socket.recv(65536)


@pytest.fixture
def supervisor_socket(tmp_path: Path) -> Iterator[NotifySocket]:
    listening = NotifySocket(tmp_path / "notify")
    yield listening
    listening.socket.close()


# The watchdog


def test_the_first_ping_says_ready_and_the_next_ones_alive(supervisor_socket: NotifySocket) -> None:
    now = 0.0
    supervisor = Supervisor({"NOTIFY_SOCKET": str(supervisor_socket.path)}, lambda: now)
    supervisor.ping()
    assert supervisor_socket.heard() == b"READY=1\nWATCHDOG=1"
    supervisor.ping()  # too soon to say anything
    now += PING_GAP_SECONDS
    supervisor.ping()
    assert supervisor_socket.heard() == b"WATCHDOG=1"
    supervisor.stopping()
    assert supervisor_socket.heard() == b"STOPPING=1"


def test_an_abstract_address_is_understood() -> None:
    name = f"hush-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(f"\0{name}")
        listener.settimeout(5)
        Supervisor({"NOTIFY_SOCKET": f"@{name}"}).status("well")
        assert listener.recv(100) == b"STATUS=well"


def test_without_systemd_and_with_a_deaf_one_nothing_happens(tmp_path: Path) -> None:
    Supervisor({}).ping()
    Supervisor({"NOTIFY_SOCKET": str(tmp_path / "nobody")}).ping()


# The log


def test_a_record_reaches_the_journal_with_its_fields(supervisor_socket: NotifySocket) -> None:
    handler = logs.JournalHandler(supervisor_socket.path)
    logger = logging.getLogger("hush.test")
    logger.addHandler(handler)
    try:
        logger.warning("two\nlines", extra={"fields": {"hush_number": 7}})
        said = supervisor_socket.heard()
    finally:
        logger.removeHandler(handler)
        handler.close()
    assert b"PRIORITY=4\n" in said
    assert b"HUSH_NUMBER=7\n" in said
    assert b"MESSAGE\n" + struct.pack("<Q", 9) + b"two\nlines\n" in said


def test_without_the_journal_a_record_goes_to_stderr_with_its_level(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    handler = logs.JournalHandler(tmp_path / "nobody")
    record = logging.LogRecord("hush", logging.ERROR, "", 0, "one\ntwo", None, None)
    handler.emit(record)
    handler.close()
    assert capsys.readouterr().err == "<3>one\n<3>two\n"


def test_only_a_service_logs_to_the_journal(capfd: pytest.CaptureFixture[str]) -> None:
    assert not logs.set_up({})
    assert not logs.is_journalled({"JOURNAL_STREAM": "1:2"})
    here = os.fstat(sys.stderr.fileno())
    assert logs.is_journalled({"JOURNAL_STREAM": f"{here.st_dev}:{here.st_ino}"})


# Backups


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "hush.db")
    yield journal
    journal.close()


def play_a_step(journal: Journal) -> None:
    game = GAMES["silencio"]
    play = Play(game, game.new(game.options()))
    kept(journal, play)
    play.do(game.legal(play.state)[0])


def test_a_backup_a_day_while_the_journal_is_open_and_the_last_seven_stay(journal: Journal) -> None:
    day = date(2026, 3, 1)
    backups = Backups(journal.path, today=lambda: day)
    for _ in range(10):
        play_a_step(journal)
        assert backups.is_due
        path = backups.make()
        assert contents(path) == contents(journal.path)
        assert not backups.is_due
        day += timedelta(days=1)
    names = [f"hush-{number:05}-2026-03-{number:02}.db" for number in range(4, 11)]
    assert [file.name for file in backups.kept()] == names
    # Each copy is a journal of its own.
    copy = Journal(backups.kept()[-1])
    assert len(copy.games()) == 10
    copy.close()


def test_a_day_without_a_game_writes_nothing(journal: Journal) -> None:
    day = date(2026, 3, 1)
    backups = Backups(journal.path, today=lambda: day)
    play_a_step(journal)
    backups.make()
    day += timedelta(days=1)
    assert not backups.is_due


def test_a_record_without_a_game_needs_no_copy(tmp_path: Path) -> None:
    """As on the first start: a copy of nothing would stand in the way of that day's own."""
    Journal(tmp_path / "hush.db").close()
    assert not Backups(tmp_path / "hush.db").is_due


def test_a_clock_that_jumps_deletes_no_good_copy(journal: Journal) -> None:
    day = date(2026, 3, 1)
    backups = Backups(journal.path, keep=3, today=lambda: day)
    for jumped in (date(2026, 3, 1), date(1970, 1, 1), date(2099, 1, 1), date(2026, 3, 2)):
        day = jumped
        play_a_step(journal)
        assert backups.is_due
        assert backups.make().is_file()
    days = ["00002-1970-01-01", "00003-2099-01-01", "00004-2026-03-02"]
    assert [file.name for file in backups.kept()] == [f"hush-{day}.db" for day in days]


def test_a_clock_set_back_for_good_deletes_no_newer_copy(journal: Journal) -> None:
    """The copies of the evenings after the battery went must not be the ones that go."""
    day = date(2026, 3, 1)
    backups = Backups(journal.path, keep=3, today=lambda: day)
    for set_back in (*(date(2026, 3, at) for at in (1, 2, 3)), *(date(2001, 1, at) for at in (1, 2, 3))):
        day = set_back
        play_a_step(journal)
        made = backups.make()
        os.utime(made, (0, day.toordinal() * 86_400))
        assert backups.kept()[-1] == made
    assert [file.name[11:-3] for file in backups.kept()] == ["2001-01-01", "2001-01-02", "2001-01-03"]


def test_a_clock_that_stands_still_does_not_end_the_backups(journal: Journal) -> None:
    """A box without a network comes up on the same day each evening: each run makes its copy, the day's last stays."""
    for _ in range(3):
        play_a_step(journal)
        backups = Backups(journal.path, today=lambda: date(2026, 3, 1))
        assert backups.is_due
        assert contents(backups.make()) == contents(journal.path)
        assert len(backups.kept()) == 1
        play_a_step(journal)
        assert not backups.is_due


def test_the_copies_of_an_older_hush_go_before_newer_ones(journal: Journal) -> None:
    backups = Backups(journal.path, keep=2, today=lambda: date(2026, 3, 1))
    backups.folder.mkdir()
    (backups.folder / "hush-2099-01-01.db").write_bytes(b"")
    for day in (1, 2):
        play_a_step(journal)
        backups = Backups(journal.path, keep=2, today=lambda day=day: date(2026, 3, day))  # type: ignore[misc]
        backups.make()
    assert [file.name for file in backups.kept()] == ["hush-00001-2026-03-01.db", "hush-00002-2026-03-02.db"]


def test_a_backup_that_fails_leaves_nothing_behind(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    play_a_step(journal)
    backups = Backups(journal.path)
    monkeypatch.setattr("companion.service.backups.put_in_place", lambda *_: (_ for _ in ()).throw(OSError("torn")))
    with pytest.raises(OSError, match="torn"):
        backups.make()
    assert list(backups.folder.iterdir()) == []


def test_no_backup_takes_the_last_room(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    play_a_step(journal)
    monkeypatch.setattr("companion.service.backups.free", lambda _: disk.MIN_FREE_BYTES)
    with pytest.raises(OSError, match="no room"):
        Backups(journal.path).make()


def test_a_damaged_journal_never_replaces_a_good_copy(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "hush.db")
    for _ in range(40):
        play_a_step(journal)
    journal.close()
    backups = Backups(journal.path)
    copy = backups.make()
    good = copy.read_bytes()
    content = bytearray(journal.path.read_bytes())
    content[4096 : len(content) - 2000] = os.urandom(len(content) - 6096)
    journal.path.write_bytes(content)
    with pytest.raises(BrokenJournal):
        backups.make()
    assert copy.read_bytes() == good


def test_a_pipe_or_a_database_of_another_program_is_no_journal_to_copy(tmp_path: Path) -> None:
    """SQLite waits for ever at a pipe; and a copy of another program's data would only seem to be a backup."""
    path = tmp_path / "hush.db"
    os.mkfifo(path)
    assert contents(path) is None
    with pytest.raises(BrokenJournal):
        Journal(path)
    path.unlink()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    with pytest.raises(BrokenJournal):
        Backups(path).make()
    assert Backups(path).kept() == []


# The reserve


def test_the_reserve_takes_real_room_and_gives_it_back(tmp_path: Path) -> None:
    assert disk.make_reserve(tmp_path)
    assert (tmp_path / "reserve").stat().st_blocks * 512 >= disk.RESERVE_BYTES
    assert disk.make_reserve(tmp_path)
    assert disk.release_reserve(tmp_path)
    assert not disk.release_reserve(tmp_path)


def test_a_disk_with_little_room_gets_no_reserve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "free", lambda _: disk.MIN_FREE_BYTES - 1)
    assert not disk.make_reserve(tmp_path)
    assert not (tmp_path / "reserve").exists()


# The keeper


class KeptHouse:
    """A box in a game and its keeper, with what that says of the box."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch):
        self.bench, self.statuses, self._now = Bench(folder), list[str](), 0.0
        self.bench.box.start("silencio", {"players": 2})
        supervisor = Supervisor({})
        monkeypatch.setattr(supervisor, "status", self.statuses.append)
        self._keeper = Keeper(self.bench.box.bus, folder, supervisor, clock=lambda: self._now)

    def look(self) -> None:
        """The keeper looks after its things once, and tells."""
        self._now += 600
        self._keeper.tick()
        self._keeper.stop()
        self._keeper.tick()


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KeptHouse]:
    house = KeptHouse(tmp_path, monkeypatch)
    yield house
    house.bench.close()


def test_the_keeper_makes_a_backup_and_a_reserve_and_tells_faults_once(
    tmp_path: Path, supervisor_socket: NotifySocket, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench(tmp_path)
    try:
        bench.box.start("silencio", {"players": 2})
        keeper = Keeper(bench.box.bus, tmp_path, Supervisor({"NOTIFY_SOCKET": str(supervisor_socket.path)}))
        with caplog.at_level(logging.INFO):
            keeper.tick()
            assert supervisor_socket.heard().startswith(b"READY=1")
            assert eventually(lambda: Backups(tmp_path / "hush.db").kept())
            assert (tmp_path / "reserve").exists()
            bench.box.on_fault("no-record", True)
            keeper.tick()
            keeper.tick()
            assert supervisor_socket.heard() == b"STATUS=no-record"
            assert not (tmp_path / "reserve").exists(), "given up for the game"
            bench.box.on_fault("no-record", False)
            keeper.tick()
            assert supervisor_socket.heard() == b"STATUS=all is well"
        assert [record.message for record in caplog.records if "fault: no-record" in record.message] == [
            "fault: no-record"
        ]
        keeper.stopping()
        assert supervisor_socket.heard() == b"STOPPING=1"
        keeper.stop()
    finally:
        bench.close()


def test_a_keeper_that_fails_is_a_fault_with_one_traceback_until_it_goes_well(
    house: KeptHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def odd(_: Path) -> bool:
        raise KeyError("no such folder in this house")

    with monkeypatch.context() as broken:
        broken.setattr("companion.service.keeper.make_reserve", odd)
        house.look()
        house.look()
    assert house.statuses == ["no-backup"]
    assert [str(record.exc_info[1]) for record in caplog.records if record.exc_info] == [
        "'no such folder in this house'"
    ]
    house.look()
    assert house.statuses == ["no-backup", "all is well"]
    assert Backups(tmp_path / "hush.db").kept()


def test_a_backup_that_cannot_be_written_is_a_fault_until_one_is(
    house: KeptHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Backups) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(Backups, "make", full)
        house.look()
    assert house.statuses == ["no-backup"]
    house.look()
    assert house.statuses == ["no-backup", "all is well"]
    assert Backups(tmp_path / "hush.db").kept()


def test_a_read_only_disk_has_no_reserve_and_ends_no_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "open", read_only)
    monkeypatch.setattr(Path, "unlink", read_only)
    monkeypatch.setattr(disk, "free", lambda folder: disk.MIN_FREE_BYTES)
    assert not disk.make_reserve(tmp_path)


# The switch


def test_the_switch_asks_once_and_ends_the_program_only_if_nobody_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.service.power.SHUTDOWN_WAIT_SECONDS", 0.2)
    stopped = threading.Event()
    ask = power_down(stopped.set, {"RUNTIME_DIRECTORY": str(tmp_path)})
    ask()
    assert (tmp_path / "shutdown").exists()
    assert not stopped.is_set()
    assert stopped.wait(PATIENCE)


def test_outside_the_service_the_switch_just_ends_the_program(tmp_path: Path) -> None:
    stopped = threading.Event()
    power_down(stopped.set, {})()
    assert stopped.is_set()
    stopped.clear()
    power_down(stopped.set, {"RUNTIME_DIRECTORY": str(tmp_path / "gone")})()
    assert stopped.is_set()
