"""What must hold in every game of Silentes, shown by random games over all options."""

from __future__ import annotations

import random
from collections import Counter
from typing import get_args

import pytest
from msgspec.structs import replace

from companion.games.cards import HIDDEN
from companion.games.game import Decide, IllegalMove, Over, Reveal, option_table
from companion.games.notation import read_state, write_state
from companion.games.silentes import SILENTES
from companion.games.silentes.knowledge import hidden_hunt_cards, known_cards
from companion.games.silentes.records import ALL_CARDS, HOLE, IS_RANKLESS, Options, Phase, State
from companion.games.silentes.settling import zones_of

SEEDS = range(24)


def random_options(rng: random.Random) -> Options:
    return SILENTES.options(**{one.name: rng.choice(one.allowed) for one in option_table(Options)})


def random_game(seed: int):
    """Every state of a game with the move made there, and what it led to."""
    rng = random.Random(seed)
    state = SILENTES.new(random_options(rng))
    while legal := SILENTES.legal(state):
        rare = [move for move in legal if state.phase == "hunt" and move.card.endswith("-14")]
        rare += [move for move in legal if state.phase == "omen" and move.card == "major-11" and state.caused[0]]
        move = rng.choice(rare if rare and rng.random() < 0.4 else legal)  # so that omens aren't rare
        after, events = SILENTES.apply(state, move)
        yield state, legal, move, after, events
        state = after


@pytest.mark.parametrize("seed", SEEDS)
def test_every_game_ends_and_says_why(seed):
    *_, last = random_game(seed)
    step = SILENTES.pending(last[3])
    assert isinstance(step, Over)
    assert step.winners == (() if step.reason == "noise" else (0, 1))
    assert (step.reason == "noise") == (last[3].noise == 15)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_card_is_in_exactly_one_place(seed):
    faceless = {HIDDEN, HOLE, *IS_RANKLESS}
    for *_, state, _ in random_game(seed):
        lying = Counter(card for zone in zones_of(state).values() for card in zone if card not in faceless)
        lying.update((*state.unseen, *state.unseen_provisions, *state.unseen_omens))
        assert set(lying) == ALL_CARDS
        assert set(lying.values()) == {1}
        assert state.deck + hidden_hunt_cards(state) == len(state.unseen) + sum(card != HIDDEN for card in state.top)
        assert 0 <= state.noise <= 15


def test_legal_agrees_with_apply_also_for_moves_of_other_moments():
    rng = random.Random(1)
    pool = list({move for seed in SEEDS for _, legal, *_ in random_game(seed) for move in legal})
    for seed in SEEDS[:20]:
        for state, legal, *_ in random_game(seed):
            assert len(set(legal)) == len(legal)
            for move in (*rng.sample(pool, 8), *rng.sample(legal, min(2, len(legal)))):
                before = state
                if move in legal:
                    SILENTES.apply(state, move)
                else:
                    with pytest.raises(IllegalMove) as refused:
                        SILENTES.apply(state, move)
                    assert refused.value.legal == tuple(legal)
                    assert str(refused.value.reason)
                assert state == before


@pytest.mark.parametrize("seed", SEEDS)
def test_legality_depends_only_on_what_the_deciding_seat_sees(seed):
    for state, legal, *_ in random_game(seed):
        step = SILENTES.pending(state)
        for seat in (0, 1, None):
            assert SILENTES.pending(SILENTES.view(state, seat)) == step
        if isinstance(step, Decide):
            assert list(SILENTES.legal(SILENTES.view(state, step.seat))) == list(legal)
        elif isinstance(step, Reveal) and step.seat is not None:
            assert set(legal) <= set(SILENTES.legal(SILENTES.view(state, step.seat)))


def shuffled(state: State, seat: int | None, rng: random.Random) -> State:
    """The same table for this seat: what it can't see is dealt anew among the places where it can be."""
    aided = state.options.memory_aid or (seat is not None and state.options.drawing != "phone")
    shown = known_cards(state) if aided or "talk" in state.effects else ()
    top_is_open = aided or state.phase in ("peek", "order", "held")
    hands, items = list(state.hands), list(state.provisions)
    hunt, provisions, omens = list(state.unseen), list(state.unseen_provisions), list(state.unseen_omens)
    others = [owner for owner in (0, 1) if owner != seat]
    for owner in others:
        hunt += [card for card in hands[owner] if card not in (*shown, HIDDEN)]
        provisions += [card for card in items[owner] if card not in (*shown, HIDDEN)]
    hunt += [] if top_is_open else [card for card in state.top if card != HIDDEN]
    omens += [] if seat is not None and seat == state.omen_by else [card for card in state.omen_top if card != HIDDEN]
    for pool in (hunt, provisions, omens):
        rng.shuffle(pool)

    def redeal(zone, pool, kept):
        return [card if card in (*kept, HIDDEN) else pool.pop() for card in zone]

    for owner in others:
        hands[owner] = tuple(sorted(redeal(hands[owner], hunt, shown)))
        items[owner] = tuple(sorted(redeal(items[owner], provisions, shown)))
    top = state.top if top_is_open else tuple(redeal(state.top, hunt, ()))
    omen_top = state.omen_top
    if seat is None or seat != state.omen_by:
        omen_top = tuple(redeal(omen_top, omens, ()))
    return replace(
        state,
        hands=tuple(hands),
        provisions=tuple(items),
        top=top,
        omen_top=omen_top,
        unseen=tuple(sorted(hunt)),
        unseen_provisions=tuple(sorted(provisions)),
        unseen_omens=tuple(sorted(omens)),
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_a_view_tells_nothing_of_what_a_seat_cannot_see(seed):
    rng = random.Random(seed)
    for state, *_ in random_game(seed):
        for seat in (0, 1, None):
            view = SILENTES.view(state, seat)
            assert SILENTES.view(shuffled(state, seat, rng), seat) == view
        assert read_state(SILENTES, write_state(SILENTES, view)) == view


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_a_partner_never_hears_a_private_card(seed):
    for state, _, move, _, events in random_game(seed):
        step = SILENTES.pending(state)
        if isinstance(step, Reveal) and step.seat is not None and hasattr(move, "card") and move.card != HIDDEN:
            if state.top or type(move).__name__ == "Ghost":
                continue
            for event in events[:1]:
                assert event.heard_by(step.seat).card == move.card
                assert event.heard_by(1 - step.seat).card == HIDDEN
                assert event.heard_by(None).card == HIDDEN


def test_random_games_reach_every_phase():
    seen = {state.phase for seed in range(300) for state, *_ in random_game(seed)}
    assert seen >= set(get_args(Phase)) - {"over", "blame"}  # two players must have been equally loud
