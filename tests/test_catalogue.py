"""The message catalogue: nothing is untranslated, no placeholder is lost, and the files are what the sources say."""

from __future__ import annotations

import shutil
import tomllib
from io import BytesIO
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from hypothesis import assume, example, given
from hypothesis import strategies as st

import companion.locale
from companion.catalogue import Catalogue, choose_language
from companion.games import GAMES
from companion.games.game import IllegalMove
from companion.games.notation import read_move, read_state
from companion.locale import DOMAINS, KITS, LOCALE, po_path
from companion.locale import __main__ as tool
from companion.locale.__main__ import collect, merge, missing, written
from companion.locale.po import messages, parse
from companion.text import LANGUAGES, OWN_NAMES
from sounds.voices import VOICES
from tests.source import ROOT

every_room = pytest.mark.parametrize("domain", DOMAINS)
every_translation = pytest.mark.parametrize("language", LANGUAGES[1:])


def placeholders(template: str) -> set[str]:
    try:
        return {name for _, name, _, _ in Formatter().parse(template) if name is not None}
    except ValueError:  # braces that are meant literally: such a text is never formatted
        return set()


def test_every_language_has_a_name_a_voice_a_manual_and_is_known_to_the_installer():
    others = LANGUAGES[1:]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packed = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert set(OWN_NAMES) == set(VOICES) == set(LANGUAGES)
    assert {path for path in packed if path != "systemd"} == {f"docs/{language}" for language in LANGUAGES}
    assert f" {' | '.join(others)}) sed" in (ROOT / "systemd/install.sh").read_text()
    assert f"# {', '.join(LANGUAGES[:-1])} or {LANGUAGES[-1]};" in (ROOT / "systemd/hush.toml").read_text()


@every_room
@every_translation
def test_no_translation_is_missing(domain, language):
    assert missing(domain, language) == []


@every_room
@every_translation
def test_a_translation_has_the_placeholders_of_its_source(domain, language):
    wrong = {
        str(message.id): str(message.string)
        for message in merge(domain, language)
        if message.id and message.string and placeholders(message.id) != placeholders(message.string)
    }
    assert wrong == {}


@every_room
@every_translation
def test_the_files_are_up_to_date_with_the_sources(domain, language):  # run: python -m companion.locale
    path = po_path(domain, language)
    catalog = merge(domain, language)
    assert path.read_bytes() == written(catalog)


@every_room
@every_translation
def test_the_box_reads_the_files_as_the_library_does(domain, language):
    file = po_path(domain, language).read_bytes()
    wanted = {message.id: message.string for message in read_po(BytesIO(file), locale=language) if message.id}
    assert parse(file.decode()) == wanted


@given(st.dictionaries(st.text(min_size=1), st.text(min_size=1), max_size=4))
@example({'a "quoted" \\ word\nand\ta new line': "\\n isn't a \r return"})
@example({"a long sentence, folded over several lines. " * 9: "langer \u2028 nog " * 20})
def test_whatever_is_written_is_read_back(texts):
    catalog = Catalog(locale="nl", charset="utf-8")
    for message, translation in texts.items():
        catalog.add(message, translation)
    file = written(catalog)
    wanted = {message.id: message.string for message in read_po(BytesIO(file), locale="nl") if message.id}
    assume(wanted == texts)  # what the library itself can't read back
    assert parse(file.decode()) == texts


@pytest.mark.parametrize(
    "line", ['msgid_plural "cards"', 'msgstr[0] "kaart"', 'msgctxt "menu"', 'msgstr "torn', "torn"]
)
def test_a_file_that_is_not_understood_is_refused_by_its_line(line):
    with pytest.raises(ValueError, match="line 2 of the translations"):
        parse(f'msgid "card"\n{line}\n')


@pytest.mark.parametrize("line", ['"torn"', 'msgstr "kaart"'])
def test_a_translation_of_nothing_is_refused(line):
    with pytest.raises(ValueError, match="line 1 of the translations"):
        parse(line)


@every_translation
def test_a_text_that_is_not_translated_stays_english(language):
    assert Catalogue(language).translate("a text of nobody") == "a text of nobody"
    assert Catalogue(language).translate("") == ""
    assert messages(language) is messages(language)  # read once


def test_a_text_that_moves_to_another_room_keeps_its_translation(tmp_path, monkeypatch, capsys):
    for language in LANGUAGES[1:]:
        shutil.copytree(LOCALE / language, tmp_path / language)
    shutil.copytree(KITS, tmp_path / "kits", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    for module in (companion.locale, tool):
        monkeypatch.setattr(module, "LOCALE", tmp_path)
    monkeypatch.setattr(companion.locale, "KITS", tmp_path / "kits")
    moved = tmp_path / "nl" / "LC_MESSAGES" / "games.po"
    moved.rename(moved.with_name("gone.po"))
    assert tool.main() == 0, capsys.readouterr().out
    assert parse(moved.read_text()) == parse((LOCALE / "nl/LC_MESSAGES/games.po").read_text())


@every_room
@every_translation
def test_a_catalogue_holds_no_message_that_no_source_has(domain, language):
    known = {message.id for message in collect(domain)}
    kept = read_po(BytesIO(po_path(domain, language).read_bytes()), locale=language)
    assert [message.id for message in kept if message.id not in known] == []


def test_the_same_message_has_the_same_translation_in_every_room():
    for language in LANGUAGES[1:]:
        said: dict[str, str] = {}
        for domain in DOMAINS:
            for message in merge(domain, language):
                if message.id and message.string:
                    assert said.setdefault(message.id, message.string) == message.string, (domain, message.id)


@every_translation
def test_every_word_and_sentence_of_a_game_is_in_its_catalogue(language):
    catalogue = Catalogue(language)
    for game in GAMES.values():
        texts = [*game.terms.values(), *game.questions.values(), *game.sentences.values()]
        known = {message.id for message in merge(game.name, language)}
        assert [text for text in texts if text not in known] == []
        assert all(catalogue.translate(text) for text in texts)


REFUSALS = [
    ("en", "red 2 doesn't climb over red 4."),
    ("nl", "Niet oplopend: de rode 2 past niet op de rode 4."),
    ("es", "No sube: el 2 rojo no puede ir sobre el 4 rojo."),
    ("pl", "Karta nie jest wyższa od ostatniej w rzędzie (czerwona 4): czerwona 2."),
]


@pytest.mark.parametrize(("language", "sentence"), REFUSALS)
def test_a_refusal_is_said_in_the_language_of_the_table(language, sentence):
    game = GAMES["silencio"]
    state = read_state(game, "silencio hands=r2,b9/b2/y2 rows=r4/-/-/-")
    with pytest.raises(IllegalMove) as refusal:
        game.apply(state, read_move(game, "play r2"))
    assert Catalogue(language).say(refusal.value.reason) == sentence


def test_characters_have_their_local_names():
    card = GAMES["similo"].card("little-red-riding-hood")
    names = [Catalogue(language).say(card) for language in LANGUAGES]
    assert names == ["Little Red Riding Hood", "Roodkapje", "Caperucita Roja", "Czerwony Kapturek"]


def test_the_tavern_is_quoted_in_dutch():
    game = GAMES["silencio"]
    state = read_state(game, "silencio tavern=yes tavern_open=yes dark_count=3 hands=r2,b9/b2/y2")
    _, (event, *_) = game.apply(state, read_move(game, "tavern please_not red"))
    said = Catalogue("nl").say(game.tell(event))
    assert said == "Speler 1 zegt in de taveerne: “Speel liever geen rood.”"


def test_a_language_that_does_not_exist_is_refused_by_name():
    with pytest.raises(ValueError, match="no language 'de'"):
        Catalogue("de")


@pytest.mark.parametrize(("environment", "language"), [
    ({}, "en"), ({"LANG": "nl_NL.UTF-8"}, "nl"), ({"LANG": "de_DE.UTF-8"}, "en"),
    ({"LC_ALL": "es_ES", "LANG": "pl_PL"}, "es"), ({"LC_ALL": "", "LANG": "pl_PL"}, "pl"), ({"LANG": "C"}, "en"),
])  # fmt: skip
def test_the_language_follows_the_locale(environment, language):
    assert choose_language(None, environment) == language
