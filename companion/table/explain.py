"""What must have happened at the table: what a search over the rules comes to, as it's proposed, asked or refused."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.games.game import IllegalMove, Move
from companion.table.comparing import KnownDifferences
from companion.table.doubt import Doubt, FaceName
from companion.table.host import Host
from companion.table.knowledge import keeps_hands
from companion.table.proposal import NOTHING, Aside, Explanation, Progress, Proposal
from companion.table.proposing import NO_MOVES_SEEN, SeenMoves, Trail, explanation_of, led_to, proposal_of
from companion.table.refusing import parting, refused_step
from companion.table.search import MAX_STATES, Goal, Search, SearchNode
from companion.table.sight import Seen, Sight
from companion.table.tabletop import EQUAL_COST, ExpectedLayout, mentioned

LIKELY = 0.5
"""A doubtful name is taken for granted, before ✔, only if it's likelier than this; else the card is asked about."""


class SearchResult(Struct, frozen=True):
    """What came out: a proposal, or a card without a name to ask about. `states_tried` counts states.

    `trail` is what has happened up to this sight, each way it can have been; the next search goes on from there.
    """

    proposal: Proposal = NOTHING
    doubt: Doubt | None = None
    states_tried: int = 0
    trail: Trail = ()


class SearchOutcome:
    """What a search that is over has found."""

    def __init__(self, search: Search):
        self.search, self.host, self.game, self.table = search, search.host, search.game, search.table
        self._state = search.start.state

    def result(self) -> SearchResult:
        """What the table means, once the search is over."""
        progress = None if self.search.goals else self.table.laid_out(self._state, self.search.comparison.lying_by_zone)
        if progress is not None:
            return SearchResult(Proposal(progress=progress), states_tried=self.search.states_tried)
        if self._needs_nothing:
            return SearchResult(states_tried=self.search.states_tried)
        for node in () if self.search.goals else self.search.nearest:
            if node.depth and not node.differences:  # the search gave up before it came to it
                self.search.add_goals(node)
        best = self.search.ranked()
        if not best:
            progress = self.table.progress(self._state, self.search.start.differences)
            return SearchResult(
                Proposal(progress=progress) if progress else self._refused(), states_tried=self.search.states_tried
            )
        unsure = [one for one in best if any(taken.chance <= LIKELY for taken in one.node.assumed)]
        named = [one for one in best if one not in unsure]
        if not named or len({one.node.assumed for one in named}) > 1:
            return self._doubtful(best)
        return self._proposed([(node, moves) for _, node, moves in named])

    @property
    def _needs_nothing(self) -> bool:
        """Whether the table matches the state, and no explanation fits it better, by cards that show or a pile gone."""
        if self.search.matches_state:
            return not self.search.goals
        best = min((goal.node.total_cost for goal in self.search.reached), default=math.inf)
        is_as_good = best >= self.search.start.total_cost and not self.search.is_shuffled
        return not self.search.start.differences and is_as_good

    def _proposed(self, found: Sequence[tuple[SearchNode, tuple[Move, ...]]]) -> SearchResult:
        offered = tuple(self._offered(node, moves) for node, moves in found)
        progress = self._begun(offered[0].moves)
        if progress is not None:
            return SearchResult(Proposal(progress=progress), states_tried=self.search.states_tried)
        proposal = proposal_of(self.game, self._state, offered)
        return SearchResult(proposal, states_tried=self.search.states_tried, trail=self._trail())

    def _offered(self, node: SearchNode, moves: tuple[Move, ...]) -> Explanation:
        """An explanation with what can be picked beside it."""
        is_turn_open = node.moves and node.moves != moves
        return replace(
            self._explained(node, moves),
            without_turn_end=self._explained(node, node.moves) if is_turn_open else None,
            asides=tuple(self._asides(node)),
        )

    def _asides(self, node: SearchNode) -> Iterator[Aside]:
        """What may have been done after the last card that no camera sees, with what then goes without saying."""
        for aside in self.table.asides(node.state):
            try:
                state = led_to(self.game, node.state, aside)
            except IllegalMove:
                continue
            rest, _ = next(self.search.with_implied_moves(SearchNode(state, node.laid, None, None, 0.0)))
            yield Aside(aside, self._explained(node, (*node.moves, *aside, *rest)))

    def _trail(self) -> Trail:
        """Every path found so far, even where two end in equal states: the player may go on from any of them."""
        best = min(goal.cost for goal in self.search.reached)
        near = [goal.node for goal in self.search.reached if goal.cost <= best + EQUAL_COST]
        witnessed = [node for node in near if node.is_witnessed]
        # A card that lies again where it lay may never have been meant: then all that came is still to come.
        whole = (NO_MOVES_SEEN,) if self.search.matches_state else ()
        return tuple(dict.fromkeys((*whole, *(SeenMoves(node.moves, node.unseen) for node in witnessed or near))))

    def _explained(self, node: SearchNode, moves: Sequence[Move]) -> Explanation:
        return explanation_of(self.host, self._state, moves, is_sure=not node.assumed, unseen=node.unseen)

    def _begun(self, moves: Sequence[Move]) -> Progress | None:
        """How far cards that are awaited together have come; None once all of them lie there."""
        total = self.table.awaited(self._state)
        state = led_to(self.game, self._state, moves if total else ())
        left = self.table.awaited(state)
        return Progress(total - left, total) if left and state.phase == self._state.phase else None

    def _doubtful(self, found: Sequence[Goal]) -> SearchResult:
        """A card without a name would explain the table: it's asked about, with all that it can be there."""
        first = found[0].node.assumed[0].seen
        progress = self._begun(found[0].moves)
        if progress is not None:
            return SearchResult(Proposal(progress=progress), states_tried=self.search.states_tried)
        if self._explained(found[0].node, found[0].moves).steps > len(self.search.start.differences):
            return SearchResult(states_tried=self.search.states_tried)  # no card is awaited there yet
        names = self._names_for(first, [goal.node for goal in found])
        if not names:
            return SearchResult(states_tried=self.search.states_tried)  # nothing could be answered
        called = dict.fromkeys(map(self.table.layout_name, first.maybe))
        likely = tuple(name for card in called for name in names if name.card == card)
        return SearchResult(doubt=Doubt(first, names, likely), states_tried=self.search.states_tried)

    def _names_for(self, stranger: Seen, nodes: Sequence[SearchNode]) -> tuple[FaceName, ...]:
        """What a card without a name can be where it lies: all that a legal move puts there, in the rules' order."""
        states: dict[Any, ExpectedLayout] = {}
        for one in nodes:
            ancestor: SearchNode | None = one.parent
            while ancestor is not None:
                states.setdefault(ancestor.state, ancestor.laid)
                ancestor = ancestor.parent
        zone = next(zone for zone, seen in self.table.watched(Sight(strangers=(stranger,))) if seen is stranger)
        names: dict[FaceName, None] = {}
        for state, laid in states.items():
            for move in self.game.conceivable(state):
                if not isinstance(move, (*self.game.mishaps, *self.table.never)) and mentioned(move):
                    try:
                        after = self.table.layout(self.game.apply(state, move)[0])
                    except IllegalMove:
                        continue
                    new = Counter(after.get(zone, ())) - Counter(laid.get(zone, ()))
                    names.update((FaceName(one.card, one.face), None) for one in new)
        lying = self.search.comparison.lying
        fits = (name for name in names if lying[name.card] < self.table.copies(name.card))
        return tuple(sorted(fits, key=lambda name: self.table.order(name.card)))

    def _refused(self) -> Proposal:
        """Nothing explains the table: name the rule that the nearest move breaks, or a difference."""
        for node in (*self.search.nearest, self.search.start):
            found = refused_step(self.host, node.state, node.differences, self.search.comparison)
            if found is not None:
                return found
        node = self.search.nearest[0]
        return parting(self.host, node.differences, self._explained(node, node.moves) if node.depth else None)

    def ended(self) -> Proposal:
        """What goes without saying where a player is done and nothing else has happened; nothing if more is asked."""
        goals = self.search.with_implied_moves(self.search.start)
        ends = [moves for moves, state in goals if moves and self.search.is_end(state)]
        found = [self._explained(self.search.start, moves) for moves in ends]
        return proposal_of(self.game, self._state, found) if found else NOTHING


def end_of_turn(host: Host[Any], state: Any, sight: Sight) -> Proposal:
    """What goes without saying where the turn token was passed on and nothing else has happened.

    The search isn't run: the state itself, as the sight shows it, is where the turn ends.
    """
    return SearchOutcome(Search(host, state, sight)).ended()


class TableSearch:
    """Explains one sight in slices; a second search ignores unnamed cards that the first couldn't place.

    `known_differences` were there when the state came about, and ever since; what `sight_before` shows in heaps isn't
    new.
    """

    def __init__(
        self, host: Host[Any], state: Any, sight: Sight,
        known_differences: KnownDifferences | None = None, sight_before: Sight | None = None, trail: Trail = (),
    ):  # fmt: skip
        self._given = (host, state, sight, known_differences, sight_before, trail)
        self._states_tried = 0
        self.result: SearchResult | None = None
        if sight.is_unsettled or keeps_hands(host.game, state):
            self.result = SearchResult()
        else:
            self._search = Search(*self._given)

    def run(self, most: int = MAX_STATES) -> bool:
        """Look at some more states; whether the result is there."""
        while self.result is None and self._search.run(most):
            found = SearchOutcome(self._search).result()
            found = replace(found, states_tried=found.states_tried + self._states_tried)
            has_said = found.doubt is not None or found.proposal.explanations or found.proposal.progress is not None
            if has_said or self._search.lenient or not self._search.comparison.has_unnamed:
                self.result = found
            else:
                # A card that no rule has a name for, here, is of no account: perhaps it's no card at all.
                self._states_tried = found.states_tried
                self._search = Search(*self._given, lenient=True)
        return self.result is not None


def explain(host: Host[Any], state: Any, sight: Sight) -> SearchResult:
    """What happened between a state, as everybody may know it, and the table as it's seen."""
    inquiry = TableSearch(host, state, sight)
    while not inquiry.run():
        pass
    assert inquiry.result is not None
    return inquiry.result
