"""One factory opens a panel and one opens a camera, whoever asks."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.commands import devices
from companion.settings.effective import Settings
from companion.settings.sections import CameraSettings
from hardware.silent import NullPanel
from hardware.simulated import SimulatedPanel
from vision.cameras import SupervisedCamera

ROOT = Path(__file__).parent.parent.parent
FACTORIES = {
    "GpioPanel": "hardware/backends.py",
    "NullPanel": "hardware/backends.py",
    "SimulatedPanel": "hardware/backends.py",
    "StripPanel": "hardware/backends.py",
    "TerminalPanel": "hardware/backends.py",
    "WindowPanel": "hardware/backends.py",
    "OledDisplay": "companion/commands/devices.py",
    "TerminalDisplay": "companion/commands/devices.py",
    "FileCamera": "vision/cameras/__init__.py",
    "ProcessCamera": "vision/cameras/__init__.py",
    # Its own process opens what a driver may hang.
    "PiCamera": "vision/cameras/camera_process.py",
    "UsbCamera": "vision/cameras/camera_process.py",
}


def made() -> Iterator[tuple[str, str]]:
    """Every call of a panel's or a camera's class, with the module it's in."""
    for room in ("companion", "vision", "hardware", "sounds"):
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call):
                    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                    if name in FACTORIES:
                        yield name, path.relative_to(ROOT).as_posix()


def test_every_panel_and_camera_is_made_in_one_place() -> None:
    assert set(made()) == set(FACTORIES.items())


def test_a_pi_without_pins_says_so_and_plays_without_lights(tmp_path: Path) -> None:
    told: list[str] = []
    with devices.own_panel(Settings("pi", tmp_path), told.append) as panel:
        assert isinstance(panel, NullPanel)
    assert len(told) == 1


def test_a_computer_without_a_terminal_has_its_panel_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings("simulated", tmp_path)
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True)
    assert devices.panel_backend(settings) == "terminal"
    monkeypatch.setattr("sys.stdin.isatty", lambda: False)
    assert devices.panel_backend(settings) == "simulated"
    with devices.own_panel(settings, pytest.fail) as panel:
        assert isinstance(panel, SimulatedPanel)


def test_a_camera_is_opened_by_its_name_or_not_at_all(tmp_path: Path) -> None:
    assert devices.own_camera(Settings("simulated", tmp_path)) is None
    camera = devices.own_camera(Settings("simulated", tmp_path, camera=CameraSettings(str(tmp_path))))
    assert isinstance(camera, SupervisedCamera)
