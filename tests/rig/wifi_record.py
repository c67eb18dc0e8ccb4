"""Runs in the guest as root when a stranger's way is done: what NetworkManager really says when something is wrong.

Root's helper is asked as the page would ask it; every command of it and every answer goes to /rig/nmcli.json, from which
tests/service/nmcli.json is made.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, "/opt/hush/current/systemd")
import network

HOME = b'Caf\xe9: \\ "1"'
SECRET = ' cor\\rect "horse" ;#='
found: dict[str, Any] = {}


def shell(command: str) -> None:
    """Change the world around the box."""
    subprocess.run(["bash", "-c", command], check=False)


def record(name: str, word: str = "", ssid: bytes = b"", password: str = "") -> None:
    """Ask the helper for something, or let it look after the box, and keep all that was said."""
    said: list[dict[str, Any]] = []

    def run(command: Sequence[str]) -> network.Ran:
        ran = network.run(command)
        said.append({"command": list(command), "code": ran.code, "said": ran.said})
        return ran

    helper = network.Helper(run=run)
    if word:
        asked = {"word": word, "ssid": ssid.hex(), "password": password}
        helper.request.write_text(json.dumps(asked))
    helper.serve()
    status = json.loads(helper.status.read_text())
    found[name] = {"mode": status["mode"], "code": status["code"], "ran": said}
    Path("/rig/nmcli.json").write_text(json.dumps(found, indent=1))
    print(f"ok   recorded: {name}: {status['mode']} {status['code']}", flush=True)


def main() -> None:
    """One thing wrong after the other."""
    # The units would answer, too.
    shell("systemctl stop hush-network.path hush-network.timer")
    version = network.run([network.NMCLI, "--version"]).said.strip()
    found["version"] = version
    cases: tuple[tuple[str, Callable[[], None] | None, tuple[Any, ...]], ...] = (
        ("wrong password", None, ("join", HOME, "wrong horse 1")),
        ("no password", None, ("join", HOME, "")),
        ("no such network", None, ("join", b"Nowhere", "wrong horse 1")),
        ("no address", lambda: shell("kill $(cat /run/home.pid)"), ("join", HOME, SECRET)),
        ("router away", lambda: shell("kill $(cat /run/home.hostapd.pid)"), ("join", HOME, SECRET)),
        ("blocked radio", lambda: shell("for f in /sys/class/ieee80211/phy*/rfkill*/soft; do echo 1 >$f; done"), ("join", HOME, SECRET)),
        ("blocked radio, own network", lambda: shell("for f in /sys/class/ieee80211/phy*/rfkill*/soft; do echo 1 >$f; done"), ("own",)),
        ("no radio", lambda: shell("iw phy $(ls /sys/class/ieee80211 | sort -V | head -n 1) set netns name phone"), ("own",)),
        ("no NetworkManager", lambda: shell("systemctl stop NetworkManager"), ("own",)),
    )  # fmt: skip
    for name, prepare, asked in cases:
        if prepare is not None:
            prepare()
        record(name, *asked)


if __name__ == "__main__":
    main()
