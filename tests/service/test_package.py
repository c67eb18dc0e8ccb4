"""The wheel: everything the box needs is in it, and what is in it runs without the checkout."""

from __future__ import annotations

import email
import os
import subprocess
import sys
import zipfile
from email.message import Message
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
ROOMS = ("companion", "vision", "hardware", "sounds")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def unpacked(wheel: Path) -> Path:
    """As pip lays it out, executable files included."""
    folder = wheel.parent / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            path = Path(archive.extract(entry, folder))
            if entry.external_attr >> 16 & 0o111:
                path.chmod(0o755)
    return folder


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(archive.read(name))


def files(folder: Path) -> set[str]:
    return {
        path.relative_to(ROOT).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.parametrize("room", ROOMS)
def test_every_file_of_a_room_is_in_the_wheel(wheel: Path, room: str) -> None:
    wanted = files(ROOT / room)
    assert f"{room}/py.typed" in wanted
    assert wanted - set(zipfile.ZipFile(wheel).namelist()) == set()


def test_texts_page_and_layouts_are_among_them(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {Path(name).suffix for name in names} >= {".po", ".js", ".css", ".html", ".toml", ".service", ".path", ".sh"}
    assert not any(name.endswith((".mo", ".pyc")) for name in names)
    assert not any(name.startswith(("tests/", "benchmarks/", "docs/", "systemd/")) for name in names)


def test_the_installer_and_the_units_are_in_it(wheel: Path) -> None:
    wanted = {f"companion/{name}" for name in files(ROOT / "systemd")}
    entries = {entry.filename: entry for entry in zipfile.ZipFile(wheel).infolist()}
    assert wanted <= set(entries)
    assert {"companion/systemd/hush.service", "companion/systemd/install.sh"} <= wanted
    assert entries["companion/systemd/install.sh"].external_attr >> 16 & 0o111


def test_the_licence_and_what_it_is_are_told(wheel: Path) -> None:
    told = metadata(wheel)
    assert told["License-Expression"] == "MIT"
    assert told["License-File"] == "LICENSE"
    assert "Typing :: Typed" in told.get_all("Classifier", [])
    assert not any(line.startswith("License ::") for line in told.get_all("Classifier", []))
    assert "raspberry pi" in told["Keywords"]


def run(unpacked: Path, *arguments: str, language: str = "en_GB.UTF-8") -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(unpacked), "LANG": language, "LC_ALL": language}
    command = [sys.executable, "-P", *arguments]
    return subprocess.run(command, cwd=unpacked, env=environment, capture_output=True, text=True, timeout=120)


def test_what_is_unpacked_speaks_and_finds_its_installer(unpacked: Path) -> None:
    helped = run(unpacked, "-m", "companion", "--help", language="nl_NL.UTF-8")
    assert "spel" in helped.stdout
    found = run(unpacked, "-m", "companion", "installer")
    installer = Path(found.stdout.strip())
    assert installer == unpacked / "companion/systemd/install.sh"
    assert os.access(installer, os.X_OK)


@pytest.mark.skipif(sys.platform != "linux", reason="the installer is for Linux")
def test_the_installer_of_the_package_needs_to_be_told_what_to_install(unpacked: Path, wheel: Path) -> None:
    installer = str(unpacked / "companion/systemd/install.sh")
    root = str(unpacked.parent / "root")
    refused = subprocess.run([installer, "--dry-run", "--root", root], capture_output=True, text=True, timeout=60)
    assert refused.returncode == 1
    assert "name a checkout or a wheel with --source" in refused.stderr
    told = [installer, "--dry-run", "--root", root, "--source", str(wheel)]
    tried = subprocess.run(
        told, capture_output=True, text=True, timeout=60, env=os.environ | {"PYTHON": sys.executable}
    )
    assert tried.returncode == 0, tried.stderr
    assert wheel.name in tried.stdout


def test_from_the_checkout_the_installer_is_the_checkouts() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "companion", "installer"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert Path(found.stdout.strip()) == ROOT / "systemd/install.sh"
