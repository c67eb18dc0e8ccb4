"""A best-first search over the rules, from a state to the table as it's seen.

It knows no game. It sees only the public view of a state: equal views take equal time and give equal answers.
See docs/dev/follow.md.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from companion.games.game import IllegalMove, Move, Over, Reveal
from companion.table.comparing import WILD_COST, AssumedName, Comparison, KnownDifferences, Match
from companion.table.difference import Difference
from companion.table.host import Host
from companion.table.proposing import NO_MOVES_SEEN, SeenMoves, Trail, seat_in_turn
from companion.table.sight import Sight
from companion.table.tabletop import EQUAL_COST, IMPLIED_COST, UNSEEN_COST, ExpectedLayout, mentioned, that_must_show

MAX_STATES = 3000
"""States that a search looks at before it gives up."""
EXTRA_STATES = 400
"""States it still looks at once the table is explained, for other explanations that are as good."""
DETOUR_COST = 3.0
"""Extra cost up to which others are searched where the best leaves a turn open or enters the next one."""
MAX_MOVES = 60
"""Moves in one explanation."""
OPEN_TURN_COST = 0.8
"""What it costs an explanation to end where the same player still decides, or a card must still be turned up."""
NEXT_TURN_COST = 2.0
"""What it costs an explanation to go on into somebody else's turn."""
WITNESSED_SHARE, FORGOTTEN_COST = 0.3, 2.0
"""A move seen in an earlier sight costs this share of its price; an explanation without it costs this more."""
PASSED_OVER_COST = EQUAL_COST + 0.1
"""What it costs more to leave an offer where the table shows it used."""
DIFFERENCE_COST = 1.0
"""What each difference from the table costs: about a move."""
PILE_LEFT_COST = 3.0
"""What it costs an explanation to leave cards on a pile that is gone from the table."""
MAX_EXPLANATIONS = 24
"""Explanations that are kept; a person is never asked for one of so many."""


class SearchNode:
    """A state that the search has come to, and how."""

    __slots__ = (
        "assumed",
        "box_move",
        "changed_copies",
        "depth",
        "differences",
        "is_implied",
        "is_witnessed",
        "laid",
        "move",
        "parent",
        "path_cost",
        "state",
        "total_cost",
        "unseen",
    )

    def __init__(
        self, state: Any, laid: ExpectedLayout, parent: SearchNode | None, move: Move | None, path_cost: float
    ):
        self.state, self.laid, self.parent, self.move, self.path_cost = state, laid, parent, move, path_cost
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.is_witnessed: bool = parent is not None and parent.is_witnessed
        self.unseen: tuple[int, ...] = () if parent is None else parent.unseen
        self.differences: tuple[Difference, ...] = ()
        self.assumed: tuple[AssumedName, ...] = ()
        self.box_move: Move | None = None
        self.changed_copies = 0
        self.is_implied = False
        self.total_cost = path_cost

    def judge(self, matches: Iterable[Match]) -> None:
        """Take in how the zones agree with the table."""
        differences: list[Difference] = []
        assumed: list[AssumedName] = []
        for match in matches:
            differences += match.differences
            assumed += match.assumed
            self.total_cost += match.cost
            self.changed_copies += match.changed_copies
        self.differences, self.assumed = tuple(differences), tuple(assumed)
        self.total_cost += sum(WILD_COST if one.is_wild else DIFFERENCE_COST for one in differences)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that led here."""
        moves: list[Move] = []
        node: SearchNode | None = self
        while node is not None and node.move is not None:
            moves.append(node.move)
            node = node.parent
        return tuple(reversed(moves))


def witness_discount(path_cost: float, *, is_whole: bool) -> float:
    """By how much a path that an earlier sight showed is cheaper than if it were guessed.

    It may be less than nothing: a path that leaves out a part of what that sight showed pays `FORGOTTEN_COST`.
    """
    return path_cost * (1 - WITNESSED_SHARE) - (0.0 if is_whole else FORGOTTEN_COST)


class Goal(NamedTuple):
    """How the table is explained: the cost, the last state that shows, and all moves with what goes without saying."""

    cost: float
    node: SearchNode
    moves: tuple[Move, ...]


class Search:
    """One search. It can be done in slices, so that whoever owns the game can look up in between."""

    def __init__(
        self, host: Host[Any], state: Any, sight: Sight, known_differences: KnownDifferences | None = None,
        sight_before: Sight | None = None, trail: Trail = (), *, lenient: bool = False,
    ):  # fmt: skip
        self.host, self.game, self.table, self.lenient = host, host.game, host.table, lenient
        laid = self.table.layout(state)
        self.comparison = Comparison(self.table, laid, sight, known_differences, sight_before, lenient=lenient)
        self.start = SearchNode(state, laid, None, None, 0.0)
        self.start.judge(self.comparison.compare(laid))
        self.states_tried = 1
        self.goals: dict[Any, Goal] = {}
        self._all_goals: dict[Any, list[Goal]] = {}
        self.reached: list[Goal] = []
        self.nearest = [self.start]
        self._count = 0
        self._heap: list[tuple[float, int, SearchNode]] = [(self.start.total_cost, 0, self.start)]
        self._known: dict[Any, float] = {state: 0.0}
        self._limit = math.inf
        self._max_states = MAX_STATES
        self._has_witness = self.is_shuffled = False
        bare = (zone for zone in self.table.piles if laid.get(zone) and self.comparison.is_bare(zone))
        self._bare_piles = tuple(bare) if trail else ()
        self.is_done = not laid
        self.matches_state = not (self.start.differences or self.start.changed_copies or self._bare_piles)
        if self.matches_state:
            # Nothing has to be explained: only what an earlier sight showed may still mean something.
            self._heap, self._max_states = [], EXTRA_STATES
        for seen_moves in trail if laid else ():
            self._start_from_earlier(seen_moves)
        if self.matches_state:
            # Cards that an earlier sight showed are gone again, so their moves were taken back, unless a card was taken
            # up and lies again where it lay.
            matched_before = NO_MOVES_SEEN in trail
            self._heap = [one for one in self._heap if self._lies_again(one[2], matched_before)]
            self._limit = max((cost for cost, _, _ in self._heap), default=0.0) + EQUAL_COST
            self.is_done = not self._heap

    def _start_from_earlier(self, earlier: SeenMoves) -> None:
        """Start from the moves that an earlier sight showed: they are likelier, so they are searched first.

        Every state on that path stays open, since a hidden card may have been guessed wrong.
        """
        nodes = [self.start]
        self.start.is_witnessed = self.start.is_witnessed or not earlier.moves
        for move in earlier.moves:
            after = self._after(nodes[-1], move)
            if after is None:
                return
            nodes.append(after)
        self._has_witness = True
        for node in nodes[1:]:
            node.unseen = tuple(at for at in earlier.unseen if at < node.depth)
            discount = witness_discount(node.path_cost, is_whole=node is nodes[-1])
            node.path_cost -= discount
            node.total_cost -= discount
            node.is_witnessed = True
            if node is nodes[-1] or node.path_cost < self._known.get(node.state, math.inf):
                self._known[node.state] = min(node.path_cost, self._known.get(node.state, node.path_cost))
                self._remember(node)
                self._count -= 1
                heapq.heappush(self._heap, (node.total_cost, self._count, node))

    def _lies_again(self, node: SearchNode, matched_before: bool) -> bool:
        """Whether the table differs from what an earlier sight showed only by cards that lie there again.

        Of cards that have copies nobody knows that. Where nothing differs, the moves that led here leave the table as
        it is: that is believed only if an earlier sight matched the state of the game as well.
        """
        is_again = all(one.what == "extra" and self.table.copies(one.card) == 1 for one in node.differences)
        return is_again and (matched_before or bool(node.differences))

    def run(self, most: int = MAX_STATES) -> bool:
        """Look at some more states; whether the search is over."""
        until = self.states_tried + most
        while self.states_tried < until and not self.is_done:
            self._step()
        return self.is_done

    def _step(self) -> None:
        if not self._heap or self.states_tried >= self._max_states or len(self.goals) >= MAX_EXPLANATIONS:
            self.is_done = True
            return
        cost, _, node = heapq.heappop(self._heap)
        if cost > self._limit:
            self.is_done = True
        elif not node.differences and node.depth and not self._keep_explained(node):
            return
        elif node.depth < MAX_MOVES:
            for child in self._children(node):
                self._count -= 1
                heapq.heappush(self._heap, (child.total_cost, self._count, child))

    def _keep_explained(self, node: SearchNode) -> bool:
        """Keep a state that explains the table; whether the search goes on from it.

        It does where identical cards still moved, and where something was begun that shows only by what comes of it.
        """
        self.add_goals(node)
        moves = self.game.conceivable(node.state)
        is_begun = all(type(move) in self.table.traceless_costs for move in moves)
        return (bool(node.changed_copies) or is_begun) and not self.is_end(node.state)

    # From a state to the next

    def _children(self, node: SearchNode) -> Iterator[SearchNode]:
        is_unordered = node.state.phase in self.table.unordered
        children = []
        for move in self._candidates(node):
            child = self._after(node, move)
            if child is None:
                continue
            if is_unordered and len(child.differences) < len(node.differences) and not child.assumed:
                # Order doesn't matter in this phase, so one card that is surely read is enough to try first.
                children = [child]
                break
            children.append(child)
        is_used = any(len(child.differences) < len(node.differences) for child in children)
        for child in children:
            if child.is_implied and is_used:
                # The table shows that the offer was used, so it wasn't declined and used later.
                child.path_cost += PASSED_OVER_COST
                child.total_cost += PASSED_OVER_COST
            known = self._known.get(child.state)
            if len(children) > 1 and known is not None and known <= child.path_cost:
                continue
            self._known[child.state] = min(child.path_cost, self._known.get(child.state, child.path_cost))
            self._remember(child)
            yield child

    def _after(self, node: SearchNode, move: Move) -> SearchNode | None:
        self.states_tried += 1
        try:
            state, _ = self.game.apply(node.state, move)
        except IllegalMove:
            return None  # what hangs on a hidden card can't be carried out on what everybody knows
        laid, matches = self.comparison.nearest(self.table.after(node.state, node.laid, move, state))
        child = SearchNode(state, laid, node, move, node.path_cost)
        child.judge(matches)
        cost = self._move_cost(node, move, child)
        if cost == math.inf:
            return None
        if cost >= UNSEEN_COST or self._is_out_of_sight(node, move, child):
            child.unseen = (*node.unseen, node.depth)
        if node.parent is not None and seat_in_turn(node.state) != seat_in_turn(node.parent.state):
            cost += NEXT_TURN_COST
            if node.is_implied and self._could_be_theirs(node.parent.state, move):
                # Nobody saw the turn end, and the same player could have moved this card: ask people.
                child.unseen = tuple(sorted({*child.unseen, node.depth - 1}))
        child.path_cost += cost
        child.total_cost += cost
        return child

    def _could_be_theirs(self, state: Any, move: Move) -> bool:
        """Whether whoever was to move in a state could have made a move, or another with the same cards."""
        cards = mentioned(move)
        return any(one == move or (cards and mentioned(one) == cards) for one in self.game.conceivable(state))

    def _is_out_of_sight(self, node: SearchNode, move: Move, child: SearchNode) -> bool:
        """Whether a move puts a card on a heap, and it isn't seen on any where it may lie."""
        if not mentioned(move):
            return False
        zones = [zone for zone in self.table.heaps if child.laid.get(zone) != node.laid.get(zone)]
        match = self.comparison.match
        return bool(zones) and all(
            match(zone, child.laid[zone]).buried > match(zone, node.laid[zone]).buried for zone in zones
        )

    def _move_cost(self, node: SearchNode, move: Move, child: SearchNode) -> float:
        leaves_trace = child.differences != node.differences or any(
            pieces is not node.laid[zone] and that_must_show(pieces) != that_must_show(node.laid[zone])
            for zone, pieces in child.laid.items()
        )
        if not leaves_trace and (move is node.box_move or move in self.table.traceless_answers(node.state)):
            child.is_implied = move is not node.box_move
            return IMPLIED_COST
        return self.table.move_cost(node.state, move, leaves_trace)

    def _candidates(self, node: SearchNode) -> Sequence[Move]:
        """Moves to try next: a move that names a card must name one that differs on the table."""
        state = node.state
        step = self.game.pending(state)
        if isinstance(step, Over) or (isinstance(step, Reveal) and self.host.draws(state)):
            return ()
        node.box_move = self.host.forced_move(state)
        if node.box_move is not None:
            return (node.box_move,)
        changed = {*self.comparison.covered, *(one.card for one in node.differences)}
        changed |= {self.table.layout_name(card) for one in node.differences if one.seen for card in one.seen.maybe}
        is_wild = any(one.what == "unnamed" for one in node.differences)
        return [
            move
            for move in self.game.conceivable(state)
            if not isinstance(move, (*self.game.mishaps, *self.table.never))
            and (is_wild or changed.issuperset(mentioned(move)))
        ]

    # What explains the table

    def _remember(self, node: SearchNode) -> None:
        """Keep the states nearest to the table, in case nothing explains it."""
        rank = (len(node.differences), node.path_cost)
        if rank < (len(self.nearest[-1].differences), self.nearest[-1].path_cost) or len(self.nearest) < 4:
            self.nearest = sorted([*self.nearest, node], key=lambda one: (len(one.differences), one.path_cost))[:4]

    def add_goals(self, node: SearchNode) -> None:
        """Take in a state that explains the table, with each way in which the turn may end there."""
        for moves, state in self.with_implied_moves(node):
            rest = 0.0 if self.is_end(state) else OPEN_TURN_COST
            forgotten = FORGOTTEN_COST if self._has_witness and not node.is_witnessed else 0.0
            cost = node.total_cost + rest + forgotten
            if self._bare_piles:
                is_shuffled = not any(map(self.table.layout(state).get, self._bare_piles))
                self.is_shuffled = self.is_shuffled or is_shuffled
                cost += 0.0 if is_shuffled else PILE_LEFT_COST
            canonical, goal = self.table.canonical(state), Goal(cost, node, (*node.moves, *moves))
            self._all_goals.setdefault(canonical, []).append(goal)
            known = self.goals.get(canonical)
            # Of equal ends the one is kept beside which something may have been done that nobody sees.
            if known is None or (cost, not self._has_asides(node)) < (known.cost, not self._has_asides(known.node)):
                self.goals[canonical] = goal
            self.reached.append(goal)
            if not rest:
                self._max_states = min(self._max_states, self.states_tried + EXTRA_STATES)
            is_direct = not rest and seat_in_turn(node.state) == seat_in_turn(self.start.state)
            self._limit = min(self._limit, cost + (EQUAL_COST if is_direct else DETOUR_COST))

    def ranked(self) -> list[Goal]:
        """The best goal of each end that is about as good as the best.

        The others are told in the order of the best where they can be: people are asked what came of moves, not which
        came first.
        """
        found = sorted(self.goals.items(), key=lambda one: (one[1].cost, len(one[1].moves)))
        near = [(canonical, goal) for canonical, goal in found if goal.cost <= found[0][1].cost + EQUAL_COST]

        def in_order_of_best(canonical: Any, best: Goal) -> Goal:
            if self._has_asides(best.node):
                return best
            others = [
                one for one in self._all_goals[canonical] if one.cost <= best.cost + EQUAL_COST and not one.node.assumed
            ]
            return max((best, *others), key=lambda one: shared_length(one.moves, near[0][1].moves))

        return [in_order_of_best(*one) if at else one[1] for at, one in enumerate(near)]

    def _has_asides(self, node: SearchNode) -> bool:
        return bool(self.table.asides(node.state))

    def is_end(self, state: Any) -> bool:
        """Whether somebody else decides, or the box draws: who pressed ✔ was done."""
        step = self.game.pending(state)
        if isinstance(step, Over) or step.seat is None:
            return isinstance(step, Over) or self.host.draws(state) or not isinstance(step, Reveal)
        first = self.game.pending(self.start.state)
        return isinstance(first, Over) or step.seat != first.seat

    def with_implied_moves(self, node: SearchNode) -> Iterator[tuple[tuple[Move, ...], Any]]:
        """Moves implied after the last card, up to another player's decision; several where people must pick."""
        waiting: list[tuple[tuple[Move, ...], Any]] = [((), node.state)]
        while waiting:
            moves, state = waiting.pop()
            implied = self._implied(state, node.laid) if len(moves) < MAX_MOVES else []
            if not implied:
                yield moves, state
            for move, after in implied:
                waiting.append(((*moves, move), after))

    def _implied(self, state: Any, laid: ExpectedLayout) -> list[tuple[Move, Any]]:
        step = self.game.pending(state)
        if isinstance(step, Over) or (isinstance(step, Reveal) and self.host.draws(state)):
            return []
        own = self.host.forced_move(state)
        legal = self.game.conceivable(state)
        answers = [own] if own is not None else [move for move in self.table.closing(state) if move in legal]
        after = []
        for move in answers:
            try:
                reached, _ = self.game.apply(state, move)
            except IllegalMove:
                return []
            if all(map(self._differs, self.table.after(state, laid, move, reached))):
                return []
            after.append((move, reached))
        return after

    def _differs(self, laid: ExpectedLayout) -> bool:
        """Whether the table would look otherwise; heaps are swept when a turn is over."""
        zones = (zone for zone in laid if zone not in self.table.heaps)
        return any(self.comparison.match(zone, laid[zone]).differences for zone in zones)


def shared_length(one: Sequence[Move], other: Sequence[Move]) -> int:
    """How many first moves two goals share."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
