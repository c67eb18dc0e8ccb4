"""How long a button is held is said in texts as a word, and measured by a constant: both agree, in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from companion.locale import DOMAINS, LOCALE, po_path
from companion.locale.po import parse
from companion.text import LANGUAGES
from hardware.button_signals import END_HOLD_SECONDS, LONG_PRESS_SECONDS
from hardware.panel import Button

SAID = {
    1.0: {"en": "for a second", "nl": "een seconde", "es": "un segundo", "pl": "sekundę"},
    2.0: {"en": "for two seconds", "nl": "twee seconden", "es": "dos segundos", "pl": "dwie sekundy"},
}
HELD = re.compile(r"\b[Hh](?:old|olds|eld) ?(✔|✖|the button|) (for (?:a|\w+) seconds?)")
DOCS = LOCALE.parent.parent / "docs"


def wrong_times(english: str) -> list[str]:
    """What a text says of a hold that no constant says: ✔ asks after its long press and ends something after a hold."""
    long = {
        "✖": (LONG_PRESS_SECONDS[Button.BACK],),
        "✔": (LONG_PRESS_SECONDS[Button.CONFIRM], END_HOLD_SECONDS),
    }
    return [
        f"{button} {said}"
        for button, said in HELD.findall(english)
        if said not in [SAID[seconds]["en"] for seconds in long.get(button, (END_HOLD_SECONDS,)) if seconds in SAID]
    ]


def held() -> Iterator[str]:
    for domain in DOMAINS:
        for english in parse(po_path(domain, LANGUAGES[1]).read_text(encoding="utf-8")):
            if HELD.search(english):
                yield english


def test_every_text_and_page_says_as_long_as_it_takes() -> None:
    texts = [*held(), *(page.read_text(encoding="utf-8") for page in (*DOCS.glob("*.md"), *DOCS.glob("en/*.md")))]
    assert len([*held()]) > 6
    assert [wrong for text in texts for wrong in wrong_times(text)] == []


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_translation_says_the_same_time(language: str) -> None:
    entries = [entry for domain in DOMAINS for entry in parse(po_path(domain, language).read_text("utf-8")).items()]
    wrong = [
        said
        for english, said in entries
        for _, time in HELD.findall(english)
        for words in SAID.values()
        if words["en"] == time and words[language] not in said.lower()
    ]
    assert wrong == []


def test_another_time_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.END_HOLD_SECONDS", 3.0)
    assert wrong_times("Sure? Hold ✔ for two seconds, ✖ goes back.") == ["✔ for two seconds"]
