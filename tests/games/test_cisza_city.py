"""Noise over a calm and an alert city of Cisza, fast zombies, hordes and their chains."""

from __future__ import annotations

from companion.games.cisza import CISZA
from companion.games.game import Decide, Reveal
from companion.games.notation import read_move
from tests.games.cisza_scenes import Scene


def noisy(line: str = "", players: int = 3, **options: object) -> Scene:
    """Player 0 has fired a revolver: noise in a calm city, unless the line says otherwise."""
    others = "/-" * (players - 1)
    scene = Scene(f"hands=revolver{others} zombies=regular{others} {line}", players=players, **options)
    return scene.do("play revolver", "kill regular")


def test_noise_in_a_calm_city_turns_the_top_survivor_over() -> None:  # CIS-30
    scene = noisy()
    city = scene.city
    scene.do("show regular")
    assert (scene.top, scene.city) == ("regular", city)
    assert scene.zombies == ((), (), ())


def test_noise_in_an_alert_city_brings_the_zombie_to_the_shelter() -> None:  # CIS-30
    scene = noisy("top=strong")
    assert scene.zombies == (("strong",), (), ())
    assert scene.top == "none", "the next card isn't turned: one noise never does both"
    assert scene.pending == Decide("turn", 0)


def test_an_alert_zombie_answers_anybodys_next_noise() -> None:  # CIS-30
    scene = noisy("box=rest").do("show strong", "done", "shuffle", "deal revolver")
    assert (scene.turn, scene.top) == (1, "strong")
    scene = Scene("turn=1 hands=-/eviction/- zombies=-/regular/- top=strong").do("play eviction", "target 2")
    assert scene.zombies == ((), ("strong",), ("regular",))


def test_a_fast_zombie_enters_at_once() -> None:  # CIS-31
    scene = noisy()
    city = scene.city
    scene.do("show fast")
    assert scene.zombies == (("fast",), (), ())
    assert (scene.top, scene.city) == ("none", city - 1)
    assert scene.pending == Decide("turn", 0), "the next card isn't turned"


def test_noise_over_an_empty_city_does_nothing() -> None:
    scene = noisy("city=0")
    assert scene.told == ["Killed", "Noise", "Unheard"]
    assert scene.zombies == ((), (), ())


def test_a_horde_is_discarded_and_brings_a_zombie_for_each_player() -> None:  # CIS-32, CIS-33
    scene = noisy().do("show horde")
    assert scene.killed == (1, 0, 0, 1)
    assert scene.pending == Reveal("horde")
    scene.do("show strong", "show regular", "show fast")
    assert scene.pending == Decide("assign", 0), "whoever revealed it sees all and hands them out"
    assert "assign strong 0" in scene.legal
    scene.do("assign strong 1", "assign regular 2")
    assert scene.legal == ["assign fast 0"], "one for each shelter, the own included"
    assert scene.refused("assign fast 1") == "has_one"
    assert scene.refused("assign strong 0") == "not_there"
    scene.do("assign fast 0")
    assert scene.zombies == (("fast",), ("strong",), ("regular",))
    assert scene.pending == Decide("turn", 0)


def test_fast_zombies_of_a_horde_are_only_handed_out() -> None:  # CIS-36
    scene = noisy().do("show horde", "show fast", "show fast", "show fast")
    assert scene.zombies == ((), (), ())
    scene.do("assign fast 1", "assign fast 2", "assign fast 0")
    assert scene.zombies == (("fast",), ("fast",), ("fast",))


def test_each_horde_starts_anew() -> None:  # CIS-33
    scene = Scene("hands=revolver,revolver/-/- zombies=regular,regular/-/-").do("play revolver", "kill regular")
    scene.do("show horde", "show fast", "show fast", "show fast")
    scene.do("assign fast 0", "assign fast 1", "assign fast 2", "play revolver", "kill regular", "show horde")
    scene.do("show fast", "show fast", "show fast")
    assert scene.legal == ["assign fast 0", "assign fast 1", "assign fast 2"]


def test_a_horde_counts_the_living() -> None:  # CIS-32
    scene = noisy("out=3", players=4).do("show horde")
    assert scene.to_draw == 3
    assert scene.do("show fast", "show fast", "show fast").refused("assign fast 3") == "eliminated"
    assert scene.refused("assign fast 4") == "no_such_seat"


def test_a_horde_may_count_everybody_who_began() -> None:  # CIS-32 horde_counts_eliminated
    scene = noisy("out=3", players=4, horde_counts_eliminated="yes").do("show horde")
    assert scene.to_draw == 4
    scene.do("show fast", "show fast", "show fast", "show strong")
    scene.do("assign fast 0", "assign fast 1")
    assert scene.legal == ["assign fast 2", "assign strong 2"], "nobody gets a second before all have one"
    scene.do("assign fast 2")
    assert scene.legal == ["assign strong 0", "assign strong 1", "assign strong 2"]
    scene.do("assign strong 2")
    assert scene.zombies == (("fast",), ("fast",), ("fast", "strong"), ())


def test_a_second_horde_sends_the_others_away_and_is_resolved_again() -> None:  # CIS-34
    scene = noisy().do("show horde", "show strong", "show horde", "show regular")
    assert scene.killed == (1, 0, 0, 2)
    assert scene.pending == Decide("assign", 0)
    assert scene.refused("assign strong 0") == "spared"
    scene.do("assign strong 2", "assign regular 1")
    assert scene.zombies == ((), ("regular",), ("strong",))
    assert scene.pending == Reveal("horde"), "the second horde is resolved in the normal way"
    assert scene.to_draw == 3
    assert scene.refused("show horde") == "misread", "there are only two"
    scene.do("show fast", "show fast", "show regular", "assign fast 0", "assign fast 1", "assign regular 2")
    assert scene.zombies == (("fast",), ("fast", "regular"), ("regular", "strong"))
    assert scene.pending == Decide("turn", 0)


def test_a_second_horde_may_come_first_or_last() -> None:  # CIS-34: all are drawn before any is handed out
    for order in (("horde", "fast", "fast"), ("fast", "fast", "horde")):
        scene = noisy().do("show horde", *(f"show {kind}" for kind in order))
        assert scene.legal == ["assign fast 1", "assign fast 2"]


def test_with_two_players_a_second_horde_leaves_one_zombie_for_the_other() -> None:  # CIS-34
    scene = noisy(players=2).do("show horde", "show horde", "show strong")
    assert scene.legal == ["assign strong 1"]


def test_a_horde_from_a_short_deck_takes_what_is_there() -> None:  # CIS-35
    scene = noisy("city=3").do("show horde")
    assert scene.to_draw == 2
    scene.do("show strong", "show fast")
    assert "FinalAttack" in scene.told, "the deck is empty: checked at once"
    assert len(scene.legal) == 6, "any zombie for any shelter"
    scene.do("assign strong 2")
    assert scene.legal == ["assign fast 0", "assign fast 1"], "at most one for each"
    scene.do("assign fast 1")
    assert scene.zombies == ((), ("fast",), ("strong",))


def test_a_horde_as_the_last_card_is_simply_discarded() -> None:  # CIS-35
    scene = noisy("city=1").do("show horde")
    assert scene.told == ["Flipped", "FinalAttack", "HordeCame"]
    assert scene.final
    assert scene.pending == Decide("turn", 0)


def test_a_short_deck_with_a_second_horde_in_it() -> None:  # CIS-34, CIS-35
    scene = noisy("city=3").do("show horde", "show horde", "show strong")
    assert scene.legal == ["assign strong 1", "assign strong 2"]
    scene.do("assign strong 1")
    assert scene.told == ["Entered", "HordeCame"], "the second one finds an empty city"
    assert scene.pending == Decide("turn", 0)
    alone = noisy("city=2").do("show horde", "show horde")
    assert alone.pending == Decide("turn", 0)
    assert alone.killed == (1, 0, 0, 2)


def test_zombies_that_a_horde_brings_in_phase_one_attack_in_phase_two() -> None:  # CIS-37
    scene = noisy().do("show horde", "show fast", "show fast", "show fast")
    scene.do("assign fast 0", "assign fast 1", "assign fast 2", "done")
    assert scene.survivors == (1, 2, 2)


def test_each_kind_is_as_likely_as_its_unseen_cards() -> None:
    scene = noisy("killed=20,12,17,0 survivors=1,1,1")
    chances = dict(CISZA.chances(scene.state))
    assert chances == {
        read_move(CISZA, "show regular"): 2,
        read_move(CISZA, "show fast"): 1,
        read_move(CISZA, "show horde"): 2,
    }


def test_a_kind_that_has_all_been_seen_is_a_misread() -> None:  # G-11: a thirteenth strong zombie
    scene = noisy("killed=0,12,0,0")
    assert scene.legal == ["show regular", "show fast", "show horde"]
    assert scene.refused("show strong") == "misread"
    assert scene.refused("show axe") == "misread"
