"""Tells lessons: with the question they help to answer, and with a refusal. What is told when is decided elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

from msgspec.structs import replace

from companion.games.game import IllegalMove, Move
from companion.games.notation import read_move
from companion.session.events import AskedAgain, EventBus, Spoken
from companion.session.game_observer import GameObserver
from companion.session.game_session import GameSession
from companion.session.lesson_memory import LessonMemory
from companion.table.knowledge import heard
from companion.table.lessons import (
    Course,
    Lesson,
    Moment,
    Taught,
    ToldLessons,
    as_told,
    course_of,
    due_lessons,
    has_goal_and_set_up,
    helpful_lessons,
    is_relevant,
    learnt_from,
    lesson_behind,
    may_tell,
    public_code,
    shown_to_next,
    told_in_turn,
)

UNRECORDED = 0
"""The number of a game that isn't in the record."""


def forgetting(group: ToldLessons, game: int) -> ToldLessons:
    """The same group, which no longer knows what of it was told in this game."""
    told = {key: BEFORE if at.game == game else at for key, at in group.told.items()}
    return replace(group, told=told)


BEFORE = Moment(-1, 0)


class Teaching(GameObserver):
    """What the group is being taught now. Without `groups` nothing is ever told."""

    def __init__(self, game: GameSession, bus: EventBus, groups: LessonMemory | None):
        self.lessons: tuple[Taught, ...] = ()
        self.is_goal_read = self.is_goal_wanted = False
        self._game = game
        self._bus = bus
        self._groups = groups
        self._group = ToldLessons()
        self._looked_at = 0
        self._repeats: Iterator[tuple[Taught, ...]] | None = None
        bus.subscribe(AskedAgain, lambda event: self._repeat())

    def on_new_game(self) -> None:
        """Remember what the group was told of this game before."""
        play, host = self._game.playing()
        self._group = ToldLessons() if self._groups is None else forgetting(self._groups.of(host.game.name), UNRECORDED)
        self.lessons, self._looked_at, self.is_goal_read = (), play.number, False
        self.is_goal_wanted = False

    def on_question(self) -> None:
        """Tell a lesson that helps with the next question; one of this turn that helps with it stays."""
        self._repeats, self.is_goal_wanted = None, False
        if self._groups is None or self._group.is_known:
            return
        play, host = self._game.playing()
        self._learn()
        public, now = self._game.public_state, self._now
        here = told_in_turn(self._course, host.game, play.history.states, now.game, self._group, public)
        found = due_lessons(self._course, host.game, public, self._group, now.game) if may_tell(here) else ()
        if found:
            self._tell(found)
        else:
            step = host.game.pending(public)
            fitting = (one for one in self._course.all if one.key in here and is_relevant(one, public, step))
            self.lessons = tuple(as_told(one, public) for one in fitting)
        others = shown_to_next(self._course, host.game, play.history.states, now.game, self._group, public)
        if others is not None:
            self.lessons = (replace(as_told(others, public), is_shown_on=True), *self.lessons)

    def read_on(self) -> bool:
        """Somebody has read the goal and wants the set-up; whether the one is told before the other now."""
        was_read = self.is_goal_read and not self.is_goal_wanted
        self.is_goal_read, self.is_goal_wanted = has_goal_and_set_up(self.lessons), False
        return self.is_goal_read and not was_read

    def see(self, *, is_begun: bool) -> None:
        """The camera sees what was laid: who has begun with the set-up has read the goal."""
        self.is_goal_read = self.is_goal_read or (is_begun and has_goal_and_set_up(self.lessons))

    def on_undo(self) -> None:
        """Free the turn for its own lesson: what was told in moves that were taken back isn't it."""
        now = self._now
        told = {
            key: replace(at, is_undone=True) if at.game == now.game and at.number > now.number else at
            for key, at in self._group.told.items()
        }
        if told != self._group.told:
            self._remember(replace(self._group, told=told))

    def _repeat(self) -> None:
        """Say again what is shown, then one by one all that helps with the question: somebody asks what to do.

        At the set-up the goal comes first, which was read before.
        """
        if self.is_known or not self._game.is_running or self._game.is_over:
            return
        if has_goal_and_set_up(self.lessons):
            self._turn_page()
            return
        if self._repeats is None:
            _, host = self._game.playing()
            public, here = self._game.public_state, {one.key for one in self.lessons}
            others = [one for one in helpful_lessons(self._course, host.game, public) if one.key not in here]
            told: list[tuple[Taught, ...]] = [(as_told(one, public, is_again=True),) for one in others]
            # Where nothing is said aloud, what is shown would seem no answer.
            told.insert(len(told) if host.is_silent(public) else 0, self.lessons)
            self._repeats = cycle(filter(None, told))
        self._show(next(self._repeats, ()))

    def _turn_page(self) -> None:
        """From the set-up back to the goal, and from the goal on."""
        play, _ = self._game.playing()
        is_at_goal = self.is_goal_wanted or not (self.is_goal_read or play.number)
        self.is_goal_read, self.is_goal_wanted = True, not is_at_goal
        self._say(self.lessons)

    def refused(self, code: str) -> None:
        """Tell the rule behind something that everybody saw refused, or tell it once more."""
        lesson = lesson_behind(self._course, code) if self._game.is_running else None
        if self._groups is None or lesson is None or self._group.is_known or lesson.key in self._group.again:
            return
        if lesson.key not in self._group.told:
            self._tell((lesson,))
        elif lesson.key not in {one.key for one in self.lessons if not one.is_shown_on}:
            self._remember(replace(self._group, again=(*self._group.again, lesson.key)))
            self._show((as_told(lesson, self._game.public_state, is_again=True),))

    def refused_move(self, move: Move | str) -> None:
        """Tell the rule behind a refusal on somebody's own page, where everybody would see it refused, too."""
        _, host = self._game.playing()
        if self._game.is_private:
            return
        try:
            meant = read_move(host.game, move) if isinstance(move, str) else move
        except IllegalMove:
            return  # no move at all
        self.refused(public_code(host.game, self._game.public_state, meant))

    def know(self, game: str) -> None:
        """Tell nothing of a game that the group knows and is about to begin."""
        if self._groups is not None:
            self._groups.save(game, ToldLessons(is_known=True))

    def skip(self, *, is_known: bool = True) -> None:
        """Tell nothing more of this game, which the group knows; or everything again."""
        self.lessons = ()
        self._remember(ToldLessons(is_known=is_known))
        if not is_known:
            self.on_question()

    @property
    def has_taught(self) -> bool:
        """Whether something was taught in this game, also before a restart."""
        now = self._now.game
        return bool(self.lessons) or any(at.game == now for at in self._group.told.values())

    @property
    def is_known(self) -> bool:
        """Whether nothing is told: the group knows this game, or nobody is taught here."""
        return self._groups is None or self._group.is_known

    def _learn(self) -> None:
        """Note what people did right: it needs no lesson."""
        play, host = self._game.playing()
        first, self._looked_at = min(self._looked_at, play.number), play.number
        for number in range(first, play.number):
            if play.steps[number].kind != "move":
                continue
            _, events = host.game.apply(play.state_at(number), read_move(host.game, play.notation[number]))
            keys = learnt_from(self._course, heard(events, None), self._group)
            if keys:
                self._remember(replace(self._group, shown=(*self._group.shown, *keys)))

    def _tell(self, lessons: tuple[Lesson, ...]) -> None:
        told = dict.fromkeys((one.key for one in lessons), self._now)
        self._remember(replace(self._group, told={**self._group.told, **told}))
        self._show(tuple(as_told(one, self._game.public_state) for one in lessons))

    def _show(self, lessons: tuple[Taught, ...]) -> None:
        """On page and text line with this question; by voice only where the game allows a sound."""
        self.lessons = lessons
        self._say(lessons)

    def _say(self, lessons: tuple[Taught, ...]) -> None:
        _, host = self._game.playing()
        if not host.is_silent(self._game.public_state):
            for one in lessons:
                self._bus.publish(Spoken(one.text))

    def _remember(self, group: ToldLessons) -> None:
        self._group = group
        if self._groups is not None:
            _, host = self._game.playing()
            self._groups.save(host.game.name, group)

    @property
    def _course(self) -> Course:
        _, host = self._game.playing()
        return course_of(host.game.name)

    @property
    def _now(self) -> Moment:
        play, _ = self._game.playing()
        return Moment(self._game.number_in_record, play.number)
