"""PDFs for the page: what `companion print` makes, and a QR code of the page's own address."""

from __future__ import annotations

import io
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import segno

from companion.games.text import N_, Text
from companion.table.card import reference
from companion.web.desk import Refused
from vision.art.sheets import PAPERS, print_pdf, things

ADDRESS_SHEET = "address"
# A sheet at 300 dpi takes much memory: one at a time is enough for any household.
_one_at_a_time = threading.Lock()


def sheets() -> tuple[str, ...]:
    """What can be printed."""
    return (ADDRESS_SHEET, *things())


def sheet(what: str, paper: str, host: str, translate: Callable[[str], str]) -> bytes:
    """A PDF. Raises `Refused` for what can't be printed; slow, so it belongs in a thread."""
    if what not in sheets() or paper not in PAPERS:
        raise Refused(404, "no_such_sheet", Text(N_("There is no such sheet to print.")))
    if what == ADDRESS_SHEET:
        drawn = io.BytesIO()
        segno.make(f"http://{host}/", error="m").save(drawn, kind="pdf", scale=12)
        return drawn.getvalue()
    with _one_at_a_time, tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "sheet.pdf"
        print_pdf(what, paper, target, lambda: reference(translate))
        return target.read_bytes()
