"""Runs in the guest as root when a stranger's way is done: what NetworkManager really says when something is wrong.

Root's helper is asked as the page would ask it. What nmcli answers goes to /rig/nmcli.json; tests/service/nmcli.json
is such a record, of a helper that didn't yet switch a blocked radio on and try no password at all.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, "/opt/hush/current/systemd")
import network

HOME = b'Caf\xe9: \\ "1"'
SECRET = ' cor\\rect "horse" ;#='
BLOCK = "for block in /sys/class/ieee80211/phy*/rfkill*/soft; do echo 1 >$block; done"
UNPLUG = "iw phy $(ls /sys/class/ieee80211 | sort -V | head -n 1) set netns name phone"
# What is wrong, what makes it so, and what is asked for.
CASES: tuple[tuple[str, str, tuple[Any, ...]], ...] = (
    ("wrong password", "", ("join", HOME, "wrong horse 1")),
    ("no password", "", ("join", HOME, "")),
    ("no such network", "", ("join", b"Nowhere", "wrong horse 1")),
    ("no address", "kill $(cat /run/home.pid)", ("join", HOME, SECRET)),
    ("router away", "kill $(cat /run/home.hostapd.pid)", ("join", HOME, SECRET)),
    ("blocked radio", BLOCK, ("join", HOME, SECRET)),
    ("blocked radio, own network", BLOCK, ("own",)),
    ("no radio", UNPLUG, ("own",)),
    ("no NetworkManager", "systemctl stop NetworkManager", ("own",)),
)
found: dict[str, Any] = {}


def shell(command: str) -> None:
    """Change the world around the box."""
    subprocess.run(["bash", "-c", command], check=False)


def record(name: str, word: str, ssid: bytes = b"", password: str = "") -> None:
    """Ask the helper for something; keep which devices it found, and what came of the first profile that it tried."""
    said: dict[str, Any] = {"devices": None, "up": None}

    def run(command: Sequence[str]) -> network.NmcliResult:
        ran = network.run(command)
        for kept, words in (("devices", "status"), ("up", "up")):
            if words in command and said[kept] is None:
                said[kept] = {"exit": ran.code, "said": ran.said}
        return ran

    helper = network.NetworkHelper(run=run)
    helper.request.write_text(json.dumps({"word": word, "ssid": ssid.hex(), "password": password}))
    helper.serve()
    status = json.loads(helper.status.read_text())
    found[name] = said
    Path("/rig/nmcli.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    print(f"ok   recorded: {name}: {status['mode']} {status['code']}", flush=True)


def main() -> None:
    """One thing wrong after the other."""
    # The units would answer, too.
    shell("systemctl stop hush-network.path hush-network.timer")
    version = network.run([network.NMCLI, "--version"]).said.strip()
    found["version"] = version
    for name, prepare, asked in CASES:
        shell(prepare)
        record(name, *asked)


if __name__ == "__main__":
    main()
