"""A release in one file: a short shell script, an archive, and at the end what it is and who signed it.

`unpack` is what stands between a file from a phone and root. It copies the file where nobody else can change it, then
believes it only if a key of this box signed it (Ed25519, by the system's openssl), every byte is as it was signed, it
is for this machine and Python, and nothing in its archive leads out of the folder. Nothing of it is run here.
Any Python 3.11 runs this, without a package of ours. make_release.py writes such files.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, NoReturn

# The tail of a file; the signature is over all of it but its own line, and so over the hash of all that comes before.
TAIL = re.compile(
    r"\nhush-release 1\n"
    r"version (?P<version>\d{1,4}(?:\.\d{1,4}){1,3})\n"
    r"machine (?P<machine>[a-z0-9_]{1,20})\n"
    r"python (?P<pythons>3\.\d{1,2}(?: 3\.\d{1,2}){0,9})\n"
    r"head (?P<head>\d{1,7})\n"
    r"size (?P<size>\d{1,12})\n"
    r"sha256 (?P<sha256>[0-9a-f]{64})\n"
    r"key (?P<key>[0-9a-f]{16})\n"
    r"signature (?P<signature>[A-Za-z0-9+/]{86}==)\n"
)
MARK = b"\nhush-release 1\n"
MAX_TAIL_BYTES = 1024
# A name in the archive: folders and plain names, nothing hidden, nothing that climbs.
NAME = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9._+-]*/){0,4}[A-Za-z0-9_][A-Za-z0-9._+-]*")
COPIED_AT_ONCE = 1 << 20
# Beside the file's own copy and its contents: room for the new version on the disk.
ROOM_FOR_VERSION = 700 << 20
# What a box, and so a release, can't be larger than.
MAX_RELEASE_BYTES = 600 << 20
REFUSED = 3


class BundleRefused(Exception):
    """This file isn't taken; `code` is for programs, the text for people."""

    def __init__(self, code: str, why: str):
        super().__init__(why)
        self.code = code


class Release(NamedTuple):
    """What a file says about itself."""

    version: str
    machine: str
    pythons: tuple[str, ...]
    head: int
    size: int
    sha256: str
    key: str
    signature: bytes
    signed: bytes


def read_tail(file: BinaryIO) -> Release:
    """What the end of a file says. Raises `Refused`."""
    length = file.seek(0, os.SEEK_END)
    file.seek(max(0, length - MAX_TAIL_BYTES))
    return tail_of(file.read(), length)


def tail_of(end: bytes, length: int) -> Release:
    """What the last bytes of a file of this length say. Raises `Refused`."""
    if length > MAX_RELEASE_BYTES:
        raise BundleRefused("too_large", "it is too large for a release")
    start = length - len(end)
    at = end.rfind(MARK)
    if at < 0:
        raise BundleRefused("no_release", "it is no release of Hush, or its end is missing")
    try:
        found = TAIL.fullmatch(end[at:].decode("ascii"))
    except UnicodeDecodeError:
        found = None
    if found is None:
        raise BundleRefused("no_release", "what its end says can't be read")
    said = found.groupdict()
    size, head = int(said["size"]), int(said["head"])
    if size != start + at or head > size:
        raise BundleRefused("torn", "it isn't as long as it says")
    signed = end[at : at + found.start("signature") - len("signature ")]
    return Release(
        said["version"], said["machine"], tuple(said["pythons"].split()), head, size, said["sha256"], said["key"],
        base64.b64decode(said["signature"]), signed,
    )  # fmt: skip


def fingerprint(key: Path) -> str:
    """A public key's name: the beginning of the hash of its bytes."""
    lines = key.read_text("ascii").splitlines()
    return hashlib.sha256("".join(line for line in lines if not line.startswith("-")).encode()).hexdigest()[:16]


def is_signed(release: Release, key: Path) -> bool:
    """Whether this key signed what the release says about itself."""
    with tempfile.TemporaryDirectory() as name:
        message, signature = Path(name, "message"), Path(name, "signature")
        message.write_bytes(release.signed)
        signature.write_bytes(release.signature)
        command = ["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", str(key)]
        command += ["-in", str(message), "-sigfile", str(signature)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def check_signer(release: Release, keys: Path) -> None:
    """One of this box's keys signed it. Raises `Refused`."""
    known = [key for key in sorted(keys.glob("*.pem")) if fingerprint(key) == release.key]
    if not known:
        raise BundleRefused("unknown_key", f"it is signed by the key {release.key}, which this box doesn't know")
    if not is_signed(release, known[0]):
        raise BundleRefused("bad_signature", "its signature is false")


def check_contents(file: BinaryIO, release: Release) -> None:
    """Every byte before the tail is as it was signed. Raises `Refused`."""
    file.seek(0)
    digest, left = hashlib.sha256(), release.size
    while left and (part := file.read(min(COPIED_AT_ONCE, left))):
        digest.update(part)
        left -= len(part)
    if left or digest.hexdigest() != release.sha256:
        raise BundleRefused("torn", "it was changed or damaged on the way")


def check_fit(release: Release, than: str) -> None:
    """It is for this machine, and newer than what is here. Raises `Refused`."""
    machine, python = platform.machine(), ".".join(platform.python_version_tuple()[:2])
    if release.machine != machine:
        raise BundleRefused("wrong_machine", f"it is for {release.machine}, this machine is {machine}")
    if python not in release.pythons:
        raise BundleRefused("wrong_python", f"it is for Python {', '.join(release.pythons)}, this system has {python}")
    if than and number(release.version) <= number(than):
        raise BundleRefused("not_newer", f"it is version {release.version}, and {than} is here")


def number(version: str) -> tuple[int, ...]:
    """A version to compare: 0.10.0 is newer than 0.9.1, and 1.0 is 1.0.0."""
    return (*map(int, version.split(".")), 0, 0, 0)[:4]


def members(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """Plain files with plain names, each once. Raises `Refused` for whatever else an archive can hold."""
    met: set[str] = set()
    for member in archive:
        if not member.isreg() or not NAME.fullmatch(member.name) or member.name in met:
            raise BundleRefused("strange_contents", f"what it holds may not be in a release: {member.name[:80]!r}")
        met.add(member.name)
        yield member


def extract(file: BinaryIO, release: Release, folder: Path) -> None:
    """Put the archive's files into the folder. Raises `Refused`."""
    file.seek(release.head)
    try:
        with tarfile.open(fileobj=file, mode="r:") as archive:
            for member in members(archive):
                path = folder / member.name
                path.parent.mkdir(parents=True, exist_ok=True)
                source = archive.extractfile(member)
                assert source is not None
                with path.open("xb") as target:
                    shutil.copyfileobj(source, target, COPIED_AT_ONCE)
                path.chmod(0o755 if path.suffix == ".sh" else 0o644)
    except tarfile.TarError as error:
        raise BundleRefused("torn", f"its archive can't be read ({error})") from None
    missing = [pattern for pattern in ("hush-*.whl", "systemd/install.sh", "key.pem") if not any(folder.glob(pattern))]
    if missing:
        raise BundleRefused("strange_contents", f"there is no {missing[0]} in it")


def unpack(path: Path, folder: Path, keys: Path | None, than: str = "") -> Release:
    """Check a release and put its contents into an empty folder of the caller's own. Raises `Refused`.

    Without keys the key in the file itself is taken, which shows only that the file is whole.
    """
    try:
        if not path.is_file() or path.is_symlink():
            raise BundleRefused("no_release", "it is no file")
        need = 2 * path.stat().st_size + ROOM_FOR_VERSION
        if shutil.disk_usage(folder).free < need:
            raise BundleRefused("no_room", f"there is no room: {need >> 20} MB must be free")
        with tempfile.TemporaryFile(dir=folder) as own:
            with path.open("rb") as given:
                shutil.copyfileobj(given, own, COPIED_AT_ONCE)
            release = read_tail(own)
            if keys is not None:
                check_signer(release, keys)
            check_contents(own, release)
            check_fit(release, than)
            extract(own, release, folder)
    except OSError as error:
        raise BundleRefused("unreadable", f"it can't be read ({error.strerror})") from None
    if keys is None and not (fingerprint(folder / "key.pem") == release.key and is_signed(release, folder / "key.pem")):
        raise BundleRefused("bad_signature", "its signature is false")
    return release


def check(path: Path, keys: Path, than: str = "") -> Release:
    """Whether a release would be taken, without unpacking it. Raises `Refused`."""
    try:
        with path.open("rb") as file:
            release = read_tail(file)
            check_signer(release, keys)
            check_contents(file, release)
            check_fit(release, than)
    except OSError as error:
        raise BundleRefused("unreadable", f"it can't be read ({error.strerror})") from None
    return release


def check_tail(path: Path, length: int, keys: Path, than: str = "") -> Release:
    """Whether a release of which only the end is here would be taken if the rest is right. Raises `Refused`."""
    release = tail_of(path.read_bytes(), length)
    check_signer(release, keys)
    check_fit(release, than)
    return release


def refuse(error: BundleRefused) -> NoReturn:
    """Say why, and end with the code that means refused."""
    print(f"hush: this release is refused: {error} [{error.code}]", file=sys.stderr)
    sys.exit(REFUSED)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Check a release of Hush and unpack it.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    unpacking = verbs.add_parser("unpack", help="check a release and put its contents into a folder")
    unpacking.add_argument("file", type=Path)
    unpacking.add_argument("folder", type=Path)
    checking = verbs.add_parser("check", help="say whether a release would be taken")
    checking.add_argument("file", type=Path)
    ending = verbs.add_parser("tail", help="the same of a release of which only the last bytes are here; and its hash")
    ending.add_argument("file", type=Path)
    ending.add_argument("length", type=int, help="of the whole file")
    for verb in (unpacking, checking, ending):
        verb.add_argument("--keys", type=Path, help="the folder with this box's keys (default: the file's own key)")
        verb.add_argument("--newer-than", default="", help="refuse this version and older ones")
    verbs.add_parser("fingerprint", help="print the name of a public key").add_argument("file", type=Path)
    given = parser.parse_args()
    try:
        if given.verb == "fingerprint":
            print(fingerprint(given.file))
        elif given.verb == "check":
            print(check(given.file, given.keys, given.newer_than).version)
        elif given.verb == "tail":
            release = check_tail(given.file, given.length, given.keys, given.newer_than)
            print(release.version, release.sha256)
        else:
            print(unpack(given.file, given.folder, given.keys, given.newer_than).version)
    except BundleRefused as error:
        refuse(error)


if __name__ == "__main__":
    main()
