"""Cards are conserved, and nothing a seat sees depends on what it can't: Silencio and Similo."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.cards import HIDDEN
from companion.games.silencio import SILENCIO
from companion.games.silencio.records import DECK
from companion.games.similo import SIMILO
from companion.games.similo.rules import characters, clue_cards, is_two_decks
from tests.games.generated import any_game, any_options

random_game = given(seed=st.integers(0, 2**32))
often = settings(max_examples=60, deadline=None)


@random_game
@often
def test_silencio_every_card_is_in_exactly_one_place(seed: int) -> None:
    rng = random.Random(seed)
    options = any_options(SILENCIO, rng)
    for _, _, state, _ in any_game(SILENCIO, options, rng):
        zones = (*state.hands, *state.open, *state.rows, state.oracle, state.box, state.unseen)
        hidden = sum(zone.count(HIDDEN) for zone in zones)
        seen = Counter(card for zone in zones for card in zone if card != HIDDEN)
        assert seen == Counter(DECK[options.players])
        assert state.deck + hidden == len(state.unseen)


def silencio_lookalike(state: Any, seat: int | None, rng: random.Random) -> Any:
    """The same table to this seat, with other hands and another deck order."""
    shown = state.known if state.options.memory_aid else ()
    others = [at for at in range(state.options.players) if at != seat]
    pool = [*state.unseen]
    for at in others:
        pool += [card for card in state.hands[at] if card != HIDDEN and card not in shown]
    rng.shuffle(pool)
    hands = list(state.hands)
    for at in others:
        hands[at] = tuple(sorted(card if card == HIDDEN or card in shown else pool.pop() for card in state.hands[at]))
    held = sum(hands, ())
    known = tuple(card for card in state.known if card in held)
    return replace(state, hands=tuple(hands), unseen=tuple(sorted(pool)), known=known)


@random_game
@often
def test_silencio_a_view_is_the_same_for_any_two_tables_that_differ_in_hidden_cards(seed: int) -> None:
    rng = random.Random(seed)
    options = any_options(SILENCIO, rng)
    differed = 0
    for _, _, state, _ in any_game(SILENCIO, options, rng):
        for seat in (None, *range(options.players)):
            lookalike = silencio_lookalike(state, seat, rng)
            differed += lookalike != state
            assert SILENCIO.view(state, seat) == SILENCIO.view(lookalike, seat)
    assert differed or options.driver == "table"


@random_game
@often
def test_similo_every_card_is_in_exactly_one_place(seed: int) -> None:
    rng = random.Random(seed)
    options = any_options(SIMILO, rng)
    for _, _, state, _ in any_game(SIMILO, options, rng):
        grid = Counter((*state.characters_left, *state.removed, *state.taken))
        clues = Counter((*(clue.card for clue in state.clues), *(card for card in state.hand if card != HIDDEN)))
        if state.phase == "grid":
            assert grid + Counter(state.unseen) == Counter(characters(options))
        elif is_two_decks(options):
            assert clues + Counter(state.unseen) == Counter(clue_cards(options))
            assert len(grid) == options.grid
        else:
            assert grid + clues + Counter(state.unseen) == Counter(characters(options))
        assert state.pile + state.hand.count(HIDDEN) == len(state.unseen)


@random_game
@often
def test_similo_nothing_but_the_end_tells_the_guessers_the_secret(seed: int) -> None:
    rng = random.Random(seed)
    options = any_options(SIMILO, rng)
    for _, _, state, events in any_game(SIMILO, options, rng):
        guessers = [None, *(seat for seat in range(options.players) if seat != options.giver)]
        if state.phase == "over":
            break
        for seat in guessers:
            view = SIMILO.view(state, seat)
            assert view.secret == HIDDEN
            assert set(view.hand) <= {HIDDEN}
            for character in state.characters_left:
                assert SIMILO.view(replace(state, secret=character), seat) == view
            for event in events:
                assert (
                    getattr(event.heard_by(seat), "card", None) != state.secret or type(event).__name__ != "SecretSet"
                )
