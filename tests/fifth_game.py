"""Plays the tutorial's game, as a module inside the copy of the program that the tutorial made: camera, then page."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import companion
from companion.games import GAMES
from companion.kits import KITS, NAMES
from companion.table.explain import explain
from companion.table.proposal import NOTHING
from companion.table.scenes import scene
from companion.table.simulated_table import SimulatedTable
from tests.web.rig import running
from tests.web.test_api import API, leaves, play_on

GAME = NAMES[-1]


def by_camera() -> None:
    """The whole row, card by card: each is rendered, photographed, read and proposed as the move that it is."""
    game, host = GAMES[GAME], KITS[GAME].host
    state = game.new(game.options())
    twin = SimulatedTable(GAME, state.options)
    while moves := game.legal(state):
        after, _events = game.apply(state, moves[0])
        seen = twin.watch(scene(GAME, after))[-1]
        assert not seen.is_unsettled
        assert explain(host, state, seen).proposal.accepted_moves == (moves[0],), (moves[0], seen)
        assert explain(host, after, seen).proposal == NOTHING
        state = after
    assert game.pending(state).winners == tuple(range(state.options.players))
    print(f"camera: {len(state.row)} cards")


def on_the_page(folder: Path) -> None:
    """A whole game with what the page offers, from the choice of the game to its place among the played ones."""
    with running(folder, simulated=True) as rig:
        phone = rig.paired()
        words = phone.get(f"{API}/words").json()["words"]
        assert words[f"about_{GAME}"] == KITS[GAME].about
        assert words[f"deck_{GAME}"]
        assert GAME in [one["name"] for one in phone.get(f"{API}/rules").json()]
        assert GAME in [one["deck"] for one in phone.get(f"{API}/decks").json()]
        begun = phone.post(f"{API}/games", json={"game": GAME, "options": {"players": 2}, "instead_of": None})
        assert begun.status_code == 200, begun.text
        offered = leaves(phone.get(f"{API}/state").json()["options"])
        assert len(offered) == len(GAMES[GAME].legal(GAMES[GAME].new(GAMES[GAME].options())))
        state = play_on(phone, random.Random(1))
        (zone,) = state["picture"]["zones"]
        assert len(zone["cards"]) == state["number"]
        played = phone.get(f"{API}/games").json()["games"]
        assert [one["game"] for one in played if one["ended"]] == [GAME]
        print(f"page: {state['number']} cards")


if __name__ == "__main__":
    # Nothing is shown by playing the wrong program.
    assert Path(companion.__file__).is_relative_to(Path.cwd())
    by_camera()
    on_the_page(Path(sys.argv[1]))
