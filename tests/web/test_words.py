"""The page's texts: every key its files use is there, and none that no file uses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from companion.table.decks import DECKS
from companion.table.hosts import HOSTS
from companion.web.eyes.records import How
from companion.web.files import FILES, STATIC
from companion.web.words import DOOR_WORDS, every_word
from hardware.panel import SKY, SUITS, Button, Glow

# Keys the page puts together: what stands before the part that varies, and everything that part can be.
MADE = {
    "about": tuple(HOSTS),
    "button": tuple(button.value for button in Button),
    "glow": tuple(glow.value for glow in Glow if glow is not Glow.OFF),
    "lamp": SUITS + SKY,
    "deck": tuple(DECKS),
    "how": get_args(How),
    "result": ("all", "won", "lost", "open"),
    "tab": ("table", "seat", "setup", "games", "box"),
}


def sources(*but: str) -> str:
    return "\n".join(path.read_text() for path in sorted(STATIC.glob("*.js")) if path.name not in but)


def test_every_text_the_page_asks_for_exists_and_no_other() -> None:
    text = sources("door.js")
    asked = set(re.findall(r"""\bt\("([a-z_]+)\"""", text))
    heads = set(re.findall(r"""\bt\(`([a-z]+)_\$""", text))
    assert heads == set(MADE)
    made = {f"{head}_{part}" for head, parts in MADE.items() for part in parts}
    assert asked | made == set(every_word())


def test_the_door_has_its_words() -> None:
    text = (STATIC / "door.js").read_text() + (STATIC / "sign.js").read_text()
    asked = set(re.findall(r"\bwords\.([a-z_]+)", text))
    assert asked | set(SUITS) == set(DOOR_WORDS)


def test_nothing_comes_from_elsewhere_and_nothing_is_inline() -> None:
    for path in sorted(STATIC.iterdir()):
        text = path.read_text()
        foreign = [one for one in re.findall(r"https?://[^\s\"')]+", text) if one != "http://www.w3.org/2000/svg"]
        assert foreign == [], path.name
        if path.suffix == ".html":
            assert not re.search(r"<script(?![^>]*src=)|\son\w+=|<style|style=", text), path.name
        assert "innerHTML" not in text


def test_every_file_is_small_enough_for_a_pi() -> None:
    sent = sum(len(file.packed or file.content) for path, file in FILES.items() if not path.endswith(".png"))
    assert sent < 66_000, "all views together, compressed, as every browser takes it"
    assert Path(STATIC / "index.html").stat().st_size < 2000
