"""The text display: every message in four languages is read back from its pictures, letter by letter."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from functools import cache

import cv2
import numpy as np
import pytest
from PIL import Image

from companion.catalogue import Catalogue
from companion.locale.__main__ import DOMAINS, collect
from companion.text import LANGUAGES
from hardware.display import LINK_PAGE_SECONDS, Display, Message, SilentDisplay, compact, linked, pages
from hardware.lettering import (
    BOX,
    PAGE_MARK_PIXELS,
    DisplayLine,
    can_write,
    enlarged,
    glyph,
    set_out,
    width_of,
    wrapped,
)

SIZES = [(128, 64), (128, 32)]
SPOKEN = "AĄBCĆDEĘFGHIJKLŁMNŃOÓPQRSŚTUVWXYZŹŻaąbcćdeęfghijklłmnńoópqrsśtuvwxyzźż áéíóúüñÁÉÍÓÚÜÑ¿¡ ëïöüéèêËÏÖÜÉ"


@cache
def messages() -> tuple[str, ...]:
    """Every message of every catalogue."""
    return tuple(str(message.id) for domain in DOMAINS for message in collect(domain) if message.id)


def sentences(language: str) -> Iterator[str]:
    """Every message in a language, with something in the place of its values."""
    catalogue = Catalogue(language)
    for message in messages():
        yield " ".join(re.sub(r"\{\w+\}", "Ż9", catalogue.translate(message)).split())


def alike(text: str) -> str:
    """A text with one sign for all that look the same."""
    return text.translate(SAME).rstrip()


ALPHABET = sorted(
    set(SPOKEN + string.ascii_letters + string.digits + string.punctuation + "◀▶✔✖›…–„”“×·°→←«»Ωµ\N{NO-BREAK SPACE}"),
    key=lambda letter: -glyph(letter).width,
)
# Signs that look the same in print, too.
SAME = str.maketrans(
    {"0": "O", "…": "...", '"': "''", "\N{NO-BREAK SPACE}": " ", "’": "'", "‘": "'", "—": "–", "−": "-"}
)


@cache
def columns_of(letter: str, scale: int) -> list[int]:
    """Which rows are lit in each column of a letter and of the gap behind it, a bit each."""
    one = glyph(letter)
    shape = enlarged(one.spots) if scale == 2 else one.spots
    return [sum(1 << y for x, y in shape if x == column) for column in range((one.width + 1) * scale)]


@cache
def beginning_with(column: int, scale: int) -> list[str]:
    """The letters whose first column is this one, the widest first."""
    return [letter for letter in ALPHABET if columns_of(letter, scale)[0] == column]


def read(picture: Image.Image, row: DisplayLine, top: int) -> str:
    """The letters of a row, told by their pixels alone: nobody says what is written there."""
    lit = np.array(picture)[top : top + row.height]
    columns = [int(column) for column in (1 << np.arange(len(lit))) @ lit]
    end = max((x + 1 for x, column in enumerate(columns) if column), default=0)
    columns = columns[:end] + [0] * row.scale

    @cache
    def rest(left: int) -> str | None:
        if left >= end:
            return ""
        for letter in beginning_with(columns[left], row.scale):
            wanted = columns_of(letter, row.scale)
            if columns[left : left + len(wanted)] == wanted and (tail := rest(left + len(wanted))) is not None:
                return letter + tail
        return None

    text = rest(0)
    assert text is not None, f"a pixel of {row.text!r} belongs to no letter"
    return text


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_can_be_read_whole_on_every_display(size: tuple[int, int], language: str) -> None:
    for sentence in sentences(language):
        rows = set_out((sentence,), size)
        for page in rows:
            assert sum(row.height for row in page) <= size[1], "a row is cut"
            assert all(width_of(row.text) * row.scale <= size[0] for row in page), "a letter is cut"
        text = " ".join(row.text for page in rows for row in page)
        assert text.replace(" ", "") == sentence.replace(" ", ""), "a letter is lost"
        assert all(map(can_write, sentence))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_drawn_is_what_is_written(size: tuple[int, int], language: str) -> None:
    # All of them on the high display, and every seventh on the low one, where rows are the same.
    for sentence in list(sentences(language))[:: 1 if size == SIZES[0] else 7]:
        drawn = pages(Message((sentence,)), size)
        laid_out = set_out((sentence,), size)
        assert len(drawn) == len(laid_out)
        for page, rows in zip(drawn, laid_out, strict=True):
            spare = size[1] - sum(row.height for row in rows)
            gap = min(2, spare // max(1, len(rows) - 1))
            top = (spare - gap * (len(rows) - 1)) // 2
            picture = page.picture if len(drawn) == 1 else page.picture.crop((0, 0, size[0] - 1, size[1]))
            for row in rows:
                assert alike(read(picture, row, top)) == alike(row.text)
                top += row.height + gap


def test_letters_differ_from_one_another_and_stay_in_their_box() -> None:
    letters = sorted(set(SPOKEN + string.ascii_letters + string.digits + string.punctuation + "◀▶✔✖›…–"))
    shapes: dict[tuple[frozenset[tuple[int, int]], int], str] = {}
    for letter in letters:
        assert can_write(letter), letter
        one = glyph(letter)
        assert all(0 <= x < one.width and 0 <= y < BOX for x, y in one.spots), letter
        # Print tells O from 0 by their width and I from | by nothing: both are told by the words around them.
        other = shapes.setdefault((one.spots, one.width), letter)
        assert {other, letter} in ({letter}, {"O", "0"}, {"'", "’"}), f"{other} looks like {letter}"


def test_a_letter_that_cant_be_drawn_is_a_question_mark() -> None:
    assert glyph("漢") == glyph("?")
    assert not can_write("漢")


def test_lines_break_between_words_and_only_a_long_word_within() -> None:
    assert wrapped("one two three", width_of("one two")) == ["one two", "three"]
    assert "".join(wrapped("x" * 60, 40)) == "x" * 60
    assert all(width_of(line) <= 40 for line in wrapped("y" + "x" * 60 + " z", 40))


def test_short_words_are_large_and_the_most_urgent_ones_stay_so() -> None:
    (page,) = set_out(("Yes?",), (128, 64))
    assert [row.scale for row in page] == [2]
    (page,) = set_out(("✔ blue 3", "Player 2 plays a card, then turns up another one."), (128, 64))
    assert [row.scale for row in page] == [2, 1, 1]


def test_long_words_take_turns_with_a_mark_that_tells_the_page() -> None:
    drawn = pages(Message(("word " * 60,)), (128, 32))
    assert len(drawn) > 2
    marks = [[y for y in range(32) if page.picture.getpixel((127, y))] for page in drawn]
    assert sorted(y for mark in marks for y in mark) == list(range(32)), "together they are the whole edge"
    assert all(not page.picture.crop((128 - PAGE_MARK_PIXELS + 1, 0, 127, 32)).getbbox() for page in drawn)
    assert all(page.seconds > 1.5 for page in drawn)


@pytest.mark.parametrize(
    "address",
    ["http://192.168.1.5:8080/", "http://192.168.178.123:8080/", "http://hush.local:8080/", "http://10.0.0.2:80/"],
)
def test_a_phone_can_read_the_code_of_the_address(address: str) -> None:
    picture = linked(address, (128, 64))
    shown = np.array(picture.convert("L"))
    # As a camera sees it: larger, a little blurred, a dark box around it.
    seen = cv2.GaussianBlur(cv2.copyMakeBorder(cv2.resize(shown, None, fx=6, fy=6), *[60] * 4, 0), (7, 7), 0)
    text, *_ = cv2.QRCodeDetector().detectAndDecode(seen)
    assert text.lower() == address.removesuffix("/")


def test_a_low_display_has_no_room_for_a_code_and_says_the_address() -> None:
    picture = linked("http://192.168.178.123:8080/", (128, 32))
    assert np.count_nonzero(np.array(picture)) < 128 * 32 / 6
    assert compact("http://hush.local:8080/") == "HTTP://HUSH.LOCAL:8080"


def test_the_address_comes_after_the_words() -> None:
    words, link = pages(Message(("Choose a game.",), "http://10.0.0.2:8080/"), (128, 64))
    assert link.seconds == LINK_PAGE_SECONDS
    assert words.picture.tobytes() != link.picture.tobytes()


def test_what_is_lit_stands_out() -> None:
    """An OLED's dark is no light at all; what is written fills enough of it to be seen, and never too much."""
    for page in pages(Message(("The card doesn't climb over the row.",)), (128, 64)):
        lit = np.count_nonzero(np.array(page.picture)) / (128 * 64)
        assert 0.03 < lit < 0.5


def test_a_display_that_isnt_there_takes_everything() -> None:
    display: Display = SilentDisplay()
    display.write(Message(("x",)))
    display.wake()
    display.close()
    assert display.fault is None
