"""The final attack of Cisza and the ways a game ends."""

from __future__ import annotations

import pytest

from companion.games.cisza import CISZA
from companion.games.game import Decide, Over, Reveal
from tests.games.cisza_scenes import Scene


def test_the_final_attack_begins_when_the_city_is_empty() -> None:  # CIS-70
    scene = Scene("hands=walkie/-/- city=1").do("play walkie")
    assert scene.final
    assert scene.told == ["Played", "Rescued", "FinalAttack"]


def test_the_final_attack_begins_when_the_last_card_shows_a_zombie() -> None:  # CIS-70
    scene = Scene("hands=revolver/-/- zombies=fast/-/- city=1").do("play revolver", "kill fast")
    assert not scene.final
    scene.do("show strong")
    assert scene.final
    assert scene.told == ["Flipped", "FinalAttack"]


def test_two_cards_with_a_zombie_on_top_are_not_the_end() -> None:  # CIS-70
    scene = Scene("hands=sniper/-/- city=2 top=strong")
    assert not scene.final
    scene.do("play sniper", "kill_top")
    assert not scene.final, "one survivor is left"


@pytest.mark.parametrize("zombie", ["fast", "horde"])
def test_a_last_card_that_leaves_the_deck_begins_it_too(zombie: str) -> None:  # CIS-70
    scene = Scene("hands=revolver/-/- zombies=fast/-/- city=1").do("play revolver", "kill fast", f"show {zombie}")
    assert scene.final


def test_the_current_player_already_skips_the_draw() -> None:  # CIS-70
    scene = Scene("hands=walkie/axe/- city=1 zombies=-/-/fast").do("play walkie", "done")
    assert scene.hands[0] == ()
    assert scene.pending == Decide("turn", 1)
    scene.do("done")
    assert scene.hands[1] == ("axe",), "nobody draws any more"


def test_the_final_attack_is_never_reversed() -> None:  # CIS-70
    scene = Scene("hands=sniper/-/- city=1 top=strong zombies=-/fast/-").do("play sniper", "kill_top")
    assert scene.final
    assert scene.city == 0


def test_players_go_on_with_phases_one_and_two() -> None:  # CIS-71
    scene = Scene("hands=axe/-/- city=0 zombies=fast,fast/strong/-").do("play axe", "kill fast", "done")
    assert scene.survivors == (1, 2, 2)
    scene.do("done")
    assert scene.survivors == (1, 1, 2)


def test_with_no_zombie_left_most_survivors_win() -> None:  # CIS-72
    scene = Scene("hands=axe/-/- city=0 zombies=fast/-/- survivors=2,4,3").do("play axe", "kill fast")
    assert scene.phase == "turn", "the turn is finished first"
    scene.do("done")
    assert scene.pending == Over("no_zombies", (1,), (2, 4, 3))
    assert str(CISZA.tell(scene.events[-1])).endswith("Player 2 wins. Survivors, player by player: 2, 4, 3.")
    assert str(CISZA.question(scene.state)).endswith(". Player 2 wins.")


def test_a_tie_is_shared() -> None:  # CIS-72
    scene = Scene("hands=axe/-/- city=0 zombies=fast/-/- survivors=4,4,3").do("play axe", "kill fast", "done")
    assert scene.pending == Over("no_zombies", (0, 1), (4, 4, 3))
    assert "Players 1, 2 win together." in str(CISZA.tell(scene.events[-1]))
    assert str(CISZA.question(scene.state)).endswith(". Players 1, 2 win together.")


def test_survivors_count_only_in_a_living_shelter() -> None:  # CIS-74
    scene = Scene("players=4 out=3 hands=axe/-/-/- city=0 zombies=fast/-/-/-").do("play axe", "kill fast", "done")
    assert scene.pending == Over("no_zombies", (0, 1, 2), (2, 2, 2, 0))


def test_a_final_attack_without_any_zombie_ends_with_the_turn() -> None:  # CIS-73
    scene = Scene("hands=drone,walkie/-/- city=1").do("play walkie")
    assert scene.pending == Decide("turn", 0)
    scene.do("done")
    assert scene.pending == Over("no_zombies", (0,), (3, 2, 2))


def test_the_last_player_wins_the_final_attack() -> None:  # CIS-72
    scene = Scene("players=2 city=0 survivors=1,1 zombies=fast/fast").do("done")
    assert scene.pending == Over("last_shelter", (1,), (0, 1))


def test_a_zombie_that_stays_in_the_city_ends_the_game_after_a_round_of_standstill() -> None:  # CIS-72
    scene = Scene("city=1 top=strong survivors=2,3,2")
    assert scene.final
    scene.do("done", "done")
    assert scene.pending == Decide("turn", 2)
    assert scene.idle == 2
    scene.do("done")
    assert scene.pending == Over("standstill", (1,), (2, 3, 2))


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_table_says_how_many_rounds_of_standstill(rounds: int) -> None:  # CIS-72 final_idle_rounds
    scene = Scene("city=1 top=strong", final_idle_rounds=rounds)
    for _ in range(3 * rounds - 1):
        scene.do("done")
        assert scene.phase == "turn"
    scene.do("done")
    assert scene.reason == "standstill"


def test_only_the_living_are_counted_in_a_round_of_standstill() -> None:  # CIS-72
    scene = Scene("players=4 out=1,2 city=1 top=strong").do("done", "done")
    assert scene.reason == "standstill"


def test_a_zombie_that_moves_starts_the_count_again() -> None:  # CIS-72
    scene = Scene("turn=2 hands=sniper/-/surprise city=1 top=strong idle=2").do("play surprise", "target 0", "done")
    assert scene.idle == 0
    assert scene.phase == "turn"
    scene.do("play sniper", "kill strong", "done")
    assert scene.reason == "no_zombies"


def test_the_turn_that_begins_the_final_attack_is_not_part_of_the_round() -> None:  # CIS-72
    scene = Scene("hands=megaphone/-/- city=2").do("play megaphone", "show strong", "done")
    assert (scene.final, scene.idle) == (True, 0)
    scene.do("done", "done")
    assert scene.phase == "turn"
    scene.do("done")
    assert scene.reason == "standstill"


def test_a_zombie_in_a_shelter_is_no_standstill() -> None:  # CIS-72
    scene = Scene("city=1 top=strong survivors=2,2,5 zombies=-/-/fast idle=2").do("done")
    assert scene.idle == 0
    scene.do("done", "done")
    assert scene.survivors == (2, 2, 4)
    assert scene.phase == "turn"


def test_noise_in_the_final_attack_brings_the_last_zombie() -> None:  # CIS-72
    scene = Scene("hands=revolver/-/- city=1 top=strong zombies=fast/-/-").do("play revolver", "kill fast")
    assert scene.zombies[0] == ("strong",)
    assert scene.city == 0


def test_before_the_final_attack_everybody_may_idle() -> None:  # CIS-75
    scene = Scene("hands=axe,axe,axe/drone,drone,drone/walkie,walkie,walkie")
    for _ in range(30):
        scene.do("done")
    assert scene.phase == "turn"


def test_an_elimination_in_the_final_attack_passes_the_zombies_on() -> None:
    scene = Scene("city=0 survivors=1,2,2 zombies=fast/-/-").do("done", "assign fast 2")
    assert scene.pending == Decide("turn", 1)
    scene.do("done", "done")
    assert scene.survivors == (0, 2, 1)


def test_a_player_out_before_the_final_attack_leaves_the_draw_to_others() -> None:
    scene = Scene("survivors=1,2,2 zombies=fast/-/- hands=-/axe,axe/-").do("done", "assign fast 2", "done")
    assert scene.pending == Reveal("draw", 1)
