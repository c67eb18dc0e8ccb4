"""Silentes: each of the twelve provisions, and the windows in which they are played."""

from __future__ import annotations

import pytest

from companion.games.silentes import SILENTES
from tests.games.silentes_table import asks, at, can, names, play, refused, told

FULL = "hands=cups-06,cups-07,cups-08,cups-09,cups-10/wands-06,wands-07,wands-08,wands-09,wands-10"


def heard(events):
    return next(event for event in events if type(event).__name__ in ("Heard", "Escaped"))


# Windows


def test_the_partner_is_asked_before_an_action_only_with_provisions():  # STE-90
    state = play(at("turn=0 provisions=-/cups-01 hands=cups-06/-"), "distract cups", "discard cups-06")
    assert asks(state) == ("action", 1)
    state = play(at("provisions=cups-01/- hands=cups-06/-"), "distract cups", "discard cups-06")
    assert asks(state) == ("partner", 0)
    assert can(state) == ["use cups-01", "no"]
    state = play(state, "no")
    assert asks(state) == ("action", 1)


def test_the_active_player_plays_own_provisions_before_acting():  # STE-90
    state = play(at("noise=5 provisions=cups-01/-"), "use cups-01")
    assert (state.noise, asks(state)) == (3, ("action", 0))


def test_after_the_hunt_card_both_are_asked_first_player_first():  # STE-40
    state = play(at("phase=hunt first=1 provisions=cups-01/cups-02"), "show swords-09")
    assert asks(state) == ("reaction", 1)
    state = play(state, "no")
    assert asks(state) == ("reaction", 0)
    assert play(state, "no").phase == "refill"


@pytest.mark.parametrize("drawing", ["table", "virtual"])
@pytest.mark.parametrize(
    "phase", ["reaction hunt=wands-09", "bonus hunt=wands-09 zone=wands", "cancel hunt=wands-09 zone=wands due=9,9"]
)
def test_at_one_table_both_may_decline_at_once_which_is_the_same_as_one_after_the_other(drawing: str, phase: str):
    state = at(f"drawing={drawing} phase={phase} provisions=?/? hands=?/?")
    assert can(state)[-2:] == ["no", "nobody"]
    assert play(state, "nobody") == play(state, "no", "no")
    assert "nobody" not in can(play(state, "no"))


def test_on_phones_each_player_is_asked_alone():
    state = at("drawing=phone phase=reaction hunt=swords-09 provisions=cups-01/cups-02")
    assert can(state)[-1] == "no"


def test_bonuses_are_announced_by_both_before_anything_is_compared():  # STE-97
    state = at("phase=hunt tokens=1,6 played=cups-07/cups-08 provisions=cups-02/cups-03")
    state = play(state, "show cups-06", "no", "no")
    assert asks(state) == ("bonus", 0)
    state = play(state, "no")
    assert asks(state) == ("bonus", 1)
    assert "Escaped" in names(told(state, "no")[1])


def test_nobody_hunted_means_no_window_before_the_comparison():
    state = play(at("phase=hunt tokens=0,0 provisions=cups-02/-"), "show cups-06", "no")
    assert state.phase == "refill"


def test_the_window_before_the_noise_allows_only_what_lowers_it():  # STE-05
    state = at("phase=hunt tokens=1,0 played=cups-07/- provisions=cups-01,cups-02,pentacles-03/swords-01,pentacles-01")
    state = play(state, "show cups-09", "no", "no", "no", "no")
    assert asks(state) == ("cancel", 0)
    assert can(state) == ["use cups-01", "use pentacles-03", "no"]
    state = play(state, "no")
    assert asks(state) == ("cancel", 1)
    assert can(state) == ["no"]


def test_a_player_who_has_no_provision_left_is_not_asked_again():
    state = play(at("phase=hunt provisions=cups-01/- noise=4"), "show cups-09")
    assert asks(state) == ("reaction", 0)
    assert play(state, "use cups-01").phase == "refill"


def test_several_provisions_may_be_played_in_one_window():  # STE-90
    state = at("phase=hunt provisions=cups-01,pentacles-01/- piles=cups-07/- noise=4")
    state = play(state, "show cups-09", "use cups-01", "use pentacles-01", "take cups-01", "use cups-01")
    assert state.noise == 0


@pytest.mark.parametrize(
    ("where", "card"),
    [
        ("", "wands-03"), ("", "swords-01"), ("", "pentacles-03"),
        ("phase=reaction hunt=cups-09", "wands-01"), ("phase=reaction hunt=cups-09", "swords-01"),
        ("phase=bonus hunt=cups-09 zone=cups tokens=1,0", "wands-03"),
        ("phase=partner turn=1", "swords-02"),
        ("phase=cancel hunt=cups-09 due=3,0", "pentacles-02"),
        ("phase=hunt", "cups-01"),
    ],
)  # fmt: skip
def test_a_provision_must_fit_the_moment(where, card):  # STE-90
    state = at(f"{where} provisions={card}/-")
    assert f"use {card}" not in can(state)
    assert refused(state, f"use {card}") == "wrong_moment"


def test_other_refusals_of_provisions():
    state = at("provisions=cups-01/cups-02 hands=cups-07/-")
    assert refused(state, "use cups-02") == "not_held"
    assert refused(state, "use cups-07") == "not_a_provision"
    assert refused(state, "use cups-99") == "misread"
    assert refused(at("provisions=cups-01/- piles=cups-02/-"), "use cups-02") == "misread"
    assert refused(at("effects=devil provisions=cups-01/-"), "use cups-01") == "devil"
    assert refused(at("provisions=wands-01/-"), "use wands-01") == "no_use"  # no card to hide behind


def test_a_used_provision_goes_to_its_owners_pile():  # STE-90
    state = play(at("phase=partner turn=0 asked=1 provisions=-/cups-01"), "use cups-01")
    assert state.piles == ((), ("cups-01",))
    assert state.provisions == ((), ())


# Ace of Wands


def test_tools_let_a_player_hide_behind_any_suit():  # STE-91
    state = at("hands=swords-09/- provisions=wands-01/-")
    assert "move 1" not in can(state)
    state = play(state, "use wands-01")
    assert can(state) == ["move 1", "move 4"]
    state = play(state, "move 1", "hide swords-09")
    assert state.played[0] == ("swords-09",)
    assert state.tools == ()
    assert state.tokens[0] == 1


def test_after_a_tool_the_player_must_move():  # STE-91
    state = play(at("hands=swords-09/- last=swords-09/- provisions=wands-01,cups-01/-"), "use wands-01")
    for move in ("search", "distract cups", "entrench", "pass", "use cups-01"):
        assert refused(state, move) == "must_move"


# Two of Wands


@pytest.mark.parametrize(("act", "played", "level"), [("hide", "cups-07", 10), ("entrench", "cups-08", 7)])
def test_a_barrier_lifts_whoever_hides_there_by_three(act, played, level):  # STE-92
    state = at(f"phase=reaction hunt=cups-12 tokens=1,0 provisions=-/wands-02 asked=1 first=1 played={played}/- "
               f"acts={act},search")  # fmt: skip
    state = play(state, "use wands-02")
    assert asks(state) == ("barrier", 1)
    _, events = told(state, "lay 1")
    assert heard(events).level == level


def test_a_barrier_does_not_help_who_searches_or_stands_elsewhere():  # STE-92
    state = at("phase=reaction hunt=cups-12 tokens=1,6 barrier=1:0 provisions=-/cups-02 asked=1 played=-/cups-07 "
               "acts=search,hide")  # fmt: skip
    _, events = told(state, "no", "no")
    levels = {event.seat: event.level for event in events if type(event).__name__ == "Heard"}
    assert levels == {0: 0, 1: 7}


def test_a_barrier_is_gone_after_the_round():  # STE-92
    state = play(at("phase=hunt barrier=3:1"), "show swords-09")
    assert state.barrier is None
    assert state.piles[1] == ("wands-02",)


def test_a_barrier_needs_a_shelter():
    state = at("map=hole,cups-04 tokens=1,1 provisions=wands-02/-")
    state = play(state, "use wands-02")
    assert can(state) == ["lay 1"]
    assert refused(state, "lay 0") == "hole"
    nowhere = at("map=hole tokens=-1,-1 provisions=wands-02/-")
    assert refused(nowhere, "use wands-02") == "no_use"


# Three of Wands


def test_scrap_replaces_the_hunt_card():  # STE-93
    state = play(at("phase=hunt provisions=wands-03/-"), "show cups-14", "use wands-03")
    assert asks(state) == ("hunt", None)
    assert "cups-14" in state.gone
    assert refused(state, "show cups-14") == "misread"
    state = play(state, "show swords-14")  # the new card may be a King
    assert state.phase == "omen"
    assert state.piles[0] == ("wands-03",)


def test_the_replacement_is_checked_against_distractions_again():  # STE-40
    state = at("phase=hunt cries=wands provisions=wands-03/-")
    _, events = told(state, "show cups-10", "use wands-03", "show wands-10")
    assert [event.why for event in events if type(event).__name__ == "HuntAnnulled"] == ["scrap", "distraction"]


def test_scrap_against_the_last_card_means_no_hunt():  # STE-93
    state = at("phase=hunt provisions=wands-03/- top=cups-10 gone=rest tokens=1,0")
    state = play(state, "show cups-10", "use wands-03")
    assert (state.reason, state.noise) == ("survived", 0)


# Ace of Cups


def test_water_lowers_the_noise_by_two_but_not_below_zero():  # STE-94
    assert play(at("noise=6 provisions=cups-01/-"), "use cups-01").noise == 4
    assert play(at("noise=1 provisions=cups-01/-"), "use cups-01").noise == 0


def test_water_in_time_saves_the_game():  # STE-05, STE-94
    state = at("phase=hunt noise=13 tokens=1,0 played=cups-07/- provisions=-/cups-01")
    state = play(state, "show cups-09", "no", "no")
    assert asks(state) == ("cancel", 1)
    assert play(state, "use cups-01").noise == 13
    assert play(state, "no").reason == "noise"


# Two of Cups


def test_first_aid_gives_the_partner_two_cards_for_one():  # STE-95
    state = at("provisions=cups-02/cups-03 hands=-/wands-09")
    state = play(state, "use cups-02")
    assert asks(state) == ("aid", 1)
    state = play(state, "accept")
    assert asks(state) == ("aid_draw", 1)
    state = play(state, "deal swords-09", "deal swords-10")
    assert asks(state) == ("aid_discard", 1)
    assert can(state) == ["discard swords-09", "discard swords-10", "discard wands-09", "discard cups-03"]
    state = play(state, "discard cups-03")
    assert state.hands[1] == ("swords-09", "swords-10", "wands-09")
    assert state.piles == (("cups-02",), ("cups-03",))
    assert asks(state) == ("action", 0)


def test_first_aid_may_be_declined():  # STE-95
    state, events = told(at("provisions=cups-02/- hands=-/wands-09"), "use cups-02", "no")
    assert "Declined" in names(events)
    assert state.hands[1] == ("wands-09",)
    assert asks(state) == ("action", 0)


def test_first_aid_from_a_short_deck():  # G-12
    state = play(at("provisions=cups-02/- hands=-/wands-09 top=cups-07 gone=rest"), "use cups-02", "accept")
    state = play(state, "deal cups-07", "discard wands-09")
    assert state.hands[1] == ("cups-07",)
    instant = at("provisions=cups-02/- hands=-/wands-09 top=cups-07 gone=rest win_check=instant")
    assert play(instant, "use cups-02", "accept", "deal cups-07").reason == "survived"
    empty = at("provisions=cups-02/- gone=rest")
    assert asks(play(empty, "use cups-02", "accept")) == ("action", 0)


# Three of Cups


def test_rations_show_both_hands_until_the_round_ends():  # STE-96
    state = at(f"{FULL} provisions=cups-03/cups-02 table_talk=silent")
    assert SILENTES.view(state, 1).hands[0] == ("?",) * 5
    state = play(state, "use cups-03")
    assert SILENTES.talk(state) == "open"
    assert SILENTES.view(state, 1).hands == state.hands
    assert SILENTES.view(state, 0).provisions == state.provisions
    state = play(state, "distract swords", "discard cups-06", "distract wands", "discard wands-06", "show swords-09")
    while state.phase == "reaction":
        state = play(state, "no")
    assert SILENTES.talk(state) == "silent"
    assert SILENTES.view(state, 1).hands[0] == ("?",) * 4


# Ace of Swords


def test_a_dagger_lifts_the_own_level_by_four():  # STE-97
    state = at("phase=hunt tokens=1,0 played=cups-07/- provisions=swords-01/-")
    state = play(state, "show cups-10", "no")
    assert can(state) == ["use swords-01", "no"]
    state, events = told(state, "use swords-01")
    assert (heard(events).level, asks(state)) == (11, ("reward", 0))


def test_a_dagger_is_only_for_the_hunted():  # STE-97
    state = at("phase=bonus hunt=cups-10 zone=cups tokens=1,0 asked=1 provisions=-/swords-01")
    assert can(state) == ["no"]
    assert refused(state, "use swords-01") == "no_use"


# Two of Swords


def test_a_rope_reaches_any_other_shelter():  # STE-91
    state = at("hands=swords-09,cups-08/- provisions=swords-02/-")
    state = play(state, "use swords-02")
    assert can(state) == ["move 1", "move 2", "move 5", "move 6"]
    assert refused(state, "move 0") == "same_shelter"
    assert refused(state, "move 7") == "no_hide_card"
    state = play(state, "move 5", "hide swords-09")
    assert (state.tokens[0], state.tools) == (5, ())


def test_rope_and_tools_combine():  # STE-91
    state = at("map=wands-04,hole,swords-04,hole,hole hands=cups-09/- provisions=swords-02,wands-01/-")
    assert "use wands-01" in can(state)
    state = play(state, "use wands-01")
    assert can(state) == ["use swords-02"]
    state = play(state, "use swords-02")
    assert can(state) == ["move 2"]
    assert play(state, "move 2", "hide cups-09").played[0] == ("cups-09",)


# Three of Swords


def test_a_mirror_diverts_a_hunt_to_a_neighbouring_zone_of_choice():  # STE-98
    state = at("provisions=swords-03/- tokens=0,1 hands=cups-06/cups-07")
    state = play(state, "use swords-03", "lay 2")
    assert state.mirror is not None
    state = play(state, "distract wands", "discard cups-06", "distract wands", "discard cups-07", "show swords-09")
    assert asks(state) == ("mirror", 0)
    assert can(state) == ["divert cups", "divert pentacles"]  # its third neighbour is swords itself
    assert refused(state, "divert wands") == "not_around"
    state, events = told(state, "divert cups")
    assert heard(events).seat == 1
    assert state.mirror is None
    assert "swords-03" in state.piles[0]


def test_a_mirror_with_one_way_to_send_the_hunt_needs_no_choice():  # STE-98
    state = at("map=swords-04,cups-04,hole,hole,swords-05 mirror=0:1 phase=hunt tokens=0,4")
    state, events = told(state, "show swords-09")
    assert "HuntDiverted" in names(events)
    assert "NobodyHunted" in names(events)


def test_a_mirror_among_its_own_kind_diverts_nothing_and_stays():  # STE-98
    state = at("map=swords-04,swords-05,hole,hole,swords-06 mirror=0:1 phase=hunt tokens=4,4")
    state, events = told(state, "show swords-09")
    assert "HuntDiverted" not in names(events)
    assert state.reason == "noise"
    assert state.mirror is not None


def test_a_mirror_waits_for_a_hunt_in_its_zone():  # STE-98
    state = play(at("mirror=2:1 phase=hunt"), "show cups-09")
    assert state.mirror is not None
    assert state.phase == "refill"


def test_a_mirror_is_blind_to_the_sun():  # STE-98
    state = at("mirror=2:1 phase=omen hunt=swords-14 tokens=0,1 acts=search,search")
    assert play(state, "show major-19").reason == "noise"


# Ace of Pentacles


def test_canned_food_fetches_a_card_but_not_itself():  # STE-99
    state = at("provisions=pentacles-01/- piles=cups-07,cups-01/wands-09")
    state = play(state, "use pentacles-01")
    assert asks(state) == ("recover", 0)
    assert can(state) == ["take cups-01", "take cups-07"]
    assert refused(state, "take pentacles-01") == "itself"
    assert refused(state, "take wands-09") == "not_in_pile"
    assert refused(state, "take cups-99") == "misread"
    state = play(state, "take cups-07")
    assert state.hands[0] == ("cups-07",)
    assert state.piles[0] == ("cups-01", "pentacles-01")


def test_canned_food_with_an_empty_pile_fetches_nothing():  # G-12
    state = play(at("provisions=pentacles-01/-"), "use pentacles-01")
    assert (state.piles[0], asks(state)) == (("pentacles-01",), ("action", 0))


# Two of Pentacles


def test_the_worn_map_shows_two_omens_to_its_user_alone():  # STE-99
    state = play(at("provisions=pentacles-02/-"), "use pentacles-02")
    assert asks(state) == ("peek_omens", 0)
    state, events = told(state, "deal major-13", "deal major-04")
    assert events[0].heard_by(1).card == "?"
    assert asks(state) == ("order_omens", 0)
    assert SILENTES.view(state, 0).omen_top == ("major-13", "major-04")
    assert SILENTES.view(state, 1).omen_top == ("?", "?")
    assert SILENTES.view(state, None).omen_top == ("?", "?")
    assert refused(state, "put major-05") == "not_looked_at"
    state = play(state, "put major-04")
    assert state.omen_top == ("major-04", "major-13")


def test_the_omens_come_in_the_chosen_order():  # STE-99
    state = at("phase=omen hunt=cups-14 omen_top=major-04,major-13 omen_by=0 noise=5")
    assert can(state) == ["show major-04"]
    assert refused(state, "show major-13") == "misread"
    assert refused(state, "show major-01") == "misread"
    assert play(state, "show major-04").omen_top == ("major-13",)


def test_the_map_read_again_adds_only_what_is_not_known():  # STE-99
    state = play(at("provisions=-/pentacles-02 turn=1 omen_top=major-04 omen_by=0"), "use pentacles-02")
    state = play(state, "deal major-05")
    assert can(state) == ["put major-04", "put major-05"]
    assert SILENTES.view(state, 0).omen_top == ("?", "?")


def test_one_omen_left_needs_no_order():
    spent = ",".join(f"major-{number:02}" for number in range(21))
    state = play(at(f"provisions=pentacles-02/- omens={spent}"), "use pentacles-02", "deal major-21")
    assert asks(state) == ("action", 0)


# Three of Pentacles


def test_a_charm_cancels_the_noise_but_the_card_is_lost():  # STE-99
    state = at("phase=hunt tokens=1,0 played=cups-07/- provisions=pentacles-03/- noise=14")
    state = play(state, "show cups-13", "no", "no")
    assert asks(state) == ("cancel", 0)
    state = play(state, "use pentacles-03")
    assert (state.noise, state.caused) == (14, (0, 0))
    assert state.piles[0] == ("cups-07", "pentacles-03")


def test_a_charm_is_only_for_the_own_noise():  # STE-99
    state = at("phase=hunt tokens=1,6 played=cups-07/cups-08 provisions=pentacles-03/-")
    state = play(state, "show cups-13", "no", "no", "use pentacles-03")
    assert (state.noise, state.caused) == (5, (0, 5))
    other = at("phase=cancel hunt=cups-13 due=0,5 provisions=pentacles-03/-")
    assert refused(other, "use pentacles-03") == "no_use"
