"""The release in one file: built, signed, installed by one command, and refused whatever is wrong with it."""

from __future__ import annotations

import importlib.util
import io
import platform
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from tests.service.boxes import ROOT, Box, tiny_wheel

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the installer is for Linux"),
    pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl isn't here"),
]
needs_tools = pytest.mark.skipif(shutil.which("systemd-sysusers") is None, reason="systemd's tools aren't here")
PYTHON = ".".join(platform.python_version_tuple()[:2])


def script(name: str) -> ModuleType:
    """A script of the installer's folder, as a module."""
    found = importlib.util.spec_from_file_location(name, ROOT / "systemd" / f"{name}.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    found.loader.exec_module(module)
    return module


bundle = script("bundle")
make_release = script("make_release")


class Maker:
    """Who makes releases: a key, and the wheels."""

    def __init__(self, folder: Path):
        folder.mkdir()
        self.folder, self.key, self.wheels = folder, folder / "secret.pem", folder / "wheels"
        self.wheels.mkdir()
        (self.wheels / "other-1.0-py3-none-any.whl").write_bytes(b"wheel" * 1000)
        make_release.make_key(self.key)

    def release(
        self, version: str = "2.0", machine: str = platform.machine(), pythons: tuple[str, ...] = (PYTHON,)
    ) -> bytes:
        wheel = self.folder / f"hush-{version}-py3-none-any.whl"
        if not wheel.exists():
            tiny_wheel(self.folder, version, files=3)
        return bytes(make_release.assemble(wheel, self.wheels, self.key, machine, pythons))

    def signed(self, body: bytes, **facts: str) -> bytes:
        """Any body, rightly signed."""
        said = {"version": "2.0", "machine": platform.machine(), "python": PYTHON, "head": "0"} | facts
        return body + bytes(make_release.sign(body, said, self.key, self.public))

    def holding(self, *names: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> bytes:
        """A release whose archive holds something else, rightly signed."""
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w:") as archive:
            for name in names:
                member = tarfile.TarInfo(name)
                member.type, member.linkname = kind, target
                archive.addfile(member)
        return self.signed(buffer.getvalue())

    @property
    def public(self) -> Path:
        path: Path = make_release.public_half(self.key, self.folder)
        return path

    def keys(self) -> Path:
        """A box's folder with this maker's key."""
        folder = self.folder / "keys"
        folder.mkdir(exist_ok=True)
        shutil.copy(self.public, folder / "ours.pem")
        return folder


class Makers(NamedTuple):
    """The one a box knows, and another one."""

    ours: Maker
    theirs: Maker
    good: bytes


@pytest.fixture(scope="module")
def makers(tmp_path_factory: pytest.TempPathFactory) -> Makers:
    folder = tmp_path_factory.mktemp("makers")
    ours = Maker(folder / "ours")
    return Makers(ours, Maker(folder / "theirs"), ours.release())


def tail_of(release: bytes) -> int:
    return release.rindex(bytes(bundle.MARK))


def flipped(release: bytes, at: int) -> bytes:
    return release[:at] + bytes([release[at] ^ 1]) + release[at + 1 :]


def told(release: bytes, old: str, new: str) -> bytes:
    """What the end says, changed without a new signature."""
    at = tail_of(release)
    assert release.count(old.encode(), at) == 1
    return release[:at] + release[at:].replace(old.encode(), new.encode())


def other_signature(makers: Makers) -> bytes:
    """The right key's signature, of another release."""
    other = makers.ours.release("3.0")
    return makers.good[: tail_of(makers.good)] + other[tail_of(other) :]


def swapped_key(makers: Makers) -> bytes:
    """Signed by a stranger, with the name of our key."""
    theirs = makers.theirs.release()
    names = [bundle.fingerprint(maker.public) for maker in (makers.theirs, makers.ours)]
    return told(theirs, *names)


def other_script(makers: Makers) -> bytes:
    """The shell script at the beginning does something else; the rest is as it was."""
    return makers.good.replace(b"echo ", b"id;# ", 1)


def other_hash(makers: Makers) -> bytes:
    at = makers.good.rindex(b"sha256 ") + 7
    return makers.good[:at] + (b"0" if makers.good[at : at + 1] != b"0" else b"1") + makers.good[at + 1 :]


def other_letter(makers: Makers) -> bytes:
    at = len(makers.good) - 60
    return makers.good[:at] + (b"A" if makers.good[at : at + 1] != b"A" else b"B") + makers.good[at + 1 :]


BROKEN: dict[str, tuple[str, Callable[[Makers], bytes]]] = {
    "empty": ("no_release", lambda makers: b""),
    "a photo": ("no_release", lambda makers: b"\xff\xd8\xff" * 9000),
    "a shell script": ("no_release", lambda makers: b"#!/bin/sh\nid\n"),
    "cut in the middle": ("no_release", lambda makers: makers.good[: len(makers.good) // 2]),
    "cut by one byte": ("no_release", lambda makers: makers.good[:-1]),
    "a byte more at its end": ("no_release", lambda makers: makers.good + b"\n"),
    "no signature": ("no_release", lambda makers: makers.good[: makers.good.rindex(b"signature ")]),
    "two ends": ("torn", lambda makers: makers.good + makers.good[tail_of(makers.good) :]),
    "a hole in the middle": ("torn", lambda makers: makers.good[:5000] + makers.good[9000:]),
    "a bit in the script": ("torn", lambda makers: flipped(makers.good, 100)),
    "a bit in the archive": ("torn", lambda makers: flipped(makers.good, tail_of(makers.good) - 9000)),
    "another script": ("torn", other_script),
    "a letter of the signature": ("bad_signature", other_letter),
    "another release's end": ("torn", other_signature),
    "a stranger's key": ("unknown_key", lambda makers: makers.theirs.release()),
    "a stranger's signature under our name": ("bad_signature", swapped_key),
    "a version that was never signed": ("bad_signature", lambda makers: told(makers.good, "ion 2.0", "ion 9.0")),
    "a hash that was never signed": ("bad_signature", other_hash),
    "another machine": ("wrong_machine", lambda makers: makers.ours.release(machine="armv7l")),
    "another Python": ("wrong_python", lambda makers: makers.ours.release(pythons=("3.9",))),
    "an older version": ("not_newer", lambda makers: makers.ours.release("0.9")),
    "the same version": ("not_newer", lambda makers: makers.ours.release("1.0")),
    "a way out of the folder": ("strange_contents", lambda makers: makers.ours.holding("../../etc/cron.d/x")),
    "a path from the root": ("strange_contents", lambda makers: makers.ours.holding("/etc/cron.d/x")),
    "a hidden file": ("strange_contents", lambda makers: makers.ours.holding("wheels/.x")),
    "a link": ("strange_contents", lambda makers: makers.ours.holding("x", kind=tarfile.SYMTYPE, target="/etc")),
    "a hard link": ("strange_contents", lambda makers: makers.ours.holding("x", kind=tarfile.LNKTYPE, target="y")),
    "a device": ("strange_contents", lambda makers: makers.ours.holding("disk", kind=tarfile.BLKTYPE)),
    "a file twice": ("strange_contents", lambda makers: makers.ours.holding("key.pem", "key.pem")),
    "no installer": ("strange_contents", lambda makers: makers.ours.holding("key.pem", "hush-2.0.whl")),
    "noise for an archive": ("torn", lambda makers: makers.ours.signed(b"noise" * 9000)),
}  # fmt: skip


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_release_is_refused_and_nothing_of_it_is_left(makers: Makers, tmp_path: Path, kind: str) -> None:
    code, make = BROKEN[kind]
    file, folder = tmp_path / "file.run", tmp_path / "folder"
    file.write_bytes(make(makers))
    folder.mkdir()
    with pytest.raises(bundle.BundleRefused) as refused:
        bundle.unpack(file, folder, makers.ours.keys(), "1.0")
    assert refused.value.code == code
    assert not any(path.suffix == ".sh" for path in folder.rglob("*"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file.run", "folder"]


def test_a_good_release_is_taken_whole(makers: Makers, tmp_path: Path) -> None:
    file, folder = tmp_path / "file.run", tmp_path / "folder"
    file.write_bytes(makers.good)
    folder.mkdir()
    release = bundle.unpack(file, folder, makers.ours.keys(), "1.9.9")
    assert release.version == "2.0"
    for path in (ROOT / "systemd").iterdir():
        if path.is_file():
            assert (folder / "systemd" / path.name).read_bytes() == path.read_bytes()
    assert (folder / "wheels/other-1.0-py3-none-any.whl").read_bytes() == b"wheel" * 1000
    assert (folder / "systemd/install.sh").stat().st_mode & 0o777 == 0o755
    assert makers.ours.release() == makers.good, "the same inputs give the same file"


def test_there_must_be_room_and_a_link_is_no_file(
    makers: Makers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file.run").write_bytes(makers.good)
    (tmp_path / "link.run").symlink_to(tmp_path / "file.run")
    for name, code in (("link.run", "no_release"), ("missing.run", "no_release")):
        with pytest.raises(bundle.BundleRefused) as refused:
            bundle.unpack(tmp_path / name, tmp_path, makers.ours.keys())
        assert refused.value.code == code
    monkeypatch.setattr(bundle, "ROOM_FOR_VERSION", 1 << 60)
    with pytest.raises(bundle.BundleRefused) as refused:
        bundle.unpack(tmp_path / "file.run", tmp_path, makers.ours.keys())
    assert refused.value.code == "no_room"


def test_versions_are_compared_by_their_numbers() -> None:
    number = bundle.number
    assert number("0.10.0") > number("0.9.9")
    assert number("1.0") == number("1.0.0")


class OneCommand:
    """`sudo sh hush-VERSION.run` for a system in a folder."""

    def __init__(self, box: Box, folder: Path):
        self.box, self.folder = box, folder
        box.environment["HUSH_SCRATCH"] = str(folder)

    def __call__(self, release: bytes, *words: str) -> subprocess.CompletedProcess[str]:
        file = self.folder / "hush.run"
        file.write_bytes(release)
        command = ["sh", str(file), *words, "--root", str(self.box.root)]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=self.box.environment)


@needs_tools
def test_one_command_installs_updates_goes_back_and_removes(makers: Makers, tmp_path: Path) -> None:
    box = Box(tmp_path)
    sh = OneCommand(box, tmp_path / "scratch")
    sh.folder.mkdir()
    if subprocess.run(["id", "-u"], capture_output=True, text=True, check=True).stdout.strip() != "0":
        pytest.skip("the one command wants root")

    def done(release: bytes, *words: str) -> str:
        ended = sh(release, *words)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        assert [path.name for path in sh.folder.iterdir()] == ["hush.run"], "nothing is left behind"
        return ended.stdout

    one, two = makers.ours.release("1.0"), makers.good
    done(one)
    first = box.current
    (key,) = (box.root / "opt/hush/keys").iterdir()
    assert key.read_bytes() == makers.ours.public.read_bytes()
    assert "is here already" in done(one)
    done(two)
    assert "2.0" in (box.current / "lib/part0.py").read_text()
    done(two, "rollback")
    assert box.current == first

    # A damaged file, and one of a stranger, change nothing; the stranger's is taken if somebody at the box says so.
    before = box.files()
    torn = sh(flipped(two, tail_of(two) - 9000))
    assert torn.returncode == bundle.REFUSED
    assert "damaged on the way" in torn.stderr
    theirs = makers.theirs.release("3.0")
    refused = sh(theirs)
    assert refused.returncode == 1
    assert "another key" in refused.stderr
    assert box.files() == before
    done(theirs, "--trust")
    assert "3.0" in (box.current / "lib/part0.py").read_text()
    assert len(list((box.root / "opt/hush/keys").iterdir())) == 2
    done(two, "remove")
    assert not (box.root / "opt/hush").exists()
