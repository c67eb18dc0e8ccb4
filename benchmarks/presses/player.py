"""A group at a box: it plays its script with cards, looks at the lights, and presses as little as it must."""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from benchmarks.presses.eyes import Eyes
from benchmarks.presses.fingers import Clock, Fingers
from benchmarks.presses.hand import Hand
from benchmarks.presses.mistakes import mistaken
from benchmarks.presses.script import first_told, next_turn, one_turn, owner
from benchmarks.presses.tally import PressTally
from companion.demo.box_user import CALM_SECONDS
from companion.games.cards import HIDDEN
from companion.games.game import Decide, Move, Over
from companion.games.notation import write_move
from companion.session.session import Session
from companion.table.doubt import FaceName
from companion.table.hosts import HOSTS
from companion.table.offers import alternatives
from companion.table.proposing import shared_moves, states_along
from companion.table.tabletop import mentioned
from hardware.panel import Button

BEFORE_A_LOOK, MAX_BEFORE_A_LOOK = 0.2, 6
"""How often a whole turn is done before the box has looked, and how many things can be done in that second."""
ERRS_IN_A_TURN = 0.12
"""How often somebody errs before a turn, where mistakes are made."""


class Trace(Struct, frozen=True):
    """Whether a move shows on the table, and which other moves would have left the very same table."""

    is_seen: bool
    alike: frozenset[Move] = frozenset()


class CameraGroup:
    """Plays one game of a session, with cards under a camera."""

    def __init__(self, game: str, options: dict[str, Any], rng: random.Random, tally: PressTally, eyes: Eyes):
        clock = Clock()
        self.session = Session(HOSTS, None, clock, random.Random(rng.random()))
        self.fingers, self._clock = Fingers(self.session, clock), clock
        self.host, self.rng, self.tally, self.eyes = HOSTS[game], rng, tally, eyes
        self.game = self.host.game
        self.session.start(game, options)
        self.truth = self._box_state
        self.hand = Hand(game, rng)
        self.hand.lay(self.truth, None, self.truth)
        self._errs = False
        self._named: set[str] = set()
        self._turn_of: Any = None

    @property
    def _box_state(self) -> Any:
        return self.fingers.running.history.state

    # A game

    def play(self, mistakes: bool, most: int = 400) -> None:
        """Play to the end."""
        self._errs = mistakes
        self.look()
        for _ in range(most):
            if isinstance(self.game.pending(self.truth), Over):
                return
            self._turn()
        self.tally.cases.append(f"{self.game.name}: no end")

    def _turn(self) -> None:
        turn = next_turn(self.host, self.truth, self.rng)
        if not turn:
            self._hear()
            return
        if self._errs and self.rng.random() < ERRS_IN_A_TURN:
            self._err(turn)
        before, begun, turn_of = self.fingers.count, owner(self.game, self.truth), one_turn(self.game, self.truth)
        picked = Counter(self.tally.picked)
        self._by_hand(turn)
        self._hear()
        is_setup = begun in ("oracle", "grid", "map", "start", "pass_on", "mulligan", "place", "first")
        presses = self.fingers.count - before
        if is_setup:
            self.tally.setup.append(presses)
        elif turn_of == self._turn_of:
            self.tally.presses[-1] += presses
        else:
            self.tally.turns += 1
            self.tally.presses.append(presses)
            self._turn_of = turn_of
        if not is_setup and presses > 1:
            kinds = "+".join(sorted((Counter(self.tally.picked) - picked).elements())) or "nothing"
            self.tally.beyond[kinds] = self.tally.beyond.get(kinds, 0) + presses - 1

    def _hear(self) -> None:
        """Take over what the box has done by itself: draws, and moves without a choice."""
        running = self.fingers.running
        states = running.history.states
        if self._came_by(self.truth):
            self.truth = states[-1]
            self.hand.lay(self.truth, None, self.truth)
            self.look()
            return
        self.tally.wrong += 1
        self._resync("the box is elsewhere")

    def _resync(self, why: str) -> None:
        """The box has another game than the table: noted, and put right as no table could."""
        running = self.fingers.running
        last = [step.text for step in running.history.steps[-6:]]
        self.tally.cases.append(f"{self.game.name}: {why}; box did {last}")
        self.session.start_at(self.game.name, self.truth)
        self.truth = self._box_state
        self.look()

    # With cards

    def _by_hand(self, turn: list[tuple[Any, Move, Any]]) -> None:
        """Do a turn with cards, tell what nobody can see, and press ✔ once."""
        rest = list(turn)
        while rest:
            told = first_told(self.game.name, rest)
            part = rest if told is None else rest[:told]
            at_once = self.rng.random() < BEFORE_A_LOOK and len(part) <= MAX_BEFORE_A_LOOK
            seen = [self._lay(*one, at_once=at_once) for one in part]
            self.look()
            taken = self._tell_unseen(rest, part, seen)
            if taken:
                rest = rest[taken:]
                continue
            if any(trace.is_seen for trace in seen):
                self._confirm(part, seen, [move for _, move, _ in rest[len(part) :]])
            elif part:
                for one in part:
                    if self._box_state == self.truth:
                        self._by_buttons(*one)
            rest = [] if told is None else rest[told:]
            if rest:
                state, move, after = rest.pop(0)
                self.hand.lay(state, move, after)
                self._by_buttons(state, move, after)

    def _tell_unseen(
        self, rest: list[tuple[Any, Move, Any]], part: list[tuple[Any, Move, Any]], seen: list[Trace]
    ) -> int:
        """Take what the box has understood together with what no camera sees; how many moves that is."""
        done = tuple(move for _, move, _ in rest)
        for one in self.session.shown.proposal.asides:
            whole = one.whole.moves
            if whole != done[: len(whole)]:
                continue
            self._count(part, seen, {}, is_followed=True)
            for state, move, after in rest[len(part) : len(whole)]:
                self.hand.lay(state, move, after)
                if self._is_decision(state):
                    self.tally.decisions += 1
                    self.tally.pick(type(move).__name__)
            running = self.session.shown.running
            assert running is not None
            self.fingers.pick_in_chooser(
                one.whole, alternatives(self.host, running.public_state, self.session.shown.proposal)
            )
            self.truth = rest[len(whole) - 1][2]
            self._settle(rest[: len(whole)], ())
            return len(whole)
        return 0

    def _lay(self, state: Any, move: Move, after: Any, *, at_once: bool) -> Trace:
        """Do one move with cards. What is laid is seen before it's taken up, and the other way round: a second each."""
        others = {}
        if self._is_decision(state):
            legal = [one for one in self.game.legal(state) if one != move and not isinstance(one, self.game.mishaps)]
            others = {one: self.hand.picture(state, one, self.game.apply(state, one)[0]) for one in legal}
        if self.hand.new and self.host.window(state) is not None:
            self.look()  # who reacts to a card has seen it, and so has the box
        lying, new, gone = dict(self.hand.cards), self.hand.new, self.hand.gone
        touched = self.hand.lay(state, move, after)
        if any(self.hand.cards.get(key) != lying.get(key) for key in new | gone):
            now, self.hand.cards = self.hand.cards, lying
            self.look()
            self.hand.cards = now
        if touched and not at_once:
            self.look()
        return Trace(touched, frozenset(one for one, picture in others.items() if picture == self.hand.meant))

    def _confirm(self, part: list[tuple[Any, Move, Any]], seen: list[Trace], told: Sequence[Move]) -> None:
        """Take what the box has understood; where it asks, answer; where it's lost, pick move after move.

        Who has to tell something after it isn't done yet, unless the box knows that as well.
        """
        is_open = bool(told)
        end = part[-1][2]
        asked: dict[Move, frozenset[Move]] = {}
        number, steps = self._number, sum(trace.is_seen for trace in seen)
        self._named = set()
        for _ in range(8):
            shown = self.session.shown
            if self._number != number:
                break
            if shown.doubt is not None:
                self._name()
            elif shown.proposal.asked and max(one.steps for one in shown.proposal.explanations) >= steps:
                options = frozenset(shown.proposal.asked)
                answer = self._answer(part)
                if answer is None:
                    break
                asked[answer] = options - {answer}
            elif shown.proposal.accepted_moves and (
                shown.proposal.explanations[0].steps >= steps
                or (not told and self._comes_by(shown.proposal.accepted_moves, end))
            ):
                self._take(part, told)
            else:
                break  # nothing, or fewer steps than were done
        if self._number == number and (right := self._take_beginning(part, asked)):
            self._count(part[:right], seen[:right], asked, is_followed=True)
            if part[right:]:
                self._confirm(part[right:], seen[right:], told)
            return
        self._count(part, seen, asked, is_followed=self._number != number)
        if self._number == number:
            self._pick_all(part)
            return
        # The box may be right and not as far: what left no trace at the end of it is picked.
        traces = max((at for at, trace in enumerate(seen) if trace.is_seen), default=-1)
        for state, move, after in part[traces + 1 :] if is_open and self._is_at(part[traces][2]) else ():
            self._by_buttons(state, move, after, is_counted=False)
            self.tally.pick(type(move).__name__)
        self.truth = end
        self._settle(part, told)

    def _take_beginning(self, part: list[tuple[Any, Move, Any]], asked: dict[Move, frozenset[Move]]) -> int:
        """Take what the box has right, where it's the beginning of what was done; how many moves that is."""
        proposal, done = self.session.shown.proposal, tuple(move for _, move, _ in part)
        begun = next((one for one in proposal.explanations if one.moves == done[: len(one.moves)] != done), None)
        if begun is None:
            return 0
        if proposal.asked:
            answer = begun.moves[shared_moves(proposal.explanations)]
            asked[answer] = frozenset(proposal.asked) - {answer}
            self.fingers.pick_in_chooser(answer, self.host.options(proposal.asked_state, proposal.asked))
        else:
            self.fingers.press(Button.CONFIRM)
        # What then has one answer is done by the box itself.
        right = next((at for at in range(len(part), 0, -1) if self._is_at(part[at - 1][2])), 0)
        self.truth = part[right - 1][2] if right else self.truth
        self.look()
        return right

    def _take(self, part: list[tuple[Any, Move, Any]], told: Sequence[Move]) -> None:
        proposal, running = self.session.shown.proposal, self.session.shown.running
        assert running is not None
        done = (*(move for _, move, _ in part), *told)
        whole = next((one.whole for one in proposal.asides if one.whole.moves == done[: len(one.whole.moves)]), None)
        if whole is not None:
            self.fingers.pick_in_chooser(whole, alternatives(self.host, running.public_state, proposal))
        elif (
            told
            and proposal.without_turn_end is not None
            and proposal.accepted_moves != done[: len(proposal.accepted_moves)]
        ):
            self.fingers.pick_in_chooser(
                proposal.without_turn_end, alternatives(self.host, running.public_state, proposal)
            )
        else:
            self.fingers.press(Button.CONFIRM)
            self.fingers.hold_confirm()

    def _settle(self, part: list[tuple[Any, Move, Any]], told: Sequence[Move]) -> None:
        """The box must be where the table is, or where what goes without saying leads."""
        end = part[-1][2]
        for _ in range(4):
            if self._is_at(end) or isinstance(self.game.pending(self._box_state), Over):
                break
            shown = self.session.shown
            if not shown.proposal.accepted_moves:
                break
            self._take(part, told)
        running = self.fingers.running
        if self._came_by(end):
            if not told or self._is_at(end):
                self.truth = running.history.state
        else:
            self.tally.wrong += 1
            self._resync(f"a wrong state was taken for {[write_move(move) for _, move, _ in part]}")

    def _answer(self, part: list[tuple[Any, Move, Any]]) -> Move | None:
        """Pick what the explanations differ in."""
        asked, at = self.session.shown.proposal.asked, self.session.shown.proposal.asked_state
        there = (move for state, move, _ in part if move in asked and self.game.view(state, None) == at)
        done = tuple(move for _, move, _ in part)
        found = self.session.shown.proposal.explanations
        shared = shared_moves(found)
        alike = (one.moves[shared] for one in found if one.moves[: shared + 1] == done[: shared + 1] and done[shared:])
        # Who sees the same come of it takes it for the same; before that what was done, in whatever order.
        like = sorted(found, key=lambda one: -(Counter(done) & Counter(one.moves)).total())
        same = (one.moves[shared] for one in like if one.moves[shared:] and self._comes_by(one.moves, part[-1][2]))
        wanted = next(chain(there, alike, same), None)
        if wanted is None:  # none of what is asked was done
            return None
        self.fingers.pick_in_chooser(wanted, self.host.options(at, asked))
        return wanted

    def _comes_by(self, moves: Sequence[Move], end: Any) -> bool:
        """Whether moves lead the box through what everybody knows of a state."""
        canonical, view = self.host.table.canonical, self.game.view(end, None)
        states = [state for state, _ in states_along(self.game, self.fingers.running.public_state, moves)]
        return canonical(view) in (canonical(self.game.view(state, None)) for state in states[1:])

    def _count(
        self,
        part: list[tuple[Any, Move, Any]],
        seen: list[Trace],
        asked: dict[Move, frozenset[Move]],
        is_followed: bool,
    ) -> None:
        for (state, move, _), trace in zip(part, seen, strict=True):
            if not self._is_decision(state):
                continue
            is_picked = not is_followed or move in asked
            # What was asked because no eye could tell it from the other answers is seen only in part.
            is_partly = trace.is_seen and move in asked and asked[move] <= trace.alike
            is_named = bool(self._named.intersection(mentioned(move)))
            self.tally.decisions += 1
            self.tally.visible += trace.is_seen and not is_partly
            self.tally.partly += is_partly
            self.tally.followed += trace.is_seen and not is_picked and not is_named
            if is_picked:
                self.tally.pick(type(move).__name__)

    def _is_decision(self, state: Any) -> bool:
        legal = [move for move in self.game.legal(state) if not isinstance(move, self.game.mishaps)]
        return isinstance(self.game.pending(state), Decide) and len(legal) > 1

    # With buttons

    def _pick_all(self, part: list[tuple[Any, Move, Any]]) -> None:
        shown = self.session.shown
        self.tally.cases.append(
            f"{self.game.name}: not followed {[write_move(move) for _, move, _ in part]}: {shown.complaint} "
            f"{[[write_move(m) for m in one.moves] for one in shown.proposal.explanations[:3]]}"
        )
        is_as_told = True
        for state, move, after in part:
            offered = self._offered(move) if self._box_state == state or not is_as_told else move
            is_as_told = is_as_told and offered == move
            if is_as_told:
                self._by_buttons(state, move, after, is_counted=False)
            elif offered in self.game.legal(self._box_state):  # the box knows less than the script since
                self._by_buttons(self._box_state, offered, self.game.apply(self._box_state, offered)[0], False)

    def _offered(self, move: Move) -> Move:
        """A move as the chooser has it: a card that goes to the discards needs no name there."""
        running = self.fingers.running
        if move in self.host.answerable(running.public_state) or not hasattr(move, "card"):
            return move
        return replace(move, card=HIDDEN)

    def _by_buttons(self, state: Any, move: Move, after: Any, is_counted: bool = True) -> None:
        """Make one move with the buttons, whatever the box proposes."""
        if is_counted and self._is_decision(state):
            self.tally.decisions += 1
            self.tally.pick(type(move).__name__)
        window = self.host.window(self._box_state)
        if not self._is_at(state):
            if self._came_by(after):
                self.truth = self._box_state
                return
            self.tally.wrong += 1
            self._resync(f"picked {write_move(move)} elsewhere")
            self.truth = after
            self.session.start_at(self.game.name, after)
            self.look()
            return
        if window is not None and window.move == move:
            self.fingers.wait(window.seconds + 0.1)
            self.fingers.hold_confirm()
        else:
            self.fingers.pick(move)
        self.truth = after
        if not self._came_by(after):
            self.tally.wrong += 1
            self._resync(f"picked {write_move(move)}")
        elif self._box_state != after:
            self.truth = self._box_state

    @property
    def _states(self) -> tuple[Any, ...]:
        running = self.fingers.running
        return running.history.states

    def _is_at(self, state: Any) -> bool:
        """Whether the box has this state, but for what means nothing in it."""
        canonical = self.host.table.canonical
        return bool(canonical(self._box_state) == canonical(state))

    def _came_by(self, state: Any) -> bool:
        """Whether the box has come by this state."""
        canonical = self.host.table.canonical
        return canonical(state) in map(canonical, self._states)

    @property
    def _number(self) -> int:
        running = self.fingers.running
        return running.history.number

    def _name(self) -> None:
        """Say what a card is that the box can't name; wave away what it can't be."""
        doubt = self.session.shown.doubt
        assert doubt is not None
        near = min(self.hand.cards.values(), key=lambda card: math.hypot(card.x - doubt.seen.x, card.y - doubt.seen.y))
        name = next((one for one in doubt.names if one.card == self.host.table.layout_name(near.card)), None)
        self.tally.pick("a name")
        self._named.add(self.host.table.layout_name(near.card))
        if name is None:
            self.fingers.press(Button.BACK)
            return
        self.fingers.pick_in_chooser(FaceName(name.card, name.face), self.host.names(doubt))

    def look(self) -> None:
        """Let the box look at the table."""
        self.fingers.wait(CALM_SECONDS)
        for sight in self.eyes.see(self.hand):
            started = time.perf_counter()
            self.session.on_sight(sight)
            while self.session.due is not None and self.session.due <= self._clock.now:
                self.session.tick()
            if not sight.is_unsettled:
                self.tally.search.append((time.perf_counter() - started) * 1000)
        self.hand.new = self.hand.gone = frozenset()

    # Mistakes

    def _err(self, turn: list[tuple[Any, Move, Any]]) -> None:
        """Somebody errs and puts it right: the box must say why, and its state must not move."""
        kind, act, wants_reason = mistaken(self.game.name, self.truth, turn, self.hand, self.rng)
        self.tally.mistakes[kind] = self.tally.mistakes.get(kind, 0) + 1
        cards, identities = dict(self.hand.cards), dict(self.hand.identities)
        act()
        self.look()
        if wants_reason:
            self.tally.refused += 1
            has_reason = self.session.shown.complaint is not None or self.session.shown.doubt is not None
            self.tally.reasons += has_reason
            if not has_reason:
                proposed = [[write_move(m) for m in one.moves] for one in self.session.shown.proposal.explanations]
                self.tally.cases.append(f"{self.game.name}: {kind} without a reason, {proposed}")
        self.hand.cards, self.hand.identities = cards, identities
        self.look()
        if kind == "idle ✔":
            self.fingers.press(Button.CONFIRM)
            while self.session.shown.chooser is not None:
                self.fingers.press(Button.BACK)
        if self._box_state != self.truth:
            self.tally.wrong += 1
            self._resync(f"after {kind}")
