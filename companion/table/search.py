"""A best-first search over the rules, from a state to the table as it's seen.

It knows no game. It gets what everybody may know of a state, and so does the work it takes: equal views, equal answers.
See docs/dev/follow.md.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from companion.games.game import IllegalMove, Move, Over, Reveal
from companion.table.comparing import WILD, Comparison, Lag, Match, Taken
from companion.table.host import Host
from companion.table.sight import Difference, Sight
from companion.table.tabletop import GRANTED, MARGIN, UNSEEN, Laid, mentioned, shown
from companion.table.telling import Trail, Way, turn_of

MOST = 3000
"""States that a search looks at before it gives up."""
AFTER = 400
"""States it still looks at once the table is explained, for other explanations that are as good."""
DETOUR = 3.0
"""Where the best one leaves a turn unfinished, or goes on into the next, dearer ones are looked for, by so much."""
DEEPEST = 60
"""Moves in one explanation."""
UNFINISHED = 0.8
"""What it costs an explanation to end where the same player still decides, or a card must still be turned up."""
NEXT_TURN = 2.0
"""What it costs an explanation to go on into somebody else's turn."""
WITNESSED, FORGOTTEN = 0.3, 2.0
"""The share of its price that a move still costs which an earlier sight has shown; what it costs to leave that out."""
PASSED_OVER = MARGIN + 0.1
"""What it costs more to leave an offer where the table shows it used."""
APART = 1.0
"""What each difference from the table costs: about a move."""
ENOUGH = 24
"""Explanations that are kept; a person is never asked for one of so many."""


class Node:
    """A state that the search has come to, and how."""

    __slots__ = (
        "cost",
        "depth",
        "differences",
        "is_granted",
        "is_witnessed",
        "laid",
        "move",
        "moved",
        "own",
        "parent",
        "price",
        "state",
        "taken",
        "unseen",
    )

    def __init__(self, state: Any, laid: Laid, parent: Node | None, move: Move | None, price: float):
        self.state, self.laid, self.parent, self.move, self.price = state, laid, parent, move, price
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.is_witnessed: bool = parent is not None and parent.is_witnessed
        self.unseen: tuple[int, ...] = () if parent is None else parent.unseen
        self.differences: tuple[Difference, ...] = ()
        self.taken: tuple[Taken, ...] = ()
        self.own: Move | None = None
        self.moved = 0
        self.is_granted = False
        self.cost = price

    def judge(self, matches: Iterable[Match]) -> None:
        """Take in how the zones agree with the table."""
        differences: list[Difference] = []
        taken: list[Taken] = []
        for match in matches:
            differences += match.differences
            taken += match.taken
            self.cost += match.cost
            self.moved += match.moved
        self.differences, self.taken = tuple(differences), tuple(taken)
        self.cost += sum(WILD if one.is_wild else APART for one in differences)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that led here."""
        moves: list[Move] = []
        node: Node | None = self
        while node is not None and node.move is not None:
            moves.append(node.move)
            node = node.parent
        return tuple(reversed(moves))


class Search:
    """One search. It can be done in slices, so that whoever owns the game can look up in between."""

    def __init__(
        self, host: Host[Any], state: Any, sight: Sight, lag: Lag | None = None,
        old: Sight | None = None, trail: Trail = (), *, lenient: bool = False,
    ):  # fmt: skip
        self.host, self.game, self.table, self.lenient = host, host.game, host.table, lenient
        laid = self.table.layout(state)
        self.comparison = Comparison(self.table, laid, sight, lag, old, lenient=lenient)
        self.start = Node(state, laid, None, None, 0.0)
        self.start.judge(self.comparison.compare(laid))
        self.nodes = 1
        self.goals: dict[Any, tuple[float, Node, tuple[Move, ...]]] = {}
        self.reached: list[tuple[float, Node]] = []
        self.nearest = [self.start]
        self._count = 0
        self._heap: list[tuple[float, int, Node]] = [(self.start.cost, 0, self.start)]
        self._known: dict[Any, float] = {state: 0.0}
        self._limit = math.inf
        self._left = MOST
        self.is_done = not (self.start.differences or self.start.moved) or not laid
        self._has_witness = False
        for way in trail if not self.is_done else ():
            self._go_along(way)

    def _go_along(self, way: Way) -> None:
        """What an earlier sight has shown is likelier to have happened: its end is where the search goes on first.

        It may have gone otherwise from any place on the way, if what was in somebody's hand was guessed wrong.
        """
        nodes = [self.start]
        for move in way.moves:
            after = self._after(nodes[-1], move)
            if after is None:
                return
            nodes.append(after)
        self._has_witness = True
        for node in nodes[1:]:
            node.unseen = tuple(at for at in way.unseen if at < node.depth)
            discount = node.price * (1 - WITNESSED) - (FORGOTTEN if node is not nodes[-1] else 0.0)
            node.price, node.cost, node.is_witnessed = node.price - discount, node.cost - discount, True
            if node is nodes[-1] or node.price < self._known.get(node.state, math.inf):
                self._known[node.state] = min(node.price, self._known.get(node.state, node.price))
                self._remember(node)
                self._count -= 1
                heapq.heappush(self._heap, (node.cost, self._count, node))

    def run(self, most: int = MOST) -> bool:
        """Look at some more states; whether the search is over."""
        until = self.nodes + most
        while self.nodes < until and not self.is_done:
            self._step()
        return self.is_done

    def _step(self) -> None:
        if not self._heap or self.nodes >= self._left or len(self.goals) >= ENOUGH:
            self.is_done = True
            return
        cost, _, node = heapq.heappop(self._heap)
        if cost > self._limit:
            self.is_done = True
        elif not node.differences and node.depth and not self._goes_on(node):
            return
        elif node.depth < DEEPEST:
            for child in self._children(node):
                self._count -= 1
                heapq.heappush(self._heap, (child.cost, self._count, child))

    def _goes_on(self, node: Node) -> bool:
        """Take in a state that explains the table; whether more may have happened: alike cards have still moved.

        What was begun and shows only by what comes of it was done, too: how is asked, if nothing has come in sight.
        """
        self.reach(node)
        moves = self.game.conceivable(node.state)
        is_begun = all(type(move) in self.table.prices for move in moves)
        return (bool(node.moved) or is_begun) and not self.is_end(node.state)

    # From a state to the next

    def _children(self, node: Node) -> Iterator[Node]:
        is_unordered = node.state.phase in self.table.unordered
        children = []
        for move in self._candidates(node):
            child = self._after(node, move)
            if child is None:
                continue
            if is_unordered and len(child.differences) < len(node.differences) and not child.taken:
                # Of cards that come together, in no order, one that is read for sure can as well be the first.
                children = [child]
                break
            children.append(child)
        is_used = any(len(child.differences) < len(node.differences) for child in children)
        for child in children:
            if child.is_granted and is_used:
                # An offer that the table shows to be used wasn't left, to be used at a later time.
                child.price, child.cost = child.price + PASSED_OVER, child.cost + PASSED_OVER
            known = self._known.get(child.state)
            if len(children) > 1 and known is not None and known <= child.price:
                continue
            self._known[child.state] = min(child.price, self._known.get(child.state, child.price))
            self._remember(child)
            yield child

    def _after(self, node: Node, move: Move) -> Node | None:
        self.nodes += 1
        try:
            state, _ = self.game.apply(node.state, move)
        except IllegalMove:
            return None  # what hangs on a hidden card can't be carried out on what everybody knows
        laid, matches = self.comparison.nearest(self.table.after(node.state, node.laid, move, state))
        child = Node(state, laid, node, move, node.price)
        child.judge(matches)
        price = self._price(node, move, child)
        if price == math.inf:
            return None
        if price >= UNSEEN or self._is_out_of_sight(node, move, child):
            child.unseen = (*node.unseen, node.depth)
        if node.parent is not None and turn_of(node.state) != turn_of(node.parent.state):
            price += NEXT_TURN
            if node.is_granted and move in self.game.conceivable(node.parent.state):
                # Nobody has seen that the turn was over, and who had it could have gone on with the same.
                child.unseen = (*node.parent.unseen, node.depth - 1, *child.unseen[len(node.parent.unseen) :])
        child.price += price
        child.cost += price
        return child

    def _is_out_of_sight(self, node: Node, move: Move, child: Node) -> bool:
        """Whether a move puts a card on a heap, and it isn't seen on any where it may lie."""
        if not mentioned(move):
            return False
        zones = [zone for zone in self.table.heaps if child.laid.get(zone) != node.laid.get(zone)]
        match = self.comparison.match
        return bool(zones) and all(
            match(zone, child.laid[zone]).buried > match(zone, node.laid[zone]).buried for zone in zones
        )

    def _price(self, node: Node, move: Move, child: Node) -> float:
        leaves_trace = child.differences != node.differences or any(
            pieces is not node.laid[zone] and shown(pieces) != shown(node.laid[zone])
            for zone, pieces in child.laid.items()
        )
        if not leaves_trace and (move is node.own or move in self.table.answers(node.state)):
            child.is_granted = move is not node.own
            return GRANTED
        return self.table.price(node.state, move, leaves_trace)

    def _candidates(self, node: Node) -> Sequence[Move]:
        """What may have been done next: what names a card names one that the table doesn't show as it should be."""
        state = node.state
        step = self.game.pending(state)
        if isinstance(step, Over) or (isinstance(step, Reveal) and self.host.draws(state)):
            return ()
        node.own = self.host.by_itself(state)
        if node.own is not None:
            return (node.own,)
        changed = {*self.comparison.covered, *(one.card for one in node.differences)}
        changed |= {self.table.called(card) for one in node.differences if one.seen for card in one.seen.maybe}
        is_wild = any(one.what == "unnamed" for one in node.differences)
        return [
            move
            for move in self.game.conceivable(state)
            if not isinstance(move, (*self.game.mishaps, *self.table.never))
            and (is_wild or changed.issuperset(mentioned(move)))
        ]

    # What explains the table

    def _remember(self, node: Node) -> None:
        """Keep the states that come nearest to the table, for whom nothing explains it."""
        rank = (len(node.differences), node.price)
        if rank < (len(self.nearest[-1].differences), self.nearest[-1].price) or len(self.nearest) < 4:
            self.nearest = sorted([*self.nearest, node], key=lambda one: (len(one.differences), one.price))[:4]

    def reach(self, node: Node) -> None:
        """Take in a state that explains the table, with each way in which the turn may end there."""
        for moves, state in self.closed(node):
            rest = 0.0 if self.is_end(state) else UNFINISHED
            cost = node.cost + rest + (FORGOTTEN if self._has_witness and not node.is_witnessed else 0.0)
            gist = self.table.gist(state)
            known = self.goals.get(gist)
            if known is None or cost < known[0]:
                self.goals[gist] = (cost, node, (*node.moves, *moves))
            self.reached.append((cost, node))
            if not rest:
                self._left = min(self._left, self.nodes + AFTER)
            is_plain = not rest and turn_of(node.state) == turn_of(self.start.state)
            self._limit = min(self._limit, cost + (MARGIN if is_plain else DETOUR))

    def is_end(self, state: Any) -> bool:
        """Whether somebody else decides, or the box draws: who pressed ✔ was done."""
        step = self.game.pending(state)
        if isinstance(step, Over) or step.seat is None:
            return isinstance(step, Over) or self.host.draws(state) or not isinstance(step, Reveal)
        first = self.game.pending(self.start.state)
        return isinstance(first, Over) or step.seat != first.seat

    def closed(self, node: Node) -> Iterator[tuple[tuple[Move, ...], Any]]:
        """What goes without saying after the last card, to where somebody else decides; several if it's picked."""
        waiting: list[tuple[tuple[Move, ...], Any]] = [((), node.state)]
        while waiting:
            moves, state = waiting.pop()
            granted = self._granted(state, node.laid) if len(moves) < DEEPEST else []
            if not granted:
                yield moves, state
            for move, after in granted:
                waiting.append(((*moves, move), after))

    def _granted(self, state: Any, laid: Laid) -> list[tuple[Move, Any]]:
        step = self.game.pending(state)
        if isinstance(step, Over) or (isinstance(step, Reveal) and self.host.draws(state)):
            return []
        own = self.host.by_itself(state)
        legal = self.game.conceivable(state)
        answers = [own] if own is not None else [move for move in self.table.closing(state) if move in legal]
        after = []
        for move in answers:
            try:
                reached, _ = self.game.apply(state, move)
            except IllegalMove:
                return []
            if self._differs(self.table.layout(reached)):
                return []
            after.append((move, reached))
        return after

    def _differs(self, laid: Laid) -> bool:
        """Whether the table would look otherwise; heaps are swept when a turn is over."""
        zones = (zone for zone in laid if zone not in self.table.heaps)
        return any(self.comparison.match(zone, laid[zone]).differences for zone in zones)
