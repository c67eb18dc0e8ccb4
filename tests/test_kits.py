"""A game is in one place: its rules and its kit. Nothing else names it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.kits import KITS, NAMES
from companion.text import LANGUAGES

ROOT = Path(__file__).parent.parent
ROOMS = ("companion", "vision", "hardware", "sounds", "systemd")
SOURCES = {".py", ".js", ".html", ".css", ".toml", ".sh", ".webmanifest", ".service"}
THE_LIST = Path("companion/kits/__init__.py")
DOCTEST = re.compile(r"^[ ]*>>> .*\n(?:[ ]*[^\s\"].*\n)*", re.MULTILINE)
"""An example in a docstring, with its answer: a test that stands beside what it tests."""


def sources() -> Iterator[tuple[Path, str]]:
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix in SOURCES:
                yield path.relative_to(ROOT), DOCTEST.sub("", path.read_text(encoding="utf-8"))


def is_at_home(path: Path, game: str) -> bool:
    """Whether a file is part of a game's rules or of its kit."""
    return any(path.is_relative_to(home / game) for home in (Path("companion/games"), Path("companion/kits")))


@pytest.mark.parametrize("game", NAMES)
def test_nothing_but_its_rules_its_kit_and_the_list_names_a_game(game: str) -> None:
    """In no way at all: no text, no identifier, no class, no comment."""
    named = [str(path) for path, text in sources() if game in text.lower() or game in path.as_posix().lower()]
    assert [one for one in named if not is_at_home(Path(one), game)] == [THE_LIST.as_posix()]


def test_the_search_would_find_a_name() -> None:
    """It reads the files that it should read, and an example in a docstring hides nothing but itself."""
    read = {path.parts[0] for path, _text in sources()}
    assert read == set(ROOMS)
    assert "companion/web/static/main.js" in {path.as_posix() for path, _text in sources()}
    assert DOCTEST.sub("", '    >>> game("cisza")\n    2\n\n    cisza\n    """\ncisza = 1\n').count("cisza") == 2


def test_the_list_has_every_kit_and_every_game_once() -> None:
    folders = {path.parent.name for path in (ROOT / "companion/kits").glob("*/kit.py")}
    assert sorted(NAMES) == sorted(folders) == sorted(GAMES)
    assert [kit.name for kit in KITS.values()] == list(NAMES)
    assert all(kit.game is GAMES[name] for name, kit in KITS.items())


@pytest.mark.parametrize("game", NAMES)
def test_a_kit_has_its_zones_its_translations_and_its_decks(game: str) -> None:
    kit = KITS[game]
    assert kit.layout.zone
    folder = ROOT / "companion" / "kits" / game / "locale"
    assert sorted(path.stem for path in folder.glob("*.po")) == sorted(LANGUAGES[1:])
    usual = kit.decks_on_table(kit.game.options())
    assert usual
    assert set(usual) <= {deck.name for deck in kit.decks}


def test_no_two_kits_have_a_deck_of_the_same_name() -> None:
    names = [deck.name for kit in KITS.values() for deck in kit.decks]
    assert len(set(names)) == len(names)


def test_the_list_loads_no_kit_before_it_is_asked_for_one() -> None:
    """Whoever needs the names alone, as the help of a command does, doesn't wait for drawings and OpenCV."""
    script = "import sys, companion.kits; print([name for name in sys.modules if 'cv2' in name or '.kits.' in name])"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert ran.stdout.strip() == "[]"
