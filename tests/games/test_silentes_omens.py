"""Silentes: the omens from 0, the Fool, to X, the Wheel."""

from __future__ import annotations

import pytest

from companion.games.silentes import SILENTES
from tests.games.silentes_table import FULL, OMEN, asks, at, can, levels, names, omen, play, refused, told


def test_an_omen_is_turned_up_once():  # STE-79
    state = at(f"{OMEN} omens=major-04")
    assert len(can(state)) == 21
    assert refused(state, "show major-04") == "misread"
    assert refused(state, "show cups-09") == "misread"
    assert refused(state, "show major-22") == "misread"
    assert refused(state, "deal major-05") == "not_now"


# 0


@pytest.mark.parametrize(
    ("fields", "who"),
    [
        ("hands=cups-06,cups-07/cups-08", 0),
        ("hands=cups-06/cups-08 provisions=-/cups-02", 1),
        ("hands=cups-06/cups-08", None),
        ("hands=cups-06/cups-08 played=wands-09/-", None),
    ],
)
def test_the_fool_trips_the_larger_hand_and_always_makes_one_noise(fields, who):  # STE-60
    state, events = told(at(f"{OMEN} {fields}"), "show major-00")
    assert state.noise == 1
    assert state.caused == (0, 0)  # STE-70: no blame for the Fool
    assert [event.seat for event in events if type(event).__name__ == "Stumbled"] == ([] if who is None else [who])


def test_the_fool_may_lose_the_game():
    assert omen(0, "noise=14").reason == "noise"


# I


def test_the_magician_lets_provisions_change_hands():  # STE-61
    state = omen(1, "provisions=cups-01,cups-02/swords-01 first=1")
    assert asks(state) == ("trade", 1)
    state = play(state, "give swords-01")
    assert asks(state) == ("trade", 0)
    assert can(state) == ["give cups-01", "give cups-02", "give swords-01", "no"]
    assert refused(state, "give cups-03") == "not_held"
    state = play(state, "give cups-02", "no")
    assert state.provisions == (("cups-01", "swords-01"), ("cups-02",))
    assert state.phase == "refill"


def test_the_magician_has_nothing_to_do_without_provisions():
    assert "OmenIdle" in names(told(at(OMEN), "show major-01")[1])


def test_what_is_given_is_known_to_both():  # G-03
    state, events = told(at(f"{OMEN} provisions=cups-01/-"), "show major-01", "give cups-01")
    given = next(event for event in events if type(event).__name__ == "Given")
    assert (given.heard_by(0).card, given.heard_by(1).card, given.heard_by(None).card) == ("cups-01", "cups-01", "?")
    assert state.known == ("cups-01",)


# II


def test_the_high_priestess_makes_the_next_omen_void():  # STE-62
    state = omen(2)
    assert "secret" in state.effects
    state, events = told(at(f"{OMEN} effects=secret omens=major-02 noise=5"), "show major-04")
    assert "OmenIgnored" in names(events)
    assert (state.noise, state.effects) == (5, ())
    assert state.omens == ("major-02", "major-04")


def test_a_void_omen_still_ends_the_devil():  # STE-62
    assert play(at(f"{OMEN} effects=secret,devil"), "show major-15").effects == ()


# III


def test_the_empress_gives_two_provisions_to_share():  # STE-63
    state = omen(3)
    assert asks(state) == ("gift", None)
    state = play(state, "show cups-01")
    assert asks(state) == ("share", None)
    assert refused(state, "share 2") == "no_such_seat"
    state = play(state, "share 1", "show cups-02", "share 1")
    assert state.provisions == ((), ("cups-01", "cups-02"))
    assert state.stock == 10


def test_the_empress_gives_what_is_left():  # STE-63
    state = omen(3, "piles=-/rest")
    assert state.phase == "refill"
    one = "wands-01,wands-02,wands-03,cups-01,cups-02,cups-03,swords-01,swords-02,swords-03,pentacles-01,pentacles-02"
    state = play(omen(3, f"piles={one}/-"), "show pentacles-03", "share 0")
    assert state.phase == "refill"


# IV


@pytest.mark.parametrize(("before", "after"), [(7, 4), (3, 0), (2, 0), (0, 0)])
def test_the_emperor_takes_three_noise_away(before, after):  # STE-63
    assert omen(4, f"noise={before}").noise == after


# V


def test_the_hierophant_lets_both_order_the_next_three_hunt_cards():  # STE-64
    state = omen(5, FULL)
    assert asks(state) == ("peek", None)
    state = play(state, "show wands-11", "show wands-12", "show wands-13")
    assert asks(state) == ("order", None)
    assert refused(state, "put cups-14") == "not_looked_at"
    state = play(state, "put wands-13")
    assert can(state) == ["put wands-11", "put wands-12"]
    state = play(state, "put wands-12")
    assert state.top == ("wands-13", "wands-12", "wands-11")
    assert SILENTES.view(state, 0).top == ("?", "?", "?")  # remembering is up to the players
    state = play(state, "distract cups", "discard wands-06", "distract cups", "discard cups-06")
    assert can(state) == ["show wands-13"]
    assert refused(state, "show wands-12") == "misread"
    state = play(state, "show wands-13")
    assert state.top == ("wands-12", "wands-11")


def test_ordered_cards_come_into_hands_too():  # STE-64
    state = at("phase=refill asked=0 hands=cups-06/- top=wands-09,wands-10")
    assert can(state) == ["deal wands-09"]
    state = play(state, "deal wands-09")
    assert state.hands[0] == ("cups-06", "wands-09")
    assert "wands-09" in state.known


def test_fewer_than_three_hunt_cards_are_all_looked_at():  # STE-64
    state = at(f"{OMEN} {FULL} top=wands-11 gone=rest")
    assert asks(play(state, "show major-05")) == ("action", 1)  # one card has only one order
    state = at(f"{OMEN} {FULL} top=wands-11,wands-12 gone=rest")
    state = play(state, "show major-05")
    assert can(state) == ["put wands-11", "put wands-12"]
    assert play(state, "put wands-12").top == ("wands-12", "wands-11")
    assert "OmenIdle" in names(told(at(f"{OMEN} gone=rest"), "show major-05")[1])


# VI


def test_a_lover_takes_two_noise_and_spares_the_partner():  # STE-65
    state = at("phase=omen hunt=cups-14 tokens=0,1 played=wands-09/cups-07")
    state = play(state, "show major-06")
    assert asks(state) == ("sacrifice", 0)
    state = play(state, "accept")
    assert (state.noise, state.caused) == (2, (2, 0))
    assert "cups-07" in state.piles[1]  # the card is still lost


def test_each_lover_is_asked_and_may_decline():  # STE-65
    state = at("phase=omen hunt=cups-14 tokens=0,1 played=wands-09/cups-07 first=1")
    state = play(state, "show major-06", "no")
    assert asks(state) == ("sacrifice", 0)
    state = play(state, "no")
    assert (state.noise, state.caused) == (7, (0, 7))


def test_one_may_not_spare_oneself():  # STE-65
    state = at("phase=omen hunt=cups-14 tokens=0,1 played=wands-09/cups-07 first=1")
    state = play(state, "show major-06", "accept")
    assert (state.noise, state.caused) == (9, (0, 9))


def test_a_sacrifice_may_lose_the_game():  # STE-65
    assert play(omen(6, "noise=13"), "accept").reason == "noise"


def test_no_sacrifice_after_the_hunt():  # STE-02
    assert "OmenIdle" in names(told(at(f"{OMEN} king_order=hunt_first"), "show major-06")[1])


# VII


def test_the_chariot_takes_both_anywhere_with_their_silence_cards():  # STE-66
    state = at("phase=omen hunt=cups-14 tokens=1,0 played=cups-07/-")
    state = play(state, "show major-07")
    assert asks(state) == ("ride", 0)
    assert len(can(state)) == 8  # seven other shelters, or stay
    assert refused(state, "move 1") == "same_shelter"
    state, events = told(state, "move 7", "no")
    assert state.tokens == (7, 0)
    assert "NobodyHunted" in names(events)  # STE-41: the zone counts where the token is now


def test_the_level_rides_along_even_into_another_suit():  # STE-66
    state = at("phase=omen hunt=cups-14 tokens=0,0 played=wands-09/-")
    _, events = told(state, "show major-07", "move 6", "no")
    assert levels(events) == {0: 9}


# VIII


def test_strength_lifts_everybody_by_two_in_the_next_round_only():  # STE-67
    state = at("phase=omen hunt=cups-14 tokens=1,0 played=cups-13/-")
    state, events = told(state, "show major-08")
    assert levels(events) == {0: 13}  # not yet
    assert "strength" in state.effects  # the new round has it
    state = at("phase=hunt effects=strength tokens=1,6 played=cups-07/- acts=hide,search")
    state, events = told(state, "show cups-09")
    assert levels(events) == {0: 9, 1: 2}  # STE-42: level 0 is lifted too
    assert state.effects == ()


# IX


def test_the_hermit_cancels_the_hunt():  # STE-68, STE-48
    state = at("phase=omen hunt=cups-14 tokens=1,0 played=cups-07/-")
    state, events = told(state, "show major-09")
    assert "HuntAnnulled" in names(events)
    assert "Heard" not in names(events)
    assert "cups-07" in state.hands[0]
    assert (state.noise, state.stock, state.effects) == (0, 12, ())


def test_the_hermit_comes_too_late_after_the_hunt():  # STE-02
    assert "OmenIdle" in names(told(at(f"{OMEN} king_order=hunt_first"), "show major-09")[1])


# X


@pytest.mark.parametrize(("side", "before", "after"), [("heads", 9, 0), ("tails", 4, 8), ("tails", 0, 0)])
def test_the_wheel_wipes_or_doubles_the_noise(side, before, after):  # STE-69
    state = omen(10, f"noise={before}")
    assert asks(state) == ("coin", None)
    state = play(state, f"coin {side}")
    assert (state.noise, state.caused) == (after, (0, 0))


def test_the_wheel_may_lose_the_game():  # STE-69
    assert play(omen(10, "noise=8"), "coin tails").reason == "noise"
