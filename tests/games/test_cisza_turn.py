"""Cisza's phases 1 and 3: playing or discarding, and drawing up."""

from __future__ import annotations

from companion.games.cards import Tristate
from companion.games.cisza import CISZA
from companion.games.game import Decide, Reveal
from companion.games.notation import read_move
from tests.games.cisza_scenes import Scene


def test_a_player_plays_cards_or_discards_cards_but_not_both() -> None:  # CIS-10
    scene = Scene("hands=barricade,drone,walkie/-/-").do("play barricade")
    assert scene.legal == ["play walkie", "done"]
    assert scene.refused("discard drone") == "no_mixing"
    scene = Scene("hands=barricade,drone,walkie/-/-").do("discard drone")
    assert scene.legal == ["discard barricade", "discard walkie", "done"]
    assert scene.refused("play walkie") == "no_mixing"
    assert scene.discard == ("drone",)
    scene = Scene("hands=drone/walkie/-").do("discard drone", "done", "deal axe", "deal axe", "deal axe")
    assert "play walkie" in scene.legal, "the next player chooses anew"


def test_any_number_of_cards_includes_none() -> None:  # CIS-10
    scene = Scene("hands=axe,axe,drone/-/-").do("done")
    assert scene.hands[0] == ("axe", "axe", "drone")
    assert scene.pending == Decide("turn", 1)


def test_a_card_that_is_not_in_the_hand_is_refused() -> None:
    scene = Scene("hands=axe,axe,drone/walkie/-")
    assert scene.refused("play walkie") == "not_held"
    assert scene.refused("discard walkie") == "not_held"
    assert scene.refused("discard ?") == "not_held"
    assert scene.refused("play banana") == "misread"


def test_effects_in_a_turn_chain_freely() -> None:  # CIS-13: the sniper clears the top, then the radio calls
    scene = Scene("hands=sniper,walkie/-/- top=strong")
    assert scene.refused("play walkie") == "zombie_on_top"
    scene.do("play sniper", "kill_top", "play walkie")
    assert scene.survivors == (3, 2, 2)
    assert scene.killed == (0, 1, 0, 0)


def test_the_effect_comes_first_and_then_the_noise() -> None:  # CIS-12
    scene = Scene("hands=megaphone/-/-").do("play megaphone")
    assert scene.told == ["Played", "Rescued", "Noise"]
    assert scene.survivors == (3, 2, 2)
    assert scene.pending == Reveal("flip")


def test_a_card_is_finished_before_the_next_is_played() -> None:  # CIS-12
    scene = Scene("hands=megaphone,walkie/-/-").do("play megaphone")
    assert scene.refused("play walkie") == "not_now"
    assert scene.refused("done") == "not_now"


def test_at_the_end_of_a_turn_the_player_draws_to_three_cards() -> None:  # CIS-50
    scene = Scene("hands=barricade,drone,walkie/axe/-").do("play barricade", "done")
    assert scene.pending == Reveal("draw", 0)
    scene.do("deal shotgun")
    assert scene.hands[0] == ("drone", "shotgun", "walkie")
    assert scene.pending == Decide("turn", 1), "the turn goes to the left"
    scene.do("done", "deal axe", "deal axe")
    assert scene.hands[1] == ("axe", "axe", "axe")


def test_the_discards_are_shuffled_when_the_deck_is_empty() -> None:  # CIS-50
    scene = Scene("hands=barricade/-/- discard=rest").do("done")
    assert scene.pending == Reveal("shuffle")
    assert scene.legal == ["shuffle"]
    assert CISZA.chances(scene.state) == [(read_move(CISZA, "shuffle"), 1)]
    assert str(CISZA.question(scene.state)) == "The resource deck is empty: shuffle the discards."
    scene.do("shuffle")
    assert scene.discard == ()
    assert scene.stock == 54
    assert scene.told == ["Reshuffled"]
    assert scene.refused("deal banana") == "misread"
    scene.do("deal barricade", "deal barricade")
    assert scene.hands[0] == ("barricade",) * 3


def test_the_discards_are_shuffled_in_mid_draw() -> None:  # CIS-50
    scene = Scene("hands=axe/walkie,walkie/- box=rest discard=axe,drone,drone").do("done", "shuffle")
    scene.do("deal axe", "deal drone")
    assert scene.stock == 1
    scene.do("discard walkie", "done", "deal drone")
    assert scene.pending == Reveal("shuffle"), "one card short: what lies in the discards comes back"
    scene.do("shuffle")
    assert scene.legal == ["deal walkie"]
    scene.do("deal walkie")
    assert scene.hands[1] == ("drone", "walkie", "walkie")
    assert scene.pending == Decide("turn", 2)


def test_fewer_are_drawn_when_both_piles_give_out() -> None:  # CIS-50
    scene = Scene("hands=-/-/- box=rest discard=axe,axe,drone,drone").do("done", "shuffle", "deal axe", "deal axe")
    scene.do("deal drone", "done", "deal drone")
    assert scene.hands[1] == ("drone",)
    assert scene.pending == Decide("turn", 2)


def test_with_both_piles_empty_nobody_draws() -> None:  # CIS-50
    scene = Scene("hands=axe/-/- box=rest").do("done")
    assert scene.hands[0] == ("axe",)
    assert scene.pending == Decide("turn", 1)


def test_a_card_dealt_too_often_is_a_misread() -> None:  # G-11
    scene = Scene("hands=sniper,sniper/-/-").do("done")
    assert scene.refused("deal sniper") == "misread"
    assert scene.refused("deal horde") == "misread"
    assert CISZA.verdict(scene.state, read_move(CISZA, "deal sniper")) is Tristate.NO


def test_there_are_more_cards_than_hands_and_barriers_can_hold() -> None:  # CIS-50: both piles empty can't happen
    assert 6 * 3 + 8 < 55
