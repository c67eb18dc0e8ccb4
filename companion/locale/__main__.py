"""`python -m companion.locale`: collect the messages from the sources and merge them into the catalogues.

Run it after changing a text; it prints what still lacks a translation. Texts are marked with `N_` or `_`.
"""

from __future__ import annotations

import sys
from functools import cache
from io import BytesIO

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from companion.locale import DOMAINS, LOCALE, po_path
from companion.locale.po import parse
from companion.text import LANGUAGES

ROOT = LOCALE.parent.parent
KEYWORDS = {"N_": None, "_": None}


@cache
def collect(domain: str) -> Catalog:
    """All marked messages of a room, in the order of the sources. They're read once, for all languages."""
    catalog = Catalog(domain=domain, project="Hush", charset="utf-8")
    for pattern in DOMAINS[domain]:
        for source in sorted(ROOT.glob(pattern)):
            for _line, message, comments, _context in extract_from_file("python", source, KEYWORDS, ["i18n:"]):
                name = message if isinstance(message, str) else message[0]
                if name:
                    catalog.add(name, auto_comments=comments)
    return catalog


def merge(domain: str, language: str) -> Catalog:
    """The catalogue of a language, brought up to date with the sources; obsolete messages are dropped."""
    path = po_path(domain, language)
    found = collect(domain)
    merged = Catalog(locale=language, domain=domain, project="Hush", charset="utf-8")
    old = read_po(BytesIO(path.read_bytes()), locale=language) if path.is_file() else merged
    for message in found:
        if message.id:
            known = old.get(message.id)
            merged.add(message.id, known.string if known else "")
    return merged


def missing(domain: str, language: str) -> list[str]:
    """The messages of a room that a language lacks."""
    return [str(m.id) for m in merge(domain, language) if m.id and not m.string]


def written(catalog: Catalog) -> bytes:
    """A catalogue as the text of its .po file."""
    buffer = BytesIO()
    write_po(buffer, catalog, omit_header=False, width=110, sort_output=False, no_location=True)
    lines = buffer.getvalue().decode().splitlines(keepends=True)
    # Dates and tool versions would change the file at every run.
    return "".join(line for line in lines if not line.startswith(UNSTABLE)).encode()


UNSTABLE = (
    '"POT-Creation-Date', '"PO-Revision-Date', '"Generated-By', '"Last-Translator', '"Language-Team',
    '"Report-Msgid', "# FIRST AUTHOR", "# Copyright", "# This file",
)  # fmt: skip


def known(language: str) -> dict[str, str]:
    """Every translation on disk, also of a room that has gone. Where rooms share a message, the first one's counts."""
    said: dict[str, str] = {}
    rooms = [po_path(domain, language) for domain in DOMAINS]
    for path in (*rooms, *sorted(LOCALE.glob(f"{language}/LC_MESSAGES/*.po"))):
        for message, translation in parse(path.read_text(encoding="utf-8")).items() if path.is_file() else ():
            said.setdefault(message, translation)
    return said


def main() -> int:
    """Bring all catalogues up to date. A text keeps its translation when it moves to another room."""
    lacking = 0
    for language in LANGUAGES[1:]:
        said = known(language)
        for domain in DOMAINS:
            catalog = merge(domain, language)
            for message in catalog:
                if message.id:
                    message.string = said.get(str(message.id), "")
            path = po_path(domain, language)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(written(catalog))
            for lack in (str(m.id) for m in catalog if m.id and not m.string):
                lacking += 1
                print(f"{language} {domain}: {lack}")
    print(f"{lacking} translations missing" if lacking else "all translations are there")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
