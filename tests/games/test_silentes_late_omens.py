"""Silentes: the omens from XI, Justice, to XXI, the World."""

from __future__ import annotations

import pytest

from companion.games.game import Over
from companion.games.silentes import SILENTES
from tests.games.silentes_table import FULL, OMEN, asks, at, can, levels, names, omen, play, refused, told

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
