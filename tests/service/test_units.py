"""The unit files, judged by systemd itself."""

from __future__ import annotations

import configparser
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
KINDS = (".service", ".path", ".timer", ".socket")
UNITS = sorted(path for path in (ROOT / "systemd").iterdir() if path.suffix in KINDS)
needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze isn't here")


@needs_systemd
def test_systemd_has_nothing_to_complain_about(tmp_path: Path) -> None:
    """`verify` ends well whatever it finds, so what it says is what counts. It wants the programs to exist."""
    program = tmp_path / "companion"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for unit in UNITS:
        text = unit.read_text().replace("/opt/hush/current/bin/companion", str(program))
        (tmp_path / unit.name).write_text(text)
    files = [str(tmp_path / unit.name) for unit in UNITS]
    said = subprocess.run(["systemd-analyze", "verify", *files], capture_output=True, text=True, check=False)
    ours = [line for line in said.stderr.splitlines() if any(unit.stem in line for unit in UNITS)]
    assert ours == []
    assert said.returncode == 0, said.stderr


@pytest.mark.parametrize(("result", "is_called"), [("success", False), ("watchdog", True), ("signal", True)])
def test_the_lights_are_put_out_from_outside_only_after_a_bad_end(tmp_path: Path, result: str, is_called: bool) -> None:
    (line,) = re.findall(r"^ExecStopPost=-(.*)$", (ROOT / "systemd/hush.service").read_text(), re.MULTILINE)
    program = tmp_path / "companion"
    program.write_text("#!/bin/sh\necho called $1\n")
    program.chmod(0o755)
    command = shlex.split(line.replace("$$", "$").replace("/opt/hush/current/bin/companion", str(program)))
    said = subprocess.run(command, capture_output=True, text=True, check=False, env={"SERVICE_RESULT": result})
    assert said.returncode == 0
    assert (said.stdout == "called dark\n") == is_called


def exposure() -> float:
    said = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(ROOT / "systemd" / "hush.service")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = re.search(r"Overall exposure level for hush.service: ([\d.]+)", said.stdout)
    assert found, said.stderr
    return float(found[1])


@needs_systemd
def test_the_service_is_as_closed_as_the_document_says() -> None:
    written = re.search(r"exposure \*\*([\d.]+)\*\*", (ROOT / "docs" / "dev" / "service.md").read_text())
    assert written
    # Newer versions of systemd judge a little differently.
    assert exposure() <= float(written[1]) + 0.3


def test_the_watchdog_is_far_slower_than_the_heart() -> None:
    from companion.session.loop import MAX_TICK_SECONDS

    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.read(ROOT / "systemd" / "hush.service")
    assert float(unit["Service"]["WatchdogSec"]) >= 5 * MAX_TICK_SECONDS


def test_the_switch_and_its_unit_mean_the_same_file() -> None:
    from companion.service.power import REQUEST

    service, path, runtime = (
        (ROOT / "systemd" / name).read_text()
        for name in ("hush-shutdown.service", "hush-shutdown.path", "hush.service")
    )
    assert f"PathExists=/run/hush/{REQUEST}\n" in path
    assert f"ConditionPathExists=/run/hush/{REQUEST}\n" in service
    assert "RuntimeDirectory=hush\n" in runtime
