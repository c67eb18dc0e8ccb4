"""The panel's reference card: every question people decide is on it, with its options as the chooser has them."""

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
from companion.table.card import options, prints, reference, to_anybody
from companion.table.chooser import Chooser
from companion.table.hosts import HOSTS
from companion.table.questions import asked
from hardware.panel import SUITS
from vision.art import letters
from vision.art.reference import Reference, draw_reference
from vision.art.sheets import PAPERS, print_pdf

# What nature answers: a card or a coin, not a choice.
REVEALED = {
    "silencio": {"deal", "oracle", "draw"},
    "similo": {"grid", "secret", "deal", "refill", "which"},
    "silentes": {
        "map", "hunt", "omen", "gift", "peek", "coin", "remap", "search", "reward", "justice", "aid_draw", "refill",
        "peek_omens", "deal",
    },
    "cisza": {"deal", "flip", "horde", "draw", "shuffle"},
}  # fmt: skip
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
    head = [card.title, card.bar, *card.suits, card.sun, card.moon, *card.buttons, card.off, *card.notes]
    questions = [question for chapter in card.chapters for question in chapter.questions]
    return head + [
        text for question in questions for text in (question.text, *(part for a in question.answers for part in a[:2]))
    ]


@every_game
def test_every_question_that_people_decide_is_on_the_card(name: str, english: Reference) -> None:
    game = HOSTS[name].game
    decided = set(game.questions) - REVEALED[name]
    assert set(options(HOSTS[name])) == decided
    (chapter,) = (one for one in english.chapters if one.title.lower() == name)
    texts = [question.text for question in chapter.questions]
    assert {to_anybody(game.questions[ask]) for ask in decided} <= set(texts)
    assert all(question.answers for question in chapter.questions)


@every_game
def test_the_options_stand_in_the_order_of_the_chooser(name: str, english: Reference) -> None:
    host = HOSTS[name]
    (chapter,) = (one for one in english.chapters if one.title.lower() == name)
    asks = [ask for ask in host.game.questions if ask not in REVEALED[name]]
    printed = {ask: [one.label for one in q.answers] for ask, q in zip(asks, chapter.questions, strict=False)}
    for ask, state in some_states(name):
        if len(set(map(type, host.game.legal(state)))) > 1:
            chooser = Chooser(host.options(state))
            shown = [str(chooser.step(by).label).split(" › ")[0] for by in range(len(chooser.level))]
            assert shown == [label for label in printed[ask] if label in shown], ask


@pytest.mark.parametrize("name", ["silencio", "silentes"])
def test_suits_stand_in_the_chooser_as_their_lights_do(name: str) -> None:
    host = HOSTS[name]
    for ask, state in some_states(name):
        picks = [node.pick for node in host.options(state)]
        if "cell" not in {field for move in host.game.legal(state) for field in move.__struct_fields__}:
            lit = [SUITS.index(pick.lamps[0]) for pick in picks if pick.lamps]
            assert lit == sorted(lit), ask


def test_seats_and_cards_of_cisza_stand_in_the_chooser_as_on_the_card() -> None:
    host = HOSTS["cisza"]
    cards, zombies = host.lists.values()
    for ask, state in some_states("cisza"):
        keys = [node.pick.key for node in host.options(state)]
        for order in (cards, zombies, [str(seat) for seat in range(6)]):
            if set(keys) <= set(order):
                assert keys == [key for key in order if key in keys], ask


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
