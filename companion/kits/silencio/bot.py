"""Silencio: leave no gaps, take back what jumped too far, keep shrines for need."""

from __future__ import annotations

from companion.games.game import Move
from companion.games.silencio import records as r
from companion.games.silencio.knowledge import playable, tops
from companion.games.silencio.records import RANK_OF, ROW_OF, State


def worth(view: State, move: Move) -> float:
    """What a careful wanderer thinks of a move."""
    match move:
        case r.Play(card):
            return -gap(view, card)
        case r.Draw():
            return -3.0
        case r.Pass():
            return -9.0
        case r.TakeShrine(which, effect):
            return shrine_worth(view, which, effect)
        case r.PassOn(card):
            return -gap(view, card)  # the left neighbour moves next and can use a low card
        case r.Take(card):
            return jumped(view, card) - 3.5
        case r.Use():
            return 1.0
        case r.Give(card, to):
            return -gap(view, card) - len(view.hands[to])
        case r.Swap() | r.Open() | r.Choose() | r.Tavern():
            return -1.0
        case r.TakeOracle(card):
            return -gap(view, card)
        case r.Return(card):
            return gap(view, card) if card in RANK_OF else 0.0
        case _:
            return 0.0


def gap(view: State, card: str) -> float:
    """How many ranks a card would leave out; a card that can never be played is the worst."""
    over = RANK_OF[card] - tops(view)[ROW_OF[card]]
    return float(over) if over > 0 else 14.0


def jumped(view: State, card: str) -> float:
    """How many ranks the last card of a row left out when it was played."""
    row = view.rows[ROW_OF[card]]
    return float(RANK_OF[card] - (RANK_OF[row[-2]] if len(row) > 1 else 1))


def shrine_worth(view: State, which: str, effect: str) -> float:
    """A shrine is for a hand that is stuck, or for a row that was left behind."""
    takes = which == "blue" or effect == "take_back"
    far = max((jumped(view, row[-1]) for at, row in enumerate(view.rows) if row and at != r.BLUE), default=0.0)
    stuck = view.phase == "turn" and not playable(view, view.hands[view.turn])
    if takes and (stuck or far >= 4):
        return 0.5 if view.phase == "end" else -2.0
    return -10.0
