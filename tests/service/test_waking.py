"""A box whose panel isn't there: it must come up all the same, for the page and the log."""

from __future__ import annotations

import time
from pathlib import Path

from companion.table.box import Box
from companion.table.hosts import HOSTS
from hardware.silent import SilentPanel
from sounds.box import SoundBox, SoundSettings
from sounds.guard import SilenceGuard


def test_without_a_panel_the_menu_and_a_game_still_come_up(tmp_path: Path) -> None:
    with SoundBox(SilenceGuard(), SoundSettings(backend="silent"), tmp_path) as sound:
        box = Box(HOSTS, SilentPanel(), sound, None, time.monotonic)
        box.open()
        assert box.is_menu
        for name in HOSTS:
            box.start(name, {})
            box.show_menu()
