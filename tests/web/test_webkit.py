"""The page in WebKit, the nearest there is to Safari, through Debian's webkit2gtk-driver; without it, it's skipped."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.patience import PATIENCE, eventually
from tests.web.rig import Rig, running

DRIVER, SCREEN = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
BROWSERS = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
pytestmark = pytest.mark.skipif(
    not (DRIVER and SCREEN and BROWSERS), reason="no WebKit here: sudo apt-get install webkit2gtk-driver xvfb"
)


class WebKit:
    """A window of WebKit, driven by W3C WebDriver."""

    def __init__(self, port: int):
        self._client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE)
        wanted = {"webkitgtk:browserOptions": {"binary": str(BROWSERS[-1]), "args": ["--automation"]}}
        body = {"capabilities": {"alwaysMatch": wanted}}
        self._session = self._client.post("/session", json=body).json()["value"]["sessionId"]

    def ask(self, method: str, path: str, **body: Any) -> Any:
        """One command, and its answer."""
        sent = {"json": body} if method == "POST" else {}
        return self._client.request(method, f"/session/{self._session}/{path}", **sent).json()["value"]  # type: ignore[arg-type]

    def run(self, script: str) -> Any:
        """What a script returns."""
        return self.ask("POST", "execute/sync", script=script, args=[])

    def click(self, selector: str) -> None:
        """A click as a person makes it."""
        found = eventually(lambda: self.ask("POST", "elements", using="css selector", value=selector))
        self.ask("POST", f"element/{found[0][ELEMENT]}/click")

    def count(self, selector: str) -> int:
        """How many there are."""
        return int(self.run(f"return document.querySelectorAll({selector!r}).length"))

    def close(self) -> None:
        """Shut the window."""
        self._client.delete(f"/session/{self._session}")
        self._client.close()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture
def window() -> Iterator[WebKit]:
    assert DRIVER is not None
    assert SCREEN is not None
    port = free_port()
    screen = subprocess.Popen(
        [SCREEN, "-displayfd", "1", "-screen", "0", "900x1000x24"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert screen.stdout is not None
    with screen.stdout as said:
        display = f":{said.readline().decode().strip()}"
    settings = {"DISPLAY": display, "PATH": "/usr/bin:/bin", "HOME": "/tmp", "WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
    driver = subprocess.Popen(
        [DRIVER, f"--port={port}"], env=settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )

    def answers() -> bool:
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", port)) == 0

    try:
        eventually(answers)
        window = WebKit(port)
        yield window
        window.close()
    finally:
        for process in (driver, screen):
            process.terminate()
            process.wait(PATIENCE)


def test_cards_are_tapped_in_webkit(window: WebKit, tmp_path: Path) -> None:
    with running(tmp_path, trust_loopback=True) as box:
        rig: Rig = box
        rig.begin("similo")
        window.ask("POST", "url", url=rig.address)
        eventually(lambda: window.count(".live.on") == 1)
        eventually(lambda: window.count(".rack-card") > 20)
        for number, card in enumerate(("alice", "giant"), start=1):
            window.click(f".rack-card[data-card={card}]")
            eventually(lambda number=number: rig.ask(lambda: rig.history.number) == number)  # type: ignore[misc]
            eventually(lambda card=card: window.count(f".thing[data-card={card}]") == 1)  # type: ignore[misc]
        # The stream goes on, compressed as it is, and what somebody else does comes through it.
        rig.ask(lambda: rig.box.do("show jack"))
        eventually(lambda: window.count(".thing[data-card=jack]") == 1)
        art = "return [...document.querySelectorAll('.rack-card img')].filter((one) => one.naturalWidth > 0).length"
        eventually(lambda: window.run(art) > 5)
        assert window.run("return document.documentElement.scrollWidth <= window.innerWidth")
