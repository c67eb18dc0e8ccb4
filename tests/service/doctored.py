"""A box for the doctor to look at."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from companion.doctor import NAMES
from companion.doctor.finding import Finding, Standing
from companion.doctor.system import CommandResult, System
from companion.settings.effective import Settings
from companion.settings.sections import CameraSettings
from sounds.box import SoundSettings

OK, WARNING, FAULT = Standing.OK, Standing.WARNING, Standing.FAULT


class Programs:
    """Answers in place of programs that aren't here, by the beginning of their command."""

    def __init__(self, **answers: CommandResult):
        self.answers = answers

    def __call__(self, command: Sequence[str], limit: float = 20.0) -> CommandResult:
        words = " ".join(command)
        for name, answer in self.answers.items():
            if name in words:
                return answer
        return CommandResult(None)


def a_box(tmp_path: Path) -> System:
    """A Pi's box, well in every way that a test can have, but for its programs."""
    (tmp_path / "state").mkdir()
    (tmp_path / "root/proc/asound").mkdir(parents=True)
    (tmp_path / "root/proc/asound/cards").write_text(" 0 [Headphones ]: bcm2835\n")
    settings = Settings("pi", tmp_path / "state", sound=SoundSettings(backend="real"), camera=CameraSettings("pi"))
    return System(settings, root=tmp_path / "root", run=Programs(), is_pi=True, now=lambda: datetime.now(UTC))


def with_programs(system: System, **answers: CommandResult) -> System:
    return replace(system, run=Programs(**answers))


def judged(finding: Finding, standing: Standing, word: str = "") -> None:
    assert finding.standing is standing, finding
    assert word in str(finding.said)
    assert (finding.fix is None) == (standing is OK)
    assert finding.name in NAMES
