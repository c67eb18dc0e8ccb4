"""A session joins the parts of a running game: what comes in goes to the part that owns it, what is seen goes out.

One owner calls it, one call at a time; it has no thread and no clock of its own. `due` says when it next wants to be
woken.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from companion.games.game import Event, IllegalMove, Move
from companion.journal import Journal
from companion.session.arming import Arming
from companion.session.believing import Believing
from companion.session.controls import Controls
from companion.session.corrections import Corrections
from companion.session.decisions import Decisions
from companion.session.events import Changed, EventBus
from companion.session.faults import Faults
from companion.session.follow import Confirm, Follow
from companion.session.game_observer import GameObserver
from companion.session.game_session import RECORD_RETRY_SECONDS, GameSession
from companion.session.knocking import Knocking, PendingKnock
from companion.session.lesson_memory import LessonMemory
from companion.session.panel_chooser import PanelChooser
from companion.session.remarks import Remarks
from companion.session.situation import Recognition, Situation
from companion.session.teaching import Teaching
from companion.table.host import Host
from companion.table.menu import Unfinished
from companion.table.proposal import Explanation
from companion.table.sight import Sharpness, Sight
from companion.table.state_from_table import Answered
from companion.text import Text
from hardware.button_signals import LongPress, Signal
from hardware.panel import Button


class Redraw(GameObserver):
    """Shows the next question once all other parts are ready for it."""

    def __init__(self, redraw: Callable[[], None]):
        self._redraw = redraw

    def on_question(self) -> None:
        """Everything is ready."""
        self._redraw()


class Session:
    """The running box, but for its ports. Outputs subscribe to its `bus`; `shown` is what there is to show."""

    def __init__(
        self,
        hosts: Mapping[str, Host[Any]],
        journal: Journal | None,
        clock: Callable[[], float],
        rng: random.Random | None = None,
        confirm: Confirm = "always",
        groups: LessonMemory | None = None,
    ):
        self.hosts = hosts
        self.clock = clock
        self.bus = EventBus()
        arming = Arming(clock)
        self._remarks = Remarks(clock, lambda code: self._teaching.refused(code))
        self._faults = Faults(self.bus, clock, self._blinded, self._redraw)
        self._game = GameSession(hosts, journal, self.bus, self._faults, self._remarks, rng)
        self._teaching = Teaching(self._game, self.bus, groups)
        self._corrections = Corrections(arming)
        self._follow = Follow(self._game, self._corrections, self._remarks, arming, clock, confirm)
        believing = Believing(self._game, self._corrections)
        self._panel_chooser = PanelChooser(self._game, self._follow, self._corrections, self._teaching)
        self._decisions = Decisions(
            self._game, self._follow, self._remarks, believing, arming, self._teaching, self._panel_chooser,
            self.bus, self._redraw,
        )  # fmt: skip
        self._controls = Controls(
            self._game, self._follow, self._corrections, self._remarks, self._faults, arming, self._teaching,
            self._panel_chooser, self._decisions, self.bus, clock, self._redraw,
        )  # fmt: skip
        self._knocking = Knocking(self.bus, clock)
        self._awaits_table = False
        self._game.observers = (
            self._remarks, self._corrections, self._follow, believing, self._controls, self._teaching,
            Redraw(self._redraw),
        )  # fmt: skip

    # Beginning and going on

    def wake(self) -> None:
        """Wake up: go on with an unfinished game exactly where it was, else show the menu."""
        if not self._game.wake():
            self.show_menu()

    def start(self, name: str, chosen: dict[str, Any], seed: int | None = None, *, is_known: bool = False) -> None:
        """Begin a game; a group that knows it is told no lessons."""
        self._awaits_table = False
        if is_known:
            self._teaching.know(name)
        self._game.start(name, chosen, seed)

    def start_at(self, name: str, state: Any, seed: int | None = None) -> None:
        """Begin a game from any state, such as a scenario written by hand."""
        self._game.start_at(name, state, seed)

    def resume(self, game_id: int) -> bool:
        """Go on with a game of the record; whether that can be done. If not, the complaint says why."""
        return self._game.resume(game_id)

    @property
    def unfinished(self) -> tuple[Unfinished, ...]:
        """The games that can go on, beside the one that runs."""
        return self._game.unfinished

    @property
    def record(self) -> Path | None:
        """Where the record lies, if there is one."""
        return self._game.record

    # What comes in

    def on_signal(self, signal: Signal, *, is_present: bool = True) -> None:
        """Do what a button means; only somebody present can grant what a phone wishes."""
        if is_present and signal == LongPress(Button.CONFIRM) and self._knocking.grant():
            self._redraw()
            return
        self._controls.on_signal(signal, is_present=is_present)

    def on_sight(self, sight: Sight) -> None:
        """Follow a settled view of the table; a hand in the picture is shown."""
        self._follow.on_sight(sight)
        self._decisions.explain_anew()
        if self._awaits_table and not sight.is_unsettled:
            self._awaits_table = False
            self.believe()

    def on_fault(self, name: str, is_active: bool, about: Text | None = None) -> None:
        """Show that a device is missing, or is back; `about` tells which part of the panel it is."""
        self._faults.report(name, is_active, about)

    def on_sharpness(self, sharpness: Sharpness) -> None:
        """Show how sharp a blurred lens is now."""
        self._faults.on_sharpness(sharpness)

    def amend(self, at: int, card: str, face: str = "") -> None:
        """Name a lying card as a person does, and judge the table anew. Raises `LookupError`."""
        self._follow.amend(at, card, face)
        self._decisions.explain_anew()

    def on_knock(self, knock: PendingKnock | None) -> None:
        """Show that a phone knocks; None: no phone knocks any more."""
        self._knocking.on_knock(knock)
        self._redraw()

    def show_menu(self) -> None:
        """Open the menu on the panel."""
        self._decisions.show_menu()

    def what_now(self) -> None:
        """Show and say the pending question again."""
        self._controls.what_now()

    def do(self, move: Move | str, number: int | None = None) -> tuple[Event, ...]:
        """Make a move on somebody's behalf; with a number it counts only for that state. Raises `IllegalMove`."""
        try:
            return self._game.do(move, number)
        except IllegalMove:
            self._teaching.refused_move(move)
            self._redraw()
            raise

    def take(self, explanation: Explanation) -> None:
        """Take one of the ways in which a table can be understood; what ends the game waits for a hold."""
        self._decisions.carry_out(explanation)

    def undo(self) -> bool:
        """Take back the last decision; whether there was one."""
        return self._game.undo()

    def redo(self) -> bool:
        """Repeat what was taken back last; whether there was something."""
        return self._game.redo()

    def believe(self, answer: Answered | None = None) -> None:
        """Take the table as it lies; what no camera sees is asked first, with the chooser. `answer` answers that."""
        self._decisions.believe(answer)

    def believe_first_sight(self) -> None:
        """Take the first table that is seen as it lies: the game was begun elsewhere."""
        self._awaits_table = True

    def correct(self, at: int, move: Move | str) -> tuple[str, ...]:
        """Put another move in the place of an earlier one; returns the later moves that no longer fit.

        Raises `IllegalMove` and changes nothing if the rules refuse the new move there.
        """
        return self._game.correct(at, move)

    def skip_lessons(self, *, is_known: bool = True) -> None:
        """Tell nothing more of this game, which the group knows; or everything again."""
        self._teaching.skip(is_known=is_known)
        self._redraw()

    # Time

    def tick(self) -> None:
        """Time has passed: windows close, patterns end, what couldn't be written is tried again."""
        self._controls.tick()
        self._decisions.make_unconfirmed(self._follow.tick())
        self._knocking.tick()
        self._game.retry_record()
        self._redraw()

    @property
    def due(self) -> float | None:
        """When `tick` wants to be called next; None while nothing changes by itself."""
        times = [part.due for part in (self._controls, self._follow, self._remarks, self._faults, self._knocking)]
        if self._game.waits_for_the_disk:
            times.append(self.clock() + RECORD_RETRY_SECONDS)
        return min((time for time in times if time is not None), default=None)

    # What goes out

    @property
    def shown(self) -> Situation:
        """Everything there is to show now, as a value."""
        return Situation(
            running=self._game.running,
            chooser=self._panel_chooser.current,
            hold=self._decisions.holds.shown,
            is_menu=self._panel_chooser.is_menu,
            proposal=self._follow.proposal,
            doubt=self._corrections.doubt,
            sight=self._follow.sight,
            secret=self._controls.peeking.secret,
            told=self._game.told,
            weighty=self._game.weighty,
            complaint=self._remarks.complaint,
            notice=self._remarks.notice,
            lessons=self._teaching.lessons,
            is_goal_read=self._teaching.is_goal_read,
            is_goal_wanted=self._teaching.is_goal_wanted,
            is_taught=not self._teaching.is_known,
            refusal_pattern=self._remarks.pattern,
            fault=self._faults.shown,
            sharpness=self._faults.sharpness,
            faults=self._faults.active,
            broken=self._faults.broken,
            has_camera=self._faults.has_camera,
            has_record=self._game.record is not None,
            countdown=self._controls.countdown,
            knock=self._knocking.shown,
        )

    @property
    def recognised(self) -> Recognition:
        """The lying cards as the eye and as people have them, as a value."""
        running, sight = self._game.running, self._follow.sight
        return Recognition(
            0 if running is None else running.sitting,
            self._corrections.cards_on_table,
            self._corrections.cards,
            sight is not None and sight.is_unsettled,
        )

    def _blinded(self) -> None:
        self._follow.forget_sight()

    def _redraw(self) -> None:
        self._remarks.expire()
        self._faults.expire()
        self.bus.publish(Changed(self.shown))
