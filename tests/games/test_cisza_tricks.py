"""Every trick card of Cisza."""

from __future__ import annotations

from companion.games.game import Decide, Reveal
from tests.games.cisza_scenes import Scene


def test_sabotage_destroys_all_barriers_of_another_player() -> None:  # CIS-16
    scene = Scene("hands=sabotage/-/- barriers=alarm/barricade,mines/-").do("play sabotage")
    assert scene.pending == Decide("target", 0)
    assert scene.legal == ["target 1"]
    assert scene.refused("target 0") == "not_another"
    assert scene.refused("target 2") == "no_barriers"
    assert scene.refused("target 7") == "no_such_seat"
    scene.do("target 1")
    assert scene.barriers == (("alarm",), (), ())
    assert scene.discard == ("barricade", "mines", "sabotage")
    assert scene.told == ["Sabotaged", "Noise"], "destroyed mines make no noise of their own"
    assert scene.at == 0, "the noise is at the player who plays it"


def test_sabotage_needs_barriers_of_somebody_else() -> None:  # CIS-16
    assert Scene("hands=sabotage/-/- barriers=alarm/-/-").refused("play sabotage") == "no_barriers"


def test_eviction_exchanges_zombies_and_barriers_but_not_survivors() -> None:  # CIS-17
    scene = Scene("hands=eviction/-/- survivors=1,4,2 zombies=strong,fast/regular/- barriers=-/mines/- top=fast")
    scene.do("play eviction", "target 1")
    assert scene.survivors == (1, 4, 2)
    assert scene.barriers == (("mines",), (), ())
    assert scene.zombies == (("fast", "regular"), ("fast", "strong"), ()), "the noise comes to the new shelter"
    assert scene.top == "none"


def test_eviction_needs_something_on_one_side() -> None:  # CIS-17
    assert Scene("hands=eviction/-/-").refused("play eviction") == "nothing_to_swap"
    scene = Scene("hands=eviction/-/- zombies=-/fast/-").do("play eviction")
    assert scene.legal == ["target 1"]
    assert scene.refused("target 2") == "nothing_to_swap"
    assert Scene("hands=eviction/-/- zombies=fast/-/-").do("play eviction").legal == ["target 1", "target 2"]


def test_bribery_takes_a_survivor_from_a_player_with_more_than_one() -> None:  # CIS-18
    scene = Scene("hands=bribery/-/- survivors=1,2,1").do("play bribery")
    assert scene.legal == ["target 1"]
    assert scene.refused("target 2") == "too_few_survivors"
    scene.do("target 1")
    assert scene.survivors == (2, 1, 1)
    assert scene.pending == Decide("turn", 0), "no noise"
    assert Scene("hands=bribery/-/- survivors=3,1,1").refused("play bribery") == "too_few_survivors"


def test_sacrifice_gives_up_a_survivor_and_sends_all_zombies_away_as_the_player_likes() -> None:  # CIS-19
    scene = Scene("hands=sacrifice/-/- zombies=strong,strong,fast/-/-").do("play sacrifice")
    assert (scene.survivors, scene.fallen) == ((1, 2, 2), 1)
    assert scene.pending == Decide("share", 0)
    assert scene.legal == ["assign fast 1", "assign fast 2", "assign strong 1", "assign strong 2"]
    assert scene.refused("assign strong 0") == "not_another"
    assert scene.refused("assign regular 1") == "not_there"
    assert scene.refused("done") == "not_now"
    scene.do("assign strong 1", "assign strong 1", "assign fast 1")
    assert scene.zombies == ((), ("fast", "strong", "strong"), ())
    assert scene.pending == Decide("turn", 0)


def test_sacrifice_needs_a_zombie_to_send_away() -> None:  # CIS-19
    assert Scene("hands=sacrifice/-/-").refused("play sacrifice") == "no_zombie"


def test_the_last_survivor_can_be_given_up_and_the_shelter_falls_at_the_end_of_phase_two() -> None:  # CIS-19
    scene = Scene("hands=sacrifice,sacrifice/-/- survivors=1,2,2 zombies=fast/-/-")
    scene.do("play sacrifice", "assign fast 2")
    assert scene.survivors[0] == 0
    assert scene.out == ()
    scene.do("done")
    assert scene.out == (0,)
    assert scene.pending == Decide("turn", 1)


def test_a_second_sacrifice_needs_a_survivor_too() -> None:  # CIS-19
    scene = Scene("hands=sacrifice/-/- survivors=0,2,2 zombies=fast/-/-")
    assert scene.refused("play sacrifice") == "no_survivor"


def test_bribery_can_save_a_shelter_that_gave_up_its_last_survivor() -> None:  # CIS-45 tests only the end of phase 2
    scene = Scene("hands=bribery,sacrifice/-/- survivors=1,2,2 zombies=fast/-/-")
    scene.do("play sacrifice", "assign fast 2", "play bribery", "target 1", "done")
    assert scene.survivors == (1, 1, 2)
    assert scene.out == ()


def test_a_drone_takes_a_zombie_and_noise_to_another_shelter() -> None:  # CIS-20, CIS-22
    scene = Scene("hands=drone/-/- zombies=fast,strong/-/- top=regular").do("play drone", "target 2")
    assert scene.pending == Decide("send", 0)
    assert scene.legal == ["send fast", "send strong"]
    assert scene.refused("send regular") == "not_there"
    scene.do("send strong")
    assert scene.told == ["Sent", "Noise", "Entered"]
    assert scene.zombies == (("fast",), (), ("regular", "strong")), "the alert zombie follows the noise"
    assert scene.pending == Decide("turn", 0)


def test_a_drone_over_a_calm_city_turns_the_top_card_for_the_target() -> None:  # CIS-20
    scene = Scene("hands=drone/-/- zombies=strong/-/-").do("play drone", "target 1", "send strong")
    assert scene.pending == Reveal("flip")
    scene.do("show fast")
    assert scene.zombies == ((), ("fast", "strong"), ())
    scene = Scene("hands=drone/-/- zombies=strong/-/-").do("play drone", "target 1", "send strong", "show strong")
    assert scene.top == "strong"
    assert scene.zombies[1] == ("strong",)


def test_a_drone_cannot_fly_only_to_make_noise() -> None:  # CIS-20: the note on the last page
    assert Scene("hands=drone/-/-").refused("play drone") == "no_zombie"
    assert Scene("hands=drone/-/-", allow_void_play="yes").refused("play drone") == "no_zombie"
    assert Scene("hands=drone/-/-", expert="yes").refused("noise drone") == "no_icon"


def test_a_drone_may_fly_without_a_zombie_where_the_table_plays_it_so() -> None:  # CIS-20 drone_without_zombie
    scene = Scene("hands=drone/-/- top=strong", drone_without_zombie="yes").do("play drone", "target 1")
    assert scene.zombies == ((), ("strong",), ())
    empty = Scene("hands=drone/-/- city=0 zombies=-/fast/-", drone_without_zombie="yes")
    assert empty.refused("play drone") == "no_zombie"


def test_a_horde_found_by_a_drone_is_dealt_out_by_the_player_who_flew_it() -> None:  # CIS-20
    scene = Scene("hands=drone/-/- zombies=strong/-/-").do("play drone", "target 1", "send strong", "show horde")
    scene.do("show fast", "show fast", "show regular")
    assert scene.pending == Decide("assign", 0)


def test_a_surprise_sends_an_own_zombie_and_the_top_card() -> None:  # CIS-21
    scene = Scene("hands=surprise/-/- zombies=fast,strong/-/-").do("play surprise", "target 1", "send strong")
    assert scene.pending == Reveal("flip")
    scene.do("show regular")
    assert scene.zombies == (("fast",), ("regular", "strong"), ())
    assert scene.top == "none", "the card went to the shelter, it didn't stay alert"
    assert scene.pending == Decide("turn", 0), "no noise"


def test_a_surprise_takes_the_alert_zombie_along() -> None:  # CIS-21
    scene = Scene("hands=surprise/-/- top=fast").do("play surprise", "target 2")
    assert scene.told == ["Entered"]
    assert scene.zombies == ((), (), ("fast",))
    assert scene.pending == Decide("turn", 0)


def test_half_a_surprise_is_enough() -> None:  # CIS-21
    scene = Scene("hands=surprise/-/-").do("play surprise", "target 1", "show fast")
    assert scene.zombies[1] == ("fast",)
    scene = Scene("hands=surprise/-/- city=0 zombies=fast/-/-").do("play surprise", "target 1", "send fast")
    assert scene.zombies[1] == ("fast",)
    assert scene.pending == Decide("turn", 0)
    scene = Scene("hands=surprise/-/- city=0 zombies=-/fast/-")
    assert scene.refused("play surprise") == "city_empty"


def test_a_horde_found_by_a_surprise_is_resolved_instead_and_the_own_zombie_still_goes() -> None:  # CIS-21
    scene = Scene("hands=surprise/-/- zombies=strong/-/-").do("play surprise", "target 1", "send strong", "show horde")
    assert scene.zombies == ((), ("strong",), ())
    scene.do("show regular", "show regular", "show fast")
    assert scene.pending == Decide("assign", 0)
    scene.do("assign fast 0", "assign regular 1", "assign regular 2")
    assert scene.zombies == (("fast",), ("regular", "strong"), ("regular",))
    assert scene.killed == (0, 0, 0, 1)
    assert scene.pending == Decide("turn", 0)


def test_tricks_are_for_living_players_only() -> None:  # CIS-23
    scene = Scene("players=4 out=2 hands=surprise/-/-/-").do("play surprise")
    assert scene.legal == ["target 1", "target 3"]
    assert scene.refused("target 2") == "eliminated"
