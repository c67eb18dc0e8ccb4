"""`python3 systemd/make_release.py --key SECRET.pem`: everything but the system's packages in one signed file.

The file holds the wheel of this checkout, the wheels of all it needs for each Python that Raspberry Pi OS has, the
installer and the units; bundle.py says what its end looks like. The same inputs give the same file. `--new-key` makes a
key first; whoever has that file can make releases that boxes take, so it belongs on no box and in no repository.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import io
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import bundle  # noqa: E402

PYTHONS = ("3.11", "3.12", "3.13")
GLIBC = ("manylinux2014", "manylinux_2_17", "manylinux_2_26", "manylinux_2_27", "manylinux_2_28")
# One OpenCV for all: 4.12 and newer want numpy 2, and the camera of Bookworm is built for its numpy 1.24.
HELD = ("opencv-python==4.11.0.86",)
STUB = r"""#!/bin/sh
# Hush VERSION for 64-bit Raspberry Pi OS. To install it, or update to it:  sudo sh THIS-FILE
# Other words go to the installer (rollback, remove, --dry-run, --help).
set -eu
case ${1:-} in -h | --help) ;; *)
    [ "$(id -u)" = 0 ] || { echo "hush: this changes the system: sudo sh $0 $*" >&2; exit 1; } ;;
esac
command -v python3 >/dev/null || { echo "hush: there is no python3 here" >&2; exit 1; }
command -v openssl >/dev/null || { echo "hush: there is no openssl here: sudo apt-get install openssl" >&2; exit 1; }
work=$(mktemp -d "${HUSH_SCRATCH:-/var/tmp}/hush.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/release"
cat >"$work/bundle.py" <<'END OF BUNDLE'
CHECK
END OF BUNDLE
echo "hush: checking version VERSION"
python3 -I "$work/bundle.py" unpack "$0" "$work/release" >/dev/null
bash "$work/release/systemd/install.sh" "$@" --source "$work"/release/hush-*.whl --wheels "$work/release/wheels" \
    --key "$work/release/key.pem"
exit
"""


def run(*command: str | Path) -> str:
    """What a tool prints. Raises `SystemExit` with its words if it fails."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{Path(command[0]).name} failed: {done.stderr.strip()[-800:]}")
    return done.stdout


def make_key(path: Path) -> None:
    """A new secret key, readable by its owner alone."""
    path.touch(0o600, exist_ok=False)
    run("openssl", "genpkey", "-algorithm", "ed25519", "-out", path)


def public_half(key: Path, folder: Path) -> Path:
    """The public key that belongs to a secret one."""
    path = folder / "key.pem"
    run("openssl", "pkey", "-in", key, "-pubout", "-out", path)
    return path


def build_wheel(folder: Path) -> Path:
    """The wheel of this checkout."""
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, HERE.parent)
    (wheel,) = folder.glob("hush-*.whl")
    return wheel


def download(wheel: Path, folder: Path, machine: str, pythons: Iterable[str]) -> None:
    """All that the wheel needs, as wheels, for each Python."""
    platforms = [word for name in GLIBC for word in ("--platform", f"{name}_{machine}")]
    for python in pythons:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "-d", str(folder)]
        run(*command, "--only-binary=:all:", "--python-version", python, *platforms, wheel, *HELD)
    for own in folder.glob("hush-*.whl"):
        own.unlink()


def archive(files: dict[str, Path]) -> bytes:
    """The files as an archive that depends on nothing but their names and contents."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:", format=tarfile.GNU_FORMAT) as made:
        for name, path in sorted(files.items()):
            member = tarfile.TarInfo(name)
            member.size = path.stat().st_size
            with path.open("rb") as file:
                made.addfile(member, file)
    return buffer.getvalue()


def head(version: str) -> bytes:
    """The script at the beginning of the file."""
    return STUB.replace("VERSION", version).replace("CHECK", (HERE / "bundle.py").read_text().rstrip()).encode()


def sign(body: bytes, facts: dict[str, str], key: Path, public: Path) -> bytes:
    """The end of the file: what it is, and the signature."""
    facts = facts | {"size": str(len(body)), "sha256": hashlib.sha256(body).hexdigest()}
    facts["key"] = bundle.fingerprint(public)
    signed = bundle.MARK + "".join(f"{name} {value}\n" for name, value in facts.items()).encode()
    with tempfile.TemporaryDirectory() as name:
        message, signature = Path(name, "message"), Path(name, "signature")
        message.write_bytes(signed)
        run("openssl", "pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", message, "-out", signature)
        return signed + b"signature " + base64.b64encode(signature.read_bytes()) + b"\n"


def assemble(wheel: Path, wheels: Path, key: Path, machine: str, pythons: Iterable[str], units: Path = HERE) -> bytes:
    """The whole file, from a wheel of Hush, the wheels it needs, and a secret key."""
    version = wheel.name.split("-")[1]
    with tempfile.TemporaryDirectory() as name:
        public = public_half(key, Path(name))
        files = {wheel.name: wheel, "key.pem": public}
        files |= {f"wheels/{path.name}": path for path in wheels.glob("*.whl")}
        files |= {f"systemd/{path.name}": path for path in units.iterdir() if path.is_file()}
        start = head(version)
        facts = {"version": version, "machine": machine, "python": " ".join(pythons), "head": str(len(start))}
        body = start + archive(files)
        return body + sign(body, facts, key, public)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--key", type=Path, required=True, help="the secret key to sign with")
    parser.add_argument("--new-key", action="store_true", help="make that key first")
    parser.add_argument("--machine", default="aarch64", help="as `uname -m` calls it (default: aarch64)")
    parser.add_argument("--python", nargs="+", default=PYTHONS, help=f"default: {' '.join(PYTHONS)}")
    parser.add_argument("--wheels", type=Path, help="keep downloads here; what is here is taken instead")
    parser.add_argument("--folder", type=Path, default=Path(), help="where the release goes (default: here)")
    given = parser.parse_args()
    if given.new_key:
        make_key(given.key)
    with tempfile.TemporaryDirectory() as name:
        wheel, wheels = build_wheel(Path(name)), given.wheels or Path(name, "wheels")
        if not any(wheels.glob("*.whl")):
            download(wheel, wheels, given.machine, given.python)
        made = assemble(wheel, wheels, given.key, given.machine, given.python)
    path = given.folder / f"hush-{wheel.name.split('-')[1]}-{given.machine}.run"
    path.write_bytes(made)
    print(f"{path}: {len(made) >> 20} MB, {hashlib.sha256(made).hexdigest()}")


if __name__ == "__main__":
    main()
