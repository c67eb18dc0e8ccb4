"""The text display as a value and a port: what stands on it, page by page, and what a display must do.

No bus and no thread here; those are in `oled`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

import segno
from msgspec import Struct
from PIL import Image

from companion.text import Text
from hardware.lettering import BOX, paint, set_out, width_of, wrapped

PAGE_SECONDS, LETTER_SECONDS = 1.5, 0.04
"""How long a page stands that isn't the only one: so long, and so much longer for each letter."""
LINK_PAGE_SECONDS = 8.0
"""How long the page with the address stands, so that a phone can read its code."""
SPARE = 2
"""The most pixels between two rows."""
QUIET = 4
"""How wide the light edge round a QR code must be, in its modules."""


class Message(Struct, frozen=True):
    """What is to be read now: paragraphs, the most urgent first, and perhaps the address of the page."""

    paragraphs: tuple[str, ...] = ()
    link: str = ""

    def __str__(self) -> str:
        return "\n".join((*self.paragraphs, *([self.link] if self.link else [])))


BLANK = Message()


class DisplayPage(Struct, frozen=True):
    """One picture of a message and how long it stands; for ever where it's the only one."""

    picture: Image.Image
    seconds: float


def pages(message: Message, size: tuple[int, int]) -> list[DisplayPage]:
    """A message as pictures that take turns: its words, broken between them, then the address with its QR code."""
    found = list(_worded(message.paragraphs, size)) if message.paragraphs else []
    if message.link:
        found.append(DisplayPage(linked(message.link, size), LINK_PAGE_SECONDS))
    return found or [DisplayPage(Image.new("1", size), LINK_PAGE_SECONDS)]


def _worded(paragraphs: tuple[str, ...], size: tuple[int, int]) -> Iterator[DisplayPage]:
    laid_out = set_out(paragraphs, size)
    for number, rows in enumerate(laid_out):
        picture = Image.new("1", size)
        # What has room to spare stands in the middle, its rows a little apart.
        spare = size[1] - sum(row.height for row in rows)
        gap = min(SPARE, spare // max(1, len(rows) - 1))
        top = (spare - gap * (len(rows) - 1)) // 2
        for row in rows:
            paint(picture, row.text, (0, top), row.scale)
            top += row.height + gap
        if len(laid_out) > 1:
            _mark_place(picture, number, len(laid_out))
        yield DisplayPage(picture, PAGE_SECONDS + LETTER_SECONDS * sum(len(row.text) for row in rows))


def _mark_place(picture: Image.Image, number: int, count: int) -> None:
    """A line down the right edge: which part of all pages this one is."""
    width, height = picture.size
    for y in range(height * number // count, height * (number + 1) // count):
        picture.putpixel((width - 1, y), 1)


def linked(address: str, size: tuple[int, int]) -> Image.Image:
    """The address, and beside it its QR code where the display is high enough for one that a phone can read."""
    picture = Image.new("1", size)
    shown = address.removeprefix("http://").removesuffix("/")
    code = segno.make(compact(address), error="l", micro=False, boost_error=False)
    modules = int(code.symbol_size(border=0)[0])
    left = 0
    if size[1] >= 2 * (modules + 2 * QUIET - 2):
        side = size[1]
        picture.paste(1, (0, 0, side, side))
        edge = (side - 2 * modules) // 2
        for y, modules_of_row in enumerate(code.matrix):
            for x, is_dark in enumerate(modules_of_row):
                if is_dark:
                    picture.paste(0, (edge + 2 * x, edge + 2 * y, edge + 2 * x + 2, edge + 2 * y + 2))
        left = side + 3
    room = size[0] - left
    lines = [shown] if width_of(shown) <= room else wrapped(_parted(shown), room)
    top = max(0, (size[1] - (BOX + 2) * len(lines)) // 2)
    for row, line in enumerate(lines):
        paint(picture, line, (left, top + row * (BOX + 2)))
    return picture


def compact(address: str) -> str:
    """An address as a smaller QR code has it: capitals mean the same before the first slash, and take less room.

    >>> compact("http://192.168.1.5:8080/"), compact("http://hush.local/x")
    ('HTTP://192.168.1.5:8080', 'http://hush.local/x')
    """
    bare = address.removesuffix("/")
    return bare.upper() if "/" not in bare.removeprefix("http://") else address


def _parted(address: str) -> str:
    """An address that may be broken before its port."""
    host, colon, port = address.rpartition(":")
    return f"{host} {colon}{port}" if colon else address


class Display(ABC):
    """The port: a display that shows a message until the next one. Usable from any thread; closing twice is fine."""

    fault: Text | None = None
    """Why nothing can be read on it, if so."""

    @abstractmethod
    def write(self, message: Message) -> None:
        """Show a message until the next one."""

    @abstractmethod
    def wake(self) -> None:
        """Somebody is there: shine as bright as it can for a while."""

    @abstractmethod
    def close(self, last: Message = BLANK) -> None:
        """Stop; what is left on the display is the last message."""


class SilentDisplay(Display):
    """A display that isn't there."""

    def write(self, message: Message) -> None:
        """Nothing to show it on."""

    def wake(self) -> None:
        """Nothing to wake."""

    def close(self, last: Message = BLANK) -> None:
        """Nothing to close."""
