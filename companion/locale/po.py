"""Reads the translations from the .po files themselves; nothing needs to be compiled first."""

from __future__ import annotations

import re
from functools import cache

from companion.locale import DOMAINS, GAMES, po_path

_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


@cache
def messages(language: str) -> dict[str, str]:
    """All translations of a language, read once. Where rooms share a message, the first room's translation counts."""
    found: dict[str, str] = {}
    for domain in DOMAINS:
        path = po_path(domain, language)
        if domain in GAMES and not path.is_file():
            continue  # a game that nobody has translated speaks English
        for message, translation in parse(path.read_text(encoding="utf-8")).items():
            found.setdefault(message, translation)
    return found


def parse(text: str) -> dict[str, str]:
    r"""The messages of a .po file with their translations; the header and what isn't translated are left out.

    Of the format it knows what our files have: no plurals and no contexts. Anything else is a `ValueError`.

    >>> parse('msgid "the sun"\nmsgstr ""\n"de "\n"zon"\n\nmsgid "the moon"\nmsgstr ""\n')
    {'the sun': 'de zon'}
    """
    found: dict[str, str] = {}
    message: list[str] = []
    translation: list[str] = []
    part = message
    for number, line in enumerate(text.split("\n"), 1):
        if not line or line.startswith("#"):
            continue
        keyword, _, rest = line.partition('"')
        if keyword == "msgid ":
            _keep(found, message, translation)
            part = message = []
            translation = []
        elif keyword == "msgstr " and message:
            part = translation
        elif keyword or not message:
            raise ValueError(f"line {number} of the translations isn't understood: {line!r}")
        if not rest.endswith('"'):
            raise ValueError(f"line {number} of the translations has no closing quote: {line!r}")
        part.append(_ESCAPE.sub(_character, rest[:-1]))
    _keep(found, message, translation)
    return found


def _keep(found: dict[str, str], message: list[str], translation: list[str]) -> None:
    source, translated = "".join(message), "".join(translation)
    if source and translated:
        found[source] = translated


def _character(escape: re.Match[str]) -> str:
    return _ESCAPED.get(escape[1], escape[1])
