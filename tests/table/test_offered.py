"""What the box offers and lights while somebody learns: only what can be picked, and nothing that looks like it."""

from __future__ import annotations

import random

import pytest

from companion.bots.policy import sensible
from companion.bots.simulator import decide
from companion.games.game import Over
from companion.games.notation import read_state
from companion.kits import NAMES
from companion.outputs.panel_frame import frame_of, sign_of
from companion.play import Play
from companion.session.situation import Running, Situation
from companion.table.chooser import Chooser
from companion.table.hosts import HOSTS
from companion.web.eyes.recognised import sides
from tests.table.reader import read

TURN = "silencio players=3 hands=?,?/?,?/?,? turn=0"


def shown(state: str, chooser: Chooser | None = None) -> Situation:
    host = HOSTS["silencio"]
    table = read_state(host.game, f"{state} driver=table")
    running = Running(1, host, Play(host.game, table).history, host.game.view(table, None))
    return Situation(running=running, chooser=chooser)


def options(state: str) -> Chooser:
    host = HOSTS["silencio"]
    return Chooser(host.options(host.game.view(read_state(host.game, f"{state} driver=table"), None)))


@pytest.mark.parametrize("name", NAMES)
def test_a_table_that_needs_to_remember_nothing_is_offered_only_what_the_rules_take(name: str) -> None:
    """Without the memory aid a card that went openly into a hand is offered: to leave it out would tell (G-03)."""
    host = HOSTS[name]
    aid = {"memory_aid": True} if "memory_aid" in host.game.options_type.__struct_fields__ else {}
    for seed in range(4):
        rng = random.Random(seed)
        state = host.game.new(host.game.options(**{**host.at_table, **host.usual, **aid}))
        for _ in range(120):
            if isinstance(host.game.pending(state), Over):
                break
            for move in host.answerable(host.game.view(state, None)):
                host.game.apply(state, move)
            state, _ = host.game.apply(state, decide(host.game, state, sensible, rng))


def test_a_marker_that_waits_for_the_next_card_is_not_lit_with_the_offer_of_a_shrine() -> None:
    end = f"{TURN} rows=r4/-/-/g2 phase=end markers=green lit=large,red"
    moments = [str(moment) for _, moment in frame_of(shown(end)).moments]
    assert [one for one in moments if one.endswith("--")] == ["......-.....-.. .... --"]
    assert any(one.endswith("...~ ..") for one in moments), "the marker stands between"
    picking = Chooser(options(end).nodes)
    assert str(frame_of(shown(end, picking))) == "......#.....-.. .... --"


def test_a_player_is_chosen_at_once_and_the_offer_is_left_at_its_usual_light() -> None:
    swap = f"{TURN} rows=r4/-/-/g4 phase=light effect=swap played=yes"
    chooser = options(swap)
    assert [str(node.pick.label) for node in chooser.nodes] == ["player 1", "player 2", "player 3", "leave the effect"]
    assert not any(node.branches for node in chooser.nodes)
    situation = shown(swap)
    running = situation.running
    assert running is not None
    assert sign_of(situation, running).sign == "whom"
    assert read(frame_of(situation)) == {"whom"}
    assert str(frame_of(shown(swap, chooser.step(1)))) == "o#o.........-.. .... .."
    assert str(frame_of(shown(swap, chooser.step(-1)))) == "ooo.........#.. .... .."


@pytest.mark.parametrize("name", NAMES)
def test_a_list_of_cards_on_the_page_goes_as_the_lights_of_the_panel_do(name: str) -> None:
    host = HOSTS[name]
    listed = [card for card, _ in sides(name, host.game.options(**{**host.at_table, **host.usual}))]
    for cards in host.numbers.values():
        assert [card for card in listed if card in cards] == [card for card in cards if card in listed]
    if name == "similo":
        grid = host.game.new(host.game.options(**{**host.at_table, **host.usual}))
        offered = [node.pick.key for node in host.options(host.game.view(grid, None))]
        assert [card for card in listed if card in offered] == offered
