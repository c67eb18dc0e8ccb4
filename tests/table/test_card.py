"""The panel's reference card: every sign is on it, and what is picked has its light there."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.catalogue import Catalogue
from companion.games.game import Decide
from companion.locale import LANGUAGES
from companion.table.card import prints, reference
from companion.table.hosts import HOSTS
from companion.table.menu import ENTRIES
from companion.table.questions import asked
from hardware.lights import PATTERNS
from hardware.panel import SUITS
from hardware.signs import SIGNS
from vision.art import letters
from vision.art.reference import Reference, draw_reference
from vision.art.sheets import PAPERS, print_pdf

every_game = pytest.mark.parametrize("name", HOSTS)
every_language = pytest.mark.parametrize("language", LANGUAGES)


@cache
def card(language: str) -> Reference:
    return reference(Catalogue(language).translate)


@pytest.fixture(scope="module")
def english() -> Reference:
    return card("en")


def some_states(name: str) -> list[tuple[str, Any]]:
    """States of random games, not all of them, in which people decide."""
    found = [(step.ask, state) for step, state in asked(HOSTS[name]) if isinstance(step, Decide)]
    return found[::5]


def words(card: Reference) -> list[str]:
    head = [card.title, card.bar, *card.suits, card.sun, card.moon, *card.buttons, card.off]
    rows = [row for chapter in card.chapters for part in chapter.parts for row in part.rows]
    titles = [part.title for chapter in card.chapters for part in chapter.parts]
    return [
        *head,
        *titles,
        *(text for row in rows for text in (row.title, row.text)),
        *(text for _, text in card.glows),
    ]


@every_game
def test_every_sign_the_menu_and_the_faults_are_on_the_card(name: str, english: Reference) -> None:
    (chapter,) = (one for one in english.chapters if one.title.lower() == name)
    rows = [row.title for part in chapter.parts for row in part.rows]
    assert [sign.title for sign in SIGNS] == [row.title for row in chapter.parts[0].rows]
    told = {one.meaning for one in PATTERNS.values() if one.name.startswith(("refused", "no-", "too-"))}
    assert {*told, *ENTRIES.values()} <= set(rows)


@every_game
def test_a_verb_stands_on_the_panel_where_it_stands_on_the_card(name: str, english: Reference) -> None:
    host = HOSTS[name]
    (chapter,) = (one for one in english.chapters if one.title.lower() == name)
    printed = {
        verb: int(row.drawings[0]) - 1
        for row in chapter.parts[1].rows
        if row.drawings and row.drawings[0].isdigit()
        for verb in row.title.split(" / ")
    }
    for ask, state in some_states(name):
        for node in host.options(state):
            if node.pick.kind == "verb":
                assert printed[str(node.pick.label).split(" › ")[0]] == node.pick.place, ask


@every_game
def test_light_n_means_n(name: str) -> None:
    """A seat, a rank, a shelter and a number have their own light, and gaps stay dark."""
    host = HOSTS[name]
    for ask, state in some_states(name):
        waiting = list(host.options(state))
        while waiting:
            node = waiting.pop()
            waiting += node.branches
            label = str(node.pick.label)
            if node.pick.kind in ("seat", "number") and label.isdigit() and label != "0":
                assert node.pick.place == int(label) - 1, ask


@pytest.mark.parametrize("name", ["silencio", "silentes"])
def test_suits_stand_in_the_chooser_as_their_lights_do(name: str) -> None:
    host = HOSTS[name]
    for ask, state in some_states(name):
        picks = [node.pick for node in host.options(state) if node.pick.kind == "suit"]
        lit = [SUITS.index(pick.lamps[0]) for pick in picks if pick.lamps[0] in SUITS]
        assert lit == sorted(lit), ask


@every_language
def test_the_card_is_told_in_a_language_with_letters_that_can_be_drawn(language: str, english: Reference) -> None:
    told = words(card(language))
    assert not [text for text in told if "{" in text]
    for letter in {letter for text in told for letter in text.translate(letters.INSTEAD)} - set("“”"):
        plain, marks = letters.plain(letter)
        assert plain.isascii(), letter
        assert set(marks) <= {*letters.ABOVE, *letters.BELOW}, letter
    if language != "en":
        same = {text for text in told if text} & set(words(english))
        assert all(len(text) < 15 for text in same), same


@every_language
def test_a_game_fits_on_its_page(language: str) -> None:
    for page in draw_reference(card(language), PAPERS["letter"], 40):
        picture = page.picture()
        assert np.all(picture[-10:] == 255)
        assert np.all(picture[:, -10:] == 255)


@pytest.mark.parametrize("language", ["en", "pl"])
def test_the_pdf_has_the_panel_and_a_page_a_game(language: str, tmp_path: Path) -> None:
    target = tmp_path / "card.pdf"
    assert print_pdf("panel", "a4", target, prints(Catalogue(language).translate)) == 1 + len(HOSTS)
    assert len(re.findall(rb"/Type /Page\b", target.read_bytes())) == 1 + len(HOSTS)


def test_letters_have_their_marks() -> None:
    assert [letters.plain(letter) for letter in "ałé¿"] == [("a", ""), ("l", ""), ("e", "\u0301"), ("?", "")]
