"""One word for one thing in each language: catalogues and manual keep to the glossary and to one form of address."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

import msgspec
import pytest

from companion.locale import DOMAINS, GAMES, KITS, LOCALE, po_path
from companion.locale.po import parse
from companion.text import LANGUAGES
from tests.source import FOLDERS, modules, source

ROOT = LOCALE.parent.parent
every_translation = pytest.mark.parametrize("language", LANGUAGES[1:])


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    english: str
    says: str
    cased: bool = False
    only_here: bool = False
    excepted: tuple[str, ...] = msgspec.field(default=(), name="except")

    def is_in(self, english: str) -> bool:
        return english not in map(plain, self.excepted) and bool(
            re.search(rf"\b({self.english})\b", english, re.IGNORECASE)
        )

    def is_kept_by(self, translation: str) -> bool:
        return bool(re.search(self.says, translation, re.NOFLAG if self.cased else re.IGNORECASE))


class Never(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: tuple[str, ...]
    because: str


class Address(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    never: tuple[str, ...]


class Glossary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    never: tuple[Never, ...] = ()
    term: tuple[Term, ...] = ()
    address: Address | None = None


@cache
def glossaries(language: str) -> dict[str, Glossary]:
    """The language's own glossary, under "", and those of the games."""
    files = {"": LOCALE / language / "glossary.toml"} | {
        game: KITS / game / "locale" / f"{language}.toml" for game in GAMES
    }
    return {
        home: msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Glossary) for home, file in files.items()
    }


def terms(language: str) -> list[tuple[Term, list[tuple[str, str]]]]:
    """Every term with the entries it speaks of: English text and translation."""
    return [
        (term, [entry for room, *entry in entries(language) if not term.only_here or room == home])
        for home, glossary in glossaries(language).items()
        for term in glossary.term
    ]


def formal(language: str) -> tuple[str, ...]:
    address = glossaries(language)[""].address
    assert address is not None
    return address.never


@cache
def entries(language: str) -> list[tuple[str, str, str]]:
    """Every entry of a language: its room, the English text and the translation."""
    return [
        (domain, plain(english), plain(said))
        for domain in DOMAINS
        for english, said in parse(po_path(domain, language).read_text(encoding="utf-8")).items()
    ]


def plain(text: str) -> str:
    """A text without its placeholders and without what is typed into a terminal."""
    return re.sub(r"\{\w+\}|`[^`]*`", "…", text)


def pages(language: str) -> list[Path]:
    return sorted((ROOT / "docs" / language).glob("*.md"))


def found(words: tuple[str, ...], text: str) -> list[str]:
    return [word for word in words if re.search(rf"(?<![\w-]){re.escape(word)}\b", text, re.IGNORECASE)]


@every_translation
def test_a_word_of_the_glossary_is_translated_by_it(language):
    wrong = [
        f"{term.english}: {english!r} -> {said!r}"
        for term, spoken in terms(language)
        for english, said in spoken
        if term.is_in(english) and not term.is_kept_by(said)
    ]
    assert wrong == []


@every_translation
def test_every_word_and_every_exception_of_the_glossary_is_needed(language):
    for term, spoken in terms(language):
        assert any(term.is_in(english) for english, _ in spoken), term
        for text in term.excepted:
            said = [said for english, said in spoken if english == plain(text)]
            assert [term.is_kept_by(one) for one in said] == [False], f"an exception for nothing: {text}"


@every_translation
def test_no_entry_and_no_page_uses_a_word_that_the_glossary_forbids(language):
    texts = [(repr(english), said) for _, english, said in entries(language)]
    texts += [(page.name, page.read_text(encoding="utf-8")) for page in pages(language)]
    wrong = [
        f"{where}: {word!r}, {never.because}"
        for glossary in glossaries(language).values()
        for never in glossary.never
        for where, said in texts
        for word in found(never.words, said)
    ]
    assert wrong == []


@every_translation
def test_every_text_addresses_people_in_one_form(language):
    texts = [(repr(english), said) for _, english, said in entries(language)]
    texts += [(page.name, page.read_text(encoding="utf-8")) for page in pages(language)]
    assert [f"{where}: {word!r}" for where, said in texts for word in found(formal(language), said)] == []


def test_a_text_that_breaks_the_glossary_is_noticed():
    shrine = next(term for term, _ in terms("nl") if term.english == "shrines?")
    assert shrine.is_in("Only one shrine may be taken in a turn.")
    assert not shrine.is_kept_by("Per beurt mag maar één schrijn gebruikt worden.")
    assert found(formal("nl"), "Druk op uw knop.") == ["uw"]


def test_the_words_of_the_code_stand_in_their_order():
    page = (ROOT / "docs" / "dev" / "glossary.md").read_text(encoding="utf-8").split("## Words not to use")[0]
    words = re.findall(r"^\| (?!word|---)(.+?) \|", page, re.MULTILINE)
    assert len(words) > 50
    assert words == sorted(words)


@cache
def forbidden_words() -> set[str]:
    page = (ROOT / "docs" / "dev" / "glossary.md").read_text(encoding="utf-8").split("## Words not to use")[1]
    words = {row.split("|")[1].strip() for row in page.splitlines() if row.startswith("| ")} - {"not", "---"}
    return words | {f"{word}s" for word in words}


def forbidden_names(path: Path) -> set[str]:
    """The names of a module that have a word which the glossary of the code forbids."""
    words = {name: set(re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower().split("_")) for name in source(path).names}
    return {name for name, parts in words.items() if parts & forbidden_words()}


@pytest.mark.parametrize("room", FOLDERS)
def test_no_module_uses_a_word_that_the_glossary_of_the_code_forbids(room: str):
    assert len(forbidden_words()) > 5
    paths = [*modules(room)]
    assert paths
    assert {f"{path.relative_to(ROOT)}: {name}" for path in paths for name in forbidden_names(path)} == set()


def test_a_forbidden_word_in_a_module_is_noticed(tmp_path):
    module = tmp_path / "ballots.py"
    module.write_text("class FirstGlance:\n    def look(self, metronome):\n        self.misfit_mm = sightings = 1\n")
    assert forbidden_names(module) == {"ballots", "FirstGlance", "metronome", "misfit_mm", "sightings"}
