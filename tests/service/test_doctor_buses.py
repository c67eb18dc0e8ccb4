"""The doctor on a strip and a display: each thing that can be missing, and what to do about it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.doctor import buses, parts
from companion.doctor.system import CommandResult, System
from hardware.outfit import EASY_PANEL
from tests.service.doctored import FAULT, OK, WARNING, a_box, judged, with_programs

PI3, PI4, PI5, ZERO = (f"Raspberry Pi {name}" for name in ("3 Model B Rev 1.2", "4 Model B", "5 Model B", "Zero 2 W"))


@pytest.fixture
def system(tmp_path: Path) -> System:
    """A Pi 4 with the easy panel, well in every way."""
    box = a_box(tmp_path)
    settings = replace(box.settings, pinout=EASY_PANEL.pinout, strip=EASY_PANEL.strip, display=EASY_PANEL.display)
    for name, text in {
        "dev/spidev0.0": "",
        "dev/i2c-1": "",
        "boot/firmware/config.txt": "dtparam=spi=on\ndtparam=i2c_arm=on\n[pi4]\ncore_freq_min=500\n[all]\n",
        "proc/device-tree/model": PI4,
        "sys/module/spidev/parameters/bufsiz": "4096",
    }.items():
        (box.root / name).parent.mkdir(parents=True, exist_ok=True)
        (box.root / name).write_text(text)
    return with_programs(replace(box, settings=settings), smbus2=CommandResult(0, "0x3c\n"), spidev=CommandResult(0))


def test_all_is_well(system: System) -> None:
    for check in (buses.strip, buses.display):
        (finding,) = check(system)
        judged(finding, OK)
    (finding,) = buses.strip(system)
    assert "22 pixels, 231 mA of 500 mA" in str(finding.said)


def test_a_box_without_them_is_asked_nothing(system: System) -> None:
    plain = replace(system, settings=replace(system.settings, strip=type(EASY_PANEL.strip)()))
    assert buses.strip(plain) == []
    simulated = replace(system, settings=replace(system.settings, backend="simulated"))
    assert buses.strip(simulated) == buses.display(simulated) == []


def test_no_bus_and_what_to_write_where(system: System) -> None:
    (system.root / "dev/spidev0.0").unlink()
    (system.root / "dev/i2c-1").unlink()
    for check, line in ((buses.strip, "dtparam=spi=on"), (buses.display, "dtparam=i2c_arm=on")):
        (finding,) = check(system)
        judged(finding, FAULT, "There is no")
        assert f"Write {line} into /boot/firmware/config.txt" in str(finding.fix)


def test_a_bus_that_only_others_may_use(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    for check, group in ((buses.strip, "spi"), (buses.display, "i2c")):
        (finding,) = check(system)
        judged(finding, FAULT, "may not be used")
        assert f"usermod -aG {group}" in str(finding.fix)


def test_the_library_that_only_debian_has(system: System) -> None:
    (finding,) = buses.strip(with_programs(system, spidev=CommandResult(1, "ModuleNotFoundError")))
    judged(finding, FAULT, "spidev is missing")
    assert "apt-get install python3-spidev" in str(finding.fix)
    (finding,) = buses.strip(with_programs(system, spidev=CommandResult(None)))
    judged(finding, WARNING)


@pytest.mark.parametrize(
    ("model", "written", "missing"),
    [
        (PI4, "", ["core_freq_min=500"]),
        (PI4, "core_freq_min=500", []),
        (PI4, "[pi3]\ncore_freq_min=500", ["core_freq_min=500"]),
        (PI4, "[pi4]\ncore_freq_min=500\n[all]\n#core_freq_min=1", []),
        (PI4, "core_freq_min=500\ncore_freq_min=200", ["core_freq_min=500"]),
        (PI4, "force_turbo=1", []),
        (PI3, "", ["core_freq=250"]),
        (PI3, "[pi3]\ncore_freq = 250", []),
        (ZERO, "[pi4]\ncore_freq=250", ["core_freq=250"]),
        (ZERO, "[pi02]\ncore_freq=250", []),
        (PI5, "", []),
        ("some other board", "", []),
    ],
)
def test_the_clock_that_each_pi_needs(system: System, model: str, written: str, missing: list[str]) -> None:
    assert buses.missing_lines(model, written) == missing
    (system.root / "proc/device-tree/model").write_text(model)
    (system.root / "boot/firmware/config.txt").write_text(written)
    (finding,) = buses.strip(system)
    judged(finding, WARNING if missing else OK, "clock" if missing else "")
    assert all(line in str(finding.fix) for line in missing)


def test_an_older_system_has_its_config_elsewhere(system: System) -> None:
    (system.root / "boot/firmware/config.txt").rename(system.root / "boot/config.txt")
    assert buses.config_txt(system)[0] == "/boot/config.txt"
    judged(*buses.strip(system), OK)


def test_a_bus_with_too_little_room(system: System) -> None:
    (system.root / "sys/module/spidev/parameters/bufsiz").write_text("512")
    (finding,) = buses.strip(system)
    judged(finding, WARNING, "512 bytes")


@pytest.mark.parametrize(
    ("ran", "said", "fix"),
    [
        (CommandResult(0, "0x3d\n"), "Nothing answers at 0x3c, but something does at 0x3d.", "address = 0x3d"),
        (CommandResult(0, ""), "Nothing answers at 0x3c.", "four wires"),
        (CommandResult(1, "PermissionError"), "Nothing answers at 0x3c.", "four wires"),
        (CommandResult(None), "The I2C bus hangs.", "start the Pi again"),
    ],
)
def test_a_display_that_doesnt_answer(system: System, ran: CommandResult, said: str, fix: str) -> None:
    (finding,) = buses.display(with_programs(system, smbus2=ran))
    judged(finding, FAULT, said)
    assert fix in str(finding.fix)


def test_a_running_service_tells_of_a_part_that_fails(system: System) -> None:
    (finding,) = parts.panel(with_programs(system, systemctl=CommandResult(0, "no-part\n")))
    judged(finding, WARNING, "part of its panel")


def test_a_panel_without_pins_needs_none(system: System) -> None:
    bare = replace(system, settings=replace(system.settings, pinout=type(EASY_PANEL.pinout)()))
    (finding,) = parts.panel(bare)
    judged(finding, OK, "Nothing hangs on pins")
