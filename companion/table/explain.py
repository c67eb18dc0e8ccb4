"""What must have happened at the table: a best-first search over the rules, from a state to the table as it's seen.

It knows no game. It gets what everybody may know of a state, and so does the work it takes: equal views, equal answers.
See docs/dev/follow.md.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.games.game import Game, IllegalMove, Move, Over, Reveal
from companion.table.comparing import WILD, Comparison, Lag, Match, Taken
from companion.table.host import Host
from companion.table.knowledge import deals_hands, heard
from companion.table.refusing import parting, refusal
from companion.table.sight import NOTHING, Difference, Doubt, Explanation, Name, Progress, Proposal, Seen, Sight
from companion.table.tabletop import GRANTED, Laid, mentioned, shown

MOST = 3000
"""States that a search looks at before it gives up."""
AFTER = 400
"""States it still looks at once the table is explained, for other explanations that are as good."""
MARGIN = 1.0
DETOUR = 3.0
"""An explanation that costs so much more than the best one isn't told; nor is a longer one looked for that is dearer
by a detour where the best leaves a turn unfinished."""
DEEPEST = 60
"""Moves in one explanation."""
UNFINISHED = 0.8
"""What it costs an explanation to end where the same player still decides, or a card must still be turned up."""
NEXT_TURN = 2.0
"""What it costs an explanation to go on into somebody else's turn."""
WITNESSED, FORGOTTEN = 0.3, 2.0
"""The share of its price that a move still costs which an earlier sight has shown; what it costs to leave that out."""
APART = 1.0
"""What each difference from the table costs: about a move."""
LIKELY = 0.5
"""A doubtful name is taken for granted, before ✔, only if it's likelier than this; else the card is asked about."""
ENOUGH = 24
"""Explanations that are kept; a person is never asked for one of so many."""


Trail = tuple[tuple[Move, ...], ...]


class Explained(Struct, frozen=True):
    """What came out: a proposal, or a card without a name to ask about. `nodes` is how many states were looked at.

    `trail` is what has happened up to this sight, each way it can have been; the next search goes on from there.
    """

    proposal: Proposal = NOTHING
    doubt: Doubt | None = None
    nodes: int = 0
    trail: Trail = ()


class Node:
    """A state that the search has come to, and how."""

    __slots__ = (
        "cost",
        "depth",
        "differences",
        "is_witnessed",
        "laid",
        "move",
        "own",
        "parent",
        "price",
        "state",
        "taken",
    )

    def __init__(self, state: Any, laid: Laid, parent: Node | None, move: Move | None, price: float):
        self.state, self.laid, self.parent, self.move, self.price = state, laid, parent, move, price
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.is_witnessed: bool = parent is not None and parent.is_witnessed
        self.differences: tuple[Difference, ...] = ()
        self.taken: tuple[Taken, ...] = ()
        self.own: Move | None = None
        self.cost = price

    def judge(self, matches: Iterable[Match]) -> None:
        """Take in how the zones agree with the table."""
        differences: list[Difference] = []
        taken: list[Taken] = []
        for match in matches:
            differences += match.differences
            taken += match.taken
            self.cost += match.cost
        self.differences, self.taken = tuple(differences), tuple(taken)
        self.cost += sum(WILD if one.what == "unnamed" else APART for one in differences)

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
        self,
        host: Host[Any],
        state: Any,
        sight: Sight,
        lag: Lag | None = None,
        old: Sight | None = None,
        trail: Trail = (),
        *,
        lenient: bool = False,
    ):
        self.host, self.game, self.table, self.lenient = host, host.game, host.table, lenient
        laid = self.table.layout(state)
        self.comparison = Comparison(self.table, laid, sight, lag, old, lenient=lenient)
        self.start = Node(state, laid, None, None, 0.0)
        self.start.judge(self.comparison.compare(laid))
        self.nodes = 1
        self.goals: dict[Any, tuple[float, Node, tuple[Move, ...]]] = {}
        self.nearest = [self.start]
        self._names = self.comparison.names
        self._count = 0
        self._heap: list[tuple[float, int, Node]] = [(self.start.cost, 0, self.start)]
        self._known: dict[Any, float] = {state: 0.0}
        self._limit = math.inf
        self._left = MOST
        self.is_done = not self.start.differences or not laid
        self._has_witness = False
        for moves in trail if not self.is_done else ():
            self._go_along(moves)

    def _go_along(self, moves: Sequence[Move]) -> None:
        """What an earlier sight has shown is likelier to have happened: its end is where the search goes on first."""
        node: Node | None = self.start
        for move in moves:
            node = None if node is None else self._after(node, move)
        if node is not None:
            discount = node.price * (1 - WITNESSED)
            node.price, node.cost, node.is_witnessed = node.price - discount, node.cost - discount, True
            self._has_witness = True
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
        elif not node.differences and node.depth:
            self._reach(node)
        elif node.depth < DEEPEST:
            for child in self._children(node):
                self._count -= 1
                heapq.heappush(self._heap, (child.cost, self._count, child))

    # From a state to the next

    def _children(self, node: Node) -> Iterator[Node]:
        is_unordered = node.state.phase in self.table.unordered
        for move in self._candidates(node):
            child = self._after(node, move)
            if child is None:
                continue
            if is_unordered and len(child.differences) < len(node.differences) and not child.taken:
                # Of cards that come together, in no order, one that is read for sure can as well be the first.
                self._known[child.state] = min(child.price, self._known.get(child.state, child.price))
                self._remember(child)
                yield child
                return
            known = self._known.get(child.state)
            if known is not None and known <= child.price:
                continue
            self._known[child.state] = child.price
            self._remember(child)
            yield child

    def _after(self, node: Node, move: Move) -> Node | None:
        self.nodes += 1
        try:
            state, _ = self.game.apply(node.state, move)
        except IllegalMove:
            return None  # what hangs on a hidden card can't be carried out on what everybody knows
        laid, matches = self.comparison.nearest(self.table.after(node.state, move, state))
        child = Node(state, laid, node, move, node.price)
        child.judge(matches)
        price = self._price(node, move, child)
        if price == math.inf:
            return None
        if node.parent is not None and turn_of(node.state) != turn_of(node.parent.state):
            price += NEXT_TURN
        child.price += price
        child.cost += price
        return child

    def _price(self, node: Node, move: Move, child: Node) -> float:
        leaves_trace = child.differences != node.differences or any(
            pieces is not node.laid[zone] and shown(pieces) != shown(node.laid[zone])
            for zone, pieces in child.laid.items()
        )
        if not leaves_trace and (move is node.own or move in self.table.answers(node.state)):
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
        changed = {one.card for one in node.differences}
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

    def _reach(self, node: Node) -> None:
        for moves, state in self._closed(node):
            rest = 0.0 if self._is_end(state) else UNFINISHED
            cost = node.cost + rest + (FORGOTTEN if self._has_witness and not node.is_witnessed else 0.0)
            known = self.goals.get(state)
            if known is None or cost < known[0]:
                self.goals[state] = (cost, node, (*node.moves, *moves))
            if not rest:
                self._left = min(self._left, self.nodes + AFTER)
            self._limit = min(self._limit, cost + (DETOUR if rest else MARGIN))

    def _is_end(self, state: Any) -> bool:
        """Whether somebody else decides, or the box draws: who pressed ✔ was done."""
        step = self.game.pending(state)
        if isinstance(step, Over) or step.seat is None:
            return isinstance(step, Over) or self.host.draws(state) or not isinstance(step, Reveal)
        first = self.game.pending(self.start.state)
        return isinstance(first, Over) or step.seat != first.seat

    def _closed(self, node: Node) -> Iterator[tuple[tuple[Move, ...], Any]]:
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

    # What comes of it

    def result(self) -> Explained:
        """What the table means, once the search is over."""
        if not self.start.differences:
            return Explained(nodes=self.nodes)
        for node in () if self.goals else self.nearest:
            if node.depth and not node.differences:  # the search gave up before it came to it
                self._reach(node)
        best = self._ranked()
        if not best:
            progress = self.table.progress(self.start.state, self.start.differences)
            return Explained(Proposal(progress=progress) if progress else self._refused(), nodes=self.nodes)
        unsure = [one for one in best if any(taken.chance <= LIKELY for taken in one[1].taken)]
        named = [one for one in best if one not in unsure]
        if not named or len({one[1].taken for one in named}) > 1:
            return self._doubtful(best)
        return self._proposed([(node, moves) for _, node, moves in named])

    def _ranked(self) -> list[tuple[float, Node, tuple[Move, ...]]]:
        found = sorted(self.goals.values(), key=lambda one: (one[0], len(one[2])))
        return [one for one in found if one[0] <= found[0][0] + MARGIN]

    def _proposed(self, found: Sequence[tuple[Node, tuple[Move, ...]]]) -> Explained:
        told = tuple(self._told(node, moves) for node, moves in found)
        progress = self._begun(told[0].moves)
        if progress is not None:
            return Explained(Proposal(progress=progress), nodes=self.nodes)
        proposal = asking(self.game, self.start.state, told)
        node = found[0][0]
        if proposal.clear and node.moves != proposal.clear:
            proposal = replace(proposal, open=self._told(node, node.moves))
        witnessed = [one for one, _ in found if one.is_witnessed]
        trail = tuple(dict.fromkeys(one.moves for one in witnessed or (one for one, _ in found)))
        return Explained(proposal, nodes=self.nodes, trail=trail)

    def _told(self, node: Node, moves: Sequence[Move]) -> Explanation:
        return told_as(self.host, self.start.state, moves, is_sure=not node.taken)

    def _begun(self, moves: Sequence[Move]) -> Progress | None:
        """How far cards that are awaited together have come; None once all of them lie there."""
        of, state = self.table.awaited(self.start.state), self.start.state
        for move in moves if of else ():
            state, _ = self.game.apply(state, move)
        left = self.table.awaited(state)
        return Progress(of - left, of) if left and state.phase == self.start.state.phase else None

    def _doubtful(self, found: Sequence[tuple[float, Node, tuple[Move, ...]]]) -> Explained:
        """A card without a name would explain the table: it's asked about, with all that it can be there."""
        first = found[0][1].taken[0].seen
        progress = self._begun(found[0][2])
        if progress is not None:
            return Explained(Proposal(progress=progress), nodes=self.nodes)
        if self._told(found[0][1], found[0][2]).steps > len(self.start.differences):
            return Explained(nodes=self.nodes)  # no card is awaited there yet
        names = self._names_for(first, [node for _, node, _ in found])
        called = dict.fromkeys(map(self.table.called, first.maybe))
        likely = tuple(name for card in called for name in names if name.card == card)
        return Explained(doubt=Doubt(first, names, likely), nodes=self.nodes)

    def _names_for(self, stranger: Seen, nodes: Sequence[Node]) -> tuple[Name, ...]:
        """What a card without a name can be where it lies: all that a legal move puts there, in the rules' order."""
        states: dict[Any, Laid] = {}
        for one in nodes:
            above: Node | None = one.parent
            while above is not None:
                states.setdefault(above.state, above.laid)
                above = above.parent
        zone = next(zone for zone, seen in self.table.watched(Sight(strangers=(stranger,))) if seen is stranger)
        names: dict[Name, None] = {}
        for state, laid in states.items():
            for move in self.game.conceivable(state):
                if not isinstance(move, (*self.game.mishaps, *self.table.never)) and mentioned(move):
                    try:
                        after = self.table.layout(self.game.apply(state, move)[0])
                    except IllegalMove:
                        continue
                    new = Counter(after.get(zone, ())) - Counter(laid.get(zone, ()))
                    names.update((Name(one.card, one.face), None) for one in new)
        lying = self.comparison.lying
        fits = (name for name in names if lying[name.card] < self.table.copies(name.card))
        return tuple(sorted(fits, key=lambda name: self.table.order(name.card)))

    def _refused(self) -> Proposal:
        """Nothing explains the table: the rule that the nearest step breaks, or where the two part."""
        for node in (*self.nearest, self.start):
            found = refusal(self.host, node.state, node.differences)
            if found is not None:
                return found
        node = self.nearest[0]
        return parting(self.host, node.differences, self._told(node, node.moves) if node.depth else None)


class Inquiry:
    """All that is asked about one sight, in slices: a search, and one without the cards that it finds no name for.

    `lag` is what differed when the state came about, and ever since; what `old` shows in heaps isn't new.
    """

    def __init__(
        self,
        host: Host[Any],
        state: Any,
        sight: Sight,
        lag: Lag | None = None,
        old: Sight | None = None,
        trail: Trail = (),
    ):
        self._given = (host, state, sight, lag, old, trail)
        self._nodes = 0
        self.result: Explained | None = None
        if sight.is_busy or deals_hands(host.game, state):
            self.result = Explained()
        else:
            self._search = Search(*self._given)

    def run(self, most: int = MOST) -> bool:
        """Look at some more states; whether the result is there."""
        while self.result is None and self._search.run(most):
            found = self._search.result()
            found = replace(found, nodes=found.nodes + self._nodes)
            has_said = found.doubt is not None or found.proposal.found or found.proposal.progress is not None
            if has_said or self._search.lenient or not self._search.comparison.has_unnamed:
                self.result = found
            else:
                # A card that no rule has a name for, here, is of no account: perhaps it's no card at all.
                self._nodes = found.nodes
                self._search = Search(*self._given, lenient=True)
        return self.result is not None


def explain(host: Host[Any], state: Any, sight: Sight) -> Explained:
    """What happened between a state, as everybody may know it, and the table as it's seen."""
    inquiry = Inquiry(host, state, sight)
    while not inquiry.run():
        pass
    assert inquiry.result is not None
    return inquiry.result


def told_as(host: Host[Any], state: Any, moves: Sequence[Move], *, is_sure: bool = True) -> Explanation:
    """An explanation as it's told: what left a trace, step by step."""
    game, layout = host.game, host.table.layout
    first = game.pending(state)
    says, steps, laid = [], 0, layout(state)
    for move in moves:
        state, events = game.apply(state, move)
        now = layout(state)
        if now != laid:
            steps += 1
            says += [game.tell(event) for event in heard(events, None)[:1]]
        laid = now
    last = game.pending(state)
    is_over = isinstance(last, Over)
    seats = [None if isinstance(step, Over) else step.seat for step in (first, last)]
    return Explanation(
        tuple(moves), steps, tuple(says), is_sure, ends_turn=is_over or seats[0] != seats[1], ends_game=is_over
    )


def turn_of(state: Any) -> int:
    """Whose turn it is, where a game has turns."""
    return getattr(state, "turn", 0)


def shared_moves(found: Sequence[Explanation]) -> int:
    """How many moves several explanations begin with alike."""
    longest = min(len(one.moves) for one in found)
    return next((at for at in range(longest) if len({one.moves[at] for one in found}) > 1), longest)


def asking(game: Game[Any], state: Any, found: Sequence[Explanation]) -> Proposal:
    """Explanations as a proposal: where there are several, with the state in which they part and the moves there."""
    if len(found) < 2:
        return Proposal(tuple(found))
    shared = shared_moves(found)
    for move in found[0].moves[:shared]:
        state, _ = game.apply(state, move)
    listed = {move: at for at, move in enumerate(game.conceivable(state))}
    asked = {one.moves[shared] for one in found if len(one.moves) > shared}
    if len(asked) < 2:  # one of them goes on where another ends: the best one knows
        return Proposal((found[0],))
    return Proposal(tuple(found), at=state, asked=tuple(sorted(asked, key=lambda move: listed.get(move, len(listed)))))


def narrowed(game: Game[Any], state: Any, proposal: Proposal, move: Move) -> Proposal:
    """A proposal after one of the moves that it asks for was picked: what is left, and what is still asked."""
    shared = shared_moves(proposal.found)
    return asking(game, state, [one for one in proposal.found if one.moves[shared : shared + 1] == (move,)])
