"""`python -m tests.rig.wifi_phone SHARE ADDRESS PICTURES`: a stranger's way from the box's own Wi-Fi to the menu.

The box is in the rig (wifi.sh), the browser is a real one. Each step is pictured.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

PHONE = {"width": 360, "height": 780}
NAME = "Caf"
PATIENCE = 15 * 60.0
MILLISECONDS = PATIENCE * 1000


def wait_for(path: Path) -> None:
    """The guest has come so far."""
    ends = time.monotonic() + PATIENCE
    while not path.exists():
        if time.monotonic() > ends:
            raise SystemExit(f"FAIL {path.name} never came")
        time.sleep(1)


def opened(browser: Browser) -> Page:
    """A browser that knows nothing yet."""
    page = browser.new_context(viewport=PHONE, locale="en-GB", device_scale_factor=2).new_page()  # type: ignore[arg-type]
    page.set_default_timeout(MILLISECONDS)
    return page


def join(page: Page, password: str) -> None:
    """Choose the network at home, with a password."""
    wifi = page.locator("#network")
    wifi.get_by_role("button", name=NAME).click(timeout=MILLISECONDS)
    wifi.get_by_label("Its password").fill(password)


def main(share: Path, address: str, pictures: Path) -> None:
    """Go the whole way."""
    began = time.monotonic()

    def say(what: str) -> None:
        print(f"ok   {what} ({time.monotonic() - began:.0f} s)", flush=True)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = opened(browser)
        expect.set_options(timeout=MILLISECONDS)
        wait_for(share / "on-the-own-wifi")
        say("the phone is on the box's own Wi-Fi")
        page.goto(address)
        expect(page.locator("#network")).to_contain_text(NAME)
        page.screenshot(path=pictures / "arriving-1-own-wifi.png", full_page=True)
        say("the door lists the network at home")
        join(page, "wrong horse 1")
        page.get_by_role("button", name="Join").scroll_into_view_if_needed()
        page.screenshot(path=pictures / "arriving-2-password.png")
        page.get_by_role("button", name="Join").click()
        expect(page.locator("#network")).to_contain_text("back within two minutes")
        page.screenshot(path=pictures / "arriving-3-leaving.png", full_page=True)
        expect(page.locator("#network")).to_contain_text("That was not the password")
        page.locator("#network h2").scroll_into_view_if_needed()
        page.screenshot(path=pictures / "arriving-4-wrong.png")
        say("a wrong password brings the own Wi-Fi back, and the page says why")
        join(page, ' cor\\rect "horse" ;#=')
        page.get_by_role("button", name="Join").click()
        expect(page.locator("#network")).to_contain_text("back within two minutes")
        wait_for(share / "code")
        say("the box is in the network at home, and so is the phone")
        # The proxy keeps connections to the other network, which a real phone would have lost.
        page.context.close()
        page = opened(browser)
        page.goto(address)
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
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
