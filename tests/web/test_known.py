"""Whatever a reader is shown follows from what it may know: games that differ in nothing else give the same bytes."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
from starlette.responses import Response

from companion.games.game import Over
from companion.kits import KITS
from companion.outputs.panel_frame import frame_of
from companion.table.hosts import HOSTS
from companion.table.knowledge import public_notation
from companion.table.sight import Seen, Sight
from companion.web.api import ENDPOINTS
from companion.web.call import Call
from companion.web.desk import Refused
from companion.web.eyes.recognised import sides
from companion.web.page_memory import Device
from companion.web.page_service import catalogue
from companion.web.routes import Endpoint
from hardware.button_signals import LongPress, Press
from hardware.flourishes import ACCEPTED
from hardware.panel import Button
from tests.patience import PATIENCE
from tests.web.lookalikes import Told, World, lookalikes, random_game, rests

T = TypeVar("T")

PHONE = Device("0" * 32, "phone", "")
# What is asked of the running game by somebody without a seat.
OF_THE_GAME = [
    "/state", "/log", "/moves/{at:int}", "/rules", "/seen", "/seen/cards", "/settings", "/seat", "/table", "/words",
    "/help", "/cards/{card}",
]  # fmt: skip
# What knows nothing of the running game: the machine, the page's own texts, decks, printing, the door.
OF_THE_BOX = [
    "/pairing", "/health", "/prints", "/prints/{what}/{paper}", "/seats/{seat:int}/code", "/decks",
    "/decks/{deck}", "/decks/{deck}/look", "/decks/{deck}/cards/{card}", "/calibration", "/openapi.json",
    "/art/{mark}/{width:int}", "/box", "/network",
]  # fmt: skip
# Finished games alone; that a running one isn't there has its own test.
OF_THE_RECORD = [
    "/games", "/games/before/{id:int}", "/games/found/{game}/{result}/{before:int}", "/games/{id:int}/table",
    "/games/{id:int}", "/games/{id:int}/steps/{at:int}", "/games/{id:int}/export", "/statistics", "/backup",
]  # fmt: skip
# What lies on the simulated table is compared before anybody photographs it.
OF_THE_TABLE = ["/simulation", "/simulation/faces/{number:int}", "/picture", "/picture/flat"]
GAMES_EACH = 6
# The first games are those in which the box knows most; the rest have any options.
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "silentes": [{"drawing": "phone"}] * 4,
    "similo": [{"driver": "table", "secret_mode": "sealed"}, {"driver": "sim"}],
    "silencio": [{"driver": "sim", "players": 3}] * 2,
    "cisza": [{"driver": "sim", "players": 3}] * 2,
}


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, World]:
    made: list[World] = []
    for name in ("one", "other"):
        folder: Path = tmp_path_factory.mktemp(name)
        made.append(World(folder))
    # Both have the same settings file, so that its path is the same.
    made[1].service.settings_file = made[0].service.settings_file
    # And the same pictures, drawn once.
    made[1].service.gallery = made[0].service.gallery
    return made[0], made[1]


async def answer(world: World, endpoint: Endpoint, **path: Any) -> bytes:
    """What an endpoint answers to a phone without a seat."""
    service = world.service
    call = Call(service, PHONE, "en", "10.0.0.9", path, {}, {"host": "hush.local"})
    try:
        said = await endpoint.act(call)
    except Refused as refused:
        return f"{refused.status} {refused.code} {refused.reason}".encode()
    return bytes(said.body) if isinstance(said, Response) else msgspec.json.encode(said)


async def answers(world: World) -> dict[str, bytes]:
    """All that can be asked about the running game."""
    play = world.history
    # Whether cards are drawn already depends on the machine, not on the game.
    world.service.gallery.read(play.game.name, play.state.options)
    world.service.tryout = None  # making its table takes seconds; its scene is compared by itself
    found: dict[str, bytes] = {}
    for endpoint in ENDPOINTS:
        if endpoint.method == "GET" and endpoint.path in OF_THE_GAME:
            # Early moves, late ones, and one that isn't there.
            ats = {1, 2, *range(play.number - 3, play.number + 2)} if "{at" in endpoint.path else {0}
            ats = {*range(8)} if "{card" in endpoint.path else ats
            cards = sides(play.game.name, play.state.options)
            for at in sorted(ats):
                card, _ = cards[(play.number + 11 * at) % len(cards)]
                found[f"{endpoint.path} {at}"] = await answer(world, endpoint, at=at, card=card)
    return found


def streamed(world: World) -> list[bytes]:
    """Everything that is sent to an open page, by its kind."""
    service = world.service
    listener = service.hub.join("pl", PHONE.id)
    service.greet(listener, "")
    service.flourish(world.box.shown, ACCEPTED)
    service.hub.send(listener, service.seen_event("nl"))
    service.hub.leave(listener)
    return [message.payload for message in listener.waiting]


def on_show(world: World) -> tuple[Any, ...]:
    """Panel, words, and when the box wakes next."""
    box = world.box
    shown = box.shown
    lights = str(frame_of(shown, is_public=True))
    return (lights, shown.offered, shown.question, shown.remark, box.due, shown.is_private, tuple(world.said))


def pressed(world: World, rng: random.Random) -> Iterator[tuple[Any, ...]]:
    """A walk through options and menu with the real buttons, without making a move."""
    box = world.box
    box.on_signal(LongPress(Button.CONFIRM))
    yield on_show(world)
    for _ in range(8):
        box.on_signal(Press(rng.choice([Button.LEFT, Button.RIGHT])))
        yield on_show(world)
        if box.shown.chooser is not None and box.shown.chooser.chosen.branches and rng.random() < 0.5:
            world.now += 1
            box.on_signal(Press(Button.CONFIRM))
            yield on_show(world)
    box.on_signal(LongPress(Button.BACK))
    yield on_show(world)
    box.on_signal(Press(Button.BACK))
    yield on_show(world)


def looked(world: World, rng: random.Random) -> Iterator[tuple[Any, ...]]:
    """Cards that somebody lays on the table, wherever they like."""
    box = world.box
    game = world.history.game.name
    zones = [zone.name for zone in KITS[game].layout.zone]
    cards = [one.card for one in world.service.recognised.every_card(str)]
    for count in (1, 2, 12):
        laid = tuple(Seen(rng.choice(cards), rng.choice(zones), x=40.0 * at, y=90.0) for at in range(count))
        box.on_sight(Sight(laid))
        yield on_show(world)
    box.on_sight(Sight(strangers=(Seen("", rng.choice(zones), x=300.0, y=50.0),)))
    yield on_show(world)


def run_apart(work: Coroutine[Any, Any, T]) -> T:
    """A coroutine run to its end in a thread of its own: beside a browser, this thread's loop is Playwright's."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, work).result(PATIENCE)


def shared(world: World, name: str, one: Told, seed: str) -> dict[str, Any]:
    """Everything that somebody without a seat can get to see, in one state of a game."""
    world.now = 100.0
    tryout = world.service.tryout
    world.lay(name, one)
    game = HOSTS[name].game
    found: dict[str, Any] = dict(run_apart(answers(world)))
    world.service.tryout = tryout
    assert tryout is not None
    found["scene"] = tryout._from_state()
    found["stream"] = streamed(world)
    found["log of the service"] = [public_notation(game, one.states[at], move) for at, move in enumerate(one.moves)]
    found["on show"] = on_show(world)
    found["pressed"] = list(pressed(world, random.Random(seed)))
    found["looked"] = list(looked(world, random.Random(seed)))
    found["panel"] = list(world.panel.shown)
    return found


def generated(name: str, seed: int) -> Told:
    rng = random.Random(f"{name} {seed}")
    chosen = OPTIONS.get(name, [])
    return random_game(HOSTS[name], rng, 400, **(chosen[seed] if seed < len(chosen) else {}))


@pytest.mark.parametrize("name", HOSTS)
def test_what_everybody_sees_follows_from_what_everybody_may_know(name: str, worlds: tuple[World, World]) -> None:
    host = HOSTS[name]
    asks: Counter[str] = Counter()
    for seed in range(GAMES_EACH):
        rng = random.Random(f"{name} lookalikes {seed}")
        for number, (one, other) in enumerate(lookalikes(host, generated(name, seed), None, rng, tries=3)):
            assert host.game.view(one.states[-1], None) == host.game.view(other.states[-1], None)
            step = host.game.pending(one.states[-1])
            asks[step.reason if isinstance(step, Over) else step.ask] += 1
            (mine, yours) = (
                shared(world, name, game, f"{seed} {number}") for world, game in zip(worlds, (one, other), strict=True)
            )
            assert list(mine) == list(yours)
            for what, said in mine.items():
                assert said == yours[what], f"{name}, {what}: {one.states[-1]} or {other.states[-1]}"
    assert sum(asks.values()) >= 30, asks
    assert len(asks) >= 4, asks


@pytest.mark.parametrize("name", HOSTS)
def test_what_a_seat_sees_follows_from_what_it_may_know(name: str, worlds: tuple[World, World]) -> None:
    host = HOSTS[name]
    pairs = 0
    for seed in range(GAMES_EACH):
        rng = random.Random(f"{name} seats {seed}")
        game = generated(name, seed)
        seat = rng.randrange(game.start.options.players)
        for one, other in lookalikes(host, game, seat, rng, tries=3):
            said = []
            for world, whole in zip(worlds, (one, other), strict=True):
                world.lay(name, whole)
                said.append(msgspec.json.encode(world.service.desk.private(seat, catalogue("es").say, 1)))
            assert said[0] == said[1]
            pairs += 1
    assert pairs >= 20


def test_every_answer_is_asked_for_or_known_to_be_about_something_else() -> None:
    """Whoever adds an endpoint must say what it knows of the game."""
    reading = {one.path for one in ENDPOINTS if one.method == "GET"}
    assert reading == {*OF_THE_GAME, *OF_THE_BOX, *OF_THE_RECORD, *OF_THE_TABLE, "/events"}


def test_that_its_private_never_depends_on_the_hand(worlds: tuple[World, World]) -> None:
    """Silentes for phones: whose page decides is the same for every hand, in all phases."""
    host = HOSTS["silentes"]
    privates: dict[str, set[bool]] = {}
    for seed in range(20):
        game = random_game(host, random.Random(seed), 120, drawing="phone")
        for end in range(0, len(game.moves), 5):
            step = host.game.pending(game.states[end])
            if rests(host, game.states[end]) and not isinstance(step, Over):
                worlds[0].lay("silentes", Told(game.start, game.moves[:end], game.states[: end + 1]))
                privates.setdefault(step.ask, set()).add(worlds[0].service.desk.shared(str, 1).is_private)
    assert len(privates) > 5
    assert all(len(ways) == 1 for ways in privates.values()), privates
    assert privates["action"] == privates["hide"] == {True}
