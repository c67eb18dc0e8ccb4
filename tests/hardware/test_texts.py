"""The texts of the panel and the voice: there in four languages, with their values in place."""

from __future__ import annotations

import string

import pytest

from companion.catalogue import Catalogue
from companion.locale.__main__ import collect, missing
from companion.text import LANGUAGES
from hardware.errors import WiringError
from hardware.lights import NUMBER_PATTERNS, PATTERNS
from hardware.pinout import from_config


@pytest.mark.parametrize("domain", ["hardware", "sounds"])
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_nothing_lacks_a_translation(domain: str, language: str) -> None:
    assert missing(domain, language) == [], "run python -m companion.locale"


def fields(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name)


@pytest.mark.parametrize("domain", ["hardware", "sounds"])
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_value_of_a_sentence_is_kept(domain: str, language: str) -> None:
    catalogue = Catalogue(language)
    for message in collect(domain):
        if message.id:
            assert fields(catalogue.translate(str(message.id))) == fields(str(message.id)), message.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_error_is_said_in_the_persons_language(language: str) -> None:
    with pytest.raises(WiringError) as caught:
        from_config({"sun": 5, "moon": 5})
    said = {
        "en": "GPIO 5 is used twice: by the sun and by the moon.",
        "nl": "GPIO 5 wordt twee keer gebruikt: door de zon en door de maan.",
        "es": "GPIO 5 se usa dos veces: el sol y la luna.",
        "pl": "GPIO 5 użyto dwa razy: słońce oraz księżyc.",
    }
    assert caught.value.notice.render(Catalogue(language).translate) == said[language]


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_pattern_has_its_meaning_in_every_language(language: str) -> None:
    catalogue = Catalogue(language)
    for one in (*PATTERNS.values(), *NUMBER_PATTERNS):
        assert catalogue.translate(one.meaning) != one.meaning
