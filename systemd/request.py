"""What the service may ask of the system, carried out by root: one of five words in a file, and nothing else.

`hush-request.path` sees the file and starts this. The service can choose the word, and the file that an update is made
of; that file is believed only if a key of this box signed it, which the service can't change. Everything is told in a
result that the page reads. Any Python 3.11 runs this, without a package of ours.
"""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import bundle  # noqa: E402

MAX_WORD_BYTES = 32
SYSTEMCTL = "/bin/systemctl"
# What the system does for a word by itself.
SIMPLE = {
    "start-anew": (SYSTEMCTL, "--no-block", "restart", "hush.service"),
    "reboot": (SYSTEMCTL, "--no-block", "reboot"),
    "power-off": (SYSTEMCTL, "--no-block", "poweroff"),
}
WORDS = (*SIMPLE, "rollback", "update")


class ProgramResult(NamedTuple):
    """How a program ended, and what it said."""

    code: int
    said: str


def run(command: Sequence[str]) -> ProgramResult:
    """Run a program; its words go to the journal, too."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(done.stdout, end="", flush=True)
    return ProgramResult(done.returncode, done.stdout)


class RequestHelper:
    """Root's hand, on the system in a folder."""

    def __init__(self, root: Path = Path("/"), run: Callable[[Sequence[str]], ProgramResult] = run):
        self.request = root / "run/hush/request"
        self.release = root / "var/lib/hush/update/release.run"
        self.result = root / "run/hush-result/result.json"
        self.home = root / "opt/hush"
        self._scratch = root / "var/tmp"
        self._elsewhere = [] if root == Path("/") else ["--root", str(root)]
        self._run = run

    def serve(self) -> None:
        """Take the word away, do what it means, and tell what came of it."""
        word = self.word()
        if word not in WORDS:
            print("hush: no such request", file=sys.stderr)
            return
        print(f"hush: {word} was asked for", flush=True)
        self.tell(word, "under_way")
        if word in SIMPLE:
            ended = self._run(SIMPLE[word])
            self.tell(word, "" if ended.code == 0 else "failed", ended.said)
        elif word == "rollback":
            install = str(self.home / "current/systemd/install.sh")
            ended = self._run(["/bin/bash", install, "rollback", *self._elsewhere])
            self.tell(word, "" if ended.code == 0 else "failed", ended.said)
        else:
            self.update()

    def word(self) -> str:
        """What is asked for; the file is gone afterwards, whatever it was."""
        try:
            descriptor = os.open(self.request, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            self.request.unlink(missing_ok=True)
            return ""
        with os.fdopen(descriptor, "rb") as file:
            is_plain = stat.S_ISREG(os.fstat(descriptor).st_mode)
            text = file.read(MAX_WORD_BYTES) if is_plain else b""
        self.request.unlink(missing_ok=True)
        return text.decode("ascii", "replace").strip()

    def update(self) -> None:
        """Install the release that the service left, if it is one of ours and newer than what runs."""
        try:
            with tempfile.TemporaryDirectory(prefix="hush-update.", dir=self._scratch) as name:
                folder = Path(name)
                release = bundle.unpack(self.release, folder, self.home / "keys", self.version())
                (wheel,) = folder.glob("hush-*.whl")
                command = [
                    "/bin/bash",
                    str(folder / "systemd/install.sh"),
                    "update",
                    "--no-apt",
                    "--source",
                    str(wheel),
                ]
                command += self._elsewhere
                ended = self._run([*command, "--wheels", str(folder / "wheels"), "--key", str(folder / "key.pem")])
        except bundle.BundleRefused as refused:
            print(f"hush: the release is refused: {refused}", file=sys.stderr)
            self.tell("update", refused.code, str(refused))
        else:
            self.tell("update", "" if ended.code == 0 else "came_back", ended.said, release.version)
        finally:
            self.release.unlink(missing_ok=True)

    def version(self) -> str:
        """The version that runs; nothing where it has no number to compare."""
        for path in (self.home / "current").glob("lib/python3*/site-packages/hush-*.dist-info"):
            if found := re.fullmatch(r"hush-(\d+(?:\.\d+){1,3})\.dist-info", path.name):
                return found[1]
        return ""

    def tell(self, word: str, code: str, said: str = "", version: str = "") -> None:
        """Leave what came of it for the service, whole or not at all."""
        self.result.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.result.with_name("result.new")
        last = [line for line in said.splitlines() if line.strip()][-1:]
        fresh.write_text(json.dumps({"word": word, "code": code, "said": "".join(last)[:300], "version": version}))
        fresh.chmod(0o644)
        fresh.replace(self.result)


if __name__ == "__main__":
    RequestHelper(*map(Path, sys.argv[1:])).serve()
