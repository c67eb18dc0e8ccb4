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

from companion.games.game import IllegalMove, Move, Over, Reveal
from companion.table.comparing import WILD, Comparison, Lag, Match, Taken
from companion.table.host import Host
from companion.table.knowledge import deals_hands
from companion.table.refusing import parting, refusal
from companion.table.sight import NOTHING, Difference, Doubt, Explanation, Name, Progress, Proposal, Seen, Sight
from companion.table.tabletop import GRANTED, MARGIN, UNSEEN, Laid, mentioned, shown
from companion.table.telling import Trail, Way, asking, led_to, told_as, turn_of

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
LIKELY = 0.5
"""A doubtful name is taken for granted, before ✔, only if it's likelier than this; else the card is asked about."""
ENOUGH = 24
"""Explanations that are kept; a person is never asked for one of so many."""


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
        self._reached: list[tuple[float, Node]] = []
        self.nearest = [self.start]
        self._names = self.comparison.names
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
        self._reach(node)
        moves = self.game.conceivable(node.state)
        is_begun = all(type(move) in self.table.prices for move in moves)
        return (bool(node.moved) or is_begun) and not self._is_end(node.state)

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
            gist = self.table.gist(state)
            known = self.goals.get(gist)
            if known is None or cost < known[0]:
                self.goals[gist] = (cost, node, (*node.moves, *moves))
            self._reached.append((cost, node))
            if not rest:
                self._left = min(self._left, self.nodes + AFTER)
            is_plain = not rest and turn_of(node.state) == turn_of(self.start.state)
            self._limit = min(self._limit, cost + (MARGIN if is_plain else DETOUR))

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

    def ended(self) -> Proposal:
        """What goes without saying where a player is done and nothing else has happened; nothing if more is asked."""
        ends = [moves for moves, state in self._closed(self.start) if moves and self._is_end(state)]
        told = [self._told(self.start, moves) for moves in ends]
        return asking(self.game, self.start.state, told) if told else NOTHING

    def _differs(self, laid: Laid) -> bool:
        """Whether the table would look otherwise; heaps are swept when a turn is over."""
        zones = (zone for zone in laid if zone not in self.table.heaps)
        return any(self.comparison.match(zone, laid[zone]).differences for zone in zones)

    # What comes of it

    def result(self) -> Explained:
        """What the table means, once the search is over."""
        if self._needs_nothing:
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

    @property
    def _needs_nothing(self) -> bool:
        """Whether the table is as the state has it, and nothing explains better that fewer cards are seen, or more."""
        best = min((node.cost for _, node in self._reached), default=math.inf)
        return not self.start.differences and best >= self.start.cost

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
        return Explained(proposal, nodes=self.nodes, trail=self._trail())

    def _trail(self) -> Trail:
        """Each way up to here, also where players end alike who are done: who isn't may go on from any of them."""
        best = min(cost for cost, _ in self._reached)
        near = [node for cost, node in self._reached if cost <= best + MARGIN]
        witnessed = [node for node in near if node.is_witnessed]
        return tuple(dict.fromkeys(Way(node.moves, node.unseen) for node in witnessed or near))

    def _told(self, node: Node, moves: Sequence[Move]) -> Explanation:
        return told_as(self.host, self.start.state, moves, is_sure=not node.taken, unseen=node.unseen)

    def _begun(self, moves: Sequence[Move]) -> Progress | None:
        """How far cards that are awaited together have come; None once all of them lie there."""
        of = self.table.awaited(self.start.state)
        state = led_to(self.game, self.start.state, moves if of else ())
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
            found = refusal(self.host, node.state, node.differences, self.comparison)
            if found is not None:
                return found
        node = self.nearest[0]
        return parting(self.host, node.differences, self._told(node, node.moves) if node.depth else None)


class Inquiry:
    """All that is asked about one sight, in slices: a search, and one without the cards that it finds no name for.

    `lag` is what differed when the state came about, and ever since; what `old` shows in heaps isn't new.
    """

    def __init__(
        self, host: Host[Any], state: Any, sight: Sight,
        lag: Lag | None = None, old: Sight | None = None, trail: Trail = (),
    ):  # fmt: skip
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
