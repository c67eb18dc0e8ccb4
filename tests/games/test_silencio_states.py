"""Silencio: moves nobody asked for, and states written by hand that can't be."""

from __future__ import annotations

import random

import pytest

from companion.games.game import BadOptions, BadState, IllegalMove
from companion.games.notation import read_move, read_state, write_move, write_state
from tests.games.play import at, new, values_of

NOT_NOW = [
    ("silencio players=2", "phase=deal started=no hands=-/-", "play r4", "Deal player 1 a card."),
    ("silencio", "hands=r4/b4/y4", "deal r5", "Player 1: play a card, or pass if you can't."),
    ("silencio", "hands=r4/b4/y4", "show r5", "Player 1: play a card, or pass if you can't."),
    ("silencio", "hands=r4/b4/y4", "done", "Player 1: play a card, or pass if you can't."),
    ("silencio", "hands=r4/b4/y4", "start 1", "Player 1: play a card, or pass if you can't."),
    ("silencio", "hands=r4/b4/y4", "nobody", "Player 1: play a card, or pass if you can't."),
    ("silencio", "hands=r4/b4/y4", "give r5 1", "Player 1: play a card, or pass if you can't."),
    ("silencio", "hands=r4/b4/y4 phase=end played=yes", "pass",
     "Player 1: use a shrine before your turn ends?"),
    ("silencio", "hands=r4/b4/y4 phase=light effect=take_back rows=r5/-/-/-", "renew",
     "Player 1: take the last card of another row into your hand, or leave the effect."),
    ("silencio", "hands=r4/b4/y4 phase=over reason=all_passed", "pass",
     "The game is over: everybody passed in a row. So close: only a few cards are left."),
]  # fmt: skip


@pytest.mark.parametrize(("game", "line", "move", "question"), NOT_NOW)
def test_a_move_nobody_asked_for_is_refused_with_the_question_that_is_open(game, line, move, question):
    assert at(f"{game} {line}").refuses(move, "not_now") == f"“{move}” isn't asked for now. {question}"


def test_the_wrong_use_of_an_effect_is_refused():  # SIL-29
    table = at("silencio hands=r4/b4/y4 phase=light effect=skip_dark played=yes")
    assert table.refuses("take r5", "effect_card") == "red 5 can't be used for this effect now."
    assert table.refuses("choose 1", "effect_choice") == "This effect doesn't allow that now."


@pytest.mark.parametrize("text", ["", "fly r4", "play", "play r4 b5", "give r5", "give r5 x", "shrine purple",
                                  "shrine large effect=fly", "play r4 side=dark", "tavern sing red"])  # fmt: skip
def test_what_is_not_a_move_is_unreadable(text):
    with pytest.raises(IllegalMove) as refusal:
        read_move(new("silencio").game, text)
    assert refusal.value.code == "unreadable"
    assert f"“{text}” isn't a move" in str(refusal.value.reason)


BAD = [
    ("hands=r4,r4/b4/y4", "card_twice", "red 4 can't be in two places."),
    ("hands=r4/b4/y4 rows=r4/-/-/-", "card_twice", "red 4 can't be in two places."),
    ("hands=r12/b4/y4", "no_such_card", "There is no r12 in a game for 3."),
    ("hands=x1/b4/y4", "no_such_card", "There is no x1 in a game for 3."),
    ("hands=rest/b4/y4", "no_such_card", "There is no rest in a game for 3."),
    ("hands=r4/b4/y4 deck=5", "wrong_count",
     "33 cards are nowhere to be seen, but the deck and the hidden cards make 5."),
    ("box=rest hands=?/b4/y4", "wrong_count",
     "0 cards are nowhere to be seen, but the deck and the hidden cards make 0."),
    ("hands=r4/b4/y4 rows=?/-/-/-", "impossible", "Only a hand can hold a hidden card."),
    ("hands=r4/b4/y4 oracle=?", "impossible", "Only a hand can hold a hidden card."),
    ("hands=r4/b4/y4 rows=b5/-/-/-", "impossible", "This can't be at a table: rows."),
    ("hands=r4/b4/y4 rows=r5,r3/-/-/-", "impossible", "This can't be at a table: rows."),
    ("hands=r4/b4/y4 rows=r5/-/-", "impossible", "This can't be at a table: hands, open, rows."),
    ("hands=r4/b4", "impossible", "This can't be at a table: hands, open, rows."),
    ("hands=r4/b4/y4 turn=3", "impossible", "This can't be at a table: turn."),
    ("hands=r4/b4/y4 phase=light", "impossible", "This can't be at a table: effect."),
    ("hands=r4/b4/y4 effect=swap", "impossible", "This can't be at a table: effect."),
    ("hands=r4/b4/y4 known=r5", "impossible", "This can't be at a table: known."),
    ("hands=r4/b4/y4 dark=r5", "impossible", "This can't be at a table: dark."),
    ("hands=r4/b4/y4 adrift=r5", "impossible", "This can't be at a table: adrift."),
    ("hands=r4/b4/y4 phase=oracle", "impossible", "This can't be at a table: to_reveal."),
    ("hands=r4/b4/y4 phase=swap", "impossible", "This can't be at a table: chosen."),
    ("hands=r4/b4/y4 phase=swap_back chosen=1", "impossible", "This can't be at a table: partner."),
    ("hands=r4/b4/y4 phase=give", "impossible", "This can't be at a table: phase."),
    ("hands=-/b4/y4 phase=draw", "impossible", "This can't be at a table: phase."),
    ("hands=r4/b4/y4 passes=4", "impossible", "This can't be at a table: passes."),
    ("hands=r4/b4/y4 phase=over", "impossible", "This can't be at a table: reason."),
    ("hands=r4/b4/y4 started=no", "impossible", "This can't be at a table: started."),
    ("hands=r4/b4/y4 wings=2", "unknown_field", "silencio has no field wings."),
    ("hands=r4/b4/y4 turn=x", "unreadable", "turn can't be “x”."),
    ("hands=r4/b4/y4 hands=r5/-/-", "unreadable", "“hands=r5/-/-” isn't field=value, or comes twice."),
    ("hands", "unreadable", "“hands” isn't field=value, or comes twice."),
    ("lit=purple", "unreadable", "lit can't be “purple”."),
]  # fmt: skip


@pytest.mark.parametrize(("line", "code", "reason"), BAD)
def test_a_state_that_cannot_be_is_refused_with_its_reason(line, code, reason):
    with pytest.raises(BadState) as refusal:
        at(f"silencio {line}")
    assert refusal.value.code == code
    assert str(refusal.value.reason).startswith(reason)


def test_the_line_must_be_for_this_game():
    with pytest.raises(BadState, match="The line must start with silencio, not “similo”"):
        read_state(new("silencio").game, "similo")


def test_the_rest_of_the_cards_may_be_put_into_the_box():
    table = at("silencio hands=r4/b4/y4 box=rest")
    assert table.deck == 0
    assert len(table.box) == 33


@pytest.mark.parametrize("option", [
    "driver", "effect_by_colour", "skip_scope", "empty_hand_may_borrow", "open_cards_swappable", "show_failed_random",
    "highest_green", "shrine_must_lead_to_play", "tavern", "tavern_on_pass", "unlit", "memory_aid", "silence_referee",
    "players",
])  # fmt: skip
def test_every_option_takes_its_values_and_nothing_else(option):
    game = new("silencio").game
    for value in values_of("silencio", option):
        assert getattr(game.options(**{option: value}), option) == value
    for value in ("maybe", None, 17):
        with pytest.raises(BadOptions) as refusal:
            game.options(**{option: value})
        assert refusal.value.code == "bad_option"


@pytest.mark.parametrize("driver", ["sim", "table"])
def test_what_is_offered_is_accepted_and_every_state_can_be_written_down(driver):
    chance = random.Random(11)
    for players in (2, 3, 4):
        table = new("silencio", players=players, driver=driver, tavern=True)
        while table.legal:
            for move in table.legal:
                assert write_move(read_move(table.game, move)) == move
                table.game.apply(table.state, read_move(table.game, move))
            assert read_state(table.game, write_state(table.game, table.state)) == table.state
            table.do(chance.choice(table.legal))
