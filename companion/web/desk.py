"""Everything the page may see of the box and do to it. Only the box's owner calls these, one at a time."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from companion.games.game import Decide, IllegalMove, Over, Reveal, option_table
from companion.games.text import N_, Text
from companion.play import Play
from companion.settings.every import NOT_FOR_PEOPLE
from companion.table.box import Box
from companion.table.host import Host
from companion.table.knowledge import NOT_YOURS
from companion.web.choices import options
from companion.web.pictures import picture
from companion.web.pictures.model import Say
from companion.web.records import LogLine, OpenGame, OptionRow, Options, Private, Rules, Shared
from companion.web.story import Story
from hardware.hands import LongPress, Press
from hardware.page import frame_as_json
from hardware.panel import Button

LOG_LINES = 40


class Refused(Exception):
    """The page asked for something that can't be done; `status` is HTTP's."""

    def __init__(self, status: int, code: str, reason: Text, retry_after: int | None = None):
        super().__init__(code)
        self.status = status
        self.code = code
        self.reason = reason
        self.retry_after = retry_after


STALE = Text(N_("The game has gone on since: look again."))
NO_SUCH_GAME = Text(N_("There is no such game to go on with."))
NO_GAME = Text(N_("No game runs."))
NOT_OPEN = Text(N_("This move can't be corrected: it or a later one hides something, or the box itself drew it."))


class Seat(Struct, frozen=True):
    """A seat of the running game that a phone has claimed."""

    game: int
    seat: int


class Desk:
    """The box as the page knows it."""

    def __init__(
        self,
        box: Box,
        games: dict[str, dict[str, Any]] | None = None,
        is_simulated: bool = False,
        has_picture: bool = False,
    ):
        self.box = box
        self.is_simulated = is_simulated
        self.has_picture = has_picture
        self.games = games or {}
        self._story = Story()

    def playing(self) -> tuple[Play, Host[Any]]:
        """The running game. Raises `Refused` where there is none."""
        if self.box.play is None or self.box.host is None:
            raise Refused(409, "no_game", NO_GAME)
        return self.box.play, self.box.host

    @property
    def game_id(self) -> int | None:
        """The running game's number in the record."""
        return None if self.box.recorder is None else self.box.recorder.game

    # What is seen

    def shared(self, say: Say, moment: int, taken: tuple[int, ...] = (), notices: tuple[Text, ...] = ()) -> Shared:
        """What everybody may see."""
        box = self.box
        panel = msgspec.Raw(frame_as_json(box.open_frame, box.panel.parts))
        faults = tuple(sorted(box.faults))
        visitor = "" if box.visitor is None else say(box.visitor.text)
        if box.play is None or box.host is None:
            return Shared(
                moment, 0, say(box.question), panel, is_menu=True, faults=faults,
                unfinished=self.unfinished(say),
                offered=say(box.offered) if box.offered is not None else "", visitor=visitor,
            )  # fmt: skip
        play, host = box.play, box.host
        state, step = box.public, play.pending
        hidden = box.is_private
        offered = None if hidden and not box.is_menu else box.offered
        return Shared(
            moment=moment,
            number=play.number,
            question=say(host.game.question(state)),
            panel=panel,
            game=host.game.name,
            title=host.game.name.capitalize(),
            game_id=self.game_id,
            players=state.options.players,
            seat=None if isinstance(step, Over) else step.seat,
            is_menu=box.is_menu,
            is_over=play.is_over,
            has_won=isinstance(step, Over) and bool(step.winners),
            is_private=hidden,
            complaint=say(box.remark) if box.remark is not None else "",
            offered=say(offered) if offered is not None else "",
            picture=picture(host.game, state, say),
            options=Options() if hidden or play.is_over else options(host, state, say),
            log=self.log(say)[-LOG_LINES:],
            can_undo=play.number > 0,
            can_redo=bool(play.undone),
            seats_taken=taken,
            visitor=visitor,
            notices=tuple(say(one) for one in notices),
            faults=faults,
            is_simulated=self.is_simulated,
            has_picture=self.has_picture,
        )

    def log(self, say: Say) -> tuple[LogLine, ...]:
        """The running game in plain language."""
        if self.box.play is None or self.box.host is None:
            return ()
        play, host = self.playing()
        since = self._story.open_since(play, host)
        return tuple(
            LogLine(number, tuple(say(text) for text in one.told), number >= since and not one.is_drawn)
            for number, one in enumerate(self._story.of(play, host), start=1)
        )

    def private(self, seat: int, say: Say, moment: int) -> Private:
        """What one seat may see."""
        play, host = self.playing()
        view = host.game.view(play.state, seat)
        step = host.game.pending(view)
        is_turn = isinstance(step, Decide | Reveal) and step.seat == seat
        # What a seat can do follows from what it sees; the box itself knows no more that may be shown.
        shown = options(host, view, say) if is_turn and self.box.is_private else Options()
        return Private(
            moment, play.number, seat, say(host.game.question(view)), is_turn, picture(host.game, view, say), shown
        )

    def rules(self, say: Say) -> tuple[Rules, ...]:
        """Every game with its options."""
        return tuple(
            Rules(
                name,
                name.capitalize(),
                tuple(
                    OptionRow(
                        option.name,
                        say(option.text),
                        option.ruling,
                        self.games.get(name, {}).get(option.name, option.default),
                        option.allowed,
                    )
                    for option in option_table(host.game.options_type)
                    if option.name not in NOT_FOR_PEOPLE
                ),
            )
            for name, host in self.box.hosts.items()
        )

    def alternatives(self, at: int, say: Say) -> Options:
        """What else could have been done at an earlier move."""
        play, host = self.playing()
        self._open_to_all(at)
        return options(host, host.game.view(play.state_at(at - 1), None), say)

    def _open_to_all(self, at: int) -> None:
        """An earlier move can be looked up and corrected only where everybody may know it and all that came later."""
        play, host = self.playing()
        if not 1 <= at <= play.number:
            raise Refused(404, "no_move", Text(N_("There is no move {number}."), {"number": at}))
        if at < self._story.open_since(play, host) or self._story.of(play, host)[at - 1].is_drawn:
            raise Refused(403, "private", NOT_OPEN)

    # What is done

    def press(self, button: str, is_held: bool, moment: int, now: int) -> None:
        """A button of the twin; it can never let a visitor in."""
        which = Button(button)
        if which in (Button.CONFIRM, Button.BACK) and moment != now:
            raise Refused(409, "stale_state", STALE)
        self._for_its_seat(None)
        signal = LongPress(which) if is_held and which in (Button.CONFIRM, Button.BACK) else Press(which)
        self.box.on_signal(signal, is_present=False)

    def do(self, move: str, number: int, seat: int | None) -> None:
        """A move, for one state."""
        play, _ = self.playing()
        if number != play.number:
            raise Refused(409, "stale_state", STALE)
        self._for_its_seat(seat)
        try:
            self.box.do(move, number)
        except IllegalMove as refusal:
            raise Refused(422, refusal.code, refusal.reason) from None

    def _for_its_seat(self, seat: int | None) -> None:
        """A private decision is its seat's alone: others must not even learn what would be refused."""
        if self.box.play is None or self.box.host is None or self.box.is_menu:
            return
        step = self.box.play.pending
        if not isinstance(step, Over) and step.seat != seat and self.box.is_private:
            raise Refused(403, "not_your_turn", NOT_YOURS)

    def undo(self, number: int, *, again: bool = False) -> None:
        """Take a move back, or repeat it."""
        play, _ = self.playing()
        if number != play.number:
            raise Refused(409, "stale_state", STALE)
        if not (self.box.redo() if again else self.box.undo()):
            raise Refused(409, "nothing", Text(N_("There is nothing to take back or repeat.")))

    def correct(self, at: int, move: str, number: int) -> int:
        """Another move in the place of an earlier one; returns how many later ones were dropped."""
        play, _ = self.playing()
        if number != play.number:
            raise Refused(409, "stale_state", STALE)
        self._open_to_all(at)
        try:
            return len(self.box.correct(at, move))
        except IllegalMove as refusal:
            raise Refused(422, refusal.code, refusal.reason) from None

    def begin(self, game: str, chosen: dict[str, Any], instead_of: int | None) -> None:
        """A new game."""
        if game not in self.box.hosts:
            raise Refused(404, "no_such_game", Text(N_("There is no game {game}."), {"game": game}))
        if instead_of != self.game_id:
            raise Refused(409, "stale_state", STALE)
        try:
            self.box.start(game, {**self.games.get(game, {}), **chosen, **self.box.hosts[game].at_table})
        except ValueError as error:
            reason = getattr(error, "reason", Text(N_("These options can't be used.")))
            raise Refused(422, getattr(error, "code", "bad_option"), reason) from None

    def resume(self, number: int, instead_of: int | None) -> None:
        """Go on with a game that isn't over."""
        if instead_of != self.game_id:
            raise Refused(409, "stale_state", STALE)
        if number not in [one.number for one in self.box.unfinished]:
            raise Refused(404, "no_such_game", NO_SUCH_GAME)
        if not self.box.resume(number):
            raise Refused(409, "broken", self.box.complaint or NO_SUCH_GAME)

    def unfinished(self, say: Say) -> tuple[OpenGame, ...]:
        """The games that can go on, beside the one that runs."""
        return tuple(OpenGame(one.number, say(one.label)) for one in self.box.unfinished)
