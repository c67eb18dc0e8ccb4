"""Printed tokens that several games share: who begins, whose turn it is, which was the secret."""

from __future__ import annotations

import random

import pytest

from companion.games.notation import read_state, write_move
from companion.kits import KITS
from companion.session.session import Session
from companion.table.explain import explain
from companion.table.hosts import HOSTS
from companion.table.scenes import scene
from companion.table.sight import Seen, Sight, ZonedToken
from companion.table.tabletop import SHARED_TOKENS
from tests.table.fingers import Bench
from tests.table.test_explain import GRID, MAP, ROWS
from tests.table.test_mistakes import perfect_sight
from vision.tokens import FIRST

CITY = "cisza players=3 driver=table phase=start started=no survivors=2,2,2 hands=?,?,?/?,?,?/?,?,?"
BEGIN = f"silentes drawing=table phase=first map={MAP} tokens=0,5 hands=?,?,?,?,?/?,?,?,?,?"
ORACLE = "silencio driver=table phase=start started=no hands=?,?,?/?,?,?/?,?,? oracle=y5,g7,b9"
WHICH = (
    f"similo driver=table phase=which characters_left={GRID.removeprefix('alice,')} taken=alice "
    "hand=?,?,?,?,? clues=aladdin:similar count=1"
)


def found(line: str, *tokens: ZonedToken, cards: tuple[Seen, ...] = ()) -> list[str]:
    host = HOSTS[line.split()[0]]
    state = read_state(host.game, line)
    lies = perfect_sight(host.game.name, scene(host.game.name, state))
    sight = Sight((*lies.cards, *cards), tokens=(*lies.tokens, *tokens))
    return [write_move(move) for move in explain(host, host.game.view(state, None), sight).proposal.accepted_moves]


def test_every_token_of_a_game_has_its_own_number_apart_from_the_corners() -> None:
    for kit in KITS.values():
        assert min(kit.tokens, default=FIRST) >= FIRST
        assert len(set(kit.tokens.values())) == len(kit.tokens)
        for number, name in SHARED_TOKENS.items():
            assert kit.tokens.get(number, name) == name


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_start_token_in_a_shelter_says_who_begins_in_cisza(seat: int) -> None:
    assert found(CITY, ZonedToken("start", f"shelter-{seat + 1}")) == [f"start {seat}"]


@pytest.mark.parametrize("seat", [0, 1])
def test_the_start_token_before_a_player_says_who_begins_in_silentes(seat: int) -> None:
    assert found(BEGIN, ZonedToken("start", f"played-{seat + 1}")) == [f"first {seat}"]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_start_token_on_a_players_number_says_who_begins_in_silencio(seat: int) -> None:
    assert KITS["silencio"].tokens[17] == "start"
    assert found(ORACLE, ZonedToken("start", f"begins-{seat + 1}"))[0] == f"start {seat}"


def test_nobody_begins_without_a_token() -> None:
    assert found(CITY) == found(BEGIN) == found(ORACLE) == []


def test_the_secret_token_on_a_card_says_which_was_the_secret_once_it_is_lost() -> None:
    gone = Seen("alice", "removed", x=400, y=100)
    assert found(WHICH, cards=(gone,)) == []
    assert found(WHICH, ZonedToken("secret", "removed", 410, 110), cards=(gone,)) == ["secret alice"]


def test_a_secret_token_means_nothing_while_the_secret_is_one() -> None:
    line = f"similo driver=table characters_left={GRID} hand=?,?,?,?,?"
    assert found(line, ZonedToken("secret", "grid", 78, 88)) == []


def test_who_passes_the_turn_token_on_has_ended_the_turn(bench: Bench) -> None:
    session = Session(HOSTS, bench.journal, bench.clock, random.Random(1), confirm="doubt")
    bench.box = session
    host = HOSTS["silencio"]
    state = read_state(host.game, ROWS)
    session.start_at("silencio", state)
    lies = perfect_sight("silencio", scene("silencio", state))
    here, there = (ZonedToken("turn", "", x, 560) for x in (60, 500))
    played = (*lies.cards, Seen("b7", "blue", x=300, y=200))
    bench.see(Sight(lies.cards, tokens=(here,)))
    bench.see(Sight(played, tokens=(here,)))
    bench.wait(3)
    assert bench.history.notation == ("play b7",)
    bench.see(Sight(played, tokens=(there,)))
    bench.wait(3)
    assert bench.history.state.turn == 1
