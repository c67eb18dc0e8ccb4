"""Lessons: what a group that plays a game for the first time is told, and when. Pure, and made of public views alone.

Each kit has a course. A lesson is told once to a group, at a question that it helps to answer; the rule behind a
refusal is told with it. What a group does right before it was told needs no lesson.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from companion.games.cards import HIDDEN
from companion.games.game import Decide, Event, Game, IllegalMove, Move, Over, Reveal, Step
from companion.kits import KITS
from companion.text import Text, Value

MAX_LESSONS_A_GAME = 12
"""So many lessons a game are told unasked; a refusal may bring one more."""
GOAL = "goal"
SET_UP = "set-up"
"""What the keys of lessons begin with that tell how the table is set up."""
UNTOLD = {
    "It's about how the box keeps a game, not about what people do.": ("G-01", "G-02", "G-03", "G-06", "G-10", "G-11"),
    "It binds the box: nothing is to be done about it.": ("G-04", "G-05", "G-07", "G-08"),
    "The goal of each silent game says it, or its start.": ("G-09",),
    "Each lesson says it where it matters.": ("G-12",),
}
"""The rulings that hold for all games, by the reason why they have no lesson."""


def always(state: Any) -> bool:
    """It matters whenever its question is asked."""
    return True


def no_values(state: Any) -> Mapping[str, Value]:
    """Its sentences are the same at every table."""
    return {}


def no_cards(state: Any) -> tuple[str, ...]:
    """It's about no card in particular."""
    return ()


def in_turns(state: Any, step: Decide | Reveal) -> Any:
    """A turn is a player's, and in a game of rounds one for each round."""
    return getattr(state, "round", 0), getattr(state, "turn", step.seat)


class Lesson(Struct, frozen=True, kw_only=True):
    """One or two sentences about a rule.

    It's told to whoever must answer one of the questions `asks`, where the public state is so that it matters, and
    with the first refusal that has one of the codes that it `explains`. A group that makes one of the events of
    `shown_by` happen by itself knows it. `tells` are the rulings behind it. One that `can_wait` gives way where another
    has the turn: its question says enough by itself. All others come with the first question at which they matter.
    """

    key: str
    text: str
    tells: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    where: Callable[[Any], bool] = always
    explains: tuple[str, ...] = ()
    shown_by: tuple[type[Event], ...] = ()
    can_wait: bool = False
    values: Callable[[Any], Mapping[str, Value]] = no_values
    cards: Callable[[Any], tuple[str, ...]] = no_cards


class SetupItem(Struct, frozen=True):
    """What is to lie in a zone before the game begins: these cards, or so many of any; the question may ask for it."""

    zone: str
    what: Text
    cards: tuple[str, ...] = ()
    count: int = 0
    is_asked: bool = False

    @property
    def of(self) -> int:
        """How many cards that is."""
        return len(self.cards) or self.count


def nothing_to_lay(state: Any) -> tuple[SetupItem, ...]:
    """Nothing has to lie there before the first move."""
    return ()


def no_pile(options: Any, card: str) -> str:
    """Nobody says where a card goes after the game."""
    return ""


def nothing_easier(options: Any) -> str:
    """No way is shorter by buttons than another."""
    return ""


class Course(Struct, frozen=True, kw_only=True):
    """A game's lessons, those that matter most first; the goal is told before all others.

    `set_up` are the questions before the first turn, `turn` is equal throughout one turn. `lay_out` is
    what must lie there in a state of the set-up, `pile` where a card belongs after the game. `untold` are rulings
    without a lesson and `unexplained` codes of refusals without one, by the reason why. `without_camera` says at the
    set-up what is less to enter by buttons, if anything is.
    """

    goal: Lesson = Lesson(key=GOAL, text="")
    lessons: tuple[Lesson, ...] = ()
    set_up: tuple[str, ...] = ()
    turn: Callable[[Any, Decide | Reveal], Any] = in_turns
    lay_out: Callable[[Any], tuple[SetupItem, ...]] = nothing_to_lay
    pile: Callable[[Any, str], str] = no_pile
    without_camera: Callable[[Any], str] = nothing_easier
    untold: Mapping[str, tuple[str, ...]] = {}
    unexplained: Mapping[str, tuple[str, ...]] = {}

    @property
    def all(self) -> tuple[Lesson, ...]:
        """The goal and the lessons."""
        return (self.goal, *self.lessons) if self.goal.text else self.lessons


def has_goal_and_set_up(lessons: Sequence[Taught]) -> bool:
    """Whether both are told now: the goal, and how to set up the table."""
    keys = {one.key for one in lessons}
    return GOAL in keys and any(key.startswith(SET_UP) for key in keys)


def course_of(game: str) -> Course:
    """The lessons of a game; none where nobody has written any."""
    return KITS[game].course if game in KITS else Course()


class Moment(Struct, frozen=True):
    """When something was told: in which game of the record, after how many steps; they may have been taken back."""

    game: int
    number: int
    is_undone: bool = False


class ToldLessons(Struct, frozen=True):
    """What the people at a table have been told of one game, what they showed that they know, and what was told again.

    Who knows the game is told nothing.
    """

    is_known: bool = False
    told: dict[str, Moment] = field(default_factory=dict)
    shown: tuple[str, ...] = ()
    again: tuple[str, ...] = ()


class Taught(Struct, frozen=True):
    """A lesson as it's told: its key, its sentences, the cards it's about, and whether it's told once more.

    One that `is_shown_on` was told to another player, and this one only sees it.
    """

    key: str
    text: Text
    cards: tuple[str, ...] = ()
    is_again: bool = False
    is_shown_on: bool = False


def due_lessons(course: Course, game: Game[Any], public: Any, group: ToldLessons, number: int) -> tuple[Lesson, ...]:
    """What is to be told with the question that stands: at most one lesson, and before the first the goal."""
    step = game.pending(public)
    if isinstance(step, Over) or group.is_known:
        return ()
    heard = {*group.told, *group.shown}
    new = [one for one in course.lessons if one.key not in heard]
    told = in_game(group, number)
    found = next((one for one in new if is_relevant(one, public, step) and has_room(one, new, told)), None)
    has_goal = bool(course.goal.text) and GOAL not in group.told and is_relevant(course.goal, public, step)
    return (*([course.goal] if has_goal else []), *([] if found is None else [found]))


def is_relevant(lesson: Lesson, public: Any, step: Step) -> bool:
    """Whether a lesson helps to answer the question that stands."""
    return not isinstance(step, Over) and step.ask in lesson.asks and lesson.where(public)


def helpful_lessons(course: Course, game: Game[Any], public: Any) -> tuple[Lesson, ...]:
    """All that helps with the question that stands, and at last what the game is about."""
    step = game.pending(public)
    fitting = (one for one in course.lessons if is_relevant(one, public, step))
    return (*fitting, course.goal) if course.goal.text else tuple(fitting)


def lesson_behind(course: Course, code: str) -> Lesson | None:
    """The lesson about the rule behind a refusal."""
    return next((one for one in course.lessons if code in one.explains), None)


def learnt_from(course: Course, events: Iterable[Event], group: ToldLessons) -> tuple[str, ...]:
    """The lessons that nobody needs any more after what people did."""
    kinds = tuple(type(event) for event in events)
    open_ones = (one for one in course.lessons if one.key not in group.told and one.key not in group.shown)
    return tuple(one.key for one in open_ones if any(kind in one.shown_by for kind in kinds))


def as_told(lesson: Lesson, public: Any, *, is_again: bool = False) -> Taught:
    """A lesson as it's told at a table."""
    cards = tuple(card for card in lesson.cards(public) if card != HIDDEN)
    return Taught(lesson.key, Text(lesson.text, dict(lesson.values(public))), cards, is_again)


def turn_key(course: Course, game: Game[Any], state: Any) -> Any:
    """What is equal throughout one turn; each question of the set-up is one."""
    step = game.pending(state)
    if isinstance(step, Over):
        return ("over",)
    if step.ask in course.set_up:
        return (step.ask, step.seat)
    return course.turn(state, step)


def turn_begins(course: Course, game: Game[Any], states: Sequence[Any]) -> int:
    """The number of the state with which the turn of the last one began."""
    now = turn_key(course, game, states[-1])
    first = len(states) - 1
    while first and turn_key(course, game, states[first - 1]) == now:
        first -= 1
    return first


def told_in_turn(
    course: Course, game: Game[Any], states: Sequence[Any], number: int, group: ToldLessons, public: Any
) -> frozenset[str]:
    """The lessons that were told in this turn; of those in moves that were taken back only what matters again."""
    first, step = turn_begins(course, game, states), game.pending(public)
    mattering = {one.key for one in course.all if is_relevant(one, public, step)}
    return frozenset(
        key
        for key, at in group.told.items()
        if at.game == number and first <= at.number and (key in mattering or not at.is_undone)
    )


def shown_to_next(
    course: Course, game: Game[Any], states: Sequence[Any], number: int, group: ToldLessons, public: Any
) -> Lesson | None:
    """A lesson that was told to another player with this very question, which this one is asked for the first time.

    It's shown to this player, too, and not told again: the one that matters most.
    """
    step, first = game.pending(public), turn_begins(course, game, states)
    if isinstance(step, Over) or step.seat is None:
        return None
    for one in course.lessons:
        at = group.told.get(one.key)
        if at is None or at.game != number or not 0 <= at.number < first or not is_relevant(one, public, step):
            continue
        asked = game.pending(states[at.number])
        is_new = step not in map(game.pending, states[at.number : first])
        if is_new and not isinstance(asked, Over) and asked.ask == step.ask:
            return one
    return None


def in_game(group: ToldLessons, number: int) -> int:
    """How many lessons were told in a game; the goal isn't counted."""
    return sum(at.game == number and key != GOAL for key, at in group.told.items())


def has_room(lesson: Lesson, new: Sequence[Lesson], told: int) -> bool:
    """Whether a dozen a game leaves room for a lesson: one that can wait leaves it to those that can't."""
    needed = sum(not one.can_wait for one in new) if lesson.can_wait else 0
    return told + needed < MAX_LESSONS_A_GAME


def may_tell(here: Collection[str]) -> bool:
    """Whether something may be told unasked now: nothing was in this turn."""
    return not {*here} - {GOAL}


def public_code(game: Game[Any], public: Any, move: Move) -> str:
    """The code with which everybody would see a move refused; nothing where only hidden cards refuse it."""
    try:
        game.apply(public, move)
    except IllegalMove as refusal:
        return refusal.code
    return ""
