"""What a phone may ask of the machine, once somebody beside the box agrees: an update, the version before, a restart.

This program can do none of it. It leaves one word in a file, and root's own helper (systemd/request.py) does what the
word means; a release is checked there again, against keys that this program can't change.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from companion.service.installer import installer
from companion.service.root_request import RootRequest
from companion.service.starts import Starts
from companion.text import N_, Text

BoxDeed = Literal["update", "go-back", "safe-mode", "usual", "restart", "power-off"]
HOME = Path("/opt/hush")
RESULT = Path("/run/hush-result/result.json")
# What is asked of root for each deed; to power off there is a way already, which leaves a sign on the panel.
WORDS: dict[BoxDeed, str] = {
    "update": "update",
    "go-back": "rollback",
    "safe-mode": "start-anew",
    "usual": "start-anew",
    "restart": "reboot",
}
LABELS: dict[BoxDeed, str] = {
    "update": N_("install version {version}"),
    "go-back": N_("go back to version {version}"),
    "safe-mode": N_("start in safe mode"),
    "usual": N_("start as usual"),
    "restart": N_("restart"),
    "power-off": N_("power off"),
}
REFUSALS = {
    "no_release": N_("This is no release of Hush, or its end is missing."),
    "torn": N_("The release was damaged on the way: send it again."),
    "unknown_key": N_("The release is signed by somebody whom this box doesn't know."),
    "bad_signature": N_("The release's signature is false."),
    "wrong_machine": N_("The release is for another kind of machine."),
    "wrong_python": N_("The release is for another version of Raspberry Pi OS."),
    "not_newer": N_("That version or a newer one is here already."),
    "no_room": N_("There is no room for it on the card."),
    "too_large": N_("The file is too large for a release."),
    "strange_contents": N_("The release holds something that may not be in one."),
    "came_back": N_("The new version didn't come up; the one before runs again."),
    "failed": N_("That didn't work: journalctl -u hush-request says why."),
}
UNREADABLE = N_("The release can't be read.")


class DeedResult(Struct, frozen=True):
    """What came of the last request: no code means that it went well."""

    word: str = ""
    code: str = ""
    said: str = ""
    version: str = ""


class ReleaseRefused(Exception):
    """A release that root would refuse; `code` says why."""

    def __init__(self, code: str):
        super().__init__(code)
        self.code = code


def why_refused(code: str) -> Text:
    """Why something wasn't done, in words."""
    return Text(REFUSALS.get(code, UNREADABLE))


class Upkeep:
    """The box's own upkeep; without systemd there is nothing to ask."""

    def __init__(
        self, folder: Path, environment: Mapping[str, str] = os.environ, home: Path = HOME, result: Path = RESULT
    ):
        self._request = RootRequest("request", result, environment)
        self._starts = Starts(folder, environment)
        self._home = home
        self._result = result
        self.release = folder / "update" / "release.run"
        self.part = self.release.with_suffix(".part")
        self.offered = ""

    @property
    def can_ask(self) -> bool:
        """Whether there is somebody to ask."""
        return self._request.can_ask

    @property
    def is_under_way(self) -> bool:
        """Whether root is at it, or was asked a moment ago and hasn't said anything yet."""
        return self._request.is_unanswered or self.result.code == "under_way"

    @property
    def version(self) -> str:
        """The version that runs."""
        return version_in(self._home / "current")

    @property
    def previous(self) -> str:
        """The version before, if there is one to go back to."""
        return version_in(self._home / "current" / "previous")

    @property
    def result(self) -> DeedResult:
        """What came of the last request."""
        try:
            return msgspec.json.decode(self._result.read_bytes(), type=DeedResult)
        except (OSError, msgspec.DecodeError):
            return DeedResult()

    def can(self, is_safe: bool) -> tuple[BoxDeed, ...]:
        """What can be asked for now."""
        if not self.can_ask:
            return ()
        update: tuple[BoxDeed, ...] = ("update",) if self.offered and self.release.exists() else ()
        back: tuple[BoxDeed, ...] = ("go-back",) if self.previous else ()
        return (*update, *back, "usual" if is_safe else "safe-mode", "restart", "power-off")

    def label(self, deed: BoxDeed) -> Text:
        """What a deed is, in words."""
        version = self.offered if deed == "update" else self.previous
        return Text(LABELS[deed], {"version": version})

    def offer_if_signed(self, part: Path | None = None) -> str:
        """Take the file that has come for the next update; its version. Raises `ReleaseRefused`. It's slow."""
        part = part or self.part
        try:
            version = self._checked("check", str(part))
        except ReleaseRefused:
            part.unlink(missing_ok=True)
            raise
        part.replace(self.release)
        self.offered = version
        return version

    def foresee(self, end: bytes, length: int) -> str:
        """The hash of a release of which only the end has come, if it would be taken. Raises `ReleaseRefused`."""
        with tempfile.NamedTemporaryFile() as file:
            file.write(end)
            file.flush()
            return self._checked("tail", file.name, str(length)).split()[1]

    def _checked(self, verb: str, *given: str) -> str:
        """What the installer's own check says of a release. Raises `ReleaseRefused`."""
        command = [sys.executable, "-I", str(installer().parent / "bundle.py"), verb, *given]
        command += ["--keys", str(self._home / "keys"), "--newer-than", self.version]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            code = re.search(r"\[(\w+)\]\s*$", done.stderr)
            raise ReleaseRefused(code[1] if code else "unreadable")
        return done.stdout.strip()

    def do(self, deed: BoxDeed) -> None:
        """Ask root for it; somebody beside the box has agreed. Raises `OSError`."""
        if not self.can_ask or deed not in WORDS:
            return
        if deed in ("safe-mode", "usual"):
            self._starts.wish(deed == "safe-mode")
        self._request.leave(WORDS[deed].encode())


def version_in(release: Path) -> str:
    """The version of an installed release; nothing if there is none."""
    for path in release.glob("lib/python3*/site-packages/hush-*.dist-info"):
        return path.name.removeprefix("hush-").removesuffix(".dist-info")
    return ""
