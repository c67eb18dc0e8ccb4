"""The installer in a scratch root: install, again, update, roll back, remove; and the camera's packages."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import site
import subprocess
import sys
from collections.abc import Callable
from importlib import util
from pathlib import Path

import pytest

from benchmarks.update_cuts import contents, problems, unit_text
from tests.service.boxes import INSTALL, ROOT, UNITS, Box, make_wheel, tiny_wheel

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the installer is for Linux")
needs_tools = pytest.mark.skipif(shutil.which("systemd-sysusers") is None, reason="systemd's tools aren't here")


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def is_damaged(path: Path) -> list[str]:
    """What the installer's own check finds, in this process."""
    found = util.spec_from_file_location("release", ROOT / "systemd/release.py")
    assert found is not None
    assert found.loader is not None
    module = util.module_from_spec(found)
    found.loader.exec_module(module)
    return list(module.differences(path))


def whole(box: Box) -> str:
    """The name of the version that would run, which is as it was made, with its units in force."""
    name = box.current.name
    assert problems(box.root, {name: contents(box.current)}) == []
    assert is_damaged(box.current) == []
    return name


@needs_tools
def test_a_real_environment_is_made_by_a_real_pip(box: Box, tmp_path: Path) -> None:
    box.take_the_real_python()
    box.does("install", "--source", make_wheel(tmp_path, "1.0"))
    assert (box.current / "bin/companion").is_file()
    assert not list(box.here.iterdir())
    first = whole(box)
    # As installers before this one left it, without a list: then pip's own records must hold.
    (box.current / "complete").write_text("")
    assert whole(box) == first
    (module,) = box.current.glob("lib/python3*/site-packages/companion/cli.py")
    module.write_text("")
    assert is_damaged(box.current) == ["companion/cli.py isn't as pip left it"]


@needs_tools
def test_the_whole_life_of_an_installation(box: Box, tmp_path: Path) -> None:
    one, two = tiny_wheel(tmp_path, "1.0"), tiny_wheel(tmp_path, "2.0")
    root = box.root
    avahi = root / "etc/avahi/avahi-daemon.conf"
    avahi.parent.mkdir()
    avahi.write_text("[server]\n#host-name=foo\nuse-ipv4=yes\n")
    box.does("install", "--source", one)
    assert avahi.read_text() == "[server]\nhost-name=hush\nuse-ipv4=yes\n"
    first = whole(box)
    assert "hush:x:" in (root / "etc/passwd").read_text()
    groups = dict(line.split(":", 1) for line in (root / "etc/group").read_text().splitlines())
    assert all("hush" in groups[group] for group in ("gpio", "spi", "i2c", "video", "audio"))
    assert 'language = "nl"' in (root / "etc/hush/hush.toml").read_text()
    assert (root / "var/lib/hush").stat().st_mode & 0o777 == 0o750
    assert not (root / "opt/hush/previous").exists()
    assert "no version before" in box("rollback").stderr

    # Doing it again changes nothing, not even what a person wrote into the configuration.
    (root / "etc/hush/hush.toml").write_text('backend = "pi"\n# mine\n')
    before = box.files()
    assert "is here already" in box.does("install", "--source", one)
    assert box.files() == before
    assert "# mine" in (root / "etc/hush/hush.toml").read_text()

    # Nor the name somebody gave it.
    avahi.write_text("[server]\nhost-name=table\n")
    box.does("update", "--source", two)
    assert avahi.read_text() == "[server]\nhost-name=table\n"
    avahi.write_text("[server]\nhost-name=hush\n")
    assert whole(box) != first
    assert (root / "opt/hush/previous").resolve().name == first
    box.does("rollback")
    assert whole(box) == first

    # A version that can't be installed leaves everything as it was.
    before = box.files()
    failed = box("update", "--source", tiny_wheel(tmp_path, "3.0", "Requires-Dist: there-is-no-such-package\n"))
    assert failed.returncode == 1
    assert "nothing was changed" in failed.stderr
    assert box.files() == before

    (root / "var/lib/hush/hush.db").write_text("games")
    box.does("remove")
    assert avahi.read_text() == "[server]\n#host-name=foo\n"
    assert not (root / "opt/hush").exists()
    assert [path for path in box.files() if "hush.service" in path or "hush-shutdown" in path] == []
    assert (root / "var/lib/hush/hush.db").read_text() == "games"
    assert (root / "etc/hush/hush.toml").is_file()
    box.does("remove", "--purge")
    assert not (root / "var/lib/hush").exists()
    assert not (root / "etc/hush").exists()


def test_the_units_that_start_with_the_machine_are_those_that_say_so() -> None:
    (wanted,) = re.findall(r"^WANTED=\((.*)\)$", INSTALL.read_text(), re.MULTILINE)
    wants = [unit for unit in UNITS if "WantedBy=multi-user.target" in (ROOT / "systemd" / unit).read_text()]
    assert wanted.split() == wants


# What a power cut or an earlier installer left


def empty_unit_in_etc(box: Box) -> None:
    """What systemd takes for a mask; an installer that wrote into /etc left it after a power cut."""
    for unit in UNITS:
        (box.root / "etc/systemd/system" / unit).write_text("")


def unit_of_one_release(box: Box) -> None:
    """By `systemctl disable` and `enable`, which follows the links."""
    (box.root / "etc/systemd/system/hush.service").symlink_to(
        f"/opt/hush/releases/{box.current.name}/systemd/hush.service"
    )


def lost_unit_links(box: Box) -> None:
    for unit in UNITS:
        (box.root / "usr/local/lib/systemd/system" / unit).unlink()
    (box.root / "etc/systemd/system/multi-user.target.wants/hush.service").unlink()


def emptied_files(box: Box) -> None:
    for path in (box.current / "lib").glob("*.py"):
        path.write_text("")


def flipped_bit(box: Box) -> None:
    path = box.current / "lib/part3.py"
    text = bytearray(path.read_bytes())
    text[1000] ^= 1
    path.write_bytes(text)


def not_executable(box: Box) -> None:
    (box.current / "bin/pip").chmod(0o644)


def lost_list(box: Box) -> None:
    (box.current / "complete").unlink()


def torn_list(box: Box) -> None:
    path = box.current / "complete"
    path.write_bytes(path.read_bytes()[:300])


def lost_current(box: Box) -> None:
    (box.root / "opt/hush/current").unlink()


def dangling_current(box: Box) -> None:
    shutil.rmtree(box.current)


def empty_configuration(box: Box) -> None:
    (box.root / "etc/hush/hush.toml").write_text("")


def half_written_steps(box: Box) -> None:
    """Interrupted at any place: what was being made beside is still there."""
    (box.root / "opt/hush/current.new").symlink_to("releases/nowhere")
    (box.root / "usr/local/lib/systemd/system/hush.service.new").write_text("")
    (box.root / "etc/hush/hush.toml.new").write_text("half")
    (box.current / "complete.new").write_text("half")


DAMAGES = [
    empty_unit_in_etc, unit_of_one_release, lost_unit_links, emptied_files, flipped_bit, not_executable, lost_list,
    torn_list, lost_current, dangling_current, empty_configuration, half_written_steps,
]  # fmt: skip


@pytest.fixture(scope="module")
def updated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a box on which 1.0 and then 2.0 were installed."""
    folder = tmp_path_factory.mktemp("updated")
    box = Box(folder)
    for version in ("1.0", "2.0"):
        box.does("install", "--source", tiny_wheel(folder, version))
    return folder


@needs_tools
@pytest.mark.parametrize("damage", DAMAGES)
def test_update_mends_what_a_power_cut_left(updated: Path, tmp_path: Path, damage: Callable[[Box], None]) -> None:
    folder = tmp_path / "box"
    shutil.copytree(updated, folder, symlinks=True)
    box = Box(folder)
    first = (box.root / "opt/hush/previous").resolve().name
    damage(box)
    said = box.does("update", "--source", folder / "hush-2.0-py3-none-any.whl")
    assert "2.0" in (box.current / "lib/part0.py").read_text()
    second = whole(box)
    assert 'language = "nl"' in (box.root / "etc/hush/hush.toml").read_text()
    if damage in (emptied_files, flipped_bit, not_executable, lost_list, torn_list):
        assert "is damaged" in said
        assert "made anew" in said
    # A damaged version isn't kept to go back to; the whole one before it is, and nothing else.
    previous = (box.root / "opt/hush/previous").resolve()
    assert previous.name == first
    assert is_damaged(previous) == []
    assert {path.name for path in previous.parent.iterdir()} == {first, second}


@needs_tools
@pytest.mark.parametrize("damage", [emptied_files, lost_list, dangling_current, empty_unit_in_etc])
def test_rollback_gets_out_of_a_broken_version(updated: Path, tmp_path: Path, damage: Callable[[Box], None]) -> None:
    folder = tmp_path / "box"
    shutil.copytree(updated, folder, symlinks=True)
    box = Box(folder)
    damage(box)
    box.does("rollback")
    assert "1.0" in (box.current / "lib/part0.py").read_text()
    whole(box)


@needs_tools
def test_nobody_goes_back_to_a_damaged_version(updated: Path, tmp_path: Path) -> None:
    folder = tmp_path / "box"
    shutil.copytree(updated, folder, symlinks=True)
    box = Box(folder)
    (box.root / "opt/hush/previous/lib/part5.py").write_text("")
    second = whole(box)
    refused = box("rollback")
    assert refused.returncode == 1
    assert "lib/part5.py is empty" in refused.stderr
    assert "nothing was changed" in refused.stderr
    assert whole(box) == second


@needs_tools
def test_the_last_whole_version_is_never_dropped(updated: Path, tmp_path: Path) -> None:
    """The one that runs is broken, and the next one can't be made: the version before stays."""
    folder = tmp_path / "box"
    shutil.copytree(updated, folder, symlinks=True)
    box = Box(folder)
    emptied_files(box)
    wheel = tiny_wheel(folder, "3.0", "Requires-Dist: there-is-no-such-package\n")
    assert box("update", "--source", wheel).returncode == 1
    box.does("update", "--source", tiny_wheel(folder, "4.0"))
    previous = (box.root / "opt/hush/previous").resolve()
    assert "1.0" in (previous / "lib/part0.py").read_text()
    box.does("rollback")
    whole(box)


@needs_tools
def test_a_box_of_an_earlier_installer_goes_over_to_links(updated: Path, tmp_path: Path) -> None:
    """Units were copies in /etc and a release had an empty mark instead of a list; a drop-in of a person stays."""
    folder = tmp_path / "box"
    shutil.copytree(updated, folder, symlinks=True)
    box = Box(folder)
    lost_unit_links(box)
    units = box.root / "etc/systemd/system"
    for unit in UNITS:
        shutil.copy(box.current / "systemd" / unit, units)
    (units / "multi-user.target.wants/hush.service").symlink_to("/etc/systemd/system/hush.service")
    (units / "hush.service.d").mkdir()
    (units / "hush.service.d/mine.conf").write_text("[Service]\nNice=5\n")
    (box.current / "complete").write_text("")
    box.does("update", "--source", tiny_wheel(folder, "3.0"))
    whole(box)
    assert not (units / "hush.service").exists()
    assert (units / "hush.service.d/mine.conf").is_file()
    assert (box.root / "usr/local/lib/systemd/system/hush.service").is_symlink()


@needs_tools
def test_two_installers_at_once_are_one_too_many(updated: Path, tmp_path: Path) -> None:
    folder = tmp_path / "box"
    shutil.copytree(updated, folder, symlinks=True)
    box = Box(folder)
    hush = os.open(box.root / "opt/hush", os.O_RDONLY)
    try:
        fcntl.flock(hush, fcntl.LOCK_EX)
        refused = box("rollback")
    finally:
        os.close(hush)
    assert refused.returncode == 1
    assert "another install.sh is at work" in refused.stderr
    box.does("rollback")


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


# Version 3.0 doesn't start.
IS_UNWELL = 'if [ "$1" = restart ] && grep -q "3[.]0" ROOT/opt/hush/current/lib/part0.py; then exit 1; fi\n'


class Live:
    """A box with a stand-in for systemd, which writes down what it is asked."""

    def __init__(self, box: Box):
        self.box, self.tools = box, box.tools
        box.stand_in("systemctl", SYSTEMCTL)

    def __call__(self, verb: str, *options: str | Path) -> subprocess.CompletedProcess[str]:
        script = f'source {INSTALL}; parse "$@"; START=yes; "do_$ACTION"'
        command = ["bash", "-c", script, "test", verb, *map(str, options), *self.box.options()]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env=self.box.environment, cwd=self.box.here
        )  # fmt: skip

    def asked(self, verb: str, wheel: Path) -> list[str]:
        """What was asked of systemd."""
        (self.tools / "systemctl.asked").write_text("")
        done = self(verb, "--source", wheel)
        assert done.returncode == 0, done.stderr
        return (self.tools / "systemctl.asked").read_text().splitlines()


@needs_tools
def test_installing_again_disturbs_no_service_that_runs(box: Box, tmp_path: Path) -> None:
    live = Live(box)
    one, two = tiny_wheel(tmp_path, "1.0"), tiny_wheel(tmp_path, "2.0")
    restart = "restart hush.service"
    assert restart in live.asked("install", one)
    assert {line.split()[0] for line in live.asked("install", one)} == {"is-active"}
    # A unit that hides ours, and a service that doesn't run, are put right.
    (box.root / "etc/systemd/system/hush.service").write_text("# mine\n")
    assert restart in live.asked("install", one)
    assert unit_text(box.root, "hush.service") == (ROOT / "systemd/hush.service").read_text()
    (live.tools / "state").write_text("failed\n")
    assert restart in live.asked("install", one)
    assert restart in live.asked("update", two)


@needs_tools
def test_a_version_that_doesnt_come_up_leaves_everything_as_it_was(updated: Path, tmp_path: Path) -> None:
    folder = tmp_path / "box"
    shutil.copytree(updated, folder, symlinks=True)
    box = Box(folder)
    live = Live(box)
    second, before = box.current.name, box.files()
    third = tiny_wheel(folder, "3.0")
    box.stand_in(
        "systemctl", SYSTEMCTL.replace("#!/bin/sh\n", f"#!/bin/sh\n{IS_UNWELL}".replace("ROOT", str(box.root)))
    )
    done = live("update", "--source", third)
    assert done.returncode == 1
    assert f"rolled back to {second}, which runs" in done.stderr
    assert whole(box) == second
    assert box.files() == before
    box.does("rollback")
    assert "1.0" in (box.current / "lib/part0.py").read_text()


def test_a_dry_run_says_everything_and_does_nothing(box: Box, tmp_path: Path) -> None:
    wheel = tiny_wheel(tmp_path, "1.0")
    before = box.files()
    done = box("install", "--dry-run", "--source", wheel)
    assert done.returncode == 0, done.stderr
    for step in ("venv --system-site-packages", "pip install", "systemd-sysusers", "hush.service", "hush.toml"):
        assert step in done.stdout
    assert box.files() == before


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
        shell = "bash" if "bash" in script.read_text().partition("\n")[0] else "sh"
        command = ["shellcheck", "-x", "-s", shell, str(script)]
        assert subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT).stdout == ""


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


def test_the_images_layer_has_the_installers_packages() -> None:
    text = INSTALL.read_text()
    wanted = [
        name for names in re.findall(r"^(?:NEEDED|WISHED)=\((.*)\)$", text, re.MULTILINE) for name in names.split()
    ]
    layer = (ROOT / "systemd/image/layer/hush.yaml").read_text()
    assert re.findall(r"^    - ([\w.+-]+)$", layer, re.MULTILINE) == wanted
    assert "--no-apt --no-start" in layer
