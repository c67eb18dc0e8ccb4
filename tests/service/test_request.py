"""Root's helper: what a service, even one that somebody has taken over, can make it do; and the units around it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.web.upkeep import REFUSALS, WORDS
from tests.service.boxes import ROOT
from tests.service.test_release import BROKEN, Maker, Makers, makers, script

__all__ = ["makers"]
request = script("request")


class Root:
    """A system in a folder, with version 1.0 and our key; what would be run is noted."""

    def __init__(self, folder: Path, maker: Maker):
        self.folder = folder
        self.ran: list[list[str]] = []
        self.code = 0
        for name in ("run/hush", "var/lib/hush/update", "var/tmp", "opt/hush/keys"):
            (folder / name).mkdir(parents=True)
        (folder / "opt/hush/current/lib/python3.13/site-packages/hush-1.0.dist-info").mkdir(parents=True)
        (folder / "opt/hush/keys/ours.pem").write_bytes(maker.public.read_bytes())
        self.helper = request.RequestHelper(folder, self.run)

    def run(self, command: Sequence[str]) -> object:
        self.ran.append(list(command))
        return request.ProgramResult(self.code, "something\nthe last word\n")

    def asks(self, word: str | bytes) -> dict[str, str]:
        """The service asks; what is told of it."""
        path = self.folder / "run/hush/request"
        path.write_bytes(word.encode() if isinstance(word, str) else word)
        self.helper.serve()
        assert not path.exists()
        try:
            return dict(json.loads((self.folder / "run/hush-result/result.json").read_text()))
        except FileNotFoundError:
            return {}

    def leave(self, release: bytes) -> None:
        (self.folder / "var/lib/hush/update/release.run").write_bytes(release)


@pytest.fixture
def root(tmp_path: Path, makers: Makers) -> Root:
    return Root(tmp_path, makers.ours)


def test_each_word_is_one_command(root: Root) -> None:
    for word in ("start-anew", "reboot", "power-off"):
        assert root.asks(f"{word}\n")["code"] == ""
    assert [one[1:] for one in root.ran] == [
        ["--no-block", "restart", "hush.service"],
        ["--no-block", "reboot"],
        ["--no-block", "poweroff"],
    ]
    root.code = 1
    assert root.asks("rollback") == {"word": "rollback", "code": "failed", "said": "the last word", "version": ""}
    assert root.ran[-1][2:] == ["rollback", "--root", str(root.folder)]


@pytest.mark.parametrize(
    "word", ["", "install", "update --trust", "rollback; id", "../../bin/sh", "x" * 100, b"\xff\xfe", "reboot\nid\n"]
)
def test_anything_else_is_nothing(root: Root, word: str | bytes) -> None:
    assert root.asks(word) == {}
    assert root.ran == []


def test_links_pipes_and_folders_in_place_of_the_word_do_nothing(root: Root, tmp_path: Path) -> None:
    path = tmp_path / "run/hush/request"
    (tmp_path / "word").write_text("reboot")
    path.symlink_to(tmp_path / "word")
    root.helper.serve()
    os.mkfifo(path)
    root.helper.serve()
    assert root.ran == []
    assert (tmp_path / "word").exists()


def test_a_good_release_is_installed_by_its_own_installer(root: Root, makers: Makers) -> None:
    root.leave(makers.good)
    assert root.asks("update") == {"word": "update", "code": "", "said": "the last word", "version": "2.0"}
    (command,) = root.ran
    assert command[0] == "/bin/bash"
    assert command[1].startswith(str(root.folder / "var/tmp/hush-update."))
    assert command[2:4] == ["update", "--no-apt"]
    assert "--trust" not in command
    assert not list((root.folder / "var/tmp").iterdir())
    assert not (root.folder / "var/lib/hush/update/release.run").exists()
    root.leave(makers.good)
    root.code = 1
    assert root.asks("update")["code"] == "came_back"


@pytest.mark.parametrize("kind", BROKEN)
def test_nothing_of_a_broken_release_is_ever_run(root: Root, makers: Makers, kind: str) -> None:
    code, make = BROKEN[kind]
    root.leave(make(makers))
    assert root.asks("update")["code"] == code
    assert code in REFUSALS
    assert root.ran == []
    assert not list((root.folder / "var/tmp").iterdir())


def test_the_documents_count_the_kinds_that_are_tried() -> None:
    for name in ("docs/web-safety.md", "benchmarks/results/2026-11-18-arriving.md"):
        assert re.findall(r"(\d+) kinds", (ROOT / name).read_text()) == [str(len(BROKEN))]


def test_without_a_release_or_a_key_there_is_no_update(root: Root, makers: Makers) -> None:
    assert root.asks("update")["code"] == "no_release"
    (root.folder / "opt/hush/keys/ours.pem").unlink()
    root.leave(makers.good)
    assert root.asks("update")["code"] == "unknown_key"
    assert root.ran == []


def test_the_page_knows_no_other_words_and_the_units_the_same_file() -> None:
    assert set(WORDS.values()) <= set(request.WORDS)
    assert "PathExists=/run/hush/request\n" in (ROOT / "systemd/hush-request.path").read_text()
    unit = (ROOT / "systemd/hush-request.service").read_text()
    assert "ExecStart=/usr/bin/python3 -I /opt/hush/current/systemd/request.py\n" in unit
    assert "RuntimeDirectory=hush-result\n" in unit
