"""What a sight of the table means: one legal reading, several, or none with its reason. Pure, without pictures."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.game import Show
from companion.games.notation import read_state, write_move
from companion.table.explain import explain
from companion.table.host import Host
from companion.table.hosts import HOSTS
from companion.table.sight import Proposal, Seen, Sight

GRID = "alice,big-bad-wolf,cinderella,dorothy,giant,hunter,jack,king-arthur,peter-pan,pinocchio,robin-hood,snow-white"
CLUE = f"similo driver=table characters_left={GRID} hand=?,?,?,?,?"


def proposed(state: str, *cards: Seen) -> tuple[list[str], str]:
    """The moves a sight may mean, and the code of a complaint."""
    host = HOSTS[state.split()[0]]
    found = explain(host, read_state(host.game, state), Sight(cards)).proposal
    return [write_move(move) for move in found.asked or found.clear], found.code


def meant(host: Host[Any], state: Any, sight: Sight) -> Proposal:
    return explain(host, state, sight).proposal


def laid(names: str, zone: str, **more: Any) -> list[Seen]:
    return [Seen(name, zone=zone, **more) for name in names.split(",")]


def test_similo_reads_the_whole_grid_at_once() -> None:
    host = HOSTS["similo"]
    state = host.game.new(host.game.options(driver="table"))
    found = meant(host, state, Sight(tuple(laid(GRID, "grid"))))
    assert found.clear == tuple(Show(name) for name in sorted(GRID.split(",")))
    one_short = Sight(tuple(laid(GRID, "grid")[:11]))
    assert meant(host, state, one_short).clear == ()
    unreadable = Sight((*laid(GRID, "grid")[:11], Seen("", zone="grid")))
    assert meant(host, state, unreadable).code == "misread"


@pytest.mark.parametrize(
    ("turn", "ways"),
    [
        (0.0, ["similar"]),
        (180.0, ["similar"]),
        (25.0, ["similar"]),
        (90.0, ["different"]),
        (270.0, ["different"]),
        (65.0, ["different"]),
        (45.0, ["similar", "different"]),
        (-40.0, ["similar", "different"]),
    ],
)
def test_similo_a_clue_is_judged_by_its_angle_and_asked_about_in_doubt(turn: float, ways: list[str]) -> None:  # SIM-11
    moves, _ = proposed(CLUE, *laid(GRID, "grid"), Seen("aladdin", zone="clues", turn=turn))
    assert moves == [f"clue aladdin {way}" for way in ways]


def test_similo_a_card_of_the_grid_cannot_be_a_clue() -> None:
    assert proposed(CLUE, Seen("alice", zone="clues")) == ([], "misread")


def test_a_card_that_is_read_twice_is_refused_with_the_place_where_it_lies() -> None:
    similo, silencio = HOSTS["similo"], HOSTS["silencio"]
    twice = Sight((*laid(GRID, "grid")[:11], Seen("alice", zone="grid")))
    found = meant(similo, similo.game.new(similo.game.options(driver="table")), twice)
    assert (found.code, str(found.complaint)) == ("misread", "Alice lies in the grid already.")
    found = meant(similo, read_state(similo.game, CLUE), Sight((Seen("alice", zone="clues"),)))
    assert str(found.complaint) == "Alice lies in the grid already."
    rows = read_state(silencio.game, "silencio driver=table hands=?,?/?/? rows=r4/-/-/- oracle=b7")
    found = meant(silencio, rows, Sight((Seen("r4", zone="red"), Seen("b7", zone="blue"))))
    assert str(found.complaint) == "blue 7 lies in the Oracle already."


def test_similo_counts_what_is_gone() -> None:
    state = CLUE + " phase=remove round=1 clues=aladdin:similar,genie:different removed=tinker-bell"
    state = state.replace("alice,", "")
    left = GRID.replace("alice,", "").split(",")
    assert proposed(state, *laid(",".join(left[1:]), "grid")) == ([], "")
    assert proposed(state, *laid(",".join(left[2:]), "grid")) == (["remove big-bad-wolf,cinderella"], "")
    assert proposed(state, *laid(",".join(left[3:]), "grid")) == ([], "wrong_number")


CITY = "cisza players=2 driver=table survivors=2,2 hands=?,?,?/?,?,?"


def test_cisza_proposes_a_card_on_the_play_spot_and_says_when_it_has_nothing_to_do() -> None:
    assert proposed(CITY, Seen("walkie", zone="play")) == (["play walkie"], "")
    assert proposed(CITY, Seen("axe", zone="play")) == ([], "no_effect")
    both = CITY.replace("players=2", "players=2 expert=yes")
    assert proposed(both, Seen("megaphone", zone="play")) == (["play megaphone", "noise megaphone"], "")


def test_two_new_cards_at_once_are_refused() -> None:
    assert proposed(CITY, *laid("walkie,megaphone", "play")) == ([], "two_cards")
    assert proposed(CLUE, *laid(GRID, "grid"), *laid("aladdin,genie", "clues")) == ([], "two_cards")


def test_cisza_reads_the_kind_of_a_zombie_from_its_card() -> None:
    state = CITY + " phase=flip card=megaphone at=0 mode=play"
    assert proposed(state, Seen("city-07", zone="city", face="zombie")) == (["show regular"], "")
    assert proposed(state, Seen("city-30", zone="city", face="zombie")) == (["show strong"], "")
    assert proposed(state, Seen("city-30", zone="city", face="survivor")) == ([], "")
