"""Expert mode and the other options of Cisza, in both values."""

from __future__ import annotations

import pytest

from companion.games.cisza import CISZA
from companion.games.cisza.records import NOISY, RESOURCES
from companion.games.game import BadOptions, Decide, option_table
from tests.games.cisza_scenes import Scene


@pytest.mark.parametrize("card", sorted(NOISY))
def test_expert_mode_plays_cards_with_the_icon_for_their_noise_alone(card: str) -> None:  # CIS-60, CIS-61
    scene = Scene(f"hands={card}/-/- top=strong", expert="yes").do(f"noise {card}")
    assert scene.zombies == (("strong",), (), ())
    assert scene.discard == (card,)
    assert scene.barriers == ((), (), ()), "alarm and mines go from the hand to the discards"
    assert scene.told == ["PlayedForNoise", "Noise", "Entered"]
    assert scene.mode == "play"
    assert Scene(f"hands={card}/-/- top=strong").refused(f"noise {card}") == "not_expert"


@pytest.mark.parametrize("card", sorted(set(RESOURCES) - NOISY))
def test_expert_mode_leaves_cards_without_the_icon_alone(card: str) -> None:  # CIS-60
    scene = Scene(f"hands={card}/-/- top=strong", expert="yes")
    assert scene.refused(f"noise {card}") == "no_icon"


def test_the_experts_examples_sabotage_without_barriers_and_a_shot_in_the_air() -> None:  # the rulebook's examples
    scene = Scene("hands=sabotage,revolver/-/- barriers=-/mines/-", expert="yes").do("noise sabotage", "show regular")
    assert scene.barriers[1] == ("mines",)
    assert scene.top == "regular"
    scene.do("noise revolver")
    assert scene.zombies[0] == ("regular",)


def test_an_expert_may_still_play_cards_in_the_usual_way() -> None:
    scene = Scene("hands=megaphone/-/-", expert="yes")
    assert scene.legal == ["play megaphone", "noise megaphone", "discard megaphone", "done"]
    assert scene.do("play megaphone").survivors == (3, 2, 2)


def test_noise_for_its_own_sake_needs_a_city_that_hears_it() -> None:  # CIS-62
    scene = Scene("hands=megaphone/-/- city=0 zombies=-/fast/-", expert="yes")
    assert scene.refused("noise megaphone") == "city_empty"


def test_noise_is_playing_not_discarding() -> None:  # CIS-10
    scene = Scene("hands=axe,megaphone/-/-", expert="yes").do("discard axe")
    assert scene.refused("noise megaphone") == "no_mixing"
    assert scene.refused("noise axe") == "not_held"


def test_zombies_woken_by_noise_from_the_hand_attack_at_once() -> None:  # CIS-61: not the barrier's own noise
    scene = Scene("hands=mines/-/- top=strong", expert="yes").do("noise mines", "done")
    assert scene.survivors == (1, 2, 2)


VOID = [
    ("axe", "no_target", ""),
    ("revolver", "no_target", "top=strong"),
    ("shotgun", "no_target", "top=strong"),
    ("sniper", "no_target", ""),
    ("walkie", "zombie_on_top", "top=strong"),
    ("flare", "zombie_on_top", "top=strong"),
    ("megaphone", "zombie_on_top", "top=strong"),
    ("sabotage", "no_barriers", "top=strong"),
    ("eviction", "nothing_to_swap", "top=strong"),
    ("bribery", "too_few_survivors", "survivors=2,1,1"),
    ("sacrifice", "no_zombie", ""),
    ("surprise", "city_empty", "city=0 zombies=-/fast/-"),
]


@pytest.mark.parametrize(("card", "code", "line"), VOID)
def test_a_card_with_nothing_to_do_is_refused(card: str, code: str, line: str) -> None:  # CIS-11
    assert Scene(f"hands={card}/-/- {line}").refused(f"play {card}") == code


@pytest.mark.parametrize(("card", "code", "line"), VOID)
def test_a_card_with_nothing_to_do_may_be_played_where_the_table_allows_it(card: str, code: str, line: str) -> None:
    scene = Scene(f"hands={card}/-/- {line}", allow_void_play="yes")  # CIS-11 allow_void_play
    survivors = scene.survivors
    scene.do(f"play {card}")
    assert scene.discard == (card,)
    assert "NoEffect" in scene.told
    assert ("Noise" in scene.told) == (card in NOISY), "its noise comes all the same"
    assert (scene.zombies[0] == ("strong",)) == (card in NOISY)
    assert scene.survivors == survivors
    assert scene.pending == Decide("turn", 0)


def test_a_card_that_can_do_something_does_it_also_where_void_plays_are_allowed() -> None:  # CIS-11
    scene = Scene("hands=axe/-/- zombies=fast/-/-", allow_void_play="yes").do("play axe")
    assert scene.legal == ["kill fast"]


def test_the_memory_aid_counts_what_nobody_has_seen() -> None:  # G-03, CIS 4.9
    line = "zombies=fast,strong/-/- top=regular killed=1,0,0,1"
    assert CISZA.memory(Scene(line).state) == {}
    assert CISZA.memory(Scene(line, memory_aid="yes").state) == {"regular": 21, "strong": 11, "fast": 17, "horde": 1}


def test_every_option_of_the_rulings_exists_with_its_default() -> None:
    defaults = {option.name: option.default for option in option_table(CISZA.options_type)}
    assert defaults == {
        "players": 3,
        "driver": "sim",
        "start_survivors": 2,
        "expert": False,
        "allow_void_play": False,
        "drone_without_zombie": False,
        "shotgun_needs_two": False,
        "horde_counts_eliminated": False,
        "mines_any_time": False,
        "final_idle_rounds": 1,
        "memory_aid": False,
    }


@pytest.mark.parametrize("chosen", [{"players": 1}, {"players": 7}, {"start_survivors": 0}, {"expert": "yes"}])
def test_options_out_of_range_are_refused(chosen: dict[str, object]) -> None:
    with pytest.raises(BadOptions):
        CISZA.options(**chosen)


@pytest.mark.parametrize("card", [*RESOURCES, "regular", "strong", "fast", "horde"])
def test_every_card_has_a_name_and_a_rule(card: str) -> None:
    assert len(str(CISZA.rule(card))) > 20
    assert str(CISZA.card(card))
