"""Whether a release is whole: what it consists of, by hashes, written down when it was made.

A power cut can leave files that are empty or torn, with the right names in the right folders. `list` prints what a
finished release consists of, which the installer keeps as its file `complete`; `check` reads everything back from the
disk and says what isn't as it was. Any Python 3.11 runs this, without a package of ours.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

LIST = "complete"
UNITS = ("hush.service", "hush-shutdown.path", "hush-shutdown.service")


def digest(path: Path) -> bytes:
    """The hash of a file as it is on the disk, not as the kernel remembers having written it."""
    with path.open("rb") as file:
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        return hashlib.file_digest(file, "sha256").digest()


def describe(path: Path) -> str:
    """A link's target, or a file's permissions and hash."""
    if path.is_symlink():
        return f"-> {path.readlink()}"
    return f"{path.stat().st_mode & 0o777:o} {digest(path).hex()}"


def contents(release: Path) -> dict[str, str]:
    """Every file and link of a release, described; except the list itself, and what the installer adds later."""
    listed: dict[str, str] = {}
    for folder, folders, files in os.walk(release):
        for name in sorted([*files, *(name for name in folders if Path(folder, name).is_symlink())]):
            path = Path(folder, name)
            if path.parent != release or path.name not in (LIST, f"{LIST}.new", "previous"):
                listed[path.relative_to(release).as_posix()] = describe(path)
    return listed


def differences(release: Path) -> Iterator[str]:
    """What isn't as it was when the release was made; files that came later do no harm."""
    try:
        text = (release / LIST).read_bytes()
    except FileNotFoundError:
        yield "it was never finished"
        return
    if not text:
        yield from differences_by_record(release)
        return
    try:
        listed = json.loads(text)
    except ValueError:
        yield "its list can't be read"
        return
    for name, description in listed.items():
        if problem := compare(release / name, description):
            yield f"{name} {problem}"


def compare(path: Path, description: str) -> str:
    """What is wrong with one file or link, or nothing."""
    try:
        if describe(path) == description:
            return ""
        return "is empty" if not path.is_symlink() and path.stat().st_size == 0 else "isn't as it was"
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"can't be read ({error.strerror})"


def differences_by_record(release: Path) -> Iterator[str]:
    """The same for a release of an installer that kept no list: the units are there, and pip's own records hold."""
    for unit in UNITS:
        path = release / "systemd" / unit
        if not path.is_file() or path.stat().st_size == 0:
            yield f"systemd/{unit} is empty or missing"
    from importlib import metadata  # slow, and for such a release alone

    libraries = [str(path) for path in release.glob("lib/python3*/site-packages")]
    found = False
    for distribution in metadata.distributions(path=libraries):
        for file in distribution.files or ():
            found = True
            if file.hash is not None and not is_as_recorded(Path(str(file.locate())), file.hash.value):
                yield f"{file} isn't as pip left it"
    if not found:
        yield "it has no packages"


def is_as_recorded(path: Path, recorded: str) -> bool:
    """Whether a file has the hash by which pip knows it."""
    try:
        return base64.urlsafe_b64encode(digest(path)).rstrip(b"=").decode() == recorded
    except OSError:
        return False


def main(verb: str, release: Path) -> int:
    """Print the list of a release, or say whether it is whole."""
    if verb == "list":
        json.dump(contents(release), sys.stdout, indent=0)
        return 0
    found = list(differences(release))
    if found:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        print(f"hush: {release.name} is damaged: {found[0]}{more}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
