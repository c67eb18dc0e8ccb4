"""States written by hand: what the rules accept can be played to an end; what can't be is refused with its reason.

`python -m benchmarks.engine_fuzz` tries tens of thousands; here are some of them, and those that once came through.
"""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest

from benchmarks.engine_fuzz import Unsound, check_state, hand_made, hold, real_game
from companion.games import GAMES
from companion.games.game import BadState, Game
from companion.games.notation import read_state

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@every_game
def test_what_is_accepted_of_swapped_fields_is_played_to_an_end(game: Game[Any]) -> None:
    rng = random.Random(f"hand-made {game.name}")
    accepted = sum(hold(game, line, rng) for line in islice(hand_made(game, rng), 300))
    assert 30 < accepted < 270, "most is refused, but not all"


@every_game
def test_no_state_of_a_real_game_is_refused_from_any_seat(game: Game[Any]) -> None:
    rng = random.Random(f"real {game.name}")
    assert sum(real_game(game, rng) for _ in range(6)) > 100


def test_a_state_that_does_not_hold_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES["silencio"]
    monkeypatch.setattr("companion.games.silencio.settling.wrong_moment", lambda _: [])
    with pytest.raises(Unsound):
        hold(game, "silencio phase=deal hands=r4/b4/y4 to_reveal=-1", random.Random(1))


def test_who_cannot_see_the_top_of_the_deck_still_has_a_state_of_the_refill() -> None:
    """The box names the next card here, and the other seats' views don't show that it must (STE-64)."""
    game = GAMES["silentes"]
    deck = "top=wands-07,pentacles-07,cups-09 gone=pentacles-14 omens=major-05"
    line = f"silentes drawing=virtual phase=refill asked=1 {MAP} hands=?,?,?,?,?/?,?,?,? {deck}"
    check_state(game, read_state(game, line))


GRID = (
    "aladdin,alice,big-bad-wolf,captain-hook,cheshire-cat,cinderella,dorothy,evil-queen,evil-stepmother,"
    "fairy-godmother,fox-and-the-cat,genie"
)
MAP = "map=cups-05,swords-06,wands-06,pentacles-08,cups-04,swords-10,wands-11,pentacles-12 tokens=0,5"
TABLE = f"{MAP} hands=cups-10,cups-07/swords-09,wands-05"
BAD = [
    ("silentes phase=map map=pentacles-09 mirror=4:1", "mirror"),
    ("silentes phase=map map=pentacles-09 round=2", "round"),
    (f"silentes {TABLE} played=cups-08/-", "acts, played"),
    (f"silentes {TABLE} drawn=wands-13", "drawn"),
    (f"silentes {TABLE} hunt=wands-13", "hunt"),
    (f"silentes {TABLE} phase=refill played=cups-08/-", "played, acts"),
    (f"silentes {TABLE} phase=aid resume=hunt", "resume"),
    (f"silentes {TABLE} phase=trade hunt=wands-14 drawing=table", "provisions"),
    (f"silentes {TABLE} phase=gift hunt=wands-14 count=3", "count"),
    (f"silentes {TABLE} phase=flee hunt=wands-14", "tokens"),
    (f"silentes {TABLE} drawing=table ghosts=wands-04 gone=wands-04", "ghosts, held"),
    ("similo phase=grid characters_left=alice clues=jack:similar", "clues"),
    ("similo phase=grid characters_left=alice round=2", "round"),
    (f"similo phase=grid characters_left={GRID}", "characters_left"),
    (f"similo characters_left={GRID} hand=hunter phase=remove round=0 clues_per_round=3", "hand"),
    (f"similo characters_left={GRID} hand=hunter votes=alice", "votes"),
    (f"similo characters_left={GRID} hand=hunter phase=refill driver=table", "hand"),
    ("silencio phase=deal hands=r4/b4/y4 to_reveal=2", "to_reveal"),
    ("silencio phase=deal hands=r4/-/y4", "hands"),
    ("silencio phase=deal hands=r4/b4/y4 rows=r5/-/-/-", "rows"),
    ("silencio phase=deal driver=table", "phase"),
    ("silencio phase=start hands=r4/b4/-", "hands"),
    ("silencio phase=pass_on hands=r4/b4/y4 passed_on=3", "passed_on"),
    ("silencio hands=r4/b4/y4 passes=3", "passes"),
    ("silencio hands=r4/b4/y4 chosen=1", "chosen"),
    ("cisza phase=start zombies=fast/-/-", "zombies"),
    ("cisza phase=kill card=axe zombies=fast/-/- started=no", "started"),
    ("cisza phase=pass_on zombies=fast/-/- out=1", "turn, out"),
    ("cisza asked=1", "asked"),
    ("cisza at=1", "at"),
]


@pytest.mark.parametrize(("line", "field"), BAD)
def test_a_trace_of_what_cannot_have_happened_is_refused_by_name(line: str, field: str) -> None:
    with pytest.raises(BadState) as refusal:
        read_state(GAMES[line.split()[0]], line)
    assert refusal.value.code == "impossible"
    assert field in str(refusal.value.reason)
