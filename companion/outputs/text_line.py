"""The text line: what the lights say, in words, the same on a display, in the terminal and on the page.

It's made of what everybody may know, and of nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from companion.games.game import Reveal
from companion.kits import KITS
from companion.outputs import Output
from companion.outputs.panel_frame import laying_of
from companion.service.network import NetworkStanding
from companion.session.events import AskedAgain, Changed, EventBus, Flourished, SwitchedOff
from companion.session.faults import NO_PART
from companion.session.question_texts import NOTHING_CHOSEN, NOTHING_LAID
from companion.session.situation import Knock, Situation
from companion.table.lessons import GOAL, has_goal_and_set_up
from companion.table.setup_progress import entered
from companion.text import N_, Text, in_a_row
from hardware.display import BLANK, Display, Message
from hardware.lights import PATTERNS
from hardware.panel import SUITS, Glow, lamp_name

ADDRESS_SHOWN_SECONDS = 30.0
"""How long the page's address goes with the words after the start, and after somebody asked "what now?"."""
STARTING = Text(N_("Hush is starting."))
SAFE = Text(N_("Everything is saved. When the Pi's green light stays off, the plug may be pulled."))
COUNTDOWN = N_("The box shuts down in {left} s. Let go of ◀ or ▶ to stay.")
SIGN = N_("Its lights: {count} on the bar, and {suit}.")
CODE = N_("A phone knocks. If it's yours, type this code on it: {code}")
BUTTONS = Text(N_("◀ ▶ choose, ✔ takes, ✖ goes back."))
LEAVING = N_("◀ ▶ choose, ✔ takes. ◀ and then ✔: {last}. ✖ isn't “no”: it takes back the last step.")
ONLY = N_("▶ and then ✔: {last}. ✖ takes back the last step.")
HELD = Text(N_("◀ ▶ choose, then hold ✔ for two seconds. ✖ goes back."))
GO_ON = Text(N_("✔: how the table is set up."))
MORE = Text(N_("Hold ✔ for a second whenever you want to know more."))
LAST_VERB = 12
"""The light, from 0, of verbs that leave or end something."""
FIXES = {
    "no-camera": N_("Check the camera's ribbon cable."),
    "no-sound": N_("Plug in a sound card, or look at its volume."),
    "no-record": N_("Make room on the card, or put in another one."),
    "too-hot": N_("Give the box air, and the Pi its own power supply."),
    "no-markers": N_("Uncover all four markers, or move the camera."),
    "no-eye": N_("It tries again by itself."),
    "blurred": N_("Turn the lens slowly, both ways."),
    "safe-mode": N_("On the page, under Box: update, go back, or start as usual."),
    NO_PART: N_("Try every part with: companion bringup"),
}
"""What to do about each fault."""


def words(in_groups: Situation) -> tuple[Text, ...]:
    """All there is to say now, the most urgent first."""
    if in_groups.countdown is not None:
        return (Text(COUNTDOWN, {"left": in_groups.countdown}),)
    if in_groups.hold is not None and in_groups.offered is not None:
        return (in_groups.offered,)
    return tuple(_words(in_groups))


def _words(in_groups: Situation) -> Iterator[Text]:
    if in_groups.visitor is not None:
        yield from knocking(in_groups.visitor)
    if (picked := offered(in_groups)) is not None:
        yield Text("✔: {what}", {"what": picked})
        yield from effect(in_groups)
    if in_groups.fault:
        yield from fault(in_groups)
    if in_groups.remark is not None and (picked is None or in_groups.remark not in (NOTHING_CHOSEN, NOTHING_LAID)):
        yield in_groups.remark
    yield from asked_about(in_groups)
    yield from taught(in_groups, is_refused=True)
    if in_groups.tells_goal_first and picked is None and not in_groups.is_menu:
        yield from (one.text for one in in_groups.lessons if one.key == GOAL)
        yield GO_ON
        yield MORE
        return
    yield in_groups.question
    if (far := how_far(in_groups)) is not None:
        yield far
    yield from taught(in_groups, is_refused=False)
    if in_groups.told is not None and in_groups.remark is None and picked is None:
        yield in_groups.told
    if in_groups.weighty is not None and picked is not None and not in_groups.is_menu:
        yield in_groups.weighty
    if in_groups.is_menu or (is_by_buttons(in_groups) and picked is None):
        yield BUTTONS if in_groups.is_menu else by_buttons(in_groups)
    if in_groups.tells_set_up and picked is None and not in_groups.is_menu:
        yield from easier(in_groups)


def easier(in_groups: Situation) -> Iterator[Text]:
    """Before anything is entered: what is less to enter where no camera looks."""
    running = in_groups.running
    if running is not None and not in_groups.has_camera and not running.history.moves:
        hint = running.course.without_camera(running.public.options)
        if hint:
            yield Text(hint)


def how_far(in_groups: Situation) -> Text | None:
    """How far a set-up or a clean-up has come: what the camera sees of it, or what was entered."""
    running, laying = in_groups.running, laying_of(in_groups)
    if laying is not None or running is None or in_groups.is_menu or in_groups.has_camera:
        return None if laying is None else laying.text
    # The lesson says how many there are.
    is_told = in_groups.tells_set_up and not running.history.moves
    return None if is_told else entered(running.host, running.public)


def by_buttons(in_groups: Situation) -> Text:
    """What the buttons do, and what ends the turn or leaves an offer where ◀ lights that first."""
    running = in_groups.running
    nodes = () if running is None else running.host.options(running.public)
    if len(nodes) == 1 and not nodes[0].branches:
        return Text(ONLY, {"last": nodes[0].pick.label})
    if nodes and running is not None and all(isinstance(node.value, running.host.held) for node in nodes):
        return HELD
    is_leaving = len(nodes) > 1 and (nodes[-1].pick.kind, nodes[-1].pick.place) == ("verb", LAST_VERB)
    return Text(LEAVING, {"last": nodes[-1].pick.label}) if is_leaving else BUTTONS


def effect(in_groups: Situation) -> tuple[Text, ...]:
    """What the card under the light does, for a group that is taught; not where a card is only named to the box."""
    running, chooser = in_groups.running, in_groups.chooser
    if running is None or chooser is None or in_groups.is_menu or not in_groups.is_taught:
        return ()
    if isinstance(running.pending, Reveal):
        return ()
    # A verb with one card left is that card.
    lit, does = chooser.chosen, KITS[running.host.game.name].on_page.does
    found = (does(running.public.options, key) for key in (lit.pick.key, getattr(lit.value, "card", "")) if key)
    return tuple(one for one in found if one is not None)[:1]


def asked_about(in_groups: Situation) -> tuple[Text, ...]:
    """The card that somebody asks about: its name, what it does, and what it would do now."""
    found = in_groups.asked_card
    if found is None or isinstance(found, Text):
        return () if found is None else (found,)
    return tuple(text for text in (found.name, found.does, found.now) if text is not None)


def taught(in_groups: Situation, *, is_refused: bool) -> tuple[Text, ...]:
    """What is taught now: the rule behind a refusal comes before the question, a lesson for it after.

    The goal is left out once the set-up is told: it was read before.
    """
    if in_groups.is_menu or (in_groups.complaint is not None) != is_refused:
        return ()
    is_read = has_goal_and_set_up(in_groups.lessons)
    return tuple(one.text for one in in_groups.lessons if one.key != GOAL or not is_read)


def is_by_buttons(in_groups: Situation) -> bool:
    """Whether an answer can only come from the buttons: no camera looks, and the game asks somebody at the box."""
    running = in_groups.running
    return running is not None and not (running.is_over or running.is_private or in_groups.has_camera)


def offered(in_groups: Situation) -> Text | None:
    """What ✔ would do, in words; nothing where only one player's phone may say it."""
    if in_groups.is_private and not in_groups.is_menu:
        return None
    found = in_groups.proposal.found
    if in_groups.chooser is None and len(found) == 1 and found[0].says:
        return in_a_row(found[0].says)
    return in_groups.offered


def knocking(knock: Knock) -> tuple[Text, ...]:
    """Who knocks, and the lights that the phone must show, too."""
    lit = [beat.layer for beat in knock.sign.beats if any(glow is Glow.ON for glow in beat.layer.bar)]
    if not lit:
        return (knock.text,)
    count = sum(glow is Glow.ON for glow in lit[0].bar)
    suits = tuple(lamp_name(name) for name, glow in zip(SUITS, lit[0].suits, strict=True) if glow is Glow.ON)
    return knock.text, Text(SIGN, {"count": count, "suit": suits})


def fault(in_groups: Situation) -> tuple[Text, ...]:
    """What is missing, and what to do about it; a part of the panel says that itself."""
    if in_groups.fault == NO_PART and in_groups.broken is not None:
        return (in_groups.broken,)
    return Text(PATTERNS[in_groups.fault].meaning), Text(FIXES[in_groups.fault])


class TextLine(Output):
    """Writes the situation on a display; `translate` turns texts into the table's language, `where` tells the page's
    address now, and `network` the Wi-Fi that the box may have opened."""

    def __init__(
        self,
        display: Display,
        translate: Callable[[Text], str],
        where: Callable[[], str] = str,
        clock: Callable[[], float] = lambda: math.inf,
        network: Callable[[], NetworkStanding] = NetworkStanding,
    ):
        self._display = display
        self._translate = translate
        self._where = where
        self._shown: Situation | None = None
        self._written = BLANK
        self._clock = clock
        self._network = network
        self._asked = clock()
        self._last = BLANK
        display.write(self.message(STARTING))

    def attach(self, bus: EventBus) -> None:
        """Subscribe to what is seen."""
        bus.subscribe(AskedAgain, self._ask)
        bus.subscribe(Changed, lambda event: self._show(event.shown))
        bus.subscribe(Flourished, lambda event: self._display.wake())
        bus.subscribe(SwitchedOff, self._switch_off)

    def message_of(self, in_groups: Situation) -> Message:
        """What there is to say now, with the page's address where somebody may look for it."""
        is_free = in_groups.running is None or in_groups.is_menu
        is_asked = self._clock() < self._asked + ADDRESS_SHOWN_SECONDS
        texts = words(in_groups)
        if in_groups.visitor is not None and in_groups.visitor.code:
            # Here alone: whoever reads it is beside the box. A page, which shows the same words, isn't.
            texts = (Text(CODE, {"code": in_groups(in_groups.visitor.code)}), *texts)
        if not (is_free or is_asked):
            return self.message(*texts)
        # The same: who reads the password is beside the box.
        own = self._network()
        return self.message(*texts, *([own.words] if own.is_open else []), link=self._where())

    def lines(self, in_groups: Situation) -> str:
        """What there is to say now, a line each."""
        return str(self.message_of(in_groups))

    def message(self, *texts: Text, link: str = "") -> Message:
        """Texts in the table's language."""
        return Message(tuple(self._translate(text) for text in texts), link)

    def close(self) -> None:
        """Leave the display dark, or with a last word that stays until the plug is pulled."""
        self._display.close(self._last)

    def beat(self) -> None:
        """The box may have come into a network, or into another one, since something was written."""
        if self._shown is not None and self.message_of(self._shown) != self._written:
            self._show(self._shown)

    def _show(self, in_groups: Situation) -> None:
        self._shown, self._written = in_groups, self.message_of(in_groups)
        self._display.write(self._written)

    def _ask(self, event: AskedAgain) -> None:
        self._asked = self._clock()

    def _switch_off(self, event: SwitchedOff) -> None:
        self._last = self.message(SAFE)
        self._display.write(self._last)
