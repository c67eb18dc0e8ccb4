"""Silencio: free extra effects, but not when you pass."""

from __future__ import annotations

import pytest

from tests.games.play import at

LARGE = [f"shrine large effect={effect}" for effect in ("skip_dark", "take_back", "open_card", "swap")]


def test_a_shrine_may_be_taken_at_the_start_or_at_the_end_of_a_turn():  # SIL-30
    table = at("silencio hands=r4,r9/b4/y4")
    offered = [*LARGE, "shrine red", "shrine blue", "shrine yellow", "shrine green"]
    assert table.offers("shrine") == offered
    table.do("play r4", "skip")
    assert table.asks == ("end", 0)
    assert table.legal == [*offered, "done"]


def test_only_one_shrine_a_turn():  # SIL-30
    table = at("silencio hands=r4,r9/b4/y4").do("shrine red", "use")
    assert table.offers("shrine") == []
    assert table.refuses("shrine blue", "second_shrine") == "Only one shrine may be taken in a turn."
    table.do("play r4", "skip")
    assert table.asks == ("turn", 1)


def test_large_and_small_count_alike():  # SIL-30
    table = at("silencio hands=r4,r9/b4/y4").do("shrine large effect=skip_dark", "use")
    table.refuses("shrine red", "second_shrine")


def test_the_next_player_may_take_the_next_shrine():  # SIL-30
    table = at("silencio hands=r4,r9/b4/y4").do("shrine red", "use", "play r4", "skip")
    assert "shrine blue" in table.legal
    assert "shrine red" not in table.legal


def test_a_shrine_goes_out_when_it_is_taken_and_stays_where_it_is():  # SIL-08
    table = at("silencio hands=r4,r9/b4/y4").do("shrine red")
    assert table.told == [
        "Player 1 uses the red shrine: turn it over, it stays where it lies.",
        "Effect: the next card's dark effect is skipped.",
    ]
    assert table.lit == ("large", "blue", "yellow", "green")
    assert table.do("use", "play r4").rows[0] == ("r4",)


def test_an_unlit_shrine_cannot_be_taken():  # SIL-30
    table = at("silencio lit=large hands=r4,r9/b4/y4")
    assert table.refuses("shrine red", "unlit") == "This can't be taken, for it isn't lit: the red shrine."


def test_a_red_shrine_at_the_start_protects_the_card_of_this_turn():  # SIL-22
    table = at("silencio lit=red hands=y2,r9/b4/y4").do("shrine red", "use", "play y2")
    assert table.told == ["Player 1 plays yellow 2, dark side up.", "No effect: it was skipped."]
    assert table.markers == ()


def test_a_red_shrine_at_the_end_protects_the_next_card():  # SIL-22
    table = at("silencio lit=red hands=y2,r9/g2,g9/y4").do("play y2", "shrine red", "use")
    assert table.markers == ("random", "skip_dark")
    table.do("draw", "drawn g2")
    assert table.told[1] == "No effect: it was skipped."


def test_a_pending_skip_neither_stops_a_shrine_nor_is_used_up_by_it():  # SIL-21
    table = at("silencio lit=blue hands=g4,r9/b4/y4 rows=r5/-/-/- markers=skip_light").do("shrine blue")
    assert table.asks == ("take_back", 0)
    table.do("take r5")
    assert table.markers == ("skip_light",)
    assert table.do("play g4").told[1] == "No effect: it was skipped."


def test_a_green_lock_does_not_stop_a_shrine():  # SIL-21
    table = at("silencio lit=red hands=g4,r9/b4/y4 markers=green").do("shrine red", "use")
    assert table.markers == ("green", "skip_dark")
    assert table.legal == ["play g4"]


@pytest.mark.parametrize(("effect", "asked"), [
    ("skip_dark", "skip_dark"), ("take_back", "take_back"), ("open_card", "open_card"), ("swap", "swap"),
])  # fmt: skip
def test_the_large_shrine_has_any_one_of_the_four_light_effects(effect, asked):  # SIL-34
    table = at("silencio lit=large hands=g4,r9/b4/y4 rows=r5/-/-/-").do(f"shrine large effect={effect}")
    assert table.asks == (asked, 0)
    assert table.lit == ()


def test_the_large_shrine_needs_an_effect_and_a_small_one_has_only_its_own():  # SIL-34
    table = at("silencio hands=g4,r9/b4/y4")
    assert table.refuses("shrine large", "shrine_effect") == "This can't be taken for that effect: the large shrine."
    assert (
        table.refuses("shrine red effect=swap", "shrine_effect")
        == "This can't be taken for that effect: the red shrine."
    )


def test_a_shrine_effect_may_be_declined_but_the_shrine_is_out():  # SIL-35
    table = at("silencio lit=blue hands=g4,r9/b4/y4 rows=r5/-/-/-").do("shrine blue", "skip")
    assert table.told == ["Player 1 doesn't use the effect."]
    assert table.lit == ()
    assert table.asks == ("turn", 0)


def test_a_shrine_goes_out_even_if_its_effect_fizzles():  # SIL-35
    table = at("silencio lit=blue hands=g4,r9/b4/y4").do("shrine blue")
    assert table.told[-1] == "The effect can do nothing now."
    assert table.lit == ()
    assert table.asks == ("turn", 0)


def test_a_shrine_never_counts_for_the_tavern():  # SIL-36
    table = at("silencio tavern=yes dark_count=2 hands=g4,r9/b4/y4 rows=r5/-/-/-").do("shrine blue", "take r5")
    assert table.dark_count == 2
    assert not table.tavern_open


def test_a_shrine_at_the_end_is_legal_after_the_last_card():  # SIL-33
    table = at("silencio lit=green hands=r5/b4/y4 rows=r4/-/-/-").do("play r5")
    assert table.asks == ("end", 0)
    table.do("shrine green", "choose 1", "swap 2 b4", "return y4")
    assert table.hands == ((), ("y4",), ("b4",))


def test_even_after_the_very_last_card_of_the_table_a_shrine_may_be_taken():  # SIL-33, SIL-40
    table = at("silencio lit=blue hands=r5/-/- rows=r4/-/-/-").do("play r5")
    assert table.asks == ("end", 0)
    assert table.legal == ["shrine blue", "done"]
    assert table.do("done").pending.reason == "all_played"


# "But not when you pass!"


def test_a_player_who_can_play_nothing_whatever_happens_gets_no_shrine():  # SIL-31
    table = at("silencio lit=red,yellow hands=r4/b4/y4 rows=r5/-/-/-")
    assert table.legal == ["pass"]
    assert table.refuses("shrine red", "shrine_no_play") == "A shrine isn't for a turn that ends in a pass."


def test_a_shrine_that_can_lead_to_a_play_may_be_taken_by_a_player_who_is_stuck():  # SIL-31
    table = at("silencio hands=r4/b4/y4 rows=r5/-/-/-")
    assert table.offers("shrine") == [
        "shrine large effect=take_back", "shrine large effect=swap", "shrine blue", "shrine green",
    ]  # fmt: skip
    table.do("shrine blue", "take r5")
    assert table.legal == ["play r4", "play r5"]


def test_who_took_a_shrine_in_order_to_play_may_not_decline_it():  # SIL-31
    table = at("silencio lit=blue hands=r4/b4/y4 rows=r5/-/-/-").do("shrine blue")
    assert table.legal == ["take r5"]
    assert table.refuses("skip", "effect_choice") == "This effect doesn't allow that now."


def test_under_the_green_lock_only_a_green_card_taken_back_helps():  # SIL-31, SIL-28
    locked = "silencio lit=blue hands=r4/b4/y4 markers=green rows="
    assert at(locked + "r5/-/-/-").legal == ["pass"]
    assert at(locked + "r5/-/-/g5").legal == ["pass", "shrine blue"]


def test_a_swap_helps_nobody_who_has_no_card_to_give():  # SIL-31, SIL-27
    table = at("silencio lit=green hands=-/b4/y4 oracle=g5")
    assert table.legal == ["pass"]


def test_a_swap_may_help_whoever_can_trade_an_unplayable_card():  # SIL-31
    stuck = "silencio lit=green hands=r4/-/- rows=r5/-/-/- oracle="
    assert at(stuck + "g5").legal == ["pass", "shrine green"]
    assert at(stuck + "r3").legal == ["pass"]


def test_a_player_without_cards_may_take_a_card_back_and_play_it():  # SIL-31, SIL-23
    table = at("silencio lit=blue hands=-/b4/y4 rows=r5/-/-/-").do("shrine blue", "take r5")
    assert table.legal == ["play r5"]


def test_nobody_is_forced_to_use_a_shrine_in_order_to_play():  # SIL-32
    table = at("silencio lit=blue hands=r4/b4/y4 rows=r5/-/-/-")
    assert table.legal == ["pass", "shrine blue"]
    assert table.do("pass").told == ["Player 1 passes."]


def test_a_shrine_that_leads_to_a_pass_after_all_is_kept_and_logged():  # SIL-31
    table = at("silencio lit=green hands=r4/r3/y4 rows=r5/-/-/-")
    table.do("shrine green", "choose 0", "swap 1 r4", "return r3")
    assert table.legal == ["pass"]
    table.do("pass")
    assert table.told == [
        "Player 1 passes.",
        "Against the rules, player 1: a shrine was used in a turn that ended in a pass.",
    ]
    assert table.lit == ()


def test_after_a_shrine_even_a_borrowed_card_is_owed():  # SIL-31, SIL-11
    table = at("silencio lit=red hands=r4/b4/y4 open=-/g5/- rows=r5/-/-/-")
    assert "pass" in table.legal
    table.do("shrine red", "use")
    assert table.legal == ["play g5"]
    table.refuses("pass", "must_play")


def test_a_lenient_table_allows_a_shrine_before_a_pass():  # SIL-31
    table = at("silencio shrine_must_lead_to_play=lenient lit=red hands=r4/b4/y4 rows=r5/-/-/-")
    assert table.legal == ["pass", "shrine red"]
    table.do("shrine red", "use", "pass")
    assert table.told == ["Player 1 passes."]
    assert table.markers == ("skip_dark",)


def test_with_all_shrines_out_a_turn_ends_with_its_card():  # SIL-54
    table = at("silencio lit=- hands=r4,r9/b4/y4").do("play r4", "skip")
    assert table.asks == ("turn", 1)


def test_the_end_window_may_be_left_with_nothing_done():  # SIL-30
    table = at("silencio lit=red hands=r4,r9/b4/y4").do("play r4", "skip", "done")
    assert table.lit == ("red",)
    assert table.asks == ("turn", 1)
