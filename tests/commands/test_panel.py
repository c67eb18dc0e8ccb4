"""The verbs around the panel and the voice, as a person types them."""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.cli import make_app, outcome
from companion.commands.given import Given
from companion.commands.panel.twin import pages, walk
from hardware.button_signals import Countdown, CountdownStopped, LongPress, Press, Signal
from hardware.flourishes import Flourish
from hardware.panel import Button, PanelFrame
from hardware.silent import NullPanel

SHORT = "[panel]\nbar = [5, 6]\nsun = 18\nleft = 4\n"


def companion(*words: str, said: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", *words],
        input=said,
        text=True,
        capture_output=True,
        timeout=120,
        check=False,
        env={**os.environ, "HUSH_CONFIG": "/nowhere", "LANG": "C.UTF-8", "LC_ALL": "", "COLUMNS": "160", **environment},
    )


def test_wiring_prints_the_table_and_draws_it(tmp_path: Path) -> None:
    svg, png = tmp_path / "w.svg", tmp_path / "w.png"
    done = companion("wiring", "--svg", str(svg), "--png", str(png))
    assert done.returncode == 0, done.stderr
    assert "light 15 of the bar" in done.stdout
    assert "All lights on take 30.3 mA of 50 mA." in done.stdout
    text = "".join(ElementTree.fromstring(svg.read_text()).itertext())
    for part in ("the sun (GPIO 18)", "the button ✔ (GPIO 3)", "light 1 of the bar (GPIO 25)"):
        assert part in text
    assert png.read_bytes().startswith(b"\x89PNG")


def test_wiring_follows_the_configuration_and_the_language(tmp_path: Path) -> None:
    config, svg = tmp_path / "hush.toml", tmp_path / "w.svg"
    config.write_text(SHORT)
    done = companion("wiring", "--config", str(config), "--svg", str(svg), LANG="nl_NL.UTF-8")
    assert done.returncode == 0, done.stderr
    text = "".join(ElementTree.fromstring(svg.read_text()).itertext())
    assert "GPIO 18" in text
    assert "GPIO 25" not in text
    assert "the sun" not in text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[panel]\nsun = 5\nmoon = 5\n", "GPIO 5 is used twice: by the sun and by the moon."),
        ("[panel\n", "can't be read"),
    ],
)
def test_a_bad_configuration_is_one_clear_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    config = tmp_path / "hush.toml"
    config.write_text(text)
    done = companion("wiring", "--config", str(config))
    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_bringup_walks_through_and_reports(tmp_path: Path) -> None:
    config, report = tmp_path / "hush.toml", tmp_path / "report.json"
    config.write_text(SHORT)
    words = ("bringup", "--simulated", "--config", str(config), "--report", str(report))
    done = companion(*words, said="y\n-\ny\n\n")
    assert done.returncode == 0, done.stderr
    assert "No fault found; lights that nobody looked at: 1." in done.stdout
    findings = {one["part"]: one["standing"] for one in json.loads(report.read_text())["findings"]}
    assert findings == {"bar1": "seen", "bar2": "emitted", "sun": "seen", "left": "measured"}


def test_bringup_ends_with_an_error_if_something_needs_a_hand(tmp_path: Path) -> None:
    config = tmp_path / "hush.toml"
    config.write_text(SHORT)
    done = companion("bringup", "--simulated", "--config", str(config), said="y\ny\nn\nthe moon\n\n")
    assert done.returncode == 1
    assert "You saw the moon shine" in done.stdout
    assert "Parts that need a hand: 1." in done.stdout


EASY = '[strip]\ndevice = "spidev0.0"\npixels = 2\nbar = [1, 2]\n'
EASY += "".join(f"{lamp} = 0\n" for lamp in ("red", "blue", "yellow", "green", "sun", "moon"))
EASY += '[display]\nchip = "sh1106"\n[panel]\nleft = 4\n'


def test_bringup_knows_strip_and_display(tmp_path: Path) -> None:
    config, report = tmp_path / "hush.toml", tmp_path / "report.json"
    config.write_text(EASY)
    done = companion("bringup", "--simulated", "--config", str(config), "--report", str(report), said="y\ny\n\n\n")
    assert done.returncode == 0, done.stderr
    findings = {one["part"]: one["standing"] for one in json.loads(report.read_text())["findings"]}
    assert findings == {"bar1": "watched", "bar2": "watched", "left": "measured", "display": "sent"}
    assert "light 1 of the bar, pixel 1" in done.stdout


def test_wiring_of_the_easy_panel_with_its_plate(tmp_path: Path) -> None:
    svg, plate = tmp_path / "w.svg", tmp_path / "plate.pdf"
    done = companion("wiring", "--easy", "--svg", str(svg), "--plate", str(plate), LANG="nl_NL.UTF-8")
    assert done.returncode == 0, done.stderr
    assert "231 mA van 500 mA" in done.stdout
    assert "De frontplaat is 268 bij 66 mm." in done.stdout
    assert plate.read_bytes().startswith(b"%PDF")
    text = "".join(ElementTree.fromstring(svg.read_text()).itertext())
    assert "74AHCT125" in text
    assert "5 V voor de strip" in text


def test_the_boxs_own_configuration_is_meant_where_none_is_named(tmp_path: Path) -> None:
    config = tmp_path / "hush.toml"
    config.write_text(EASY)
    done = companion("wiring", HUSH_CONFIG=str(config))
    assert "the strip's data line" in done.stdout
    collision = tmp_path / "other.toml"
    collision.write_text('[strip]\ndevice = "spidev0.0"\n[panel]\nsun = 9\n')
    done = companion("wiring", "--config", str(collision))
    assert done.returncode == 2
    assert "GPIO 9 is used twice: by the sun and by the strip's bus (SPI)." in done.stderr


@pytest.mark.parametrize("verb", ["bringup", "dark"])
def test_without_pins_the_person_is_told_what_to_do(verb: str) -> None:
    done = companion(verb)
    assert done.returncode == 2
    assert "pins" in done.stderr or "lgpio" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
def test_say_writes_a_file(tmp_path: Path) -> None:
    path = tmp_path / "said.wav"
    done = companion("say", "Dwie monety", "--language", "pl", "--save", str(path))
    assert done.returncode == 0, done.stderr
    assert path.stat().st_size > 20_000


def test_sounds_plays_every_cue_on_a_device_and_says_so_without_one() -> None:
    done = companion("sounds", SDL_AUDIODRIVER="nonesuch")
    assert done.returncode == 1
    assert "No sound:" in done.stderr


def test_the_light_language_is_walked_through_with_the_buttons() -> None:
    heard: queue.Queue[Signal | None] = queue.Queue()
    shown: list[str] = []
    flourishes: list[str] = []

    class Watched(NullPanel):
        def show(self, frame: PanelFrame) -> None:
            shown.append(str(frame))

        def flourish(self, flourish: Flourish) -> None:
            flourishes.append(flourish.name)

    steps: list[Signal] = [
        Press(Button.RIGHT),
        Press(Button.LEFT),
        Press(Button.LEFT),
        Press(Button.CONFIRM),
        LongPress(Button.CONFIRM),
        Press(Button.CONFIRM),
        Countdown(4),
        CountdownStopped(),
        Press(Button.BACK),
    ]
    for signal in steps:
        heard.put(signal)
    walk(Watched(), heard)
    first, second, last = (str(pages()[n][2]) for n in (0, 1, -1))
    assert shown == [first, second, first, last, ".ooooooooooooo. **** ..", last]
    assert flourishes == ["accepted", "refused"]
    assert heard.empty()


@pytest.mark.parametrize("content", [b"panel = 3\n", b"[panel]\nred = 'x'\n", b"# \xe9\n", b"\0", b"[panel"], ids=repr)
def test_a_configuration_that_cant_be_used_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    path = tmp_path / "hush.toml"
    path.write_bytes(content)
    code, _ = outcome(lambda: make_app(Given())(["wiring", "--config", str(path)]))
    assert code == (0 if content == b"panel = 3\n" else 2)
    assert capsys.readouterr().err.strip()


def test_the_reference_card_is_printed_in_the_language_of_the_box(tmp_path: Path) -> None:
    done = companion("print", "panel", "--out", str(tmp_path / "card.pdf"), LANG="pl_PL.UTF-8")
    assert done.returncode == 0, done.stderr
    assert "(stron: 3)" in done.stdout
