"""What the box follows, taken otherwise than with ✔: a turn that isn't over, and a swap from hand to hand."""

from __future__ import annotations

from msgspec.structs import replace
from playwright.sync_api import expect

from companion.games.notation import read_state
from companion.table.hosts import HOSTS
from companion.table.scenes import scene
from companion.table.sight import Seen
from tests.table.test_mistakes import perfect_sight
from tests.web.rig import Rig
from tests.web.test_api import API
from tests.web.visitors import Visitors, serious

ROWS = "silencio players=2 driver=table hands=?,?,?/?,?,? rows=r4/b3/-/- oracle=y5,g7"


def green_is_laid(rig: Rig) -> None:
    """A card lies there whose effect may be a swap that nobody sees."""
    state = read_state(HOSTS["silencio"].game, ROWS)
    lies = perfect_sight("silencio", scene("silencio", state))
    rig.ask(lambda: rig.box.start_at("silencio", state))
    rig.ask(lambda: rig.box.on_sight(lies))
    rig.ask(lambda: rig.box.on_sight(replace(lies, cards=(*lies.cards, Seen("g4", "green", x=300, y=420)))))


def test_a_swap_that_nobody_sees_is_told_with_its_turn_by_taps_alone(visitors: Visitors, rig: Rig) -> None:
    green_is_laid(rig)
    page = visitors.friend()
    page.locator("[data-key=otherwise]").click()
    assert serious(page) == []
    page.locator("[data-key=more-unseen]").click()
    page.get_by_role("dialog").get_by_role("button", name="choose a player: player 2").click()
    page.get_by_role("dialog").get_by_role("button", name="swap with a player: player 1").click()
    expect(page.locator("[data-key=otherwise]")).to_have_count(0)
    moves = ("play g4", "choose 1", "swap 0 ?", "return ?", "done")
    assert rig.ask(lambda: rig.history.notation) == moves
    page.locator("[data-key=undo]").click()
    expect(page.locator("#view")).to_have_attribute("data-number", "0")


def test_who_is_not_done_yet_takes_only_what_shows(rig: Rig) -> None:
    green_is_laid(rig)
    phone = rig.paired()
    said = phone.get(f"{API}/state").json()
    assert [one["key"] for one in said["otherwise"]] == ["open", "unseen"]
    late = phone.post(f"{API}/take", json={"which": 0, "moment": said["moment"] - 1})
    assert (late.status_code, late.json()["code"]) == (409, "stale_state")
    assert phone.post(f"{API}/take", json={"which": 99, "moment": said["moment"]}).status_code == 409
    assert phone.post(f"{API}/take", json={"which": 0, "moment": said["moment"]}).status_code == 200
    assert rig.ask(lambda: rig.history.notation) == ("play g4",)
