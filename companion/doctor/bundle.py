"""A zip for a bug report: the doctor's findings, versions, the configuration and the log, with names taken out.

The record of games is not in it: it may hold what a player keeps secret.
"""

from __future__ import annotations

import getpass
import importlib.metadata
import platform
import re
import socket
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.doctor.finding import Finding
from companion.doctor.system import System
from companion.files import put_in_place

SECRET = re.compile(
    r"""(?im)^(\s*["']?[\w.-]*(?:pass|secret|token|key|user|host|name|broker|address)[\w.-]*["']?\s*=\s*).*$"""
)
LOG = ["journalctl", "-u", "hush", "-u", "hush-shutdown", "-n", "1000", "-o", "short-iso", "-q", "--no-pager"]
REDACTIONS = (
    (re.compile(r"\b[\w.+-]+@[\w-]+\.[\w.]+\b"), "MAIL"),
    (re.compile(r"\b(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}\b"), "MAC"),
    (re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b"), "ADDRESS"),
    (re.compile(r"(?<![\w:])(?:[0-9a-fA-F]{1,4}:){3,7}[0-9a-fA-F]{1,4}\b|(?<![\w:])fe80::[0-9a-fA-F:]+"), "ADDRESS"),
    (re.compile(r"(?<![\w:])(?:[0-9a-fA-F]{1,4}:){1,6}:(?:[0-9a-fA-F]{1,4}:)*[0-9a-fA-F]{0,4}(?!\w)"), "ADDRESS"),
    (re.compile(r"/home/[^/\s\"']+"), "/home/USER"),
    (re.compile(r"(?i)\b((?:token|password|key|pin)[=: ]+)\S+"), r"\1REDACTED"),
)


def redactor(names: Sequence[str]) -> Callable[[str], str]:
    """A function that takes private things out of a text; `names` are this machine's and its people's."""
    own = sorted({name for name in names if len(name) > 2 and name not in ("root", "hush", "localhost")}, key=len)

    def redact(text: str) -> str:
        for pattern, instead in REDACTIONS:
            text = pattern.sub(instead, text)
        for name in reversed(own):
            text = re.sub(rf"\b{re.escape(name)}\b", "NAME", text)
        return text

    return redact


def private_names(system: System) -> list[str]:
    """The machine's name and the names of the people on it."""
    homes = [folder.name for folder in system.root.glob("home/*")]
    with suppress(OSError, KeyError):  # a user without a name
        homes.append(getpass.getuser())
    return [socket.gethostname(), *homes]


def versions() -> str:
    """What runs here."""
    installed = sorted({f"{one.metadata['Name']} {one.version}" for one in importlib.metadata.distributions()})
    return "\n".join([platform.platform(), platform.python_version(), *installed]) + "\n"


def make_bundle(
    path: Path, system: System, findings: Sequence[Finding], say: Callable[[Finding], dict[str, str]]
) -> None:
    """Write the zip, whole or not at all."""
    redact = redactor(private_names(system))
    log = system.run([*LOG, "--no-hostname"])
    files = {
        "doctor.json": msgspec.json.format(msgspec.json.encode([say(one) for one in findings])).decode(),
        "hush.toml": SECRET.sub(r"\1REDACTED", system.config.text),
        "log.txt": log.said,
        "os-release.txt": system.text("etc/os-release") or "",
        "model.txt": (system.text("proc/device-tree/model") or "").strip("\0"),
        "mounts.txt": system.text("proc/self/mounts") or "",
    }
    temporary = path.with_name(path.name + ".part")
    try:
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
            # As they are: a version can look like an address.
            archive.writestr("versions.txt", versions())
            for name, text in files.items():
                archive.writestr(name, redact(text))
        put_in_place(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
