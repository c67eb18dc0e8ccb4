"""Panels by name."""

from __future__ import annotations

import pytest

from hardware.backends import open_panel
from hardware.gpio import NoPins
from hardware.outfit import PLAIN_PANEL
from hardware.panel import Panel, PanelFrame


@pytest.mark.parametrize("name", ["terminal", "window", "simulated", "silent"])
def test_every_twin_opens_by_its_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with open_panel(name, PLAIN_PANEL) as panel:  # type: ignore[arg-type]
        assert isinstance(panel, Panel)
        panel.show(PanelFrame.parse("############### #### ##"))


def test_missing_pins_are_an_error_and_no_twin_takes_their_place() -> None:
    with pytest.raises(NoPins):
        open_panel("pins", PLAIN_PANEL)
