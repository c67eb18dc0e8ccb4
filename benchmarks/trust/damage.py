"""Records with damage in them, and whether the box comes up on each."""

from __future__ import annotations

import random
import shutil
import signal
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from msgspec import Struct
from rich.table import Table

from companion.bots.policy import at_random
from companion.bots.simulator import decide
from companion.games import GAMES
from companion.journal import Journal
from companion.journal.journal import result_of
from companion.play import Play
from companion.session.recorder import Recorder
from tests.patience import eventually
from tests.service.boxed import Boxed

GAMES_A_KIND = 6
DATABASE_PAGE = 4096


class Start(Struct, frozen=True):
    """How a box came up: on which record, with how many whole games, and what went wrong."""

    kind: str
    way: str
    whole: int
    trouble: str = ""


def make_record(path: Path) -> int:
    """A record of finished games and one that runs; returns how many there are."""
    journal = Journal(path)
    rng = random.Random(5)
    for name, game in list(GAMES.items()) * GAMES_A_KIND:
        play = Play(game, game.new(game.options()))
        recorder = Recorder(journal, play)
        for _ in range(60 if name == "silencio" else 10_000):
            if play.is_over:
                break
            play.do(decide(game, play.state, at_random, rng))
        if play.is_over:
            journal.finish(recorder.game or 0, result_of(play))
    count = len(journal.games())
    journal.close()
    return count


def damage(path: Path, kind: str, rng: random.Random) -> None:
    """Do to a file what bad cards do."""
    content = bytearray(path.read_bytes())
    if kind == "flipped bits":
        for _ in range(rng.randint(1, 24)):
            content[rng.randrange(100, len(content))] ^= 1 << rng.randrange(8)
    elif kind == "a page of zeros":
        at = rng.randrange(len(content) // DATABASE_PAGE) * DATABASE_PAGE
        content[at : at + DATABASE_PAGE] = bytes(DATABASE_PAGE)
    elif kind == "a page of noise":
        at = rng.randrange(len(content) // DATABASE_PAGE) * DATABASE_PAGE
        content[at : at + DATABASE_PAGE] = rng.randbytes(DATABASE_PAGE)
    elif kind == "cut short":
        del content[rng.randrange(len(content)) :]
    elif kind == "a page in another's place":
        here, there = (rng.randrange(len(content) // DATABASE_PAGE) * DATABASE_PAGE for _ in range(2))
        content[here : here + DATABASE_PAGE] = content[there : there + DATABASE_PAGE]
    elif kind == "strange steps beside it":
        path.with_name("hush.db-wal").write_bytes(rng.randbytes(rng.randint(1, 20_000)))
    path.write_bytes(bytes(content))


KINDS = (
    "flipped bits", "a page of zeros", "a page of noise", "cut short", "a page in another's place",
    "strange steps beside it",
)  # fmt: skip


def start(kind: str, record: Path, rng: random.Random) -> Start:
    """Start the real process on a damaged record; it must come up, begin a game, and end when it's told to."""
    with tempfile.TemporaryDirectory() as place:
        state = Path(place) / "state"
        state.mkdir()
        shutil.copy(record, state / "hush.db")
        damage(state / "hush.db", kind, rng)
        try:
            box = Boxed(Path(place), state)
        except AssertionError as error:
            return Start(kind, "didn't come up", 0, str(error)[:200])
        try:
            eventually(box.lit)  # lamps blink: dark now says nothing
            box.process.send_signal(signal.SIGTERM)
            _, said = box.process.communicate(timeout=60)
        finally:
            box.close()
        trouble = ""
        if "Traceback" in said and "can't be resumed" not in said:
            trouble = said[-200:]
        if box.process.returncode != 0:
            trouble = f"exit {box.process.returncode}"
        way = "set aside" if list(state.glob("hush.db.broken-*")) else "opened"
        journal = Journal(state / "hush.db")
        whole = sum(is_whole(journal, entry.id) for entry in journal.games())
        journal.close()
        return Start(kind, way, whole, trouble)


def is_whole(journal: Journal, game: int) -> bool:
    """Whether a game can be played again."""
    try:
        journal.replay(game)
    except Exception:
        return False
    return True


def damaged_starts(count: int, rng: random.Random) -> Table:
    """So many starts, and what came out, by kind of damage."""
    table = Table("damage", "starts", "came up", "opened", "set aside", "whole games left, of all", "trouble")
    found: dict[str, list[Start]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "hush.db"
        games = make_record(record)
        for number in range(count):
            kind = KINDS[number % len(KINDS)]
            found[kind].append(start(kind, record, rng))
    for kind, starts in found.items():
        ways = Counter(one.way for one in starts)
        trouble = [one.trouble for one in starts if one.trouble]
        up = len(starts) - ways["didn't come up"]
        whole = sorted(one.whole for one in starts)
        spread = f"{whole[0]} to {whole[-1]}, median {whole[len(whole) // 2]}, of {games}"
        row = (len(starts), up, ways["opened"], ways["set aside"], spread, "\n".join(trouble[:3]) or "none")
        table.add_row(kind, *map(str, row))
    return table
