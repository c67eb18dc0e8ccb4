"""A release that the box fetches itself: over https, from its own address, checked before it's offered."""

from __future__ import annotations

import errno
import http.server
import re
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from companion.catalogue import Catalogue
from companion.settings.effective import effective_settings
from companion.settings.every import every
from companion.settings.file import Config
from companion.text import LANGUAGES, Text
from companion.web import download
from companion.web.download import OUTCOMES, Download
from tests.patience import eventually
from tests.service.test_release import Maker, bundle, flipped
from tests.web.rig import running
from tests.web.test_api import API
from tests.web.test_upkeep import Box, deeds, wish
from tests.web.visitors import Visitors, serious

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl isn't here")


class Shelf(http.server.ThreadingHTTPServer):
    """A server with a release, over TLS; `breaks` are the bytes after which each whole answer in turn breaks off."""

    daemon_threads = True

    def __init__(self, certificate: Path):
        super().__init__(("127.0.0.1", 0), Answer)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.content = b""
        self.knows_ranges = True
        self.breaks: list[int] = []
        self.asked: list[str] = []
        self.leads: dict[str, str] = {}
        self.held = threading.Event()
        self.held.set()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"https://localhost:{self.server_port}/hush.run"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that doesn't trust us, or goes away."""


class Answer(http.server.BaseHTTPRequestHandler):
    """One answer of the shelf."""

    server: Shelf

    def do_GET(self) -> None:
        wanted = self.headers.get("Range", "")
        self.server.asked.append(wanted)
        if self.path in self.server.leads:
            self.send_response(302)
            self.send_header("Location", self.server.leads[self.path])
            self.end_headers()
            return
        if self.path != "/hush.run":
            self.send_error(404)
            return
        content = self.server.content
        said = re.fullmatch(r"bytes=(\d*)-(\d*)", wanted) if self.server.knows_ranges else None
        first = 0
        if said:
            first = int(said[1]) if said[1] else max(0, len(content) - int(said[2]))
        if first and first >= len(content):
            self.send_error(416)
            return
        self.send_response(206 if said else 200)
        if said:
            self.send_header("Content-Range", f"bytes {first}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - first))
        self.end_headers()
        is_end = bool(said and not said[1])
        rest = content[first:]
        if not is_end and self.server.breaks:
            rest = rest[: self.server.breaks.pop(0)]
        self.wfile.write(rest[:20_000])
        if not is_end:
            self.server.held.wait()
        self.wfile.write(rest[20_000:])

    def log_message(self, *said: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
    made = subprocess.run(
        [*command.split(), "-addext", "subjectAltName=DNS:localhost", "-keyout", "-", "-out", str(path)],
        capture_output=True, check=True,
    )  # fmt: skip
    path.write_bytes(path.read_bytes() + made.stdout)
    return path


@pytest.fixture
def shelf(certificate: Path) -> Iterator[Shelf]:
    server = Shelf(certificate)
    yield server
    server.held.set()
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def maker(tmp_path_factory: pytest.TempPathFactory) -> Maker:
    made = Maker(tmp_path_factory.mktemp("maker") / "ours")
    (made.wheels / "large-1.0-py3-none-any.whl").write_bytes(bytes(range(256)) * 2000)
    return made


@pytest.fixture
def box(tmp_path: Path, maker: Maker, shelf: Shelf, certificate: Path) -> Iterator[Box]:
    shelf.content = maker.release("2.0")
    with running(tmp_path / "box") as rig:
        box = Box(rig, tmp_path, maker)
        rig.service.download = Download(
            shelf.address, rig.service.upkeep, lambda: ssl.create_default_context(cafile=str(certificate)), (0.0, 0.0)
        )
        yield box


def fetched(box: Box) -> dict[str, Any]:
    """Have the box look, and wait until it's done: how it stands then."""
    phone = box.rig.paired()
    assert phone.post(f"{API}/box/download").status_code == 200

    def ended() -> Any:
        said = phone.get(f"{API}/box").json()["download"]
        return None if said["is_running"] else said

    said: dict[str, Any] = eventually(ended)
    return said


def parts(box: Box) -> list[str]:
    return sorted(path.name for path in (box.rig.folder / "update").iterdir())


def test_a_release_is_fetched_then_agreed_to_then_asked_for(box: Box, shelf: Shelf) -> None:
    said = fetched(box)
    assert (said["outcome"], said["received"]) == ("", len(shelf.content))
    assert said["host"] == f"localhost:{shelf.server_port}"
    assert parts(box) == ["release.run"]
    assert (box.rig.folder / "update/release.run").read_bytes() == shelf.content
    phone = box.rig.paired("another")
    assert deeds(phone)[0] == "update"
    assert wish(phone, "update").status_code == 200
    assert box.asked == "", "nothing is asked of root before somebody beside the box agrees"
    box.rig.hold_on_the_box()
    assert eventually(lambda: box.asked == "update")


def test_what_this_box_wouldnt_take_isnt_even_fetched(box: Box, shelf: Shelf, tmp_path: Path) -> None:
    good, stranger = shelf.content, Maker(tmp_path / "stranger").release("2.0")
    tail = good.rindex(bytes(bundle.MARK))
    for content, words in (
        (box.maker.release("1.5"), "That version or a newer one is here already."),
        (box.maker.release("1.0"), "That version or a newer one is here already."),
        (stranger, "signed by somebody whom this box doesn't know"),
        (good[:tail] + good[tail:].replace(b"version 2.0", b"version 3.0"), "signature is false"),
        (b"<html>" + b"x" * 5000, "no release of Hush"),
        (good[: len(good) // 2], "no release of Hush"),
        (good[:1000] + good[1500:], "damaged on the way"),
    ):
        shelf.content = content
        shelf.asked.clear()
        assert words in fetched(box)["outcome"]
        assert shelf.asked == ["bytes=-1024"]
    assert parts(box) == []
    assert deeds(box.rig.paired()) == ["go-back", "safe-mode", "restart", "power-off"]


@pytest.mark.parametrize("knows_ranges", [True, False])
def test_a_changed_byte_is_found_and_nothing_is_left(box: Box, shelf: Shelf, knows_ranges: bool) -> None:
    shelf.knows_ranges, shelf.content = knows_ranges, flipped(shelf.content, 30_000)
    assert "damaged on the way" in fetched(box)["outcome"]
    assert parts(box) == []
    shelf.content = flipped(shelf.content, 30_000)
    assert fetched(box)["outcome"] == "", "asked again it comes whole"


def test_a_download_that_breaks_goes_on_where_it_was(box: Box, shelf: Shelf) -> None:
    shelf.breaks = [100_000, 150_000]
    assert fetched(box)["outcome"] == ""
    assert shelf.asked == ["bytes=-1024", "", "bytes=-1024", "bytes=100000-", "bytes=-1024", "bytes=250000-"]
    assert (box.rig.folder / "update/release.run").read_bytes() == shelf.content


def test_after_the_last_try_the_part_is_kept_for_the_next_time(box: Box, shelf: Shelf) -> None:
    shelf.breaks = [50_000] * 3
    assert "broke off" in fetched(box)["outcome"]
    (part,) = (box.rig.folder / "update").iterdir()
    assert part.stat().st_size == 150_000
    shelf.asked.clear()
    assert fetched(box)["outcome"] == ""
    assert shelf.asked == ["bytes=-1024", "bytes=150000-"]


def test_a_part_of_another_release_is_thrown_away(box: Box, shelf: Shelf) -> None:
    shelf.breaks = [50_000] * 3
    fetched(box)
    shelf.content = box.maker.release("2.1")
    assert fetched(box)["outcome"] == ""
    assert parts(box) == ["release.run"]
    assert box.rig.service.upkeep.offered == "2.1"


@pytest.mark.parametrize("damage", [b"", b"x" * 2_000_000])
def test_a_part_that_a_power_cut_has_spoilt_does_no_lasting_harm(box: Box, shelf: Shelf, damage: bytes) -> None:
    shelf.breaks = [50_000] * 3
    fetched(box)
    (part,) = (box.rig.folder / "update").iterdir()
    part.write_bytes(damage or bytes(50_000))
    fetched(box)
    assert fetched(box)["outcome"] == "" or parts(box) == ["release.run"]
    assert (box.rig.folder / "update/release.run").read_bytes() == shelf.content


def test_a_server_that_gives_only_whole_files_will_do(box: Box, shelf: Shelf) -> None:
    shelf.knows_ranges, shelf.breaks = False, [0, 60_000]
    assert fetched(box)["outcome"] == ""
    assert (box.rig.folder / "update/release.run").read_bytes() == shelf.content


def test_a_server_that_nobody_vouches_for_is_not_believed(box: Box, shelf: Shelf) -> None:
    box.rig.service.download = Download(shelf.address, box.rig.service.upkeep, pauses=())
    assert "can't prove who it is" in fetched(box)["outcome"]
    assert shelf.asked == []


def test_a_server_that_is_called_otherwise_is_not_believed(box: Box, shelf: Shelf) -> None:
    box.rig.service.download.address = shelf.address.replace("localhost", "127.0.0.1")
    assert "can't prove who it is" in fetched(box)["outcome"]


def test_a_server_that_is_away_and_one_without_a_release_are_told_apart(box: Box, shelf: Shelf) -> None:
    box.rig.service.download.address = shelf.address.replace("hush.run", "nothing")
    assert "no release at the address" in fetched(box)["outcome"]
    box.rig.service.download.address = "https://localhost:1/hush.run"
    assert "can't be reached" in fetched(box)["outcome"]
    box.rig.service.download.address = "https://nowhere.invalid/hush.run"
    assert "can't be reached" in fetched(box)["outcome"]


def test_a_server_may_lead_elsewhere_but_only_by_https_and_not_for_ever(box: Box, shelf: Shelf) -> None:
    box.rig.service.download.address = shelf.address.replace("hush.run", "latest")
    shelf.leads = {"/latest": "/hush.run"}
    assert fetched(box)["outcome"] == ""
    for elsewhere in ("http://localhost/hush.run", "file:///etc/passwd", "ftp://localhost/x", "https://u:p@localhost/"):
        shelf.leads = {"/latest": elsewhere}
        assert "isn't https" in fetched(box)["outcome"]
    shelf.leads = {"/latest": "/latest"}
    assert "no release at the address" in fetched(box)["outcome"]


def test_a_full_disk_is_told_before_and_while_it_comes(box: Box, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as full:
        full.setattr(download, "KEPT_FREE_BYTES", 1 << 60)
        assert "no room" in fetched(box)["outcome"]

    def fails(answer: object) -> Iterator[bytes]:
        yield b"x" * 1000
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(box.rig.service.download, "_parts", fails)
        assert "no room" in fetched(box)["outcome"]
    assert parts(box) == []
    assert fetched(box)["outcome"] == ""


@pytest.mark.parametrize("knows_ranges", [True, False])
def test_what_is_too_large_is_not_fetched(
    box: Box, shelf: Shelf, monkeypatch: pytest.MonkeyPatch, knows_ranges: bool
) -> None:
    shelf.knows_ranges = knows_ranges
    monkeypatch.setattr(download, "HUGE_BODY", 100_000)
    assert "too large" in fetched(box)["outcome"]


def test_a_download_can_be_stopped_and_goes_on_later(box: Box, shelf: Shelf) -> None:
    phone = box.rig.paired()
    shelf.held.clear()
    assert phone.post(f"{API}/box/download").status_code == 200
    assert eventually(lambda: phone.get(f"{API}/box").json()["download"]["received"] > 0)
    assert phone.post(f"{API}/box/download").status_code == 409, "one at a time"
    assert phone.delete(f"{API}/box/download").status_code == 200
    shelf.held.set()
    assert eventually(lambda: "stopped" in phone.get(f"{API}/box").json()["download"]["outcome"])
    assert fetched(box)["outcome"] == ""


def test_no_phone_can_name_an_address(box: Box, shelf: Shelf) -> None:
    """What a phone sends isn't read, and the setting isn't one of those that a page can change."""
    phone = box.rig.paired()
    assert phone.post(f"{API}/box/download", json={"address": "https://evil.example/"}).status_code == 200
    assert eventually(lambda: not box.rig.service.download.progress.is_running)
    assert shelf.asked
    assert box.rig.service.download.address == shelf.address
    assert not every()["update.address"].marks.on_page
    assert phone.post(f"{API}/settings", json={"key": "update.address", "value": "https://evil.example/"}).is_error
    stranger = box.rig.client()
    assert stranger.post(f"{API}/box/download").status_code == 401
    assert stranger.delete(f"{API}/box/download").status_code == 401


def test_a_box_has_no_address_unless_somebody_writes_one(box: Box) -> None:
    assert effective_settings(Config(), "en")[0].update.address == ""
    box.rig.service.download = Download("", box.rig.service.upkeep)
    phone = box.rig.paired()
    assert phone.get(f"{API}/box").json()["download"] is None
    assert phone.post(f"{API}/box/download").status_code == 409


@pytest.mark.parametrize(
    "address",
    ["http://example.org/hush.run", "example.org", "https://", "https://me:secret@example.org/", "https://a b/"],
)
def test_an_address_that_isnt_https_is_refused_with_the_file(address: str) -> None:
    setting = every()["update.address"]
    assert setting.problem_with(address) is not None
    assert setting.problem_with("https://example.org/hush-aarch64.run") is None
    assert setting.problem_with("") is None


def test_every_outcome_is_said_in_every_language() -> None:
    for language in LANGUAGES:
        said = {Catalogue(language).say(Text(words)) for words in OUTCOMES.values()}
        assert len(said) == len(OUTCOMES)
        assert language == "en" or not said & set(OUTCOMES.values())


def test_in_a_browser_it_is_looked_for_watched_and_then_offered(browser: Browser, box: Box, shelf: Shelf) -> None:
    visitors = Visitors(browser, box.rig)
    page = visitors.friend(at="#box")
    shelf.held.clear()
    page.get_by_role("button", name="Look for a newer version at localhost").click()
    expect(page.locator("#download")).to_contain_text("downloading: 1 of 1 MB")
    expect(page.get_by_role("progressbar")).to_be_visible()
    assert serious(page) == []
    shelf.held.set()
    expect(page.locator("#upkeep").get_by_role("button", name="install version 2.0")).to_be_visible()
    assert visitors.errors == []
    visitors.close()
