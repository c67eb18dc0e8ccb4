"""Silencio: green's light effect, a chosen player swaps."""

from __future__ import annotations

from tests.games.play import at

SWAP = "silencio lit=- hands=g4,r9/b4,b9/y4 oracle=r5,r6,r7"


def test_the_active_player_may_choose_anybody_also_oneself():  # SIL-27
    table = at(SWAP).do("play g4")
    assert table.legal == ["choose 0", "choose 1", "choose 2", "skip"]
    assert table.do("choose 1").told == ["Player 1 chooses player 2 for a swap."]


def test_the_chosen_player_picks_the_action_and_all_details_and_must_do_one():  # SIL-27
    table = at(SWAP).do("play g4", "choose 1")
    assert table.asks == ("swap", 1)
    assert table.legal == [
        "swap 2 b4", "swap 0 b4", "swap 2 b9", "swap 0 b9", "oracle r5", "oracle r6", "oracle r7", "renew",
    ]  # fmt: skip
    table.refuses("skip", "not_now")


def test_player_with_player_gives_one_and_gets_one_in_return():  # SIL-27
    table = at(SWAP).do("play g4", "choose 1", "swap 2 b9")
    assert table.asks == ("swap_back", 2)
    assert table.heard(0) == ["Player 2 gives a hidden card to player 3."]
    assert table.heard(1) == table.heard(2) == ["Player 2 gives blue 9 to player 3."]
    table.do("return y4")
    assert table.hands == (("r9",), ("b4", "y4"), ("b9",))
    assert table.asks == ("turn", 1)


def test_the_same_card_may_come_back():  # SIL-27
    table = at(SWAP).do("play g4", "choose 1", "swap 2 b9", "return b9")
    assert table.hands == (("r9",), ("b4", "b9"), ("y4",))


def test_an_empty_handed_partner_receives_and_gives_the_same_card_back():  # SIL-27
    table = at("silencio lit=- hands=g4,r9/b4/-").do("play g4", "choose 1", "swap 2 b4")
    assert table.legal == ["return b4"]
    assert table.do("return b4").hands == (("r9",), ("b4",), ())


def test_nobody_swaps_with_oneself():  # SIL-27
    table = at(SWAP).do("play g4", "choose 1")
    assert table.refuses("swap 1 b4", "effect_card") == "blue 4 can't be used for this effect now."


def test_an_oracle_card_is_taken_and_replaced_by_a_hand_card():  # SIL-27
    table = at(SWAP).do("play g4", "choose 2", "oracle r6")
    assert table.told == ["Player 3 takes red 6 from the Oracle."]
    assert table.asks == ("replace", 2)
    assert table.legal == ["return r6", "return y4"]
    assert table.do("return y4").told == ["Player 3 puts yellow 4 back for the Oracle."]
    assert table.oracle == ("r5", "r7", "y4")
    assert table.hands[2] == ("r6",)
    assert table.known == ("r6",)


def test_the_card_taken_may_be_put_back():  # SIL-27
    table = at(SWAP).do("play g4", "choose 2", "oracle r6", "return r6")
    assert table.oracle == ("r5", "r6", "r7")
    assert table.hands[2] == ("y4",)
    assert table.known == ()


def test_with_an_empty_hand_the_oracle_swap_changes_nothing():  # SIL-27
    table = at("silencio lit=- hands=g4,r9/-/y4 oracle=r5").do("play g4", "choose 1")
    assert table.legal == ["oracle r5", "renew"]
    assert table.do("oracle r5").legal == ["return r5"]


def test_without_an_oracle_there_is_nothing_to_take():  # SIL-27
    table = at("silencio lit=- box=rest hands=g4,r9/b4/y4").do("play g4", "choose 1")
    assert table.legal == ["swap 2 b4", "swap 0 b4"]


def test_a_new_oracle_has_one_card_per_player_and_the_old_one_goes_to_the_box():  # SIL-27, SIL-42
    table = at(SWAP).do("play g4", "choose 1", "renew")
    assert table.told == ["Player 2 takes the Oracle out of the game: red 5, red 6, red 7."]
    assert table.box == ("r5", "r6", "r7")
    assert table.oracle == ()
    table.do("show g2", "show g3")
    assert table.asks == ("oracle", None)
    table.do("show g5")
    assert table.oracle == ("g2", "g3", "g5")
    assert table.asks == ("turn", 1)
    assert table.refuses("play r5", "misread") == "red 5 lies aside, out of the game already."


def test_a_deck_that_is_too_small_gives_what_it_has():  # SIL-27, SIL-04
    table = at("silencio players=2 lit=- hands=g4,r8/b4 oracle=r5,r6 box=r2,r3,r4,r7,b2,b3,b5,b6,b7,b8,"
               "y2,y3,y4,y5,y6,y7,y8,g2,g3,g5,g6,g7")  # fmt: skip
    assert table.deck == 1
    table.do("play g4", "choose 0", "renew", "show g8")
    assert table.oracle == ("g8",)
    assert table.asks == ("turn", 1)


def test_with_an_empty_deck_the_oracle_vanishes():  # SIL-27
    table = at("silencio lit=- box=rest hands=g4,r9/b4/y4 oracle=r5,r6").do("play g4", "choose 1", "renew")
    assert table.oracle == ()
    assert table.asks == ("turn", 1)


def test_an_own_open_card_may_be_given_and_is_then_hidden_but_known():  # SIL-27, G-03
    table = at("silencio lit=- hands=g4,r9/b4/y4 open=-/b9/-").do("play g4", "choose 1")
    assert table.offers("swap") == ["swap 2 b4", "swap 0 b4", "swap 2 b9", "swap 0 b9"]
    table.do("swap 2 b9")
    assert table.open == ((), (), ())
    assert table.hands[2] == ("b9", "y4")
    assert table.known == ("b9",)


def test_an_own_open_card_may_replace_an_oracle_card():  # SIL-27
    table = at("silencio lit=- hands=g4,r9/b4/y4 open=-/b9/- oracle=r5").do("play g4", "choose 1", "oracle r5")
    assert table.legal == ["return b4", "return r5", "return b9"]
    assert table.do("return b9").oracle == ("b9",)
    assert table.open == ((), (), ())


def test_open_cards_stay_where_they_are_if_the_table_says_so():  # SIL-27
    table = at("silencio open_cards_swappable=no lit=- hands=g4,r9/b4/y4 open=-/b9/- oracle=r5")
    table.do("play g4", "choose 1")
    assert table.offers("swap") == ["swap 2 b4", "swap 0 b4"]
    assert table.do("oracle r5").legal == ["return b4", "return r5"]


def test_a_player_with_only_open_cards_cannot_give_them_if_the_table_says_so():  # SIL-27
    table = at("silencio open_cards_swappable=no lit=- box=rest hands=g4,r9/-/y4 open=-/b9/-").do("play g4")
    assert table.legal == ["choose 0", "choose 2", "skip"]
    assert table.refuses("choose 1", "effect_choice") == "This effect doesn't allow that now."


def test_open_cards_of_the_partner_may_come_in_return():  # SIL-27
    table = at("silencio lit=- hands=g4,r9/b4/y4 open=-/-/y9").do("play g4", "choose 1", "swap 2 b4")
    assert table.legal == ["return b4", "return y4", "return y9"]
    table.do("return y9")
    assert table.hands[1] == ("y9",)
    assert table.known == ("y9",)


def test_what_was_known_of_a_hand_is_in_doubt_once_a_card_left_it_face_down():  # G-03
    table = at("silencio lit=- hands=g4,r9/b4,b9/y4 known=b9").do("play g4", "choose 1", "swap 2 b9")
    assert table.known == ()


def test_an_only_card_is_still_known_when_it_goes_face_down():  # G-03
    table = at("silencio lit=- hands=g4,r9/b9/y4 known=b9").do("play g4", "choose 1", "swap 2 b9")
    assert table.known == ("b9",)


def test_a_swap_at_the_start_of_the_turn_is_followed_by_the_turn():  # SIL-30, SIL-27
    table = at("silencio lit=green hands=r9,r8/b4/y4 oracle=g5").do(
        "shrine green", "choose 0", "oracle g5", "return r8"
    )
    assert table.asks == ("turn", 0)
    assert table.offers("play") == ["play g5", "play r9"]
