"""Silentes: states written by hand, what may be said, refusals, and the words for everything."""

from __future__ import annotations

from typing import get_args

import pytest

from companion.games.game import BadState, Deal, Event, IllegalMove
from companion.games.notation import read_state
from companion.games.silentes import SILENTES, words
from companion.games.silentes import moves as m
from companion.games.silentes.records import ALL_CARDS, OMENS, PROVISIONS, Phase
from tests.games.silentes_table import at, can

# States written by hand


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ("hands=cups-07/cups-07", "card_twice"),
        ("hands=cups-99/-", "no_such_card"),
        ("hands=cups-02/-", "impossible"),
        ("provisions=cups-07/-", "impossible"),
        ("noise=15", "impossible"),
        ("noise=16", "impossible"),
        ("deck=3", "wrong_count"),
        ("tokens=9,0", "impossible"),
        ("turn=2", "impossible"),
        ("phase=bonus", "impossible"),
        ("phase=held", "impossible"),
        ("phase=hide", "impossible"),
        ("known=cups-09", "impossible"),
        ("hands=-/-/-", "impossible"),
        ("barrier=9:0", "impossible"),
        ("noisy=1", "unknown_field"),
        ("phase=sleep", "unreadable"),
        ("omens=major-22", "no_such_card"),
        ("drawing=table ghosts=cups-09", "impossible"),
        ("phase=over", "impossible"),
        ("phase=reward hunt=cups-09", "impossible"),
        ("drawing=virtual held=cups-04", "impossible"),
        ("gone=cups-09 ghosts=cups-09", "impossible"),
        ("map=" + ",".join(f"cups-{rank:02}" for rank in range(4, 13)), "impossible"),
    ],
)
def test_an_impossible_table_is_refused(fields, code):
    with pytest.raises(BadState) as caught:
        at(fields)
    assert caught.value.code == code


def test_a_bare_line_is_a_table():
    state = read_state(SILENTES, "silentes")
    assert (state.deck, state.stock, len(state.map)) == (44, 12, 8)
    assert can(state) == ["search"]


def test_rest_is_everything_not_mentioned():
    state = at("gone=rest piles=-/rest hands=cups-07/-")
    assert (state.deck, state.stock) == (0, 0)
    assert len(state.gone) == 44 - 8 - 1
    assert len(state.piles[1]) == 12


# Talk


@pytest.mark.parametrize(("rule", "now"), [("limited", "limited"), ("open", "open"), ("silent", "silent")])
def test_what_may_be_said(rule, now):  # STE-08
    assert SILENTES.talk(at(f"table_talk={rule}")) == now
    assert SILENTES.talk(at(f"table_talk={rule} effects=talk")) == "open"


# Refusals


def test_a_refusal_names_what_was_tried_and_what_would_be_legal():
    with pytest.raises(IllegalMove) as caught:
        SILENTES.apply(at("hands=cups-07/-"), m.Go(5))
    assert str(caught.value.reason) == "Shelter 6 isn't beside the token."  # people count from one
    assert m.Go(1) in caught.value.legal
    with pytest.raises(IllegalMove) as caught:
        SILENTES.apply(at("phase=hide tokens=1,0 hands=cups-07,swords-09/-"), m.Hide("swords-09"))
    assert str(caught.value.reason) == "Nine of Swords hasn't the suit of this shelter."


@pytest.mark.parametrize(
    ("fields", "move", "code"),
    [
        ("phase=refill hands=-/-", Deal("?"), "face_needed"),
        ("hands=cups-07/-", m.Distract("stars"), "no_such_suit"),
        ("phase=coin hunt=cups-14", m.Coin("edge"), "no_such_side"),
        ("phase=hunt", m.Ghost("cups-07"), "not_now"),
        ("phase=hunt", m.Held(), "not_now"),
        ("phase=search rewards=0", Deal("cups-09"), "misread"),
        ("phase=search rewards=0 piles=cups-01/-", Deal("cups-01"), "misread"),
        ("phase=sacrifice hunt=cups-14", m.Pass(), "not_now"),
        ("phase=ride hunt=cups-14", m.Go(-1), "no_such_shelter"),
    ],
)
def test_moves_that_no_table_knows(fields, move, code):
    with pytest.raises(IllegalMove) as caught:
        SILENTES.apply(at(fields), move)
    assert caught.value.code == code


# Words


def test_every_card_has_a_name_and_every_omen_and_provision_a_rule():
    assert str(SILENTES.card("cups-07")) == "Seven of Cups"
    assert str(SILENTES.card("pentacles-11")) == "Page of Pentacles"
    assert str(SILENTES.card("major-08")) == "Strength"
    assert str(SILENTES.card("major-11")) == "Justice"
    assert len({str(SILENTES.card(card)) for card in ALL_CARDS}) == 78
    assert set(words.RULES) == {*OMENS, *PROVISIONS}
    assert set(words.ITEMS) == set(PROVISIONS)


def test_every_question_and_event_has_a_sentence():
    assert set(words.QUESTIONS) == set(get_args(Phase)) - {"over"}
    events = {kind for kind in vars(m).values() if isinstance(kind, type) and issubclass(kind, Event)} - {Event}
    assert set(words.SENTENCES) == events
