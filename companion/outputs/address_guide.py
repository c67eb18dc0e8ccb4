"""Where the page is and the code that opens it, for who has asked: spoken, and blinked where there is no display.

What the display says of it is the text line's business. Nothing of this is heard during a silent game: the guard of all
sounds holds for it, too.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from companion.outputs import Output
from companion.outputs.text_line import CODE
from companion.session.events import AskedAgain, Changed, EventBus
from companion.session.situation import Situation
from companion.text import Text
from hardware.flourishes import STOPPED, spelled
from hardware.panel import Panel
from sounds.box import SoundBox


class Guide(Output):
    """Tells of the page when somebody asks "what now?" at the menu and no game is open.

    `where` is the page's address now, `spoken` makes a sentence of it, `blinks` is the panel if there is no display.
    """

    def __init__(
        self,
        sound: SoundBox,
        translate: Callable[[Text], str],
        where: Callable[[], str],
        spoken: Callable[[str], Text],
        blinks: Panel | None = None,
    ):
        self._sound = sound
        self._translate = translate
        self._where = where
        self._spoken = spoken
        self._blinks = blinks
        self._is_asked = False
        self._code = ""
        self._blinked: Situation | None = None

    def attach(self, bus: EventBus) -> None:
        """Subscribe to what is asked and shown."""
        bus.subscribe(AskedAgain, self._ask)
        bus.subscribe(Changed, self._changed)

    def _ask(self, event: AskedAgain) -> None:
        self._is_asked = True

    def _changed(self, event: Changed) -> None:
        shown = event.shown
        if self._blinks is not None and self._blinked is not None and shown != self._blinked:
            # Somebody goes on: what they see must be what they do.
            self._blinked = None
            self._blinks.flourish(STOPPED)
        code = "" if shown.knock is None else shown.knock.code
        if code and (self._is_asked or code != self._code):
            self._say(Text(CODE, {"code": ", ".join(code)}), shown)
            self._is_asked = False
        self._code = code
        if self._is_asked:
            self._is_asked = False
            address = self._where()
            if shown.running is None and address:
                self._tell(address, shown)

    def _tell(self, address: str, shown: Situation) -> None:
        self._say(self._spoken(address), shown)
        if self._blinks is not None:
            self._blinked = shown
            self._blinks.flourish(spelled(urlsplit(address).hostname or ""))

    def _say(self, text: Text, shown: Situation) -> None:
        # Where no game is open there is no silence to keep.
        if shown.running is None:
            self._sound.allow()
        self._sound.say(self._translate(text))
