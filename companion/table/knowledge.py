"""What each reader may be shown, told, offered or let correct, by the game's own view for that reader.

A reader is a seat, or None for everybody: the panel, its twins, the shared page, the log. What a reader is shown is
made of the game's own view for that reader and of nothing else.
"""

from __future__ import annotations

from typing import Any

from companion.games.game import Event, Game, Move, Over
from companion.games.notation import write_move
from companion.text import N_, Text

NOT_YOURS = Text(N_("Only the player whose turn it is can do this, on their own page."))


def keeps_hands(game: Game[Any], state: Any) -> bool:
    """Whether the hands exist nowhere but in the box; what a seat can do tells what it holds then."""
    return any(getattr(state.options, name, None) == value for name, value in game.dealt_by_box.items())


def is_private(game: Game[Any], state: Any) -> bool:
    """Whether only the seat that is asked may see and do what can be done now.

    It never depends on what the seat holds: that there is a choice would tell something of the hand.
    """
    if not keeps_hands(game, state):
        return False
    step = game.pending(state)
    return not isinstance(step, Over) and step.seat is not None


def knows(game: Game[Any], before: Any, move: Move, seat: int | None) -> bool:
    """Whether a reader can tell which move was made; the box's own state may hold more than it may tell.

    The move must be legal in the reader's view, and every other legal move must leave another view
    or other events: else the reader can't tell them apart.
    """
    after, events = game.apply(before, move)
    seen = game.view(before, seat)
    if heard(events, seat) != events:
        return False
    if seen == before and game.view(after, seat) == after:
        return True
    # Once among what could really have been done, once among what the reader must think possible.
    return is_told_apart(game, before, move, seat) and is_told_apart(game, seen, move, seat)


def is_told_apart(game: Game[Any], state: Any, move: Move, seat: int | None) -> bool:
    """Whether a move can be made here and no other one would look the same to a reader."""
    possible = game.legal(state)
    if move not in possible:
        return False
    known = noticed(game, state, move, seat)
    return all(noticed(game, state, other, seat) != known for other in possible if other != move)


def noticed(game: Game[Any], state: Any, move: Move, seat: int | None) -> tuple[Any, tuple[Event, ...]]:
    """What a reader has of a move: the table afterwards, and what was heard."""
    after, events = game.apply(state, move)
    return game.view(after, seat), heard(events, seat)


def heard(events: tuple[Event, ...], seat: int | None) -> tuple[Event, ...]:
    """Events as a reader may know them."""
    return tuple(event.heard_by(seat) for event in events)


def public_notation(game: Game[Any], before: Any, move: Move) -> str:
    """A move's notation as everybody may read it: of a hidden one, that it was made."""
    return write_move(move) if knows(game, before, move, None) else f"{move.__struct_config__.tag} ?"
