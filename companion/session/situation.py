"""Everything there is to show of a session at one moment, as a value: outputs and the page need nothing else."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from companion.games.game import Over, Step
from companion.play import History
from companion.session.faults import BLURRED
from companion.session.question_texts import CHOOSE_A_GAME, DOUBT, ENDS, TURN_THE_LENS, offer, understood
from companion.table.card_help import CardInWords, card_asked_about
from companion.table.chooser import Chooser
from companion.table.doubt import Doubt
from companion.table.host import Host
from companion.table.knowledge import is_private
from companion.table.lessons import SET_UP, Course, Taught, course_of, has_goal_and_set_up
from companion.table.proposal import NOTHING, Proposal
from companion.table.setup_progress import headline, is_begun
from companion.table.sight import Seen, Sharpness, Sight
from companion.text import N_, Text
from hardware.flourishes import Flourish
from hardware.panel import Layer


class KnockShown(Struct, frozen=True):
    """A phone that knocks: its sign in light, its wish in words, and the code that also lets it in.

    The code is for people in the room alone: for the box's display and its voice, never for a page.
    """

    sign: Flourish
    text: Text
    code: str = ""


class Hold(Struct, frozen=True):
    """Something that only a hold of ✔ does: what it is, and whether ✔ is down."""

    label: Text
    is_down: bool = False


class Running(Struct, frozen=True):
    """The game that runs. `public_state` is its state as everybody may see it.

    `sitting` is another number for each game that was begun or gone on with, `game_id` its number in the record.
    """

    sitting: int
    host: Host[Any]
    history: History
    public_state: Any
    game_id: int | None = None

    @property
    def pending(self) -> Step:
        """Whose move it is."""
        return self.history.pending

    @property
    def course(self) -> Course:
        """The game's lessons."""
        return course_of(self.host.game.name)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return isinstance(self.pending, Over)

    @property
    def is_private(self) -> bool:
        """Whether only the phone of the seat that is asked may answer: the box dealt its hand."""
        return is_private(self.host.game, self.public_state)


class Situation(Struct, frozen=True):
    """What there is to show now.

    Not everybody may know all of it: `secret` is for one player's eyes alone, and so is much of `running.history`.
    `told` is what happened last, as everybody may know it, `weighty` what of it nobody may miss. `refusal_pattern`, the
    lights of a refusal, and `fault` are shown for a moment, `lessons` for a turn where the group is taught. `faults`
    are all there are, `broken` tells which part of the panel fails.
    """

    running: Running | None = None
    chooser: Chooser | None = None
    hold: Hold | None = None
    is_menu: bool = False
    proposal: Proposal = NOTHING
    doubt: Doubt | None = None
    sight: Sight | None = None
    secret: Layer | None = None
    told: Text | None = None
    weighty: Text | None = None
    complaint: Text | None = None
    notice: Text | None = None
    lessons: tuple[Taught, ...] = ()
    is_goal_read: bool = False
    is_goal_wanted: bool = False
    is_taught: bool = False
    refusal_pattern: Layer | None = None
    fault: str = ""
    sharpness: Sharpness | None = None
    faults: frozenset[str] = frozenset()
    broken: Text | None = None
    has_camera: bool = False
    has_record: bool = False
    countdown: int | None = None
    knock: KnockShown | None = None

    @property
    def is_private(self) -> bool:
        """Whether only the phone of the seat that is asked may answer."""
        return self.running is not None and self.running.is_private

    @property
    def question(self) -> Text:
        """The pending question in words."""
        return CHOOSE_A_GAME if self.is_menu or self.running is None else self.asks(self.running)

    def asks(self, running: Running) -> Text:
        """The game's question, also behind the menu; who is taught is asked for what comes first in a set-up."""
        if not self.is_taught:
            return running.host.game.question(running.public_state)
        is_told = self.tells_set_up and not running.history.notation
        is_understood = bool(self.proposal.accepted_moves)
        return headline(running.host, running.public_state, self.sight, is_told=is_told, is_understood=is_understood)

    @property
    def tells_set_up(self) -> bool:
        """Whether people are being told how to set up the table."""
        return any(one.key.startswith(SET_UP) for one in self.lessons)

    @property
    def tells_goal_first(self) -> bool:
        """Whether a small display has the goal alone: nobody has asked for the set-up yet, or begun with it.

        So it is again for who wants it.
        """
        running = self.running
        if running is None or not has_goal_and_set_up(self.lessons):
            return False
        if self.is_goal_wanted or self.is_goal_read or running.history.notation:
            return self.is_goal_wanted
        return not is_begun(running.host, running.public_state, self.sight)

    @property
    def asked_card(self) -> CardInWords | Text | None:
        """The open card on which the ask token lies, in words."""
        if self.running is None or self.is_menu:
            return None
        return card_asked_about(self.running.host, self.running.public_state, self.sight)

    @property
    def remark(self) -> Text | None:
        """What the box has to say: a complaint, what it can't tell by itself, a notice, or that the lens is blurred."""
        if self.complaint is not None:
            return self.complaint
        if self.doubt is not None:
            return DOUBT
        if not (self.is_menu or self.is_private) and (told := understood(self.proposal)) is not None:
            return told
        return self.turn_the_lens if self.notice is None else self.notice

    @property
    def turn_the_lens(self) -> Text | None:
        """That the picture is blurred, and how sharp it is."""
        if BLURRED not in self.faults or self.sharpness is None:
            return None
        return Text(TURN_THE_LENS, {"now": self.sharpness.now, "best": self.sharpness.best})

    @property
    def offered(self) -> Text | None:
        """What ✔ would do now, in words."""
        if self.hold is not None:
            return Text(N_("Sure? Hold ✔ for two seconds, ✖ goes back: {what}"), {"what": self.hold.label})
        return offer(self.chooser, self.proposal)

    @property
    def ends(self) -> Text | None:
        """That ✔ ends the turn with what lies, for a group that is taught and may not be done yet."""
        is_end = self.chooser is None and self.proposal.without_turn_end is not None
        return ENDS if is_end and self.is_taught and not (self.is_menu or self.is_private) else None


class Recognition(Struct, frozen=True):
    """The lying cards as the eye has them and as people have them, in one order; `is_unsettled` as in a sight."""

    sitting: int = 0
    read: tuple[Seen, ...] = ()
    named: tuple[Seen, ...] = ()
    is_unsettled: bool = False
