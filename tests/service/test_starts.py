"""Three failed starts, and the box comes up in safe mode; and what brings it back."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from benchmarks.presses.fingers import Clock
from companion.service import starts as module
from companion.service.starts import MAX_FAILED_STARTS, STEADY_SECONDS, Mode, Starts, boot_id, in_mode
from companion.settings.effective import Settings
from companion.settings.sections import CameraSettings, WebSettings
from hardware.pixels import Strip
from sounds.box import SoundSettings
from tests.patience import eventually
from tests.service.boxed import Boxed

SERVICE = {"RUNTIME_DIRECTORY": "/run/hush"}


def begin(folder: Path) -> Mode:
    """A start that nothing is heard of again."""
    return Starts(folder, SERVICE, Clock()).count_start()


def test_after_three_failed_starts_comes_safe_mode_and_after_six_no_panel_either(tmp_path: Path) -> None:
    assert [begin(tmp_path) for _ in range(8)] == [Mode.USUAL] * 3 + [Mode.SAFE] * 3 + [Mode.BARE] * 2


def test_a_start_that_went_well_begins_the_count_anew(tmp_path: Path) -> None:
    for _ in range(MAX_FAILED_STARTS - 1):
        begin(tmp_path)
    clock = Clock()
    steady = Starts(tmp_path, SERVICE, clock)
    steady.count_start()
    clock.now += STEADY_SECONDS - 1
    steady.tick()
    assert (tmp_path / "starts").read_text().startswith(f"{MAX_FAILED_STARTS} ")
    clock.now += 1
    steady.tick()
    assert [begin(tmp_path) for _ in range(MAX_FAILED_STARTS + 1)] == [Mode.USUAL] * MAX_FAILED_STARTS + [Mode.SAFE]


def test_a_plug_that_was_pulled_is_no_failed_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for switched_on in range(5):
        monkeypatch.setattr(module, "boot_id", lambda switched_on=switched_on: f"boot-{switched_on}")
        assert begin(tmp_path) is Mode.USUAL


def test_safe_mode_can_be_wished_for_and_left(tmp_path: Path) -> None:
    starts = Starts(tmp_path, SERVICE, Clock())
    starts.wish(True)
    assert begin(tmp_path) is Mode.SAFE
    for _ in range(4):
        begin(tmp_path)
    starts.wish(False)
    assert begin(tmp_path) is Mode.USUAL


def test_a_person_at_a_terminal_is_never_counted_and_a_bad_disk_stops_nothing(tmp_path: Path) -> None:
    assert {Starts(tmp_path, {}, Clock()).count_start() for _ in range(9)} == {Mode.USUAL}
    assert not list(tmp_path.iterdir())
    assert begin(tmp_path / "nowhere") is Mode.USUAL
    (tmp_path / "starts").write_text("\0\0")
    assert begin(tmp_path) is Mode.USUAL


def test_what_is_left_out(tmp_path: Path) -> None:
    usual = Settings(
        "pi", tmp_path, strip=Strip("spidev0.0"), sound=SoundSettings(backend="real"), camera=CameraSettings("pi"),
        games={"silencio": {"players": 3}}, web=WebSettings(enabled=False, port=81), language="pl",
    )  # fmt: skip
    assert in_mode(usual, Mode.USUAL) == usual
    safe = in_mode(usual, Mode.SAFE)
    assert (safe.backend, safe.strip, safe.camera.device, safe.sound.backend) == ("pi", usual.strip, "none", "silent")
    assert (safe.games, safe.web, safe.language) == ({}, WebSettings(port=81), "pl")
    assert in_mode(usual, Mode.BARE).backend == "simulated"


def test_a_box_that_failed_three_times_says_so_and_plays(tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()
    (state / "starts").write_text(f"3 {boot_id()}")
    box = Boxed(tmp_path, state)
    try:
        assert eventually(lambda: any("STATUS=" in line and "safe-mode" in line for line in box.messages))
        box.begin()
        box.kill(signal.SIGTERM)
        assert (state / "starts").read_text().startswith("0 "), "stopped in good order"
    finally:
        box.close()
