"""What holds for every game, every number of players and every option, over random games."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import GAMES
from companion.games.game import Decide, Game, IllegalMove, Over, Reveal, option_table
from companion.games.notation import read_move, read_state, write_move, write_state
from companion.play import Play
from tests.games.generated import any_game, any_options

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
random_game = given(seed=st.integers(0, 2**32))
often = settings(max_examples=40, deadline=None)


def setup(game: Game[Any], seed: int) -> tuple[Any, random.Random]:
    rng = random.Random(seed)
    return any_options(game, rng), rng


def is_hidden(options: Any) -> bool:
    """Whether the box can't see hands."""
    return getattr(options, "driver", "sim") == "table" or getattr(options, "drawing", "phone") != "phone"


@every_game
@random_game
@often
def test_every_game_ends_and_says_how(game: Game[Any], seed: int) -> None:
    options, rng = setup(game, seed)
    *_, (_, _, last, _) = any_game(game, options, rng)
    over = game.pending(last)
    assert isinstance(over, Over)
    assert all(0 <= seat < options.players for seat in over.winners)
    assert str(game.term(over.reason)) != over.reason
    assert game.legal(last) == []


@every_game
@random_game
@often
def test_legal_agrees_with_apply(game: Game[Any], seed: int) -> None:
    """Each legal move applies; any move that was legal somewhere else is refused here, and says why."""
    options, rng = setup(game, seed)
    elsewhere = {}
    for state, _, _, _ in any_game(game, options, rng):
        legal = game.legal(state)
        assert len(set(legal)) == len(legal) > 0
        for move in rng.sample(list(legal), min(4, len(legal))):
            game.apply(state, move)
        elsewhere.update(dict.fromkeys(legal))
        for move in rng.sample(list(elsewhere), min(6, len(elsewhere))):
            if move in legal:
                continue
            with pytest.raises(IllegalMove) as refusal:
                game.apply(state, move)
            assert refusal.value.code.isidentifier()
            assert len(str(refusal.value.reason)) > 10
            assert refusal.value.legal == tuple(legal)


@every_game
@random_game
@often
def test_notation_round_trip(game: Game[Any], seed: int) -> None:
    options, rng = setup(game, seed)
    for _, move, after, _ in any_game(game, options, rng):
        line = write_state(game, after)
        assert "\n" not in line
        assert read_state(game, line) == after
        assert read_move(game, write_move(move)) == move


def test_a_game_that_ends_as_a_shelter_falls_can_be_written_and_read() -> None:
    """The tower's noise ends this one before its player could flee."""
    game = GAMES["silentes"]
    before = read_state(
        game,
        "silentes entrench_chain=yes distracted_king_omen=yes phase=tower round=6 first=1 noise=14 caused=2,12 "
        "map=pentacles-10,pentacles-12,pentacles-13,swords-06,cups-06,swords-09,cups-13,swords-04 tokens=2,4 "
        "hands=cups-04,pentacles-04,wands-04,wands-13/pentacles-14,swords-07,wands-06,wands-12 played=-/cups-08 "
        "last=-/cups-08 piles=cups-05,cups-09,cups-10,pentacles-07,swords-05/pentacles-06,swords-08,wands-07,wands-09 "
        "acts=distract,entrench cries=swords hunt=swords-14 gone=pentacles-09,swords-12,wands-10,wands-11,wands-14 "
        "omens=major-06,major-16 known=cups-04 effects=calm deck=12 stock=12",
    )
    after, _events = game.apply(before, read_move(game, "ruin 2"))
    assert isinstance(game.pending(after), Over)
    assert after.map[after.tokens[0]] == "hole"
    assert read_state(game, write_state(game, after)) == after


@every_game
@random_game
@often
def test_undo_to_the_start_and_redo_to_the_end(game: Game[Any], seed: int) -> None:
    options, rng = setup(game, seed)
    play = Play(game, game.new(options))
    states = [play.state]
    for _, move, after, _ in any_game(game, options, rng):
        play.do(move)
        states.append(after)
    for state in reversed(states[:-1]):
        play.undo()
        assert play.state == state
    for state in states[1:]:
        play.redo()
        assert play.state == state


@every_game
@random_game
@often
def test_what_a_player_may_do_depends_only_on_what_that_player_sees(game: Game[Any], seed: int) -> None:
    options, rng = setup(game, seed)
    for state, _, _, _ in any_game(game, options, rng):
        step = game.pending(state)
        if isinstance(step, Decide):
            view = game.view(state, step.seat)
            if is_hidden(options):
                # The box remembers which hand a card went to even where it doesn't show it (G-03).
                assert set(game.legal(view)) >= set(game.legal(state))
            else:
                assert game.legal(view) == game.legal(state)
            assert game.pending(view) == step
            assert game.view(view, step.seat) == view


@every_game
@random_game
@often
def test_states_moves_and_events_are_frozen_values(game: Game[Any], seed: int) -> None:
    options, rng = setup(game, seed)
    for state, move, after, events in any_game(game, options, rng):
        hash(move)
        for record in (state, move, *events):
            with pytest.raises(AttributeError):
                setattr(record, record.__struct_fields__[0] if record.__struct_fields__ else "x", None)
        assert msgspec.json.decode(msgspec.json.encode(after), type=game.state_type) == after
        return


@every_game
@random_game
@often
def test_every_event_and_question_has_a_sentence(game: Game[Any], seed: int) -> None:
    options, rng = setup(game, seed)
    for state, _, _, events in any_game(game, options, rng):
        for event in events:
            for seat in (None, *range(options.players)):
                told = str(game.tell(event.heard_by(seat)))
                assert told
                assert "{" not in told
        asked = str(game.question(state))
        assert asked
        assert "{" not in asked


@every_game
@random_game
@often
def test_nature_offers_exactly_the_legal_reveals(game: Game[Any], seed: int) -> None:
    options, rng = setup(game, seed)
    for state, _, _, _ in any_game(game, options, rng):
        if isinstance(game.pending(state), Reveal):
            chances = game.chances(state)
            assert [move for move, _ in chances] == list(game.legal(state))
            assert all(weight > 0 for _, weight in chances)


@every_game
def test_every_option_is_documented(game: Game[Any]) -> None:
    for option in option_table(game.options_type):
        assert option.ruling, option.name
        assert str(option.text), option.name
        assert option.default in option.allowed or option.default == (), option.name


@every_game
def test_state_fields_and_options_have_different_names(game: Game[Any]) -> None:
    fields = set(game.state_type.__struct_fields__) - {"options"}
    assert not fields & set(game.options_type.__struct_fields__)
