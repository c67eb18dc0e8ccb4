"""The manual: four languages that say the same, links that lead somewhere, commands that exist, pictures and rules."""

from __future__ import annotations

import importlib.util
import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import cv2
import numpy as np
import pytest
import typer
from click.testing import CliRunner

from companion.catalogue import Catalogue
from companion.cli import make_app
from companion.commands.given import Given
from companion.games import GAMES
from companion.games.cisza.records import RESOURCE_COUNT
from companion.games.silencio.records import HAND_SIZE, MAX_RANK
from companion.games.silentes.words import ITEMS, MAJORS
from companion.kits import NAMES
from companion.locale.po import messages
from companion.service.keeper import NO_BACKUP, NO_PANEL
from companion.text import LANGUAGES
from companion.web.rule_pages import MANUALS, rules_of
from docs import manual, pictures
from hardware.lights import FAULTS, PATTERNS, REFUSALS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "benchmarks" / "results").glob("*.md")])
MANUAL = sorted(page.name for page in (DOCS / "en").glob("*.md"))
every_language = pytest.mark.parametrize("language", LANGUAGES)
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


# The same in every language


@every_language
def test_every_page_is_there_in_every_language(language):
    assert sorted(page.name for page in (DOCS / language).glob("*.md")) == MANUAL


def shape(page: str) -> dict[str, object]:
    """What must not depend on the language: headings, rows of tables, pictures, commands, drawings and codes."""
    return {
        "headings": re.findall(r"^(#+) ", page, re.MULTILINE),
        "cells": [line.count("|") for line in page.splitlines() if line.lstrip().startswith("|")],
        "pictures": re.findall(r"!\[[^]]*\]\(([^)]*)\)", page),
        "links": re.findall(r"(?<!!)\[[^]]*\]\(([^)#]*)", page),
        "code": re.findall(r"`[^`]+`", page.replace('language = "', "").replace('nl"`', 'en"`')),
        "items": len(re.findall(r"^ *(?:\d\.|-) ", page, re.MULTILINE)),
    }


@pytest.mark.parametrize("name", MANUAL)
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_page_says_as_much_as_the_english_one(name, language):
    ours, english = (re.sub(r'language = "\w+"', "language", read(DOCS / tongue / name)) for tongue in (language, "en"))
    assert shape(ours) == shape(english)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_what_a_page_quotes_from_the_box_is_what_the_box_says(language):
    known = messages(language)
    quoted = 0
    for name in MANUAL:
        for phrase in re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", read(DOCS / "en" / name)):
            for label in phrase.split(" → "):
                if label in known:
                    quoted += 1
                    assert known[label] in read(DOCS / language / name), (name, label, known[label])
    assert quoted > 5


def test_computed_parts_are_up_to_date():
    for path, page in manual.pages().items():
        assert read(path) == page, "run python -m docs.manual"


@every_language
def test_the_page_shows_the_rules_of_every_game_also_from_a_wheel(language):
    included = tomllib.loads(read(ROOT / "pyproject.toml"))["tool"]["hatch"]["build"]["targets"]["wheel"][
        "force-include"
    ]
    assert included[f"docs/{language}"] == f"companion/{MANUALS[0].name}/{language}"
    for game in NAMES:
        assert rules_of(game, language) == read(DOCS / language / f"{game}.md")


# Links and pictures


def anchors(page: Path) -> set[str]:
    """The headings of a page, as links name them."""
    titles = re.findall(r"^#+ (.*)$", read(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@every_page
def test_every_link_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)]+)\)", read(page)):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        found = page if not file else (page.parent / file).resolve()
        assert found.exists(), target
        assert not anchor or anchor in anchors(found), target


MAKERS = {"first-": "docs/pictures.py", "camera-place": "docs/pictures.py", "page-": "tests/web/screenshots.py"}
MAKERS |= {"easy-panel": "docs/panel_pictures.py", "text-line": "docs/panel_pictures.py"}
MAKERS |= {"arriving-": "tests/rig/wifi_phone.py", "colour-blind": "docs/colour_blind.py", "print-": "docs/prints.py"}
MAKERS |= {"easy-panel": "docs/panel_pictures.py", "text-line": "docs/panel_pictures.py"}
MAKERS |= {"wiring": "hardware/manual_pages.py", "terminal-twin": "docs/pictures.py", "window-twin": "docs/pictures.py"}


def test_every_picture_has_a_script_that_makes_it():
    for picture in (DOCS / "images").iterdir():
        maker = next((start, file) for start, file in MAKERS.items() if picture.name.startswith(start))
        assert maker[0].rstrip("-") in read(ROOT / maker[1]), picture.name


@pytest.mark.parametrize("shot", pictures.SHOTS, ids=lambda shot: shot.name)
def test_a_picture_of_the_first_game_is_what_the_box_sees_and_shows_now(shot):
    kept = cv2.imread(str(pictures.IMAGES / f"first-{shot.name}.jpg"))
    assert kept is not None
    off = np.abs(kept.astype(float) - pictures.shoot(shot)).mean()
    assert off < 4, "run python -m docs.pictures"


def test_the_drawing_of_the_camera_is_up_to_date():
    assert read(pictures.IMAGES / "camera-place.svg") == pictures.camera_place(), "run python -m docs.pictures"


# Troubleshooting


def codes() -> dict[str, str]:
    """Every code that the box can show or log, with its drawing on the panel."""
    drawn = {name: one.drawing for name, one in PATTERNS.items() if one.topic in (FAULTS, REFUSALS)}
    return {**drawn, NO_BACKUP: "", NO_PANEL: ""}


@every_language
def test_every_fault_the_software_can_show_has_its_row(language):
    page = read(DOCS / language / "trouble.md")
    told = dict(re.findall(r"^\| (.*?) \|.*\| `([\w-]+)` \|$", page, re.MULTILINE))
    rows = {code: seen for seen, code in told.items()}
    assert set(rows) == set(codes())
    for code, drawing in codes().items():
        assert drawing in rows[code], code


# The rules, against the rules


@every_language
def test_the_rules_of_cisza_count_its_cards(language):
    page, say = read(DOCS / language / "cisza.md"), Catalogue(language).translate
    for kind, count in RESOURCE_COUNT.items():
        name = say(str(GAMES["cisza"].term(kind)))
        assert f"| {name} | {count} |" in page, name


@every_language
def test_the_rules_of_silentes_name_every_omen_and_every_provision(language):
    page, say = read(DOCS / language / "silentes.md"), Catalogue(language).translate
    for name in (*MAJORS, *ITEMS.values()):
        assert say(name) in page, name


@every_language
@pytest.mark.parametrize("players", MAX_RANK)
def test_the_rules_of_silencio_deal_as_the_game_does(language, players):
    rows = read(DOCS / language / "silencio.md").splitlines()
    cells = next(row for row in rows if row.startswith(f"| {players} |")).strip("| ").split(" | ")
    assert re.findall(r"\d+", cells[1]) == ["2", str(MAX_RANK[players])]
    assert cells[2:] == [str(HAND_SIZE[players]), str(players)]


# Commands


def commands(page: Path) -> list[str]:
    """Everything a page tells to type that begins with our program."""
    text = read(page)
    typed = re.findall(r"`((?:sudo |python3 -m )?companion [^`]+)`", text)
    typed += re.findall(r"^ {4,}((?:sudo |python3 -m )?companion .*)$", text, re.MULTILINE)
    return [re.sub(r"^(sudo |python3 -m )?companion ", "", line.partition("  #")[0]).strip() for line in typed]


EVERY = sorted({command for page in PAGES for command in commands(page)})


def arguments(command: str) -> list[str]:
    """A command as it would be typed, with something in the place of what the page leaves open."""
    return [word.strip("[]").split("|")[0] for word in shlex.split(command) if word != "[GAME]"]


@pytest.mark.parametrize("command", EVERY)
def test_every_command_of_the_docs_is_one(command):
    """The verb, its options and its arguments exist; a verb alone may just be named."""
    words = arguments(command)
    program = typer.main.get_command(make_app(Given()))
    if words == ["--help"]:
        return
    with program.make_context("companion", words[:1], resilient_parsing=True) as context:
        verb = program.get_command(context, words[0])  # type: ignore[attr-defined]
    assert verb is not None, words[0]
    if hasattr(verb, "commands") and len(words) > 1:
        verb, words = verb.commands[words[1]], words[1:]
    if len(words) == 1:
        return
    with verb.make_context(words[0], words[1:], obj=Given()):
        pass


QUICK = ("--help", "decks", "print list", "print markers", "wiring", "config", "stats", "camera --plan")


@pytest.mark.parametrize("command", [one for one in EVERY if one.startswith(QUICK) and "import" not in one])
def test_a_quick_command_of_the_docs_runs(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    program = typer.main.get_command(make_app(Given()))
    result = CliRunner().invoke(program, arguments(command))
    assert result.exit_code == 0, result.output
    assert result.output


TYPED = "".join(map(read, PAGES))


@pytest.mark.parametrize("module", sorted(set(re.findall(r"python3? -m ([\w.]+)", TYPED)) - {"venv", "pip"}))
def test_every_module_that_the_docs_run_is_there(module):
    assert importlib.util.find_spec(module) is not None


def test_every_way_the_docs_call_the_installer_is_one():
    usage = subprocess.run(
        ["bash", str(ROOT / "systemd" / "install.sh"), "--help"], capture_output=True, text=True, check=False
    ).stdout
    called = set(re.findall(r"systemd/install\.sh (\w+|--[\w-]+)", TYPED))
    assert {"update", "rollback", "remove"} <= called
    for word in called:
        assert f"  {word} " in usage, word
