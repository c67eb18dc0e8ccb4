"""The engine protocol: the rules for other programs, one JSON object a line in, one out.

Every request gets exactly one answer, `{"ok": true, …}` or `{"ok": false, "code": …, "reason": …}`, and no request
ends the process. The protocol is described in docs/engine-protocol.md.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import Any

import msgspec

from companion.bots.nature import Nature
from companion.games import GAMES
from companion.games.game import BadOptions, Event, Game, IllegalMove, Move, Reveal, option_table
from companion.games.notation import read_move, read_state, write_move, write_state
from companion.kits import NAMES, game_called
from companion.play import NothingToUndo, Play
from companion.text import N_, Text, raw

PERFT_LIMIT = 20_000_000
"""How many sequences perft counts at most."""
PERFT_POSITIONS = 1_000_000
"""How many positions perft visits at most for that, whatever the depth: about ten seconds on a laptop."""

INTERNAL = N_("The engine failed at this; nothing has changed, and the log says where: {error}")

log = logging.getLogger(__name__)
Answer = dict[str, Any]


class BadRequest(Exception):
    """A request that makes no sense: broken, unknown, incomplete or out of turn."""

    def __init__(self, code: str, reason: Text):
        super().__init__(code, reason)
        self.code = code
        self.reason = reason


class Engine:
    """One game at a time, driven by requests.

    >>> engine = Engine()
    >>> engine.answer('{"cmd": "new", "game": "silencio", "players": 2, "seed": 7}')["pending"]
    {'type': 'decide', 'ask': 'start', 'seat': None}
    >>> engine.answer("{nonsense")["code"]
    'bad_json'
    """

    def __init__(self) -> None:
        self._play: Play | None = None
        self._nature: Nature | None = None
        self.commands: dict[str, Callable[[dict[str, Any]], Answer]] = {
            "games": self.games,
            "options": self.options,
            "new": self.new,
            "set": self.set,
            "state": self.state,
            "pending": self.pending,
            "moves": self.moves,
            "do": self.do,
            "undo": self.undo,
            "redo": self.redo,
            "view": self.view,
            "perft": self.perft,
        }

    def answer(self, line: str | bytes) -> Answer:
        """The answer to one line; an error object for anything that can't be done."""
        before = self._nature, self._play
        try:
            # Whoever asked for what can't be done goes on from where the game was.
            with nullcontext() if self._play is None else self._play.together():
                return {"ok": True, **self._answer(line)}
        except Exception as error:
            self._nature, self._play = before
            return refused(error)

    def _answer(self, line: str | bytes) -> Answer:
        try:
            request = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise BadRequest("bad_json", raw(error)) from None
        except RecursionError:
            raise BadRequest("bad_json", Text(N_("The request is nested too deeply."))) from None
        if not isinstance(request, dict) or not isinstance(request.get("cmd"), str):
            raise BadRequest("bad_request", Text(N_('A request is an object with "cmd".')))
        command = self.commands.get(request["cmd"])
        if command is None:
            raise BadRequest(
                "unknown_command",
                Text(
                    N_("There is no command {cmd}. There are: {known}."),
                    {"cmd": request["cmd"], "known": ", ".join(self.commands)},
                ),
            )
        return command(request)

    def games(self, request: dict[str, Any]) -> Answer:
        """The games there are."""
        return {"games": list(NAMES)}

    def options(self, request: dict[str, Any]) -> Answer:
        """A game's options with default, allowed values, ruling and description."""
        game = self._game(request)
        return {
            "options": [
                {
                    "name": option.name,
                    "default": option.default,
                    "allowed": list(option.allowed),
                    "ruling": option.ruling,
                    "text": str(option.text),
                }
                for option in option_table(game.options_type)
            ]
        }

    def new(self, request: dict[str, Any]) -> Answer:
        """Start a game. With a seed nature plays by itself; without, every reveal waits for a move."""
        game = self._game(request)
        chosen = _field(request, "options", dict, {})
        if "players" in request:
            chosen = {**chosen, "players": request["players"]}
        start = game.new(game.options(**{str(name): value for name, value in chosen.items()}))
        return self._begin(game, start, request)

    def set(self, request: dict[str, Any]) -> Answer:
        """Load a state written in the documented form."""
        line = _field(request, "state", str)
        name = line.split(maxsplit=1)[0] if line.split() else ""
        game = self._game({"game": name})
        return self._begin(game, read_state(game, line), request)

    def _begin(self, game: Game[Any], start: Any, request: dict[str, Any]) -> Answer:
        seed = _field(request, "seed", int, None)
        play = Play(game, start)
        nature = None if seed is None else Nature(seed)
        made = nature.play_on(play) if nature else []
        self._play, self._nature = play, nature
        return {**self._situation(), **self._happened(made)}

    def state(self, request: dict[str, Any]) -> Answer:
        """The state in notation, and the moves that led to it."""
        play = self._playing()
        return {**self._situation(), "history": list(play.notation)}

    def pending(self, request: dict[str, Any]) -> Answer:
        """Whose move it is and what is asked."""
        play = self._playing()
        return {"pending": msgspec.to_builtins(play.pending), "question": str(play.game.question(play.state))}

    def moves(self, request: dict[str, Any]) -> Answer:
        """Every legal move, in notation."""
        play = self._playing()
        return {"moves": [write_move(move) for move in play.game.legal(play.state)]}

    def do(self, request: dict[str, Any]) -> Answer:
        """Make a move; with a seed, nature's moves follow."""
        play = self._playing()
        text = _field(request, "move", str)
        number = _field(request, "number", int, play.number)
        if number != play.number:
            raise BadRequest(
                "stale_state",
                Text(
                    N_("The move was meant for state {meant}; the game is at {now}."),
                    {"meant": number, "now": play.number},
                ),
            )
        try:
            move = read_move(play.game, text)
        except IllegalMove as error:
            error.legal = tuple(play.game.legal(play.state))
            raise
        events = play.do(move)
        made = self._nature.play_on(play) if self._nature else []
        return {**self._situation(), **self._happened([(play.notation[-1 - len(made)], events), *made])}

    def undo(self, request: dict[str, Any]) -> Answer:
        """Take back the last move; with a seed, the last decision and what nature did after it."""
        play = self._playing()
        with play.together():
            undone = list(play.undo())
            # A game that begins with nature's moves starts at its first decision.
            while self._nature and isinstance(play.pending, Reveal):
                undone += play.undo()
        return {**self._situation(), "undone": undone}

    def redo(self, request: dict[str, Any]) -> Answer:
        """Repeat what was taken back last."""
        play = self._playing()
        redone = list(play.redo())
        while self._nature and play.undone and isinstance(play.pending, Reveal):
            redone += play.redo()
        return {**self._situation(), "redone": redone}

    def view(self, request: dict[str, Any]) -> Answer:
        """The state as a seat may see it; null is the shared page."""
        play = self._playing()
        seat = _field(request, "seat", int, None)
        if seat is not None and not 0 <= seat < play.state.options.players:
            raise BadRequest("no_such_seat", Text(N_("There is no seat {seat}."), {"seat": seat}))
        return {"state": write_state(play.game, play.game.view(play.state, seat))}

    def perft(self, request: dict[str, Any]) -> Answer:
        """How many sequences of so many moves there are from here, nature's included."""
        play = self._playing()
        depth = _field(request, "depth", int)
        if depth < 0:
            raise BadRequest("bad_request", Text(N_("A depth is a number from 0.")))
        return {"nodes": perft(play.game, play.state, depth)}

    def _game(self, request: dict[str, Any]) -> Game[Any]:
        name = game_called(_field(request, "game", str))
        if name not in GAMES:
            raise BadRequest(
                "unknown_game",
                Text(N_("There is no game {game}. There are: {known}."), {"game": name, "known": ", ".join(NAMES)}),
            )
        return GAMES[name]

    def _playing(self) -> Play:
        if self._play is None:
            raise BadRequest("no_game", Text(N_("No game has been started: use new or set.")))
        return self._play

    def _situation(self) -> Answer:
        play = self._playing()
        return {
            "number": play.number,
            "state": write_state(play.game, play.state),
            "pending": msgspec.to_builtins(play.pending),
            "question": str(play.game.question(play.state)),
        }

    def _happened(self, made: list[tuple[str, tuple[Event, ...]]]) -> Answer:
        game = self._playing().game
        return {
            "done": [text for text, _ in made],
            "events": [
                {**msgspec.to_builtins(event), "text": str(game.tell(event))} for _, events in made for event in events
            ],
        }


def perft(game: Game[Any], state: Any, depth: int) -> int:
    """Count the move sequences of a length; a game that ends earlier counts once.

    >>> game = GAMES["silencio"]
    >>> perft(game, game.new(game.options(players=2, driver="table")), 2)
    756
    """
    if depth == 0:
        return 1
    total, visited = 0, 0
    # One entry for each move on the way here: the positions that are still to be visited beside it.
    ahead: list[Iterator[Any]] = [iter((state,))]
    while ahead:
        here = next(ahead[-1], None)
        if here is None:
            ahead.pop()
            continue
        visited += 1
        moves = game.legal(here)
        if len(ahead) < depth and moves:
            ahead.append(after(game, here, moves))
        else:
            total += len(moves) or 1
        if total > PERFT_LIMIT or visited > PERFT_POSITIONS:
            limit = PERFT_LIMIT if total > PERFT_LIMIT else PERFT_POSITIONS
            raise BadRequest(
                "too_many", Text(N_("More than {limit} positions: take a smaller depth."), {"limit": limit})
            )
    return total


def after(game: Game[Any], state: Any, moves: Iterable[Move]) -> Iterator[Any]:
    """The states that each of some moves leads to."""
    return (game.apply(state, move)[0] for move in moves)


def serve(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Answer every line that isn't empty."""
    engine = Engine()
    for line in lines:
        if line.strip():
            answer = engine.answer(line)
            try:
                yield msgspec.json.encode(answer) + b"\n"
            except (UnicodeError, TypeError, ValueError, msgspec.EncodeError) as error:
                yield msgspec.json.encode(refused(error)) + b"\n"


def refused(error: Exception) -> Answer:
    """The answer to a request that can't be met. Where the engine itself failed, the log gets the traceback."""
    match error:
        case IllegalMove():
            legal = [write_move(move) for move in error.legal]
            return {"ok": False, "code": error.code, "reason": str(error.reason), "legal": legal}
        case BadRequest() | BadOptions():
            code, reason = error.code, error.reason
        case NothingToUndo():
            code, reason = "nothing_to_undo", Text(N_("There is no move to undo or redo."))
        case _:
            log.error("engine: %s: %s", type(error).__name__, error, exc_info=error)
            code, reason = "internal", Text(INTERNAL, {"error": type(error).__name__})
    return {"ok": False, "code": code, "reason": str(reason)}


def _field(request: dict[str, Any], name: str, kind: type, *default: Any) -> Any:
    """A field of a request, checked; without a default it must be there."""
    value = request.get(name, *default) if default else request.get(name)
    if value is None and default and default[0] is None:
        return None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadRequest(
            "bad_request",
            Text(
                N_("{cmd} needs “{name}” as {kind}."),
                {"cmd": request.get("cmd", "?"), "name": name, "kind": kind.__name__},
            ),
        )
    return value
