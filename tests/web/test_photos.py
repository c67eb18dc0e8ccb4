"""Any phone is an eye: photos of the table and of cards, good ones and hostile ones."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from companion.kits import KITS
from companion.table.decks import drawn_deck
from companion.web.guard import LARGE_BODY
from tests.patience import eventually
from tests.web.photographer import Photographer, held_upside_down
from tests.web.rig import Rig, running
from tests.web.test_api import API
from tests.web.visitors import Visitors, serious
from vision.decks import open_deck
from vision.pictures import read_picture
from vision.simulated import LaidCard

KIND = {"content-type": "application/octet-stream"}
NEW = LaidCard("r7", 320.0, 90.0)


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    """A box without a camera."""
    with running(tmp_path_factory.mktemp("box")) as rig:
        yield rig


@pytest.fixture(scope="module")
def photographer(rig: Rig) -> Photographer:
    rig.begin_first_turn()
    return Photographer(KITS["silencio"], rig.ask(lambda: rig.history.state).options)


def sent(phone: httpx.Client, photo: bytes) -> httpx.Response:
    return phone.post(f"{API}/photo", content=photo, headers=KIND)


def public(rig: Rig) -> Any:
    return rig.ask(lambda: rig.box.shown.running.public_state)  # type: ignore[union-attr]


def test_a_slanted_photo_is_read_and_followed_without_a_camera(rig: Rig, photographer: Photographer) -> None:
    rig.begin_first_turn()
    phone = rig.paired()
    assert phone.get(f"{API}/state").json()["has_picture"] is False
    table = photographer.photo(public(rig))
    lying = len(phone.get(f"{API}/state").json()["things"])
    assert sent(phone, table).json() == {"cards": lying, "unnamed": 0}
    assert phone.get(f"{API}/state").json()["asked"] == ""
    answer = sent(phone, photographer.photo(public(rig), NEW))
    assert answer.json() == {"cards": lying + 1, "unnamed": 0}
    eventually(lambda: rig.ask(lambda: rig.box.shown.proposal.explanations))
    said = phone.get(f"{API}/state").json()
    assert "Player 1 plays red 7" in said["asked"] + said["offered"]
    number = said["number"]
    for button in ("right", "confirm"):
        moment = phone.get(f"{API}/state").json()["moment"]
        phone.post(f"{API}/press", json={"button": button, "moment": moment})
    assert phone.get(f"{API}/state").json()["number"] > number
    assert "r7" in rig.ask(lambda: rig.history.state).rows[0]


def test_a_phone_held_upside_down_sees_the_same(rig: Rig, photographer: Photographer) -> None:
    rig.begin_first_turn()
    phone = rig.paired()
    photo = photographer.photo(public(rig))
    assert sent(phone, held_upside_down(photo)).json() == sent(phone, photo).json()


def test_a_photo_without_the_corners_says_which_are_missing(rig: Rig, photographer: Photographer) -> None:
    rig.begin_first_turn()
    answer = sent(rig.paired(), photographer.photo(public(rig), without="marker-2"))
    assert answer.status_code == 422
    assert "corner markers 2" in answer.json()["reason"]


def png_head(width: int, height: int) -> bytes:
    """A PNG file that says how large it is, and has hardly a pixel."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\x00" * 9)) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("photo", "status"),
    [
        (b"", 422),
        (b"not a picture", 422),
        (png_head(30_000, 30_000), 413),
        (png_head(40_000, 10), 413),
        (png_head(800, 600), 422),
        (b"\xff\xd8\xff\xe0" + b"\x00" * 400, 422),
        (b"GIF89a" + b"\x00" * 60, 422),
    ],
    ids=["empty", "text", "bomb", "long", "cut short", "torn jpeg", "gif"],
)
def test_what_is_no_photo_is_refused_before_it_is_decoded(rig: Rig, photo: bytes, status: int) -> None:
    rig.begin_first_turn()
    phone = rig.paired()
    before = rig.ask(lambda: rig.history.number)
    for path in ("photo", "decks/silencio/photo"):
        answer = phone.post(f"{API}/{path}", content=photo, headers=KIND)
        assert answer.status_code == status, path
        assert answer.json()["reason"]
    assert rig.ask(lambda: rig.history.number) == before


def test_a_photo_that_is_too_many_bytes_is_refused(rig: Rig) -> None:
    rig.begin_first_turn()
    assert sent(rig.paired(), b"x" * (LARGE_BODY + 1)).status_code == 413


def test_a_photo_of_no_game_is_refused(tmp_path: Path) -> None:
    with running(tmp_path) as box:
        assert sent(box.paired(), b"x").status_code == 409


def test_a_photo_on_the_page_and_a_tick(rig: Rig, photographer: Photographer, browser: Browser, tmp_path: Path) -> None:
    rig.begin_first_turn()
    file = tmp_path / "table.jpg"
    file.write_bytes(photographer.photo(public(rig), NEW))
    visitors = Visitors(browser, rig)
    page = visitors.friend()
    page.get_by_role("link", name="Take a photo").click()
    page.get_by_label("Take a photo").set_input_files(file)
    expect(page.locator("#view")).to_contain_text("Cards that the box has read")
    expect(page.locator(".asked")).to_contain_text("Player 1 plays red 7")
    assert serious(page) == []
    page.get_by_role("button", name="▶").click()
    expect(page.locator(".offered")).to_be_visible()
    number = rig.ask(lambda: rig.history.number)
    page.get_by_role("button", name="✔: confirm").click()
    expect(page.locator("#view")).not_to_have_attribute("data-number", str(number))
    page.get_by_role("link", name="The table").click()
    expect(page.locator(".thing[data-card='r7']")).to_be_visible()
    visitors.close()
    assert visitors.errors == []


def test_a_deck_is_enrolled_by_photos_of_one_card_and_of_many(rig: Rig, browser: Browser, tmp_path: Path) -> None:
    deck = open_deck(drawn_deck("history"))
    names = [face.card for face in deck.faces][:6]
    many = Image.new("RGB", (1500, 1400), (38, 52, 40))
    for at in range(len(names)):
        picture = Image.fromarray(read_picture(deck.faces[at].pictures[0])[:, :, ::-1]).resize((360, 503))
        many.paste(picture, (90 + 480 * (at % 3), 100 + 640 * (at // 3)))
    buffer = io.BytesIO()
    many.save(buffer, "JPEG", quality=92)
    (tmp_path / "many.jpg").write_bytes(buffer.getvalue())
    many.crop((40, 60, 500, 640)).save(tmp_path / "one.jpg", quality=92)
    visitors = Visitors(browser, rig)
    page = visitors.friend(at="#decks/history")
    page.get_by_label("Take a photo").set_input_files(tmp_path / "many.jpg")
    expect(page.locator(".found li")).to_have_count(len(names))
    assert serious(page) == []
    page.get_by_role("button", name="Keep them").click()
    expect(page.locator("#toast")).to_have_text("Cards kept: 6.")
    expect(page.locator(".progress").first).to_contain_text("6 of 32 cards")
    page.get_by_label("Take a photo").set_input_files(tmp_path / "one.jpg")
    expect(page.locator(".found li")).to_have_count(1)
    kept = rig.folder / "decks" / "history"
    assert sorted(path.stem for path in kept.glob("*.png")) == sorted(names)
    visitors.close()
    assert all("404" in error for error in visitors.errors), visitors.errors
