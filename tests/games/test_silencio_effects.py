"""Silencio: what the light and dark effects of the four colours do, and how long a marker lasts."""

from __future__ import annotations

import pytest

from tests.games.play import at

# Which effect a row's card creates: light with a gap, dark in direct succession.
EFFECTS = [
    ("red_A_yellow_C", "r", "skip_dark", "skip_light"),
    ("red_A_yellow_C", "b", "take_back", "give"),
    ("red_A_yellow_C", "y", "open_card", "random"),
    ("red_A_yellow_C", "g", "swap", "green"),
    ("red_C_yellow_A", "r", "open_card", "random"),
    ("red_C_yellow_A", "b", "take_back", "give"),
    ("red_C_yellow_A", "y", "skip_dark", "skip_light"),
    ("red_C_yellow_A", "g", "swap", "green"),
]


@pytest.mark.parametrize(("mapping", "colour", "light", "dark"), EFFECTS)
def test_each_colour_has_its_pair_of_effects(mapping, colour, light, dark):  # SIL-02
    line = f"silencio effect_by_colour={mapping} lit=- hands={colour}%d,r9,g9/b9/y9 rows=r7/-/-/g7 oracle=b5"
    if colour in "rg":
        line = line.replace(f"{colour}7", f"{colour}4")
    low = 4 if colour in "rg" else 1
    table = at(line % (low + 2)).do(f"play {colour}{low + 2}")
    assert table.events[1].effect == light
    table = at(line % (low + 1)).do(f"play {colour}{low + 1}")
    assert table.events[1].effect == dark


@pytest.mark.parametrize(("mapping", "shrine", "asked"), [
    ("red_A_yellow_C", "red", "skip_dark"), ("red_C_yellow_A", "red", "open_card"),
    ("red_A_yellow_C", "yellow", "open_card"), ("red_C_yellow_A", "yellow", "skip_dark"),
])  # fmt: skip
def test_a_small_shrine_has_the_effect_of_its_colour(mapping, shrine, asked):  # SIL-02
    table = at(f"silencio effect_by_colour={mapping} hands=g4,g9/b9/y9").do(f"shrine {shrine}")
    assert table.asks == (asked, 0)


# Pair A: skipping effects.


def test_a_skip_takes_the_next_dark_effect_away():  # SIL-20
    table = at("silencio lit=- hands=r4,r9/g2,g9/y9").do("play r4", "use")
    assert table.told == ["From now: the next card's dark effect is skipped."]
    table.do("play g2")
    assert table.told == ["Player 2 plays green 2, dark side up.", "No effect: it was skipped."]
    assert table.markers == ()
    assert table.dark == ("g2",)


def test_a_skip_ends_with_the_next_card_even_if_that_had_nothing_to_skip():  # SIL-20
    table = at("silencio lit=- hands=r4,r9/g4,g9/y2,y9").do("play r4", "use", "play g4", "skip")
    assert table.markers == ()
    assert table.do("play y2").markers == ("random",)


def test_a_skip_waits_for_a_card_it_can_skip_where_the_table_says_so():  # SIL-20
    table = at("silencio skip_scope=next_matching lit=- hands=r4,r9/g4,g9/y2,y9")
    table.do("play r4", "use", "play g4", "skip")
    assert table.markers == ("skip_dark",)
    table.do("play y2")
    assert table.told[1] == "No effect: it was skipped."
    assert table.markers == ()


def test_only_the_skip_waits_a_random_play_does_not():  # SIL-20, SIL-26
    table = at("silencio skip_scope=next_matching lit=- hands=g4,g9/b9/y9 markers=skip_dark,random drawn=yes")
    assert table.do("play g4").markers == ("skip_dark",)


def test_a_last_card_leaves_a_waiting_skip_in_place():  # SIL-14, SIL-20
    table = at("silencio skip_scope=next_matching lit=- hands=g2/b9/y9 markers=skip_dark").do("play g2")
    assert table.told[1] == "No effect: it was the player's last card."
    assert table.markers == ("skip_dark",)


def test_a_skip_that_still_waits_is_not_doubled():  # SIL-20
    table = at("silencio skip_scope=next_matching lit=- hands=r2,r9/b9/y9 markers=skip_light").do("play r2")
    assert table.markers == ("skip_light",)


def test_passes_do_not_use_a_skip_up():  # SIL-20
    table = at("silencio lit=- hands=r4,r9/b2/y2,g2 rows=-/b5/y5/-").do("play r4", "use", "pass")
    assert table.markers == ("skip_dark",)
    assert table.do("play g2").told[1] == "No effect: it was skipped."


def test_the_dark_red_effect_skips_the_next_light_one_though_it_is_optional():  # SIL-20
    table = at("silencio lit=- hands=r2,r9/g4,g9/y9").do("play r2")
    assert table.told[1:] == [
        "Effect: the next card's light effect is skipped.",
        "From now: the next card's light effect is skipped.",
    ]
    table.do("play g4")
    assert table.told == ["Player 2 plays green 4, light side up.", "No effect: it was skipped."]
    assert table.asks == ("turn", 2)


def test_skip_light_does_not_touch_a_dark_card_but_ends_with_it():  # SIL-20
    table = at("silencio lit=- hands=r2,r9/y2,g9/y9").do("play r2", "play y2")
    assert table.markers == ("random",)


def test_a_dark_red_card_ends_the_old_marker_and_sets_its_own():  # SIL-20
    table = at("silencio lit=- hands=r2,r9/r3,g9/y9").do("play r2", "play r3")
    assert table.markers == ("skip_light",)


def test_a_skipped_skip_sets_no_marker():  # SIL-20
    table = at("silencio lit=- hands=r2,r9/b9/y9 markers=skip_dark").do("play r2")
    assert table.markers == ()


def test_the_light_red_effect_may_be_declined():  # SIL-29
    table = at("silencio lit=- hands=r4,r9/b9/y9").do("play r4")
    assert table.legal == ["use", "skip"]
    assert table.do("skip").told == ["Player 1 doesn't use the effect."]
    assert table.markers == ()


# Blue: taking back and giving.


def test_blue_takes_only_the_last_card_of_another_row():  # SIL-23
    table = at("silencio lit=- hands=b4,b9/g9/y9 rows=r2,r5/b2/-/g3").do("play b4")
    assert table.legal == ["take r5", "take g3", "skip"]
    assert table.refuses("take r2", "effect_card") == "red 2 can't be used for this effect now."
    table.refuses("take b2", "effect_card")


def test_blue_never_takes_a_shrine_so_with_bare_rows_it_is_void():  # SIL-23
    table = at("silencio lit=- hands=b4,b9/g9/y9 rows=-/b2/-/-").do("play b4")
    assert table.told[1:] == [
        "Effect: take the last card of another row.",
        "The effect can do nothing now.",
    ]
    assert table.asks == ("turn", 1)


def test_a_blue_shrine_may_take_the_card_just_played():  # SIL-23
    table = at("silencio lit=blue hands=r5,r9/g9/y9").do("play r5", "skip", "shrine blue")
    assert table.legal == ["take r5", "skip"]
    assert table.do("take r5").hands[0] == ("r5", "r9")


def test_the_large_shrine_never_takes_a_blue_card_either():  # SIL-23, SIL-34
    table = at("silencio lit=large hands=g3,r9/g9/y9 rows=r5/b5/-/-").do("shrine large effect=take_back")
    assert table.legal == ["take r5", "skip"]


def test_a_card_taken_back_is_known_to_all():  # SIL-23, G-03
    table = at("silencio lit=- hands=b4,b9/g9/y9 rows=r5/-/-/-").do("play b4", "take r5")
    assert table.known == ("r5",)
    assert table.heard(None) == ["Player 1 takes red 5 back."]


def test_blue_dark_cannot_be_declined():  # SIL-29
    table = at("silencio lit=- hands=b2,b9/g9/y9 oracle=r5").do("play b2")
    assert table.legal == ["give r5 1", "give r5 2"]
    table.refuses("skip", "not_now")


def test_nobody_gives_an_oracle_card_to_oneself():  # SIL-24
    table = at("silencio lit=- hands=b2,b9/g9/y9 oracle=r5").do("play b2")
    assert table.refuses("give r5 0", "effect_card") == "red 5 can't be used for this effect now."
    table.refuses("give r5 3", "effect_card")
    table.refuses("give r6 1", "effect_card")


def test_an_oracle_card_may_go_to_a_player_with_no_cards():  # SIL-24
    table = at("silencio lit=- hands=b2,b9/-/y9 oracle=r5,r6").do("play b2", "give r5 1", "show g5")
    assert table.hands[1] == ("r5",)
    assert table.known == ("r5",)
    assert table.asks == ("turn", 1)


def test_the_deck_replaces_the_card_given():  # SIL-24
    table = at("silencio lit=- hands=b2,b9/g9/y9 oracle=r5,r6").do("play b2", "give r5 1")
    assert table.asks == ("oracle", None)
    deck = table.deck
    table.do("show g5")
    assert table.oracle == ("g5", "r6")
    assert table.deck == deck - 1


def test_with_an_empty_deck_the_oracle_shrinks():  # SIL-24, SIL-04
    table = at("silencio lit=- box=rest hands=b2,b9/g9/y9 oracle=r5,r6").do("play b2", "give r5 1")
    assert table.oracle == ("r6",)
    assert table.asks == ("turn", 1)


def test_with_an_empty_oracle_the_gift_is_created_but_does_nothing():  # SIL-24
    table = at("silencio lit=- box=rest hands=b2,b9/g9/y9").do("play b2")
    assert table.told[1:] == [
        "Effect: give an Oracle card to another player.",
        "The effect can do nothing now.",
    ]
    assert table.asks == ("turn", 1)


# Pair C light: an open card.


def test_any_hidden_card_may_be_laid_open_even_one_that_cannot_be_played():  # SIL-25
    table = at("silencio lit=- hands=y4,r2,g9/b9/y9 rows=r5/-/-/-").do("play y4")
    assert table.legal == ["open g9", "open r2", "skip"]
    assert table.do("open r2").told == ["Player 1 lays red 2 open."]
    assert table.open == (("r2",), (), ())
    assert table.hands[0] == ("g9",)


def test_even_the_last_card_may_be_laid_open():  # SIL-25
    table = at("silencio lit=- hands=y4,g9/b9/y9").do("play y4", "open g9")
    assert table.hands[0] == ()
    assert table.asks == ("turn", 1)


def test_several_open_cards_may_lie_in_front_of_a_player():  # SIL-25
    table = at("silencio lit=- hands=y4,g9/b9/y9 open=r5/-/-").do("play y4", "open g9")
    assert table.open[0] == ("g9", "r5")


def test_an_open_card_stays_until_it_is_played():  # SIL-25
    table = at("silencio lit=- hands=y4,r5/b2/y2 open=-/-/- rows=-/b5/-/-").do("play y4", "open r5")
    table.do("play r5")
    assert table.open == ((), (), ())
    assert table.rows[0] == ("r5",)


def test_an_open_card_cannot_be_laid_open_again():  # SIL-25
    table = at("silencio lit=- hands=y4,g9/b9/y9 open=r5/-/-").do("play y4")
    table.refuses("open r5", "effect_card")


def test_with_no_hidden_card_there_is_nothing_to_lay_open():  # SIL-25
    table = at("silencio lit=- hands=y4/b9/y9 open=r5/-/-").do("play y4")
    assert table.told[-1] == "The effect can do nothing now."


# Green dark: the next card must be green.


def test_after_a_dark_green_card_the_next_must_be_green():  # SIL-28
    table = at("silencio lit=- hands=g2,r9/g5,b9/y9").do("play g2")
    assert table.markers == ("green",)
    assert table.legal == ["play g5"]
    reason = table.refuses("play b9", "must_be_green")
    assert reason == "blue 9 isn't green, and the next card must be."


def test_a_player_without_a_green_card_passes_and_the_lock_stays():  # SIL-28
    table = at("silencio lit=- hands=g2,r9/b9/y9").do("play g2")
    assert table.legal == ["pass"]
    table.do("pass")
    assert table.markers == ("green",)
    assert table.legal == ["pass"]


def test_the_lock_holds_for_open_cards_too():  # SIL-28
    table = at("silencio lit=- hands=r9/b9/y9 open=r5,g6/y5,g7/- markers=green")
    assert table.legal == ["play g6", "play g7"]
    table.refuses("play y5", "must_be_green")


def test_a_borrowed_green_card_is_never_owed_under_the_lock():  # SIL-28, SIL-11
    table = at("silencio lit=- hands=r9/b9/y9 open=-/g7/- markers=green")
    assert table.legal == ["play g7", "pass"]


def test_a_green_card_ends_the_lock():  # SIL-28
    table = at("silencio lit=- hands=g5,r9/b9/y9 markers=green").do("play g5", "skip")
    assert table.markers == ()
    assert table.legal == ["play b9"]


def test_a_green_card_in_direct_succession_renews_the_lock():  # SIL-28
    table = at("silencio lit=- hands=g2,g9/g3,g8/y9").do("play g2", "play g3")
    assert table.markers == ("green",)


def test_if_all_pass_under_the_lock_the_game_ends():  # SIL-28, SIL-40
    table = at("silencio lit=- hands=g2,r9/b9/y9").do("play g2", "pass", "pass", "pass")
    assert table.pending.reason == "all_passed"
    assert table.pending.score == (3,)


@pytest.mark.parametrize(("players", "highest"), [(2, 8), (3, 10), (4, 13)])
def test_the_highest_green_card_never_asks_for_another(players, highest):  # SIL-28, SIL-03
    hands = "/".join([f"g{highest},r7", *["b7", "y7", "r6"][: players - 1]])
    table = at(f"silencio players={players} lit=- hands={hands} rows=-/-/-/g{highest - 1}").do(f"play g{highest}")
    assert table.told == [f"Player 1 plays green {highest}, dark side up.", "No effect: it's the highest green card."]
    assert table.markers == ()


def test_the_highest_green_card_laid_with_a_gap_has_its_light_effect():  # SIL-28
    table = at("silencio lit=- hands=g10,r7/b7/y7").do("play g10")
    assert table.asks == ("swap", 0)


@pytest.mark.parametrize(("rule", "markers"), [("static", ("green",)), ("dynamic", ())])
def test_the_highest_green_card_may_follow_what_went_to_the_box(rule, markers):  # SIL-28
    table = at(f"silencio highest_green={rule} lit=- hands=g8,r7/b7/y7 rows=-/-/-/g7 box=g9,g10").do("play g8")
    assert table.markers == markers


def test_dynamic_still_locks_while_a_higher_green_card_is_about():  # SIL-28
    table = at("silencio highest_green=dynamic lit=- hands=g8,r7/b7/y7 rows=-/-/-/g7 box=g9").do("play g8")
    assert table.markers == ("green",)


def test_a_void_light_effect_is_passed_over_without_a_question():  # SIL-29, G-12
    table = at("silencio lit=- box=rest hands=g5/b7/y7 oracle=-").do("play g5")
    assert table.asks == ("swap", 0)  # the others still have cards to swap
    table = at("silencio lit=- box=rest hands=g5/-/-").do("play g5")
    assert "The effect can do nothing now." in table.told
