"""The API against its own description: Schemathesis makes requests from it and judges the answers."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.web.api import ENDPOINTS
from companion.web.guard import Buckets
from tests.web.rig import running

# The stream never ends and a backup is no text: both have tests of their own.
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def test_every_answer_is_as_described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Buckets, "take", lambda self, caller: True)
    with running(tmp_path / "box", trust_loopback=True) as rig:
        rig.begin("silencio")
        rig.play(9)
        command = [
            str(Path(sys.executable).with_name("schemathesis")), "run", f"{rig.address}/api/v1/openapi.json",
            "--url", rig.address, "--header", f"Origin: {rig.address}", "--checks", CHECKS,
            "--exclude-path", "/api/v1/events", "--exclude-path", "/api/v1/restore",
            "--phases", "coverage,fuzzing", "--max-examples", "12", "--seed", "1",
            "--generation-deterministic", "--request-timeout", "10",
        ]  # fmt: skip
        found = subprocess.run(command, capture_output=True, text=True, timeout=150, cwd=tmp_path, check=False)
    assert found.returncode == 0, found.stdout[-6000:] + found.stderr[-2000:]
    said = re.search(r"Selected: (\d+)/(\d+)\s+Tested: (\d+)", found.stdout)
    assert said, found.stdout[-3000:]
    selected, _total, tested = (int(number) for number in said.groups())
    assert tested == selected >= len(ENDPOINTS) - 3
