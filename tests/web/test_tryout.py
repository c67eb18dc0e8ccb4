"""The simulated table in the browser: cards dragged with the mouse, seen by the real eye, confirmed with ✔."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.games.game import Move, Over, Show
from companion.games.silencio import records as r
from companion.games.silencio.knowledge import tops
from companion.games.silencio.records import COLOURS, RANK_OF, ROW_OF
from companion.kits import KITS
from companion.web.hub import StreamMessage
from tests.patience import eventually
from tests.web.rig import Rig, running
from tests.web.test_api import API
from tests.web.visitors import DESKTOP, PHONE, Visitors, serious

ENOUGH = 7
ORACLE = 2


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    with running(tmp_path_factory.mktemp("box"), simulated=True) as rig:
        yield rig


def drag(page: Page, card: str, zone: str, along: float) -> None:
    """Take a card from beside the table and drag it into a zone."""
    with page.expect_response("**/api/v1/simulation?*"):
        page.locator(f"[data-key='tray-{card}']").click()
    layout = KITS["silencio"].layout
    spot = next(one for one in layout.zone if one.name == zone)
    page.locator(f".lying[data-card='{card}']").hover()
    page.mouse.down()
    expect(page.locator(f".lying.held[data-card='{card}']")).to_be_visible()
    board = page.locator("svg.sim").bounding_box()
    assert board is not None
    scale = board["width"] / layout.width
    page.mouse.move(board["x"] + (spot.x + along) * scale, board["y"] + (spot.y + spot.height / 2) * scale, steps=4)
    page.mouse.up()
    expect(page.locator(".lying.held")).to_have_count(0)


def confirm(page: Page, rig: Rig, *moves: Move) -> None:
    """Wait until the box has understood the cards, answer what it can't see, then press ✔."""
    number = rig.ask(lambda: rig.history.number)
    found = eventually(lambda: rig.ask(lambda: rig.box.shown.proposal.explanations))
    assert all(set(one.moves[: len(moves)]) == set(moves) for one in found)
    if len(found) > 1:
        expect(page.locator(".asked")).to_contain_text("more than one thing")
        page.get_by_role("button", name="▶").click()
        expect(page.locator(".offered")).to_be_visible()
    else:
        expect(page.locator(".offered")).to_contain_text(str(found[0].says[0]))
    page.get_by_role("button", name="✔: confirm").click()
    expect(page.locator("#view")).not_to_have_attribute("data-number", str(number))


def drag_the_move(page: Page, state: r.State, move: Move) -> None:
    """Lay the card of a move where and how a person would."""
    card = str(getattr(move, "card"))  # noqa: B009 - only moves with a card come here
    row = ROW_OF[card]
    drag(page, card, COLOURS[row], 36 + 40 * (len(state.rows[row]) + 1))
    if RANK_OF[card] == tops(state)[row] + 1:  # the dark side
        page.get_by_role("button", name="turn around").click()


def test_a_whole_silencio_game_by_dragging_cards(visitors: Visitors, rig: Rig) -> None:
    """Every card by the mouse and ✔, decisions without a card beside it; the box understands every one."""
    rig.begin("silencio", players=2)
    page = visitors.friend(DESKTOP, at="#try")
    expect(page.locator(".lying").first).to_be_visible()
    rules = rig.box.hosts["silencio"].game
    dragged = 0
    for _ in range(80):
        state = rig.ask(lambda: rig.history.state)
        if isinstance(rules.pending(state), Over):
            break
        legal = [move for move in rules.legal(state) if not isinstance(move, rules.mishaps)]
        laid = [move for move in legal if isinstance(move, Show | r.Play)]
        # Once enough cards lie, the players pass, and so the game ends.
        if laid and not (dragged >= ENOUGH and r.Pass() in legal):
            beat = tops(state)
            laid.sort(key=lambda one: RANK_OF[one.card] - beat[ROW_OF[one.card]])
            # The cards of the set-up are taken together, in one look.
            moves = laid[:ORACLE] if isinstance(laid[0], Show) else laid[:1]
            for at, move in enumerate(moves):
                if isinstance(move, Show):
                    drag(page, move.card, "oracle", 36 + 72 * at)
                else:
                    drag_the_move(page, state, move)
            confirm(page, rig, *moves)
            dragged += len(moves)
        else:
            done = next((move for move in legal if isinstance(move, r.Skip | r.Done | r.Pass)), legal[0])
            rig.ask(lambda done=done: rig.box.do(done))  # type: ignore[misc]
            with page.expect_response("**/api/v1/simulation/tidy?*"):
                page.get_by_role("button", name="Lay it as the box believes").click()
    assert dragged >= ENOUGH
    assert rig.ask(lambda: rig.history.is_over)
    played = [text for text in rig.ask(lambda: rig.history.notation) if text.startswith(("play", "show"))]
    assert len(played) == dragged
    assert serious(page) == []
    photo = rig.paired().get(f"{API}/picture")
    assert photo.headers["content-type"] == "image/jpeg"
    assert photo.content[:2] == b"\xff\xd8"


def test_a_card_the_wrong_way_round_is_explained_and_turned(visitors: Visitors, rig: Rig) -> None:
    rig.begin("silencio", players=2)
    rig.ask(lambda: [rig.box.do(move) for move in ("show r4", "show b7", "start 0")])
    while rig.ask(lambda: rig.history.state.phase) == "pass_on":
        rig.ask(lambda: rig.box.do(rig.history.game.legal(rig.history.state)[0]))
    page = visitors.friend(DESKTOP, at="#try")
    expect(page.locator(".lying").first).to_be_visible()
    drag(page, "r5", "red", 120)
    page.get_by_role("button", name="turn around").click()
    expect(page.get_by_role("alert")).to_contain_text("red 5 lies the wrong way round")
    page.get_by_role("button", name="turn around").click()
    expect(page.locator(".asked")).to_contain_text("plays red 5")


def test_a_late_echo_of_an_older_scene_changes_nothing(
    visitors: Visitors, rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stream and the answers come by different ways, and a slow stream must not take back what was dragged."""
    rig.begin("silencio", players=2)
    page = visitors.friend(DESKTOP, at="#try")
    expect(page.locator(".lying").first).to_be_visible()
    late: list[StreamMessage] = []
    send = rig.service.hub.send
    monkeypatch.setattr(rig.service.hub, "send", lambda to, said: held(late, said) or send(to, said))
    drag(page, "r4", "oracle", 36)
    card = page.locator(".lying[data-card='r4']")
    place = str(card.get_attribute("transform"))
    eventually(lambda: len(late) == 2)
    rig.ask_page(lambda: [send(to, late[0]) for to in rig.service.hub.listeners])
    number = str(page.locator("#view").get_attribute("data-number"))
    rig.ask(lambda: rig.box.do("show g2"))
    expect(page.locator("#view")).not_to_have_attribute("data-number", number)
    assert card.get_attribute("transform") == place
    # Another phone's scene is a newer one.
    laid = [*rig.paired().get(f"{API}/simulation").json()["scene"]["laid"], {"card": "b7", "x": 300.0, "y": 300.0}]
    rig.paired().post(f"{API}/simulation", json={"laid": laid})
    rig.ask_page(lambda: [send(to, late[2]) for to in rig.service.hub.listeners])
    expect(page.locator(".lying[data-card='b7']")).to_be_visible()
    expect(card).to_have_attribute("transform", place)


def held(late: list[StreamMessage], said: StreamMessage) -> bool:
    """Whether a message is a scene, and kept back."""
    is_scene = said.payload.startswith(b"event: scene")
    if is_scene:
        late.append(said)
    return is_scene


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_table_lies_still_whatever_is_said_above_it(visitors: Visitors, rig: Rig, size: dict[str, int]) -> None:
    rig.begin("silencio", players=2)
    page = visitors.friend(size, at="#try")
    expect(page.locator(".lying").first).to_be_visible()
    before = page.locator("svg.sim").bounding_box()
    laid = [{"card": card, "x": 80.0 * at, "y": 300.0} for at, card in enumerate(("r5", "b7", "y9"), start=1)]
    rig.paired().post(f"{API}/simulation", json={"laid": laid})
    expect(page.get_by_role("alert")).to_be_visible()
    assert page.locator("svg.sim").bounding_box() == before


def test_strangers_and_real_tables_have_no_simulated_one(rig: Rig, tmp_path: Path) -> None:
    for path in ("simulation", "simulation/faces/0", "picture"):
        assert rig.client().get(f"{API}/{path}").status_code == 401
    rig.begin("silencio")
    strange = {"laid": [{"card": "../../etc/passwd", "x": 1, "y": 1}]}
    assert rig.paired().post(f"{API}/simulation", json=strange).status_code == 422
    with running(tmp_path) as real:
        real.begin("silencio")
        assert real.paired().get(f"{API}/simulation").status_code == 404
        assert real.paired().get(f"{API}/picture").status_code == 404


def test_without_a_game_there_is_no_table(tmp_path: Path) -> None:
    with running(tmp_path, simulated=True) as rig:
        assert rig.paired().get(f"{API}/simulation").status_code == 409
