"""Every weapon, rescue and barrier card of Cisza."""

from __future__ import annotations

import pytest

from companion.games.game import Decide, Reveal
from tests.games.cisza_scenes import Scene


@pytest.mark.parametrize("zombie", ["regular", "fast"])
def test_an_axe_eliminates_a_regular_or_fast_zombie_without_noise(zombie: str) -> None:  # CIS-14
    scene = Scene(f"hands=axe/-/- zombies={zombie},strong/-/-").do("play axe")
    assert scene.pending == Decide("kill", 0)
    assert scene.legal == [f"kill {zombie}"]
    scene.do(f"kill {zombie}")
    assert scene.zombies[0] == ("strong",)
    assert sum(scene.killed) == 1
    assert scene.discard == ("axe",)
    assert scene.pending == Decide("turn", 0), "no noise"


@pytest.mark.parametrize("weapon", ["axe", "revolver"])
def test_a_strong_zombie_withstands_axe_and_revolver(weapon: str) -> None:  # CIS-14
    scene = Scene(f"hands={weapon}/-/- zombies=strong/regular/-")
    assert scene.refused(f"play {weapon}") == "no_target", "only zombies in the own shelter count"
    scene = Scene(f"hands={weapon}/-/- zombies=regular,strong/-/-").do(f"play {weapon}")
    assert scene.refused("kill strong") == "wrong_zombie"
    assert scene.refused("kill fast") == "not_there"


def test_a_revolver_eliminates_one_and_makes_noise() -> None:  # CIS-14
    scene = Scene("hands=revolver/-/- zombies=fast,regular/-/-").do("play revolver")
    assert scene.legal == ["kill fast", "kill regular"]
    scene.do("kill fast")
    assert scene.told == ["Killed", "Noise"]
    assert scene.pending == Reveal("flip")
    scene.do("show strong")
    assert scene.top == "strong"
    assert scene.zombies[0] == ("regular",)


def test_a_shotgun_eliminates_one_strong_zombie() -> None:  # CIS-14
    scene = Scene("hands=shotgun/-/- zombies=regular,strong,strong/-/-").do("play shotgun", "kill strong")
    assert scene.zombies[0] == ("regular", "strong")
    assert scene.pending == Reveal("flip"), "after a strong one there is no second target, only noise"


def test_a_shotgun_eliminates_up_to_two_weak_zombies() -> None:  # CIS-14
    scene = Scene("hands=shotgun/-/- zombies=fast,regular,regular,strong/-/-").do("play shotgun", "kill regular")
    assert scene.pending == Decide("kill_more", 0)
    assert scene.legal == ["kill fast", "kill regular", "done"]
    assert scene.refused("kill strong") == "wrong_zombie"
    assert scene.refused("kill_top") == "wrong_zombie"
    scene.do("kill fast")
    assert scene.zombies[0] == ("regular", "strong")
    assert scene.pending == Reveal("flip")


def test_one_weak_zombie_is_enough_for_a_shotgun() -> None:  # CIS-14
    scene = Scene("hands=shotgun/-/- zombies=fast/-/-").do("play shotgun", "kill fast")
    assert scene.pending == Reveal("flip")
    scene = Scene("hands=shotgun/-/- zombies=fast,fast/-/-").do("play shotgun", "kill fast", "done")
    assert scene.zombies[0] == ("fast",)
    assert scene.pending == Reveal("flip")


def test_a_shotgun_that_needs_two_must_hit_two_weak_zombies() -> None:  # CIS-14 shotgun_needs_two
    assert Scene("hands=shotgun/-/- zombies=fast/-/-", shotgun_needs_two="yes").refused("play shotgun") == "no_target"
    scene = Scene("hands=shotgun/-/- zombies=fast,strong/-/-", shotgun_needs_two="yes").do("play shotgun")
    assert scene.legal == ["kill strong"]
    assert scene.refused("kill fast") == "needs_two"
    scene = Scene("hands=shotgun/-/- zombies=fast,regular/-/-", shotgun_needs_two="yes").do("play shotgun", "kill fast")
    assert scene.legal == ["kill regular"]
    assert scene.refused("done") == "needs_two"


@pytest.mark.parametrize("zombie", ["regular", "strong", "fast"])
def test_a_sniper_rifle_eliminates_any_zombie_in_the_shelter_silently(zombie: str) -> None:  # CIS-14
    scene = Scene(f"hands=sniper/-/- zombies={zombie}/-/-").do("play sniper")
    assert scene.refused("kill_top") == "not_there"
    scene.do(f"kill {zombie}")
    assert scene.zombies[0] == ()
    assert scene.pending == Decide("turn", 0)


def test_a_sniper_rifle_reaches_the_top_of_the_city() -> None:  # CIS-14
    scene = Scene("hands=sniper/-/- top=strong")
    city = scene.city
    scene.do("play sniper")
    assert scene.legal == ["kill_top"]
    scene.do("kill_top")
    assert (scene.top, scene.city, scene.killed) == ("none", city - 1, (0, 1, 0, 0))
    assert Scene("hands=sniper/-/-").refused("play sniper") == "no_target", "a survivor is no target"


def test_a_walkie_talkie_calls_one_survivor_silently() -> None:  # CIS-15
    scene = Scene("hands=walkie/-/-")
    city = scene.city
    scene.do("play walkie")
    assert (scene.survivors, scene.city) == ((3, 2, 2), city - 1)
    assert scene.pending == Decide("turn", 0)


def test_a_flare_calls_two_survivors_and_makes_noise() -> None:  # CIS-15
    scene = Scene("hands=flare/-/-").do("play flare")
    assert scene.survivors == (4, 2, 2)
    assert scene.pending == Reveal("flip")


def test_a_flare_with_one_survivor_left_takes_one() -> None:  # CIS-15
    scene = Scene("hands=flare/-/- city=1").do("play flare")
    assert scene.survivors == (3, 2, 2)
    assert scene.told == ["Played", "Rescued", "FinalAttack", "Noise", "Unheard"]
    assert scene.pending == Decide("turn", 0)


@pytest.mark.parametrize("rescue", ["walkie", "flare", "megaphone"])
def test_nobody_is_rescued_while_a_zombie_stands_on_the_city(rescue: str) -> None:  # CIS-15
    scene = Scene(f"hands={rescue}/-/- top=regular")
    assert scene.refused(f"play {rescue}") == "zombie_on_top"
    assert Scene(f"hands={rescue}/-/- city=0 zombies=fast/-/-").refused(f"play {rescue}") == "city_empty"


@pytest.mark.parametrize("barrier", ["barricade", "alarm", "mines"])
def test_a_barrier_is_set_up_without_noise_and_stays(barrier: str) -> None:  # CIS-11: always playable
    scene = Scene(f"hands={barrier}/-/- top=regular").do(f"play {barrier}")
    assert scene.barriers[0] == (barrier,)
    assert scene.discard == ()
    assert scene.top == "regular", "its noise comes when it is used"
    assert scene.refused(f"barrier {barrier}") == "wrong_window"
