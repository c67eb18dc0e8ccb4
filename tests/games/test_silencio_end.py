"""Silencio: when the game ends, and what is left counts."""

from __future__ import annotations

import random

import pytest

from companion.games.silencio.records import BLUE, NEAR_MISS
from tests.games.play import at, new, play_out


def test_the_game_ends_when_everybody_has_passed_in_a_row():  # SIL-40
    table = at("silencio lit=- hands=r4/b4/y4 rows=r5/b5/y5/-").do("pass", "pass")
    assert table.asks == ("turn", 2)
    table.do("pass")
    assert table.told[1] == "The game ends: everybody passed in a row. Cards left: 3."
    assert table.legal == []


def test_a_card_played_in_between_starts_the_count_again():  # SIL-40
    table = at("silencio lit=- hands=r4/b4/y4,y9 rows=r5/b5/y5/-").do("pass", "pass", "play y9", "skip")
    assert table.passes == 0
    table.do("pass", "pass")
    assert table.asks == ("turn", 2)


def test_the_game_ends_when_the_last_card_is_played():  # SIL-40
    table = at("silencio lit=- hands=r5/-/- rows=r4/-/-/-").do("play r5")
    assert table.told[-1] == "The game ends: every card is played. Cards left: 0."
    assert table.pending.winners == (0, 1, 2)


def test_open_cards_keep_the_game_alive():  # SIL-40
    table = at("silencio lit=- hands=r5/-/- open=-/g4/- rows=r4/-/-/-").do("play r5")
    assert table.asks == ("turn", 1)


def test_the_game_does_not_end_because_nobody_could_play_any_more():  # SIL-40
    table = at("silencio lit=- hands=r4,r9/b4/y4 rows=r5/b5/y5/-").do("play r9", "skip")
    assert table.asks == ("turn", 1)
    assert table.do("pass", "pass").asks == ("turn", 0)


def test_a_whole_round_of_passes_is_needed_after_the_last_play():  # SIL-40
    table = at("silencio lit=- hands=r4,r9/b4/y4 rows=r5/b5/y5/-").do("play r9", "skip", "pass", "pass", "pass")
    assert table.pending.reason == "all_passed"


# Bands of the rulebook's table: cards left, by number of players.
BANDS = [
    (2, 0, "perfect"), (2, 1, "near"), (2, 2, "near"), (2, 3, "far"),
    (3, 0, "perfect"), (3, 1, "near"), (3, 3, "near"), (3, 4, "far"),
    (4, 0, "perfect"), (4, 1, "near"), (4, 4, "near"), (4, 5, "far"),
]  # fmt: skip


@pytest.mark.parametrize(("players", "left", "band"), BANDS)
def test_the_fewer_cards_left_the_better(players, left, band):  # SIL-41
    hand = ",".join(f"r{rank}" for rank in range(2, 2 + left)) or "-"
    table = at(
        f"silencio players={players} lit=- hands={hand}{'/-' * (players - 1)} phase=over reason=all_passed "
        f"rows=r8/-/-/- passes={players}"
    )
    assert table.pending.score == (left,)
    assert table.pending.winners == (tuple(range(players)) if band == "perfect" else ())
    assert table.game.band(table.state) == band
    assert str(table.game.term(band))


def test_hidden_and_open_cards_both_count():  # SIL-41
    table = at("silencio lit=- hands=r4/b4/y4 open=r3/-/- rows=r5/b5/y5/- passes=2").do("pass")
    assert table.pending.score == (4,)


def test_oracle_deck_and_box_never_count():  # SIL-42
    table = at("silencio lit=- hands=r4/-/- oracle=g3,g4 box=g5 rows=r5/-/-/- passes=2").do("pass")
    assert table.deck > 0
    assert table.pending.score == (1,)


def test_only_zero_is_a_win():  # SIL-41
    table = at("silencio lit=- hands=r4/-/- rows=r5/-/-/- passes=2").do("pass")
    assert table.pending.score[0] <= NEAR_MISS[3]
    assert table.pending.winners == ()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_blue_cards_stay_so_every_game_ends(players):  # SIL-43, SIL-23
    chance = random.Random(players)
    for _ in range(4):
        table = new("silencio", players=players, tavern=True)
        blue = 0
        while table.asks[1] is not None or table.legal:
            table.do(chance.choice(table.legal))
            assert len(table.rows[BLUE]) >= blue
            blue = len(table.rows[BLUE])
        assert table.pending.reason in ("all_passed", "all_played", "no_start")


OPTIONS = [
    {"driver": "table"},
    {"driver": "table", "show_failed_random": True, "tavern": True, "tavern_on_pass": False},
    {"effect_by_colour": "red_C_yellow_A", "skip_scope": "next_matching", "empty_hand_may_borrow": False},
    {"open_cards_swappable": False, "highest_green": "dynamic", "shrine_must_lead_to_play": "lenient"},
    {"tavern": True, "unlit": "small", "memory_aid": True},
    {"silence_referee": "lose", "unlit": "large"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda chosen: "-".join(chosen))
def test_a_whole_game_can_be_played_with_every_option(options):  # SIL-40
    chance = random.Random(7)
    for players in (2, 3, 4):
        table = play_out(new("silencio", players=players, **options), chance.choice)
        assert table.legal == []
