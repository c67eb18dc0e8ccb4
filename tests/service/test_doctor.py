"""The doctor on broken boxes: each fault once, and what it advises."""

from __future__ import annotations

import os
import random
import socket
import sqlite3
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.doctor import camera, keeping, machine, parts
from companion.doctor.finding import Finding, Standing
from companion.doctor.picture_process import described
from companion.doctor.system import CommandResult, System, run
from companion.games import GAMES
from companion.journal import Journal
from companion.play import Play
from companion.service.backups import Backups
from companion.settings.sections import CameraSettings, WebSettings
from companion.text import Text
from hardware.pinout import DEFAULT
from sounds.box import SoundSettings
from tests.recording import kept
from tests.service.doctored import FAULT, OK, WARNING, a_box, judged, with_programs
from tests.vision.test_camera_process import STAND_IN

STOPPED = CommandResult(3)


@pytest.fixture
def system(tmp_path: Path) -> System:
    return a_box(tmp_path)


def played(folder: Path) -> Path:
    """A journal with a game in it."""
    journal = Journal(folder / "hush.db")
    game = GAMES["silencio"]
    play = Play(game, game.new(game.options()))
    kept(journal, play)
    rng = random.Random(1)
    for _ in range(5):
        play.do(rng.choice(game.legal(play.state)))
    journal.close()
    return journal.path


# The machine


def test_an_old_python(system: System) -> None:
    judged(machine.python(replace(system, version=(3, 9, 2))), FAULT, "3.9.2")
    judged(machine.python(system), OK)


def test_a_package_that_doesnt_load(system: System) -> None:
    judged(machine.packages(replace(system, run=run)), OK)
    clash = CommandResult(1, "Traceback …\nImportError: libGL.so.1: cannot open shared object file\n")
    judged(machine.packages(with_programs(system, python=clash)), FAULT, "libGL.so.1")


def test_a_machine_too_busy_to_be_judged_isnt_told_to_install_anything(system: System) -> None:
    late = CommandResult(None, "timed out after 60.0 seconds")
    judged(machine.packages(with_programs(system, python=late)), WARNING, "busy")
    (finding,) = camera.camera(with_programs(system, **{"import picamera2": late}))
    judged(finding, WARNING, "busy")


def test_a_configuration_with_a_mistake(system: System) -> None:
    judged(machine.configuration(system), OK)
    judged(machine.configuration(replace(system, complaints=(Text("line 3: no key colour"),))), WARNING, "colour")


@pytest.mark.parametrize(("left", "standing"), [(1, FAULT), (50, WARNING), (5000, OK)])
def test_a_disk_that_fills(system: System, monkeypatch: pytest.MonkeyPatch, left: int, standing: Standing) -> None:
    monkeypatch.setattr(machine, "free", lambda folder: left * machine.MEGABYTE)
    judged(machine.disk(system), standing, str(left))


def test_a_failing_card(system: System, tmp_path: Path) -> None:
    judged(machine.card(system), OK)
    noisy = CommandResult(0, "mmc0: Card stuck, error -110\n")
    judged(machine.card(with_programs(system, journalctl=noisy)), WARNING, "1 since")
    counter = system.root / "sys/fs/ext4/mmcblk0p2/errors_count"
    counter.parent.mkdir(parents=True)
    counter.write_text("4\n")
    judged(machine.card(system), WARNING, "1 in the file system")
    mounts = f"/dev/root / ext4 rw 0 0\n/dev/sda {tmp_path} ext4 ro,relatime 0 0\n"
    (system.root / "proc/self").mkdir()
    (system.root / "proc/self/mounts").write_text(mounts)
    judged(machine.card(system), FAULT, "read-only")


@pytest.mark.parametrize(
    ("said", "standing", "word"),
    [
        ("throttled=0x0", OK, "good"),
        ("throttled=0x50005", FAULT, "too low right now"),
        ("throttled=0x10000", WARNING, "was too low"),
        ("throttled=0x60000", WARNING, "hot"),
        ("throttled=0x8", WARNING, "hot"),
    ],
)
def test_a_weak_power_supply_and_a_hot_pi(system: System, said: str, standing: Standing, word: str) -> None:
    judged(machine.power(with_programs(system, vcgencmd=CommandResult(0, said + "\n"))), standing, word)


def test_a_pi_that_doesnt_tell_its_voltage(system: System) -> None:
    judged(machine.power(system), WARNING, "vcgencmd")
    refused = CommandResult(0, 'error=1 error_msg="Command not registered"\n')
    judged(machine.power(with_programs(system, vcgencmd=refused)), WARNING, "vcgencmd")
    judged(machine.power(replace(system, is_pi=False)), OK)


def test_a_clock_that_is_wrong(system: System) -> None:
    judged(machine.clock(system), OK)
    judged(machine.clock(replace(system, now=lambda: datetime(1970, 1, 1, tzinfo=UTC))), WARNING, "1970")
    judged(machine.clock(with_programs(system, timedatectl=CommandResult(0, "no\n"))), WARNING, "network")
    played(system.settings.folder)
    back = datetime(2026, 1, 2, tzinfo=UTC)
    judged(machine.clock(replace(system, now=lambda: back)), WARNING, "2026-01-02")


# What hangs on it


@pytest.fixture
def pins() -> Any:
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.close()


def test_pins_that_are_free_and_a_button_that_is_stuck(system: System, pins: Any) -> None:
    for finding in parts.panel(replace(system, pins=pins)):
        judged(finding, OK)

    from gpiozero.pins.mock import MockFactory, MockPWMPin

    class Held(MockPWMPin):  # type: ignore[misc]
        """A pin whose button stays down whatever its resistor wants."""

        def _set_pull(self, value: str) -> None:
            super()._set_pull(value)
            if self.info.name == f"GPIO{DEFAULT.confirm}":
                self.drive_low()

    stuck = MockFactory(pin_class=Held)
    free, button = parts.panel(replace(system, pins=stuck))
    judged(free, OK)
    judged(button, WARNING, "✔")


def test_pins_that_another_program_has(system: System, pins: Any) -> None:
    from gpiozero import LED

    with LED(DEFAULT.sun, pin_factory=pins):
        (finding,) = parts.panel(replace(system, pins=pins))
    judged(finding, FAULT, "18")


def test_pins_that_arent_there_or_may_not_be_used(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    (finding,) = parts.panel(system)
    judged(finding, FAULT, "gpiochip")
    (system.root / "dev").mkdir()
    (system.root / "dev/gpiochip0").touch()
    monkeypatch.setattr(os, "access", lambda *_: False)
    (finding,) = parts.panel(system)
    judged(finding, FAULT, "may not")


def test_pins_that_the_service_holds(system: System) -> None:
    (finding,) = parts.panel(with_programs(system, systemctl=CommandResult(0)))
    judged(finding, OK, "service")
    (finding,) = parts.panel(with_programs(system, systemctl=CommandResult(0, "no-panel\n")))
    judged(finding, FAULT, "without its panel")


def test_no_sound_card_and_one_that_wont_open(system: System) -> None:
    judged(parts.sound(with_programs(system, systemctl=STOPPED, MixerOutput=CommandResult(0))), OK)
    busy = CommandResult(1, "pygame.error: ALSA: Couldn't open audio device: Device or resource busy\n")
    judged(parts.sound(with_programs(system, systemctl=STOPPED, MixerOutput=busy)), WARNING, "busy")
    (system.root / "proc/asound/cards").write_text("--- no soundcards ---\n")
    judged(parts.sound(system), WARNING, "no sound card")


def test_a_voice_that_doesnt_speak(system: System) -> None:
    judged(parts.voice(system, (sys.executable, "-c", "")), WARNING, "voice")
    silent = replace(system, settings=replace(system.settings, sound=SoundSettings(speech=False)))
    judged(parts.voice(silent), OK, "off")


# The camera


def test_a_camera_without_its_library(system: System) -> None:
    broken = CommandResult(1, "ValueError: numpy.dtype size changed, may indicate binary incompatibility\n")
    (finding,) = camera.camera(with_programs(system, **{"import picamera2": broken}))
    judged(finding, FAULT, "numpy.dtype size changed")


def seen_by(system: System, picture: CommandResult) -> list[Finding]:
    answers = {"import picamera2": CommandResult(0), "picture_process": picture, "systemctl": STOPPED}
    return camera.camera(with_programs(system, **answers))


def test_a_camera_that_is_gone_or_hangs(system: System) -> None:
    (finding,) = seen_by(system, CommandResult(1, "no sensor was found\n"))
    judged(finding, FAULT, "no sensor")
    (finding,) = seen_by(system, CommandResult(None, "timed out"))
    judged(finding, FAULT, "hangs")


@pytest.mark.parametrize(
    ("status", "name", "standing", "word"),
    [
        ("all is well\n", "camera", OK, "may hold"),
        ("no-camera\n", "camera", FAULT, "no pictures"),
        ("no-eye\n", "camera", FAULT, "can't read them"),
        ("no-markers\n", "markers", WARNING, "corner markers"),
    ],
)
@pytest.mark.parametrize(
    "picture", [CommandResult(1, "busy\n"), CommandResult(camera.CAMERA_HANGS_CODE), CommandResult(None, "timed out")]
)
def test_a_camera_that_the_service_holds(
    system: System, picture: CommandResult, status: str, name: str, standing: Standing, word: str
) -> None:
    answers = {"import picamera2": CommandResult(0), "picture_process": picture, "systemctl": CommandResult(0, status)}
    (finding,) = camera.camera(with_programs(system, **answers))
    assert finding.name == name
    judged(finding, standing, word)


def test_a_sensor_that_starts_and_then_hangs(system: System, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything of the chain but the sensor."""
    mood = tmp_path / "mood"
    mood.write_text("falter")
    monkeypatch.setenv("PICAMERA2_MOOD", str(mood))
    monkeypatch.setenv("PYTHONPATH", str(STAND_IN))
    (finding,) = camera.camera(replace(system, run=run, settings=replace(system.settings, camera=CameraSettings("pi"))))
    judged(finding, FAULT, "hangs")


def table_picture(light: float = 120.0, blur: float = 0.0, markers: Sequence[int] = (0, 1, 2, 3)) -> Any:
    """A grey table with markers in its corners."""
    picture = np.full((480, 640), light, np.float32)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number in markers:
        left, top = (40 if number in (0, 3) else 540), (40 if number in (0, 1) else 380)
        picture[top - 10 : top + 70, left - 10 : left + 70] = 255
        picture[top : top + 60, left : left + 60] = cv2.aruco.generateImageMarker(dictionary, number, 60)
    if blur:
        picture = cv2.GaussianBlur(picture, (0, 0), blur)
    return cv2.cvtColor(np.clip(picture, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)


@pytest.mark.parametrize(
    ("picture", "bad", "word"),
    [
        (table_picture(), None, ""),
        (table_picture(light=5), "light", "dark"),
        (table_picture(light=250), "light", "bright"),
        (table_picture(blur=12), "sharpness", "blurred"),
        (table_picture(markers=(0, 3)), "markers", "1, 2"),
    ],
)
def test_what_a_picture_tells(picture: Any, bad: str | None, word: str) -> None:
    found = {finding.name: finding for finding in camera.judge(described(picture))}
    if bad is None:
        assert {finding.standing for finding in found.values()} == {OK}
    else:
        judged(found[bad], WARNING, word)


def test_a_picture_comes_from_the_process_that_takes_it(system: System) -> None:
    said = '{"width":1536,"height":864,"light":120.0,"sharpness":90.0,"markers":[0,1,2,3]}'
    assert [finding.standing for finding in seen_by(system, CommandResult(0, f"a warning\n{said}\n"))] == [OK] * 4


def test_the_picture_process_on_a_real_file_and_without_a_camera(system: System, tmp_path: Path) -> None:
    """Everything of the chain but the sensor: a camera that is a picture."""
    file = tmp_path / "table.png"
    cv2.imwrite(str(file), table_picture())
    sees = replace(system, run=run, settings=replace(system.settings, camera=CameraSettings(str(file))))
    assert [finding.standing for finding in camera.camera(sees)] == [OK] * 4
    camera_gone = CameraSettings(str(tmp_path / "gone.png"))
    gone = replace(system, run=run, settings=replace(system.settings, camera=camera_gone))
    (finding,) = camera.camera(gone)
    judged(finding, FAULT, "gone.png")
    blind = replace(system, settings=replace(system.settings, camera=CameraSettings("none")))
    (finding,) = camera.camera(blind)
    judged(finding, OK)


def test_a_deck_whose_index_is_spoilt(system: System, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(camera, "cache_folder", lambda: tmp_path / "none")
    folder = system.root / "var/cache/hush/decks/tarot"
    folder.mkdir(parents=True)
    np.savez(folder / ".hush-index.npz", about=np.zeros(3, np.uint8))
    judged(camera.decks(system), OK, "1")
    (folder / ".hush-index.npz").write_bytes(b"PK torn in the middle")
    judged(camera.decks(system), WARNING, "tarot")


# What is kept


def test_a_record_that_is_whole_damaged_or_set_aside(system: System) -> None:
    judged(keeping.database(system), OK, "No game")
    path = played(system.settings.folder)
    judged(keeping.database(system), OK, "1 games, 5 steps")
    copy = Backups(path).make()
    content = bytearray(path.read_bytes())
    content[4096:8192] = os.urandom(4096)
    path.write_bytes(content)
    finding = keeping.database(system)
    judged(finding, FAULT, "damaged")
    assert str(copy) in str(finding.fix)
    _, complaint = Journal.open_or_set_aside(path)
    assert complaint is not None
    judged(keeping.database(system), WARNING, "broken-")


def test_one_bad_byte_in_one_game_is_found_and_named(system: System) -> None:
    path = played(system.settings.folder)
    database = sqlite3.connect(path)
    database.execute("UPDATE games SET ended = CAST(x'B2303236' AS TEXT)")
    database.commit()
    database.close()
    judged(keeping.database(system), WARNING, "1 of 1 games can't be played again: 1.")


def test_a_folder_that_cant_be_written(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda _, how: how != os.W_OK)
    judged(keeping.database(system), FAULT, "can't be written")
    monkeypatch.setattr(os, "access", lambda *_: False)
    judged(keeping.database(system), WARNING, "Only the box")
    judged(keeping.backups(system), OK)


def test_a_backup_that_cant_be_read(system: System) -> None:
    judged(keeping.backups(system), OK, "no backup yet")
    path = played(system.settings.folder)
    copy = Backups(path).make()
    judged(keeping.backups(system), OK, copy.name)
    copy.write_bytes(b"nothing of the kind" * 300)
    judged(keeping.backups(system), WARNING, copy.name)


def told(**values: str) -> CommandResult:
    state = {"LoadState": "loaded", "ActiveState": "active", "UnitFileState": "enabled", "NRestarts": "0", **values}
    return CommandResult(0, "\n".join(f"{name}={value}" for name, value in state.items()))


@pytest.mark.parametrize(
    ("answer", "standing", "word"),
    [
        (told(), OK, "active"),
        (told(LoadState="not-found"), WARNING, "isn't installed"),
        (told(ActiveState="failed", Result="watchdog"), FAULT, "watchdog"),
        (told(UnitFileState="disabled"), WARNING, "doesn't start"),
        (told(NRestarts="5"), WARNING, "5 times"),
        (CommandResult(None), WARNING, "isn't installed"),
    ],
)
def test_the_service_as_systemd_sees_it(system: System, answer: CommandResult, standing: Standing, word: str) -> None:
    judged(keeping.service(with_programs(system, systemctl=answer)), standing, word)


def test_a_page_that_doesnt_answer(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens there
        on_port = replace(system.settings, web=WebSettings(port=taken.getsockname()[1]))
        served = replace(with_programs(system, systemctl=CommandResult(0)), settings=on_port)
        (finding,) = keeping.page(served)
        judged(finding, FAULT, "doesn't answer")
        taken.listen()
        monkeypatch.setattr("urllib.request.urlopen", lambda *_, **__: taken.dup())
        (finding,) = keeping.page(served)
        judged(finding, OK)
    without = replace(system.settings, web=WebSettings(enabled=False))
    assert keeping.page(replace(served, settings=without)) == []
