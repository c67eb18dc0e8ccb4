"""Taking the table as it lies: games set up in mid-play from one look, and games that have parted from their table."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from companion.chance import reveal
from companion.games.game import BadState, Over, Reveal
from companion.games.notation import read_state
from companion.table.hosts import HOSTS
from companion.table.scenes import scene
from companion.table.sight import Seen, Sight
from companion.table.state_from_table import in_zones, state_from_table
from companion.table.tabletop import that_must_show
from hardware.panel import Button
from tests.table.fingers import Bench
from tests.table.test_mistakes import perfect_sight

QUIET = {"silencio": {"turn"}, "similo": {"clue", "remove"}, "silentes": {"action"}, "cisza": {"turn"}}
"""When a table can be taken as it lies: nothing is half done."""
OPTIONS: dict[str, dict[str, Any]] = {"silentes": {"drawing": "table"}}


def mid_play(name: str, seed: int) -> Iterator[Any]:
    """The quiet moments of a random game at a table with real cards."""
    host, rng = HOSTS[name], random.Random(f"{name} {seed} believing")
    game = host.game
    state = game.new(game.options(**host.at_table, **OPTIONS.get(name, {})))
    while not isinstance(step := game.pending(state), Over):
        if state.phase in QUIET[name] and getattr(state, "mode", "none") == "none":
            yield state
        legal = [move for move in game.legal(state) if not isinstance(move, game.mishaps)]
        move = reveal(game, state, rng) if isinstance(step, Reveal) else rng.choice(legal)
        state, _ = game.apply(state, move)


def told_of(state: Any) -> dict[str, int]:
    """What people at this table would tell."""
    told = {"turn": getattr(state, "turn", 0), "noise": getattr(state, "noise", 0), "marker": 0}
    seats = range(state.options.players)
    told |= {f"hand-{seat}": len(hand) for seat, hand in enumerate(getattr(state, "hands", ()))}
    told |= {f"survivors-{seat}": count for seat, count in enumerate(getattr(state, "survivors", ()))}
    told |= {f"items-{seat}": len(cards) for seat, cards in enumerate(getattr(state, "provisions", ()))}
    told |= {f"cell-{seat}": cell + 1 for seat, cell in enumerate(getattr(state, "tokens", ()))}
    owners = [seat for seat in seats if getattr(state, "open", None) and state.open[seat]]
    return told | ({"open": owners[0]} if owners else {})


@pytest.mark.parametrize("name", list(HOSTS))
@pytest.mark.parametrize("seed", range(3))
def test_a_game_is_set_up_in_mid_play_from_one_look(name: str, seed: int) -> None:
    host, tried = HOSTS[name], 0
    for state in mid_play(name, seed):
        if name == "silencio" and (state.markers or sum(map(bool, state.open)) > 1):
            continue
        sight, fresh = perfect_sight(name, scene(name, state)), host.game.new(state.options)
        told = told_of(state)
        asked = {one.key for one in host.table.questions(fresh, in_zones(host, sight))}
        assert asked <= told.keys()
        found = state_from_table(host, fresh, sight, {key: told[key] for key in asked})
        tried += 1
        assert host.game.pending(found) == host.game.pending(state)
        wanted, laid = host.table.layout(state), host.table.layout(found)
        for zone in wanted.keys() - host.table.heaps:
            assert sorted(map(str, that_must_show(laid[zone]))) == sorted(map(str, that_must_show(wanted[zone]))), (
                zone,
                state,
            )
    assert tried > 1


def test_a_table_that_cannot_be_is_refused_in_words() -> None:
    host = HOSTS["similo"]
    cards = tuple(Seen(name, "grid", x=at) for at, name in enumerate(("alice", "giant", "jack")))
    with pytest.raises(BadState, match="3 characters and 0 clues"):
        state_from_table(host, host.game.new(host.game.options(driver="table")), Sight(cards), {})


CITY = "cisza players=3 driver=table survivors=2,2,2 zombies=regular/-/- hands=?,?,?/?,?,?/?,?,?"


def parted(bench: Bench) -> None:
    """A table that no rule leads to: zombies have come from nowhere."""
    host = HOSTS["cisza"]
    state = read_state(host.game, CITY)
    bench.box.start_at("cisza", state)
    lies = perfect_sight("cisza", scene("cisza", state))
    bench.see(lies)
    extra = tuple(Seen(f"city-{at}", "shelter-2", 0, "zombie", 300 + at, 400) for at in (24, 25, 36))
    bench.see(Sight((*lies.cards, *extra)))


def test_where_table_and_game_have_parted_the_table_can_be_believed(bench: Bench) -> None:
    parted(bench)
    assert bench.box.shown.proposal.code == "parted"
    bench.press(Button.RIGHT, Button.RIGHT)
    assert str(bench.box.shown.offered) == "take the table as it lies"
    bench.press(Button.CONFIRM)
    asked = []
    while bench.box.shown.chooser is not None:
        asked.append(str(bench.box.shown.offered))
        bench.press(Button.CONFIRM)  # what is likely is under the light already
    assert asked == ["Whose turn is it? 1", *(f"How many survivors has player {n}? 2" for n in (1, 2, 3))]
    assert bench.history.state.zombies == (("regular",), ("fast", "strong", "strong"), ())
    assert [step.kind for step in bench.history.steps] == ["believe"]
    bench.power_cut()
    assert bench.history.state.zombies[1] == ("fast", "strong", "strong")
    assert bench.box.undo()
    assert bench.history.state.zombies == (("regular",), (), ())


def test_who_does_not_want_to_believe_goes_back_and_nothing_has_happened(bench: Bench) -> None:
    parted(bench)
    bench.press(Button.RIGHT, Button.RIGHT, Button.CONFIRM, Button.RIGHT, Button.BACK)
    assert bench.box.shown.chooser is None
    assert bench.history.steps == ()


def test_what_cannot_be_told_is_refused_and_nothing_has_happened(bench: Bench) -> None:
    bench.box.start_at("cisza", read_state(HOSTS["cisza"].game, CITY))
    bench.box.believe()
    assert str(bench.box.shown.complaint) == "The camera doesn't see a table now."
    assert bench.history.steps == ()


def test_a_game_that_was_begun_elsewhere_goes_on_from_the_first_table_that_is_seen(bench: Bench) -> None:
    host = HOSTS["cisza"]
    state = read_state(
        host.game, CITY.replace("zombies=regular/-/-", "zombies=regular/strong,strong/- barriers=mines/-/-")
    )
    bench.box.start("cisza", {"players": 3, "driver": "table"})
    bench.box.believe_first_sight()
    bench.see(Sight(is_unsettled=True))
    assert bench.box.shown.chooser is None
    bench.see(perfect_sight("cisza", scene("cisza", state)))
    while bench.box.shown.chooser is not None:
        bench.press(Button.CONFIRM)
    found = bench.history.state
    assert (found.zombies, found.barriers, found.survivors) == (state.zombies, state.barriers, state.survivors)
    assert found.phase == "turn"


def test_after_a_dead_camera_the_box_reads_what_happened_meanwhile(bench: Bench) -> None:
    host = HOSTS["silencio"]
    state = read_state(host.game, "silencio driver=table hands=?,?,?/?,?,?/?,?,? rows=r4/b3/-/- oracle=y5,g7,b9")
    bench.box.start_at("silencio", state)
    lies = perfect_sight("silencio", scene("silencio", state))
    bench.see(lies)
    bench.box.on_fault("no-camera", True)
    bench.wait(60)
    bench.box.on_fault("no-camera", False)
    laid = (Seen("b7", "blue", x=300, y=180), Seen("g9", "green", x=200, y=380))
    bench.see(Sight((*lies.cards, *laid)))
    assert [type(move).__name__ for move in bench.box.shown.proposal.accepted_moves].count("Play") == 2
    bench.press(Button.CONFIRM)
    assert (bench.history.state.rows[1], bench.history.state.rows[3]) == (("b3", "b7"), ("g9",))
    assert bench.history.state.turn == 2
