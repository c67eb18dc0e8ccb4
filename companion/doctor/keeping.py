"""Checks of what is kept and of who keeps it: database, backups, service, page."""

from __future__ import annotations

import importlib.util
import os
import sqlite3
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path

from companion.doctor.finding import Finding, fault, ok, warning
from companion.doctor.system import System
from companion.journal import APPLICATION
from companion.journal.damage import RecordHealth, replay_all
from companion.journal.file import MIGRATIONS, open_to_read
from companion.service.address import address_of, is_elsewhere, named_address
from companion.service.backups import Backups, contents
from companion.text import N_

MANY_RESTARTS = 3
MAX_GAMES_NAMED = 10


def database(system: System) -> Finding:
    """Whether the journal of games is whole and can be written."""
    path = system.settings.folder / "hush.db"
    if not path.parent.exists():
        return ok("database", N_("No game was played yet."))
    if not system.may_read:
        return warning(
            "database",
            N_("Only the box itself may look into {path}."),
            N_("Ask as root: sudo companion doctor"),
            path=str(path.parent),
        )
    if not os.access(path.parent, os.W_OK):
        return fault(
            "database",
            N_("{path} can't be written: games aren't kept."),
            N_("Give it back: sudo chown -R hush: {path}"),
            path=str(path.parent),
        )
    if not path.exists():
        return ok("database", N_("No game was played yet."))
    return record(path)


def record(path: Path) -> Finding:
    """Whether a journal is whole, and every game in it plays."""
    kept = Backups(path).kept()
    copy = str(kept[-1]) if kept else "–"
    try:
        with closing(open_to_read(path)) as open_file:
            (application,) = open_file.execute("PRAGMA application_id").fetchone()
            (version,) = open_file.execute("PRAGMA user_version").fetchone()
            (healthy,) = open_file.execute("PRAGMA integrity_check(1)").fetchone()
        problem = "" if healthy == "ok" and application == APPLICATION else str(healthy)
        found = replay_all(path) if not problem and version == len(MIGRATIONS) else RecordHealth(0, ())
    except sqlite3.Error as error:
        problem = str(error)
    if problem:
        return fault(
            "database",
            N_("The record of games is damaged: {problem}"),
            N_("Stop the box and put the last backup in its place: {copy}"),
            problem=problem,
            copy=copy,
        )
    if found.spoilt:
        return warning(
            "database",
            N_("{count} of {games} games can't be played again: {numbers}."),
            N_("All others play. They may be whole in the last backup: {copy}"),
            count=len(found.spoilt),
            games=found.games,
            numbers=", ".join(map(str, found.spoilt[:MAX_GAMES_NAMED])),
            copy=copy,
        )
    aside = sorted(path.parent.glob("hush.db.broken-*"))
    if aside:
        return warning(
            "database",
            N_("A damaged record was set aside: {name}."),
            N_("Keep it for a repair, or delete it. The last backup: {copy}"),
            name=aside[-1].name,
            copy=copy,
        )
    games, _, steps = contents(path) or (0, 0, 0)
    return ok("database", N_("The record is whole: {games} games, {steps} steps."), games=games, steps=steps)


def backups(system: System) -> Finding:
    """Whether the last copy can be used."""
    kept = Backups(system.settings.folder / "hush.db").kept() if system.may_read else []
    if not kept:
        return ok("backups", N_("There is no backup yet; one is made each day that is played."))
    if contents(kept[-1]) is None:
        return warning(
            "backups",
            N_("The last backup can't be read: {name}."),
            N_("Delete it; tomorrow's will replace it."),
            name=kept[-1].name,
        )
    return ok("backups", N_("The last of {count} backups: {name}."), count=len(kept), name=kept[-1].name)


def service(system: System) -> Finding:
    """What systemd says about hush.service."""
    wanted = ("LoadState", "ActiveState", "UnitFileState", "NRestarts", "Result")
    ran = system.run(["systemctl", "show", "hush.service", *(f"-p{name}" for name in wanted)])
    state = dict(line.split("=", 1) for line in ran.said.splitlines() if "=" in line)
    if ran.code != 0 or state.get("LoadState") != "loaded":
        if not system.needs_hardware:
            return ok("service", N_("Hush isn't installed as a service here."))
        return warning("service", N_("Hush isn't installed as a service."), N_("Install it: sudo sh hush-….run"))
    if state.get("ActiveState") == "failed":
        return fault(
            "service",
            N_("The service has failed: {result}."),
            N_("See why: journalctl -u hush -n 50; then: sudo systemctl restart hush"),
            result=state.get("Result", "?"),
        )
    if state.get("UnitFileState") != "enabled":
        return warning(
            "service", N_("The service doesn't start with the machine."), N_("Turn that on: sudo systemctl enable hush")
        )
    restarts = int(state.get("NRestarts") or 0)
    if restarts >= MANY_RESTARTS:
        return warning(
            "service", N_("The service was restarted {count} times."), N_("See why: journalctl -u hush"), count=restarts
        )
    return ok("service", N_("The service: {state}."), state=state.get("ActiveState", "?"))


def page(system: System) -> list[Finding]:
    """Whether the page answers; nothing to say where there is no page, or nobody serves it."""
    web = system.settings.web
    if importlib.util.find_spec("companion.web") is None or not web.enabled or not system.is_served:
        return []
    address = f"http://127.0.0.1:{web.port}/"
    try:
        with urllib.request.urlopen(address, timeout=5):
            pass
    except urllib.error.HTTPError:
        pass  # it answers, and that is the question
    except OSError as error:
        return [
            fault(
                "page",
                N_("The page doesn't answer at {address}: {reason}"),
                N_("Is another program on that port? sudo ss -ltnp"),
                address=address,
                reason=str(error),
            )
        ]
    outside = address_of(web, web.port)
    if not is_elsewhere(outside):
        return [ok("page", N_("The page answers, but this box is in no network: no phone can open it."))]
    return [ok("page", N_("The page answers. On a phone: {address}"), address=named_address(web, web.port) or outside)]
