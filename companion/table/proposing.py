"""Explanations as they're told to people: what happened step by step, and what of it must still be asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.games.game import Event, Game, Move, Over
from companion.table.host import Host
from companion.table.knowledge import heard
from companion.table.proposal import Explanation, Proposal


class SeenMoves(Struct, frozen=True):
    """Moves that an earlier sight has shown, but for those at the places of `unseen`."""

    moves: tuple[Move, ...]
    unseen: tuple[int, ...] = ()


# An earlier sight showed the state as it is now, so that no move was seen.
NO_MOVES_SEEN = SeenMoves(())
Trail = tuple[SeenMoves, ...]


def states_along(game: Game[Any], state: Any, moves: Sequence[Move]) -> Iterator[tuple[Any, tuple[Event, ...]]]:
    """Each state that some moves lead through, from the first, with what happened on the way to it."""
    yield state, ()
    for move in moves:
        state, events = game.apply(state, move)
        yield state, events


def led_to(game: Game[Any], state: Any, moves: Sequence[Move]) -> Any:
    """The state that some moves lead to."""
    *_, (last, _) = states_along(game, state, moves)
    return last


def seat_in_turn(state: Any) -> int:
    """Whose turn it is, where a game has turns."""
    return getattr(state, "turn", 0)


def explanation_of(
    host: Host[Any], state: Any, moves: Sequence[Move], *, is_sure: bool = True, unseen: tuple[int, ...] = ()
) -> Explanation:
    """An explanation as it's told: what left a trace, step by step."""
    game, layout = host.game, host.table.layout
    first, last = game.pending(state), game.pending(led_to(game, state, moves))
    says, steps, laid = [], 0, layout(state)
    for after, events in states_along(game, state, moves):
        now = layout(after)
        if now != laid:
            steps += 1
            says += [game.tell(event) for event in heard(events, None)[:1]]
        laid = now
    is_over = isinstance(last, Over)
    seats = [None if isinstance(step, Over) else step.seat for step in (first, last)]
    return Explanation(
        tuple(moves),
        steps,
        tuple(says),
        is_sure,
        ends_turn=is_over or seats[0] != seats[1],
        ends_game=is_over,
        unseen=unseen,
    )


def shared_moves(found: Sequence[Explanation]) -> int:
    """How many first moves all explanations share, up to the first that nobody could see."""
    longest = min(len(one.moves) for one in found)
    alike = next((at for at in range(longest) if len({one.moves[at] for one in found}) > 1), longest)
    return min((alike, *(at for one in found for at in one.unseen)))


def proposal_of(game: Game[Any], state: Any, found: Sequence[Explanation]) -> Proposal:
    """Explanations as a proposal; where they differ, with the state there and the moves to pick from."""
    shared = shared_moves(found)
    if len(found) == 1 and shared == len(found[0].moves):
        return Proposal(tuple(found))
    asked_state = led_to(game, state, found[0].moves[:shared])
    listed = {move: order for order, move in enumerate(game.conceivable(asked_state))}
    asked = {one.moves[shared] for one in found if len(one.moves) > shared}
    if len(asked) < 2 and not any(shared in one.unseen for one in found):
        return proposal_of(game, state, found[:1])  # they differ only in length: the best one is taken
    in_order = tuple(sorted(asked, key=lambda move: listed.get(move, len(listed))))
    return Proposal(tuple(found), asked_state=asked_state, asked=in_order)


def proposal_after(game: Game[Any], state: Any, proposal: Proposal, move: Move) -> Proposal:
    """A proposal after one of the moves that it asks for was picked: what is left, and what is still asked."""
    shared = shared_moves(proposal.explanations)
    left = [one for one in proposal.explanations if one.moves[shared : shared + 1] == (move,)]
    return proposal_of(
        game, state, [replace(one, unseen=tuple(at for at in one.unseen if at > shared)) for one in left]
    )
