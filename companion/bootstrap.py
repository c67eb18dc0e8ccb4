"""Set-up from a bare checkout: makes the virtual environment that the rest needs.

Runs on any Python 3.11+ with nothing installed, so it imports the standard library alone.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
OLDEST = (3, 11)
# opencv-python's wheel is linked against these; a machine without a desktop lacks them.
CV2_LIBRARIES = ("libgl1", "libglib2.0-0")
# What pyttsx3 speaks with: a program of the system, which pip can't bring.
VOICE = "espeak-ng"
# The browser for the tests of the page.
BROWSER = "chromium"
# The Pi's camera library, alone and apart: without libcamera it's good only for comparing names with it.
PICAMERA2 = ENVIRONMENT / "picamera2"


def say(text: str) -> None:
    """Tell the person what set-up does; stdout stays free for the program itself."""
    print(f"hush: {text}", file=sys.stderr, flush=True)


def give_up(text: str) -> None:
    """End with a clear message and the way out."""
    say(text)
    raise SystemExit(1)


def is_checkout() -> bool:
    """Whether this runs from a source tree rather than from an installed package."""
    return (ROOT / "pyproject.toml").is_file()


def environment_python() -> Path:
    """The interpreter inside the environment."""
    return ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def ensure(extra: str = "") -> Path:
    """Return an interpreter that has all packages; install what is missing first.

    A stamp in the environment records what was installed, so a second call costs nothing.
    """
    if sys.version_info < OLDEST:
        version = ".".join(map(str, sys.version_info[:2]))
        give_up(f"this is Python {version}; Hush needs 3.11 or newer. Try: python3.11 -m companion")
    wanted = hashlib.sha256(
        (ROOT / "pyproject.toml").read_bytes() + sys.version.encode() + str(ROOT).encode()
    ).hexdigest()
    stamps = {name: ENVIRONMENT / f"installed-{name or 'run'}" for name in {"", extra, "dev"}}
    # The development set contains the running set.
    for name in {extra, "dev"}:
        if stamps[name].is_file() and stamps[name].read_text() == wanted:
            return environment_python()
    make_environment()
    target = f"{ROOT}[{extra}]" if extra else str(ROOT)
    say("installing packages (a minute or two, once) …")
    if pip("install", "--upgrade", "--editable", target) != 0:
        give_up("the packages could not be installed; the lines above say why. Check the network and try again.")
    mend_opencv()
    stamps[extra].write_text(wanted)
    return environment_python()


def make_environment() -> None:
    """Create the virtual environment; Debian keeps the module for it in a package of its own."""
    python = environment_python()
    if python.is_file() and runs(python, "import pip"):
        return
    say(f"making a virtual environment in {ENVIRONMENT.name}/ …")
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    command = [sys.executable, "-m", "venv", str(ENVIRONMENT)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode != 0 and apt_install("python3-venv"):
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        give_up(
            "Python can't make a virtual environment here. On Debian or Raspberry Pi OS:\n"
            "  sudo apt-get install python3-venv\nthen run the same command again.\n" + made.stdout + made.stderr
        )


def mend_opencv() -> None:
    """Make `import cv2` work: the system's libraries where we may, else the headless wheel.

    Both wheels hold the same module in the same version, so nothing above notices.
    """
    python = environment_python()
    if runs(python, "import cv2"):
        return
    if apt_install(*CV2_LIBRARIES) and runs(python, "import cv2"):
        return
    found = subprocess.run(
        [str(python), "-c", "import importlib.metadata as m; print(m.version('opencv-python'))"],
        capture_output=True,
        text=True,
        check=True,
    )
    version = found.stdout.strip()
    say(f"no {CV2_LIBRARIES[0]} here and no right to install it: taking the headless OpenCV {version} instead")
    pip("uninstall", "--yes", "opencv-python")
    failed = pip("install", "--no-deps", "--force-reinstall", f"opencv-python-headless=={version}")
    if failed or not runs(python, "import cv2"):
        give_up(f"OpenCV can't be loaded. Install its libraries: sudo apt-get install {' '.join(CV2_LIBRARIES)}")


def ensure_voice() -> bool:
    """Whether espeak-ng is here; installed where we may. Without it everything works but speech."""
    return shutil.which(VOICE) is not None or (apt_install(VOICE) and shutil.which(VOICE) is not None)


def ensure_browser() -> bool:
    """Whether Chromium is here; installed where we may. Only the tests of the page need it."""
    return shutil.which(BROWSER) is not None or (apt_install(BROWSER) and shutil.which(BROWSER) is not None)


def ensure_picamera2() -> bool:
    """Whether the real Picamera2's own code is here, without what it needs; only tests look at it."""
    return PICAMERA2.is_dir() or pip("install", "--no-deps", "--target", str(PICAMERA2), "picamera2>=0.3.22") == 0


def apt_install(*packages: str) -> bool:
    """Install Debian packages if this user may do so without being asked anything."""
    if shutil.which("apt-get") is None:
        return False
    prefix: list[str] = []
    if os.geteuid() != 0:
        if shutil.which("sudo") is None or subprocess.call(["sudo", "-n", "true"], stderr=subprocess.DEVNULL) != 0:
            return False
        prefix = ["sudo", "-n"]
    say(f"installing {' '.join(packages)} with apt …")
    install = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", *packages]
    return quietly(install) or (quietly([*prefix, "apt-get", "update"]) and quietly(install))


def quietly(command: list[str]) -> bool:
    """Run a command without a word; whether it went well."""
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def pip(*arguments: str) -> int:
    """Run the environment's pip, quietly but for errors."""
    command = [str(environment_python()), "-m", "pip", arguments[0], "--quiet", "--disable-pip-version-check"]
    return subprocess.call([*command, *arguments[1:]], stdout=sys.stderr)


def runs(python: Path, code: str) -> bool:
    """Whether a piece of code runs under an interpreter."""
    return quietly([str(python), "-c", code])
