"""`python -m benchmarks.presses_by_buttons [--games N] [--seed S]`: whole random games by the four buttons alone.

No camera and no page: every question goes by the chooser, by the fewest presses. A held arrow that runs counts two, a
hold of two seconds one. What has a single answer is no decision.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections import defaultdict
from typing import Any

from msgspec import Struct

from companion.games.cards import HIDDEN
from companion.games.game import Decide, Move, Over, option_table
from companion.kits import KITS
from companion.session.session import Session
from companion.table.chooser import Chooser, Finger, first_way
from companion.table.hosts import HOSTS
from hardware.hands import Holding, Kept, Press, Run
from hardware.panel import Button

SETTING_UP = frozenset({"deal", "oracle", "grid", "map", "secret", "place", "first", "start", "mulligan", "pass_on"})
"""Questions that belong to the set-up until another one has been asked."""
WITHOUT_CAMERA = {"silencio": "counted", "similo": "counted", "silentes": "suits"}
"""The variant of the menu that asks least of people who have no camera."""
MOST = 5000


class Decision(Struct, frozen=True):
    """One question that somebody answered by buttons; `turn` counts the changes of the seat that decides."""

    ask: str
    kind: str
    presses: int
    turn: int
    is_set_up: bool
    is_reveal: bool


class ButtonGame(Struct, frozen=True):
    """A whole game: every question with more than one answer, and how often another state came of it than was meant."""

    decisions: tuple[Decision, ...]
    turns: int
    wrong: int

    @property
    def setup(self) -> int:
        """Presses to set up, after the menu."""
        return sum(one.presses for one in self.decisions if one.is_set_up)

    @property
    def played(self) -> list[Decision]:
        """What was decided after the set-up."""
        return [one for one in self.decisions if not one.is_set_up and not one.is_reveal]

    @property
    def presses_a_turn(self) -> list[int]:
        """The presses of each turn, with all that was revealed in it."""
        turns = [0] * (self.turns + 1)
        for one in self.decisions:
            if not one.is_set_up:
                turns[one.turn] += one.presses
        return turns


class Clock:
    """Time that passes only with presses."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """The time now."""
        return self.now


class Fingers:
    """Hands on the buttons of a session."""

    def __init__(self, session: Session, clock: Clock):
        self.session = session
        self._clock = clock

    def act(self, finger: Finger, steps: int = 1) -> int:
        """Press a button, or hold an arrow for so many steps; how many presses it counts."""
        self._clock.now += 0.5
        for _ in range(steps if finger.is_run else 1):
            self.session.on_signal(Run(finger.button) if finger.is_run else Press(finger.button))
        return finger.presses

    def pick(self, value: Any) -> int:
        """Reach a value by the fewest presses, and take it; how many it took."""
        presses, chooser = 0, self.session.shown.chooser
        if chooser is None:
            running = self.session.shown.running
            assert running is not None
            way = first_way(running.host.options(running.public), value)
        else:
            way = chooser.way(value)
        assert way, f"{value} can't be picked"
        for finger in way:
            presses += self.act(finger, self._steps(value) if finger.is_run else 1)
        return presses + self.keep()

    def keep(self) -> int:
        """Hold ✔ for two seconds where that is asked for; how many presses it counts."""
        if self.session.shown.hold is None:
            return 0
        self._clock.now += 2.0
        self.session.on_signal(Holding(Button.CONFIRM))
        self.session.on_signal(Kept(Button.CONFIRM))
        return 1

    def _steps(self, value: Any) -> int:
        """How far an arrow must run in this step."""
        chooser = self.session.shown.chooser
        at = -1
        if chooser is None:
            running = self.session.shown.running
            assert running is not None
            level = running.host.options(running.public)
        else:
            level, at = chooser.level, chooser.at
        to = next(index for index, node in enumerate(level) if Chooser((node,)).way(value))
        return abs(to - at)


def in_a_hand(public: Any, seat: int | None, moves: list[Move], rng: random.Random) -> list[Move]:
    """The moves of a player who holds as many cards as the box knows of, drawn at random from those that can be."""
    size = len(getattr(public, "hands", ())[seat]) if seat is not None and hasattr(public, "hands") else 0
    cards = sorted({move.card for move in moves if getattr(move, "card", HIDDEN) != HIDDEN})  # type: ignore[attr-defined]
    if not 0 < size < len(cards):
        return moves
    held = {*rng.sample(cards, size), HIDDEN}
    return [move for move in moves if getattr(move, "card", HIDDEN) in held]


def game_by_buttons(name: str, players: int, rng: random.Random) -> ButtonGame:
    """One whole random game, through a session, by buttons alone."""
    clock = Clock()
    session = Session(HOSTS, None, clock, rng)
    variants = {key: options for key, _, options in KITS[name].variants}
    host = HOSTS[name]
    session.start(name, {"players": players, **host.at_table, **variants.get(WITHOUT_CAMERA.get(name, ""), {})})
    fingers = Fingers(session, clock)
    decisions: list[Decision] = []
    turns, seat, is_set_up, wrong = 0, -1, True, 0
    for _ in range(MOST):
        fingers.keep()  # what the box draws may end the game
        running = session.shown.running
        assert running is not None
        step = running.pending
        if isinstance(step, Over):
            break
        is_set_up = is_set_up and step.ask in SETTING_UP
        if isinstance(step, Decide) and step.seat not in (None, seat) and not is_set_up:
            turns, seat = turns + 1, step.seat
        legal = set(host.game.legal(running.history.state))
        moves = [move for move in host.answerable(running.public) if move in legal]
        move = rng.choice(in_a_hand(running.public, step.seat, moves, rng))
        number = running.history.number
        expected, _events = host.game.apply(running.history.state, move)
        presses = fingers.pick(move)
        assert session.shown.running is not None
        states = session.shown.running.history.states
        wrong += states[number + 1] != expected
        kind = type(move).__name__
        decisions.append(Decision(step.ask, kind, presses, turns, is_set_up, not isinstance(step, Decide)))
    return ButtonGame(tuple(decisions), turns, wrong)


def main() -> None:
    """Print a line a game and player count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("| game | players | set-up | presses a decision: median | worst | a turn: mean | wrong states |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    by_ask: dict[tuple[str, str], list[int]] = defaultdict(list)
    for name, host in HOSTS.items():
        options = {option.name: option for option in option_table(host.game.options_type)}
        for players in options["players"].allowed:
            rng = random.Random(f"{name} {players} {given.seed}")
            games = [game_by_buttons(name, players, rng) for _ in range(given.games)]
            presses = [one.presses for game in games for one in game.played]
            turns = [turn for game in games for turn in game.presses_a_turn[1:]]
            for game in games:
                for one in game.decisions:
                    by_ask[name, one.ask].append(one.presses)
            print(
                f"| {name} | {players} | {max(game.setup for game in games)} | {statistics.median(presses):g} "
                f"| {max(presses)} | {statistics.mean(turns):.1f} | {sum(game.wrong for game in games)} |"
            )
    print("\n| game | question | times | presses: median | worst |\n| --- | --- | --- | --- | --- |")
    for (name, ask), presses in by_ask.items():
        print(f"| {name} | {ask} | {len(presses)} | {statistics.median(presses):g} | {max(presses)} |")


if __name__ == "__main__":
    main()
