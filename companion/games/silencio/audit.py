"""The audit after a game of Silencio: once all hands lie open, what was against the rules (SIL-16, G-06).

It's information, never a penalty, and it says what is certain and what only may have been. Where a hidden card was
is found from both ends: a card seen leaving a hand was there before, back to the last time it can have come from
another hand; a card seen entering a hand was there until it can have left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from companion.games.cards import HIDDEN, Card, Cards
from companion.games.game import BadState, Event, Move, Show
from companion.games.silencio import records as r
from companion.games.silencio.knowledge import playable
from companion.games.silencio.legal import must_draw
from companion.games.silencio.records import Options, State
from companion.games.silencio.rules import SILENCIO
from companion.text import N_, Text

Kind = Literal[
    "illegal_pass", "missed_random", "false_draw", "missed_give", "shrine_then_pass", "tavern_then_pass", "spoke"
]

# What is told: for a certain card, for one of several, and where it can't be known.
SURE: dict[Kind, str] = {
    "illegal_pass": N_("Move {move}: player {seat} passed, but could have played {cards}."),
    "missed_random": N_("Move {move}: player {seat} passed instead of drawing blind, with {cards} to play."),
    "false_draw": N_("Move {move}: player {seat} drew blind and called it unplayable, but held only {cards}."),
    "missed_give": N_("Move {move}: player {seat} still owed somebody an Oracle card."),
    "shrine_then_pass": N_("Move {move}: player {seat} used a shrine in a turn that ended in a pass."),
    "tavern_then_pass": N_("Move {move}: player {seat} used the tavern in a turn that ended in a pass."),
    "spoke": N_("Move {move}: player {seat} spoke."),
}
ONE_OF = N_("Move {move}: player {seat} passed, but held at least one of {cards} and could have played it.")
PERHAPS: dict[Kind, str] = {
    "illegal_pass": N_("Move {move}: player {seat} passed and may have held {cards}; cards changed hands since."),
    "missed_random": N_("Move {move}: player {seat} passed without a blind draw and may have held {cards}."),
    "false_draw": N_("Move {move}: player {seat} called a blind draw unplayable; {cards} in that hand wasn't."),
}


class AuditFinding(Struct, frozen=True):
    """One thing that was against the rules, or may have been. `move` counts from one."""

    move: int
    seat: int
    kind: Kind
    certain: bool
    cards: Cards
    text: Text


def audit(
    options: Options, moves: Sequence[Move], hands: Sequence[Cards], start: State | None = None
) -> tuple[AuditFinding, ...]:
    """What was against the rules in a game, from its moves and the hidden cards laid open at its end.

    `start` is where the game began, if not with a fresh deck. Raises `IllegalMove` for moves that aren't a game,
    and `BadState` for hands that don't fit its end.
    """
    record = ReplayedGame(start or SILENCIO.new(options), moves, hands)
    found: list[AuditFinding] = []
    for at, (move, events) in enumerate(zip(record.moves, record.events, strict=True)):
        found += [_finding(at, event.seat, event.what) for event in events if isinstance(event, r.Violation)]
        if isinstance(move, r.Pass):
            found += _pass(record, at)
        elif isinstance(move, r.Drawn) and move.card == HIDDEN:
            found += _failed_draw(record, at)
    last = record.states[-1]
    if last.phase == "give":  # the only dark effect that asks for something to be done
        found.append(_finding(len(record.moves) - 1, last.turn, "missed_give"))
    return tuple(found)


def _pass(record: ReplayedGame, at: int) -> list[AuditFinding]:
    """A pass with a playable card in the hand (SIL-10), or in place of a blind draw (SIL-26)."""
    state = record.states[at]
    seat, size = state.turn, len(state.hands[state.turn])
    certain, possible = record.hand(seat, at)
    good = playable(state, possible)
    kind: Kind = "missed_random" if must_draw(state) else "illegal_pass"
    sure = tuple(card for card in good if card in certain)
    if sure:
        return [_finding(at, seat, kind, sure)]
    if len(possible) - len(good) < size:  # there aren't enough others to fill the hand
        return [_finding(at, seat, kind, tuple(good), template=ONE_OF)]
    return [_finding(at, seat, kind, tuple(good), certain=False)] if good else []


def _failed_draw(record: ReplayedGame, at: int) -> list[AuditFinding]:
    """A blind draw called unplayable from a hand where every card could be played (SIL-26c)."""
    state = record.states[at]
    certain, possible = record.hand(state.turn, at)
    if len(playable(state, possible)) == len(possible):
        return [_finding(at, state.turn, "false_draw", possible)]
    if certain and len(playable(state, certain)) == len(certain):
        return [_finding(at, state.turn, "false_draw", certain, certain=False)]
    return []


def _finding(
    at: int, seat: int, kind: Kind, cards: Cards = (), certain: bool = True, template: str | None = None
) -> AuditFinding:
    names = tuple(SILENCIO.card(card) for card in cards)
    words = template or (SURE if certain else PERHAPS)[kind]
    return AuditFinding(
        at + 1, seat, kind, certain, cards, Text(words, {"move": at + 1, "seat": seat + 1, "cards": names})
    )


class ReplayedGame:
    """A game replayed, with what is known in the end about where its hidden cards were."""

    def __init__(self, start: State, moves: Sequence[Move], hands: Sequence[Cards]):
        self.moves = tuple(moves)
        self.states = [start]
        self.events: list[tuple[Event, ...]] = []
        for move in moves:
            state, events = SILENCIO.apply(self.states[-1], move)
            self.states.append(state)
            self.events.append(events)
        self.hands = tuple(tuple(sorted(hand)) for hand in hands)
        self._check_hands(self.states[-1])

    def _check_hands(self, last: State) -> None:
        """Hands laid open must have the right number of cards, the known ones, and no card seen elsewhere."""
        shown = [card for hand in self.hands for card in hand]
        fits = len(self.hands) == len(last.hands) and len(set(shown)) == len(shown) and set(last.adrift) <= set(shown)
        for hand, laid in zip(last.hands, self.hands, strict=False):
            known = {card for card in hand if card != HIDDEN}
            fits = fits and len(hand) == len(laid) and known <= set(laid) and set(laid) - known <= set(last.unseen)
        if not fits:
            raise BadState("audit_hands", Text(N_("The hands laid open don't fit the end of this game.")))

    def hand(self, seat: int, at: int) -> tuple[Cards, Cards]:
        """The cards a seat held for sure before a move, and all that it can have held."""
        state = self.states[at]
        cards = (*(card for card in state.hands[seat] if card != HIDDEN), *state.unseen)
        holders = {card: self.holders(card, at) for card in cards}
        possible = tuple(card for card in cards if seat in holders[card])
        return tuple(card for card in possible if holders[card] == {seat}), possible

    def holders(self, card: Card, at: int) -> set[int]:
        """The seats that can have held a card before a move; none if it was in the deck or in sight."""
        hands = self.states[at].hands
        if card not in self.states[at].unseen:
            return {seat for seat, hand in enumerate(hands) if card in hand}
        return self._looking_back(card, at) & self._looking_on(card, at)

    def _looking_back(self, card: Card, at: int) -> set[int]:
        """From the next time the card was seen, back through every hidden gift."""
        seen = next((to for to in range(at, len(self.states)) if card not in self.states[to].unseen), None)
        if seen is None:
            seats = {seat for seat, hand in enumerate(self.hands) if card in hand}
            before = len(self.moves)
        else:
            before = seen - 1
            seats = _revealed_by(self.states[before], self.moves[before])
        for to in reversed(range(at, before)):
            gift = _hidden_gift(self.states[to], self.moves[to])
            if gift:
                seats = _undo_gift(self.states[to], gift, seats)
        return seats

    def _looking_on(self, card: Card, at: int) -> set[int]:
        """From the last time the card was seen going into a hand, on through every hidden gift."""
        seen = next((to for to in reversed(range(at)) if card not in self.states[to].unseen), None)
        if seen is None:
            return set(range(len(self.hands)))
        seats = {seat for seat, hand in enumerate(self.states[seen].hands) if card in hand}
        for to in range(seen, at):
            gift = _hidden_gift(self.states[to], self.moves[to])
            if gift and gift[0] in seats:
                seats.add(gift[1])
        return seats


def _hidden_gift(state: State, move: Move) -> tuple[int, int] | None:
    """Who gave whom a card face down, if the move was that."""
    match move:
        case r.PassOn():
            giver = (state.turn + state.passed_on) % state.options.players
            return giver, (giver + 1) % state.options.players
        case r.Swap(partner, card) if card not in state.open[state.chosen]:
            return state.chosen, partner
        case r.Return(card) if state.phase == "swap_back" and card not in state.open[state.partner]:
            return state.partner, state.chosen
    return None


def _revealed_by(state: State, move: Move) -> set[int]:
    """From whose hand a move brought a card into sight; nobody's if it came from the deck."""
    if isinstance(move, Show):
        return set()
    return {state.chosen if state.phase == "replace" else state.turn}


def _undo_gift(state: State, gift: tuple[int, int], seats: set[int]) -> set[int]:
    """Who can have held a hidden card before a gift, if these can after it."""
    _, to = gift
    before = seats - {to}
    if to in seats:
        before |= {seat for seat in gift if HIDDEN in state.hands[seat]}
    return before
