"""Silentes: hide where a high card can be played, search while it's quiet, keep provisions for when they count."""

from __future__ import annotations

from companion.games.cards import HIDDEN
from companion.games.game import Move
from companion.games.silentes import moves as m
from companion.games.silentes.map import hunted, suit_at
from companion.games.silentes.records import RANK_OF, SUIT_OF, State
from companion.games.silentes.rounds import asks_both

PERCEPTIONS = range(4, 15)


def worth(view: State, move: Move) -> float:
    """What a quiet survivor thinks of a move."""
    match move:
        case m.Go(cell):
            return go_worth(view, cell)
        case m.Entrench():
            return -expected_noise(RANK_OF.get(view.last[view.turn][0], 0) // 2)
        case m.Search():
            return -expected_noise(0) + (1.2 if view.noise < 8 else 0.2)
        case m.Distract():
            return -expected_noise(0) * 0.75 - 0.5
        case m.Hide(card):
            return float(RANK_OF[card])
        case m.Discard(card) | m.Give(card):
            return -float(RANK_OF.get(card, 5))
        case m.Use(card):
            return use_worth(view, card)
        case m.Take(card):
            return float(RANK_OF[card])
        case m.Put(card):
            return -float(RANK_OF.get(card, 0))
        case m.No() if asks_both(view):
            return -0.05  # both decline at once, unless the other has something to play
        case m.Accept():
            return 0.5 if view.phase == "aid" else -0.5
        case _:
            return 0.0


def expected_noise(level: int) -> float:
    """The noise a level lets through on average: one hunt in four comes to this zone."""
    return sum(max(0, heard - level) for heard in PERCEPTIONS) / len(PERCEPTIONS) / 4


def go_worth(view: State, cell: int) -> float:
    """A shelter is as good as the best card one holds for it."""
    seat = view.turn if view.phase == "action" else view.asked
    suit = suit_at(view, cell)
    fitting = [RANK_OF[card] for card in view.hands[seat] if card != HIDDEN and SUIT_OF[card] == suit]
    return -expected_noise(max(fitting, default=0)) + 0.1


def use_worth(view: State, card: str) -> float:
    """Whether this is the moment for a provision."""
    seat = view.asked if view.phase != "action" else view.turn
    perception = RANK_OF[view.hunt[0]] if view.hunt else 0
    match card:
        case "cups-01":
            return 1.0 if view.noise >= 2 else -1.0
        case "pentacles-03":
            return 1.0 if view.due[seat] >= 3 or view.noise + sum(view.due) >= 15 else -1.0
        case "swords-01":
            return 1.0 if seat in hunted(view) and perception >= 8 else -1.0
        case "wands-03":
            return 1.0 if perception >= 10 else -1.0
        case "wands-02":
            return 0.6 if view.phase == "bonus" and hunted(view) else -1.0
        case "cups-02" | "cups-03" | "pentacles-01":
            return 0.3
        case _:
            return -1.0
