"""One running box for each test; a browser where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.patience import PATIENCE
from tests.web.rig import Rig, running
from tests.web.visitors import Visitors

# A busy machine is slow with everything; what never comes still ends a test.
expect.set_options(timeout=PATIENCE * 1000)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(autouse=True)
def _patient_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    """The box's owner may be slow to answer the page, as everything is on a busy machine."""
    monkeypatch.setattr("companion.web.page_service.OWNER_SECONDS", PATIENCE)


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    with running(tmp_path) as rig:
        yield rig


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    if CHROMIUM is None:
        pytest.skip("no chromium here: sudo apt-get install chromium")
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], timeout=PATIENCE * 1000)
    yield browser
    browser.close()


@pytest.fixture
def visitors(browser: Browser, rig: Rig) -> Iterator[Visitors]:
    visitors = Visitors(browser, rig)
    yield visitors
    visitors.close()
    assert visitors.errors == []
