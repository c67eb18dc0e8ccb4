"""Cisza's phase 2: attack, barriers, losses and elimination."""

from __future__ import annotations

from companion.games.cisza.records import Attacked
from companion.games.game import Decide, Over, Reveal
from tests.games.cisza_scenes import Scene


def test_each_zombie_kills_one_survivor_and_stays() -> None:  # CIS-40
    scene = Scene("survivors=3,2,2 zombies=strong,fast/regular/-").do("done")
    assert scene.events[0] == Attacked(seat=0, attackers=2, stopped=0, lost=2)
    assert (scene.survivors, scene.fallen) == ((1, 2, 2), 2)
    assert scene.zombies == (("fast", "strong"), ("regular",), ()), "they may attack again; others' don't attack now"


def test_surplus_attacks_are_lost() -> None:  # CIS-40
    scene = Scene("players=2 survivors=1,2 zombies=fast,fast,fast/-").do("done")
    assert scene.survivors == (0, 2)
    assert scene.fallen == 1


def test_barriers_are_used_only_in_the_own_attack_phase_and_only_if_wanted() -> None:  # CIS-41
    scene = Scene("zombies=fast/-/- barriers=barricade/mines/-")
    assert scene.refused("barrier barricade") == "wrong_window"
    scene.do("done")
    assert scene.pending == Decide("attack", 0)
    assert scene.legal == ["barrier barricade", "done"]
    assert scene.refused("barrier mines") == "no_such_barrier"
    assert scene.refused("barrier mines seat=1") == "wrong_window"
    assert scene.refused("barrier mines seat=9") == "no_such_seat"
    scene.do("done")
    assert scene.survivors == (1, 2, 2)
    assert scene.barriers[0] == ("barricade",)


def test_a_barrier_set_up_this_turn_counts() -> None:  # CIS-41
    scene = Scene("hands=barricade/-/- zombies=fast/-/-").do("play barricade", "done", "barrier barricade")
    assert scene.survivors == (2, 2, 2)


def test_a_barricade_stops_one_zombie_which_stays() -> None:  # CIS-42
    scene = Scene("zombies=fast,strong/-/- barriers=barricade,barricade/-/-").do("done", "barrier barricade")
    assert scene.discard == ("barricade",)
    assert scene.pending == Decide("attack", 0)
    scene.do("done")
    assert scene.events[0] == Attacked(seat=0, attackers=2, stopped=1, lost=1)
    assert scene.zombies[0] == ("fast", "strong")


def test_the_rulebooks_picture_two_barricades_against_three_zombies() -> None:  # page on phase 2: A, B, C
    scene = Scene("survivors=3,2,2 zombies=fast,regular,strong/-/- barriers=barricade,barricade/-/-")
    scene.do("done", "barrier barricade", "barrier barricade")
    assert scene.survivors == (2, 2, 2)
    assert len(scene.zombies[0]) == 3


def test_mines_eliminate_up_to_two_zombies_of_any_kind_before_they_attack() -> None:  # CIS-42
    scene = Scene("zombies=fast,regular,strong/-/- barriers=mines/-/-").do("done", "barrier mines")
    assert scene.pending == Decide("kill", 0)
    assert scene.legal == ["kill fast", "kill regular", "kill strong"]
    scene.do("kill strong")
    assert scene.legal == ["kill fast", "kill regular", "done"]
    scene.do("kill fast")
    assert scene.told == ["Killed", "Noise"]
    scene.do("show regular")
    assert scene.survivors == (1, 2, 2), "the third one attacks"
    assert scene.killed == (0, 1, 1, 0)


def test_mines_may_eliminate_only_one() -> None:  # CIS-42: up to two
    scene = Scene("zombies=fast,strong/-/- barriers=mines/-/-").do("done", "barrier mines", "kill strong", "done")
    assert scene.pending == Reveal("flip")
    assert scene.zombies[0] == ("fast",)
    scene = Scene("zombies=fast/-/- barriers=mines/-/-").do("done", "barrier mines", "kill fast")
    assert scene.pending == Reveal("flip"), "nobody else to hit"


def test_an_alarm_calls_the_whole_attack_off() -> None:  # CIS-42
    scene = Scene("zombies=fast,strong/-/- barriers=alarm,mines/-/-").do("done", "barrier alarm", "show regular")
    assert scene.survivors == (2, 2, 2)
    assert scene.zombies[0] == ("fast", "strong")
    assert scene.barriers[0] == ("mines",), "the phase is skipped, with whatever else could have been used"
    assert "AttackSkipped" in scene.told
    assert scene.pending == Reveal("draw", 0)


def test_a_zombie_brought_by_an_alarm_or_mines_attacks_only_next_round() -> None:  # CIS-37, CIS-43
    scene = Scene("hands=axe,axe,axe/-/- zombies=strong/-/- barriers=alarm/-/- top=fast").do("done", "barrier alarm")
    assert scene.zombies[0] == ("fast", "strong")
    assert scene.survivors == (2, 2, 2)
    scene = Scene("hands=axe,axe,axe/-/- zombies=strong/-/- barriers=mines/-/- top=fast")
    scene.do("done", "barrier mines", "kill strong")
    assert scene.zombies[0] == ("fast",)
    assert scene.survivors == (2, 2, 2)
    assert scene.fresh == ()


def test_a_newcomer_waits_while_the_others_attack() -> None:  # CIS-43
    scene = Scene("hands=axe,axe,axe/-/- survivors=3,2,2 zombies=fast,fast,fast/-/- barriers=mines,barricade/-/-")
    scene.do("done", "barrier mines", "kill fast", "kill fast", "show fast")
    assert scene.fresh == ("fast",)
    assert scene.legal == ["barrier barricade", "done"]
    scene.do("barrier barricade")
    assert scene.survivors == (3, 2, 2), "one attacker stopped, the newcomer waits"
    assert scene.zombies[0] == ("fast", "fast")


def test_a_barricade_is_not_for_newcomers() -> None:  # CIS-44
    scene = Scene("hands=axe,axe,axe/-/- zombies=strong/-/- barriers=barricade,mines,mines/-/- top=fast")
    scene.do("done", "barrier mines", "kill strong")
    assert scene.refused("barrier barricade") == "nothing_to_stop"
    assert scene.legal == ["barrier mines", "done"], "mines hit whoever is there"
    scene.do("barrier mines", "kill fast", "show strong")
    assert scene.zombies[0] == ()


def test_zombies_that_a_barriers_horde_brings_wait_too() -> None:  # CIS-37
    scene = Scene("hands=axe,axe,axe/-/- zombies=strong/-/- barriers=mines/-/-")
    scene.do("done", "barrier mines", "kill strong", "show horde", "show fast", "show fast", "show fast")
    scene.do("assign fast 0", "assign fast 1", "assign fast 2")
    assert scene.survivors == (2, 2, 2)
    assert scene.zombies == (("fast",), ("fast",), ("fast",))
    scene.do("done", "deal drone", "deal drone", "deal drone")
    assert scene.survivors == (2, 1, 2), "in their own phase they attack"


def test_barriers_are_not_asked_about_without_zombies() -> None:  # CIS-44
    scene = Scene("hands=axe,axe,axe/-/- barriers=alarm,barricade,mines/-/-").do("done")
    assert scene.pending == Decide("turn", 1)
    assert len(scene.barriers[0]) == 3


def test_a_barricade_has_nothing_to_do_when_all_are_stopped() -> None:  # CIS-44
    scene = Scene("zombies=fast/-/- barriers=alarm,barricade,barricade/-/-").do("done", "barrier barricade")
    assert scene.refused("barrier barricade") == "nothing_to_stop"
    assert scene.legal == ["barrier alarm", "done"]


def test_a_player_without_survivors_is_out_and_the_neighbours_get_the_zombies() -> None:  # CIS-45
    scene = Scene(
        "players=4 turn=1 survivors=2,1,2,2 zombies=-/fast,strong,strong/-/fast hands=-/axe,drone/-/- "
        "barriers=-/barricade/-/-"
    ).do("done", "done")
    assert scene.out == (1,)
    assert scene.discard == ("axe", "barricade", "drone")
    assert (scene.hands[1], scene.barriers[1]) == ((), ())
    assert scene.told == ["Attacked", "Eliminated"]
    assert scene.pending == Decide("pass_on", 1)
    assert scene.legal == ["assign fast 2", "assign fast 0", "assign strong 2", "assign strong 0"]
    assert scene.refused("assign fast 3") == "not_neighbour"
    assert scene.refused("assign regular 0") == "not_there"
    assert scene.refused("assign fast 1") == "eliminated"
    scene.do("assign strong 0", "assign strong 0", "assign fast 2")
    assert scene.zombies == (("strong", "strong"), (), ("fast",), ("fast",))
    assert scene.pending == Decide("turn", 2)


def test_all_zombies_may_go_to_one_side() -> None:  # CIS-45
    scene = Scene("survivors=1,2,2 zombies=fast,strong/-/-").do("done", "assign fast 1", "assign strong 1")
    assert scene.zombies == ((), ("fast", "strong"), ())


def test_zombies_skip_neighbours_who_are_out() -> None:  # CIS-45: the next living player
    scene = Scene("players=5 turn=2 out=1,3 survivors=2,0,1,0,2 zombies=-/-/fast/-/-").do("done")
    assert scene.legal == ["assign fast 4", "assign fast 0"]


def test_received_zombies_attack_in_the_receivers_phase() -> None:  # CIS-48
    scene = Scene("survivors=1,2,2 zombies=fast/-/-").do("done", "assign fast 1")
    assert scene.survivors == (0, 2, 2)
    scene.do("done")
    assert scene.survivors == (0, 1, 2)


def test_an_alarm_does_not_save_a_shelter_without_survivors() -> None:  # CIS-46
    scene = Scene("survivors=0,2,2 zombies=fast/-/- barriers=alarm/-/-").do("done", "barrier alarm", "show strong")
    assert scene.out == (0,)
    assert scene.pending == Decide("pass_on", 0)


def test_with_two_players_left_an_elimination_ends_the_game() -> None:  # CIS-45, CIS-47
    scene = Scene("players=2 survivors=1,1 zombies=fast,fast/fast").do("done")
    assert scene.pending == Over("last_shelter", (1,), (0, 1))
    assert scene.legal == []
    assert scene.refused("done") == "not_now"


def test_mines_at_any_time_go_off_between_cards() -> None:  # CIS-41 mines_any_time
    line = "hands=axe,drone/-/- zombies=fast,strong/strong/- barriers=mines/mines/-"
    assert "barrier mines" not in Scene(line).legal
    scene = Scene(line, mines_any_time="yes")
    assert "barrier mines" in scene.legal
    scene.do("barrier mines", "kill strong", "done", "show fast")
    assert scene.zombies[0] == ("fast", "fast")
    assert scene.mode == "none", "using mines is neither playing nor discarding"
    assert scene.fresh == ("fast",), "what mines bring doesn't attack now"
    scene.do("discard axe", "done")
    assert scene.survivors == (1, 2, 2)


def test_mines_at_any_time_belong_to_their_owner_also_in_others_turns() -> None:  # CIS-41 mines_any_time
    scene = Scene("hands=axe/-/- zombies=-/strong/- barriers=-/mines/mines", mines_any_time="yes")
    assert scene.refused("barrier mines seat=2") == "nothing_to_stop"
    assert scene.refused("barrier mines") == "no_such_barrier"
    assert scene.refused("barrier mines seat=0") == "no_such_seat"
    scene.do("barrier mines seat=1")
    assert scene.pending == Decide("kill", 1)
    scene.do("kill strong", "show fast")
    assert scene.zombies == ((), ("fast",), ()), "the noise is at the owner"
    assert scene.pending == Decide("turn", 0)


def test_the_first_players_mines_in_another_turn() -> None:  # CIS-41 mines_any_time
    scene = Scene("turn=1 zombies=fast/strong/- barriers=mines/-/- top=strong", mines_any_time="yes")
    scene.do("barrier mines seat=0")
    assert scene.pending == Decide("kill", 0)
    assert scene.legal == ["kill fast"]
    scene.do("kill fast")
    assert scene.zombies == (("strong",), ("strong",), ())


def test_others_mines_in_an_attack_window() -> None:  # CIS-41 mines_any_time
    line = "zombies=fast/strong/- barriers=barricade/mines/-"
    scene = Scene(line, mines_any_time="yes").do("done")
    assert scene.legal == ["barrier barricade", "barrier mines seat=1", "done"]
    scene.do("barrier mines seat=1", "kill strong", "show regular")
    assert scene.pending == Decide("attack", 0)


def test_zombies_that_come_by_an_eviction_are_no_newcomers() -> None:  # CIS-17, CIS-43
    line = "hands=eviction/-/- zombies=strong/fast/- barriers=mines/-/-"
    scene = Scene(line, mines_any_time="yes").do("barrier mines", "kill strong", "show fast")
    assert scene.fresh == ("fast",)
    scene.do("play eviction", "target 1", "show regular", "done")
    assert scene.zombies == (("fast",), ("fast",), ())
    assert scene.survivors == (1, 2, 2)


def test_of_newcomers_and_attackers_alike_the_attacker_goes_first() -> None:  # CIS-41, CIS-43
    scene = Scene("hands=axe/-/- zombies=fast,strong/-/- barriers=mines/-/-", mines_any_time="yes")
    scene.do("barrier mines", "kill strong", "done", "show fast", "play axe", "kill fast")
    assert scene.fresh == ("fast",)
    scene.do("done")
    assert scene.survivors == (2, 2, 2)
    scene = Scene("hands=axe/-/- zombies=strong,strong/-/- barriers=mines/-/-", mines_any_time="yes")
    scene.do("barrier mines", "kill strong", "done", "show fast", "play axe", "kill fast")
    assert scene.fresh == ()
    scene.do("done")
    assert scene.survivors == (1, 2, 2)
