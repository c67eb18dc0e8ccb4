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
from companion.service.pairing import in_groups
from companion.session.events import AskedAgain, Changed, EventBus, Flourished, SwitchedOff
from companion.session.faults import NO_PART
from companion.session.question_texts import NOTHING_CHOSEN, NOTHING_LAID
from companion.session.situation import KnockShown, Situation
from companion.table.host import LEAVING_LIGHT
from companion.table.lessons import GOAL, has_goal_and_set_up
from companion.table.setup_progress import READY, entered
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


def words(shown: Situation) -> tuple[Text, ...]:
    """All there is to say now, the most urgent first."""
    if shown.countdown is not None:
        return (Text(COUNTDOWN, {"left": shown.countdown}),)
    if shown.hold is not None and shown.offered is not None:
        return (shown.offered,)
    return tuple(_words(shown))


def _words(shown: Situation) -> Iterator[Text]:
    if shown.knock is not None:
        yield from knocking(shown.knock)
    if is_ready := shown.is_taught and shown.question == READY:
        yield READY
    if (picked := offered(shown)) is not None:
        yield Text("✔: {what}", {"what": picked})
        yield from effect(shown)
        if shown.ends is not None:
            yield shown.ends
    if shown.fault:
        yield from fault(shown)
    if shown.remark is not None and (picked is None or shown.remark not in (NOTHING_CHOSEN, NOTHING_LAID)):
        yield shown.remark
    yield from asked_about(shown)
    yield from taught(shown, is_refused=True)
    if shown.tells_goal_first and picked is None and not shown.is_menu:
        yield from (one.text for one in shown.lessons if one.key == GOAL)
        yield GO_ON
        yield MORE
        return
    if not is_ready:
        yield shown.question
    if (far := how_far(shown)) is not None:
        yield far
    if not is_ready:
        yield from taught(shown, is_refused=False)
    if shown.told is not None and shown.remark is None and picked is None:
        yield shown.told
    if shown.weighty is not None and picked is not None and not shown.is_menu:
        yield shown.weighty
    if shown.is_menu or (is_by_buttons(shown) and picked is None):
        yield BUTTONS if shown.is_menu else by_buttons(shown)
    if shown.tells_set_up and picked is None and not shown.is_menu:
        yield from easier(shown)


def easier(shown: Situation) -> Iterator[Text]:
    """Before anything is entered: what is less to enter where no camera looks."""
    running = shown.running
    if running is not None and not shown.has_camera and not running.history.notation:
        hint = running.course.without_camera(running.public_state.options)
        if hint:
            yield Text(hint)


def how_far(shown: Situation) -> Text | None:
    """How far a set-up or a clean-up has come: what the camera sees of it, or what was entered."""
    running, laying = shown.running, laying_of(shown)
    if laying is not None or running is None or shown.is_menu or shown.has_camera:
        return None if laying is None else laying.text
    # The lesson says how many there are.
    is_told = shown.tells_set_up and not running.history.notation
    return None if is_told else entered(running.host, running.public_state)


def by_buttons(shown: Situation) -> Text:
    """What the buttons do, and what ends the turn or leaves an offer where ◀ lights that first."""
    running = shown.running
    nodes = () if running is None else running.host.options(running.public_state)
    if len(nodes) == 1 and not nodes[0].branches:
        return Text(ONLY, {"last": nodes[0].pick.label})
    if nodes and running is not None and all(isinstance(node.value, running.host.hold_moves) for node in nodes):
        return HELD
    is_leaving = len(nodes) > 1 and (nodes[-1].pick.kind, nodes[-1].pick.place) == ("verb", LEAVING_LIGHT - 1)
    return Text(LEAVING, {"last": nodes[-1].pick.label}) if is_leaving else BUTTONS


def effect(shown: Situation) -> tuple[Text, ...]:
    """What the chosen card does, for a group that is taught; not where a card is only named to the box."""
    running = shown.running
    if running is None or shown.is_menu or not shown.is_taught or isinstance(running.pending, Reveal):
        return ()
    does = KITS[running.host.game.name].on_page.does
    found = (does(running.public_state.options, key) for key in chosen(shown) if key)
    return tuple(one for one in found if one is not None)[:1]


def chosen(shown: Situation) -> tuple[str, ...]:
    """What names the card in question: the option under the light, or what was done last of a turn that may go on."""
    unfinished = shown.proposal.without_turn_end
    if shown.chooser is not None:
        # A verb with one card left is that card.
        lit = shown.chooser.chosen
        return lit.pick.key, getattr(lit.value, "card", "")
    return () if shown.ends is None or unfinished is None else (getattr(unfinished.moves[-1], "card", ""),)


def asked_about(shown: Situation) -> tuple[Text, ...]:
    """The card that somebody asks about: its name, what it does, and what it would do now."""
    found = shown.asked_card
    if found is None or isinstance(found, Text):
        return () if found is None else (found,)
    return tuple(text for text in (found.name, found.does, found.now) if text is not None)


def taught(shown: Situation, *, is_refused: bool) -> tuple[Text, ...]:
    """What is taught now: the rule behind a refusal comes before the question, a lesson for it after.

    The goal is left out once the set-up is told: it was read before.
    """
    if shown.is_menu or (shown.complaint is not None) != is_refused:
        return ()
    is_read = has_goal_and_set_up(shown.lessons)
    return tuple(one.text for one in shown.lessons if one.key != GOAL or not is_read)


def is_by_buttons(shown: Situation) -> bool:
    """Whether an answer can only come from the buttons: no camera looks, and the game asks somebody at the box."""
    running = shown.running
    return running is not None and not (running.is_over or running.is_private or shown.has_camera)


def offered(shown: Situation) -> Text | None:
    """What ✔ would do, in words; nothing where only one player's phone may say it."""
    if shown.is_private and not shown.is_menu:
        return None
    found = shown.proposal.explanations
    if shown.chooser is None and len(found) == 1 and found[0].says:
        return in_a_row(found[0].says)
    return shown.offered


def knocking(knock: KnockShown) -> tuple[Text, ...]:
    """Who knocks, and the lights that the phone must show, too."""
    lit = [beat.layer for beat in knock.sign.beats if any(glow is Glow.ON for glow in beat.layer.bar)]
    if not lit:
        return (knock.text,)
    count = sum(glow is Glow.ON for glow in lit[0].bar)
    suits = tuple(lamp_name(name) for name, glow in zip(SUITS, lit[0].suits, strict=True) if glow is Glow.ON)
    return knock.text, Text(SIGN, {"count": count, "suit": suits})


def fault(shown: Situation) -> tuple[Text, ...]:
    """What is missing, and what to do about it; a part of the panel says that itself."""
    if shown.fault == NO_PART and shown.broken is not None:
        return (shown.broken,)
    return Text(PATTERNS[shown.fault].meaning), Text(FIXES[shown.fault])


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

    def message_of(self, shown: Situation) -> Message:
        """What there is to say now, with the page's address where somebody may look for it."""
        is_free = shown.running is None or shown.is_menu
        is_asked = self._clock() < self._asked + ADDRESS_SHOWN_SECONDS
        texts = words(shown)
        if shown.knock is not None and shown.knock.code:
            # Here alone: whoever reads it is beside the box. A page, which shows the same words, isn't.
            texts = (Text(CODE, {"code": in_groups(shown.knock.code)}), *texts)
        if not (is_free or is_asked):
            return self.message(*texts)
        # The same: who reads the password is beside the box.
        own = self._network()
        return self.message(*texts, *([own.words] if own.is_open else []), link=self._where())

    def lines(self, shown: Situation) -> str:
        """What there is to say now, a line each."""
        return str(self.message_of(shown))

    def message(self, *texts: Text, link: str = "") -> Message:
        """Texts in the table's language."""
        return Message(tuple(self._translate(text) for text in texts), link)

    def close(self) -> None:
        """Leave the display dark, or with a last word that stays until the plug is pulled."""
        self._display.close(self._last)

    def tick(self) -> None:
        """Write the line anew where the page's address has changed: the box may have come into another network."""
        if self._shown is not None and self.message_of(self._shown) != self._written:
            self._show(self._shown)

    def _show(self, shown: Situation) -> None:
        self._shown, self._written = shown, self.message_of(shown)
        self._display.write(self._written)

    def _ask(self, event: AskedAgain) -> None:
        self._asked = self._clock()

    def _switch_off(self, event: SwitchedOff) -> None:
        self._last = self.message(SAFE)
        self._display.write(self._last)
