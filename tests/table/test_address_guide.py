"""Where the page is, spoken and in blinks, for who asks "what now?" at the menu; never during a silent game."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from companion.outputs.address_guide import Guide
from companion.service.address import address_of, current_address, named_address, spoken
from companion.session.knocking import PendingKnock
from companion.settings.sections import WebSettings
from companion.text import Text
from hardware.flourishes import STOPPED, Flourish, knock, spelled
from hardware.panel import Button
from sounds.box import SoundBox
from tests.table.fingers import Bench

ADDRESS = "http://192.168.1.20:8080/"


class Voice(SoundBox):
    """A box of sounds that notes what it says, where the guard lets it."""

    heard: list[str]

    def say(self, text: str, *more: Any, **options: Any) -> bool:
        if not self.guard.is_silent:
            self.heard.append(text)
        return True


@pytest.fixture
def bench(bench: Bench) -> Bench:
    bench.sound.__class__ = Voice
    bench.sound.heard = []  # type: ignore[attr-defined]
    return bench


def guided(bench: Bench, address: str = ADDRESS) -> tuple[list[str], list[Flourish]]:
    """What is heard and blinked from now on."""
    blinked: list[Flourish] = []
    panel: Any = SimpleNamespace(flourish=blinked.append)
    Guide(bench.sound, str, lambda: address, spoken, panel).attach(bench.box.bus)
    bench.box.wake()
    return bench.sound.heard, blinked  # type: ignore[attr-defined]


def test_at_the_menu_what_now_says_where_the_page_is(bench: Bench) -> None:
    heard, blinked = guided(bench)
    assert (heard, blinked) == ([], [])
    bench.hold(Button.CONFIRM)
    assert heard == ["On your phone, open 192 dot 168 dot 1 dot 20, port 8080."]
    assert blinked == [spelled("192.168.1.20")]
    # Who goes on sees what they do.
    bench.press(Button.RIGHT)
    assert blinked == [spelled("192.168.1.20"), STOPPED]


def test_without_a_network_there_is_nothing_to_tell(bench: Bench) -> None:
    heard, blinked = guided(bench, "")
    bench.hold(Button.CONFIRM)
    assert (heard, blinked) == ([], [])


def test_a_game_isnt_interrupted_by_it(bench: Bench) -> None:
    heard, blinked = guided(bench)
    bench.box.start("silencio", {"players": 2, "driver": "table"})
    bench.hold(Button.CONFIRM)
    assert (heard, blinked) == ([], [])


def pending(code: str = "48291357") -> PendingKnock:
    return PendingKnock(knock(3), Text("A phone knocks."), lambda: None, lambda: None, 0.0, 1e9, code)


def test_the_code_of_a_knock_is_said_once_and_again_when_asked_for(bench: Bench) -> None:
    heard, _ = guided(bench)
    bench.box.on_knock(replace(pending(), since=bench.clock() + 50))
    bench.press(Button.RIGHT)
    assert heard == ["A phone knocks. If it's yours, type this code on it: 4, 8, 2, 9, 1, 3, 5, 7"]
    bench.hold(Button.CONFIRM)
    assert len(heard) == 2


def test_no_code_is_heard_in_a_silent_game(bench: Bench) -> None:
    heard, _ = guided(bench)
    bench.box.start("silencio", {"players": 2, "driver": "table"})
    bench.box.on_knock(pending())
    bench.press(Button.RIGHT)
    assert heard == []


def test_a_box_that_comes_into_a_network_later_tells_its_address_then() -> None:
    now, found = [0.0], ["http://127.0.0.1:8080/"]
    where = current_address(lambda: found[0], lambda: now[0])
    assert where() == ""
    found[0] = ADDRESS
    now[0] = 6.0
    assert where() == ADDRESS


def test_a_name_is_told_only_if_it_leads_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.service.address.own_address", lambda: "192.168.1.20")
    web = WebSettings()
    assert address_of(web, 8080) == ADDRESS
    book = {"hush.local": "192.168.1.99", "hush-2.local": "192.168.1.20"}

    def find(name: str) -> str:
        try:
            return book[name]
        except KeyError:
            raise OSError from None

    # Another box has the name, so Avahi gave this one a number.
    assert named_address(web, 8080, find) == "http://hush-2.local:8080/"
    book["hush.local"] = "192.168.1.20"
    assert named_address(web, 8080, find) == "http://hush.local:8080/"
    assert "hush-2.local" in web.known_names
    book.clear()
    assert named_address(web, 8080, find) == ""
