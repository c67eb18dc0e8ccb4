"""`python -m benchmarks.page_load`: how long a phone on a bad network takes to open the page for the first time.

A cold Chromium, its processor six times slower, with 400 kbit/s each way opens a running game. Measured from there to
the first card that can be tapped; what is sent is counted without and with the pictures of cards. Then how long an
event takes to be drawn, from the message in the browser to the painted frame, at the browser's full speed.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.web.rig import Rig, running

PHONE = {"width": 390, "height": 844}
SLOWER = 6
BYTES_A_SECOND = 400_000 / 8
LATENCY = 100
EVENTS = 25
# From the event of the stream to the frame after it, in the page itself.
DRAWN = """() => {
  const drawn = window.drawn = [];
  const plain = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (name, act) {
    plain.call(this, name, (message) => {
      const began = performance.now();
      act(message);
      if (name === "state") requestAnimationFrame(() => setTimeout(() => drawn.push(performance.now() - began), 0));
    });
  };
}"""


class Traffic:
    """What came over the network, by its address."""

    def __init__(self, devtools: CDPSession):
        self._addresses: dict[str, str] = {}
        self.sent: dict[str, float] = {}
        devtools.on("Network.requestWillBeSent", self._asked)
        devtools.on("Network.dataReceived", self._came)

    def _asked(self, said: dict[str, Any]) -> None:
        self._addresses[said["requestId"]] = said["request"]["url"]
        self.sent.setdefault(said["request"]["url"], 0.0)

    def _came(self, said: dict[str, Any]) -> None:
        address = self._addresses.get(said["requestId"], "")
        self.sent[address] = self.sent.get(address, 0.0) + said["encodedDataLength"]

    def split(self) -> tuple[int, float, int, float]:
        """Requests and KB without the pictures of cards, and of those pictures."""
        art = [size for address, size in self.sent.items() if "/art/" in address]
        rest = [size for address, size in self.sent.items() if "/art/" not in address]
        return len(rest), sum(rest) / 1024, len(art), sum(art) / 1024


def opened(browser: Browser, rig: Rig) -> tuple[Page, CDPSession, Traffic]:
    """A paired phone that has never been here, before it opens the page."""
    context = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
    context.add_cookies([{"name": "hush", "value": rig.paired().cookies["hush"], "url": rig.address}])
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    return page, devtools, Traffic(devtools)


def cold(browser: Browser, rig: Rig) -> float:
    """Seconds until a card can be tapped."""
    page, devtools, traffic = opened(browser, rig)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    speed = {"downloadThroughput": BYTES_A_SECOND, "uploadThroughput": BYTES_A_SECOND}
    devtools.send("Network.emulateNetworkConditions", {"offline": False, "latency": LATENCY, **speed})
    began = time.perf_counter()
    page.goto(rig.address, wait_until="commit")
    page.locator(".thing.glows, .rack-card.glows").first.wait_for()
    took = time.perf_counter() - began
    page.wait_for_timeout(4000)
    requests, size, pictures, art = traffic.split()
    print(f"  {took:.2f} s; {requests} requests, {size:.0f} KB; and {pictures} pictures of cards, {art:.0f} KB")
    page.context.close()
    return took


def events(browser: Browser, rig: Rig) -> list[float]:
    """Milliseconds from an event to the frame that shows it; the first draws the whole table."""
    page, _devtools, _traffic = opened(browser, rig)
    page.add_init_script(f"({DRAWN})()")
    page.goto(rig.address)
    page.locator(".thing").first.wait_for()
    # What comes while the page still opens belongs to the opening.
    page.wait_for_function("!document.querySelector('.thing:not(.loaded) image')")
    page.evaluate("window.drawn.splice(1)")
    rng = random.Random(1)
    for _ in range(EVENTS):
        number = rig.ask(lambda: rig.history.number)
        rig.play(1, rng.randrange(1000))
        now = rig.ask(lambda: rig.history.number)
        if now == number:
            break
        page.locator(f"#view[data-number='{now}']").wait_for(state="attached")
    page.wait_for_timeout(300)
    drawn: list[float] = page.evaluate("window.drawn")
    page.context.close()
    return drawn


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3)
    wanted = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder)) as rig,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        rig.begin("silencio", players=3)
        rig.play(24)
        print(f"opened cold at {SLOWER}x slowdown, 400 kbit/s and {LATENCY} ms:")
        times = [cold(browser, rig) for _ in range(wanted.times)]
        print(f"to the first card that can be tapped: {statistics.median(times):.2f} s in the median")
        first, *drawn = events(browser, rig)
        middle, worst = statistics.median(drawn), max(drawn)
        print(f"the table drawn for the first time {first:.0f} ms after its state came")
        print(f"an event drawn after {middle:.0f} ms in the median, {worst:.0f} at the worst, of {len(drawn)}")
        browser.close()


if __name__ == "__main__":
    main()
