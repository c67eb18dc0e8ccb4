"""The API against its own description: Schemathesis makes requests from it and judges the answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from companion.web import hub
from companion.web.api import ENDPOINTS
from companion.web.guard import TokenBuckets
from companion.web.routes import PREFIX
from tests.patience import PATIENCE
from tests.web.rig import running

ROOT = Path(__file__).parent.parent.parent
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
# One strange method an operation is enough: the router treats all of them alike.
CONFIG = '[phases.coverage]\nunexpected-methods = ["TRACE"]\n'
DESCRIBED = {f"{one.method} {PREFIX}{one.path.replace(':int', '')}" for one in ENDPOINTS}


def asked(report: Path) -> dict[str, int]:
    """How often each operation was asked for, by the report."""
    counts: Counter[str] = Counter()
    for line in report.read_text().splitlines():
        finished = json.loads(line).get("ScenarioFinished")
        if finished is not None:
            counts[finished["recorder"]["label"]] += len(finished["recorder"]["interactions"])
    return counts


def test_every_answer_is_as_described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TokenBuckets, "allows", lambda self, caller: True)
    monkeypatch.setattr(hub, "STREAM_SECONDS", 0.05)  # a stream that ends can be judged like any other answer
    with running(tmp_path / "box", trust_loopback=True) as rig:
        rig.begin("silencio")
        rig.play(9)
        report = tmp_path / "report.ndjson"
        # From a file: an operation that the description itself was fetched by would be left out.
        description = tmp_path / "openapi.json"
        description.write_bytes(rig.client().get(f"{PREFIX}/openapi.json").content)
        (tmp_path / "schemathesis.toml").write_text(CONFIG)
        # One worker: Python 3.11's own parser, which Hypothesis asks about functions, stumbles over a second thread.
        command = [
            str(Path(sys.executable).with_name("schemathesis")), "run", str(description),
            "--url", rig.address, "--header", f"Origin: {rig.address}", "--checks", CHECKS,
            "--phases", "coverage,fuzzing", "--max-examples", "4", "--seed", "1", "--workers", "1",
            "--generation-deterministic", "--request-timeout", str(PATIENCE), "--report-ndjson-path", str(report),
        ]  # fmt: skip
        hooks = {"SCHEMATHESIS_HOOKS": "tests.web.schema_hooks", "PYTHONPATH": str(ROOT)}
        found = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=4 * PATIENCE,
            cwd=tmp_path,
            env={**os.environ, **hooks},
            check=False,
        )
    assert found.returncode == 0, found.stdout[-9000:] + found.stderr[-2000:]
    counts = asked(report)
    assert set(counts) == DESCRIBED
    assert min(counts.values()) > 0
