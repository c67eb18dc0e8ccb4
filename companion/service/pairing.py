"""Codes that let a phone in where there is no panel to hold ✔ on: eight figures, good once and for a short while.

A knock has a code of its own, which the text line shows and the voice says. `companion pair`, on the box itself, leaves
another one in the box's folder, as a hash: who can write there could let phones in anyway.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import time
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.files import write_whole
from companion.service.starts import boot_id

CODE_FIGURES = 8
FILE = "pairing-code.json"
CODE_SECONDS = 600.0
CODE_ROUNDS = 60_000


class StoredCode(Struct, frozen=True):
    """A code as it lies on the disk: until when it's good, by the machine's clock since a start."""

    salt: str
    hashed: str
    until: float
    boot: str


def fresh_code() -> str:
    """Eight random figures."""
    return f"{secrets.randbelow(10**CODE_FIGURES):0{CODE_FIGURES}}"


def in_groups(code: str) -> str:
    """A code as people read it.

    >>> in_groups("48291357")
    '4829 1357'
    """
    return f"{code[:4]} {code[4:]}"


def typed(text: str) -> str:
    """The figures of what somebody typed, however they are grouped; nothing if it can't be a code.

    >>> typed(" 4829-1357 "), typed("4829"), typed("４8291357")
    ('48291357', '', '')
    """
    figures = "".join(letter for letter in text if letter not in " -.")
    return figures if len(figures) == CODE_FIGURES and figures.isascii() and figures.isdigit() else ""


def is_same(code: str, other: str) -> bool:
    """Whether two codes are the same, told in a time that says nothing."""
    return bool(code) and hmac.compare_digest(code.encode(), other.encode())


def issue(folder: Path) -> str:
    """A new code for one phone; the one before is good no longer. Raises `OSError`."""
    code, salt = fresh_code(), secrets.token_hex(16)
    kept = StoredCode(salt, _hashed(code, salt), _now() + CODE_SECONDS, boot_id())
    write_whole(folder / FILE, msgspec.json.encode(kept), 0o600)
    owner = folder.stat()
    if os.geteuid() == 0:
        # The service must be able to read it.
        os.chown(folder / FILE, owner.st_uid, owner.st_gid)
    return code


def redeem(folder: Path, code: str) -> bool:
    """Whether this is the code that lies there; it's good once, however many come at the same moment. It's slow."""
    path = folder / FILE
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=StoredCode)
        if kept.boot != boot_id() or _now() >= kept.until:
            path.unlink()
            return False
        if not is_same(_hashed(code, kept.salt), kept.hashed):
            return False
        path.unlink()
    except (OSError, msgspec.DecodeError):
        return False
    return True


def _hashed(code: str, salt: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", code.encode(), bytes.fromhex(salt), CODE_ROUNDS).hex()


def _now() -> float:
    """Seconds since the machine started: the clock on the wall of a Pi jumps when it finds the network."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()
