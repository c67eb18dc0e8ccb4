"""The text display's adapter: an SSD1306 or SH1106 on the I2C bus, through luma.oled, in a thread of its own.

A display that isn't there, or that goes away, is a fault and looked for again; nobody waits for it.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable
from typing import Any

from msgspec import structs

from companion.text import N_, Text
from hardware.display import BLANK, Display, DisplayPage, Message, pages
from hardware.outfit import DisplaySettings

log = logging.getLogger(__name__)
BRIGHT_CONTRAST, DIM_CONTRAST = 200, 1
"""What the chip is told about its contrast, 0 to 255."""
DARK_AFTER = 30
"""A display that shows the same for so many times the seconds after which it dims goes dark: its pixels age."""
DISPLAY_RETRY_SECONDS = 10.0
"""Seconds after which a display that failed is tried again."""
PICTURE_HANGS_SECONDS = 3.0
"""A picture takes a tenth of a second; one that takes this many seconds never comes."""
LINK_AFTER_ROUNDS = 2
"""How many times the page with the address has its turn; then the words stand alone."""
BUS = 1
CLOSING_SECONDS = 1.0


def open_device(settings: DisplaySettings) -> Any:
    """The display, cleared. Raises what luma and the system raise."""
    from luma.core.interface.serial import i2c
    from luma.oled import device

    width, height = settings.pixels
    make = {"ssd1306": device.ssd1306, "sh1106": device.sh1106}[settings.chip]
    serial = i2c(port=BUS, address=settings.address)
    return make(serial, width=width, height=height, rotate=2 if settings.turned else 0)


class OledDisplay(Display):
    """A display on the bus. `opens` makes luma's device; with a clock of its own it's stepped by hand."""

    def __init__(
        self,
        settings: DisplaySettings,
        opens: Callable[[DisplaySettings], Any] = open_device,
        clock: Callable[[], float] | None = None,
    ):
        self._settings = settings
        self._opens = opens
        self._clock = clock or time.monotonic
        self._device: Any = None
        self._try_at = -math.inf
        self._message = BLANK
        self._pages: list[DisplayPage] = []
        self._at = 0
        self._rounds = 0
        self._next_page_at = math.inf
        self._woken_at = self._clock()
        self._contrast: int | None = None
        self._busy_since: float | None = None
        self._changed = threading.Condition()
        self._is_stale = False
        self._is_woken = False
        self._closed = False
        self._thread: threading.Thread | None = None
        if clock is None:
            self._thread = threading.Thread(target=self._run, name="display", daemon=True)
            self._thread.start()

    def write(self, message: Message) -> None:
        """Show a message; the same one again changes nothing."""
        with self._changed:
            since = self._busy_since
            if since is not None and self._clock() - since > PICTURE_HANGS_SECONDS:
                self.fault = Text(N_("The display's bus hangs. Check its four wires, then start the Pi again."))
            if message == self._message or self._closed:
                return
            self._message, self._pages, self._is_stale = message, [], True
            self._woken_at = self._clock()
            self._changed.notify_all()

    def wake(self) -> None:
        """Shine bright again."""
        with self._changed:
            self._woken_at, self._is_woken = self._clock(), True
            self._changed.notify_all()

    def close(self, last: Message = BLANK) -> None:
        """Show the last message, or nothing, and give the bus back; a bus that hangs isn't waited for."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(CLOSING_SECONDS)
        if self._device is None or self._busy_since is not None:
            return
        try:
            self._device.persist = True
            if last == BLANK:
                self._device.hide()
            else:
                self._device.show()
                self._device.display(pages(last, self._settings.pixels)[0].picture)
            self._device.cleanup()
        except Exception as error:
            log.warning("display: %s", error)

    def step(self) -> float:
        """Do what is due now; returns when something is due next. Belongs to one thread."""
        with self._changed:
            now = self._clock()
            if self._closed:
                return math.inf
            if not self._pages:
                self._pages, self._at = pages(self._message, self._settings.pixels), 0
                self._rounds = 0
                self._next_page_at = now + self._pages[0].seconds if len(self._pages) > 1 else math.inf
            elif now >= self._next_page_at:
                self._next_page(now)
            page, contrast, dims_at = self._pages[self._at], *self._brightness(now)
            if self._device is None and now < self._try_at:
                return self._try_at
            self._busy_since = now
            is_stale, self._is_stale = self._is_stale or self._device is None, False
        try:
            self._show(page if is_stale else None, contrast)
            self.fault = None
        except Exception as error:
            self._failed(error)
        finally:
            self._busy_since = None
        return min(self._next_page_at, dims_at, self._try_at if self._device is None else math.inf)

    def _next_page(self, now: float) -> None:
        self._at = (self._at + 1) % len(self._pages)
        if self._at == 0:
            self._rounds += 1
        if self._rounds == LINK_AFTER_ROUNDS and self._message.link and self._message.paragraphs:
            self._pages = pages(structs.replace(self._message, link=""), self._settings.pixels)
        self._next_page_at = now + self._pages[self._at].seconds if len(self._pages) > 1 else math.inf
        self._is_stale = True

    def _brightness(self, now: float) -> tuple[int, float]:
        """How bright it should be, and when that changes; 0 is dark."""
        dims, darkens = (self._woken_at + self._settings.dim_after * times for times in (1, DARK_AFTER))
        if now < dims:
            return BRIGHT_CONTRAST, dims
        return (DIM_CONTRAST, darkens) if now < darkens else (0, math.inf)

    def _show(self, page: DisplayPage | None, contrast: int) -> None:
        if self._device is None:
            self._device, self._contrast = self._opens(self._settings), None
        if page is not None:
            self._device.display(page.picture)
        if contrast != self._contrast:
            (self._device.show if contrast else self._device.hide)()
            if contrast:
                self._device.contrast(contrast)
            self._contrast = contrast

    def _failed(self, error: Exception) -> None:
        """The display is gone: say so once, and look for it again later."""
        if self.fault is None:
            log.warning("display: %s", error)
        self.fault = reason(self._settings, error)
        device, self._device = self._device, None
        self._try_at = self._clock() + DISPLAY_RETRY_SECONDS
        if device is not None:
            # Else luma would write to it once more when the program ends.
            device.persist = True

    def _run(self) -> None:
        while not self._closed:
            self._sleep(self.step())

    def _sleep(self, due: float) -> None:
        with self._changed:
            seconds = due - self._clock()
            if not (self._closed or self._is_stale or self._is_woken) and seconds > 0:
                self._changed.wait(None if math.isinf(due) else seconds)
            self._is_woken = False


def reason(settings: DisplaySettings, error: Exception) -> Text:
    """What is wrong with a display, and what to do."""
    said = f"{type(error).__name__}: {error}"
    if isinstance(error, ImportError):
        return Text(N_("The library luma.oled is missing: install Hush again."))
    if "/dev/i2c" in said:
        return Text(N_("There is no I2C bus: write dtparam=i2c_arm=on into config.txt and start the Pi again."))
    if "NotFound" in said:
        return Text(
            N_("No display answers at {address}: check its wires, and try the other address (0x3c, 0x3d)."),
            {"address": f"0x{settings.address:02x}"},
        )
    return Text(N_("The display fails: {reason}"), {"reason": said})
