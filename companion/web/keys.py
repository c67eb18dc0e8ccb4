"""What the page remembers on disk: its signing key, the phones that were let in, and who claimed which seat.

The file is readable by the box alone. A cookie is a phone's name and a signature; forgetting the phone here ends it.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct, structs

KEY_BYTES = 32
ID_BYTES = 16
PIN_ROUNDS = 60_000
MOST_DEVICES = 64
MOST_CLAIMS = 64


class Device(Struct, frozen=True):
    """A phone that was let in."""

    id: str
    name: str
    since: str


class Claim(Struct, frozen=True):
    """A seat of a game and the phone that holds it, none if it was left; the PIN moves it to another phone."""

    game: int
    seat: int
    device: str
    salt: str
    pin: str


class Memory(Struct, frozen=True):
    """The file's content."""

    key: str
    devices: tuple[Device, ...] = ()
    claims: tuple[Claim, ...] = ()


class Keys:
    """The page's memory. Every change is on disk before it holds."""

    def __init__(self, path: Path):
        self.path = path
        self._memory = self._read()

    def _read(self) -> Memory:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=Memory)
        except (OSError, msgspec.DecodeError):
            # Lost or damaged: every phone pairs again, which is the safe way to fail.
            memory = Memory(secrets.token_hex(KEY_BYTES))
            self._write(memory)
            return memory

    def _write(self, memory: Memory) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_name(f"{self.path.name}.new")
        fresh.unlink(missing_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(memory))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)
        self._memory = memory

    @property
    def devices(self) -> tuple[Device, ...]:
        """The phones that were let in, oldest first."""
        return self._memory.devices

    def admit(self, name: str) -> Device:
        """A phone is let in; the oldest goes when there are too many."""
        device = Device(secrets.token_hex(ID_BYTES), name[:60], datetime.now(UTC).isoformat(timespec="seconds"))
        devices = (*self._memory.devices, device)[-MOST_DEVICES:]
        self._write(structs.replace(self._memory, devices=devices))
        return device

    def forget(self, device: str) -> bool:
        """A phone is sent away, and its seats are left; whether it was there."""
        left = tuple(one for one in self._memory.devices if one.id != device)
        if left == self._memory.devices:
            return False
        self._write(structs.replace(self._memory, devices=left, claims=self._without(device)))
        return True

    def _without(self, device: str) -> tuple[Claim, ...]:
        """All claims, those of one phone without a phone: a seat keeps its PIN whoever leaves it or is sent away."""
        return tuple(structs.replace(one, device="") if one.device == device else one for one in self._memory.claims)

    def cookie(self, device: Device) -> str:
        """What the phone carries."""
        return f"{device.id}.{self._sign(device.id)}"

    def known(self, cookie: str) -> Device | None:
        """The phone behind a cookie, if it's ours and not forgotten."""
        name, _, signature = cookie.partition(".")
        if not hmac.compare_digest(signature.encode(), self._sign(name).encode()):
            return None
        return next((device for device in self._memory.devices if device.id == name), None)

    def _sign(self, name: str) -> str:
        return hmac.new(bytes.fromhex(self._memory.key), b"hush device 1|" + name.encode(), hashlib.sha256).hexdigest()

    def claims(self, game: int) -> dict[int, Claim]:
        """Who sits where in a game."""
        return {claim.seat: claim for claim in self._memory.claims if claim.game == game}

    def claim(self, fresh: Claim) -> None:
        """A phone takes a seat and leaves the one it had."""
        kept = [one for one in self._without(fresh.device) if (one.game, one.seat) != (fresh.game, fresh.seat)]
        self._write(structs.replace(self._memory, claims=(*kept, fresh)[-MOST_CLAIMS:]))

    def release(self, device: str) -> None:
        """A phone leaves its seat; its PIN holds."""
        if (kept := self._without(device)) != self._memory.claims:
            self._write(structs.replace(self._memory, claims=kept))

    def free(self, game: int, seat: int) -> None:
        """A seat loses its phone and its PIN: people beside the box wanted it so."""
        kept = tuple(one for one in self._memory.claims if (one.game, one.seat) != (game, seat))
        self._write(structs.replace(self._memory, claims=kept))


def hashed(pin: str, salt: str) -> str:
    """A PIN as it's kept."""
    return hashlib.pbkdf2_hmac("sha256", pin.encode(), bytes.fromhex(salt), PIN_ROUNDS).hex()


def claim_with(game: int, seat: int, device: str, pin: str) -> Claim:
    """A seat with a PIN of its own; slow on purpose, so it belongs in a thread."""
    salt = secrets.token_hex(ID_BYTES)
    return Claim(game, seat, device, salt, hashed(pin, salt))


def is_pin(claim: Claim, pin: str) -> bool:
    """Whether this is the seat's PIN."""
    return hmac.compare_digest(hashed(pin, claim.salt), claim.pin)
