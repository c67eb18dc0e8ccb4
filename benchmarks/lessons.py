"""Groups that play for the first time and err: is every rule told by the time its refusal comes, once, and in time?

`python -m benchmarks.lessons --games 1000`. Each group plays the same game several times in a row, with what it was
told before. Beside each box stands a second one whose hidden cards are others: both must teach the same.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec import Struct, json

from companion.bots.policy import at_random, sensible
from companion.bots.simulator import decide
from companion.games.game import Game, IllegalMove, Move, Over
from companion.kits import KITS, NAMES
from companion.session.lesson_memory import LessonMemory
from companion.session.session import Session
from companion.session.situation import Running
from companion.table.hosts import HOSTS
from companion.table.knowledge import noticed
from companion.table.lessons import GOAL, MAX_LESSONS_A_GAME, Lesson, Taught, is_relevant, public_code, turn_begins
from companion.table.mistakes import refused_tables
from companion.table.sight import Seen, Sight
from vision.simulated import Scene

ERRS_IN_A_MOVE = 0.2
"""How often a player tries something that the rules refuse, or lays it."""
BOLD = 0.4
"""How often the second box is dealt another hidden card where it could be the same."""
IN_A_ROW = 5
"""Games that a group plays."""
MAX_LESSON_MOVES = 600
"""Moves after which a game is left."""
OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "silencio": ({"players": 2}, {"players": 3, "tavern": True}, {"players": 4}, {"players": 3, "driver": "sim"}),
    "similo": (
        {"players": 3},
        {"players": 4, "guess_mode": "majority"},
        {"rounds": 3},
        {"secret_mode": "sealed"},
        {"clues_per_round": 3, "hand_size": 5},
        {"driver": "sim"},
    ),
    "silentes": ({"drawing": "virtual"}, {"drawing": "table"}, {"drawing": "phone"}),
    "cisza": ({"players": 2}, {"players": 4}, {"players": 3, "expert": True}, {"players": 3, "driver": "sim"}),
}


class Count(Struct):
    """What was seen; every entry of `wrong` is a failure."""

    games: int = 0
    questions: int = 0
    refusals: int = 0
    explained: int = 0
    first_with_lesson: int = 0
    told: Counter[str] = Counter()
    most_a_game: int = 0
    most_unasked: int = 0
    wrong: list[str] = []
    pairs: int = 0
    differing: int = 0
    spared: int = 0
    waited: Counter[str] = Counter()


class LessonTable:
    """A group at a box: plays, errs, and notes what the box teaches and when."""

    def __init__(self, name: str, count: Count, rng: random.Random):
        self.name, self.count, self.rng = name, count, rng
        self.game: Game[Any] = HOSTS[name].game
        self.course = KITS[name].course
        self.groups = LessonMemory()
        self.heard: set[str] = set()
        self.again: set[str] = set()
        self.refused: set[str] = set()
        self.pool: dict[Move, None] = {}

    def play(self, chosen: dict[str, Any]) -> None:
        """One game from its set-up to its end."""
        self.box, self.other = self.session(), self.session(LessonMemory())
        self.other_groups_follow()
        at_table = {**HOSTS[self.name].at_table, **chosen}
        self.in_game, self.unasked, self.is_refused = 0, 0, False
        self.turn: tuple[Any, int, str] = (None, 0, "")
        self.shown: tuple[Taught, ...] = ()
        self.in_turn: set[tuple[str, bool]] = set()
        for box in (self.box, self.other):
            box.start(self.name, at_table, seed=None)
        self.is_twin = True
        self.look(is_new=True)
        policy = sensible if self.rng.random() < 0.7 else at_random
        for _ in range(MAX_LESSON_MOVES):
            if isinstance(self.running.pending, Over):
                break
            if self.rng.random() < ERRS_IN_A_MOVE:
                self.err()
            move = decide(self.game, self.running.history.state, policy, self.rng)
            self.follow(move)
            self.box.do(move)
            self.count.questions += 1
            self.look(is_new=True)
        self.count.games += 1
        self.count.most_a_game = max(self.count.most_a_game, self.in_game)
        self.count.most_unasked = max(self.count.most_unasked, self.unasked)

    def session(self, groups: LessonMemory | None = None) -> Session:
        """A box without a record."""
        return Session(HOSTS, None, lambda: 0.0, random.Random(7), groups=self.groups if groups is None else groups)

    def other_groups_follow(self) -> None:
        """The second box's group has been told what the first one's was."""
        other: LessonMemory = self.other._teaching._groups  # type: ignore[assignment]
        other.save(self.name, self.groups.of(self.name))

    @property
    def running(self) -> Running:
        """The game."""
        running = self.box.shown.running
        assert running is not None
        return running

    # What goes wrong

    def err(self) -> None:
        """Try a move that the rules refuse, or lay a table that they refuse."""
        state = self.running.history.state
        legal = set(self.game.legal(state))
        self.pool.update(dict.fromkeys(self.game.legal(state)))
        tables = {} if self.running.is_private else refused_tables(self.name, state, self.rng)
        if tables and self.rng.random() < 0.4:
            sight = seen(self.name, self.rng.choice(list(tables.values())))
            for box in (self.box, self.other):
                box.on_sight(sight)
                while (
                    box.due is not None
                    and box.shown.proposal.complaint is None
                    and box.shown.proposal.explanations == ()
                ):
                    before = box.due
                    box.tick()
                    if box.due == before and box._follow._search is None:
                        break
            code = self.box.shown.proposal.code
            self.after_refusal(code)
            for box in (self.box, self.other):
                box._follow.forget_sight()
                box._remarks.withdraw_complaint()
            return
        kinds = {type(move) for move in legal}
        bad = [move for move in self.pool if move not in legal and type(move) in kinds]
        bad = bad or [move for move in self.pool if move not in legal]
        if not bad:
            return
        move = self.rng.choice(bad)
        code = "" if self.running.is_private else public_code(self.game, self.running.public_state, move)
        for box in (self.box, self.other):
            try:
                box.do(move)
            except IllegalMove:
                continue
            if box is self.box:
                self.count.wrong.append(f"{self.name}: {move} isn't refused")
            self.is_twin = False
        self.after_refusal(code)

    def after_refusal(self, code: str) -> None:
        """The lesson behind it was told before, or is now."""
        behind = next((one for one in self.course.lessons if code in one.explains), None)
        self.count.refusals += bool(code)
        self.look(is_new=False, behind=behind)
        if behind is None or not code:
            return
        self.count.explained += 1
        self.count.first_with_lesson += code not in self.refused
        self.refused.add(code)
        if behind.key not in self.heard:
            self.count.wrong.append(f"{self.name}: {code} was refused, {behind.key} was never told")

    def follow(self, move: Move) -> None:
        """The second box makes a move that everybody takes for the same, if there is one; else it's set aside."""
        self.pool.update(dict.fromkeys(self.game.legal(self.running.history.state)))
        if not self.is_twin:
            return
        running = self.other.shown.running
        assert running is not None
        mine, state = self.running.history.state, running.history.state
        wanted = noticed(self.game, mine, move, None)
        legal = [*self.game.legal(state)]
        self.rng.shuffle(legal)
        is_bold = self.rng.random() < BOLD
        for one in sorted(legal, key=lambda one: (one == move) == is_bold):
            if type(one) is type(move) and noticed(self.game, state, one, None) == wanted:
                self.other.do(one)
                return
        self.is_twin = False

    # What is taught

    def look(self, *, is_new: bool, behind: Lesson | None = None) -> None:
        """Note what the box teaches now, and whether it may."""
        shown, running = self.box.shown.lessons, self.running
        self.shown = shown
        step, public = running.pending, running.public_state
        # Who plays again because the others passed by themselves has another turn, though nobody was asked between.
        turn = (running.sitting, turn_begins(self.course, self.game, running.history.states))
        if turn != self.turn[0]:
            self.turn, self.is_refused, self.in_turn = (turn, 0, ""), False, set()
        # A lesson of this turn may come back with another question of it, or be shown to a player who wasn't asked yet.
        untold = [one.key for one in shown if one.is_shown_on and one.key not in self.heard]
        self.count.wrong.extend(f"{self.name}: {key} is shown on and was never told" for key in untold)
        fresh = tuple(one for one in shown if (one.key, one.is_again) not in self.in_turn and not one.is_shown_on)
        self.in_turn |= {(one.key, one.is_again) for one in shown}
        lessons = {one.key: one for one in self.course.all}
        unfitting = [one.key for one in shown if is_new and not is_relevant(lessons[one.key], public, step)]
        self.count.wrong.extend(f"{self.name}: {key} is shown at another question" for key in unfitting)
        for one in fresh:
            self.note(one, lessons[one.key], is_asked=behind is not None and one.key == behind.key, is_new=is_new)
        self.check_spared(is_new=is_new)
        if is_new and not isinstance(step, Over):
            self.check_time(public, step)
        self.compare()

    def note(self, one: Taught, lesson: Lesson, *, is_asked: bool, is_new: bool) -> None:
        """Something is told: once, with its question or with its refusal."""
        wrong = self.count.wrong
        known = self.again if one.is_again else self.heard
        if one.key in known:
            wrong.append(f"{self.name}: {one.key} twice")
        known.add(one.key)
        if one.is_again:
            if not is_asked:
                wrong.append(f"{self.name}: {one.key} again, without a refusal")
            return
        self.count.told[f"{self.name} {one.key}"] += 1
        self.in_game += one.key != GOAL
        if is_asked or one.key == GOAL:
            self.turn = (self.turn[0], self.turn[1] + (one.key != GOAL), one.key)
            self.is_refused = self.is_refused or is_asked
            return
        self.unasked += 1
        if self.turn[1]:
            wrong.append(f"{self.name}: {one.key} is the second in a turn")
        self.turn = (self.turn[0], self.turn[1] + 1, one.key)
        if not is_new:
            wrong.append(f"{self.name}: {one.key} while somebody thinks")
        if not is_relevant(lesson, self.running.public_state, self.running.pending):
            wrong.append(f"{self.name}: {one.key} comes late")

    def check_time(self, public: Any, step: Any) -> None:
        """What matters now was told; one that can wait gives way to another one of the turn, or of a dozen."""
        known = {*self.heard, *self.groups.of(self.name).shown}
        late = [one for one in self.course.lessons if one.key not in known and is_relevant(one, public, step)]
        if self.turn[1] or self.in_game >= MAX_LESSONS_A_GAME:
            gave_way = [one for one in late if one.can_wait or self.is_refused]
            self.count.waited.update(f"{self.name} {one.key}" for one in gave_way)
            late = [one for one in late if one not in gave_way]
        for one in late:
            self.count.wrong.append(f"{self.name}: {one.key} at {step.ask} isn't told, {self.turn[2] or 'nothing'} is")

    def check_spared(self, *, is_new: bool) -> None:
        """What a group did right by itself isn't told unasked."""
        self.count.spared = max(self.count.spared, len(self.groups.of(self.name).shown))

    def compare(self) -> None:
        """The second box teaches byte for byte the same."""
        if not self.is_twin:
            return
        other = self.other.shown.running
        if other is None or other.public_state != self.running.public_state:
            self.is_twin = False
            return
        self.count.pairs += 1
        self.count.differing += other.history.state != self.running.history.state
        if json.encode(plain(self.other.shown.lessons)) != json.encode(plain(self.shown)):
            self.count.wrong.append(f"{self.name}: two hidden tables are taught differently")


def plain(lessons: tuple[Taught, ...]) -> list[Any]:
    """Lessons as bytes can be made of them."""
    return [(one.key, str(one.text), one.cards, one.is_again) for one in lessons]


def seen(name: str, scene: Scene) -> Sight:
    """A table as an eye that errs in nothing sees it."""
    layout = KITS[name].layout
    cards = (card for card in scene.cards if not card.card.startswith(("marker", "token")))
    return Sight(tuple(Seen(one.card, layout.zone_at(one.x, one.y), one.turn, one.face, one.x, one.y) for one in cards))


def groups(games: int, names: tuple[str, ...], seed: int) -> Iterator[tuple[str, int]]:
    """Which group plays which game, until so many are played."""
    for number in range(-(-games // (IN_A_ROW * len(names)))):
        for name in names:
            yield name, seed + number


def run(games: int, names: tuple[str, ...] = NAMES, seed: int = 1, in_a_row: int = IN_A_ROW) -> Count:
    """Play so many games, in groups."""
    count = Count(told=Counter(), waited=Counter(), wrong=[])
    for name, number in groups(games, names, seed):
        rng = random.Random(f"{name} {number}")
        table = LessonTable(name, count, rng)
        for _ in range(in_a_row):
            table.play(rng.choice(OPTIONS[name]))
    return count


def main() -> int:
    """Play, and say what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=NAMES, action="append")
    given = parser.parse_args()
    count = run(given.games, tuple(given.game or NAMES), given.seed)
    print(f"games {count.games}, moves {count.questions}, refusals {count.refusals}, with a lesson {count.explained}")
    print(f"first refusals of a code with a lesson, by group: {count.first_with_lesson}")
    print(f"most lessons in a game: unasked {count.most_unasked}, with refusals {count.most_a_game}")
    print(f"compared with other hidden cards: {count.pairs} times, {count.differing} of them with other cards")
    waited = (f"{name} {times}" for name, times in count.waited.most_common())
    print("questions at which a lesson gave way:", ", ".join(waited) or "–")
    never = [f"{name} {one.key}" for name in given.game or NAMES for one in KITS[name].course.all]
    print("never told:", ", ".join(one for one in never if one not in count.told) or "–")
    print("wrong:", len(count.wrong))
    for line, times in Counter(count.wrong).most_common(20):
        print(f"  {times} x {line}")
    return 1 if count.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
