"""Presses, long presses and the chord: scenarios, and a thousand random sequences against a stopwatch."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.button_signals import (
    CHORD_SECONDS,
    DEBOUNCE_SECONDS,
    LONG_PRESS_SECONDS,
    MAX_RUNS,
    RUN_AFTER,
    ButtonDecoder,
    Countdown,
    CountdownStopped,
    HeldToEnd,
    Holding,
    LetGo,
    LongPress,
    Press,
    Run,
    Shutdown,
    Signal,
)
from hardware.panel import Button

LEFT, RIGHT, CONFIRM, BACK = Button
Edge = tuple[float, Button, bool]


def heard(edges: list[Edge], until: float = 60.0, held: tuple[Button, ...] = ()) -> list[Signal]:
    hands = ButtonDecoder(held)
    signals = []
    for time, button, down in edges:
        signals += hands.feed(time, button, down)
    return signals + hands.advance(until)


def run(edges: list[Edge], until: float = 60.0, held: tuple[Button, ...] = ()) -> list[Signal]:
    """What was heard, but for how long ✔ is held and arrows that run."""
    return but_holds(heard(edges, until, held))


def but_holds(signals: list[Signal]) -> list[Signal]:
    return [signal for signal in signals if not isinstance(signal, Holding | LetGo | HeldToEnd | Run)]


def hold(button: Button, start: float, end: float) -> list[Edge]:
    return [(start, button, True), (end, button, False)]


@pytest.mark.parametrize("button", Button)
def test_a_short_hold_is_a_press(button: Button) -> None:
    assert run(hold(button, 0, 0.3)) == [Press(button)]


@pytest.mark.parametrize(("button", "seconds"), LONG_PRESS_SECONDS.items())
def test_the_border_between_press_and_long_press(button: Button, seconds: float) -> None:
    assert run(hold(button, 0, seconds - 0.001)) == [Press(button)]
    assert run(hold(button, 0, seconds)) == [LongPress(button)]
    assert run(hold(button, 0, seconds + 9)) == [LongPress(button)]


def test_a_long_press_comes_while_the_button_is_still_down() -> None:
    hands = ButtonDecoder()
    hands.feed(0, CONFIRM, True)
    assert but_holds(hands.advance(0.99)) == []
    assert but_holds(hands.advance(1.0)) == [LongPress(CONFIRM)]


def test_bounce_is_one_press() -> None:
    bouncing = [(0.001 * i, CONFIRM, i % 2 == 0) for i in range(9)]
    letting_go = [(0.5 + 0.001 * i, CONFIRM, i % 2 == 1) for i in range(9)]
    assert run(bouncing + letting_go) == [Press(CONFIRM)]


def test_a_spike_is_nothing() -> None:
    assert run(hold(BACK, 0, DEBOUNCE_SECONDS / 2)) == []


def test_bounce_at_the_border_is_still_one_long_press() -> None:
    edges = [(0.0, CONFIRM, True), (0.995, CONFIRM, False), (1.005, CONFIRM, True), (1.5, CONFIRM, False)]
    assert run(edges) == [LongPress(CONFIRM)]


def test_shutdown_counts_down_and_no_press_comes() -> None:
    edges = [(0.0, LEFT, True), (0.2, RIGHT, True), (6.0, LEFT, False), (6.1, RIGHT, False)]
    assert run(edges) == [Countdown(4), Countdown(3), Countdown(2), Countdown(1), Shutdown()]


def test_letting_go_in_time_stops_the_countdown() -> None:
    edges = [(0.0, LEFT, True), (0.0, RIGHT, True), (4.9, LEFT, False), (5.5, RIGHT, False)]
    assert run(edges) == [Countdown(4), Countdown(3), Countdown(2), Countdown(1), CountdownStopped()]


def test_a_rolled_pair_is_no_press_and_no_countdown() -> None:
    assert run([(0.0, LEFT, True), (0.1, RIGHT, True), (0.2, LEFT, False), (0.3, RIGHT, False)]) == []


def test_one_after_the_other_is_two_presses() -> None:
    assert run([*hold(LEFT, 0, 0.2), *hold(RIGHT, 0.2, 0.4)]) == [Press(LEFT), Press(RIGHT)]


def test_a_thing_lying_on_a_button_at_the_start_is_no_press_and_no_chord() -> None:
    assert run([(3.0, CONFIRM, False)], held=(CONFIRM,)) == []
    assert run(hold(RIGHT, 1, 1.5), held=(LEFT,)) == [Press(RIGHT)]
    assert run([(3.0, CONFIRM, False), *hold(CONFIRM, 4, 4.2)], held=(CONFIRM,)) == [Press(CONFIRM)]


def test_time_never_runs_backwards() -> None:
    hands = ButtonDecoder()
    hands.advance(10.0)
    assert hands.feed(3.0, LEFT, True) == []
    assert hands.advance(10.5) == []
    hands.feed(10.55, LEFT, False)
    assert hands.advance(12) == [Press(LEFT)]


def stopwatch(edges: list[Edge]) -> list[str]:
    """What a person with a stopwatch and the whole recording would write down, in milliseconds."""
    holds: dict[Button, list[tuple[int, int]]] = {}
    for button in Button:
        own = [(round(t * 1000), down) for t, one, down in edges if one is button]
        # The level from each change on, unless it's gone again too soon.
        level, solid = False, []
        for (time, down), following in itertools.zip_longest(own, own[1:]):
            if following is not None and following[0] - time < round(DEBOUNCE_SECONDS * 1000):
                continue
            if down != level:
                level = down
                solid.append(time)
        holds[button] = list(zip(solid[0::2], solid[1::2], strict=True))
    written = [
        f"{'long' if end - start >= LONG_PRESS_SECONDS[button] * 1000 else 'press'} {button}"
        for button in LONG_PRESS_SECONDS
        for start, end in holds[button]
    ]
    both = [(max(a, c), min(b, d)) for a, b in holds[LEFT] for c, d in holds[RIGHT] if max(a, c) < min(b, d)]
    for button in (LEFT, RIGHT):
        for start, end in holds[button]:
            is_alone = not any(start < there and here < end for here, there in both)
            if is_alone and end - start < RUN_AFTER * 1000:
                written.append(f"press {button}")
    for start, end in both:
        seconds = (end - start) // 1000
        written += [f"countdown {CHORD_SECONDS - n}" for n in range(1, min(seconds, CHORD_SECONDS - 1) + 1)]
        written += ["shutdown"] if seconds >= CHORD_SECONDS else ["stopped"] if seconds >= 1 else []
    return sorted(written)


def written(signal: Signal) -> str:
    match signal:
        case Press(button):
            return f"press {button}"
        case LongPress(button):
            return f"long {button}"
        case Countdown(left):
            return f"countdown {left}"
        case CountdownStopped():
            return "stopped"
        case _:
            return "shutdown"


def random_edges(dice: random.Random) -> list[Edge]:
    """Four hands at once: holds of all lengths, many near a border, with bounce at both ends and spikes."""
    edges: list[Edge] = []
    for button in Button:
        now = dice.randrange(0, 800)
        for _ in range(dice.randrange(0, 7)):
            borders = [(1, 60), (30, 900), (980, 1020), (1990, 2010), (900, 3000), (4900, 6500)]
            length = dice.randrange(*dice.choice(borders))
            edges += [(time / 1000, button, down) for time, down in bouncy(dice, now, now + length)]
            now += length + dice.choice([dice.randrange(21, 60), dice.randrange(50, 2000)])
    return sorted(edges, key=lambda edge: edge[0])


def bouncy(dice: random.Random, start: int, end: int) -> list[tuple[int, bool]]:
    edges = [(start, True)]
    if end - start > 60 and dice.random() < 0.6:
        for gap in range(dice.randrange(1, 5)):
            edges += [(start + 4 * gap + 2, False), (start + 4 * gap + 4, True)]
    edges.append((end, False))
    return edges


def play(edges: list[Edge], dice: random.Random) -> list[str]:
    """The machine live, with the clock looked at in between as often as chance has it."""
    hands = ButtonDecoder()
    signals: list[Signal] = []
    now = 0.0
    for time, button, down in edges:
        while dice.random() < 0.5:
            now += (time - now) * dice.random()
            signals += hands.advance(now)
        signals += hands.feed(time, button, down)
        now = time
    signals += hands.advance(now + 30)
    assert hands.due == float("inf")
    return sorted(map(written, but_holds(signals)))


def test_a_thousand_random_sequences_yield_what_a_stopwatch_would() -> None:
    dice = random.Random(4)
    kinds: set[str] = set()
    for _ in range(1000):
        edges = random_edges(dice)
        heard = play(edges, dice)
        assert heard == stopwatch(edges), edges
        kinds.update(heard)
    # The thousand are worth something: everything that can be heard was heard.
    assert {"shutdown", "stopped", "countdown 1", "long back", "long confirm"} <= kinds
    assert {f"press {button}" for button in Button} <= kinds


@given(st.lists(st.tuples(st.integers(0, 900), st.sampled_from(Button), st.booleans()), max_size=60))
def test_a_press_and_a_long_press_never_both_fire(gaps: list[tuple[int, Button, bool]]) -> None:
    now, edges = 0.0, []
    releases = dict.fromkeys(Button, 0)
    for gap, button, down in gaps:
        now += gap / 1000
        edges.append((now, button, down))
        releases[button] += not down
    edges += [(now + 1, button, False) for button in Button]
    signals = run(edges, now + 60)
    for button in Button:
        own = [one for one in signals if isinstance(one, Press | LongPress) and one.button is button]
        # Each hold ends with one release, and says at most one thing.
        assert len(own) <= releases[button] + 1


@given(st.integers(0, 3000), st.sampled_from(sorted(LONG_PRESS_SECONDS)))
def test_one_hold_says_exactly_one_thing(length: int, button: Button) -> None:
    signals = run(hold(button, 0, length / 1000))
    assert len(signals) == (1 if length / 1000 >= DEBOUNCE_SECONDS else 0)


def test_a_held_arrow_steps_on_and_is_no_press() -> None:
    assert heard(hold(RIGHT, 0, 1.1)) == [Run(RIGHT)] * 3
    assert heard(hold(RIGHT, 0, 0.5)) == [Press(RIGHT)]
    assert len(heard([(0, RIGHT, True)])) == MAX_RUNS


def test_both_arrows_do_not_run() -> None:
    edges = [(0.0, LEFT, True), (0.1, RIGHT, True), (3.5, RIGHT, False), (3.6, LEFT, False)]
    assert not [one for one in heard(edges) if isinstance(one, Run)]


def test_a_hold_for_two_seconds_is_told_from_its_beginning() -> None:
    assert heard(hold(CONFIRM, 0, 0.2)) == [Press(CONFIRM)]
    assert heard(hold(CONFIRM, 0, 0.6)) == [Holding(CONFIRM), LetGo(CONFIRM), Press(CONFIRM)]
    assert heard(hold(CONFIRM, 0, 1.9)) == [Holding(CONFIRM), LongPress(CONFIRM), LetGo(CONFIRM)]
    assert heard(hold(CONFIRM, 0, 3.0)) == [Holding(CONFIRM), LongPress(CONFIRM), HeldToEnd(CONFIRM), LetGo(CONFIRM)]
    assert heard([], held=(CONFIRM,)) == []
