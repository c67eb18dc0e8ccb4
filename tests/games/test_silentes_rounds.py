"""Silentes: set-up, the four actions, the hunt and its resolution, the end of rounds and games."""

from __future__ import annotations

import pytest

from companion.games.game import BadOptions, Over
from companion.games.silentes import SILENTES
from companion.games.silentes.records import HUNT
from tests.games.silentes_table import MAP, asks, at, can, names, play, refused, told

SHELTERS = MAP.removeprefix("map=").split(",")


def ready(**options):
    return SILENTES.new(SILENTES.options(**options))


# Set-up


def test_eight_shelters_two_hands_of_five_two_tokens_and_a_first_player():
    state = ready()
    assert asks(state) == ("map", None)
    state = play(state, *(f"show {card}" for card in SHELTERS))
    assert asks(state) == ("deal", 0)
    rest = [card for card in HUNT if card not in SHELTERS]
    state = play(state, *(f"deal {card}" for card in rest[:10]))
    assert [len(hand) for hand in state.hands] == [5, 5]
    assert state.deck == 26  # 44 - 8 - 10
    assert asks(state) == ("place", 0)
    state = play(state, "place 3")
    assert asks(state) == ("place", 1)
    state = play(state, "place 3")  # STE-09: both may share a shelter
    assert asks(state) == ("first", None)
    state = play(state, "first 1")
    assert (state.round, state.first, asks(state)) == (1, 1, ("action", 1))
    assert (state.noise, state.stock) == (0, 12)


def test_where_hands_are_hidden_they_are_only_counted():
    for drawing in ("table", "virtual"):
        state = play(ready(drawing=drawing), *(f"show {card}" for card in SHELTERS))
        assert state.hands == (("?",) * 5, ("?",) * 5)
        assert (state.deck, asks(state)) == (26, ("place", 0))


def test_exactly_two_play():  # STE-01
    with pytest.raises(BadOptions):
        SILENTES.options(players=3)


def test_a_shelter_shown_twice_is_a_misread():  # G-11
    state = play(ready(), "show cups-07")
    assert refused(state, "show cups-07") == "misread"
    assert refused(state, "show cups-02") == "misread"  # a provision isn't in the hunt deck
    assert refused(state, "show major-03") == "misread"
    assert refused(state, "show cups-15") == "misread"
    assert refused(state, "deal cups-08") == "not_now"


def test_a_token_needs_a_shelter():
    state = at("phase=place tokens=-1,-1 map=hole,cups-04")
    assert can(state) == ["place 1"]
    assert refused(state, "place 0") == "hole"
    assert refused(state, "place 9") == "no_such_shelter"


def test_the_first_player_is_one_of_two():
    assert refused(at("phase=first"), "first 2") == "no_such_seat"


# The order of play


def test_one_action_each_in_order_then_the_hunt():  # STE-20
    state = at("hands=cups-07/swords-09 tokens=0,1")
    assert asks(state) == ("action", 0)
    state = play(state, "move 1", "hide cups-07")
    assert asks(state) == ("action", 1)
    state = play(state, "move 2", "hide swords-09")
    assert asks(state) == ("hunt", None)
    assert state.played == (("cups-07",), ("swords-09",))


def quiet_round(state):
    """Both distract the hunters, who follow."""
    for _ in range(2):
        state = play(state, "distract swords", f"discard {state.hands[state.turn][0]}")
    state = play(state, f"show {next(card for card in state.unseen if card.startswith('swords'))}")
    while state.phase == "refill":
        state = play(state, f"deal {next(card for card in state.unseen if card.startswith('pentacles'))}")
    return state


@pytest.mark.parametrize(("rule", "firsts"), [("alternate", [1, 0]), ("fixed", [0, 0]), ("free", [None, None])])
def test_who_acts_first_in_later_rounds(rule, firsts):  # STE-07
    state = at(f"hands={hands()} first_player={rule}")
    for number, first in enumerate(firsts, start=2):
        state = quiet_round(state)
        assert state.round == number
        if first is None:
            assert asks(state) == ("first", None)
            state = play(state, "first 1")
        assert asks(state) == ("action", 1 if first is None else first)


def hands() -> str:
    return "cups-06,cups-07,cups-08,cups-09,cups-10/wands-06,wands-07,wands-08,wands-09,wands-10"


# Move and hide


def test_moving_is_compulsory_and_only_to_a_neighbour():  # STE-21
    state = at("hands=wands-06,cups-07,swords-09,pentacles-10/-")
    assert can(state)[:2] == ["move 1", "move 4"]
    assert refused(state, "move 0") == "same_shelter"
    assert refused(state, "move 5") == "not_adjacent"  # no diagonals
    assert refused(state, "move 3") == "not_adjacent"  # no wrap
    assert refused(state, "move 8") == "no_such_shelter"


def test_the_card_must_have_the_suit_of_the_shelter():  # STE-21
    state = at("hands=cups-07,cups-09,swords-09/-")
    assert "move 4" not in can(state)
    assert refused(state, "move 4") == "no_hide_card"
    state = play(state, "move 1")
    assert can(state) == ["hide cups-07", "hide cups-09"]
    assert refused(state, "hide swords-09") == "wrong_suit"
    assert refused(state, "hide cups-10") == "not_held"
    assert refused(state, "hide cups-04") == "misread"  # it lies on the map
    assert refused(state, "hide cups-01") == "not_a_hunt_card"
    assert refused(state, "search") == "not_now"


def test_nobody_moves_onto_a_hole():  # STE-74
    state = at("map=wands-04,hole,cups-04,hole,cups-05 hands=cups-07/-")
    assert can(state)[0] == "move 4"
    assert refused(state, "move 1") == "hole"


# Entrench


def test_entrenching_uses_half_the_card_of_the_previous_round():  # STE-22
    state = at("hands=cups-11/- last=cups-11/- tokens=1,0")
    state = play(state, "entrench", "search", "deal cups-01")
    assert state.played[0] == ("cups-11",)
    _, events = told(state, "show cups-06", "no", "no")
    heard = next(event for event in events if type(event).__name__ == "Heard")
    assert (heard.level, heard.perception) == (5, 6)


def test_half_may_be_rounded_up():  # STE-22
    state = at("phase=hunt first=1 hands=-/- played=cups-11/- acts=entrench,search tokens=1,0 entrench_rounding=up")
    state, events = told(state, "show cups-06")
    assert next(event for event in events if type(event).__name__ == "Heard").level == 6


def test_entrenching_needs_the_card_still_in_hand():  # STE-22
    assert refused(at("hands=cups-11/- last=-/-"), "entrench") == "nothing_to_entrench"
    assert refused(at("hands=cups-12/- last=cups-11/-"), "entrench") == "nothing_to_entrench"


@pytest.mark.parametrize(("chain", "again"), [("no", False), ("yes", True)])
def test_entrenching_twice_in_a_row_only_where_the_table_chains(chain, again):  # STE-22
    state = at(f"hands={hands()} last=cups-07/- first=0 entrench_chain={chain} first_player=fixed")
    state = play(state, "entrench", "distract swords", "discard wands-06", "show pentacles-12")
    state = play(state, f"deal {state.unseen[0]}")
    assert state.round == 2
    assert ("entrench" in can(state)) == again


def test_an_entrenched_card_is_lost_on_failure_and_stays_on_success():  # STE-22
    state = at("phase=hunt first=1 turn=0 hands=-/- played=cups-12/- acts=entrench,search tokens=1,0")
    failed = play(state, "show cups-10")
    assert "cups-12" in failed.piles[0]
    saved = play(at("phase=hunt first=1 hands=-/- played=cups-14/- acts=entrench,search tokens=1,0"), "show cups-06")
    assert asks(saved) == ("reward", 0)
    assert "cups-14" in saved.hands[0]


# Search


def test_searching_draws_a_provision_and_leaves_no_silence():  # STE-23
    state = play(at("tokens=1,0"), "search")
    assert asks(state) == ("search", 0)
    state = play(state, "deal swords-03")
    assert state.provisions[0] == ("swords-03",)
    assert (state.stock, state.acts[0]) == (11, "search")
    _, events = told(at("phase=hunt first=1 tokens=1,0 acts=search,search"), "show cups-09")
    assert "Heard" in names(events)
    assert next(event for event in events if type(event).__name__ == "NoiseRose").amount == 9


def test_there_may_be_no_provisions_left():  # STE-23
    state = at("piles=rest/- hands=cups-07/-")
    assert "search" not in can(state)
    assert refused(state, "search") == "no_provisions"


# Distract


def test_a_distraction_costs_any_card_and_names_a_suit():  # STE-24
    state = at("hands=cups-07/swords-08 provisions=cups-01/-")
    state = play(state, "distract swords")
    assert can(state) == ["discard cups-07", "discard cups-01"]
    assert refused(state, "discard swords-08") == "not_held"
    assert refused(state, "discard wands-04") == "misread"
    state = play(state, "discard cups-01")
    assert state.piles[0] == ("cups-01",)
    assert (state.acts[0], state.cries, state.tokens[0]) == ("distract", ("swords",), 0)


def test_a_distracted_hunt_hunts_nobody():  # STE-24, STE-48
    state = at("phase=hunt first=1 cries=wands acts=distract,hide played=-/wands-06 hands=-/- ")
    state, events = told(state, "show wands-12")
    assert names(events)[:3] == ["HuntShown", "HuntAnnulled", "PickedUp"]
    assert state.noise == 0
    assert state.hands[1] == ("wands-06",)
    assert "wands-12" in state.gone


def test_both_may_distract_with_different_suits():  # STE-24
    state = at("hands=cups-07/swords-08")
    state = play(state, "distract swords", "discard cups-07", "distract wands", "discard swords-08")
    assert state.cries == ("swords", "wands")
    assert "HuntAnnulled" in names(told(state, "show wands-09")[1])
    assert "HuntAnnulled" in names(told(state, "show swords-09")[1])
    assert "HuntAnnulled" not in names(told(state, "show cups-09")[1])


def test_a_distraction_leaves_no_silence():  # STE-24
    state = at("phase=hunt first=1 cries=cups acts=distract,search tokens=0,1")
    state, events = told(state, "show wands-09")
    assert next(event for event in events if type(event).__name__ == "Heard").level == 0


def test_a_distraction_needs_a_suit_and_a_card():
    assert refused(at(""), "distract wands") == "empty_hand"


@pytest.mark.parametrize(("omen", "phase"), [("no", "refill"), ("yes", "omen")])
def test_a_distracted_king_brings_no_omen_unless_the_table_says_so(omen, phase):  # STE-25
    state = at(f"phase=hunt cries=wands hands=-/- distracted_king_omen={omen}")
    state = play(state, "show wands-14")
    assert state.phase == phase
    if omen == "yes":  # the hunt stays annulled
        state, events = told(state, "show major-04")
        assert "Heard" not in names(events)
        assert state.phase == "refill"


def test_passing_only_when_nothing_else_is_possible():  # STE-26
    state = at("piles=rest/-")
    assert can(state) == ["pass"]
    state = play(state, "pass")
    assert (state.acts[0], asks(state)) == ("pass", ("action", 1))
    assert refused(at("hands=cups-07/- piles=rest/-"), "pass") == "can_act"
    assert refused(at(""), "pass") == "can_act"  # a search is possible


# The hunt


def test_perception_9_against_silence_7_makes_2_noise():  # the rulebook's example
    state = at("phase=hunt first=1 tokens=1,0 played=cups-07/-")
    state, events = told(state, "show cups-09")
    assert state.noise == 2
    assert state.caused == (2, 0)
    assert "cups-07" in state.piles[0]
    assert names(events)[:4] == ["HuntShown", "Heard", "CardLost", "NoiseRose"]


def test_silence_above_perception_returns_the_card_and_earns_a_provision():
    state = at("phase=hunt first=1 tokens=1,0 played=cups-10/- hands=-/-")
    state = play(state, "show cups-09")
    assert asks(state) == ("reward", 0)
    assert state.hands[0] == ("cups-10",)
    state = play(state, "deal pentacles-03")
    assert state.provisions[0] == ("pentacles-03",)
    assert state.noise == 0


def test_a_tie_fails_with_no_noise_but_the_card_is_lost():  # STE-43
    state = at("phase=hunt first=1 tokens=1,4 played=swords-10/-")
    state, events = told(state, "show cups-10")
    assert state.noise == 0
    assert state.piles[0] == ("swords-10",)
    assert "NoiseRose" not in names(events)


def test_a_king_in_hand_cannot_beat_a_king_without_help():  # STE-44
    state = at("phase=hunt first=1 tokens=1,4 played=swords-14/- king_order=hunt_first")
    _, events = told(state, "show cups-14")
    assert "Heard" in names(events)


def test_only_players_in_the_zone_are_hunted():
    state, events = told(at("phase=hunt first=1 tokens=1,0 played=cups-05/- map=wands-04,cups-04"), "show swords-14")
    assert state.phase == "omen"
    state, events = told(at("phase=hunt tokens=1,0 played=cups-06/-"), "show swords-13")
    assert "NobodyHunted" in names(events)
    assert "cups-06" in state.hands[0]
    assert state.stock == 12  # STE-46: no reward for those who weren't hunted


def test_both_are_resolved_together_and_the_sum_is_tested():  # STE-45
    state = at("phase=hunt noise=5 tokens=1,6 played=cups-08/cups-07 ")
    state = play(state, "show cups-12")
    assert (state.noise, state.caused) == (14, (4, 5))
    lost = play(at("phase=hunt noise=6 tokens=1,6 played=cups-08/cups-07"), "show cups-12")
    assert SILENTES.pending(lost) == Over("noise", (), (15,))


def test_rewards_go_to_the_first_player_first_while_they_last():  # STE-46
    state = at("phase=hunt first=1 tokens=1,6 played=cups-10/cups-11 provisions=-/- piles=rest/-")
    state = play(state, "show cups-06")
    assert state.phase in ("refill", "action")
    one_left = (
        "piles=-/wands-01,wands-02,wands-03,cups-01,cups-02,cups-03,swords-01,swords-02,swords-03,"
        "pentacles-01,pentacles-02"
    )
    state = play(at(f"phase=hunt first=1 tokens=1,6 played=cups-10/cups-11 {one_left}"), "show cups-06")
    assert asks(state) == ("reward", 1)
    state = play(state, "deal pentacles-03")
    assert state.phase == "refill"


@pytest.mark.parametrize(("rule", "where"), [("personal_pile", "piles"), ("removed", "gone")])
def test_where_lost_cards_go(rule, where):  # STE-47
    state = play(at(f"phase=hunt first=1 tokens=1,0 played=cups-07/- lost_cards={rule}"), "show cups-09")
    assert ("cups-07" in state.piles[0]) == (where == "piles")
    assert ("cups-07" in state.gone) == (where == "gone")


# Kings


@pytest.mark.parametrize(("order", "phase", "noise"), [("omen_first", "omen", 0), ("hunt_first", "omen", 4)])
def test_a_kings_omen_comes_before_or_after_his_hunt(order, phase, noise):  # STE-02
    state = at(f"phase=hunt first=1 tokens=1,0 played=cups-10/- king_order={order}")
    state = play(state, "show cups-14")
    assert (state.phase, state.noise) == (phase, noise)
    state, events = told(state, "show major-04")
    assert state.phase == "refill"
    assert state.noise == (4 if order == "omen_first" else 1)
    assert ("Heard" in names(events)) == (order == "omen_first")


def test_no_omen_without_a_king_and_none_when_all_are_spent():  # STE-12, STE-79
    assert play(at("phase=hunt"), "show cups-13").phase == "refill"
    spent = ",".join(f"major-{number:02}" for number in range(22))
    assert play(at(f"phase=hunt omens={spent}"), "show cups-14").phase == "refill"


# The end of a round


def test_hands_are_refilled_to_five_in_turn_first_player_first():  # STE-29
    state = play(at("phase=hunt first=1 hands=cups-06/cups-07,cups-08,cups-09"), "show swords-13")
    order = []
    while state.phase == "refill":
        order.append(asks(state)[1])
        state = play(state, f"deal {state.unseen[0]}")
    assert order == [1, 0, 1, 0, 0, 0]
    assert [len(hand) for hand in state.hands] == [5, 5]
    assert (state.round, state.first) == (2, 0)


def test_a_short_deck_is_shared_card_by_card_and_wins():  # STE-29, STE-03
    state = at("phase=hunt first=1 hands=-/- top=swords-13,cups-06,cups-07,cups-08 gone=rest")
    state = play(state, "show swords-13", "deal cups-06", "deal cups-07", "deal cups-08")
    assert state.hands == (("cups-07",), ("cups-06", "cups-08"))
    assert SILENTES.pending(state) == Over("survived", (0, 1), (0,))


@pytest.mark.parametrize(("counts", "size"), [("yes", 3), ("no", 5)])
def test_provisions_may_count_towards_five(counts, size):  # STE-27
    state = at(
        "phase=hunt first=0 hands=cups-06,cups-07,cups-08/wands-06,wands-07,wands-08,wands-09,wands-10 "
        f"provisions=cups-02,cups-03/- provisions_in_hand_limit={counts}"
    )
    state = play(state, "show swords-13", "no")
    while state.phase == "refill":
        state = play(state, f"deal {state.unseen[0]}")
    assert len(state.hands[0]) == size


def test_a_hand_over_five_is_kept():  # STE-28
    state = at(f"phase=hunt hands={hands().replace('/', ',wands-11/')}")
    state = play(state, "show swords-13")
    assert len(state.hands[0]) == 6


# The end of the game


def test_the_last_hunt_card_is_still_resolved():  # STE-03
    state = at("phase=hunt first=1 tokens=1,0 noise=14 top=cups-09 played=cups-07/- gone=rest")
    assert SILENTES.pending(play(state, "show cups-09")).reason == "noise"
    state = at("phase=hunt first=1 tokens=1,0 noise=1 top=cups-09 played=cups-07/- gone=rest")
    assert SILENTES.pending(play(state, "show cups-09")) == Over("survived", (0, 1), (3,))


def test_an_empty_deck_may_win_at_once():  # STE-03
    state = at("phase=hunt first=1 tokens=1,0 noise=14 top=cups-09 played=cups-07/- gone=rest win_check=instant")
    assert SILENTES.pending(play(state, "show cups-09")) == Over("survived", (0, 1), (14,))


def test_an_empty_deck_at_the_start_of_the_hunt_wins():  # STE-03
    state = at("turn=1 gone=rest hands=-/cups-07")
    assert SILENTES.pending(play(state, "distract cups", "discard cups-07")).reason == "survived"


def test_the_noise_is_lost_at_15_and_never_shown_higher():  # STE-05
    state = play(at("phase=hunt first=1 tokens=1,0 noise=9 acts=search,search"), "show cups-13")
    assert (state.noise, state.reason) == (15, "noise")
    assert can(state) == []
    assert refused(state, "search") == "not_now"
