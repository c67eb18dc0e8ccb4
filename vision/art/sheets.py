"""Everything that can be printed, by its name, and how a PDF is made of it.

A new sheet is a function that gives pages, and a line where `Prints` is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from companion.text import N_
from vision.art.paper import Page, write_pages
from vision.errors import VisionError

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}


class Wish(Struct, frozen=True):
    """How people want something printed: on which paper in millimetres, and without the backs that tell nothing."""

    paper: tuple[float, float]
    fronts_only: bool = False


class Sheet(Struct, frozen=True):
    """Something to print: its pages, what it is in a few words, and whether its sheets are printed on both sides."""

    pages: Callable[[Wish], Iterable[Page]]
    about: str
    has_backs: bool = False


class Prints(Struct, frozen=True):
    """What there is to print, by name."""

    sheets: Mapping[str, Sheet]

    @property
    def things(self) -> list[str]:
        """What can be printed."""
        return list(self.sheets)


def print_pdf(
    what: str,
    paper: str,
    target: Path,
    prints: Prints,
    *,
    fronts_only: bool = False,
    low_ink: bool = False,
    on_page: Callable[[int, int], None] = lambda done, pages: None,
) -> int:
    """Write a PDF; tells how many pages of how many are done, and returns their number."""
    if paper not in PAPERS:
        raise VisionError(N_("no paper {paper}; there are {known}"), paper=paper, known=", ".join(PAPERS))
    if what not in prints.sheets:
        known = ", ".join(prints.things)
        raise VisionError(N_("there is no {what} to print; there are {known}"), what=what, known=known)
    pages = list(prints.sheets[what].pages(Wish(PAPERS[paper], fronts_only)))
    try:
        return write_pages(target, pages, f"Hush: {what}", low_ink, lambda done: on_page(done, len(pages)))
    except OSError as error:
        raise VisionError(N_("{path} can't be written: {error}"), path=target, error=error) from None
