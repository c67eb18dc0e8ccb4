"""What `companion print` prints, measured: sizes, fronts and backs, colours, markers, words, memory."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.catalogue import Catalogue
from companion.kits import KITS
from companion.table.decks import DECKS, drawn_deck
from companion.table.eye import to_sight
from companion.table.printing import SHARED_WORDS, mat_of
from companion.table.tabletop import ON_CARD_MM
from companion.text import LANGUAGES
from tests.vision.printed import Printed, Words, sheets
from vision.art import draw_card, draw_picture
from vision.art.decks import Grid, two_sided
from vision.art.mats import RIM, ask_place, nearest, sheets_for
from vision.art.patterns import INKS
from vision.art.reference import A5, draw_chapter, translated
from vision.art.sheets import PAPERS
from vision.calibration import DICTIONARY, MARKER_SIDE, calibrate, find_markers
from vision.decks import load_index, open_deck
from vision.recognise import Recogniser
from vision.simulated import LaidCard, Look, PinholeCamera, Scene, render
from vision.tokens import TOKEN_WIDTH, find_tokens

every_deck = pytest.mark.parametrize("name", DECKS)
every_language = pytest.mark.parametrize("language", LANGUAGES)
every_game = pytest.mark.parametrize("game", KITS)
both_papers = pytest.mark.parametrize("paper", PAPERS)
DPI = 50


def differ(one, other):
    """How much two pictures differ, from 0 to 255, whatever the fraction of a pixel they are apart by."""
    size = (one.shape[1], one.shape[0])
    soft = [cv2.GaussianBlur(picture, (0, 0), 1.5).astype(int) for picture in (one, cv2.resize(other, size))]
    return float(np.abs(soft[0] - soft[1])[2:-2, 2:-2].mean())


def cell(printed, page, grid, number, *, is_back=False):
    return printed.cut(page, grid.place(number, is_back), grid.card, DPI)


# Decks.


@both_papers
@every_deck
def test_pages_have_the_papers_size_and_cards_theirs(name, paper):
    printed, grid = Printed(name, paper), Grid.on(PAPERS[paper], DECKS[name].size)
    assert {tuple(np.round(printed.size(page), 1)) for page in range(printed.count)} == {PAPERS[paper]}
    assert grid.columns * grid.rows == (4 if name == "tarot" else 9)
    # No card comes so near the edge that a printer would leave part of it out.
    assert min(grid.left, grid.top) >= 7
    # A line is drawn along each cut, and the space between two is a card's.
    edge = printed.picture(0, 300)[round((grid.top - 3) * 300 / 25.4), :, 0]
    cuts = np.flatnonzero(edge < 128)
    marks = [float(run.mean()) for run in np.split(cuts, np.flatnonzero(np.diff(cuts) > 1) + 1)]
    assert np.diff(marks) * 25.4 / 300 == pytest.approx(np.full(grid.columns, DECKS[name].size[0]), abs=0.15)


@every_deck
def test_each_sheet_is_followed_by_its_back_mirrored(name):
    """Turned over the long edge, each card has its own other side behind it."""
    deck, printed = DECKS[name], Printed(name)
    grid = Grid.on(PAPERS["a4"], deck.size)
    plain = draw_picture(deck.back, deck.size, DPI)
    singles = [art for art in deck.cards() if not art.face for _ in range(art.copies)]
    pairs = two_sided(deck.cards())
    most = grid.columns * grid.rows
    assert printed.count == 2 * (-(-len(singles) // most) - (-len(pairs) // most))
    first = 2 * -(-len(singles) // most)
    # The first and the last sheet of either kind: a full one, and one with gaps.
    for number in sorted({0, (len(singles) - 1) // most * most}):
        page, last = number // most * 2, min(most, len(singles) - number) - 1
        for at in (0, last):
            assert differ(cell(printed, page, grid, at), draw_card(singles[number + at], deck.size, DPI)) < 8
            assert differ(cell(printed, page + 1, grid, at, is_back=True), plain) < 8
    for number in sorted({0, (len(pairs) - 1) // most * most} if pairs else ()):
        page, last = first + number // most * 2, min(most, len(pairs) - number) - 1
        for at in sorted({0, min(1, last), last}):
            front, back = pairs[number + at]
            assert differ(cell(printed, page, grid, at), draw_card(front, deck.size, DPI)) < 8
            behind = cell(printed, page + 1, grid, at, is_back=True)
            assert differ(behind, draw_card(back, deck.size, DPI)) < 8
            others = [draw_card(other, deck.size, DPI) for _front, other in pairs[number : number + 4] if other != back]
            own = differ(behind, draw_card(back, deck.size, DPI))
            assert all(differ(behind, other) > 2 * own for other in others)


def test_every_survivor_is_the_same_picture_in_print():
    """CIS-01: nothing on the front tells what is behind it."""
    deck, printed = DECKS["cisza"], Printed("cisza")
    grid = Grid.on(PAPERS["a4"], deck.size)
    sheet, *others = [[cell(printed, page, grid, at) for at in range(9)] for page in (14, 20, 24)]
    # In the same place they are the same to the pixel; elsewhere a pixel begins at another fraction of a millimetre.
    assert all(np.array_equal(one, other) for cells in others for one, other in zip(sheet, cells, strict=True))
    assert max(differ(sheet[0], other) for other in sheet) < 5


def test_a_deck_without_a_back_has_blank_pages_behind_its_sheets():
    from msgspec.structs import replace

    from vision.art.decks import deck_pages

    pages = list(deck_pages(replace(DECKS["fables"], back=None), PAPERS["a4"], str))
    assert [page.draw is None for page in pages] == [False, True] * 4


@pytest.mark.parametrize(("name", "pages"), [("silencio", 6 + 2), ("fables", 4), ("tarot", 20), ("cisza", 7 + 14)])
def test_fronts_only_leaves_out_the_backs_that_tell_nothing(name, pages):
    deck, printed = DECKS[name], Printed(name, fronts_only=True)
    assert printed.count == pages
    grid, plain = Grid.on(PAPERS["a4"], deck.size), draw_picture(deck.back, deck.size, DPI)
    assert min(differ(cell(printed, page, grid, 0), plain) for page in range(pages)) > 20


@every_deck
def test_a_back_looks_the_same_either_way_up(name):
    back = draw_picture(DECKS[name].back, DECKS[name].size, 100)
    assert differ(back, np.ascontiguousarray(back[::-1, ::-1])) < 3


def ink(printed, page):
    """How much of a page is inked, from 0 to 1."""
    return 1 - float(printed.picture(page, 30).mean()) / 255


@pytest.mark.parametrize(
    ("what", "page", "most"), [("cisza", 1, 0.4), ("cisza", 0, 0.9), ("cisza", 15, 0.8), ("mat-silencio", 1, 0.5)]
)
def test_low_ink_saves_ink(what, page, most):
    assert ink(Printed(what, low_ink=True), page) < most * ink(Printed(what), page)


# The eye on paper.


def as_printed(name, languages, **wishes):
    """The first cards of a deck as they come out of the printer, taking turns in the languages."""
    deck = DECKS[name]
    grid = Grid.on(PAPERS["a4"], deck.size)
    arts = [art for art in deck.cards() if not art.face for _ in range(art.copies)]
    looks = {}
    for at, language in enumerate(languages):
        printed = Printed(name, language=language, fronts_only=True, **wishes)
        for page in (0, 1):
            for number in range(at, grid.columns * grid.rows, len(languages)):
                art = arts[page * grid.columns * grid.rows + number]
                picture = printed.cut(page, grid.place(number, is_back=False), grid.card, 150)
                looks[art.card, ""] = Look(np.ascontiguousarray(picture), *deck.size)
    return looks


def read(name, looks):
    """What the eye reads of up to eight cards on a table."""
    wide, high = DECKS[name].size
    laid = tuple(
        LaidCard(card, 80 + (wide + 40) * (at % 4), 80 + (high + 30) * (at // 4), 7.0 * at - 20, face=face)
        for at, (card, face) in enumerate(list(looks)[:8])
    )
    shot = render(Scene(laid, 560, 400), looks, PinholeCamera(1536, 1100), table="wood", seed=1)
    reading = Recogniser(load_index(open_deck(drawn_deck(name)))).read(shot.picture)
    return {one.card for one in laid}, {one.card for one in reading.cards}


@pytest.mark.parametrize("name", ["fables", "tarot", "cisza"])
def test_the_eye_reads_printed_cards_whatever_their_language(name):
    laid, found = read(name, as_printed(name, LANGUAGES))
    assert found == laid


def test_the_eye_reads_cards_printed_with_little_ink():
    laid, found = read("silencio", as_printed("silencio", ("en",), low_ink=True))
    assert found == laid


def test_a_back_is_no_card_by_name():
    size = DECKS["silencio"].size
    looks = {(f"back {at}", ""): Look(draw_picture(DECKS["silencio"].back, size, 150), *size) for at in range(3)}
    assert read("silencio", looks)[1] == set()


# Mats.


def markers(picture):
    """The corners of each whole marker on a page."""
    corners, numbers, _rejected = cv2.aruco.ArucoDetector(DICTIONARY).detectMarkers(picture)
    found = () if numbers is None else numbers.ravel().tolist()
    return {number: one.reshape(4, 2) for number, one in zip(found, corners, strict=True)}


def whole_mat(printed, game, dpi):
    """The sheets of a mat glued together."""
    layout = KITS[game].layout
    page, columns, rows = sheets_for(layout, PAPERS["a4"])
    part = layout.width / columns, layout.height / rows
    place = (page[0] - part[0]) / 2, (page[1] - part[1]) / 2
    pieces = [printed.cut(number, place, part, dpi) for number in range(columns * rows)]
    return np.vstack([np.hstack(pieces[row * columns : (row + 1) * columns]) for row in range(rows)])


@every_game
def test_a_mat_is_nine_sheets_at_most_and_each_marker_is_whole_on_one(game):
    printed = Printed(f"mat-{game}")
    assert printed.count <= 9
    assert sorted(printed.size(0)) == pytest.approx(PAPERS["a4"], abs=0.1)
    found = [markers(printed.picture(page, 100)) for page in range(printed.count)]
    assert sorted(number for one in found for number in one) == [0, 1, 2, 3]
    for one in found:
        for corners in one.values():
            sides = np.linalg.norm(np.roll(corners, 1, axis=0) - corners, axis=1) * 25.4 / 100
            assert sides == pytest.approx(np.full(4, MARKER_SIDE), abs=0.5)


@every_game
def test_glued_together_the_mat_is_as_large_as_its_table(game):
    layout, dpi = KITS[game].layout, 60
    mat = whole_mat(Printed(f"mat-{game}"), game, dpi)
    assert mat.shape[1] * 25.4 / dpi == pytest.approx(layout.width, abs=1.5)
    rimmed = cv2.copyMakeBorder(mat, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    corners = find_markers(rimmed)
    assert np.linalg.norm(corners[1] - corners[0]) * 25.4 / dpi == pytest.approx(layout.width, abs=1.5)
    assert np.linalg.norm(corners[3] - corners[0]) * 25.4 / dpi == pytest.approx(layout.height, abs=1.5)


@every_game
def test_a_poster_is_the_mat_with_a_white_rim(game):
    layout, printed = KITS[game].layout, Printed(f"poster-{game}", "letter")
    assert printed.count == 1
    assert printed.size(0) == pytest.approx((layout.width + 2 * RIM, layout.height + 2 * RIM), abs=0.1)
    assert printed.size(0)[1] < 610.1, "a roll of 24 inches is wide enough"
    whole = whole_mat(Printed(f"mat-{game}"), game, 30)
    assert differ(whole, printed.cut(0, (RIM, RIM), (layout.width, layout.height), 30)) < 2


def test_the_rows_have_their_own_colours():
    layout, printed = KITS["silencio"].layout, Printed("poster-silencio")
    for name, key in (("red", "r"), ("blue", "b"), ("yellow", "y"), ("green", "g")):
        zone = next(zone for zone in layout.zone if zone.name == name)
        middle = (RIM + zone.x + zone.width / 2, RIM + zone.y + zone.height / 2)
        area = printed.cut(0, middle, (20, 20), 30)[..., ::-1].reshape(-1, 3).mean(axis=0)
        tint = 255 - area
        wanted = {other: 255 - np.array(ink_of) for other, ink_of in INKS.items()}
        alike = {one: tint @ way / np.linalg.norm(tint) / np.linalg.norm(way) for one, way in wanted.items()}
        assert max(alike, key=lambda one: alike[one]) == key


@every_language
@every_game
def test_a_mat_speaks_the_language(game, language):
    translate, kit = Catalogue(language).translate, KITS[game]
    told = Printed(f"poster-{game}", language=language).text(0).lower()
    assert set(kit.mat) == {zone.name for zone in kit.layout.zone}
    for art in kit.mat.values():
        assert translate(art.label).lower() in told
        assert all(translate(words).split()[0].lower() in told for *_place, words in (*art.notes, *art.tokens))
        assert not art.number or str(art.number) in told.split()


@every_game
def test_the_eye_sees_no_card_on_a_bare_mat(game):
    """Neither a zone nor the whole mat looks like a card without a name; the markers are where they should be."""
    layout, dpi, rim = mat_of(game).layout, 50, 40
    picture = Printed(f"poster-{game}").picture(0, dpi)
    # The simulated table rounds the corners of all that is laid on it: of this only the white around the mat.
    more = round((rim - RIM) * dpi / 25.4)
    picture = cv2.copyMakeBorder(picture, more, more, more, more, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    size = layout.width + 2 * rim, layout.height + 2 * rim
    scene = Scene((LaidCard("mat", size[0] / 2 + 10, size[1] / 2 + 10),), size[0] + 20, size[1] + 20)
    shot = render(scene, {("mat", ""): Look(picture, *size)}, PinholeCamera(1536, 1100), table="wood", seed=2)
    deck = KITS[game].decks[0].name
    reading = Recogniser(load_index(open_deck(drawn_deck(deck)))).read(shot.picture)
    calibration = calibrate(shot.picture, layout.width, layout.height)
    assert reading.cards == ()
    sight = to_sight(view_of(reading), layout, calibration)
    assert sight.strangers == ()


def view_of(reading):
    from vision.view import TableView, UnknownCard

    unknown = tuple(UnknownCard(one.corners, 0.0, 0.0, 0.0) for one in reading.unknown)
    return TableView(unknown=unknown, settled=True, millimetres=True)


# Pieces and cards of words.


def test_the_corner_markers_are_found_in_their_size():
    for paper in PAPERS:
        found = markers(Printed("markers", paper).picture(0, 100))
        assert sorted(found) == [0, 1, 2, 3]
        for corners in found.values():
            side = np.linalg.norm(corners[1] - corners[0]) * 25.4 / 100
            assert side == pytest.approx(MARKER_SIDE, abs=0.5)


@every_language
@every_game
def test_tokens_say_what_they_are_in_the_language(game, language):
    translate, kit = Catalogue(language).translate, KITS[game]
    words = {**SHARED_WORDS, **kit.token_words}
    told = Printed(f"tokens-{game}", language=language).text(0)
    assert all(told.count(translate(words[name].label)) >= 2 for name in kit.tokens.values())
    if language != "en":
        assert not [one.label for one in SHARED_WORDS.values() if translate(one.label) == one.label]


@every_language
def test_tokens_are_read_from_afar_with_their_words_on(language):
    """A camera over a large table has little more than a pixel for a millimetre."""
    page = Printed("tokens-silentes", language=language).picture(0, 33)
    calibration = type("Flat", (), {"table_points": staticmethod(lambda spots: spots)})()
    found = find_tokens(page, calibration)
    numbers = [token.number for token in found]
    assert sorted(numbers) == sorted([*KITS["silentes"].tokens] * 2)


@both_papers
@every_game
def test_aids_are_two_on_a_sheet_and_nothing_is_cut_off(game, paper):
    printed = Printed(f"aid-{game}", paper)
    assert printed.count == 1
    assert printed.size(0) == pytest.approx((PAPERS[paper][1], PAPERS[paper][0]), abs=0.1)
    picture, edge = printed.picture(0, 40), round(3 * 40 / 25.4)
    assert (picture[:, :edge] == 255).all()
    assert (picture[:, -edge:] == 255).all()


@every_language
def test_words_on_cards_and_aids_fit_and_can_be_read(language):
    """No line leaves its card, no text its box, and the smallest letters are those of a newspaper."""
    translate = Catalogue(language).translate
    for deck in DECKS.values():
        for art in deck.cards(translate):
            canvas = Words(*deck.size)
            art.draw(canvas)
            assert (list(canvas.outside(1.2)), canvas.too_long) == ([], []), art.card
            assert min((low - top for _text, _left, top, _right, low in canvas.written), default=9) > 1.55, art.card
    for kit in KITS.values():
        for chapter in kit.aids:
            canvas = Words(*A5)
            draw_chapter(translated(chapter, translate), (), canvas)
            assert list(canvas.outside(5)) == [], chapter.title
            assert min(low - top for _text, _left, top, _right, low in canvas.written) > 1.55, chapter.title


@every_language
def test_everything_printed_is_in_the_language(language):
    """Each resource card says what it does, each omen and provision is on the aid."""
    translate = Catalogue(language).translate
    told = {}
    for art in DECKS["cisza"].cards(translate):
        canvas = Words(*DECKS["cisza"].size)
        art.draw(canvas)
        told[art.card] = " ".join(line[0] for line in canvas.written)
    game = KITS["cisza"].game
    for card in ("axe", "surprise", "alarm"):
        assert game.rule(card).render(translate) in told[card]
    assert game.rule("fast").render(translate) in told["city-40"]
    if language != "en":
        assert game.rule("axe").render(str) not in told["axe"]
        english = {sheets("en").sheets[name].about for name in ("markers", "panel")}
        assert not english & {translate(text) for text in english}


# How it's made.


def test_progress_is_told_page_by_page(tmp_path):
    from vision.art.sheets import print_pdf

    told = []
    pages = print_pdf(
        "fables", "a4", tmp_path / "x.pdf", sheets(), on_page=lambda done, total: told.append((done, total))
    )
    assert told == [(page, pages) for page in range(1, 9)]


def test_a_page_that_cannot_be_written_leaves_the_old_file(tmp_path):
    from vision.art.paper import Page, write_pages

    target = tmp_path / "x.pdf"
    target.write_bytes(b"old")

    def fails(canvas):
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space"):
        write_pages(target, [Page((50, 50)), Page((50, 50), fails)], "x")
    assert [path.name for path in tmp_path.iterdir()] == ["x.pdf"]
    assert target.read_bytes() == b"old"


def test_printing_takes_little_memory(tmp_path):
    """The decks and mats one after the other, in a process like the page's: a small Pi has to do it beside a game."""
    code = f"""
from pathlib import Path
from companion.catalogue import Catalogue
from companion.table.printing import prints
from vision.art.sheets import print_pdf
import companion.web.printer
printed = prints(Catalogue("pl").translate)
for what in printed.things:
    if what != "panel":
        print_pdf(what, "a4", Path({str(tmp_path)!r}) / "x.pdf", printed)
status = Path("/proc/self/status").read_text()
print(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) / 1024 < 200


def test_the_page_draws_in_a_process_of_its_own(tmp_path):
    target = tmp_path / "sheet.pdf"
    command = [sys.executable, "-m", "companion.web.printer", "aid-silencio", "letter", "nl", str(target), ""]
    subprocess.run(command, check=True, cwd=Path(__file__).resolve().parents[2])
    assert re.match(rb"%PDF-1", target.read_bytes())


@every_game
def test_a_mat_has_a_place_where_the_ask_token_rests_and_asks_about_nothing(game):
    mat = mat_of(game)
    x, y = ask_place(mat.layout)
    narrow = min(mat.card) / 2
    for zone in mat.layout.zone:
        gap = math.dist((x, y), nearest(zone, x, y))
        assert gap >= TOKEN_WIDTH / 2
        # The middle of a card that lies in a zone is half a card away from the zone's edge.
        assert gap + narrow > ON_CARD_MM
    for corner_x in (0, mat.layout.width):
        for corner_y in (0, mat.layout.height):
            assert max(abs(x - corner_x), abs(y - corner_y)) > MARKER_SIDE + TOKEN_WIDTH / 2
