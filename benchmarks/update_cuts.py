"""`python -m benchmarks.update_cuts`: the power is cut while the box is updated, and after; what is left each time?

The real package is installed on a disk in a file, then updated, and the disk is copied again and again: every half
second, without a pause while the installer waits for the disk, and 0, 5, 10 and 25 s after it has said that it's done.
Each copy is mounted, as after a power cut, and compared by hashes: `current` must point at a whole version, the old or
the new one, and the units that systemd finds must be that version's. On some copies the update is then run again.
Needs root, loop devices, and the packages from a network or `--wheels`. `--installer` tries another install.sh.
With `--by-phone` the update is a signed release that a phone has sent, installed by root's helper; needs `--wheels`.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.disk_image import Power, make_disk, mounted
from companion.text import LANGUAGES
from tests.service.boxes import UNITS

ROOT = Path(__file__).resolve().parent.parent
WANTED = ("hush.service", "hush-shutdown.path", "hush-request.path", "hush-network.path", "hush-network.timer")
# Where systemd looks, the first first.
UNIT_FOLDERS = ("etc/systemd/system", "usr/local/lib/systemd/system")
AFTER = (0, 5, 10, 25)
BOX_DISK_MEGABYTES = 2048

Contents = dict[str, str]


def contents(release: Path) -> Contents:
    """Each file and link of a release: the hash, or where it points."""
    found: Contents = {}
    for folder, folders, files in os.walk(release):
        for name in [*files, *(name for name in folders if Path(folder, name).is_symlink())]:
            path = Path(folder, name)
            if path == release / "previous":
                continue  # where to go back to; set when another version takes over
            text = str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
            found[path.relative_to(release).as_posix()] = hashlib.sha256(text).hexdigest()
    return found


def current(root: Path) -> str:
    """The name of the release that would run."""
    return (root / "opt/hush/current").readlink().name


def unit_text(root: Path, unit: str) -> str:
    """What systemd would read as this unit, in the system in a folder; nothing if it finds none."""
    for folder in UNIT_FOLDERS:
        path = root / folder / unit
        while path.is_symlink():
            target = path.readlink()
            path = root / target.relative_to("/") if target.is_absolute() else path.parent / target
        if path.is_file():
            return path.read_text()
    return ""


def problems(root: Path, known: Mapping[str, Contents]) -> list[str]:
    """What a person would find broken after the power came back; `known` holds the versions as they were made."""
    try:
        name = current(root)
    except OSError:
        return ["current is no link"]
    if name not in known:
        return [f"current points at {name}, which was never finished"]
    release = root / "opt/hush/releases" / name
    there = contents(release)
    wrong = [path for path, digest in known[name].items() if there.get(path) != digest]
    found = [f"{len(wrong)} files of {name} differ, {wrong[0]} first"] if wrong else []
    for unit in UNITS:
        if not (text := unit_text(root, unit)):
            found.append(f"{unit} is empty or missing")
        elif text != (release / "systemd" / unit).read_text():
            found.append(f"{unit} is of another version")
    wants = root / "etc/systemd/system/multi-user.target.wants"
    found += [f"{unit} isn't enabled" for unit in WANTED if not (wants / unit).is_symlink()]
    if not (root / "etc/hush/hush.toml").read_text():
        found.append("the configuration is empty")
    if not (root / "usr/local/bin/companion").is_symlink():
        found.append("there is no command")
    return found


def sources(folder: Path, installer: Path) -> tuple[Path, Path]:
    """Two versions of this package, each with the installer that is tried."""
    made = []
    for version in ("one", "two"):
        source = folder / version
        source.mkdir()
        for part in ("companion", "vision", "hardware", "sounds", *(f"docs/{one}" for one in LANGUAGES)):
            shutil.copytree(ROOT / part, source / part, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, source)
        shutil.copytree(installer.parent, source / "systemd", ignore=shutil.ignore_patterns("__pycache__"))
        for changed in (source / "companion/__init__.py", source / "systemd/hush.service"):
            changed.write_text(f"{changed.read_text()}# {version}\n")
        made.append(source)
    return made[0], made[1]


class UpdateBench:
    """One disk, the two versions, and how the installer is called."""

    def __init__(self, folder: Path, arguments: argparse.Namespace):
        self.folder = folder
        self.one, self.two = sources(folder, arguments.installer)
        self.options = ["--wheels", str(arguments.wheels)] if arguments.wheels else []
        self.environment = {**os.environ, "PYTHON": arguments.python}
        self.known: dict[str, Contents] = {}

    def command(self, verb: str, source: Path, root: Path) -> list[str]:
        """The installer's own command line, for the system in a folder."""
        return [str(source / "systemd/install.sh"), verb, "--root", str(root), *self.options]

    def call(self, verb: str, source: Path, root: Path) -> None:
        """Run the installer to its end."""
        command = self.command(verb, source, root)
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=self.environment)
        if done.returncode != 0:
            raise OSError(f"{verb} failed: {done.stdout[-500:]}{done.stderr[-500:]}")

    def is_mended(self, root: Path) -> bool:
        """Run the update again: the new version is there, with its units, and everything in it can be imported."""
        try:
            self.call("update", self.two, root)
        except OSError:
            return False
        release = root / "opt/hush/releases" / current(root)
        check = [str(release / "bin/python"), str(release / "systemd/packages.py"), "check"]
        imported = subprocess.run(check, capture_output=True, check=False, cwd=self.folder).returncode == 0
        newest = (release / "systemd/hush.service").read_text().endswith("# two\n")
        return imported and newest and not problems(root, {release.name: contents(release)})

    def learn(self, root: Path) -> str:
        """Remember the version that was just installed."""
        name = current(root)
        self.known[name] = contents(root / "opt/hush/releases" / name)
        return name


class PhoneUpdateBench(UpdateBench):
    """The same, with releases that are signed and sent."""

    def __init__(self, folder: Path, arguments: argparse.Namespace):
        super().__init__(folder, arguments)
        self.python, self.wheels, self.key = arguments.python, arguments.wheels, folder / "key.pem"
        self.helper = self.one / "systemd/request.py"
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", self.key], check=True)
        version = "import platform; print(platform.machine(), '.'.join(platform.python_version_tuple()[:2]))"
        self.machine = subprocess.run([self.python, "-c", version], capture_output=True, text=True, check=True).stdout
        self.one, self.two = self.release(self.one, "0.1.0"), self.release(self.two, "0.2.0")

    def release(self, source: Path, version: str) -> Path:
        """A version as one signed file."""
        project = source / "pyproject.toml"
        project.write_text(project.read_text().replace('version = "0.1.0"', f'version = "{version}"'))
        make, (machine, python) = [self.python, str(source / "systemd/make_release.py")], self.machine.split()
        options = ["--key", str(self.key), "--wheels", str(self.wheels), "--folder", str(source)]
        subprocess.run([*make, *options, "--machine", machine, "--python", python], check=True, capture_output=True)
        return source / f"hush-{version}-{machine}.run"

    def command(self, verb: str, source: Path, root: Path) -> list[str]:
        """The first one by its own command; a later one is sent by a phone, and root's helper is asked for it."""
        if verb == "install":
            return ["sh", str(source), verb, "--root", str(root)]
        (root / "run/hush").mkdir(parents=True, exist_ok=True)
        for folder in ("var/tmp", "var/lib/hush/update"):
            (root / folder).mkdir(parents=True, exist_ok=True)
        shutil.copy(source, root / "var/lib/hush/update/release.run")
        (root / "run/hush/request").write_text("update")
        return [self.python, "-I", str(self.helper), str(root)]


def waits_for_the_disk(process: int) -> bool:
    """Whether the installer is at a step that matters: writing through to the disk, or putting a file in its place."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        names = [Path(f"/proc/{child}/comm").read_text().strip() for child in children]
    except OSError:
        return False
    # By a phone the installer is a child of root's helper.
    return any(name in ("sync", "mv", "ln") for name in names) or any(
        name == "bash" and waits_for_the_disk(int(child)) for child, name in zip(children, names, strict=True)
    )


def update(bench: UpdateBench, power: Power, root: Path, pause: float) -> float:
    """Update, and cut the power all the time, then after each of the times in AFTER; how long the update took."""
    started = time.monotonic()
    command = bench.command("update", bench.two, root)
    silent = subprocess.DEVNULL
    with subprocess.Popen(command, env=bench.environment, stdout=silent, stderr=silent) as installer:
        due = 0.0
        while installer.poll() is None:
            at_the_disk = waits_for_the_disk(installer.pid)
            if at_the_disk or time.monotonic() >= due:
                power.cut("writing through" if at_the_disk else "making it")
                due = time.monotonic() + pause
            time.sleep(0.003)
    took = time.monotonic() - started
    if installer.returncode != 0:
        raise SystemExit("the update failed")
    done = time.monotonic()
    for seconds in AFTER:
        time.sleep(max(0.0, done + seconds - time.monotonic()))
        power.written = -1
        power.cut(f"{seconds} s after")
    return took


def report(console: Console, bench: UpdateBench, power: Power, old: str, again: int) -> int:
    """Judge each copy, run the update again on some, and print the table; how many were broken."""
    outcomes: dict[str, Counter[str]] = {}
    examples: list[str] = []
    copies = power.cuts
    chosen = {index * (len(copies) - 1) // max(again - 1, 1) for index in range(again)}
    # The same place as before: a virtual environment knows its own path.
    place = power.folder
    for number, (moment, copy) in enumerate(copies):
        row = outcomes.setdefault(moment, Counter())
        with mounted(copy, place):
            found = problems(place, bench.known)
            row["cuts"] += 1
            row["broken" if found else "old" if current(place) == old else "new"] += 1
            if found:
                examples.append(f"{moment}: {'; '.join(found)}")
            if number in chosen:
                row["again"] += 1
                row["mended"] += bench.is_mended(place)
        copy.unlink()
    table = Table("the power goes", "cuts", "old version", "new version", "broken", "update again", "whole after it")
    for moment, row in outcomes.items():
        table.add_row(moment, *(str(row[key]) for key in ("cuts", "old", "new", "broken", "again", "mended")))
    console.print(table)
    for example in examples[:6]:
        console.print(example)
    return sum(row["broken"] + row["again"] - row["mended"] for row in outcomes.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="where the disk lies; on XFS or Btrfs a copy is made in one step")
    parser.add_argument("--installer", type=Path, default=ROOT / "systemd/install.sh")
    parser.add_argument("--python", default=sys.executable, help="the system's Python (default: this one)")
    parser.add_argument("--wheels", type=Path, help="take Python packages from this folder alone")
    parser.add_argument("--by-phone", action="store_true", help="the update is a signed release, sent by a phone")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between two cuts while a version is made")
    parser.add_argument("--again", type=int, default=4, help="on so many copies the update is run again (default 4)")
    arguments = parser.parse_args()
    arguments.installer = arguments.installer.resolve()
    console = Console()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = Path(name)
        bench = PhoneUpdateBench(folder, arguments) if arguments.by_phone else UpdateBench(folder, arguments)
        disk, root, copies = folder / "disk.img", folder / "box", folder / "copies"
        copies.mkdir()
        make_disk(disk, BOX_DISK_MEGABYTES)
        with mounted(disk, root) as device:
            (root / "etc").mkdir()
            bench.call("install", bench.one, root)
            first = bench.learn(root)
            subprocess.run(["sync", "-f", root], check=True)
            power = Power(disk, root, device, copies)
            took = update(bench, power, root, arguments.pause)
            bench.learn(root)
        size = sum(map(len, bench.known.values())) // 2
        console.print(f"{size} files a version, the update took {took:.0f} s, {len(power.cuts)} cuts")
        return 1 if report(console, bench, power, first, arguments.again) else 0


if __name__ == "__main__":
    sys.exit(main())
