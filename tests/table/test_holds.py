"""Hands that press and hold everything everywhere: only a hold on an ending that was picked first ends a game."""

from __future__ import annotations

import random

import pytest

from benchmarks.presses.fingers import Clock
from companion.games.game import Reveal
from companion.games.notation import read_state
from companion.kits import KITS
from companion.outputs.panel_frame import frame_of
from companion.session.events import Flourished
from companion.session.session import Session
from companion.session.situation import Situation
from companion.table.hosts import HOSTS
from companion.table.menu import MishapReport, NewGame, menu
from companion.table.sample_states import questions
from hardware.button_signals import HeldToEnd, Holding, LetGo, LongPress, Press, Run, Signal
from hardware.panel import Button
from tests.table.reader import read
from tests.table.test_signs import TABLES

LEFT, RIGHT, CONFIRM, BACK = Button
INPUTS: list[tuple[Signal | float, int]] = [
    (Press(RIGHT), 30),
    (Press(LEFT), 15),
    (Press(CONFIRM), 40),
    (Press(BACK), 5),
    (Run(RIGHT), 6),
    (Run(LEFT), 3),
    (LongPress(CONFIRM), 2),
    (LongPress(BACK), 1),
    (Holding(CONFIRM), 6),
    (LetGo(CONFIRM), 3),
    (HeldToEnd(CONFIRM), 4),
    (0.2, 4),
    (30.0, 1),
]


class Table:
    """A session without a camera, and its clock."""

    def __init__(self, seed: str = "", line: str = ""):
        self.clock = Clock()
        self.session = Session(HOSTS, None, self.clock, random.Random(seed))
        if line:
            name = line.split()[0]
            self.session.start_at(name, read_state(HOSTS[name].game, line))

    @property
    def shown(self) -> Situation:
        return self.session.shown

    @property
    def moves(self) -> tuple[str, ...]:
        assert self.shown.running is not None
        return self.shown.running.history.notation

    def do(self, *inputs: Signal | float) -> None:
        """Press, hold, or wait."""
        for given in inputs:
            if isinstance(given, float):
                self.clock.now += given
                self.session.tick()
            else:
                self.clock.now += 0.5
                self.session.on_signal(given)


@pytest.mark.parametrize(("name", "players", "key"), TABLES)
def test_whatever_is_pressed_and_held_only_a_hold_on_an_ending_ends_a_game(name: str, players: int, key: str) -> None:
    rng = random.Random(f"{name} {players} {key} monkeys")
    table = Table(f"{name} {players} {key}")
    options = next(options for variant, _, options in KITS[name].variants if variant == key)
    table.session.start(name, {"players": players, **HOSTS[name].at_table, **options})
    for given in rng.choices([given for given, _ in INPUTS], [weight for _, weight in INPUTS], k=600):
        before, moves = table.shown, table.moves
        assert before.running is not None
        table.do(given)
        after = table.shown
        assert after.running is not None
        is_left = after.running.sitting != before.running.sitting
        is_ended = after.running.is_over and not before.running.is_over
        if is_ended or (is_left and moves and not before.running.is_over):
            assert before.hold is not None, given
            assert given == HeldToEnd(CONFIRM)
        if given == Press(BACK):
            assert len(table.moves) <= len(moves)
        if given == Press(CONFIRM) and before.chooser is None and not is_left:
            assert table.moves == moves


BRIEFLY: list[tuple[Signal | float, ...]] = [
    (Press(CONFIRM),) * 3,
    (Press(BACK),) * 3,
    (Holding(CONFIRM), LongPress(CONFIRM), HeldToEnd(CONFIRM)),
    (LongPress(BACK), Press(CONFIRM), Press(CONFIRM)),
    (Holding(CONFIRM), LongPress(CONFIRM), LetGo(CONFIRM), 30.0, 30.0),
    (HeldToEnd(CONFIRM), HeldToEnd(CONFIRM)),
    *((Press(arrow), *rest) for arrow in (LEFT, RIGHT) for rest in (
        (Press(CONFIRM),) * 4,
        (Press(CONFIRM), Press(arrow), Press(CONFIRM), Press(arrow), Press(CONFIRM)),
        (Run(arrow), Run(arrow), Press(CONFIRM), Run(arrow), Press(CONFIRM), Press(CONFIRM)),
        (Press(CONFIRM), Press(BACK), Press(BACK), Press(BACK)),
        (Press(CONFIRM), Holding(CONFIRM), LongPress(CONFIRM), LetGo(CONFIRM), Press(CONFIRM), 30.0),
    )),
]  # fmt: skip
"""What impatient hands do with a question: nothing of it ends a game, but for a hold that the box asked for."""


@pytest.mark.parametrize("name", HOSTS)
def test_in_every_question_of_a_game_no_press_ends_it_without_a_hold_that_was_asked_for(name: str) -> None:
    host = HOSTS[name]
    for ask, state in questions(host).items():
        for inputs in BRIEFLY:
            table = Table(f"{name} {ask}")
            table.session.start_at(name, state)
            for given in inputs:
                before = table.shown
                assert before.running is not None
                table.do(given)
                assert table.shown.running is not None
                is_ended = table.shown.running.is_over and not before.running.is_over
                is_left = table.shown.running.sitting != before.running.sitting and before.running.history.notation
                if is_ended or is_left:
                    assert (before.hold is not None, given) == (True, HeldToEnd(CONFIRM)), (ask, inputs)


MAP = "cups-05,cups-06,cups-07,cups-08,cups-09,cups-10,cups-11,cups-12"
HUNT = (
    f"silentes drawing=phone phase=hunt round=2 noise=14 tokens=0,1 map={MAP} "
    "hands=wands-04,wands-05,wands-06,wands-07,wands-08/swords-04,swords-05,swords-06,swords-07,swords-08"
)
HELD = f"silentes drawing=virtual phase=hunt round=2 noise=14 tokens=0,1 map={MAP} hands=?,?,?,?,?/?,?,?,?,?"


@pytest.mark.parametrize(("line", "answer"), [(HUNT, ()), (HELD, (RIGHT, CONFIRM))])
def test_a_hunt_that_the_box_draws_ends_a_game_only_by_a_hold(line: str, answer: tuple[Button, ...]) -> None:
    """The box draws and windows close by themselves, but the end waits for a hold of ✔; ✖ goes back."""
    ended = 0
    for seed in range(12):
        table = Table(f"hunt {seed}", line)
        table.do(30.0, *(Press(button) for button in answer), 30.0, 30.0, 30.0)
        if table.shown.hold is None:
            continue
        ended += 1
        assert read(frame_of(table.shown)) == {"hold"}
        before = table.moves
        table.do(30.0, Press(CONFIRM), Press(RIGHT), LongPress(CONFIRM), HeldToEnd(CONFIRM), 30.0)
        assert table.moves == before
        assert table.shown.running is not None
        if isinstance(table.shown.running.pending, Reveal):
            table.do(Press(BACK))
            assert table.shown.hold is None
            table.do(Press(CONFIRM))
        table.do(Holding(CONFIRM), HeldToEnd(CONFIRM))
        assert table.shown.running is not None
        assert table.shown.running.is_over
    assert ended


START = "silencio driver=table phase=start players=3 hands=?,?,?/?,?,?/?,?,?"
TURN = "silencio driver=table hands=?,?,?/?,?,?/?,?,? rows=r4/-/-/-"
ANSWER = (
    "similo driver=table phase=answer taken=giant hand=?,?,?,?,? round=0 count=1 characters_left=alice,big-bad-wolf,"
    "cinderella,dorothy,hunter,jack,king-arthur,peter-pan,pinocchio,robin-hood,snow-white clues=aladdin:similar"
)


def test_two_steps_to_the_right_are_the_second_seat() -> None:
    table = Table(line=START)
    table.do(Press(RIGHT), Press(RIGHT), Press(CONFIRM))
    assert table.moves[0] == "start 1"
    assert table.shown.running is not None
    assert not table.shown.running.is_over


def test_nobody_could_agree_is_in_the_menu_and_held() -> None:
    table = Table(line=START)
    table.do(LongPress(BACK))
    assert table.shown.chooser is not None
    wanted = [value for value in leaves(table) if isinstance(value, MishapReport)]
    assert [str(report.move) for report in wanted] == ["NoStart()"]
    table.do(*fingers(table, wanted[0]))
    assert table.shown.hold is not None
    assert read(frame_of(table.shown)) == {"hold"}
    table.do(Press(CONFIRM), Holding(CONFIRM), LongPress(CONFIRM), LetGo(CONFIRM))
    assert table.moves == ()
    table.do(Holding(CONFIRM), HeldToEnd(CONFIRM))
    assert table.moves == ("nobody",)


@pytest.mark.parametrize("arrow", [LEFT, RIGHT])
def test_safe_and_lost_are_both_held_and_look_alike(arrow: Button) -> None:  # SIM-17
    table = Table(line=ANSWER)
    table.do(Press(arrow), Press(CONFIRM))
    other = Table(line=ANSWER)
    other.do(Press(LEFT), Press(CONFIRM))
    assert table.moves == ()
    assert frame_of(table.shown) == frame_of(other.shown)
    table.do(Press(BACK))
    assert table.shown.hold is None
    assert table.shown.chooser is not None
    table.do(Press(CONFIRM), Holding(CONFIRM), HeldToEnd(CONFIRM))
    assert table.moves[0] == ("safe" if arrow is RIGHT else "lost")


def test_confirm_on_an_unchanged_table_does_nothing() -> None:
    table = Table(line=TURN)
    table.do(*[Press(CONFIRM)] * 5)
    assert (table.moves, table.shown.chooser) == ((), None)


def test_back_goes_back_one_step_at_a_time() -> None:
    table = Table(line=TURN)
    table.do(Press(RIGHT), Press(CONFIRM))
    assert table.shown.chooser is not None
    assert table.shown.chooser.above
    table.do(Press(BACK))
    assert table.shown.chooser is not None
    assert not table.shown.chooser.above
    table.do(Press(BACK))
    assert (table.shown.chooser, table.moves) == (None, ())


def test_a_held_arrow_runs_to_the_end_and_stops() -> None:
    table = Table(line=TURN)
    table.do(*[Run(RIGHT)] * 30)
    assert table.shown.chooser is not None
    assert table.shown.chooser.at == len(table.shown.chooser.level) - 1


def test_a_new_game_over_a_running_one_is_held() -> None:
    table = Table(line=TURN)
    table.session.do("play r6")
    before = table.moves
    table.do(LongPress(BACK))
    wanted = next(value for value in leaves(table) if isinstance(value, NewGame) and value.game == "cisza")
    table.do(*fingers(table, wanted))
    assert table.shown.hold is not None
    assert table.moves == before
    table.do(Press(BACK))
    assert table.shown.is_menu
    table.do(Press(CONFIRM), Holding(CONFIRM), HeldToEnd(CONFIRM))
    assert table.shown.running is not None
    assert table.shown.running.host.game.name == "cisza"


def test_what_now_tells_the_last_move_and_the_question_in_every_game() -> None:
    for line, move in ((TURN, "play r6"), (ANSWER, ""), ("cisza players=2 driver=table survivors=2,2", "")):
        table = Table(line=line)
        told: list[Flourished] = []
        if move:
            table.session.do(move)
        table.session.bus.subscribe(Flourished, told.append)
        table.do(LongPress(CONFIRM))
        assert [one.flourish.name for one in told] == ["what-now"]
        drawings = [str(beat.layer) for beat in told[0].flourish.beats]
        if move:
            assert ".....#......... #... .." in drawings  # red, and its rank
        table.do(LongPress(BACK), LongPress(CONFIRM))


def test_what_now_is_off_while_a_hold_is_asked_for() -> None:
    table = Table(line=ANSWER)
    table.do(Press(RIGHT), Press(CONFIRM))
    told: list[Flourished] = []
    table.session.bus.subscribe(Flourished, told.append)
    table.do(Holding(CONFIRM), LongPress(CONFIRM), LetGo(CONFIRM))
    assert told == []


def test_who_asks_what_now_as_an_ending_comes_up_does_not_end_the_game() -> None:
    """✔ went down before the hold was asked for: however long it stays down, it was meant for “what now?”."""
    for late, is_ended in ((0.1, False), (2.0, True)):
        table = next(one for one in (Table(f"hunt {seed}", HUNT) for seed in range(12)) if ends(one))
        table.clock.now += late
        for signal in (Holding(CONFIRM), LongPress(CONFIRM)):
            table.session.on_signal(signal)
        table.clock.now += 2.0
        table.session.on_signal(HeldToEnd(CONFIRM))
        assert table.shown.running is not None
        assert table.shown.running.is_over == is_ended


def ends(table: Table) -> bool:
    """Whether what the box draws ends the game, as soon as it's drawn."""
    for _ in range(1200):
        table.do(0.1)
        if table.shown.hold is not None:
            return True
    return False


def leaves(table: Table) -> list[object]:
    """All values of the open chooser."""
    assert table.shown.chooser is not None
    waiting, found = list(table.shown.chooser.nodes), []
    while waiting:
        node = waiting.pop(0)
        waiting += node.branches
        found += [] if node.branches else [node.value]
    return found


def fingers(table: Table, value: object) -> list[Signal]:
    """Single presses that reach a value."""
    chooser = table.shown.chooser
    assert chooser is not None
    signals: list[Signal] = []
    while True:
        index = next(at for at, node in enumerate(chooser.level) if type(chooser)((node,)).gestures_to(value))
        signals += [Press(RIGHT)] * ((index - chooser.at) % len(chooser.level))
        signals.append(Press(CONFIRM))
        deeper = type(chooser)(chooser.nodes, chooser.above, index).enter()
        if deeper is None:
            return signals
        chooser = deeper


def test_the_menu_has_its_lights_whatever_it_offers() -> None:
    for running in (False, True):
        lit = {node.pick.key: node.pick.place for node in menu(HOSTS, running=running).nodes}
        assert [lit[name] for name in HOSTS] == [6, 7, 8, 9]
