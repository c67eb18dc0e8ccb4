"""The tutorial builds a fifth game that plays: its files, taken from its own text, in a copy of the program.

Nothing is written but what the tutorial says, so a game is its rules, its kit and one line, and nothing else.
"""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).parent.parent
TUTORIAL = (ROOT / "docs" / "dev" / "add-a-game.md").read_text(encoding="utf-8")
FILES = re.findall(r"^`([\w/.]+)`:\n\n```(\w+)\n(.*?)^```$", TUTORIAL, re.MULTILINE | re.DOTALL)
GAME = "thirteen"
QUESTION = r"Who has the next card\?"
RIGHT, ENTER = b"\x1b[C", b"\r"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program with what the tutorial adds."""
    folder = tmp_path_factory.mktemp("fifth")
    shutil.copytree(ROOT / "companion", folder / "companion", ignore=shutil.ignore_patterns("__pycache__"))
    for name, kind, text in FILES:
        path = folder / name
        if kind == "diff":
            change(path, text)
        else:
            assert not path.exists(), f"{name} is there already"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return folder


def change(path: Path, diff: str) -> None:
    """Apply the tutorial's only change to a file that is there."""
    lines = diff.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if not line.startswith("+"))
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1
    path.write_text(text.replace(before, "".join(line[1:] for line in lines)), encoding="utf-8")


def environment(program: Path, state: Path, language: str = "C") -> dict[str, str]:
    settings = {
        "PYTHONPATH": f"{program}{os.pathsep}{ROOT}", "XDG_STATE_HOME": str(state), "LC_ALL": f"{language}.UTF-8",
        "HUSH_CONFIG": str(state / "hush.toml"), "TERM": "xterm", "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    return {**os.environ, **settings}


def run(program: Path, state: Path, *words: str, language: str = "C") -> str:
    ran = subprocess.run(
        [sys.executable, "-m", *words], capture_output=True, text=True, check=False, cwd=program,
        env=environment(program, state, language), timeout=PATIENCE * 4,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_the_game_is_its_rules_its_kit_and_one_line(program: Path) -> None:
    new = {name for name, kind, _text in FILES if kind != "diff"}
    assert {Path(name).parent.as_posix() for name in new} == {f"companion/games/{GAME}", f"companion/kits/{GAME}"}
    ((changed, _kind, text),) = [one for one in FILES if one[1] == "diff"]
    assert changed == "companion/kits/__init__.py"
    assert [line for line in text.splitlines() if line.startswith(("+", "-"))] == [f'+    "{GAME}",']


def test_the_tutorials_code_is_as_ours_must_be(program: Path) -> None:
    folders = [str(program / "companion" / room / GAME) for room in ("games", "kits")]
    for check in (["check"], ["format", "--check"]):
        subprocess.run(
            [sys.executable, "-m", "ruff", *check, "--config", str(ROOT / "pyproject.toml"), *folders], check=True
        )


def test_it_plays_under_the_simulated_camera_and_on_the_page(program: Path, tmp_path: Path) -> None:
    said = run(program, tmp_path, "tests.fifth_game", str(tmp_path))
    assert "camera: 13 cards" in said
    assert re.search(r"page: \d+ cards", said)


def test_the_demos_person_plays_it_with_camera_and_buttons(program: Path, tmp_path: Path) -> None:
    said = run(program, tmp_path, "companion", "demo", GAME, "--speed", "1000", "--mistakes", "0", "--doubts", "0")
    found = dict(re.findall(r"^(moves|followed|picked|wrong states)\b.*?(\d+)\s*$", said, re.MULTILINE))
    assert int(found["moves"]) >= int(found["followed"]) > 0  # one ✔ may take a whole turn
    assert (found.get("picked", "0"), found["wrong states"]) == ("0", "0")


def test_it_plays_in_the_terminal(program: Path, tmp_path: Path) -> None:
    """The real `companion run` with the panel drawn in a terminal, and keys for its buttons."""
    main, other = pty.openpty()
    box = subprocess.Popen(
        [sys.executable, "-m", "companion", "run", GAME, "--players", "2", "--no-page"],
        stdin=other, stdout=other, stderr=other, cwd=program, env=environment(program, tmp_path),
    )  # fmt: skip
    os.close(other)
    try:
        wait_for(main, QUESTION)
        for number in range(1, 14):
            os.write(main, RIGHT)
            wait_for(main, rf"│[^│\n]*\b{number} +│")
            os.write(main, ENTER if number < 13 else ENTER + HELD)
            wait_for(main, rf"{QUESTION} +│\s+│ +{number} is laid" if number < 13 else "counted to thirteen")
    finally:
        box.terminate()
        box.wait(PATIENCE)
        os.close(main)
    assert f"{GAME}" in run(program, tmp_path, "companion", "stats")


HELD = b"h"
"""The key for a hold of ✔, which ends a game."""


def wait_for(terminal: int, words: str) -> None:
    """Read what the terminal shows until these words come; a regular expression."""
    shown, end = "", time.monotonic() + PATIENCE
    while not re.search(words, shown):
        assert time.monotonic() < end, f"{words!r} doesn't come: {shown[-2000:]!r}"
        if select.select([terminal], [], [], 0.2)[0]:
            shown += os.read(terminal, 65536).decode("utf-8", "replace")


def test_bots_play_it_and_it_can_be_printed(program: Path, tmp_path: Path) -> None:
    assert GAME in run(program, tmp_path, "companion", "simulate", GAME, "--games", "20")
    dutch = run(program, tmp_path, "companion", "simulate", GAME, "--games", "20", language="nl_NL")
    assert re.search(r"spelers(.|\n)*: counted to thirteen", dutch), "what isn't translated yet stays English"
    sheets = run(program, tmp_path, "companion", "print", "list").split()
    assert {GAME, f"mat-{GAME}"} <= set(sheets)
