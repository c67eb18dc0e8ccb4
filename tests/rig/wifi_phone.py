"""`python -m tests.rig.wifi_phone SHARE PORT PICTURES`: a stranger's way from the box's own Wi-Fi to the menu.

The box is in the rig (wifi.sh), the browser is a real one, and so are the addresses that it opens: they are reached
through the phone in the rig, whose ports 8080 and 80 are PORT and PORT + 1 here. Each step is pictured.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

PHONE = {"width": 360, "height": 780}
# A plain name for the pictures, and one that holds whatever a name can hold.
PLAIN, ODD = "Home", "Caf"
PATIENCE = 30 * 60.0
MILLISECONDS = PATIENCE * 1000
CHECK = "http://captive.apple.com/hotspot-detect.html"
OWN = "http://10.42.0.1:8080/"
HOME = "http://hush.local:8080/"


def wait_for(path: Path) -> None:
    """The guest has come so far."""
    ends = time.monotonic() + PATIENCE
    while not path.exists():
        if time.monotonic() > ends:
            raise SystemExit(f"FAIL {path.name} never came")
        time.sleep(1)


def through(port: int) -> str:
    """The addresses that a phone would open, by way of the phone in the rig."""
    pages, checks = f"127.0.0.1:{port}", f"127.0.0.1:{port + 1}"
    rules = {"captive.apple.com:80": checks, "10.42.0.1:80": checks, "10.42.0.1:8080": pages, "hush.local:8080": pages}
    return ", ".join(f"MAP {name} {there}" for name, there in rules.items())


def opened(browser: Browser) -> Page:
    """A browser that knows nothing yet."""
    page = browser.new_context(viewport=PHONE, locale="en-GB", device_scale_factor=1).new_page()  # type: ignore[arg-type]
    page.set_default_timeout(MILLISECONDS)
    return page


def join(page: Page, name: str, password: str) -> None:
    """Choose a network, with a password."""
    wifi = page.locator("#network")
    wifi.get_by_role("button", name=name).click(timeout=MILLISECONDS)
    wifi.get_by_label("Its password").fill(password)


def main(share: Path, port: int, pictures: Path) -> None:
    """Go the whole way."""
    began = time.monotonic()

    def say(what: str) -> None:
        print(f"ok   {what} ({time.monotonic() - began:.0f} s)", flush=True)

    with sync_playwright() as playwright:
        wait_for(share / "on-the-own-wifi")
        arguments = ["--no-sandbox", f"--host-resolver-rules={through(port)}", "--no-proxy-server"]
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=arguments)
        page = opened(browser)
        expect.set_options(timeout=MILLISECONDS)
        say("the phone is on the box's own Wi-Fi")
        # What a phone does by itself.
        page.goto(CHECK)
        expect(page).to_have_url(OWN)
        (share / "led").touch()
        say("the phone's own check of the Wi-Fi has opened the page")
        for name in (PLAIN, ODD):
            expect(page.locator("#network")).to_contain_text(name)
        page.screenshot(path=pictures / "arriving-1-own-wifi.png")
        say("the door lists the networks at home")
        join(page, PLAIN, "wrong horse 1")
        page.get_by_role("button", name="Join").scroll_into_view_if_needed()
        page.screenshot(path=pictures / "arriving-2-password.png")
        page.get_by_role("button", name="Join").click()
        expect(page.locator("#network")).to_contain_text("back within two minutes")
        page.screenshot(path=pictures / "arriving-3-leaving.png")
        expect(page.locator("#network")).to_contain_text("That was not the password")
        page.locator("#network h2").scroll_into_view_if_needed()
        page.screenshot(path=pictures / "arriving-4-wrong.png")
        say("a wrong password brings the own Wi-Fi back, and the page says why")
        join(page, ODD, ' cor\\rect "horse" ;#=')
        page.get_by_role("button", name="Join").click()
        expect(page.locator("#network")).to_contain_text("back within two minutes")
        wait_for(share / "code")
        say("the box is in the network at home, and so is the phone")
        # The proxy keeps connections to the other network, which a real phone would have lost.
        page.context.close()
        page = opened(browser)
        page.goto(HOME)
        page.locator("#code").wait_for()
        expect(page.locator("#network")).to_have_count(0)
        page.locator("#code").fill((share / "code").read_text().strip())
        page.screenshot(path=pictures / "arriving-5-code.png")
        page.get_by_role("button", name="Come in by the code").click()
        expect(page.get_by_role("heading", name="Which game shall it be?")).to_be_visible()
        page.screenshot(path=pictures / "arriving-6-menu.png")
        say("paired by a code: the menu")
        browser.close()
    (share / "done").touch()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
