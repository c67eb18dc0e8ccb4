"""What the page teaches: lessons, how far a set-up or a clean-up has come, and what a card does."""

from __future__ import annotations

from msgspec import Struct

from companion.outputs.panel_frame import laying_of
from companion.session.situation import Running, Situation
from companion.table.card_help import CardInWords, card_in_words
from companion.table.lessons import lesson_behind
from companion.text import Text
from companion.web.pictures.model import Say


class LessonRow(Struct, frozen=True):
    """A lesson in words, with the cards it's about; `is_again` after a refusal, or after others were told."""

    text: str
    cards: tuple[str, ...] = ()
    is_again: bool = False


class LayingRow(Struct, frozen=True):
    """So many of so many cards of a set-up or a clean-up, and what to do next."""

    done: int
    of: int
    text: str


class AboutCard(Struct, frozen=True):
    """A card in words: its name, what it does, what it would do now."""

    name: str
    does: str = ""
    now: str = ""


class Knowing(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the group knows the running game; if not, everything is told again."""

    is_known: bool = True


class PageTeaching(Struct, frozen=True):
    """What is taught now, and what happened last. `is_on` while there is anything to tell at this table."""

    is_on: bool = False
    lessons: tuple[LessonRow, ...] = ()
    laying: LayingRow | None = None
    asked_card: AboutCard | None = None
    told: str = ""


def teaching(shown: Situation, say: Say) -> PageTeaching:
    """All that is taught in a situation."""
    laying, asked = laying_of(shown), shown.asked_card
    return PageTeaching(
        shown.is_taught,
        tuple(LessonRow(say(one.text), one.cards, one.is_again or one.is_shown_on) for one in shown.lessons),
        None if laying is None else LayingRow(laying.done, laying.of, say(laying.text)),
        None if asked is None else in_words(asked, say),
        say(shown.told) if shown.is_taught and shown.told is not None else "",
    )


def in_words(asked: CardInWords | Text, say: Say) -> AboutCard:
    """A card in a language; a sentence where nothing may be told of it."""
    if isinstance(asked, Text):
        return AboutCard(say(asked))
    return AboutCard(say(asked.name), "" if asked.does is None else say(asked.does), say(asked.now))


def card_for(running: Running, seat: int | None, card: str, say: Say) -> AboutCard:
    """What a card does, for a phone: what a seat alone may know is told on its own page alone."""
    game = running.host.game
    return in_words(card_in_words(running.host, game.view(running.history.state, seat), card, seat), say)


def rule_behind(running: Running, code: str, reason: Text) -> Text:
    """A refusal that one player alone hears of, with the rule behind it."""
    lesson = lesson_behind(running.course, code)
    if lesson is None:
        return reason
    rule = Text(lesson.text, dict(lesson.values(running.public_state)))
    return Text("{reason} {rule}", {"reason": reason, "rule": rule})
