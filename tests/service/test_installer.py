"""The installer in a scratch root: install, again, update, roll back, remove; and the camera's packages."""

from __future__ import annotations

import os
import shutil
import site
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
INSTALL = ROOT / "systemd" / "install.sh"
PACKAGES = ("companion", "vision", "hardware", "sounds")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the installer is for Linux")
needs_tools = pytest.mark.skipif(
    shutil.which("systemd-sysusers") is None or shutil.which("systemctl") is None, reason="systemd's tools aren't here"
)


def make_wheel(folder: Path, version: str, extra: str = "") -> Path:
    """A wheel of this source tree, put together without a build tool and a network."""
    path = folder / f"hush-{version}-py3-none-any.whl"
    info = f"hush-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        for package in PACKAGES:
            for file in sorted((ROOT / package).rglob("*")):
                if file.is_file() and "__pycache__" not in file.parts:
                    wheel.write(file, file.relative_to(ROOT).as_posix())
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: hush\nVersion: {version}\n{extra}")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/entry_points.txt", "[console_scripts]\ncompanion = companion.__main__:main\n")
        wheel.writestr(f"{info}/RECORD", "")
    return path


class Scratch:
    """A system in a folder. The packages of this test's own environment play the system's."""

    def __init__(self, folder: Path):
        self.root = folder / "root"
        self.wheels = folder / "wheels"
        self.wheels.mkdir()
        self.system = folder / "system"
        self.system.mkdir()
        for package in Path(site.getsitepackages()[0]).iterdir():
            if not package.name.lower().startswith(("hush", "_hush", "__editable", "pip", "setuptools")):
                (self.system / package.name).symlink_to(package)
        # lgpio leaves a pipe wherever it is imported, or where LG_WD says.
        (self.system / "lgpio.py").write_text("import os; os.mkfifo(os.environ.get('LG_WD', '.') + '/.lgd-nfy0')\n")
        self.here = folder / "here"
        self.here.mkdir()
        (self.root / "etc/default").mkdir(parents=True)
        (self.root / "etc/default/locale").write_text("LANG=nl_NL.UTF-8\n")

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(INSTALL), *arguments, "--root", str(self.root), "--wheels", str(self.wheels)]
        environment = {**os.environ, "PYTHON": sys.executable, "PYTHONPATH": str(self.system)}
        environment.pop("LG_WD", None)
        return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=self.here)

    def current(self) -> str:
        return (self.root / "opt/hush/current").readlink().name

    def files(self) -> list[str]:
        return sorted(path.relative_to(self.root).as_posix() for path in self.root.rglob("*"))


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    return Scratch(tmp_path)


@needs_tools
@pytest.mark.timeout(600)
def test_the_whole_life_of_an_installation(scratch: Scratch, tmp_path: Path) -> None:
    one, two = make_wheel(tmp_path, "1.0"), make_wheel(tmp_path, "2.0")
    done = scratch("install", "--source", str(one))
    assert done.returncode == 0, done.stderr
    root = scratch.root
    for unit in ("hush.service", "hush-shutdown.path", "hush-shutdown.service"):
        assert (root / "etc/systemd/system" / unit).is_file()
    assert (root / "etc/systemd/system/multi-user.target.wants/hush.service").is_symlink()
    assert "hush:x:" in (root / "etc/passwd").read_text()
    groups = dict(line.split(":", 1) for line in (root / "etc/group").read_text().splitlines())
    assert all("hush" in groups[group] for group in ("gpio", "video", "audio"))
    assert 'language = "nl"' in (root / "etc/hush/hush.toml").read_text()
    assert (root / "var/lib/hush").stat().st_mode & 0o777 == 0o750
    assert not (root / "opt/hush/previous").is_symlink()
    assert not list(scratch.here.iterdir())
    first = scratch.current()

    # Doing it again changes nothing, not even what a person wrote into the configuration.
    (root / "etc/hush/hush.toml").write_text('backend = "pi"\n# mine\n')
    before = scratch.files()
    again = scratch("install", "--source", str(one))
    assert again.returncode == 0, again.stderr
    assert "is here already" in again.stdout
    assert scratch.files() == before
    assert "# mine" in (root / "etc/hush/hush.toml").read_text()

    updated = scratch("update", "--source", str(two))
    assert updated.returncode == 0, updated.stderr
    second = scratch.current()
    assert second != first
    assert (root / "opt/hush/previous").readlink().name == first
    assert scratch("rollback").returncode == 0
    assert scratch.current() == first

    # A version that can't be installed leaves everything as it was.
    broken = make_wheel(tmp_path, "3.0", "Requires-Dist: there-is-no-such-package\n")
    before = scratch.files()
    failed = scratch("update", "--source", str(broken))
    assert failed.returncode == 1
    assert "nothing was changed" in failed.stderr
    assert scratch.files() == before

    (root / "var/lib/hush/hush.db").write_text("games")
    assert scratch("remove").returncode == 0
    assert not (root / "opt/hush").exists()
    assert not (root / "etc/systemd/system/hush.service").exists()
    assert (root / "var/lib/hush/hush.db").read_text() == "games"
    assert (root / "etc/hush/hush.toml").is_file()
    assert scratch("remove", "--purge").returncode == 0
    assert not (root / "var/lib/hush").exists()
    assert not (root / "etc/hush").exists()


SYSTEMCTL = """#!/bin/sh
# What the installer asks of systemd, written down; the service comes up whenever it is started.
echo "$*" >>"$0.asked"
case "$1" in
    is-active) shift; for unit; do cat "$(dirname "$0")/state" 2>/dev/null || echo inactive; done ;;
    start | restart) echo active >"$(dirname "$0")/state" ;;
    stop) echo inactive >"$(dirname "$0")/state" ;;
    show) echo 42 ;;
esac
"""


@needs_tools
@pytest.mark.timeout(600)
def test_installing_again_disturbs_no_service_that_runs(scratch: Scratch, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "systemctl").write_text(SYSTEMCTL)
    (tools / "systemctl").chmod(0o755)
    script = f'source {INSTALL}; parse "$@"; START=yes; "do_$ACTION"'
    one, two = make_wheel(tmp_path, "1.0"), make_wheel(tmp_path, "2.0")

    def asked(verb: str, wheel: Path) -> list[str]:
        """What was asked of systemd."""
        (tools / "systemctl.asked").write_text("")
        command = ["bash", "-c", script, "test", verb, "--source", str(wheel)]
        command += ["--root", str(scratch.root), "--wheels", str(scratch.wheels)]
        environment = {**os.environ, "PYTHON": sys.executable, "PYTHONPATH": str(scratch.system), "HUSH_PATIENCE": "0"}
        environment["PATH"] = f"{tools}:{os.environ['PATH']}"
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=scratch.here)
        assert done.returncode == 0, done.stderr
        return (tools / "systemctl.asked").read_text().splitlines()

    restart = "restart hush.service"
    assert restart in asked("install", one)
    assert {line.split()[0] for line in asked("install", one)} == {"is-active", f"--root={scratch.root}"}
    # A unit that somebody changed, and a service that doesn't run, are put right.
    unit = scratch.root / "etc/systemd/system/hush.service"
    unit.write_text(unit.read_text() + "# mine\n")
    assert restart in asked("install", one)
    (tools / "state").write_text("failed\n")
    assert restart in asked("install", one)
    assert restart in asked("update", two)


def test_a_dry_run_says_everything_and_does_nothing(scratch: Scratch, tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path, "1.0")
    before = scratch.files()
    done = scratch("install", "--dry-run", "--source", str(wheel))
    assert done.returncode == 0, done.stderr
    for step in ("venv --system-site-packages", "pip install", "systemd-sysusers", "hush.service", "hush.toml"):
        assert step in done.stdout
    assert scratch.files() == before


def test_only_root_may_and_a_wrong_word_is_explained() -> None:
    wrong = subprocess.run([str(INSTALL), "dance"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 1
    assert "unknown: dance" in wrong.stderr
    assert "rollback" in wrong.stderr
    if os.geteuid() != 0:
        refused = subprocess.run([str(INSTALL)], capture_output=True, text=True, check=False)
        assert "sudo" in refused.stderr


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck isn't here")
def test_the_scripts_are_clean() -> None:
    for script in (INSTALL, *sorted((ROOT / "tests/rig").glob("*.sh"))):
        shell = "bash" if script.read_text().startswith("#!") else "sh"
        command = ["shellcheck", "-s", shell, str(script)]
        assert subprocess.run(command, capture_output=True, text=True, check=False).stdout == ""


# pip's numpy beside the system's camera


def distribution(folder: Path, name: str, version: str, needs: tuple[str, ...] = (), code: str = "") -> None:
    """A package as apt leaves it: a module and what's said about it."""
    (folder / f"{name}.py").write_text(code)
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir()
    lines = [f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}", *(f"Requires-Dist: {need}" for need in needs)]
    (info / "METADATA").write_text("\n".join(lines) + "\n")


def asked(folder: Path, verb: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, "-S", str(ROOT / "systemd/packages.py"), verb]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_pip_may_not_replace_what_the_systems_camera_is_made_of(tmp_path: Path) -> None:
    distribution(tmp_path, "picamera2", "0.3.31", ("numpy", "simplejpeg (>=1.7)", 'pyqt5 ; extra == "gui"'))
    distribution(tmp_path, "simplejpeg", "1.6.6")
    distribution(tmp_path, "numpy", "1.24.2")
    distribution(tmp_path, "rich", "13.3.1")
    distribution(tmp_path, "pillow", "9.4.0")  # too old for us, and nothing of the camera's is built for it
    assert asked(tmp_path, "constraints").stdout.split() == ["numpy==1.24.2"]


def test_without_the_systems_camera_pip_is_free(tmp_path: Path) -> None:
    distribution(tmp_path, "numpy", "1.24.2")
    assert asked(tmp_path, "constraints").stdout.strip() == ""


def test_a_clash_is_found_before_the_new_version_takes_over(tmp_path: Path) -> None:
    """What Python says when numpy and simplejpeg don't fit."""
    clash = "raise ValueError('numpy.dtype size changed, may indicate binary incompatibility')"
    distribution(tmp_path, "simplejpeg", "1.6.6", code=clash)
    for package in Path(site.getsitepackages()[0]).iterdir():
        if not package.name.startswith("simplejpeg"):
            (tmp_path / package.name).symlink_to(package)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    command = [sys.executable, str(ROOT / "systemd/packages.py"), "check"]
    said = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert said.returncode == 1
    assert "simplejpeg can't be imported: numpy.dtype size changed" in said.stderr
