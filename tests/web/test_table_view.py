"""The table as the page: cold starts, zoom, drag, what changed, languages, two tabs, names, the form of a new game."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from playwright.sync_api import Page, expect

from companion.games import GAMES
from companion.games.notation import write_move
from companion.text import LANGUAGES
from tests.patience import eventually
from tests.web.rig import Rig
from tests.web.test_api import API
from tests.web.visitors import DESKTOP, PHONE, Visitors, make_a_move, serious, tap_a_move

MAX_REQUESTS, MAX_KB = 12, 120
OPTIONS = {"silentes": {"drawing": "table"}}
# What is wider than the screen or than its own box; a list that scrolls by itself may be.
SPILLS = """() => {
  const wide = document.documentElement.clientWidth;
  const speaks = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const texts = [...document.querySelectorAll("#view *, #nav *, #head *")].filter(speaks);
  const there = texts.filter((one) => one.getClientRects().length && !one.closest(".rack-row, .scroll, .log, dialog"));
  const beyond = (edges) => edges.right > wide + 1 || edges.left < -1;
  const bad = there.filter((one) => beyond(one.getBoundingClientRect()));
  const words = there.filter((one) => one.matches("button, a, summary, h1, h2"));
  const cut = words.filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1);
  return [...bad, ...cut].map((one) => one.textContent.slice(0, 60));
}"""


# The same table once more, as when it's asked for again with its pictures.
MAPPED_ANEW = "import('/static/api.js').then(({ store }) => { store.map = { ...store.map }; })"


def begun(rig: Rig, game: str, moves: int = 20) -> None:
    rig.begin(game, **OPTIONS.get(game, {}))
    rig.play(moves)


def drawn(rig: Rig) -> list[dict[str, str]]:
    """Every side of every card of the running game, once a machine that never had this deck has drawn it."""
    phone = rig.paired()
    return list(eventually(lambda: (said := phone.get(f"{API}/table").json())["is_drawn"] and said["sides"]))


def test_a_cold_start_takes_few_requests_and_little(visitors: Visitors, rig: Rig) -> None:
    begun(rig, "silencio", 26)
    drawn(rig)
    asked: list[str] = []
    size = Counter[str]()
    page = visitors.stranger()
    page.context.add_cookies([{"name": "hush", "value": rig.paired().cookies["hush"], "url": rig.address}])
    page.on("request", lambda request: asked.append(request.url))
    page.on("response", lambda answer: size.update({answer.url: int(answer.headers.get("content-length", 0))}))
    page.goto(rig.address)
    page.locator(".thing.glows, .rack-card.glows, .seat-tag.glows").first.wait_for()
    rest = [address for address in asked if "/art/" not in address]
    assert len(rest) < MAX_REQUESTS, rest
    assert sum(size[address] for address in rest) < MAX_KB * 1024
    packed = [address for address in rest if address.endswith((".js", ".css"))]
    assert packed
    assert all(page.request.get(one).headers.get("content-encoding") == "gzip" for one in packed)


def test_card_art_is_kept_for_good_and_there_for_every_card(rig: Rig) -> None:
    begun(rig, "silencio", 26)
    phone = rig.paired()
    sides = drawn(rig)
    deck = {side["card"] for side in sides}
    assert {f"{colour}{rank}" for colour in "rbyg" for rank in range(2, 14)} <= deck
    assert all(side["art"] for side in sides), "a picture for each, whatever lies where"
    picture = phone.get(f"{API}/art/{sides[0]['art']}/96")
    assert picture.headers["content-type"] == "image/webp"
    assert "immutable" in picture.headers["cache-control"]
    assert len(picture.content) < 6000
    assert phone.get(f"{API}/art/{sides[0]['art']}/97").status_code == 404
    assert phone.get(f"{API}/art/{'0' * 16}/96").status_code == 404


def test_a_card_is_tapped_with_a_finger_and_taken_back(visitors: Visitors, rig: Rig) -> None:
    rig.begin("similo")
    page = visitors.friend()
    page.locator(".rack-card[data-card='alice']").click()
    expect(page.locator(".thing[data-card='alice']")).to_be_visible()
    expect(page.locator(".ask h1")).to_contain_text("1 of 12")
    page.locator("#toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".thing[data-card='alice']")).to_have_count(0)
    expect(page.locator(".ask h1")).to_contain_text("0 of 12")


def test_a_card_is_dragged_onto_the_table(visitors: Visitors, rig: Rig) -> None:
    rig.begin("similo")
    page = visitors.friend(DESKTOP)
    card = page.locator(".rack-card[data-card='giant']")
    board = page.locator(".stage")
    card.scroll_into_view_if_needed()
    start, end = card.bounding_box(), board.bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + 200, end["y"] + 60, steps=6)
    page.mouse.up()
    expect(page.locator(".thing[data-card='giant']")).to_be_visible()
    assert rig.ask(lambda: rig.history.notation) == ("show giant",)


def test_a_double_tap_comes_closer_and_what_changed_is_marked(visitors: Visitors, rig: Rig) -> None:
    rig.begin("similo")
    rig.ask(lambda: [rig.box.do(f"show {card}") for card in ("alice", "giant", "jack")])
    page = visitors.friend()
    board = page.locator(".board")
    expect(page.locator(".thing")).to_have_count(3)
    expect(page.locator(".thing.changed")).to_have_count(1)
    expect(page.locator(".thing.changed[data-card='jack']")).to_be_visible()
    before = board.get_attribute("viewBox")
    board.dblclick(position={"x": 8, "y": 8})
    expect(board).not_to_have_attribute("viewBox", str(before))
    expect(board).to_have_class(re.compile("zoomed"))
    board.dblclick(position={"x": 8, "y": 8})
    expect(board).to_have_attribute("viewBox", str(before))
    rig.ask(lambda: rig.box.do("show genie"))
    expect(page.locator(".thing.changed[data-card='genie']")).to_be_visible()


def test_the_table_is_looked_at_as_closely_once_its_pictures_are_drawn(visitors: Visitors, rig: Rig) -> None:
    rig.begin("similo")
    rig.ask(lambda: [rig.box.do(f"show {card}") for card in ("alice", "giant", "jack")])
    page = visitors.friend()
    board = page.locator(".board")
    expect(page.locator(".thing")).to_have_count(3)
    board.dblclick(position={"x": 8, "y": 8})
    expect(board).to_have_class(re.compile("zoomed"))
    page.evaluate(MAPPED_ANEW)
    rig.ask(lambda: rig.box.do("show genie"))
    expect(page.locator(".thing")).to_have_count(4)
    expect(board).to_have_class(re.compile("zoomed"))


def test_a_card_tells_what_it_does(visitors: Visitors, rig: Rig) -> None:
    begun(rig, "silencio", 26)
    page = visitors.friend()
    page.locator(".thing[data-card='shrine-large']").click(button="right")
    expect(page.get_by_role("dialog")).to_contain_text("one of the four light effects")
    assert serious(page) == []
    page.get_by_role("button", name="close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_spills_in_any_language(visitors: Visitors, rig: Rig, language: str) -> None:
    page = visitors.friend(PHONE, locale=language)
    page.emulate_media(reduced_motion="reduce")  # a card on its way into its place may be anywhere
    for game in GAMES:
        begun(rig, game, 22)
        number = rig.ask(lambda: rig.history.number)
        expect(page.locator("#head")).to_contain_text(game.capitalize())
        expect(page.locator("#view")).to_have_attribute("data-number", str(number))
        assert (game, page.evaluate(SPILLS)) == (game, [])
    views = {"setup": "details.game", "games": ".filters", "box": "#settings", "photo": ".file", "seat": ".seats"}
    for view, there in {**views, "help/lights": ".sign-row"}.items():
        page.goto(f"{rig.address}/#{view}")
        page.locator(f"#view {there}").first.wait_for()
        assert (view, page.evaluate(SPILLS)) == (view, [])


def test_two_tabs_of_one_phone_show_the_same_and_sleep_apart(visitors: Visitors, rig: Rig) -> None:
    begun(rig, "similo", 14)
    first = visitors.friend()
    second = first.context.new_page()
    second.goto(rig.address)
    second.locator(".live.on").wait_for()
    tap_a_move(first, rig, random.Random(5))
    number = rig.ask(lambda: rig.history.number)
    expect(second.locator("#view")).to_have_attribute("data-number", str(number))
    first.context.set_offline(True)
    rig.ask_page(rig.service.hub.close)  # what is open stays open to Chromium; a network that is gone cuts it
    rig.play(1)
    expect(first.locator(".live")).to_have_text("looking for the box …")
    first.context.set_offline(False)
    now = rig.ask(lambda: rig.history.number)
    for page in (first, second):
        expect(page.locator("#view")).to_have_attribute("data-number", str(now))
        expect(page.locator(".live.on")).to_be_visible()
    visitors.errors.clear()


def test_the_title_says_whose_turn_it_is(visitors: Visitors, rig: Rig) -> None:
    rig.begin("silentes", drawing="phone")
    page = visitors.friend(at="#seat/1")
    page.get_by_label("PIN").fill("4711")
    page.get_by_role("button", name="Take seat 1").click()
    expect(page).to_have_title(re.compile("It's your turn"))
    expect(page.locator(".your-turn")).to_be_visible()
    while rig.ask(lambda: rig.history.pending.seat) == 0:  # type: ignore[union-attr]
        make_a_move(page, rig, random.Random(2), "data-seat-number")
    expect(page).to_have_title("Silentes · Hush")


def named(page: Page) -> list[str]:
    return [str(one) for one in page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")]


def test_the_form_has_no_id_twice_explains_variants_and_remembers(visitors: Visitors, rig: Rig) -> None:
    page = visitors.friend(at="#setup")
    page.locator("details.game").first.wait_for()
    assert [name for name, count in Counter(named(page)).items() if count > 1] == []
    game = page.locator("details.game", has_text="Silencio")
    game.locator("summary").first.click()
    game.get_by_label("How it's played").select_option(label="with the tavern")
    expect(game.get_by_role("status")).to_have_text("Play with the tavern.")
    game.locator("#option-silencio-players").select_option(label="2")
    game.locator("summary", has_text="Who plays").click()
    game.get_by_label("Player 1").fill("Anna")
    game.get_by_role("button", name="Begin Silencio").click()
    expect(page.locator(".seat-tag").first).to_contain_text("Anna")
    assert rig.ask(lambda: rig.history.state.options.tavern) is True
    page.goto(f"{rig.address}/#setup")
    again = page.locator("details.game", has_text="Silencio")
    again.locator("summary").first.click()
    expect(again.get_by_label("How it's played")).to_have_value("tavern")
    expect(again.locator("#name-silencio-0")).to_have_value("Anna")


def test_the_game_that_the_form_shows_is_the_one_that_begins(visitors: Visitors, rig: Rig) -> None:
    page = visitors.friend(at="#setup")
    game = page.locator("details.game", has_text="Silentes")
    game.locator("summary").first.click()
    expect(game.get_by_role("status")).to_contain_text("real cards")
    game.get_by_role("button", name="Begin Silentes").click()
    expect(page.locator(".ask")).to_be_visible()
    assert rig.ask(lambda: rig.history.state.options.drawing) == "table"


def second_round(rig: Rig) -> None:
    """Similo where two characters are to be taken away."""
    rig.begin("similo", players=2)
    cards = [write_move(move).split()[1] for move in rig.ask(lambda: rig.history.game.legal(rig.history.state))]
    first = [f"show {card}" for card in cards[:12]]
    later = [f"clue {cards[12]} similar", f"remove {cards[0]}", "safe", f"clue {cards[13]} similar"]
    rig.ask(lambda: [rig.box.do(move) for move in (*first, *later)])


def test_confirm_takes_the_cards_that_are_chosen_and_back_lets_them_go(visitors: Visitors, rig: Rig) -> None:
    second_round(rig)
    before = rig.ask(lambda: rig.history.number)
    page = visitors.friend()
    cards = page.locator(".thing.glows")
    chosen = page.locator(".thing.chosen")
    cards.nth(0).click()
    expect(chosen).to_have_count(1)
    page.locator(".round.confirm").click()
    expect(page.locator("#toast")).to_contain_text("Choose 1 more.")
    expect(chosen).to_have_count(1)
    page.locator(".round.back").click()
    expect(chosen).to_have_count(0)
    assert rig.ask(lambda: rig.history.number) == before
    for at in (0, 1):
        cards.nth(at).click()
    expect(chosen).to_have_count(2)
    page.locator(".round.confirm").click()
    assert eventually(lambda: rig.ask(lambda: rig.history.number) > before)
    assert len(rig.ask(lambda: rig.history.notation)[before].split()[1].split(",")) == 2


def test_a_card_with_an_effect_is_read_before_it_is_played(visitors: Visitors, rig: Rig) -> None:
    begun(rig, "silencio", 26)
    drawn(rig)
    page = visitors.friend()
    before = rig.ask(lambda: rig.history.number)
    page.locator(".rack-card.glows").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("Light side up:")
    assert rig.ask(lambda: rig.history.number) == before
    page.locator("dialog .choice").first.click()
    assert eventually(lambda: rig.ask(lambda: rig.history.number) > before)


def test_what_is_final_is_held_on_the_page_too(visitors: Visitors, rig: Rig) -> None:
    second_round(rig)
    rig.play(1)
    before = rig.ask(lambda: rig.history.number)
    page = visitors.friend()
    page.locator("[data-key='move-lost']").first.click()
    hold = page.locator("dialog [data-key='hold']")
    expect(page.get_by_role("dialog")).to_contain_text("This is final.")
    hold.click()
    expect(hold).to_be_visible()
    assert rig.ask(lambda: rig.history.number) == before, "a tap is no hold"
    hold.hover()
    page.mouse.down()
    assert eventually(lambda: rig.ask(lambda: rig.history.notation)[before:] == ("lost",))
    page.mouse.up()


def test_sending_a_phone_away_asks_first(visitors: Visitors, rig: Rig) -> None:
    rig.paired("Anna's phone")
    page = visitors.friend(at="#box")
    asked: list[str] = []
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    away = page.get_by_role("button", name="Send away: Anna's phone")
    away.click()
    eventually(lambda: asked)
    assert "Anna's phone" in asked[0]
    expect(away).to_be_visible()
    page.once("dialog", lambda dialog: dialog.accept())
    away.click()
    expect(away).to_have_count(0)


def test_games_are_filtered_and_an_empty_list_says_what_will_be_there(visitors: Visitors, rig: Rig) -> None:
    page = visitors.friend(at="#games")
    expect(page.locator("#view")).to_contain_text("Every game you play will stand here")
    expect(page.locator("#view")).to_contain_text("how often they were won")
    for game in ("similo", "silencio"):
        rig.begin(game)
        rig.play(400)
    page.reload()
    expect(page.locator(".games li")).to_have_count(2)
    page.get_by_label("Game", exact=True).select_option(label="Similo")
    expect(page.locator(".games li")).to_have_count(1)
    expect(page.locator(".games li")).to_contain_text("Similo")
    page.get_by_label("How it ended").select_option(label="not over")
    expect(page.locator("#view")).to_contain_text("No game fits.")
    expect(page.locator("#view")).not_to_contain_text("null")


def test_help_has_the_lights(visitors: Visitors, rig: Rig) -> None:
    begun(rig, "similo", 3)
    page = visitors.friend()
    page.get_by_role("link", name="Help").click()
    page.locator("summary", has_text="What the lights say").click()
    expect(page.locator(".sign-row").first).to_contain_text("whose turn")
    assert page.locator(".sign-row").count() >= 12
    assert serious(page) == []


def test_two_fingers_come_closer_and_go_back_and_play_nothing(visitors: Visitors, rig: Rig) -> None:
    begun(rig, "silencio", 26)
    page = visitors.friend()
    board = page.locator(".board")
    page.locator(".thing.glows, .rack-card.glows").first.wait_for()
    number = rig.ask(lambda: rig.history.number)
    edges = board.bounding_box()
    assert edges is not None
    middle = (edges["x"] + edges["width"] / 2, edges["y"] + edges["height"] / 2)
    fingers = page.context.new_cdp_session(page)

    def pinch(*spreads: int) -> None:
        for at, spread in enumerate(spreads):
            points = [{"x": middle[0] + side * spread, "y": middle[1], "id": side + 1} for side in (-1, 1)]
            how = "touchMove" if at else "touchStart"
            fingers.send("Input.dispatchTouchEvent", {"type": how, "touchPoints": points})
        fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    wide = "Number(document.querySelector('.board').getAttribute('viewBox').split(' ')[2])"
    before = page.evaluate(wide)
    pinch(30, 40, 50, 60)
    expect(board).to_have_class(re.compile("zoomed"))
    assert page.evaluate(wide) == pytest.approx(before / 2, rel=0.2)
    pinch(100, 80, 60, 40, 20)
    expect(board).not_to_have_class(re.compile("zoomed"))
    assert page.evaluate(wide) == pytest.approx(before, rel=0.01)
    assert rig.ask(lambda: rig.history.number) == number, "no card was played by it"
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_pictures_come_to_a_page_that_was_open_before_they_were_drawn(
    visitors: Visitors, rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.begin("similo")
    drawn(rig)
    with monkeypatch.context() as early:
        early.setattr(rig.service.gallery, "ready", lambda game, options: None)
        early.setattr("companion.web.api.PICTURES_WAIT_TENTHS", 0)
        page = visitors.friend()
        expect(page.locator(".rack-card").first).to_be_visible()
        assert page.locator(".rack-card img").count() == 0
    expect(page.locator(".rack-card img").first).to_be_visible()
