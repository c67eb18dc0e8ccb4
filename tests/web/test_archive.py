"""The record on the page: paged, gone on with, backed up and restored, while the game goes on."""

from __future__ import annotations

import io
import json
import random
import threading
import tracemalloc
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.journal import Journal
from companion.journal.exports import Head, StoredStep
from companion.web import archive
from companion.web.archive import GAMES_A_PAGE, MAX_ARCHIVE_WAITING, NOT_OVER, Archive, check_game, gently, unpacked
from companion.web.desk import Refused
from tests.patience import PATIENCE, eventually
from tests.recording import begun, finished, play_on
from tests.web.rig import Rig

API = "/api/v1"


def many_games(folder: Path, count: int) -> None:
    """A record with one real game and many copies of it."""
    journal = Journal(folder / "hush.db")
    number, _ = finished(journal, "similo")
    entry, steps = journal.entry(number), journal.steps(number)
    head = Head(game=entry.game, start=entry.start, started=entry.started)
    for _ in range(count - 1):
        journal.add(head, steps, entry.result)
    journal.close()


def packed(*games: bytes, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for number, game in enumerate(games):
            archive.writestr(f"games/{number:05}.jsonl", game)
    return buffer.getvalue()


def test_the_list_comes_in_pages_newest_first(rig: Rig) -> None:
    rig.stop()
    many_games(rig.folder, GAMES_A_PAGE * 2 + 3)
    rig.start()
    client = rig.paired()
    seen: list[int] = []
    answer = client.get(f"{API}/games").json()
    while True:
        assert len(answer["games"]) <= GAMES_A_PAGE
        seen += [game["id"] for game in answer["games"]]
        if answer["before"] is None:
            break
        answer = client.get(f"{API}/games/before/{answer['before']}").json()
    assert seen == list(range(GAMES_A_PAGE * 2 + 3, 0, -1))


def test_every_unfinished_game_can_be_gone_on_with_from_the_page(rig: Rig) -> None:
    client = rig.paired()
    for game in ("similo", "cisza"):
        running = client.get(f"{API}/state").json()["game_id"]
        assert client.post(f"{API}/games", json={"game": game, "options": {}, "instead_of": running}).status_code == 200
        state = client.get(f"{API}/state").json()
        move = rig.ask(lambda: rig.history.game.legal(rig.history.state)[0])
        rig.ask(lambda move=move: rig.box.do(move))  # type: ignore[misc]
    assert state["game"] == "cisza"
    rows = {row["id"]: row for row in client.get(f"{API}/games").json()["games"]}
    assert rows[1]["ended"] is None
    stale = client.post(f"{API}/games/1/resume", json={"instead_of": 99})
    assert stale.status_code == 409
    assert client.post(f"{API}/games/77/resume", json={"instead_of": 2}).status_code == 404
    assert client.post(f"{API}/games/1/resume", json={"instead_of": 2}).status_code == 200
    assert client.get(f"{API}/state").json()["game"] == "similo"
    rig.restart()
    assert rig.paired().get(f"{API}/state").json()["game"] == "similo"


def test_a_menu_offers_what_was_left(rig: Rig) -> None:
    rig.stop()
    journal = Journal(rig.folder / "hush.db")
    _, play = begun(journal, "similo")
    play_on(play, random.Random(1), 4)
    journal._db.execute("DELETE FROM running")
    journal.close()
    rig.start()
    offered = rig.paired().get(f"{API}/state").json()["unfinished"]
    assert [(one["number"], one["label"]) for one in offered] == [(1, "Similo, 4 steps")]


def test_archive_work_never_holds_up_the_game(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the archive is stuck in one request, presses are heard; and a queue that is full says so at once."""
    client = rig.paired()
    client.post(f"{API}/games", json={"game": "silencio", "options": {}, "instead_of": None})
    entered, leave = threading.Event(), threading.Event()

    def stuck(archive: Archive, *_: object) -> None:
        entered.set()
        leave.wait(PATIENCE)
        raise Refused(404, "no_such_game", NOT_OVER)

    monkeypatch.setattr(Archive, "export", stuck)
    phones = [rig.paired() for _ in range(MAX_ARCHIVE_WAITING)]
    waiting = [
        threading.Thread(target=lambda phone=phone: phone.get(f"{API}/games/1/export", timeout=PATIENCE))
        for phone in phones
    ]
    for thread in waiting:
        thread.start()
    assert entered.wait(PATIENCE)
    try:
        state = client.get(f"{API}/state").json()
        pressed = client.post(
            f"{API}/press", json={"button": "right", "is_held": False, "moment": state["moment"]}, timeout=PATIENCE
        )
        assert pressed.status_code == 200
        assert eventually(lambda: rig.service.archive._gate._inside.total() == MAX_ARCHIVE_WAITING)
        assert client.get(f"{API}/games", timeout=PATIENCE).status_code == 503
    finally:
        leave.set()
        for thread in waiting:
            thread.join()
    assert client.get(f"{API}/games", timeout=PATIENCE).status_code == 200


@pytest.mark.parametrize("started", ["2026-05-01T12:00:00", "2099-01-01T00:00:00+00:00", "garbage", "", "９９９９"])
def test_strange_dates_break_neither_list_nor_numbers_nor_resuming(rig: Rig, started: str) -> None:
    client = rig.paired()
    client.post(f"{API}/games", json={"game": "silencio", "options": {}, "instead_of": None})
    journal = Journal(rig.folder / "elsewhere.db")
    number, _ = finished(journal, "similo")
    lines = list(journal.export(number))
    journal.close()
    head = {**json.loads(lines[0]), "started": started}
    content = packed("\n".join([json.dumps(head), *lines[1:]]).encode())
    taken = client.post(f"{API}/restore", content=content, headers={"content-type": "application/zip"})
    assert taken.json() == {"taken": 1, "known": 0}
    listed = client.get(f"{API}/games").json()["games"]
    assert [game["game"] for game in listed] == ["similo", "silencio"]
    assert client.get(f"{API}/statistics").json()["tallies"][0]["played"] == 1
    rig.restart()
    assert rig.paired().get(f"{API}/state").json()["game"] == "silencio"


def test_a_backup_of_newlines_takes_neither_time_nor_memory() -> None:
    """63 MB of newlines pack into 64 KB; they once stopped the box for 80 s and took a gigabyte."""
    bomb = packed(b"\n" * (63 * 1024 * 1024))
    tracemalloc.start()
    with pytest.raises(Refused) as refused:
        list(map(check_game, unpacked(bomb)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert refused.value.status == 413
    assert peak < 16 * 1024 * 1024


def test_many_lines_of_nothing_are_no_game() -> None:
    head = b'{"hush":1,"game":"similo","start":"similo players=2"}\n'
    for text in (b"\n" * 500_000, head + b'{"kind":"undo","text":""}\n' * 3, head[:-5]):
        with pytest.raises(Refused) as refused:
            check_game(text)
        assert refused.value.status == 422


def test_a_damaged_backup_is_refused_whatever_is_damaged(rig: Rig) -> None:
    journal = Journal(rig.folder / "elsewhere.db")
    number, _ = finished(journal, "similo")
    good = packed("\n".join(journal.export(number)).encode())
    journal.close()
    client = rig.paired()
    rng = random.Random(4)
    for _ in range(40):
        broken = bytearray(good)
        for _ in range(rng.randint(1, 8)):
            broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
        answer = client.post(
            f"{API}/restore", content=bytes(broken), headers={"content-type": "application/zip"}, timeout=PATIENCE
        )
        assert answer.status_code in (200, 413, 422), answer.text
    assert client.get(f"{API}/games").status_code == 200


def test_an_export_keeps_what_the_record_knows(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "hush.db")
    game = journal.open_game("similo", "similo players=2")
    journal.append(game, 1, [StoredStep("move", "show jack", is_joined=True).step])
    assert '"is_joined":true' in list(journal.export(game))[1]


def test_the_archive_pauses_for_as_long_as_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it goes through, others have half of the time to themselves."""
    now, pauses = [0.0], [0.0]

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(archive, "time", SimpleNamespace(perf_counter=lambda: now[0], sleep=sleep))
    for took in gently([0.001, 0.5, 0.0, 0.004, 0.002] * 20):
        now[0] += took
    assert sum(pauses) == pytest.approx(now[0] / 2, rel=0.05)
