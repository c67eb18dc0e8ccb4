"""A reader of the panel alone names every sign of whole games; nothing looks like something else."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest
from msgspec.structs import replace

from benchmarks.presses.buttons import in_a_hand
from benchmarks.presses.fingers import Clock, Fingers
from companion.games.game import Over, option_table
from companion.kits import KITS
from companion.outputs.panel_frame import frame_of, frame_of_sign, sign_of
from companion.play import Play
from companion.session.session import Session
from companion.session.situation import Hold, Running, Situation
from companion.table.chooser import Chooser
from companion.table.doubt import Doubt, FaceName
from companion.table.hosts import HOSTS
from companion.table.knowledge import keeps_hands
from companion.table.menu import Unfinished, menu
from companion.table.proposal import Explanation, Progress, Proposal
from companion.table.sample_states import questions
from companion.table.sight import Seen, Sight
from companion.table.state_from_table import answer_nodes
from companion.text import raw
from hardware.lights import PATTERNS
from hardware.panel import PanelFrame
from hardware.signs import BOX_SIGNS, SIGN, SIGNS
from tests.table.reader import matches, read
from tests.table.sign_patterns import PATTERNS as SIGN_PATTERNS


def tables(name: str) -> list[tuple[str, int, str]]:
    """Every number of players, and every variant, of a game."""
    allowed = {option.name: option for option in option_table(HOSTS[name].game.options_type)}["players"].allowed
    keys = [key for key, _, _ in KITS[name].variants]
    return [
        (name, players, keys[at % len(keys)])
        for at, players in zip(range(max(len(keys), len(allowed))), cycle(allowed))
    ]


TABLES = [table for name in HOSTS for table in tables(name)]


def situations(name: str, players: int, key: str) -> Iterator[Situation]:
    """Everything there is to show in a whole random game: each question, and each step of the chooser."""
    rng = random.Random(f"{name} {players} {key} signs")
    clock, host = Clock(), HOSTS[name]
    session = Session(HOSTS, None, clock, rng)
    options = next(options for variant, _, options in KITS[name].variants if variant == key)
    session.start(name, {"players": players, **host.at_table, **options})
    fingers = Fingers(session, clock)
    for _ in range(400):
        if session.shown.hold is not None:  # what the box draws ends the game
            assert read(frame_of(session.shown)) == {"hold"}
            fingers.hold_confirm()
        shown = replace(session.shown, fault="")
        assert shown.running is not None
        if isinstance(shown.running.pending, Over):
            return
        yield shown
        legal = set(host.game.legal(shown.running.history.state))
        moves = [move for move in host.answerable(shown.running.public_state) if move in legal]
        move = rng.choice(in_a_hand(shown.running.public_state, shown.running.pending.seat, moves, rng))
        yield from choosers(shown, host.options(shown.running.public_state), rng)
        fingers.pick(move)


def choosers(shown: Situation, nodes: Any, rng: random.Random) -> Iterator[Situation]:
    """The chooser at some place of each step down to an answer."""
    chooser: Chooser | None = Chooser(nodes)
    while chooser is not None:
        chooser = replace(chooser, at=rng.randrange(len(chooser.level)))
        yield replace(shown, chooser=chooser)
        chooser = chooser.enter()


def seen_by_the_camera(shown: Situation) -> Iterator[tuple[str, Situation]]:
    """The same question when the camera has something to say."""
    running = shown.running
    assert running is not None
    moves = running.host.answerable(running.public_state)
    for steps in (1, 3):
        found = Explanation(tuple(moves[:1] * steps), steps, ())
        yield "follow", replace(shown, proposal=Proposal(explanations=(found,)))
    yield "progress", replace(shown, proposal=Proposal(progress=Progress(3, 8)))
    yield "hand", replace(shown, sight=Sight(is_unsettled=True))
    yield "unnamed", replace(shown, doubt=Doubt(Seen(""), (FaceName("x"),)))
    for name, one in PATTERNS.items():
        if name.startswith(("refused", "unreadable")):
            yield "refused", replace(shown, refusal_pattern=one.layer)
        elif name.startswith(("no-", "too-")):
            yield "fault", replace(shown, fault=name)


def assert_places(chooser: Chooser) -> None:
    """Every option has a light of its own; verbs stand on every second one, and never on the last."""
    places = [(node.pick.kind, node.pick.place, node.pick.lamps) for node in chooser.level]
    assert len(set(places)) == len(places), chooser.label
    verbs = [node.pick.place for node in chooser.level if node.pick.kind == "verb"]
    assert all(place % 2 == 0 and place < 14 for place in verbs), chooser.label


@pytest.mark.parametrize(("name", "players", "key"), TABLES)
def test_a_reader_of_the_frames_alone_names_every_sign(name: str, players: int, key: str) -> None:
    """Whatever stands at a table: two questions differ, or they are the same sign."""
    for shown in situations(name, players, key):
        assert shown.running is not None
        ask = sign_of(shown, shown.running)
        frame = frame_of(shown)
        assert read(frame) == {ask.sign}, f"{shown.question}: {frame}"
        if shown.chooser is not None:
            assert_places(shown.chooser)
        else:
            for sign, other in seen_by_the_camera(shown):
                assert read(frame_of(other)) == {sign}, f"{shown.question}: {frame_of(other)}"


def steps_of(chooser: Chooser) -> Iterator[Chooser]:
    """A chooser at every option of every step."""
    for at in range(len(chooser.level)):
        here = replace(chooser, at=at)
        yield here
        if (deeper := here.enter()) is not None:
            yield from steps_of(deeper)


@pytest.mark.parametrize("name", HOSTS)
def test_every_step_of_the_menu_is_known_as_the_menu_and_has_a_light_of_its_own(name: str) -> None:
    """In the menu all suits are on, whatever it's about: games, players, variants, what has gone wrong."""
    host = HOSTS[name]
    for state in questions(host).values():
        public = host.game.view(state, None)
        reports = [(tuple(host.path(public, move)), move) for move in host.reports(public)]
        unfinished = tuple(Unfinished(number, name, number) for number in range(1, 4))
        found = menu(HOSTS, running=True, unfinished=unfinished, reports=reports, can_believe=True)
        shown = Situation(chooser=found, is_menu=True)
        for chooser in steps_of(found):
            assert read(frame_of(replace(shown, chooser=chooser))) == {"menu"}, chooser.label
            places = [node.pick.place for node in chooser.level]
            assert len(set(places)) == len(places), chooser.label


@pytest.mark.parametrize("name", HOSTS)
def test_what_is_asked_of_a_table_that_is_believed_is_known_by_its_sign(name: str) -> None:
    host = HOSTS[name]
    for state in questions(host).values():
        if keeps_hands(host.game, state):
            continue
        public = host.game.view(state, None)
        running = Running(1, host, Play(host.game, state).history, public)
        for unknown in host.table.questions(public, {}):
            for at, node in enumerate(answer_nodes(unknown)):
                chooser = Chooser(answer_nodes(unknown), at=at)
                frame = frame_of(Situation(running=running, chooser=chooser))
                assert read(frame) == {chooser.sign}, f"{node.pick.label}: {frame}"
                assert_places(chooser)


@pytest.mark.parametrize("name", HOSTS)
def test_a_hold_a_countdown_and_the_first_and_last_signs_are_known(name: str) -> None:
    assert read(frame_of(Situation())) == {"starting"}
    for sign in ("starting", "safe"):
        assert read(frame_of_sign(sign)) == {sign}
    state = next(iter(questions(HOSTS[name]).values()))
    running = Running(1, HOSTS[name], Play(HOSTS[name].game, state).history, HOSTS[name].game.view(state, None))
    for is_down in (False, True):
        assert read(frame_of(Situation(running=running, hold=Hold(raw("it ends"), is_down)))) == {"hold"}


def test_there_are_a_dozen_signs_and_eight_of_the_box() -> None:
    assert (len(SIGNS), len(BOX_SIGNS)) == (12, 8)


@pytest.mark.parametrize("sign", SIGN.values(), ids=lambda sign: sign.name)
def test_a_sign_looks_as_the_pages_draw_it(sign: Any) -> None:
    drawn, (looks, _) = [one.replace("_", ".") for one in sign.drawings], SIGN_PATTERNS[sign.name]
    assert sign.name == "turn" or any(matches(looks, one) for one in drawn)
    if sign.name not in ("turn", "turn-up", "visitor"):
        for drawing in drawn:
            if matches(looks, drawing):
                assert read(PanelFrame.parse(drawing)) == {sign.name}


@pytest.mark.parametrize("sign", BOX_SIGNS, ids=lambda sign: sign.name)
def test_the_box_itself_lights_all_four_suits(sign: Any) -> None:
    assert len(set(sign.drawings[0].split()[1])) == 1
    assert "." not in sign.drawings[0].split()[1]
