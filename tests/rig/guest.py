"""The life of a box in the rig, stage by stage; `test.sh` calls it once after each start of the machine."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

from machine import (
    CHIP,
    STATE,
    check,
    failures,
    finish,
    hold_together,
    is_up,
    let_go,
    lit,
    press,
    process,
    run,
    unit,
    wait,
)

CHECKOUT = Path("/root/hush")
INSTALL = [str(CHECKOUT / "systemd/install.sh")]
WHEELS = ["--no-apt", "--wheels", "/rig-share/wheels"]
RELEASES = Path("/opt/hush")
REQUEST = Path("/run/hush/shutdown")


def first() -> None:
    """Installed a moment ago: look at the service, play half a game, and be cruel to it."""
    from player import begin, lamps_agree, play_on, steps

    from hardware.panel import Button

    check("systemd is PID 1", Path("/proc/1/comm").read_text().strip() == "systemd")
    if not check("the service is up (READY came)", wait(is_up, 120), unit("StatusText")):
        print(run("journalctl", "-u", "hush", "-n", "60", "-o", "cat", "--no-pager")[1])
        finish(None)
    owner = Path(f"/proc/{process()}").owner()
    check("it runs as hush", owner == "hush", f"{owner}, groups {run('id', '-nG', 'hush')[1]}")
    code, said = run("/opt/hush/current/bin/python", "-c", "import numpy, cv2, picamera2; print(numpy.__file__)")
    check("picamera2, cv2 and the system's numpy together", code == 0 and "/usr/lib/python3" in said, said[-200:])
    check("security", True, run("systemd-analyze", "security", "hush.service", "--no-pager")[1].splitlines()[-1])
    code, said = run(*INSTALL, *WHEELS)
    check("installing again changes nothing", code == 0 and "is here already" in said, said.splitlines()[0])
    wait(is_up, 60)
    time.sleep(3)
    check("the menu's light is on a line", wait(lit, 10), sorted(lit()))
    without_camera()
    begin("silencio", 2, running=False)
    check("a game was begun with the buttons", steps()[0] == 1, steps())
    count = play_on(random.Random(1), 8)
    check("moves by buttons", count.moves == 8, count)
    check("lamps show the state on disk", *lamps_agree())

    before, old = steps(), process()
    os.kill(old, signal.SIGKILL)
    check(
        "kill -9: it came back",
        wait(lambda: is_up() and process() not in (0, old), 90),
        f"restarts {unit('NRestarts')}",
    )
    check("kill -9: nothing lost", steps() == before, f"{before} {steps()}")
    time.sleep(2)
    check("kill -9: lamps as before", *lamps_agree())
    count = play_on(random.Random(2), 3)
    check("kill -9: the game goes on", count.moves == 3 and steps()[0] == before[0], count)

    before, old, since = steps(), process(), time.monotonic()
    os.kill(old, signal.SIGSTOP)
    came = wait(lambda: is_up() and process() not in (0, old), 150)
    check("SIGSTOP: the watchdog restarted it", came, f"after {time.monotonic() - since:.0f} s")
    said = run("journalctl", "-u", "hush", "-o", "cat", "--no-pager")[1]
    check("SIGSTOP: it was the watchdog", "Watchdog timeout" in said)
    time.sleep(2)
    count = play_on(random.Random(3), 3)
    check("SIGSTOP: the game goes on", count.moves == 3 and steps()[0] == before[0], count)
    press(Button.CONFIRM, hold=1.4)
    Path("/var/lib/rig/steps").write_text(repr(steps()))
    finish("rebooted")


def without_camera() -> None:
    """Buttons alone from here on: learning decks takes the emulated machine minutes."""
    check("the camera, as the service sees it", True, unit("StatusText"))
    with Path("/etc/hush/hush.toml").open("a") as file:
        file.write('[camera]\ndevice = "none"\n')
    run("systemctl", "restart", "hush.service")
    wait(is_up, 60)
    time.sleep(3)


def rebooted() -> None:
    """The machine was restarted in mid-game: finish it, then play one of each other kind."""
    from player import begin, lamps_agree, play_on, steps, table

    from companion.games.game import Over
    from hardware.panel import Button

    check("started at boot by systemd", wait(is_up, 120), run("systemd-analyze", "time")[1].splitlines()[0])
    kept = Path("/var/lib/rig/steps").read_text()
    check("reboot: nothing lost", repr(steps()) == kept, f"{kept} {steps()}")
    time.sleep(3)
    check("reboot: lamps show the game", *lamps_agree())
    for number, (name, players) in enumerate((("silencio", 2), ("similo", 2), ("cisza", 2), ("silentes", 2))):
        if number:
            press(Button.CONFIRM)
            time.sleep(0.5)
            begin(name, players, running=True)
        count = play_on(random.Random(number), 900)
        entry, play = table()
        over = play.pending
        ended = isinstance(over, Over) and entry.game == name
        reason = over.reason if isinstance(over, Over) else "not over"
        if not check(f"a whole game of {name} by buttons", ended, f"{count}, steps {steps()[1]}, {reason}"):
            print(run("journalctl", "-u", "hush", "-n", "20", "-o", "cat", "--no-pager")[1])
            break
    doctor()
    stop_and_start()
    updates()
    chord()


def doctor() -> None:
    """The doctor on a box that runs."""
    code, said = run("companion", "doctor")
    print(said, flush=True)
    check("doctor ran", code in (0, 1), f"exit {code}")
    code, said = run("companion", "doctor", "--bundle", "/rig-share/bundle.zip")
    check("doctor made a bundle", Path("/rig-share/bundle.zip").is_file(), said.splitlines()[-1:] if said else code)


def stop_and_start() -> None:
    """A clean stop leaves everything dark and the journal closed."""
    check("something is lit before the stop", wait(lit, 10), sorted(lit()))
    since = time.monotonic()
    run("systemctl", "stop", "hush.service")
    check(
        "clean stop",
        unit("Result") == "success" and unit("ActiveState") == "inactive",
        f"{time.monotonic() - since:.1f} s",
    )
    check("stop: all lamps dark", not lit(), sorted(lit()))
    left = sorted(path.name for path in STATE.iterdir())
    check("stop: the journal is closed", "hush.db-wal" not in left, left)
    backups = STATE / "backups"
    check("a backup was made", backups.is_dir() and list(backups.glob("hush-*.db")), sorted(backups.glob("*")))
    info = run("gpioinfo", "-c", CHIP.name)[1] or run("gpioinfo", CHIP.name)[1]
    check("stop: the lines are given back", 'consumer="lg"' not in info and "lg" not in info.split())
    run("systemctl", "start", "hush.service")
    check("started again", wait(is_up, 60))


def updates() -> None:
    """A version that doesn't come up is rolled back; a good one stays; a person can go back too."""
    good = (RELEASES / "current").readlink()
    broken, better = (
        "/rig-share/updates/hush-0.1.2-py3-none-any.whl",
        "/rig-share/updates/hush-0.1.1-py3-none-any.whl",
    )
    code, said = run(*INSTALL, "update", *WHEELS, "--source", broken)
    check("a broken update is refused", code != 0 and "rolled back" in said, said.splitlines()[-1])
    check("broken update: the old version runs", is_up() and (RELEASES / "current").readlink() == good, good)
    code, said = run(*INSTALL, "update", *WHEELS, "--source", better)
    version = run("/opt/hush/current/bin/python", "-c", "import importlib.metadata as m; print(m.version('hush'))")[1]
    well = code == 0 and is_up() and version == "0.1.1"
    check("a good update comes up", well, f"{code} {version} {said.splitlines()[-1]}")
    code, said = run("/opt/hush/current/systemd/install.sh", "rollback")
    well = code == 0 and is_up() and (RELEASES / "current").readlink() == good
    check("rollback by hand", well, said.splitlines()[-1])


def chord() -> None:
    """◀+▶ for five seconds. Here the unit reboots instead of powering off, so that the story goes on."""
    if failures:
        finish(None)
    drop_in = Path("/etc/systemd/system/hush-shutdown.service.d")
    drop_in.mkdir(exist_ok=True)
    (drop_in / "rig.conf").write_text(
        "[Service]\nExecStart=\nExecStart=/bin/rm -f /run/hush/shutdown\nExecStart=/bin/systemctl --no-block reboot\n"
    )
    run("systemctl", "daemon-reload")
    Path("/var/lib/rig/stage").write_text("last")
    Path("/var/lib/rig/boot").write_text(Path("/proc/sys/kernel/random/boot_id").read_text())
    run("sync")
    from hardware.panel import Button

    print("holding ◀ and ▶", flush=True)
    hold_together(6.0, Button.LEFT, Button.RIGHT)
    time.sleep(120)
    check("◀+▶ for five seconds shut the machine down", False, run("systemctl", "status", "hush-shutdown.path")[1])
    finish(None)


def last() -> None:
    """Back after the buttons' shutdown: take everything off again."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text()
    check("◀+▶ for five seconds shut the machine down", boot != Path("/var/lib/rig/boot").read_text())
    check("the request is gone", not REQUEST.exists())
    check("started at boot again", wait(is_up, 120))
    remove()


def remove() -> None:
    """Everything off again; the games only when asked."""
    games = (STATE / "hush.db").stat().st_size
    code, said = run(*INSTALL, "remove")
    check("remove", code == 0 and not RELEASES.exists() and unit("LoadState") == "not-found", said.splitlines()[-1])
    check("remove: the games are still there", (STATE / "hush.db").stat().st_size >= games)
    code, said = run(*INSTALL, "remove", "--purge")
    check("remove --purge takes them too", code == 0 and not STATE.exists() and run("id", "hush")[0] != 0, said[-80:])
    finish(None)


def container() -> None:
    """Real systemd at native speed, without pins, camera and sound: the unit's life, updates, removal."""
    check("systemd is PID 1", Path("/proc/1/comm").read_text().strip() == "systemd")
    if not check("the service is up (READY came)", wait(is_up, 60), unit("StatusText")):
        finish(None)
    check("it runs as hush", Path(f"/proc/{process()}").owner() == "hush")
    for name, number in (("kill -9", signal.SIGKILL), ("SIGSTOP", signal.SIGSTOP)):
        old, since = process(), time.monotonic()
        os.kill(old, number)
        came = wait(lambda old=old: is_up() and process() not in (0, old), 90)
        check(f"{name}: it came back", came, f"after {time.monotonic() - since:.0f} s, restarts {unit('NRestarts')}")
    said = run("journalctl", "-u", "hush", "-o", "cat", "--no-pager")[1]
    check("SIGSTOP: it was the watchdog", "Watchdog timeout" in said)
    fields = run("journalctl", "-u", "hush", "-o", "json", "--no-pager", "SYSLOG_IDENTIFIER=hush")[1]
    check("the log has fields", '"HUSH_FAULT"' in fields or '"LOGGER"' in fields)
    run("systemctl", "stop", "hush.service")
    check("clean stop", unit("Result") == "success" and unit("ActiveState") == "inactive")
    run("systemctl", "start", "hush.service")
    updates()
    asked = Path("/run/powered-down")
    drop_in = Path("/etc/systemd/system/hush-shutdown.service.d")
    drop_in.mkdir(exist_ok=True)
    (drop_in / "rig.conf").write_text(
        f"[Service]\nExecStart=\nExecStart=/bin/rm -f {REQUEST}\nExecStart=touch {asked}\n"
    )
    run("systemctl", "daemon-reload")
    run("runuser", "-u", "hush", "touch", str(REQUEST))
    check("the request to power down is heard", wait(asked.exists, 20) and not REQUEST.exists())
    remove()


if __name__ == "__main__":
    stages = {"first": first, "rebooted": rebooted, "last": last, "container": container}
    if sys.argv[1] != "container":
        let_go()
    stages[sys.argv[1]]()
