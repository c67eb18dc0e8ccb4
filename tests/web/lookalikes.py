"""Two games that differ only in what a reader may not know, and two boxes that play them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.chance import reveal
from companion.games.game import Event, Game, IllegalMove, Move, Over, Reveal
from companion.outputs.page import PageOutput
from companion.outputs.panel import PanelOutput
from companion.outputs.sound import SoundOutput
from companion.play import History, Play
from companion.session.lesson_memory import LessonMemory
from companion.session.loop import Runner
from companion.session.session import Session
from companion.settings.sections import WebSettings
from companion.table.host import Host
from companion.table.hosts import HOSTS
from companion.web.page_service import PageService
from companion.web.settings_file import SettingsFile
from hardware.panel import ALL_PARTS, Listener, Panel, PanelFrame, Parts
from sounds.box import SoundBox, SoundSettings
from sounds.guard import SilenceGuard
from tests.games.generated import any_move, any_options

Reader = int | None
Noticed = tuple[Any, tuple[Event, ...]]


class Told(Struct, frozen=True):
    """A game as it went."""

    start: Any
    moves: tuple[Move, ...]
    states: tuple[Any, ...]


def noticed(game: Game[Any], before: Any, move: Move, reader: Reader) -> Noticed:
    """What a reader has of a move; the rules alone say, not the code that is tested."""
    after, events = game.apply(before, move)
    return game.view(after, reader), tuple(event.heard_by(reader) for event in events)


def follow(game: Game[Any], state: Any, moves: tuple[Move, ...], wanted: list[Noticed], reader: Reader) -> list[Move]:
    """Moves that look the same to a reader; fewer where no such move is possible."""
    made: list[Move] = []
    for move, want in zip(moves, wanted, strict=True):
        others = (other for other in game.legal(state) if other != move)
        for one in (move, *others):
            try:
                if noticed(game, state, one, reader) == want:
                    state, _ = game.apply(state, one)
                    made.append(one)
                    break
            except IllegalMove:
                continue
        else:
            return made
    return made


def played(game: Game[Any], start: Any, moves: list[Move]) -> Told:
    states = [start]
    for move in moves:
        states.append(game.apply(states[-1], move)[0])
    return Told(start, tuple(moves), tuple(states))


def rests(host: Host[Any], state: Any) -> bool:
    """Whether the box waits for somebody here."""
    step = host.game.pending(state)
    if isinstance(step, Over):
        return True
    return host.forced_move(state) is None and not (isinstance(step, Reveal) and host.draws(state))


def random_game(host: Host[Any], rng: random.Random, most: int, **chosen: Any) -> Told:
    """A game with any options; what the box would do by itself it does."""
    game = host.game
    options = game.options(**chosen) if chosen else any_options(game, rng)
    states, moves = [game.new(options)], []
    for _ in range(most):
        step = game.pending(states[-1])
        if isinstance(step, Over):
            break
        move = host.forced_move(states[-1])
        if move is None:
            move = reveal(game, states[-1], rng) if isinstance(step, Reveal) else any_move(game, states[-1], rng)
        moves.append(move)
        states.append(game.apply(states[-1], move)[0])
    return Told(states[0], tuple(moves), tuple(states))


def lookalikes(
    host: Host[Any], told: Told, reader: Reader, rng: random.Random, tries: int
) -> Iterator[tuple[Told, Told]]:
    """Pairs that look alike to a reader all the way, but aren't; each ends where both boxes wait for somebody."""
    game = host.game
    wanted = [noticed(game, told.states[at], move, reader) for at, move in enumerate(told.moves)]
    veiled = [at for at, move in enumerate(told.moves) if others(game, told.states[at], move, wanted[at], reader)]
    for _ in range(tries if veiled else 0):
        at = rng.choice(veiled)
        other = rng.choice(others(game, told.states[at], told.moves[at], wanted[at], reader))
        state, _ = game.apply(told.states[at], other)
        later = follow(game, state, told.moves[at + 1 :], wanted[at + 1 :], reader)
        whole = played(game, told.start, [*told.moves[:at], other, *later])
        ends = [
            end
            for end in range(at + 1, len(whole.moves) + 1)
            if told.states[end] != whole.states[end]
            and rests(host, told.states[end])
            and rests(host, whole.states[end])
        ]
        for end in rng.sample(ends, min(len(ends), 4)):
            yield cut(told, end), cut(whole, end)


def others(game: Game[Any], state: Any, move: Move, wanted: Noticed, reader: Reader) -> list[Move]:
    """Other moves that would look the same."""
    return [one for one in game.legal(state) if one != move and noticed(game, state, one, reader) == wanted]


def cut(told: Told, end: int) -> Told:
    return Told(told.start, told.moves[:end], told.states[: end + 1])


class StillPanel(Panel):
    """A panel that only remembers."""

    def __init__(self) -> None:
        self.parts: Parts = ALL_PARTS
        self.shown: list[str] = []

    def show(self, frame: PanelFrame) -> None:
        self.shown.append(str(frame))

    def flourish(self, flourish: Any) -> None:
        self.shown.append(flourish.name)

    def listen(self, listener: Listener) -> None:
        """Nobody presses it."""

    def close(self) -> None:
        """Nothing is open."""


class Unhurried(PageService):
    """A service without a loop: it hears of everything at once."""

    def drawn(self) -> None:
        self._is_stale = True


class World:
    """A box with its page, without sockets, loop or time of its own."""

    def __init__(self, folder: Path):
        self.now = 100.0
        self.said: list[str] = []
        self.panel = StillPanel()
        sound = SoundBox(SilenceGuard(), SoundSettings(backend="silent", speech=False), folder / "speech")
        self.box = Session(HOSTS, None, lambda: self.now, random.Random(1))
        for output in (PanelOutput(self.panel), SoundOutput(sound)):
            output.attach(self.box.bus)
        sound.say = self.said.append  # type: ignore[method-assign, assignment]
        self.runner = Runner(self.box, self.panel)
        self.service = Unhurried(
            self.box, self.runner, self.panel, WebSettings(), folder, is_simulated=True,
            settings_file=SettingsFile(environment={"HUSH_CONFIG": str(folder / "hush.toml")}),
        )  # fmt: skip
        self.service.hub.moment = 1
        owner = self.service.owner
        owner.call_in_page = lambda act, *args: act(*args)  # type: ignore[method-assign]
        owner._on_showing, owner._play = self.service.on_showing, self.service.flourish
        PageOutput(owner.changed, owner.flourished).attach(self.box.bus)

    @property
    def history(self) -> History:
        running = self.box.shown.running
        assert running is not None
        return running.history

    def lay(self, name: str, told: Told) -> None:
        """The box is at the end of this game, as if it had been there all the time."""
        self.service.hub.moment, self.service._last, self.service._is_stale = 1, None, True
        self.service._encoded.clear()
        self.service._events.clear()
        self.panel.shown.clear()
        self.said.clear()
        box = self.box
        box._teaching._groups = LessonMemory()  # a group that plays for the first time
        box.on_knock(None)
        box.start_at(name, told.states[-1])
        game = box._game
        game.play = Play(box.hosts[name].game, told.start)
        for move in told.moves:
            game.play.do(move)
        game._after_moves(())
        assert self.history.number == len(told.moves)
        self.panel.shown.clear()
