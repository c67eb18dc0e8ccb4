"""Silentes: each of the 22 omens."""

from __future__ import annotations

import pytest

from companion.games.game import Over
from companion.games.silentes import SILENTES
from tests.games.silentes_table import asks, at, can, names, play, refused, told

FULL = "hands=cups-06,cups-07,cups-08,cups-09,cups-10/wands-06,wands-07,wands-08,wands-09,wands-10"
# A King of Swords hunts; nobody stands in the zone of Swords.
OMEN = "phase=omen hunt=swords-14"


def omen(number: int, fields: str = ""):
    """The table when an omen has been turned up."""
    return play(at(f"{OMEN} {fields}"), f"show major-{number:02}")


def levels(events):
    return {event.seat: event.level for event in events if type(event).__name__ in ("Heard", "Escaped")}


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


# XI


def test_justice_takes_a_provision_from_the_louder_player():  # STE-70
    state = omen(11, "caused=2,5 provisions=cups-01/cups-02,cups-03 hands=cups-06/cups-07")
    assert asks(state) == ("penance", 1)
    assert can(state) == ["discard cups-02", "discard cups-03"]
    assert refused(state, "discard cups-07") == "not_a_provision"
    assert refused(state, "discard cups-01") == "not_held"
    state = play(state, "discard cups-03")
    assert state.piles[1] == ("cups-03",)


def test_justice_finds_no_provision():  # STE-70
    state, events = told(at(f"{OMEN} caused=2,5 provisions=cups-01/-"), "show major-11")
    assert "Blamed" in names(events)
    assert state.provisions[0] == ("cups-01",)


def test_equally_loud_players_choose():  # STE-70
    state = omen(11, "caused=4,4 provisions=cups-01/cups-02")
    assert asks(state) == ("blame", None)
    assert refused(state, "blame 3") == "no_such_seat"
    assert asks(play(state, "blame 1")) == ("penance", 1)


def test_justice_rewards_two_silent_players():  # STE-70
    state = omen(11, "noise=3 first=1")
    assert asks(state) == ("justice", 1)
    state = play(state, "deal cups-01")
    assert asks(state) == ("justice", 0)
    state = play(state, "deal cups-02")
    assert state.provisions == (("cups-02",), ("cups-01",))


# XII


def test_the_hanged_man_swaps_swords_and_cups_for_the_next_round():  # STE-67
    assert "hanged" in omen(12, FULL).effects
    state = at("effects=hanged hands=cups-07,swords-08/-")
    state = play(state, "move 1")  # a shelter of cups
    assert can(state) == ["hide swords-08"]
    assert refused(state, "hide cups-07") == "wrong_suit"
    _, events = told(at("phase=hunt effects=hanged tokens=1,2 played=swords-08/-"), "show swords-12")
    assert levels(events) == {0: 8}  # the hunt for Swords comes to the shelter of Cups
    assert play(at("phase=hunt effects=hanged"), "show cups-12").effects == ()
    ruins = at("effects=hanged map=wands-04,hole,cups-04,hole,cups-05 hands=swords-07/-")
    assert can(ruins)[0] == "move 4"  # a hole has no suit


# XIII


def test_death_lays_a_new_map_and_the_tokens_stay():  # STE-71
    state = at("phase=omen hunt=cups-14 tokens=1,6 played=cups-07/wands-09 barrier=1:0 mirror=2:1")
    state = play(state, "show major-13")
    assert asks(state) == ("remap", None)
    assert state.piles == (("wands-02",), ("swords-03",))
    assert refused(state, "show wands-04") == "misread"
    new = [f"swords-{rank:02}" for rank in range(6, 13)]
    state, events = told(state, *(f"show {card}" for card in new), "show cups-08")
    assert state.map == (*new, "cups-08")
    assert state.tokens == (1, 6)
    assert "NobodyHunted" in names(events)  # the new suits count at once
    assert "cups-04" in state.gone
    assert "cups-07" in state.hands[0]


def test_death_with_a_short_deck_leaves_holes_and_tokens_move_on():  # STE-71
    state = at(f"phase=omen hunt=cups-14 {FULL} tokens=1,6 top=swords-09,pentacles-09,swords-10 gone=rest")
    state = play(state, "show major-13", "show swords-09", "show pentacles-09", "show swords-10")
    assert state.map[3:] == ("hole",) * 5
    assert state.tokens == (1, 2)
    assert state.reason == "survived"  # STE-03: the deck is empty at the end of the round


def test_a_token_between_two_shelters_chooses():  # STE-71
    state = at(f"phase=omen hunt=wands-14 {FULL} tokens=0,4 top=swords-09 gone=rest")
    state = play(state, "show major-13")
    assert play(state, "show swords-09").tokens == (0, 0)
    state = at("phase=flee hunt=wands-14 asked=1 tokens=0,1 map=swords-09,hole,swords-10,hole,hole,cups-09")
    assert can(state) == ["move 0", "move 2", "move 5"]
    assert refused(state, "move 3") == "hole"
    assert play(state, "move 5").tokens == (0, 5)


def test_death_with_an_empty_deck_leaves_nowhere_to_stand():  # STE-71
    state = play(at("phase=omen hunt=cups-14 tokens=1,1 gone=rest"), "show major-13")
    assert state.tokens == (-1, -1)
    assert state.reason == "survived"


def test_death_may_empty_the_deck_and_win_at_once():  # STE-03
    state = at("phase=omen hunt=cups-14 tokens=1,1 top=swords-09 gone=rest win_check=instant noise=14")
    assert play(state, "show major-13", "show swords-09").reason == "survived"


# XIV


def test_temperance_refills_to_six_once():  # STE-72
    state = omen(14, FULL)
    assert asks(state) == ("refill", 0)
    state = play(state, "deal pentacles-09", "deal pentacles-10")
    assert [len(hand) for hand in state.hands] == [6, 6]
    assert (state.effects, state.round) == ((), 2)


# XV


def test_the_devil_forbids_provisions_until_the_next_omen():  # STE-73
    state = omen(15, f"{FULL} provisions=cups-01/wands-03")
    assert asks(state) == ("action", 1)  # nobody is asked for a provision
    assert refused(state, "use wands-03") == "devil"
    assert "search" in can(state)
    state = play(state, "distract wands", "discard wands-03", "search", "deal cups-02", "show swords-09")
    assert "devil" in state.effects
    state = play(at(f"{OMEN} effects=devil"), "show major-04")
    assert state.effects == ()


# XVI


def test_the_tower_destroys_the_highest_shelter():  # STE-74
    fields = "map=wands-04,cups-12,swords-04,pentacles-04,pentacles-05,swords-05,cups-05,wands-05 mirror=1:0"
    state = omen(16, f"{fields} tokens=1,0 played=cups-07/- {FULL.replace('cups-07', 'swords-07')}")
    assert state.map[1] == "hole"
    assert "cups-12" in state.gone
    assert (state.noise, state.caused) == (2, (2, 0))
    assert state.piles[0] == ("swords-03",)
    assert asks(state) == ("flee", 0)
    assert can(state) == ["move 0", "move 2", "move 5"]
    assert refused(state, "move 7") == "not_nearest"
    assert refused(state, "move 1") == "hole"
    assert play(state, "move 0").tokens == (0, 0)


def test_of_several_highest_shelters_the_players_choose():  # STE-74
    state = omen(16, FULL)
    assert asks(state) == ("tower", None)
    assert can(state) == ["ruin 4", "ruin 5", "ruin 6", "ruin 7"]
    assert refused(state, "ruin 0") == "not_highest"
    assert play(state, "ruin 6").map[6] == "hole"


def test_two_players_in_the_tower_make_four_noise():  # STE-74
    state = play(omen(16, "tokens=6,6 noise=3"), "ruin 6")
    assert (state.noise, state.caused) == (7, (2, 2))
    state = play(state, "move 2")
    assert asks(state) == ("flee", 1)
    assert play(omen(16, "tokens=6,6 noise=11"), "ruin 6").reason == "noise"


def test_out_of_the_tower_to_the_nearest_where_nothing_is_adjacent():  # STE-74
    fields = "map=wands-12,hole,swords-04,pentacles-04,hole,hole,hole,hole tokens=0,2 barrier=0:1"
    state = play(at(f"phase=omen hunt=cups-14 {fields}"), "show major-16")
    assert state.tokens == (2, 2)
    assert state.barrier is None


def test_the_last_shelter_leaves_nowhere():
    state = play(at("phase=omen hunt=cups-14 map=wands-12 tokens=0,0"), "show major-16")
    assert state.tokens == (-1, -1)
    assert "OmenIdle" in names(told(at("phase=omen hunt=cups-14 map=hole tokens=-1,-1"), "show major-16")[1])


# XVII


def test_the_star_returns_a_card_of_the_own_pile_to_each():  # STE-75
    state = omen(17, "piles=cups-07,cups-01/wands-09")
    assert asks(state) == ("star", 0)
    assert can(state) == ["take cups-01", "take cups-07", "no"]
    assert refused(state, "take wands-09") == "not_in_pile"
    state = play(state, "take cups-01")
    assert asks(state) == ("star", 1)
    state = play(state, "no")
    assert state.provisions[0] == ("cups-01",)
    assert state.piles == (("cups-07",), ("wands-09",))


def test_the_star_finds_only_empty_piles():
    assert "OmenIdle" in names(told(at(OMEN), "show major-17")[1])


# XVIII


@pytest.mark.parametrize(("act", "level"), [("hide", 6), ("entrench", 4)])
def test_the_moon_lowers_cards_played_this_round_only(act, level):  # STE-76, STE-42
    state = at(f"phase=omen hunt=cups-14 tokens=1,0 played=cups-08/- acts={act},none")
    state, events = told(state, "show major-18")
    assert levels(events) == {0: level}
    assert state.effects == ()


# XIX


def test_the_sun_hunts_everywhere():  # STE-76
    state = at("phase=omen hunt=cups-14 tokens=0,5 played=wands-13/swords-12")
    state, events = told(state, "show major-19")
    assert levels(events) == {0: 13, 1: 12}
    assert state.noise == 3


# XX


def test_judgement_halves_the_noise_late_and_adds_three_early():  # STE-77
    assert omen(20, "noise=7").noise == 10
    assert omen(20, "noise=12").reason == "noise"
    ten = "top=" + ",".join(f"pentacles-{rank:02}" for rank in range(6, 14)) + ",cups-12,cups-13"
    assert omen(20, f"noise=7 {ten} gone=rest").noise == 3
    assert omen(20, f"noise=7 {ten},wands-13 gone=rest").noise == 10


# XXI


KINGS = "gone=cups-14,wands-14,pentacles-14"


@pytest.mark.parametrize(
    ("rule", "fields", "won"),
    [
        ("never", KINGS, False),
        ("last_king", KINGS, True),
        ("last_king", "gone=cups-14,wands-14", False),
        ("last_king", "gone=cups-14,wands-14 piles=pentacles-14/-", True),
        ("last_king", "gone=cups-14,wands-14 hands=pentacles-14/-", False),  # nobody has seen it there
        ("last_king", "gone=cups-14,wands-14 hands=pentacles-14/- known=pentacles-14", True),
        ("last_king", "gone=cups-14,wands-14 hands=pentacles-14/- drawing=table", True),
    ],
)
def test_the_world_wins_where_no_other_king_can_come(rule, fields, won):  # STE-78
    state = omen(21, f"world_win={rule} {fields}")
    assert (state.reason == "world") == won
    if won:
        assert SILENTES.pending(state) == Over("world", (0, 1), (0,))


def test_the_world_as_the_very_last_omen_always_wins():  # STE-78
    spent = ",".join(f"major-{number:02}" for number in range(21))
    assert omen(21, f"omens={spent}").reason == "world"
