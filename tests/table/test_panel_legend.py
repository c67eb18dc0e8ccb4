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
from companion.table.hosts import HOSTS
from companion.table.menu import ENTRIES, KNOWN
from companion.table.panel_legend import reference
from companion.table.printing import prints
from companion.table.sample_states import asked
from companion.text import LANGUAGES
from hardware.lights import PATTERNS
from hardware.panel import SUITS
from hardware.signs import SIGNS
from tests.vision.printed import Words
from vision.art import draw_picture, fonts
from vision.art.fonts import CAPITALS
from vision.art.reference import A5, PanelReference, draw_reference
from vision.art.sheets import print_pdf

every_game = pytest.mark.parametrize("name", HOSTS)
every_language = pytest.mark.parametrize("language", LANGUAGES)


@cache
def card(language: str) -> PanelReference:
    return reference(Catalogue(language).translate)


@pytest.fixture(scope="module")
def english() -> PanelReference:
    return card("en")


@cache
def some_states(name: str) -> list[tuple[str, Any]]:
    """States of random games, not all of them, in which people decide."""
    return [(step.ask, state) for step, state in asked(HOSTS[name]) if isinstance(step, Decide)][::5]


def words(card: PanelReference) -> list[str]:
    head = [card.title, card.bar, *card.suits, card.sun, card.moon, *card.buttons, card.off]
    parts = [card.box, *(part for chapter in card.chapters for part in chapter.parts)]
    rows = [row for part in parts for row in part.rows]
    titles = [part.title for part in parts]
    return [
        *head,
        *titles,
        *(text for row in rows for text in (row.title, row.text)),
        *(text for _, text in card.glows),
    ]


@every_game
def test_every_sign_the_menu_and_the_faults_are_on_the_card(name: str, english: PanelReference) -> None:
    (chapter,) = (one for one in english.chapters if one.title.lower() == name)
    rows = [row.title for part in chapter.parts for row in part.rows]
    assert [sign.title for sign in SIGNS] == [row.title for row in chapter.parts[0].rows]
    faults = {one.meaning for one in PATTERNS.values() if one.name.startswith(("no-", "too-"))}
    refusals = {PATTERNS[name].meaning for name in (*HOSTS[name].refusals.values(), "refused-now", "unreadable")}
    entries = {text for place, text in ENTRIES.items() if place != KNOWN}
    assert {*faults, *refusals, *entries} <= set(rows)
    assert any(row.startswith(f"{KNOWN + 1} {ENTRIES[KNOWN]}, ") for row in rows)


@every_game
def test_a_verb_stands_on_the_panel_where_it_stands_on_the_card(name: str, english: PanelReference) -> None:
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
            is_set = node.pick.kind == "number" and {below.pick.kind for below in node.branches} == {"number"}
            # Of cards that go together and are picked in any order, one way to the end is like all others.
            waiting += node.branches[:1] if is_set else node.branches
            if node.pick.kind in ("seat", "number") and (label := str(node.pick.label)).isdigit() and label != "0":
                assert node.pick.place == int(label) - 1, ask


@pytest.mark.parametrize("name", ["silencio", "silentes"])
def test_suits_stand_in_the_chooser_as_their_lights_do(name: str) -> None:
    host = HOSTS[name]
    for ask, state in some_states(name):
        picks = [node.pick for node in host.options(state) if node.pick.kind == "suit"]
        lit = [SUITS.index(pick.lamps[0]) for pick in picks if pick.lamps[0] in SUITS]
        assert lit == sorted(lit), ask


@every_language
def test_the_card_is_told_in_a_language_with_letters_that_can_be_drawn(language: str, english: PanelReference) -> None:
    told = words(card(language))
    assert not [text for text in told if "{" in text]
    assert not [text for text in told if not fonts.can_write(text)]
    if language != "en":
        games = re.compile(r"\d+ |, |" + "|".join(name.capitalize() for name in HOSTS))
        same = {games.sub("", text) for text in set(told) & set(words(english))}
        assert all(len(text) < 15 for text in same), same


@every_language
def test_a_game_fits_on_its_page(language: str) -> None:
    """Nothing is drawn outside the frame, which stands a few millimetres inside the paper's edge."""
    for draw in draw_reference(card(language)):
        picture = draw_picture(draw, A5, 40)
        edge = round(3 * 40 / 25.4)
        inner = picture[edge:-edge, edge:-edge]
        assert inner.min() < 128
        assert np.all(
            picture.sum(axis=(0, 1)) - inner.sum(axis=(0, 1)) == 255 * (picture[..., 0].size - inner[..., 0].size)
        )


@every_language
def test_everything_on_a_card_is_in_large_print(language: str) -> None:
    for draw in draw_reference(card(language)):
        canvas = Words(*A5)
        draw(canvas)
        sizes = {text: (low - top) / CAPITALS for text, _left, top, _right, low in canvas.written}
        assert len(sizes) > 20
        assert {text: size for text, size in sizes.items() if size < 2.74} == {}
        assert not list(canvas.outside(5))


@pytest.mark.parametrize("language", ["en", "pl"])
def test_the_pdf_has_the_panel_and_a_card_a_game_two_on_a_page(language: str, tmp_path: Path) -> None:
    target = tmp_path / "card.pdf"
    pages = -(-(1 + len(HOSTS)) // 2)
    assert print_pdf("panel", "a4", target, prints(Catalogue(language).translate)) == pages
    assert len(re.findall(rb"/Type /Page\b", target.read_bytes())) == pages
