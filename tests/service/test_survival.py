"""What real life does to a box: the plug, a stuck loop, a full or read-only card, a clock that jumps.

Each on the real `companion run` process, with pins in memory.
"""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import cv2
import numpy as np
import pytest

from companion.games import GAMES
from companion.journal import Journal
from companion.play import Play
from companion.service.notify import PING_GAP_SECONDS
from tests.patience import PATIENCE, eventually, meanwhile
from tests.recording import kept, play_on
from tests.service.boxed import Boxed
from tests.vision.test_camera_process import STAND_IN


@pytest.fixture
def boxes(tmp_path: Path) -> Iterator[list[Boxed]]:
    """The boxes of a test; all are ended with it."""
    started: list[Boxed] = []
    yield started
    for box in started:
        box.close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 400 kB of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("needs the right to mount a file system")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Write until nothing more fits."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 256)
        except OSError:
            pass
    return filler


def broken_off(state: Path) -> Any:
    """Leave a game that isn't over on the disk of a box that isn't running; the state it's in."""
    game = GAMES["silencio"]
    journal = Journal(state / "hush.db")
    play = Play(game, game.new(game.options(players=2, driver="table")))
    kept(journal, play)
    play_on(play, random.Random(6), moves=3)
    journal.close()
    return play.state


def test_kill_nine_loses_nothing(tmp_path: Path, boxes: list[Boxed]) -> None:
    state = tmp_path / "state"
    boxes.append(Boxed(tmp_path, state))
    boxes[0].begin()
    rng = random.Random(1)
    for _ in range(2):
        boxes[0].move(rng)
        before = boxes[-1].play()
        boxes[0].kill(signal.SIGKILL)
        boxes[0].close()
        boxes[0] = Boxed(tmp_path, state)
        after = boxes[0].play()
        assert before is not None
        assert after is not None
        assert after.state == before.state
    boxes[0].move(rng)
    assert len(Journal(state / "hush.db").games()) == 1


def test_a_stopped_process_stops_pinging_and_its_successor_goes_on(tmp_path: Path, boxes: list[Boxed]) -> None:
    """SIGSTOP is a stuck loop: no ping comes, and what systemd then does brings the game back."""
    boxes.append(Boxed(tmp_path, tmp_path / "state"))
    box = boxes[0]
    box.begin()
    box.move(random.Random(2))
    pings = len(box.messages)
    eventually(lambda: len(box.messages) > pings, why="the loop pings by itself")
    box.process.send_signal(signal.SIGSTOP)
    eventually(lambda: Path(f"/proc/{box.process.pid}/stat").read_text().rpartition(") ")[2].startswith("T"))
    heard = box.hear_out()
    meanwhile(2.5 * PING_GAP_SECONDS)
    assert box.hear_out() == heard, "a stuck loop pings nobody"
    # What systemd does at the end of its patience.
    box.process.send_signal(signal.SIGABRT)
    box.process.send_signal(signal.SIGCONT)
    assert box.process.wait(PATIENCE) == -signal.SIGABRT
    steps = box.steps()
    boxes.append(Boxed(tmp_path, tmp_path / "state"))
    boxes[1].move(random.Random(3))
    assert boxes[1].steps() > steps


def test_a_full_disk_stops_no_game_and_what_waited_is_written_later(
    tmp_path: Path, small_disk: Path, boxes: list[Boxed]
) -> None:
    boxes.append(Boxed(tmp_path, small_disk))
    box, rng = boxes[0], random.Random(5)
    box.begin()
    box.move(rng)
    filler = fill(small_disk)
    play = box.play()
    assert play is not None
    tries = 0
    while "STATUS=no-record" not in box.messages and tries < 200:
        # The first steps may still fit into pages that are there already.
        before = box.steps()
        move = box.press_move(play, rng)
        eventually(lambda before=before: box.steps() > before or "STATUS=no-record" in box.messages)
        box.follow(play, move)
        tries += 1
    assert "STATUS=no-record" in box.messages
    kept = box.steps()
    waiting = box.press_move(play, rng)
    meanwhile(1.0)
    assert box.process.poll() is None, "the game goes on"
    assert box.steps() == kept
    box.follow(play, waiting)
    said = len(box.hear_out())
    filler.unlink()
    eventually(lambda: "STATUS=all is well" in box.messages[said:])
    eventually(lambda: box.state_of_play() == play.state)
    box.kill(signal.SIGTERM)
    Journal(small_disk / "hush.db").close()


def test_a_start_on_a_full_disk_leaves_the_record_alone(tmp_path: Path, small_disk: Path, boxes: list[Boxed]) -> None:
    before = broken_off(small_disk)
    filler = fill(small_disk)
    boxes.append(Boxed(tmp_path, small_disk))
    boxes[0].kill(signal.SIGTERM)
    assert [file.name for file in small_disk.iterdir() if "broken" in file.name] == []
    filler.unlink()
    boxes.append(Boxed(tmp_path, small_disk))
    assert boxes[1].state_of_play() == before
    boxes[1].move(random.Random(7))


def test_a_read_only_card_leaves_the_box_playing_and_the_record_alone(
    tmp_path: Path, small_disk: Path, boxes: list[Boxed]
) -> None:
    broken_off(small_disk)
    content = (small_disk / "hush.db").read_bytes()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    boxes.append(Boxed(tmp_path, small_disk))
    box = boxes[0]
    assert eventually(box.lit), "the menu shines"
    box._pick(*new_game("silencio"))
    assert eventually(lambda: "STATUS=no-record" in box.messages), "the panel and the log say that nothing is kept"
    box.kill(signal.SIGTERM)
    assert box.process.returncode == 0, box.process.communicate()[1]
    assert (small_disk / "hush.db").read_bytes() == content


@pytest.mark.parametrize("trouble", ["full", "read-only"])
def test_a_first_start_without_room_plays_with_lights_and_page(
    tmp_path: Path, small_disk: Path, boxes: list[Boxed], trouble: str
) -> None:
    """Nothing is there yet: no record, no keys of the page, no folder for speech."""
    if trouble == "full":
        fill(small_disk)
    else:
        subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    boxes.append(Boxed(tmp_path, small_disk))
    box = boxes[0]
    assert eventually(box.lit), "the menu shines"
    box._pick(*new_game("silencio"))
    assert eventually(lambda: "STATUS=no-record" in box.messages), "the panel and the log say that nothing is kept"
    with urlopen(box.said.removeprefix("The page: ").split()[0], timeout=20) as page:
        assert page.status == 200
    box.kill(signal.SIGTERM)
    _, complaints = box.process.communicate()
    assert box.process.returncode == 0, complaints
    assert complaints.count("The page can't write") == 1, complaints
    assert "Traceback" not in complaints


def new_game(name: str) -> tuple[object, object]:
    from companion.table.hosts import HOSTS
    from companion.table.menu import NewGame, menu

    return menu(HOSTS, running=False).nodes, NewGame(name, {"players": 2, "driver": "table"})


def test_both_arrows_held_ask_the_system_to_power_down_whose_stop_is_clean(tmp_path: Path, boxes: list[Boxed]) -> None:
    boxes.append(Boxed(tmp_path, tmp_path / "state"))
    box = boxes[0]
    assert eventually(box.lit), "the menu shines"
    box.begin()
    box.move(random.Random(4))
    box.tell("hold")
    assert eventually(lambda: (box.runtime / "shutdown").exists())
    assert box.process.poll() is None, "the system stops it, with everything else"
    box.kill(signal.SIGTERM)
    assert box.process.returncode == 0, box.process.communicate()[1]
    assert "STOPPING=1" in box.messages
    assert not (tmp_path / "state" / "hush.db-wal").exists()


def test_a_jumping_clock_changes_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, boxes: list[Boxed]) -> None:
    """The game's windows follow the monotonic clock; the time of day is only noted beside each step."""
    times = itertools.cycle(["1970-01-01T00:00:01.000+00:00", "2099-12-31T23:59:59.000+00:00"])
    monkeypatch.setattr("companion.journal.journal.now", lambda: next(times))
    state = broken_off(tmp_path / "state")
    boxes.append(Boxed(tmp_path, tmp_path / "state"))
    assert boxes[0].state_of_play() == state
    boxes[0].move(random.Random(9))


def test_a_folder_that_may_not_be_written_is_said_and_played_on(tmp_path: Path, boxes: list[Boxed]) -> None:
    place = tmp_path / "file"
    place.write_text("not a folder")
    boxes.append(Boxed(tmp_path, place / "state"))
    assert eventually(boxes[0].lit)
    os.kill(boxes[0].process.pid, signal.SIGTERM)
    _, said = boxes[0].process.communicate(timeout=PATIENCE)
    assert boxes[0].process.returncode == 0
    assert "can't be used as a journal" in said


def test_a_camera_that_is_gone_is_said_and_buttons_play_on_until_it_is_back(tmp_path: Path, boxes: list[Boxed]) -> None:
    """The camera is a picture that isn't there, and then is."""
    picture = tmp_path / "table.png"
    boxes.append(Boxed(tmp_path, tmp_path / "state", camera=str(picture)))
    box = boxes[0]
    assert eventually(lambda: "STATUS=no-camera" in box.messages)
    box.begin()
    box.move(random.Random(10))
    cv2.imwrite(str(picture), np.full((480, 640, 3), 120, np.uint8))
    assert eventually(lambda: "STATUS=all is well" in box.messages)
    box.kill(signal.SIGTERM)
    assert box.process.returncode == 0, box.process.communicate()[1]


def camera_process(box: Boxed) -> int:
    """The process that holds the camera; 0 while there is none."""
    for task in Path(f"/proc/{box.process.pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            if b"camera_process" in Path(f"/proc/{child}/cmdline").read_bytes():
                return int(child)
    return 0


def last_status(box: Boxed) -> str:
    return next((line for line in reversed(box.messages) if line.startswith("STATUS")), "")


@pytest.mark.parametrize("case", ["killed", "hung", "unplugged"])
def test_only_the_cameras_process_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, boxes: list[Boxed], case: str
) -> None:
    """Everything is real but Picamera2 itself: the game goes on, the fault is told, the camera comes back."""
    mood = tmp_path / "mood"
    mood.write_text("good")
    monkeypatch.setenv("PICAMERA2_MOOD", str(mood))
    monkeypatch.setenv("PYTHONPATH", str(STAND_IN))
    boxes.append(Boxed(tmp_path, tmp_path / "state", camera="pi"))
    box = boxes[0]
    box.begin()
    # Stopped before its first frame, it would have as long as a start may take.
    frames = mood.with_suffix(".seen")
    assert eventually(lambda: frames.exists() and len(frames.read_text()) > 2 and camera_process(box))
    old, pings = camera_process(box), len(box.messages)
    if case == "unplugged":
        mood.write_text("gone")
    else:
        os.kill(old, signal.SIGKILL if case == "killed" else signal.SIGSTOP)
    if case != "killed":  # that one may be back before anybody misses it
        assert eventually(lambda: any("no-camera" in line for line in box.messages))
    box.move(random.Random(11))
    mood.write_text("good")
    assert eventually(lambda: camera_process(box) not in (0, old))
    assert eventually(lambda: "no-camera" not in last_status(box))
    assert eventually(lambda: len(box.messages) > pings), "the loop goes on pinging"
    new = camera_process(box)
    box.kill(signal.SIGTERM)
    assert box.process.returncode == 0, box.process.communicate()[1]
    assert not Path(f"/proc/{old}").exists()
    assert not Path(f"/proc/{new}").exists()


def test_a_game_that_cant_be_read_leaves_the_menu_and_stays_in_the_record(tmp_path: Path, boxes: list[Boxed]) -> None:
    """As after a step back to an older version."""
    journal = Journal(tmp_path / "state" / "hush.db")
    number = journal.open_game("silencio", "silencio of a later kind")
    journal.close()
    boxes.append(Boxed(tmp_path, tmp_path / "state"))
    assert eventually(boxes[0].lit), "the menu shines"
    boxes[0].kill(signal.SIGTERM)
    assert boxes[0].process.returncode == 0
    assert Journal(tmp_path / "state" / "hush.db").entry(number).ended is None
