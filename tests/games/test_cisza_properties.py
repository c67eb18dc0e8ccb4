"""What always holds in Cisza, over random games with any options."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.cards import HIDDEN
from companion.games.cisza import CISZA
from companion.games.cisza.records import ALL_RESOURCES, CITY, RESOURCE, RESOURCES, ZOMBIES, State
from companion.games.game import Event, IllegalMove, Move, Over, Reveal, option_table
from companion.games.notation import read_move, read_state, write_move, write_state

CAP = 5000

seeds = given(seed=st.integers(0, 2**32))
often = settings(max_examples=20, deadline=None)


def any_options(rng: random.Random) -> Any:
    table = option_table(CISZA.options_type)
    return CISZA.options(**{option.name: rng.choice(option.allowed) for option in table if rng.random() < 0.5})


def any_game(seed: int) -> Iterator[tuple[State, Move, State, tuple[Event, ...]]]:
    """A random game with random options; nature is as fair as a shuffled deck."""
    rng = random.Random(seed)
    state = CISZA.new(any_options(rng))
    for _ in range(CAP):
        step = CISZA.pending(state)
        if isinstance(step, Over):
            return
        if isinstance(step, Reveal):
            moves, weights = zip(*CISZA.chances(state), strict=True)
            move = rng.choices(moves, weights)[0]
        else:
            move = rng.choice(CISZA.legal(state))
        after, events = CISZA.apply(state, move)
        yield state, move, after, events
        state = after
    pytest.fail(f"no end after {CAP} moves: {write_state(CISZA, state)}")


@seeds
@often
def test_every_game_ends_with_a_winner(seed: int) -> None:
    *_, (_, _, last, events) = any_game(seed)
    step = CISZA.pending(last)
    assert isinstance(step, Over)
    assert step.winners
    assert set(step.winners).isdisjoint(last.out)
    assert type(events[-1]).__name__ == "Ended"


@seeds
@often
def test_no_card_is_lost_or_found(seed: int) -> None:
    for _, _, state, _ in any_game(seed):
        showing = () if state.top == "none" else (state.top,)
        seen = Counter(kind for zone in (*state.zombies, state.drawn, showing) for kind in zone)
        counts = zip(ZOMBIES, state.pool, state.killed, strict=True)
        assert tuple(unseen + killed + seen[kind] for kind, unseen, killed in counts) == CITY
        assert sum(state.pool) == state.city - len(showing) + sum(state.survivors) + state.fallen
        resources = (*state.hands, *state.barriers, state.discard)
        faces = Counter(card for zone in resources for card in zone)
        assert tuple(n + faces[card] for card, n in zip(RESOURCES, state.unseen, strict=True)) == ALL_RESOURCES
        assert sum(state.unseen) == state.stock + faces[HIDDEN]
        assert min((*state.pool, *state.unseen, *state.survivors, state.city, state.stock)) >= 0
        assert max(map(len, state.hands)) <= 3
        assert (HIDDEN in faces) <= (state.options.driver == "table")


@seeds
@often
def test_between_moves_nothing_is_half_done(seed: int) -> None:
    for _, _, state, _ in any_game(seed):
        if state.phase == "turn":
            assert (state.card, state.at, state.by, state.drawn, state.given) == ("none", -1, -1, (), ())
            assert not state.attacking
        assert state.final == (not state.city or (state.city == 1 and state.top != "none"))
        if state.phase not in ("over", "pass_on"):
            for seat in range(state.options.players):
                alive = seat not in state.out
                assert alive >= bool(state.survivors[seat] or state.zombies[seat] or state.hands[seat])
                assert alive <= (state.survivors[seat] > 0 or seat == state.turn)


@seeds
@often
def test_what_is_legal_applies_and_nothing_else_does(seed: int) -> None:
    rng = random.Random(seed)
    elsewhere: dict[Move, None] = {}
    for state, _, _, _ in any_game(seed):
        legal = CISZA.legal(state)
        assert len(set(legal)) == len(legal) > 0
        for move in legal:
            CISZA.apply(state, move)
        elsewhere.update(dict.fromkeys(legal))
        for move in rng.sample(list(elsewhere), min(8, len(elsewhere))):
            if move not in legal:
                with pytest.raises(IllegalMove) as refusal:
                    CISZA.apply(state, move)
                assert "{" not in str(refusal.value.reason)


@seeds
@often
def test_states_and_moves_survive_their_notation(seed: int) -> None:
    for _, move, state, _ in any_game(seed):
        assert read_state(CISZA, write_state(CISZA, state)) == state
        assert read_move(CISZA, write_move(move)) == move
        for seat in (None, 0):
            view = CISZA.view(state, seat)
            assert read_state(CISZA, write_state(CISZA, view)) == view


def lookalike(state: State, seat: int | None, rng: random.Random) -> State:
    """The same table for this seat: other players hold other cards, and the deck is what is left."""
    unseen = list(state.unseen)
    others = [at for at in range(state.options.players) if at != seat]
    for at in others:
        for card in state.hands[at]:
            if card != HIDDEN:
                unseen[RESOURCE[card]] += 1
    hands = list(state.hands)
    for at in others:
        hand = []
        for card in state.hands[at]:
            if card == HIDDEN:
                hand.append(card)
            else:
                hand.append(rng.choices(RESOURCES, unseen)[0])
                unseen[RESOURCE[hand[-1]]] -= 1
        hands[at] = tuple(sorted(hand))
    return replace(state, hands=tuple(hands), unseen=tuple(unseen))


@seeds
@often
def test_a_view_tells_nothing_about_other_hands(seed: int) -> None:
    rng = random.Random(seed)
    for _, _, state, events in any_game(seed):
        for seat in (None, *range(state.options.players)):
            view = CISZA.view(state, seat)
            assert view == CISZA.view(lookalike(state, seat, rng), seat) == CISZA.view(view, seat)
            for event in events:
                told = event.heard_by(seat)
                if type(event).__name__ == "Dealt" and getattr(event, "seat", None) != seat:
                    assert getattr(told, "card", None) == HIDDEN
