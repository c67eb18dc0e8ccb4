"""The life of a box in the rig, in stages; `test.sh` calls one after each start of the machine. See docs/dev/rig.md."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from machine import (
    STAGE,
    STATE,
    camera_process,
    check,
    failures,
    finish,
    give_way,
    hold_together,
    is_up,
    let_go,
    lines_held,
    lit,
    press,
    process,
    run,
    said_since,
    unit,
    wait,
)

from hardware.panel import Button

if TYPE_CHECKING:
    from playback import Playback

CHECKOUT = Path("/root/hush")
INSTALL = [str(CHECKOUT / "systemd/install.sh")]
WHEELS = ["--no-apt", "--wheels", "/rig-share/wheels"]
RELEASES = Path("/opt/hush")
REQUEST = Path("/run/hush/shutdown")
BOOT = Path("/proc/sys/kernel/random/boot_id")


def stands_at_the_menu() -> None:
    """Up by itself, on real pins; else there is nothing to go on with."""
    up = check("the service is up (READY came)", wait(is_up, 300), unit("StatusText"))
    if not up or not check("the menu's light is on a line", wait(lit, 60), sorted(lit())):
        print(run("journalctl", "-u", "hush", "-n", "60", "-o", "cat", "--no-pager")[1])
        finish()


def without_camera() -> None:
    """Buttons alone from here on, as a person may configure it; the emulated machine is quicker so."""
    with Path("/etc/hush/hush.toml").open("a") as file:
        file.write('[camera]\ndevice = "none"\n')
    run("systemctl", "restart", "hush.service")
    stands_at_the_menu()


def replaced(name: str, number: int, seconds: float) -> None:
    """Be cruel to the service, and see it come back."""
    old, since = process(), time.monotonic()
    os.kill(old, number)
    came = wait(lambda: is_up() and process() not in (0, old), seconds)
    check(f"{name}: it came back", came, f"after {time.monotonic() - since:.0f} s, restarts {unit('NRestarts')}")


def held_up(story: Playback) -> None:
    """A press that makes a move, while the service stands still for two seconds: it is heard afterwards, once."""
    move = story.after_move(story.at + 1) - 1
    begun, again = story.play(move), story.again
    os.kill(process(), signal.SIGSTOP)
    threading.Timer(2.0, os.kill, (process(), signal.SIGCONT)).start()
    heard = story.play(move + 1) and story.again == again
    check("held up for 2 s: a press is heard", begun and heard and story.is_kept(), story)


# --- installed from a checkout, as the README says --------------------------------------------------------------------


def install() -> None:
    """Installed a moment ago by `test.sh`."""
    check("systemd is PID 1", Path("/proc/1/comm").read_text().strip() == "systemd")
    stands_at_the_menu()
    owner = Path(f"/proc/{process()}").owner()
    check("it runs as hush", owner == "hush", f"{owner}, groups {run('id', '-nG', 'hush')[1]}")
    code, said = run("/opt/hush/current/bin/python", "-c", "import numpy, cv2, picamera2; print(numpy.__file__)")
    check("picamera2, cv2 and the system's numpy together", code == 0 and "/usr/lib/python3" in said, said[-200:])
    check("security", True, run("systemd-analyze", "security", "hush.service", "--no-pager")[1].splitlines()[-1])
    install_again()
    doctor()
    finish("installed")


def install_again() -> None:
    """The same version once more: nothing is made anew, and the service isn't disturbed."""
    old = process()
    code, said = run(*INSTALL, *WHEELS)
    check("installing again changes nothing", code == 0 and "is here already" in said, said.splitlines()[0])
    check("installing again: the same process runs", is_up() and process() == old, f"{old} {process()}")


def installed() -> None:
    """The machine was restarted."""
    stands_at_the_menu()
    check("started at boot by systemd", True, run("systemd-analyze", "time")[1].splitlines()[0])
    finish()


def doctor() -> None:
    """The doctor on a box that runs."""
    code, said = run("companion", "doctor")
    print(said, flush=True)
    check("doctor ran", code in (0, 1), f"exit {code}")
    code, said = run("companion", "doctor", "--bundle", "/rig-share/bundle.zip")
    check("doctor made a bundle", Path("/rig-share/bundle.zip").is_file(), said.splitlines()[-1:] if said else code)


# --- games ------------------------------------------------------------------------------------------------------------


def whole_game(name: str) -> None:
    """A game from the menu to its end by presses on the lines."""
    from playback import Playback

    stands_at_the_menu()
    without_camera()
    story = Playback(name)
    told = story.play()
    check(f"a whole game of {name} by buttons", told and story.is_whole(), story)
    finish()


def cruel() -> None:
    """kill -9 and SIGSTOP in mid-game, then a reboot."""
    from playback import Playback

    stands_at_the_menu()
    without_camera()
    story = Playback("silencio")
    begun = story.play(story.after_move(len(story.beats) // 4))
    check("a game begun by buttons", begun and story.is_kept(), story)
    held_up(story)
    for name, number, seconds in (("kill -9", signal.SIGKILL, 300), ("SIGSTOP", signal.SIGSTOP, 400)):
        replaced(name, number, seconds)
        check(f"{name}: nothing lost", story.is_kept(), story)
        check(f"{name}: lamps as before", story.is_shown(), sorted(lit()))
        goes_on = story.play(story.after_move(story.at + 10))
        check(f"{name}: the game goes on", goes_on and story.is_kept(), story)
    said = run("journalctl", "-u", "hush", "-o", "cat", "--no-pager")[1]
    check("SIGSTOP: it was the watchdog", "Watchdog timeout" in said)
    finish("rebooted")


def rebooted() -> None:
    """The machine was restarted in mid-game: the game goes on by buttons, to its end; then a clean stop and ◀+▶."""
    from playback import Playback

    check("started at boot by systemd", wait(is_up, 300), run("systemd-analyze", "time")[1].splitlines()[0])
    story = Playback("silencio")
    check("reboot: nothing lost", story.is_kept(), story)
    check("reboot: lamps show the game", story.is_shown(), sorted(lit()))
    told = story.play()
    check("reboot: the game goes on by buttons, to its end", told and story.is_whole(), story)
    stop_and_start()
    chord()


def stop_and_start() -> None:
    """A clean stop leaves everything dark, the lines free and the journal closed."""
    check("before the stop: lamps are lit", wait(lit, 30), sorted(lit()))
    check("before the stop: the lines are held", lines_held() > 20, lines_held())
    since = time.monotonic()
    run("systemctl", "stop", "hush.service")
    stopped = unit("Result") == "success" and unit("ActiveState") == "inactive"
    check("clean stop", stopped, f"{time.monotonic() - since:.1f} s")
    check("stop: all lamps dark", not lit(), sorted(lit()))
    check("stop: the lines are given back", lines_held() == 0, lines_held())
    check("stop: no process is left", run("pgrep", "-u", "hush")[1] == "", run("pgrep", "-au", "hush")[1])
    left = sorted(path.name for path in STATE.iterdir())
    check("stop: the journal is closed", "hush.db-wal" not in left, left)
    backups = STATE / "backups"
    check("a backup was made", backups.is_dir() and list(backups.glob("hush-*.db")), sorted(backups.glob("*")))
    run("systemctl", "start", "hush.service")
    check("started again", wait(is_up, 300) and wait(lit, 60), sorted(lit()))


def chord() -> None:
    """◀+▶ for five seconds. Here the unit reboots instead of powering off, so that the story goes on."""
    if failures:
        finish()
    drop_in = Path("/etc/systemd/system/hush-shutdown.service.d")
    drop_in.mkdir(exist_ok=True)
    (drop_in / "rig.conf").write_text(
        f"[Service]\nExecStart=\nExecStart=/bin/rm -f {REQUEST}\nExecStart=/bin/systemctl --no-block reboot\n"
    )
    run("systemctl", "daemon-reload")
    STAGE.write_text("shut_down")
    (STAGE.parent / "boot").write_text(BOOT.read_text())
    run("sync")
    print("holding ◀ and ▶", flush=True)
    hold_together(8.0, Button.LEFT, Button.RIGHT)
    time.sleep(120)
    check("◀+▶ for five seconds shut the machine down", False, run("systemctl", "status", "hush-shutdown.path")[1])
    finish()


def shut_down() -> None:
    """Back after the buttons' shutdown."""
    check("◀+▶ for five seconds shut the machine down", BOOT.read_text() != (STAGE.parent / "boot").read_text())
    check("the request is gone", not REQUEST.exists())
    check("started at boot again", wait(is_up, 300))
    finish()


# --- under the camera -------------------------------------------------------------------------------------------------


def under_the_camera(name: str) -> None:
    """A whole game by rendered tables before the sensor and ✔ on the lines; the camera has a hard time."""
    from playback import Playback

    stands_at_the_menu()
    story = Playback(f"{name}-camera")
    first = next(number for number, beat in enumerate(story.beats) if "cable" in beat)
    sees = wait(lambda: camera_process() and "no-camera" not in unit("StatusText"), 240)
    check("the camera is there", sees, f"process {camera_process()}")
    check("read by the camera, confirmed by ✔", story.play(first) and story.is_kept(), story)
    main = process()
    for case, number in (("camera killed", signal.SIGKILL), ("camera stopped", signal.SIGSTOP)):
        hurt(case, number)
    check("camera hurt: the box itself went on", process() == main and unit("NRestarts") == "0", unit("NRestarts"))
    told = story.play()
    check(f"a whole game of {name} by camera and buttons", told and story.is_whole(), story)
    check("the same process to the end", process() == main, f"{main} {process()}")
    run("systemctl", "stop", "hush.service")
    check("clean stop with a camera", unit("Result") == "success", run("pgrep", "-au", "hush")[1])
    finish()


def hurt(case: str, number: int) -> None:
    """Kill or stop the camera's process alone: told within seconds, and another one sees again."""
    old, since, clock = camera_process(), time.time(), time.monotonic()
    os.kill(old, number)
    told = wait(lambda: "fault: no-camera" in said_since(since), 60)
    check(f"{case}: told", told, f"after {time.monotonic() - clock:.0f} s: {said_since(since)[-200:]!r}")
    back = wait(lambda: "fault is over: no-camera" in said_since(since), 180)
    check(f"{case}: another one sees", back and camera_process() != old, f"after {time.monotonic() - clock:.0f} s")
    check(f"{case}: the old one is buried", not Path(f"/proc/{old}").exists())


# --- updates ----------------------------------------------------------------------------------------------------------


def updates() -> None:
    """A version that doesn't come up is rolled back; a good one stays; a person can go back too; removal."""
    stands_at_the_menu()
    change_versions()
    remove()


def change_versions() -> None:
    """The updates themselves."""
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


def remove() -> None:
    """Everything off again; the games only when asked."""
    games = (STATE / "hush.db").stat().st_size
    code, said = run(*INSTALL, "remove")
    check("remove", code == 0 and not RELEASES.exists() and unit("LoadState") == "not-found", said.splitlines()[-1])
    check("remove: the games are still there", (STATE / "hush.db").stat().st_size >= games)
    code, said = run(*INSTALL, "remove", "--purge")
    check("remove --purge takes them too", code == 0 and not STATE.exists() and run("id", "hush")[0] != 0, said[-80:])
    finish()


# --- without pins, at native speed ------------------------------------------------------------------------------------


def container() -> None:
    """Real systemd in a container, without pins, camera and sound: the unit's life, updates, removal."""
    check("systemd is PID 1", Path("/proc/1/comm").read_text().strip() == "systemd")
    if not check("the service is up (READY came)", wait(is_up, 60), unit("StatusText")):
        finish()
    check("it runs as hush", Path(f"/proc/{process()}").owner() == "hush")
    install_again()
    replaced("kill -9", signal.SIGKILL, 90)
    replaced("SIGSTOP", signal.SIGSTOP, 90)
    said = run("journalctl", "-u", "hush", "-o", "cat", "--no-pager")[1]
    check("SIGSTOP: it was the watchdog", "Watchdog timeout" in said)
    fields = run("journalctl", "-u", "hush", "-o", "json", "--no-pager", "SYSLOG_IDENTIFIER=hush")[1]
    check("the log has fields", '"HUSH_FAULT"' in fields or '"LOGGER"' in fields)
    run("systemctl", "stop", "hush.service")
    check("clean stop", unit("Result") == "success" and unit("ActiveState") == "inactive")
    run("systemctl", "start", "hush.service")
    change_versions()
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


def first_boot() -> None:
    """A disk that the recipe of the SD image has made, started for the first time."""
    stands_at_the_menu()
    check("started at boot by systemd", True, run("systemd-analyze", "time")[1].splitlines()[0])
    check("it runs as hush", Path(f"/proc/{process()}").owner() == "hush")
    key = STATE / "page.json"
    booted = time.time() - float(Path("/proc/uptime").read_text().split()[0])
    made = check("the page's key is made", wait(key.exists, 60))
    check("at this boot", made and key.stat().st_mtime >= booted and key.stat().st_mode & 0o777 == 0o600)
    check("the page answers", wait(lambda: run("curl", "-fsS", "-m", "20", "http://127.0.0.1:8080/")[0] == 0, 120))
    shown = lit()
    press(Button.RIGHT)
    check("▶ moves on in the menu", wait(lambda: lit() not in (set(), shown), 30), f"{sorted(shown)} {sorted(lit())}")
    code, said = run("companion", "pair")
    check("companion pair makes a code", code == 0 and any(letter.isdigit() for letter in said))
    print(run("companion", "doctor")[1], flush=True)
    finish()


def few_moves() -> None:
    """For a very slow machine: the menu on the lines, and the first moves of a game."""
    from playback import Playback

    stands_at_the_menu()
    without_camera()
    story = Playback("silencio")
    begun = story.play(story.after_move(30))
    check("a game begun by buttons", begun and story.is_kept(), story)
    finish()


STAGES = {
    "install": install, "installed": installed, "cruel": cruel, "rebooted": rebooted, "shut_down": shut_down,
    "updates": updates, "container": container, "few_moves": few_moves, "first_boot": first_boot,
    "similo-camera": lambda: under_the_camera("similo"), "silencio-camera": lambda: under_the_camera("silencio"),
}  # fmt: skip

if __name__ == "__main__":
    if sys.argv[1] not in ("container", "first_boot"):
        # Not in a machine that has just started: under load QEMU's kernel didn't survive it there.
        give_way()
    if sys.argv[1] != "container":
        let_go()
    STAGES.get(sys.argv[1], lambda: whole_game(sys.argv[1]))()
