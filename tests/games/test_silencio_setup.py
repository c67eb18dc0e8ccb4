"""Silencio: what lies on the table before the first turn, the start player, and the passing round."""

from __future__ import annotations

import random

import pytest

from companion.games.game import BadOptions
from companion.games.silencio.records import DECK, HAND_SIZE, RANK_OF, ROW_OF
from tests.games.play import Table, at, new

# Players, ranks, hands, Oracle, deck: the rulebook's table, and what it leaves for the deck.
SETUP = [(2, range(2, 9), 6, 2, 14), (3, range(2, 11), 6, 3, 15), (4, range(2, 14), 5, 4, 24)]


def dealt(players: int, **options: object) -> Table:
    table = new("silencio", players=players, **options)
    cards = list(DECK[players])
    random.Random(players).shuffle(cards)
    for card in cards[: players * HAND_SIZE[players]]:
        table.do(f"deal {card}")
    for card in cards[players * HAND_SIZE[players] :][:players]:
        table.do(f"show {card}")
    return table


def test_the_four_colours_are_red_blue_yellow_and_green():  # SIL-01
    table = new("silencio")
    assert [str(table.game.card(card)) for card in ("r4", "b3", "y10", "g2")] == [
        "red 4", "blue 3", "yellow 10", "green 2",
    ]  # fmt: skip


@pytest.mark.parametrize(("players", "ranks", "hand", "oracle", "deck"), SETUP)
def test_ranks_hands_oracle_and_deck_follow_the_number_of_players(players, ranks, hand, oracle, deck):  # SIL-03, SIL-04
    assert sorted(DECK[players]) == sorted(card for card, rank in RANK_OF.items() if rank in ranks)
    table = dealt(players)
    assert [len(cards) for cards in table.hands] == [hand] * players
    assert len(table.oracle) == oracle
    assert table.deck == deck == len(table.unseen)
    assert table.asks == ("start", None)


def test_forty_eight_cards_are_four_colours_of_twelve_ranks():  # SIL-03
    assert len(DECK[4]) == 48
    assert {(ROW_OF[card], RANK_OF[card]) for card in DECK[4]} == {
        (row, rank) for row in range(4) for rank in range(2, 14)
    }


@pytest.mark.parametrize("players", [1, 5, 0, "3"])
def test_only_two_to_four_can_play(players):  # SIL-03
    table = new("silencio")
    with pytest.raises(BadOptions, match="players can't be"):
        table.game.options(players=players)


def test_an_option_that_does_not_exist_is_refused_by_name():
    with pytest.raises(BadOptions, match="silencio has no option shrines"):
        new("silencio", shrines=5)


def test_cards_are_dealt_one_each_in_turn_and_only_their_owner_sees_them():  # SIL-03, G-02
    table = new("silencio", players=2)
    assert table.asks == ("deal", 0)
    table.do("deal r4")
    assert table.heard(0) == ["Player 1 gets red 4."]
    assert table.heard(1) == table.heard(None) == ["Player 1 gets a hidden card."]
    assert table.asks == ("deal", 1)


def test_a_dealt_card_cannot_come_again():  # G-11
    table = new("silencio", players=2).do("deal r4")
    assert table.refuses("deal r4", "misread") == "red 4 has been seen already: it can't come again."


def test_a_rank_that_is_not_in_this_game_is_a_misread():  # SIL-03, G-11
    table = new("silencio", players=2)
    assert table.refuses("deal r9", "misread") == "red 9 isn't in a game for 2."


def test_the_oracle_shows_one_card_per_player():  # SIL-04
    table = dealt(3)
    assert table.told == [f"The Oracle shows {table.game.card(table.events[0].card)}."]
    seen = table.oracle[0]
    table = new("silencio", driver="table").do(f"show {seen}")
    assert "lies in the Oracle already." in table.refuses(f"show {seen}", "misread")


def test_whoever_takes_the_start_card_starts():  # SIL-05, SIL-07
    table = dealt(3)
    assert table.legal == ["start 0", "start 1", "start 2", "nobody"]
    table.do("start 2")
    assert table.told == ["Player 3 starts."]
    assert table.asks == ("pass_on", 2)


def test_there_is_no_fifth_seat_to_start():  # SIL-05
    table = dealt(4)
    assert table.refuses("start 4", "no_such_seat") == "There is no player 5."
    table.refuses("start -1", "no_such_seat")


def test_a_table_that_cannot_agree_on_a_starting_player_has_lost():  # SIL-05
    table = dealt(3).do("nobody")
    assert table.pending.reason == "no_start"
    assert table.pending.winners == ()
    assert table.pending.score == (18,)
    assert table.told == ["The game ends: the table couldn't agree on a starting player in silence. Cards left: 18."]
    assert table.legal == []


PASSING = "silencio phase=pass_on started=no turn=1 hands=r2,r3/b2,b3/y2,y3"


def test_each_passes_one_card_to_the_left_from_the_starting_player_on():  # SIL-06
    table = at(PASSING)
    assert table.asks == ("pass_on", 1)
    table.do("pass_on b3")
    assert table.asks == ("pass_on", 2)
    table.do("pass_on y2")
    assert table.asks == ("pass_on", 0)
    table.do("pass_on r2")
    assert table.hands == (("r3", "y2"), ("b2", "r2"), ("b3", "y3"))


def test_a_received_card_may_be_passed_on_at_once():  # SIL-06
    table = at(PASSING).do("pass_on b3", "pass_on b3", "pass_on b3")
    assert table.hands == (("r2", "r3"), ("b2", "b3"), ("y2", "y3"))


def test_the_first_passer_has_no_new_card_to_choose_from():  # SIL-06
    assert at(PASSING).legal == ["pass_on b2", "pass_on b3"]


def test_the_game_begins_with_the_starting_player_once_that_player_has_received():  # SIL-06, SIL-07
    table = at(PASSING).do("pass_on b3", "pass_on y2", "pass_on r2")
    assert table.asks == ("turn", 1)
    assert [len(hand) for hand in table.hands] == [2, 2, 2]


def test_only_giver_and_receiver_see_the_card_that_is_passed():  # SIL-06
    table = at(PASSING).do("pass_on b3")
    assert table.heard(1) == table.heard(2) == ["Player 2 gives blue 3 to player 3."]
    assert table.heard(0) == table.heard(None) == ["Player 2 gives player 3 a hidden card."]


def test_a_card_of_another_hand_cannot_be_passed():  # SIL-06
    assert at(PASSING).refuses("pass_on r2", "not_held") == "red 2 isn't in that hand."


def test_nothing_is_played_before_the_passing_is_done():  # SIL-06
    reason = at(PASSING).refuses("play b2", "not_now")
    assert reason == "“play b2” isn't asked for now. Player 2: give a card to your left."


def test_the_shrines_are_the_ones_of_the_rows():  # SIL-08
    table = at("silencio players=2 hands=r2/b2 lit=-")
    assert table.verdict("play r2") == "yes"
    table.do("play r2")
    assert table.told[0] == "Player 1 plays red 2, dark side up."


def test_an_unlit_shrine_still_counts_as_one():  # SIL-08
    table = at("silencio players=2 hands=r2,r7/b2,b7").do("play r2", "shrine red", "use")
    assert "red" not in table.lit
    assert at("silencio players=2 hands=r3,r7/b2,b7 lit=-").do("play r3").told[0].endswith("light side up.")


LIT = [
    ("none", ("large", "red", "blue", "yellow", "green")),
    ("large", ("red", "blue", "yellow", "green")),
    ("small", ("large",)),
    ("all", ()),
]


@pytest.mark.parametrize(("unlit", "lit"), LIT)
def test_the_variant_says_which_shrines_start_unlit(unlit, lit):  # SIL-54
    assert new("silencio", unlit=unlit).lit == lit


def test_tavern_and_unlit_shrines_may_be_combined():  # SIL-54
    table = new("silencio", tavern=True, unlit="all")
    assert table.lit == ()
    assert not table.tavern_open


def test_where_hands_are_hidden_the_box_sees_counts_only():  # G-01, G-02
    table = new("silencio", driver="table", players=4)
    assert table.hands == (("?",) * 5,) * 4
    assert (table.deck, len(table.unseen)) == (28, 48)
    table.do("show r2", "show r3", "show r4", "show r5", "start 0")
    assert table.legal == ["pass_on ?"]
    table.do(*["pass_on ?"] * 4)
    assert table.asks == ("turn", 0)
    assert table.hands == (("?",) * 5,) * 4
