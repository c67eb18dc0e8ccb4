"""Silencio: matching, climbing, having to play, passing, borrowing, and the last card."""

from __future__ import annotations

import pytest

from tests.games.play import at

# Three at the table as in the rulebook: Coco, Bertel and Ada.
RULEBOOK = "silencio lit=- hands=r4,y9/r2,b3,y5/b4,g7 oracle=y2,y3,y4"


def test_coco_plays_the_red_four_matching_and_climbing():  # SIL-10, the rulebook's example
    table = at(RULEBOOK).do("play r4")
    assert table.told == ["Player 1 plays red 4, light side up.", "Effect: the next card's dark effect is skipped."]
    assert table.rows[0] == ("r4",)


def test_bertel_cannot_play_his_red_two_over_the_red_four():  # SIL-17, the rulebook's example
    table = at(RULEBOOK).do("play r4", "skip")
    assert table.refuses("play r2", "not_climbing") == "red 2 doesn't climb over red 4."
    assert "play b3" in table.legal
    assert "play r2" not in table.legal


def test_bertel_plays_the_blue_three_light_and_takes_the_red_four():  # SIL-23, the rulebook's example
    table = at(RULEBOOK).do("play r4", "skip", "play b3")
    assert table.told == [
        "Player 2 plays blue 3, light side up.",
        "Effect: take the last card of another row.",
    ]
    assert table.asks == ("take_back", 1)
    table.do("take r4")
    assert table.told == ["Player 2 takes red 4 back."]
    assert table.hands[1] == ("r2", "r4", "y5")
    assert table.rows == ((), ("b3",), (), ())


def test_adas_blue_four_is_dark_and_she_gives_an_oracle_card_to_coco_or_bertel():  # SIL-24, the rulebook's example
    table = at(RULEBOOK).do("play r4", "skip", "play b3", "take r4", "play b4")
    assert table.told == [
        "Player 3 plays blue 4, dark side up.",
        "Effect: give an Oracle card to another player.",
    ]
    assert table.dark == ("b4",)
    assert table.asks == ("give", 2)
    assert table.legal == [f"give {card} {seat}" for card in ("y2", "y3", "y4") for seat in (0, 1)]
    assert table.do("give y3 0").told == ["Player 3 gives yellow 3 of the Oracle to player 1."]
    assert table.do("show g10").told == ["The Oracle shows green 10."]
    assert table.hands[0] == ("y3", "y9")
    assert table.oracle == ("g10", "y2", "y4")
    assert table.asks == ("turn", 0)


@pytest.mark.parametrize(("card", "side"), [("r5", "dark"), ("r6", "light"), ("r10", "light")])
def test_a_card_is_dark_if_it_directly_follows_and_light_if_not(card, side):  # SIL-18
    table = at(f"silencio lit=- hands={card},b9/b2/y2 rows=r4/-/-/-").do(f"play {card}")
    assert table.events[0].side == side
    assert (card in table.dark) == (side == "dark")


def test_an_equal_rank_does_not_climb():  # SIL-17
    # Two cards of one rank and colour don't exist, so the nearest is the rank below.
    table = at("silencio lit=- hands=r4,b9/b2/y2 rows=r2,r5/-/-/-")
    assert table.refuses("play r4", "not_climbing") == "red 4 doesn't climb over red 5."


def test_a_player_who_can_play_may_not_pass():  # SIL-10
    table = at("silencio hands=r4/b2/y2")
    assert table.refuses("pass", "must_play") == "A pass isn't allowed: a card can be played."


def test_a_player_who_cannot_play_must_pass():  # SIL-10
    table = at("silencio lit=- hands=r4/b2/y2 rows=r5/-/-/-")
    assert table.legal == ["pass"]
    assert table.do("pass").told == ["Player 1 passes."]
    assert table.asks == ("turn", 1)


def test_a_player_without_cards_passes():  # SIL-16
    table = at("silencio lit=- hands=-/b2/y2")
    assert table.legal == ["pass"]
    assert table.verdict("pass") == "yes"


def test_an_own_open_card_must_be_played_if_it_is_the_only_one_that_can_be():  # SIL-10
    table = at("silencio lit=- hands=r2/b2/y2 open=g4/-/- rows=r5/-/-/-")
    assert table.legal == ["play g4"]
    table.refuses("pass", "must_play")


def test_another_players_open_card_may_be_played_but_need_not():  # SIL-11
    table = at("silencio lit=- hands=r2/b2/y2 open=-/g4/- rows=r5/-/-/-")
    assert table.legal == ["play g4", "pass"]
    table.do("play g4")
    assert table.open == ((), (), ())
    assert table.told[0] == "Player 1 plays green 4, light side up."


def test_a_player_with_a_playable_card_may_play_a_foreign_open_card_instead():  # SIL-11
    table = at("silencio lit=- hands=r6/b2/y2 open=-/g4/- rows=r5/-/-/-")
    assert table.legal == ["play r6", "play g4"]
    table.do("play g4")
    assert table.hands[0] == ("r6",)


def test_a_player_without_cards_may_borrow():  # SIL-12
    table = at("silencio lit=- hands=-/b2/y2 open=-/g4/-")
    assert table.legal == ["play g4", "pass"]


def test_a_player_without_cards_may_not_borrow_where_the_table_says_so():  # SIL-12
    table = at("silencio empty_hand_may_borrow=no lit=- hands=-/b2/y2 open=-/g4/-")
    assert table.legal == ["pass"]
    reason = table.refuses("play g4", "empty_hand")
    assert reason == "A player without cards can't borrow green 4 at this table."


def test_with_only_an_open_card_left_a_player_still_has_cards_and_may_borrow():  # SIL-12, SIL-13
    table = at("silencio empty_hand_may_borrow=no lit=- hands=-/b2/y2 open=r2/g4/- rows=r5/-/-/-")
    assert table.legal == ["play g4", "pass"]


def test_a_last_card_laid_consecutively_lies_dark_but_has_no_effect():  # SIL-14
    table = at("silencio lit=- hands=r5/b2/y2 rows=r4/-/-/-").do("play r5")
    assert table.told == ["Player 1 plays red 5, dark side up.", "No effect: it was the player's last card."]
    assert table.dark == ("r5",)
    assert table.markers == ()


def test_a_last_card_laid_with_a_gap_has_its_light_effect():  # SIL-14
    table = at("silencio lit=- hands=r6/b2/y2 rows=r4/-/-/-").do("play r6")
    assert table.asks == ("skip_dark", 0)
    assert table.do("use").markers == ("skip_dark",)


def test_the_last_hidden_card_is_not_the_last_while_an_open_card_lies_there():  # SIL-13
    table = at("silencio lit=- hands=r5/b2/y2 open=g2/-/- rows=r4/-/-/-").do("play r5")
    assert "Effect: the next card's light effect is skipped." in table.told
    assert table.markers == ("skip_light",)


def test_the_open_card_played_last_is_the_last_card():  # SIL-13
    table = at("silencio lit=- hands=-/b2/y2 open=r5/-/- rows=r4/-/-/-").do("play r5")
    assert table.told[1] == "No effect: it was the player's last card."


def test_a_card_borrowed_with_an_empty_hand_is_the_last_card():  # SIL-13
    table = at("silencio lit=- hands=-/b2/y2 open=-/r5/- rows=r4/-/-/-").do("play r5")
    assert table.told[1] == "No effect: it was the player's last card."


def test_a_card_borrowed_with_cards_left_has_its_dark_effect():  # SIL-13
    table = at("silencio lit=- hands=g9/-/y2 open=-/r5/- rows=r4/-/-/-").do("play r5")
    assert table.markers == ("skip_light",)


def test_a_last_card_taken_back_can_be_laid_again():  # SIL-13, SIL-23
    table = at("silencio lit=blue hands=r5/b2/y2 rows=r4/-/-/-")
    table.do("play r5", "shrine blue", "take r5")
    assert table.hands[0] == ("r5",)
    assert table.dark == ()
    assert table.asks == ("turn", 1)


def test_after_a_take_back_a_card_follows_what_now_lies_on_top():  # SIL-15
    table = at("silencio lit=- hands=b3,b9/r4,y9/g2 rows=r2,r3,r6/-/-/- dark=r2,r3").do("play b3", "take r6")
    table.do("play r4")
    assert table.told[0] == "Player 2 plays red 4, dark side up."


def test_after_a_take_back_of_the_only_card_a_card_follows_the_shrine():  # SIL-15
    table = at("silencio lit=- hands=b3,b9/r2,y9/g2 rows=r6/-/-/-").do("play b3", "take r6")
    assert "play r2" in table.legal
    assert table.do("play r2").events[0].side == "dark"


def test_a_gap_reopens_when_the_card_that_closed_it_is_taken_back():  # SIL-15
    table = at("silencio lit=- hands=b3,b9/r4,y9/g2 rows=r2,r3/-/-/- dark=r2,r3").do("play b3", "take r3")
    assert table.do("play r4").events[0].side == "light"


def test_turns_go_clockwise():  # SIL-07
    table = at("silencio lit=- hands=r4/b2/y2 rows=r5/b5/y5/- turn=1")
    for seat in (2, 0):
        assert table.do("pass").asks == ("turn", seat)


def test_a_card_of_another_hand_cannot_be_played():  # SIL-17
    assert at("silencio hands=r4/b2/y2").refuses("play b2", "not_held") == "blue 2 isn't in that hand."


def test_a_card_that_is_still_in_the_deck_cannot_be_played():  # SIL-17
    assert at("silencio hands=r4/b2/y2").refuses("play g9", "not_held") == "green 9 isn't in that hand."


def test_a_card_that_lies_in_a_row_is_a_misread():  # G-11
    table = at("silencio hands=r4/b2/y2 rows=-/-/-/g3")
    assert table.refuses("play g3", "misread") == "green 3 lies in the green row already."


def test_an_oracle_card_cannot_be_played():  # G-11
    table = at("silencio hands=r4/b2/y2 oracle=g3")
    assert table.refuses("play g3", "misread") == "green 3 lies in the Oracle already."


def test_a_card_that_is_not_in_this_deck_is_a_misread():  # G-11
    assert at("silencio hands=r4/b2/y2").refuses("play r12", "misread") == "red 12 isn't in a game for 3."


def test_nonsense_is_refused_as_nonsense():  # G-11
    assert at("silencio hands=r4/b2/y2").refuses("play joker", "misread") == "joker isn't in a game for 3."
