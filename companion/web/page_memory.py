"""What the page remembers on disk: its signing key, the phones that were let in, and who claimed which seat.

The file is readable by the box alone. A cookie is a phone's id and a signature; forgetting the phone here ends it.
Where the disk can't be written all of this is kept in memory, and told: the page works, until the next start.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec
from itsdangerous import Signer
from itsdangerous.encoding import base64_encode
from msgspec import Meta, Struct, structs

from companion.files import write_whole
from companion.text import N_, Text

KEY_BYTES = 32
ID_BYTES = 16
PIN_ROUNDS = 60_000
# What the signature of a cookie is good for.
SIGNED = "hush device 1|"
HEXADECIMAL = re.compile("[0-9a-f]{64}")
MAX_DEVICES = 64
MAX_CLAIMS = 64
MAX_NAME_LISTS = 16
Hexadecimal = Annotated[str, Meta(pattern=r"^([0-9a-f]{2})+$")]
FORGETFUL = N_("The page can't write {path} ({reason}): what changes about phones and seats is lost at the next start.")


class Device(Struct, frozen=True):
    """A phone that was let in."""

    id: str
    name: str
    since: str


class Claim(Struct, frozen=True):
    """A seat of a game and the phone that holds it, none if it was left; the PIN moves it to another phone."""

    game: int
    seat: int
    device_id: str = msgspec.field(name="device")
    salt: Hexadecimal
    pin: str


class NamedSeats(Struct, frozen=True):
    """What people call the seats of a game."""

    game: int
    names: tuple[str, ...]


class PageFile(Struct, frozen=True):
    """The file's content."""

    key: Hexadecimal
    devices: tuple[Device, ...] = ()
    claims: tuple[Claim, ...] = ()
    named: tuple[NamedSeats, ...] = ()


class PageMemory:
    """The page's memory. Every change is on disk before it holds, if the disk can be written at all.

    `tell` hears of it when it can't, once, and again only after it could.
    """

    def __init__(self, path: Path, tell: Callable[[Text], None] = lambda text: None):
        self.path = path
        self._tell = tell
        self.is_kept = True
        self._memory = self._read()
        # The key is random already: there is nothing to derive another one from it for.
        key = bytes.fromhex(self._memory.key)
        self._signer = Signer(key, key_derivation="none", digest_method=hashlib.sha256)

    def _read(self) -> PageFile:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=PageFile)
        except (OSError, msgspec.DecodeError):
            # Lost or damaged: every phone pairs again, which is the safe way to fail.
            memory = PageFile(secrets.token_hex(KEY_BYTES))
            self._keep(memory)
            return memory

    def _keep(self, memory: PageFile) -> None:
        try:
            write_whole(self.path, msgspec.json.encode(memory), 0o600)
        except OSError as error:
            if self.is_kept:
                self.is_kept = False
                self._tell(Text(FORGETFUL, {"path": str(self.path), "reason": error.strerror or str(error)}))
        else:
            self.is_kept = True
        self._memory = memory

    @property
    def devices(self) -> tuple[Device, ...]:
        """The phones that were let in, oldest first."""
        return self._memory.devices

    def admit(self, name: str) -> Device:
        """A phone is let in; the oldest goes when there are too many."""
        device = Device(secrets.token_hex(ID_BYTES), name[:60], datetime.now(UTC).isoformat(timespec="seconds"))
        devices = (*self._memory.devices, device)[-MAX_DEVICES:]
        self._keep(structs.replace(self._memory, devices=devices))
        return device

    def names(self, game: int) -> tuple[str, ...]:
        """What people call the seats of a game."""
        return next((one.names for one in self._memory.named if one.game == game), ())

    def name(self, game: int, names: tuple[str, ...]) -> None:
        """Call the seats of a game something; the oldest games' names are forgotten."""
        others = tuple(one for one in self._memory.named if one.game != game)
        self._keep(structs.replace(self._memory, named=(*others, NamedSeats(game, names))[-MAX_NAME_LISTS:]))

    def forget(self, device_id: str) -> bool:
        """A phone is sent away, and its seats are left; whether it was there."""
        left = tuple(one for one in self._memory.devices if one.id != device_id)
        if left == self._memory.devices:
            return False
        self._keep(structs.replace(self._memory, devices=left, claims=self._without(device_id)))
        return True

    def _without(self, device_id: str) -> tuple[Claim, ...]:
        """All claims, those of one phone without a phone: a seat keeps its PIN whoever leaves it or is sent away."""
        return tuple(
            structs.replace(one, device_id="") if one.device_id == device_id else one for one in self._memory.claims
        )

    def cookie(self, device: Device) -> str:
        """What the phone carries."""
        return f"{device.id}.{self._signer.get_signature(SIGNED + device.id).decode()}"

    def known(self, cookie: str) -> Device | None:
        """The phone behind a cookie, if it's ours and not forgotten."""
        device_id, _, signature = cookie.partition(".")
        if not self._signer.verify_signature(SIGNED + device_id, in_base64(signature)):
            return None
        return next((device for device in self._memory.devices if device.id == device_id), None)

    def claims(self, game: int) -> dict[int, Claim]:
        """Who sits where in a game."""
        return {claim.seat: claim for claim in self._memory.claims if claim.game == game}

    def claim(self, fresh: Claim) -> None:
        """A phone takes a seat and leaves the one it had."""
        kept = [one for one in self._without(fresh.device_id) if (one.game, one.seat) != (fresh.game, fresh.seat)]
        self._keep(structs.replace(self._memory, claims=(*kept, fresh)[-MAX_CLAIMS:]))

    def release(self, device_id: str) -> None:
        """A phone leaves its seat; its PIN holds."""
        if (kept := self._without(device_id)) != self._memory.claims:
            self._keep(structs.replace(self._memory, claims=kept))

    def free(self, game: int, seat: int) -> None:
        """A seat loses its phone and its PIN: people beside the box wanted it so."""
        kept = tuple(one for one in self._memory.claims if (one.game, one.seat) != (game, seat))
        self._keep(structs.replace(self._memory, claims=kept))


def in_base64(signature: str) -> bytes:
    """A signature as it's compared: the cookies of the first version carry it in hexadecimal.

    >>> in_base64("00" * 32) == in_base64("A" * 43)
    True
    """
    return base64_encode(bytes.fromhex(signature)) if HEXADECIMAL.fullmatch(signature) else signature.encode()


def hashed(pin: str, salt: str) -> str:
    """A PIN as it's kept."""
    return hashlib.pbkdf2_hmac("sha256", pin.encode(), bytes.fromhex(salt), PIN_ROUNDS).hex()


def claim_with(game: int, seat: int, device_id: str, pin: str) -> Claim:
    """A seat with a PIN of its own; slow on purpose, so it belongs in a thread."""
    salt = secrets.token_hex(ID_BYTES)
    return Claim(game, seat, device_id, salt, hashed(pin, salt))


def is_pin(claim: Claim, pin: str) -> bool:
    """Whether this is the seat's PIN."""
    return hmac.compare_digest(hashed(pin, claim.salt), claim.pin)
