"""Everything the page may see of the box and do to it: it sees one showing, and does changes of the session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.games.game import Decide, Game, IllegalMove, Over, Reveal, option_table
from companion.games.notation import read_move
from companion.kits import KITS
from companion.outputs.panel_frame import frame_of
from companion.outputs.text_line import words
from companion.session.question_texts import DOUBT, understood
from companion.session.session import Session
from companion.session.situation import Running, Situation
from companion.settings.every import NOT_FOR_PEOPLE
from companion.table.host import Host
from companion.table.knowledge import NOT_YOURS, keeps_hands
from companion.table.state_from_table import Answered, question_and_answer
from companion.text import N_, Text
from companion.web.choices import options, otherwise, ways
from companion.web.game_log import GameLog
from companion.web.lessons import rule_behind, teaching
from companion.web.owner import SessionChange, Showing
from companion.web.pictures import picture
from companion.web.pictures.model import Say
from companion.web.records import (
    Choice,
    GroupedOptions,
    LogLine,
    OptionRow,
    Private,
    Rules,
    SharedState,
    TableAnswer,
    UnfinishedGame,
    VariantRow,
)
from companion.web.things import changed, things
from hardware.button_signals import (
    END_HOLD_SECONDS,
    LONG_PRESS_SECONDS,
    HeldToEnd,
    Holding,
    LetGo,
    LongPress,
    Press,
    Signal,
)
from hardware.flourishes import Flourish
from hardware.page import frame_as_json
from hardware.panel import ALL_PARTS, Button, Parts

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
UNCORRECTABLE = Text(N_("This move can't be corrected: it or a later one hides something, or the box itself drew it."))

FINAL = Text(N_("This is final. Hold the button for two seconds if it's meant."))


def value_label(game: Game[Any], name: str, value: Any, say: Say) -> str:
    """What a value of an option is called: a word of the game where there is one."""
    if name == "giver":
        return say(Text(N_("player {seat}"), {"seat": value + 1}))
    word = say(game.term(str(value)))
    return word.replace("_", " ") if word == str(value) else word


def variants(name: str, game: Game[Any], say: Say) -> tuple[VariantRow, ...]:
    """The usual ways to play, each with what its options mean."""
    by_name = {option.name: option for option in option_table(game.options_type)}
    rows = []
    for one in KITS[name].variants:
        changes = (
            Text(N_("{text} Here: {value}."), {"text": by_name[key].text, "value": value_label(game, key, value, say)})
            if not isinstance(value, bool | tuple | list)
            else by_name[key].text
            for key, value in one.options.items()
        )
        says = " ".join(say(text) for text in changes) or say(Text(N_("As the rulebook has it.")))
        rows.append(VariantRow(one.key, say(Text(one.label)), says, dict(one.options)))
    return tuple(rows)


def asks_what_is_unseen(shown: Situation) -> bool:
    """Whether people are asked what no camera sees of a table that is taken as it lies."""
    return shown.chooser is not None and shown.chooser.picks(Answered)


def takes_hold(running: Running, move: str) -> bool:
    """Whether a move takes a hold; one that can't be made is refused for its own reason."""
    try:
        return running.host.takes_hold(running.public_state, (read_move(running.host.game, move),))
    except IllegalMove:
        return False


def table_answers(shown: Situation, say: Say) -> tuple[TableAnswer, ...]:
    """What may be answered to that, the likely answer marked; nothing where something else is asked."""
    chooser = shown.chooser
    if chooser is None or not asks_what_is_unseen(shown):
        return ()
    return tuple(
        TableAnswer(node.value.key, node.value.answer, say(question_and_answer(node)[1]), node is chooser.chosen)
        for node in chooser.level
    )


class Desk:
    """The box as the page knows it: `showing` is how it is now, `parts` are those of the panel that the page draws."""

    def __init__(
        self,
        showing: Showing,
        hosts: Mapping[str, Host[Any]],
        games: dict[str, dict[str, Any]] | None = None,
        is_simulated: bool = False,
        has_picture: bool = False,
        parts: Parts = ALL_PARTS,
    ):
        self.is_simulated = is_simulated
        self.has_picture = has_picture
        self.games = games or {}
        self.showing = showing
        self._hosts = hosts
        self._parts = parts
        self._log = GameLog()

    def playing(self) -> Running:
        """The running game. Raises `Refused` where there is none."""
        running = self.showing.shown.running
        if running is None:
            raise Refused(409, "no_game", NO_GAME)
        return running

    @property
    def game_id(self) -> int | None:
        """The running game's number in the record."""
        running = self.showing.shown.running
        return None if running is None else running.game_id

    # What is seen

    def panel(self, shown: Situation, flourish: Flourish | None = None, line: tuple[str, ...] = ()) -> bytes:
        """The lights that everybody may see, as JSON, and the text line beside them."""
        confirm = LONG_PRESS_SECONDS[Button.CONFIRM] if shown.hold is None else END_HOLD_SECONDS
        return frame_as_json(frame_of(shown, self._parts.bar, is_public=True), self._parts, flourish, confirm, line)

    def shared(
        self,
        say: Say,
        moment: int,
        taken: tuple[int, ...] = (),
        notices: tuple[Text, ...] = (),
        names: tuple[str, ...] = (),
    ) -> SharedState:
        """What everybody may see."""
        shown = self.showing.shown
        panel = msgspec.Raw(self.panel(shown, line=tuple(say(text) for text in words(shown))))
        running = shown.running
        if running is None:
            return self._menu(say, moment, panel)
        game, history, state, step = running.host.game, running.history, running.public_state, running.pending
        notice = shown.turn_the_lens if shown.notice is None else shown.notice
        return SharedState(
            moment=moment,
            number=history.number,
            question=say(shown.asks(running)),
            panel=panel,
            game=game.name,
            title=game.name.capitalize(),
            game_id=running.game_id,
            players=state.options.players,
            seat=None if isinstance(step, Over) else step.seat,
            is_over=running.is_over,
            has_won=isinstance(step, Over) and bool(step.winners),
            is_private=running.is_private,
            complaint="" if shown.complaint is None or asks_what_is_unseen(shown) else say(shown.complaint),
            asked=self._asked(shown, say),
            notice="" if notice is None else say(notice),
            offered="" if running.is_private and not shown.is_menu else _offered(shown, say),
            is_held=shown.hold is not None,
            progress=KITS[game.name].on_page.progress(state),
            teaching=teaching(shown, say),
            things=things(game.name, state),
            changed=changed(history, state),
            names=names,
            answers=table_answers(shown, say),
            can_believe=shown.sight is not None and not running.is_over and not keeps_hands(game, state),
            otherwise=self._otherwise(shown, say),
            picture=picture(game, state, say),
            options=GroupedOptions() if running.is_private or running.is_over else options(running.host, state, say),
            log=self.log(say, LOG_LINES),
            can_undo=history.number > 0,
            can_redo=bool(history.undone),
            seats_taken=taken,
            visitor=_knock(shown, say),
            notices=tuple(say(one) for one in notices),
            faults=tuple(sorted(shown.faults)),
            is_simulated=self.is_simulated,
            has_picture=self.has_picture,
        )

    def _menu(self, say: Say, moment: int, panel: msgspec.Raw) -> SharedState:
        shown = self.showing.shown
        return SharedState(
            moment=moment, number=0, question=say(shown.question), panel=panel,
            faults=tuple(sorted(shown.faults)), unfinished=self.unfinished(say),
            offered=_offered(shown, say),
            is_held=shown.hold is not None, visitor=_knock(shown, say),
            complaint="" if shown.complaint is None else say(shown.complaint),
        )  # fmt: skip

    def _asked(self, shown: Situation, say: Say) -> str:
        """What the box can't tell by itself and asks beside the game's question, where all may know it."""
        if shown.is_menu or shown.is_private:
            return ""
        if shown.chooser is not None and asks_what_is_unseen(shown):
            return say(question_and_answer(shown.chooser.chosen)[0])
        if shown.complaint is not None:
            return ""
        asked = DOUBT if shown.doubt is not None else understood(shown.proposal)
        return "" if asked is None else say(asked)

    def _otherwise(self, shown: Situation, say: Say) -> tuple[Choice, ...]:
        """The ways to take what was understood, where nothing else is asked."""
        if shown.running is None or shown.is_menu or shown.is_private or shown.chooser is not None:
            return ()
        return otherwise(shown.running.host, shown.proposal, say)

    def log(self, say: Say, most: int | None = None) -> tuple[LogLine, ...]:
        """The running game in plain language, or so many moves of it, the last ones."""
        running = self.showing.shown.running
        if running is None:
            return ()
        entries, since = self._log.of(running), self._log.public_since(running)
        first = 0 if most is None else max(0, len(entries) - most)
        return tuple(
            LogLine(number, tuple(say(text) for text in one.told), number >= since and not one.is_drawn)
            for number, one in enumerate(entries[first:], start=first + 1)
        )

    def private(self, seat: int, say: Say, moment: int) -> Private:
        """What one seat may see."""
        running = self.playing()
        game = running.host.game
        view = game.view(running.history.state, seat)
        step = game.pending(view)
        is_turn = isinstance(step, Decide | Reveal) and step.seat == seat
        # What a seat can do follows from what it sees; the box itself knows no more that may be shown.
        shown = options(running.host, view, say) if is_turn and running.is_private else GroupedOptions()
        number = running.history.number
        return Private(moment, number, seat, say(game.question(view)), is_turn, picture(game, view, say), shown)

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
                        self.games.get(name, {}).get(option.name, option.default),
                        option.allowed,
                        tuple(value_label(host.game, option.name, value, say) for value in option.allowed),
                    )
                    for option in option_table(host.game.options_type)
                    if option.name not in NOT_FOR_PEOPLE
                ),
                variants(name, host.game, say),
            )
            for name, host in self._hosts.items()
        )

    def alternatives(self, at: int, say: Say) -> GroupedOptions:
        """What else could have been done at an earlier move."""
        running = self.playing()
        self._check_correctable(at)
        return options(running.host, running.host.game.view(running.history.states[at - 1], None), say)

    def _check_correctable(self, at: int) -> None:
        """An earlier move can be looked up and corrected only where everybody may know it and all that came later."""
        running = self.playing()
        if not 1 <= at <= running.history.number:
            raise Refused(404, "no_move", Text(N_("There is no move {number}."), {"number": at}))
        if at < self._log.public_since(running) or self._log.of(running)[at - 1].is_drawn:
            raise Refused(403, "private", UNCORRECTABLE)

    # What is done

    def press(self, button: str, is_held: bool, moment: int, now: int) -> SessionChange[None]:
        """A button of the twin; it can never let a phone in."""
        which = Button(button)
        if which in (Button.CONFIRM, Button.BACK) and moment != now:
            raise Refused(409, "stale_state", STALE)
        self._check_seat(None)
        signals: list[Signal] = [LongPress(which) if is_held and which in LONG_PRESS_SECONDS else Press(which)]
        if is_held and which is Button.CONFIRM and self.showing.shown.hold is not None:
            signals = [Holding(which), HeldToEnd(which), LetGo(which)]

        def change(session: Session) -> None:
            for signal in signals:
                session.on_signal(signal, is_present=False)

        return change

    def hold_for(self, move: str, number: int) -> Text | None:
        """Why a move takes a hold, as far as everybody can tell."""
        self._check_number(number)
        shown = self.showing.shown
        return FINAL if not shown.is_private and takes_hold(self.playing(), move) else None

    def do(self, move: str, number: int, seat: int | None) -> SessionChange[None]:
        """A move, for one state."""
        self._check_number(number)
        self._check_seat(seat)

        shown, running = self.showing.shown, self.playing()

        def change(session: Session) -> None:
            try:
                session.do(move, number)
            except IllegalMove as refusal:
                is_alone = shown.is_private and shown.is_taught
                reason = rule_behind(running, refusal.code, refusal.reason) if is_alone else refusal.reason
                raise Refused(422, refusal.code, reason) from None

        return change

    def take(self, which: int, moment: int, now: int) -> SessionChange[None]:
        """What was understood, taken otherwise than with ✔."""
        self.playing()
        found = ways(self.showing.shown.proposal)
        if moment != now or which >= len(found):
            raise Refused(409, "stale_state", STALE)
        self._check_seat(None)
        return lambda session: session.take(found[which])

    def _check_number(self, number: int) -> None:
        """What is asked for must be meant for the state as it is. Raises `Refused`."""
        if number != self.playing().history.number:
            raise Refused(409, "stale_state", STALE)

    def _check_seat(self, seat: int | None) -> None:
        """A private decision is its seat's alone: others must not even learn what would be refused. Raises `Refused`.

        Where no decision is private, any phone that was let in may press: `seat` is None for one without a seat.
        """
        shown = self.showing.shown
        if shown.running is None or shown.is_menu:
            return
        step = shown.running.pending
        if not isinstance(step, Over) and step.seat != seat and shown.is_private:
            raise Refused(403, "not_your_turn", NOT_YOURS)

    def know(self, is_known: bool) -> SessionChange[None]:
        """The group knows the running game and is told nothing more, or everything again."""
        self.playing()
        return lambda session: session.skip_lessons(is_known=is_known)

    def undo(self, number: int, *, again: bool = False) -> SessionChange[None]:
        """Take a move back, or repeat it."""
        self._check_number(number)

        def change(session: Session) -> None:
            if not (session.redo() if again else session.undo()):
                raise Refused(409, "nothing", Text(N_("There is nothing to take back or repeat.")))

        return change

    def believe(self, number: int, given: TableAnswer | None = None) -> SessionChange[None]:
        """Take the table as it lies: the questions that this takes stand on the panel then, and on every page."""
        self._check_number(number)
        answer = None if given is None else Answered(given.key, given.value)
        chooser = self.showing.shown.chooser
        if answer is not None and (chooser is None or answer not in [node.value for node in chooser.nodes]):
            raise Refused(409, "stale_state", STALE)

        def change(session: Session) -> None:
            session.believe(answer)
            if session.shown.complaint is not None and session.shown.chooser is None:
                raise Refused(409, "not_read", session.shown.complaint)

        return change

    def correct(self, at: int, move: str, number: int) -> SessionChange[int]:
        """Another move in the place of an earlier one; it comes to how many later ones were dropped."""
        self._check_number(number)
        self._check_correctable(at)

        def change(session: Session) -> int:
            try:
                return len(session.correct(at, move))
            except IllegalMove as refusal:
                raise Refused(422, refusal.code, refusal.reason) from None

        return change

    def begin(
        self,
        game: str,
        chosen: dict[str, Any],
        instead_of: int | None,
        *,
        is_under_way: bool = False,
        is_known: bool = False,
    ) -> SessionChange[None]:
        """A new game, or one that was begun without the box: then the table that is seen next is taken as it lies."""
        if game not in self._hosts:
            raise Refused(404, "no_such_game", Text(N_("There is no game {game}."), {"game": game}))
        if instead_of != self.game_id:
            raise Refused(409, "stale_state", STALE)
        options = {**self.games.get(game, {}), **chosen, **self._hosts[game].at_table}

        def change(session: Session) -> None:
            try:
                session.start(game, options, is_known=is_known)
            except ValueError as error:
                reason = getattr(error, "reason", Text(N_("These options can't be used.")))
                raise Refused(422, getattr(error, "code", "bad_option"), reason) from None
            if is_under_way:
                session.believe_first_sight()

        return change

    def resume(self, game_id: int, instead_of: int | None) -> SessionChange[None]:
        """Go on with a game that isn't over."""
        if instead_of != self.game_id:
            raise Refused(409, "stale_state", STALE)

        def change(session: Session) -> None:
            if game_id not in [one.game_id for one in session.unfinished]:
                raise Refused(404, "no_such_game", NO_SUCH_GAME)
            if not session.resume(game_id):
                raise Refused(409, "broken", session.shown.complaint or NO_SUCH_GAME)

        return change

    def unfinished(self, say: Say) -> tuple[UnfinishedGame, ...]:
        """The games that can go on, while none runs."""
        return tuple(UnfinishedGame(one.game_id, say(one.label)) for one in self.showing.unfinished)


def _knock(shown: Situation, say: Say) -> str:
    return "" if shown.knock is None else say(shown.knock.text)


def _offered(shown: Situation, say: Say) -> str:
    """What ✔ would do, and that it ends the turn where somebody may not know."""
    texts = (shown.offered, shown.ends if shown.offered is not None else None)
    return " ".join(say(text) for text in texts if text is not None)
