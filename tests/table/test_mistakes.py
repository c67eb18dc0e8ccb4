"""The demo hand's mistakes: what the rules refuse is refused with a reason, and put right nothing is left of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from companion.games.game import option_table
from companion.games.notation import read_state
from companion.kits import KITS
from companion.kits.cisza.tabletop import KIND_OF
from companion.table.explain import TableSearch
from companion.table.host import Host
from companion.table.hosts import HOSTS
from companion.table.mistakes import TOLD, TOO_MANY, TWO, WRONG_CARD, WRONG_ROW, WRONG_WAY, refused_tables
from companion.table.proposal import NOTHING, Proposal
from companion.table.scenes import least_moved, scene
from companion.table.sight import Seen, Sight, ZonedToken
from vision.simulated import LaidCard, Scene

KINDS = {
    "silencio": {WRONG_CARD, WRONG_WAY, WRONG_ROW},
    "similo": {WRONG_CARD, TWO, TOO_MANY},
    "silentes": {WRONG_CARD},
    "cisza": {WRONG_CARD},
}


def perfect_sight(game: str, table: Scene) -> Sight:
    """What an eye that never errs sees of a scene."""
    layout = KITS[game].layout
    cards = (
        Seen(card.card, layout.zone_at(card.x, card.y), card.turn, card.face, card.x, card.y)
        for card in table.cards
        if not card.card.startswith(("marker-", "token-"))
    )
    tokens = (
        ZonedToken(card.card.removeprefix("token-"), layout.zone_at(card.x, card.y), card.x, card.y)
        for card in table.cards
        if card.card.startswith("token-")
    )
    return Sight(tuple(cards), tokens=tuple(tokens))


def meant(host: Host[Any], state: Any, sight: Sight, before: Sight) -> Proposal:
    """What a sight means, after one before it."""
    inquiry = TableSearch(host, state, sight, sight_before=before)
    while not inquiry.run():
        pass
    assert inquiry.result is not None
    return inquiry.result.proposal


def states(name: str, games: int) -> Iterator[Any]:
    """The states of games played at random."""
    game = HOSTS[name].game
    rng = random.Random(name)
    players = {option.name: option for option in option_table(game.options_type)}["players"].allowed
    table = {"drawing": "table"} if name == "silentes" else {"driver": "table"}
    for _ in range(games):
        state = game.new(game.options(players=rng.choice(players), **table))
        while legal := [move for move in game.legal(state) if not isinstance(move, game.mishaps)]:
            yield state
            state, _ = game.apply(state, rng.choice(legal))


@pytest.mark.parametrize("name", HOSTS)
def test_every_kind_of_mistake_is_refused_with_a_reason(name: str) -> None:
    host = HOSTS[name]
    rng = random.Random(1)
    made = set()
    for state in states(name, games=4 if name == "silencio" else 2):
        for kind, table in refused_tables(name, state, rng).items():
            made.add(kind)
            right = perfect_sight(name, scene(name, state))
            found = meant(host, state, perfect_sight(name, table), right)
            assert found.complaint is not None, (kind, state)
            assert not found.accepted_moves
            assert meant(host, state, right, right) == NOTHING
    assert made == KINDS[name]
    assert made <= set(TOLD)


def test_a_hand_moves_only_the_zombies_that_it_must() -> None:
    survivor = LaidCard("city", 80, 10, face="survivor")
    before = Scene((LaidCard("city-30", 10, 10, face="zombie"), survivor))
    now = Scene(
        (
            LaidCard("city-24", 10, 10, face="zombie"),
            survivor,
            LaidCard("city-25", 150, 10, face="zombie"),
            LaidCard("axe", 220, 10),
        )
    )
    names = [card.card for card in least_moved("cisza", before, now).cards]
    assert names[:2] == ["city-30", "city"]
    assert names[2] != "city-30"
    assert KIND_OF[names[2]] == KIND_OF["city-25"]
    assert names[3] == "axe"


def test_the_survivors_of_a_scene_tell_nothing_of_their_undersides() -> None:
    """Whatever the city still holds, the same cards lie there."""
    game = HOSTS["cisza"].game
    for killed in ("0,0,0,0", "20,0,0,0", "0,11,0,2", "0,0,17,0"):
        state = read_state(game, f"cisza players=2 driver=table survivors=3,2 killed={killed} hands=?,?,?/?,?,?")
        cards = [card for card in scene("cisza", state).cards if card.face]
        assert [(card.card, card.face) for card in cards] == [("city", "survivor")] * 6
