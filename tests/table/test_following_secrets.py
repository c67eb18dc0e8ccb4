"""Following can't tell what is hidden: games that differ only in that get equal answers, for equal work."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from companion.chance import reveal
from companion.games.cards import HIDDEN
from companion.games.game import Over, Reveal
from companion.session.session import Session
from companion.table import search
from companion.table.hosts import HOSTS
from companion.table.scenes import scene
from companion.table.sight import Sight
from tests.games.test_cisza_properties import lookalike as cisza_lookalike
from tests.games.test_secrets import silencio_lookalike
from tests.games.test_silentes_properties import shuffled as silentes_lookalike
from tests.table.test_mistakes import perfect_sight


def similo_lookalike(state: Any, seat: int | None, rng: random.Random) -> Any:
    """Another secret, and other cards in the clue giver's hand."""
    pool = [*state.unseen, *(card for card in state.hand if card != HIDDEN)]
    rng.shuffle(pool)
    hand = tuple(sorted(card if card == HIDDEN else pool.pop() for card in state.hand))
    is_open = state.secret == HIDDEN or state.phase == "over"
    secret = state.secret if is_open else rng.choice((*state.characters_left, *state.taken))
    return replace(state, hand=hand, unseen=tuple(sorted(pool)), secret=secret)


NEAR_TWINS: dict[str, Callable[..., Any]] = {
    "silencio": silencio_lookalike,
    "similo": similo_lookalike,
    "silentes": silentes_lookalike,
    "cisza": cisza_lookalike,
}
KINDS: list[tuple[str, dict[str, Any]]] = [
    ("silencio", {"driver": "table"}),
    ("silencio", {"driver": "sim"}),
    ("similo", {"driver": "table", "secret_mode": "sealed"}),
    ("similo", {"driver": "sim"}),
    ("silentes", {"drawing": "table"}),
    ("silentes", {"drawing": "virtual"}),
    ("silentes", {"drawing": "phone"}),
    ("cisza", {"driver": "sim"}),
]


DRAWN = ("hunt", "omen", "coin")
"""What the box draws it draws at once, and everybody sees it: what comes then is no secret."""


def a_game(name: str, options: dict[str, Any], rng: random.Random) -> Iterator[tuple[Any, Any]]:
    """Each state of a whole random game, and the one after it."""
    game = HOSTS[name].game
    state = game.new(game.options(**options))
    while not isinstance(step := game.pending(state), Over):
        legal = [move for move in game.legal(state) if not isinstance(move, game.mishaps)]
        move = reveal(game, state, rng) if isinstance(step, Reveal) else rng.choice(legal)
        after, _ = game.apply(state, move)
        yield state, after
        state = after


def answers(name: str, state: Any, sights: tuple[Sight, ...]) -> tuple[Any, ...]:
    """All that a box says of some sights, and how many states it looked at."""
    worked = 0
    looked_at = search.Search._after

    def counted(found: search.Search, *given: Any) -> Any:
        nonlocal worked
        worked += 1
        return looked_at(found, *given)

    session = Session(HOSTS, None, lambda: 100.0, random.Random(1))
    session.start_at(name, state)
    said = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search.Search, "_after", counted)
        for sight in sights:
            session.on_sight(sight)
            while session.due is not None and session.due <= 100.0:
                session.tick()
            shown = session.shown
            said.append((shown.proposal, shown.doubt, shown.complaint, shown.remark, shown.question, shown.offered))
    return (*said, worked)


@pytest.mark.parametrize(("name", "options"), KINDS)
def test_two_hidden_states_with_one_public_view_get_equal_answers_for_equal_work(
    name: str, options: dict[str, Any]
) -> None:
    game, rng = HOSTS[name].game, random.Random(f"{name} {options}")
    before = perfect_sight(name, scene(name, game.view(game.new(game.options(**options)), None)))
    differed = 0
    for _ in range(2):
        for number, (state, after) in enumerate(a_game(name, options, rng)):
            other = NEAR_TWINS[name](state, None, rng)
            assert game.view(other, None) == game.view(state, None)
            if other == state or number % 3 or (HOSTS[name].draws(state) and state.phase in DRAWN):
                continue
            differed += 1
            lies, laid = (perfect_sight(name, scene(name, game.view(one, None))) for one in (state, after))
            sights = (lies, laid, before)
            assert answers(name, other, sights) == answers(name, state, sights)
            before = laid
    assert differed
