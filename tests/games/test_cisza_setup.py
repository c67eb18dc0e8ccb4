"""Cisza's setup: shelters, hands, who begins, and the one mulligan."""

from __future__ import annotations

import pytest

from companion.games.cisza import CISZA
from companion.games.cisza.records import ALL_RESOURCES, CITY, NOISY, RESOURCE_COUNT, RESOURCES, ZOMBIES, State
from companion.games.game import Decide, Reveal
from companion.games.notation import read_move
from tests.games.cisza_scenes import Scene


def dealt(players: int = 3, **options: object) -> Scene:
    """A table after the deal: everybody has what the deck's order gives."""
    scene = Scene()
    scene.state = CISZA.new(CISZA.options(players=players, **options))
    while scene.state.phase == "deal":
        scene.do(scene.legal[0])
    return scene


def test_both_decks_have_fifty_five_cards() -> None:
    assert sum(CITY) == 55
    assert sum(ALL_RESOURCES) == 55
    assert sum(RESOURCE_COUNT[card] for card in NOISY) == 25
    assert sum(RESOURCE_COUNT[card] for card in ("axe", "revolver", "shotgun", "sniper")) == 15
    assert sum(RESOURCE_COUNT[card] for card in ("walkie", "flare", "megaphone")) == 11
    assert sum(RESOURCE_COUNT[card] for card in ("barricade", "alarm", "mines")) == 8
    assert list(RESOURCES) == sorted(RESOURCES)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_each_shelter_starts_with_two_survivors_and_each_hand_with_three_cards(players: int) -> None:  # CIS-01
    scene = dealt(players)
    assert scene.survivors == (2,) * players
    assert [len(hand) for hand in scene.hands] == [3] * players
    assert scene.city == 55 - 2 * players
    assert scene.stock == 55 - 3 * players
    assert scene.top == "none"


@pytest.mark.parametrize(("survivors", "city"), [(1, 52), (2, 49), (3, 46)])
def test_the_level_of_difficulty_is_the_number_of_survivors(survivors: int, city: int) -> None:  # CIS-01
    state: State = CISZA.new(CISZA.options(start_survivors=survivors))
    assert state.survivors == (survivors,) * 3
    assert state.city == city


def test_cards_are_dealt_one_by_one_and_only_their_player_sees_them() -> None:
    scene = Scene()
    scene.state = CISZA.new(CISZA.options())
    assert scene.pending == Reveal("deal", 0)
    scene.do("deal axe")
    assert scene.pending == Reveal("deal", 1)
    assert CISZA.view(scene.state, 1).hands[0] == ("?",)
    assert [str(CISZA.tell(event.heard_by(1))) for event in scene.events] == ["Player 1 draws a card."]
    assert [str(CISZA.tell(event.heard_by(0))) for event in scene.events] == ["Player 1 draws axe."]


def test_the_table_chooses_who_begins() -> None:  # CIS-03
    scene = dealt()
    assert scene.pending == Decide("start", None)
    assert scene.legal == ["start 0", "start 1", "start 2"]
    assert scene.refused("start 3") == "no_such_seat"
    scene.do("start 2")
    assert scene.turn == 2


def test_hands_may_be_exchanged_once_in_turn_order_before_the_first_turn() -> None:  # CIS-02
    scene = dealt().do("start 2")
    assert scene.pending == Decide("mulligan", 2)
    scene.do("keep")
    assert scene.pending == Decide("mulligan", 0)
    first = scene.hands[0]
    scene.do("mulligan")
    assert scene.discard == first
    assert scene.hands[0] == ()
    assert scene.pending == Reveal("draw", 0)
    scene.do("deal drone", "deal drone", "deal surprise")
    assert scene.hands[0] == ("drone", "drone", "surprise")
    assert scene.pending == Decide("mulligan", 1), "the new hand can't be exchanged again"
    scene.do("keep")
    assert scene.pending == Decide("turn", 2)
    assert scene.discard == first, "discarded cards stay where they are"
    assert scene.refused("mulligan") == "not_now"
    scene.do(scene.legal[-2], "done")
    assert scene.pending == Reveal("draw", 2), "from now on cards are drawn at the end of a turn"


def test_a_deal_is_as_likely_as_there_are_cards_of_its_kind() -> None:
    state = CISZA.new(CISZA.options())
    chances = dict(CISZA.chances(state))
    assert sum(chances.values()) == 55
    assert chances[read_move(CISZA, "deal surprise")] == 7
    assert chances[read_move(CISZA, "deal sniper")] == 2


def test_nobody_sees_the_underside_of_survivors() -> None:  # CIS-05: they count among what can still come
    scene = Scene("phase=flip at=0 survivors=20,20,10 city=5")
    assert dict(CISZA.chances(scene.state)) == {
        read_move(CISZA, f"show {kind}"): count for kind, count in zip(ZOMBIES, CITY, strict=True)
    }
