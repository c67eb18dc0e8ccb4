"""A group at a box: it plays its script with cards, looks at the lights, and presses as little as it must."""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from typing import Any

from msgspec import Struct, field

from benchmarks.presses.eyes import Eyes
from benchmarks.presses.hand import Hand
from benchmarks.presses.mistakes import mistaken
from benchmarks.presses.script import first_told, next_turn, owner
from companion.games.game import Decide, Move, Over
from companion.games.notation import write_move
from companion.session.controls import Whole
from companion.session.session import Session
from companion.table.chooser import first_way
from companion.table.hosts import HOSTS
from companion.table.sight import Name
from hardware.hands import Holding, Kept, Press, Run
from hardware.panel import Button

CALM = 0.6
AT_ONCE = 0.2
"""How often a whole turn is done before the box has looked; nobody who lays a card and takes it back does so."""
ERRS = 0.12
"""How often somebody errs before a turn, where mistakes are made."""


class Tally(Struct):
    """What came of some games."""

    turns: int = 0
    decisions: int = 0
    visible: int = 0
    followed: int = 0
    picked: Counter[str] = field(default_factory=Counter)
    presses: list[int] = []
    setup: list[int] = []
    search: list[float] = []
    wrong: int = 0
    mistakes: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    reasons: int = 0
    cases: list[str] = []


class Player:
    """Plays one game of a session; without eyes everything goes by the buttons."""

    def __init__(self, game: str, options: dict[str, Any], rng: random.Random, tally: Tally, eyes: Eyes | None):
        self.now = 0.0
        self.session = Session(HOSTS, None, lambda: self.now, random.Random(rng.random()))
        self.host, self.rng, self.tally, self.eyes = HOSTS[game], rng, tally, eyes
        self.game = self.host.game
        self.session.start(game, options)
        self.truth = self._box_state
        self.hand = Hand(game, rng)
        self.hand.lay(self.truth, None, self.truth)
        self.count = 0
        self._errs = False

    @property
    def _box_state(self) -> Any:
        running = self.session.shown.running
        assert running is not None
        return running.history.state

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
        if self._errs and self.eyes is not None and self.rng.random() < ERRS:
            self._err(turn)
        before, begun = self.count, owner(self.game, self.truth)
        if self.eyes is None:
            for state, move, after in turn:
                self._by_buttons(state, move, after)
        else:
            self._by_hand(turn)
        self._hear()
        is_setup = begun in ("oracle", "grid", "map", "start", "pass_on", "mulligan", "place")
        if is_setup:
            self.tally.setup.append(self.count - before)
        else:
            self.tally.turns += 1
            self.tally.presses.append(self.count - before)

    def _hear(self) -> None:
        """Take over what the box has done by itself: draws, and moves without a choice."""
        running = self.session.shown.running
        assert running is not None
        states = running.history.states
        if self.truth in states:
            self.truth = states[-1]
            self.hand.lay(self.truth, None, self.truth)
            self.look()
            return
        self.tally.wrong += 1
        self._resync("the box is elsewhere")

    def _resync(self, why: str) -> None:
        """The box has another game than the table: noted, and put right as no table could."""
        running = self.session.shown.running
        assert running is not None
        last = [step.text for step in running.history.steps[-6:]]
        self.tally.cases.append(f"{self.game.name}: {why}; box did {last}")
        self.session.begin(self.game.name, self.truth)
        self.truth = self._box_state
        self.look()

    # With cards

    def _by_hand(self, turn: list[tuple[Any, Move, Any]]) -> None:
        """Do a turn with cards, tell what nobody can see, and press ✔ once."""
        rest = list(turn)
        while rest:
            told = first_told(self.game.name, rest)
            part = rest if told is None else rest[:told]
            cards = [card for _, move, _ in part if (card := getattr(move, "card", None))]
            at_once = self.rng.random() < AT_ONCE and len(set(cards)) == len(cards)
            seen = []
            for at, (state, move, after) in enumerate(part):
                seen.append(self.hand.lay(state, move, after))
                if seen[-1] and (not at_once or at == len(part) - 1):
                    self.look()
            self.look()
            if any(seen):
                self._confirm(part, seen, is_open=told is not None)
            elif part:
                for one in part:
                    if self._box_state == self.truth:
                        self._by_buttons(*one)
            rest = [] if told is None else rest[told:]
            if rest:
                state, move, after = rest.pop(0)
                self.hand.lay(state, move, after)
                self._by_buttons(state, move, after)

    def _confirm(self, part: list[tuple[Any, Move, Any]], seen: list[bool], is_open: bool) -> None:
        """Take what the box has understood; where it asks, answer; where it's lost, pick move after move."""
        end = part[-1][2]
        asked: list[Move] = []
        number = self._number
        for _ in range(8):
            shown = self.session.shown
            if self._number != number:
                break
            if shown.doubt is not None:
                self._name()
            elif shown.proposal.asked and max(one.steps for one in shown.proposal.found) >= sum(seen):
                answer = self._answer(part)
                if answer is None:
                    break
                asked.append(answer)
            elif shown.proposal.clear and shown.proposal.found[0].steps >= sum(seen):
                self._take(is_open)
            else:
                break  # nothing, or fewer steps than were done
        self._count(part, seen, asked, is_followed=self._number != number)
        if self._number == number:
            self._pick_all(part)
            return
        self.truth = end
        self._settle(part, is_open)

    def _take(self, is_open: bool) -> None:
        if is_open and self.session.shown.proposal.open is not None:
            self.press(Button.RIGHT)
            self.choose(Whole(True))
        else:
            self.press(Button.CONFIRM)
            self._keep()

    def _settle(self, part: list[tuple[Any, Move, Any]], is_open: bool) -> None:
        """The box must be where the table is, or where what goes without saying leads."""
        end = part[-1][2]
        for _ in range(4):
            if self._box_state == end or isinstance(self.game.pending(self._box_state), Over):
                break
            shown = self.session.shown
            if not shown.proposal.clear:
                break
            self._take(is_open)
        running = self.session.shown.running
        assert running is not None
        if end in running.history.states:
            later = running.history.states[running.history.states.index(end) :]
            if len(later) > 1 and not is_open:
                self.truth = running.history.state
        elif self._box_state != end:
            self.tally.wrong += 1
            self._resync(f"a wrong state was taken for {[write_move(move) for _, move, _ in part]}")

    def _answer(self, part: list[tuple[Any, Move, Any]]) -> Move | None:
        """Pick what the explanations differ in."""
        asked, at = self.session.shown.proposal.asked, self.session.shown.proposal.at
        there = [move for state, move, _ in part if move in asked and self.game.view(state, None) == at]
        wanted = next((move for move in (*there, *(move for _, move, _ in part)) if move in asked), None)
        if wanted is None:
            return None
        self.press(Button.RIGHT)
        self.choose(wanted)
        return wanted

    def _count(self, part: list[tuple[Any, Move, Any]], seen: list[bool], asked: list[Move], is_followed: bool) -> None:
        for (state, move, _), is_seen in zip(part, seen, strict=True):
            if not self._is_decision(state):
                continue
            self.tally.decisions += 1
            self.tally.visible += is_seen
            self.tally.followed += is_seen and is_followed
            if move in asked or not is_followed:  # what nobody can see of a move that shows is picked, too
                self.tally.picked[type(move).__name__] += 1

    def _is_decision(self, state: Any) -> bool:
        legal = [move for move in self.game.legal(state) if not isinstance(move, self.game.mishaps)]
        return isinstance(self.game.pending(state), Decide) and len(legal) > 1

    # With buttons

    def _pick_all(self, part: list[tuple[Any, Move, Any]]) -> None:
        shown = self.session.shown
        self.tally.cases.append(
            f"{self.game.name}: not followed {[write_move(move) for _, move, _ in part]}: {shown.complaint} "
            f"{[[write_move(m) for m in one.moves] for one in shown.proposal.found[:3]]}"
        )
        for state, move, after in part:
            self._by_buttons(state, move, after, is_counted=False)

    def _by_buttons(self, state: Any, move: Move, after: Any, is_counted: bool = True) -> None:
        """Make one move with the buttons, whatever the box proposes."""
        if is_counted and self._is_decision(state):
            self.tally.decisions += 1
            self.tally.picked[type(move).__name__] += 1
        window = self.host.window(self._box_state)
        if self._box_state != state:
            if after in self._states:
                self.truth = self._box_state
                return
            self.tally.wrong += 1
            self._resync(f"picked {write_move(move)} elsewhere")
            self.truth = after
            self.session.begin(self.game.name, after)
            self.look()
            return
        if window is not None and window.move == move:
            self.wait(window.seconds + 0.1)
        else:
            self.pick(move)
        self.truth = after
        if after not in self._states:
            self.tally.wrong += 1
            self._resync(f"picked {write_move(move)}")
        elif self._box_state != after:
            self.truth = self._box_state

    @property
    def _states(self) -> tuple[Any, ...]:
        running = self.session.shown.running
        assert running is not None
        return running.history.states

    @property
    def _number(self) -> int:
        running = self.session.shown.running
        assert running is not None
        return running.history.number

    def wait(self, seconds: float) -> None:
        """Let time pass, for the box too."""
        self.now += seconds
        started = time.perf_counter()
        self.session.tick()
        while self.session.due is not None and self.session.due <= self.now:
            self.session.tick()
            if time.perf_counter() - started > 5:
                break

    def press(self, *buttons: Button) -> None:
        """Press buttons, calmly."""
        for button in buttons:
            self.wait(CALM)
            self.count += 1
            self.session.on_signal(Press(button))

    def pick(self, wanted: Move) -> None:
        """Reach a move with ◀ ▶ ✔ alone, past whatever the box proposes."""
        for _ in range(6):
            shown = self.session.shown
            if shown.doubt is None and not shown.proposal.found and shown.complaint is None:
                break
            self.press(Button.BACK)
        running = self.session.shown.running
        assert running is not None
        fingers = first_way(self.host.options(running.public), wanted)
        if self.session.shown.chooser is None and fingers:
            self.press(fingers[0].button)
        assert self.session.shown.chooser is not None, wanted
        self.choose(wanted)

    def choose(self, wanted: Any) -> None:
        """Go to a value of the open chooser and take it, by the fewest presses; hold what ends a game."""
        chooser = self.session.shown.chooser
        assert chooser is not None, self.session.shown
        for finger in chooser.way(wanted):
            self.wait(CALM)
            self.count += finger.presses
            if not finger.is_run:
                self.session.on_signal(Press(finger.button))
                continue
            while (now := self.session.shown.chooser) is not None and now.way(wanted)[:1] == (finger,):
                self.session.on_signal(Run(finger.button))
            rest = () if now is None else now.way(wanted)
            for one in rest[: next((at for at, it in enumerate(rest) if it.button is Button.CONFIRM), 0)]:
                self.session.on_signal(Run(one.button))
        self._keep()

    def _keep(self) -> None:
        if self.session.shown.hold is not None:
            self.count += 1
            self.session.on_signal(Holding(Button.CONFIRM))
            self.wait(2.0)
            self.session.on_signal(Kept(Button.CONFIRM))

    def _name(self) -> None:
        """Say what a card is that the box can't name; wave away what it can't be."""
        doubt = self.session.shown.doubt
        assert doubt is not None
        near = min(self.hand.cards.values(), key=lambda card: math.hypot(card.x - doubt.seen.x, card.y - doubt.seen.y))
        name = next((one for one in doubt.names if one.card == self.host.table.called(near.card)), None)
        self.tally.picked["a name"] += 1
        if name is None:
            self.press(Button.BACK)
            return
        self.press(Button.RIGHT)
        self.choose(Name(name.card, name.face))

    def look(self) -> None:
        """Let the box look at the table."""
        self.wait(CALM)
        if self.eyes is None:
            return
        for sight in self.eyes.see(self.hand):
            started = time.perf_counter()
            self.session.on_sight(sight)
            while self.session.due is not None and self.session.due <= self.now:
                self.session.tick()
            if not sight.is_busy:
                self.tally.search.append((time.perf_counter() - started) * 1000)

    # Mistakes

    def _err(self, turn: list[tuple[Any, Move, Any]]) -> None:
        """Somebody errs and puts it right: the box must say why, and its state must not move."""
        kind, act, wants_reason = mistaken(self.game.name, self.truth, turn, self.hand, self.rng)
        self.tally.mistakes[kind] += 1
        cards, identities = dict(self.hand.cards), dict(self.hand.identities)
        act()
        self.look()
        if wants_reason:
            self.tally.refused += 1
            has_reason = self.session.shown.complaint is not None or self.session.shown.doubt is not None
            self.tally.reasons += has_reason
            if not has_reason:
                proposed = [[write_move(m) for m in one.moves] for one in self.session.shown.proposal.found]
                self.tally.cases.append(f"{self.game.name}: {kind} without a reason, {proposed}")
        self.hand.cards, self.hand.identities = cards, identities
        self.look()
        if kind == "idle ✔":
            self.press(Button.CONFIRM)
            while self.session.shown.chooser is not None:
                self.press(Button.BACK)
        if self._box_state != self.truth:
            self.tally.wrong += 1
            self._resync(f"after {kind}")
