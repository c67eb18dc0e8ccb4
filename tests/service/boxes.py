"""What the installer's tests share: a system in a folder, wheels made by hand, and a stand-in for Python's venv."""

from __future__ import annotations

import base64
import hashlib
import os
import site
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
INSTALL = ROOT / "systemd" / "install.sh"
PACKAGES = ("companion", "vision", "hardware", "sounds")
UNITS = (
    "hush.service",
    "hush-shutdown.path",
    "hush-shutdown.service",
    "hush-request.path",
    "hush-request.service",
    "hush-network.path",
    "hush-network.timer",
    "hush-network.service",
    "hush-portal.socket",
    "hush-portal.service",
)

# Half a second instead of ten: an environment is a few files, and its pip unpacks a wheel and knows no other package.
PYTHON = """#!/bin/sh
if [ "$2" != venv ]; then exec {python} -I -S "$@"; fi
mkdir -p "$4/bin" "$4/lib"
printf '#!/bin/sh\\nexit 0\\n' >"$4/bin/python"
cat >"$4/bin/pip" <<'END'
#!/bin/sh
for wheel; do :; done
if grep -aq '^Requires-Dist' "$wheel"; then echo 'No matching distribution' >&2; exit 1; fi
exec {python} -I -S -m zipfile -e "$wheel" "$(dirname "$0")/../lib"
END
echo "home = $0" >"$4/pyvenv.cfg"
chmod +x "$4/bin/python" "$4/bin/pip"
"""


SYNC = """#!/bin/sh
for path; do [ "$path" = -f ] || [ -e "$path" ] || exit 1; done
"""


def make_wheel(folder: Path, version: str, extra: str = "") -> Path:
    """A wheel of this source tree, put together without a build tool and a network."""
    files = {
        file.relative_to(ROOT).as_posix(): file.read_bytes()
        for package in PACKAGES
        for file in sorted((ROOT / package).rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    }
    return write_wheel(folder, version, files, extra)


def tiny_wheel(folder: Path, version: str, extra: str = "", files: int = 24) -> Path:
    """A wheel with a few files of some blocks each."""
    return write_wheel(
        folder, version, {f"part{n}.py": f"# {version} {n}\n".encode() * 700 for n in range(files)}, extra
    )


def write_wheel(folder: Path, version: str, files: dict[str, bytes], extra: str) -> Path:
    path = folder / f"hush-{version}-py3-none-any.whl"
    info = f"hush-{version}.dist-info"
    said = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: hush\nVersion: {version}\n{extra}",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "[console_scripts]\ncompanion = companion.__main__:main\n",
    }
    files = files | {name: text.encode() for name, text in said.items()}
    with zipfile.ZipFile(path, "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)
        record = "".join(f"{name},sha256={encoded(text)},{len(text)}\n" for name, text in files.items())
        wheel.writestr(f"{info}/RECORD", f"{record}{info}/RECORD,,\n")
    return path


def encoded(text: bytes) -> str:
    """A hash in the manner of pip's records."""
    return base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()


class Box:
    """A system in a folder, and the installer for it."""

    def __init__(self, folder: Path, root: Path | None = None, installer: Path = INSTALL):
        self.root = root or folder / "root"
        self.wheels, self.system, self.here = folder / "wheels", folder / "system", folder / "here"
        for made in (self.wheels, self.system, self.here, self.root / "etc/default"):
            made.mkdir(parents=True, exist_ok=True)
        self.installer = installer
        (self.root / "etc/default/locale").write_text("LANG=nl_NL.UTF-8\n")
        self.tools = folder / "tools"
        self.tools.mkdir(exist_ok=True)
        self.stand_in("python3", PYTHON.replace("{python}", sys.executable))
        # The real one would wait for everything that other programs write on this machine.
        self.stand_in("sync", SYNC)
        path = f"{self.tools}:{os.environ['PATH']}"
        self.environment = {**os.environ, "PYTHON": str(self.tools / "python3"), "HUSH_PATIENCE": "0", "PATH": path}
        self.environment.pop("LG_WD", None)

    def stand_in(self, name: str, script: str) -> None:
        """Another program in a tool's place."""
        (self.tools / name).write_text(script)
        (self.tools / name).chmod(0o755)

    def take_the_real_python(self) -> None:
        """A real environment with a real pip; the packages of this test's own environment play the system's."""
        for package in Path(site.getsitepackages()[0]).iterdir():
            if not package.name.lower().startswith(("hush", "_hush", "__editable", "pip", "setuptools")):
                (self.system / package.name).symlink_to(package)
        # lgpio leaves a pipe wherever it is imported, or where LG_WD says.
        (self.system / "lgpio.py").write_text("import os; os.mkfifo(os.environ.get('LG_WD', '.') + '/.lgd-nfy0')\n")
        self.environment |= {"PYTHON": sys.executable, "PYTHONPATH": str(self.system)}

    def options(self) -> list[str]:
        return ["--root", str(self.root), "--wheels", str(self.wheels)]

    def __call__(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [str(self.installer), *map(str, arguments), *self.options()]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env=self.environment, cwd=self.here
        )  # fmt: skip

    def does(self, *arguments: str | Path) -> str:
        """The same, where nothing may go wrong; what it said."""
        done = self(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    @property
    def current(self) -> Path:
        """The release that would run."""
        return (self.root / "opt/hush/current").resolve()

    def files(self) -> list[str]:
        return sorted(path.relative_to(self.root).as_posix() for path in self.root.rglob("*"))
