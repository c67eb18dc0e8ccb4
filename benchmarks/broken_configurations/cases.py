"""The broken configurations: each a file's content, with what a person must be told about it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

# What stands before each case, so that it runs beside others and makes no noise: five lines.
BEFORE = """\
backend = "simulated"
sound.backend = "silent"
web.port = 0
web.host = "127.0.0.1"

"""
FIRST = BEFORE.count("\n") + 1
KIND_WORD = "{here}"


class Case(Struct, frozen=True):
    """A file, and on which line the complaint is to be found: 0 if there is none with a line, None if there is none.

    `{here}` in the text is a folder of the case's own, which `prepare` may furnish.
    """

    name: str
    text: str | bytes
    line: int | None = 0
    prepare: Callable[[Path], None] | None = None

    def content(self, here: Path) -> bytes:
        """The file's bytes."""
        text = self.text if isinstance(self.text, bytes) else self.text.encode()
        return text.replace(KIND_WORD.encode(), os.fsencode(here))


def wrong(name: str, text: str, prepare: Callable[[Path], None] | None = None, line: int | None = FIRST) -> Case:
    """A file that is well but for one line at its end."""
    return Case(name, BEFORE + text, line, prepare)


def a_file(here: Path) -> None:
    (here / "file").write_text("not a folder")


def a_link_to_nothing(here: Path) -> None:
    (here / "link").symlink_to(here / "nothing")


def a_ring_of_links(here: Path) -> None:
    (here / "ring").symlink_to(here / "ring")


def a_pipe(here: Path) -> None:
    os.mkfifo(here / "pipe.png")


def an_empty_folder(here: Path) -> None:
    (here / "empty").mkdir()


def a_file_of_noise(here: Path) -> None:
    (here / "noise.png").write_bytes(bytes(range(256)) * 64)


def a_spoilt_record(here: Path) -> None:
    (here / "state").mkdir()
    (here / "state" / "hush.db").write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 16)


def a_folder_as_record(here: Path) -> None:
    (here / "state" / "hush.db").mkdir(parents=True)


def folders_as_files(here: Path) -> None:
    for name in ("page.json", "speech", "lens.json", "decks"):
        (here / "state" / name / "x").mkdir(parents=True)


def files_as_folders(here: Path) -> None:
    (here / "state").mkdir()
    for name in ("backups", "speech", "decks"):
        (here / "state" / name).write_text("not a folder")


def spoilt_keys(here: Path) -> None:
    (here / "state").mkdir()
    (here / "state" / "page.json").write_text('{"key": "no hex", "devices": [], "claims": []}')


SYNTAX = (
    Case("nothing at all", "", None),
    Case("a comment", "# nothing\n", None),
    Case("a mark before the text (BOM)", b"\xef\xbb\xbflanguage = \"nl\"\n", None),
    Case("Windows line ends", "language = \"nl\"\r\n[sound]\r\nvolume = 0.5\r\n", None),
    Case("Latin-1", "language = \"nl\" # caf\xe9\n".encode("latin-1")),
    Case("UTF-16", "language = \"nl\"\n".encode("utf-16")),
    Case("bytes of a picture", bytes(range(256)) * 8),
    Case("a NUL in the text", b"language = \"nl\"\n\0\n"),
    Case("a string without its end", "language = \"nl\n"),
    Case("a section without its end", "[sound\nvolume = 0.5\n"),
    Case("a key without a value", "language =\n"),
    Case("a key twice", "language = \"nl\"\nlanguage = \"es\"\n"),
    Case("a section twice", "[sound]\nvolume = 0.5\n[sound]\ncues = true\n"),
    Case("a key that is a section, too", "sound = 1\n[sound]\nvolume = 0.5\n"),
    Case("lists in lists, 5,000 deep", "a = " + "[" * 5000 + "]" * 5000 + "\n"),
    Case("a number of 5,000 digits", "[web]\nport = " + "9" * 5000 + "\n"),
    Case("a number of 5,000 digits, hexadecimal", BEFORE + "sound.volume = 0x" + "f" * 5000 + "\n", FIRST),
    Case("2 MB", "# nothing\n" * 200_000),
    Case("JSON", '{"language": "nl"}\n'),
    Case("YAML", "language: nl\n"),
    Case("HTML", "<html><body>404</body></html>\n"),
)  # fmt: skip
TOP = (
    wrong("an unknown key", 'colour = "red"'),
    wrong("an unknown section", "[bluetooth]\non = true"),
    wrong("an unknown language", 'language = "klingon"'),
    wrong("a number for the language", "language = 3"),
    wrong("a list for the language", 'language = ["nl"]'),
    Case("an unknown backend", 'backend = "arduino"\nsound.backend = "silent"\nweb.port = 0\n', 1),
    Case("a date for the backend", 'backend = 2026-01-01\nsound.backend = "silent"\nweb.port = 0\n', 1),
    wrong("a value for a section", "panel = true"),
    wrong("a list of sections", '[[camera]]\ndevice = "none"'),
    wrong("a word of a megabyte", 'language = "' + "x" * 1_000_000 + '"'),
)
STATE = (
    wrong("state: a device", 'state = "/dev/null"'),
    wrong("state: in a device", 'state = "/dev/null/hush"'),
    wrong("state: a user who isn't there", 'state = "~nobodyx/y"'),
    wrong("state: a NUL", 'state = "/tmp/a\\u0000b"'),
    wrong("state: a name of 300 letters", f'state = "/tmp/{"x" * 300}"'),
    wrong("state: a path of 5,000 letters", f'state = "{"/tmp" * 1250}"'),
    wrong("state: a file", 'state = "{here}/file"', a_file),
    wrong("state: in a file", 'state = "{here}/file/state"', a_file),
    wrong("state: a relative path", 'state = "games"'),
    wrong("state: nothing", 'state = ""'),
    wrong("state: a dot", 'state = "."'),
    wrong("state: a link to nothing", 'state = "{here}/link"', a_link_to_nothing),
    wrong("state: a ring of links", 'state = "{here}/ring"', a_ring_of_links),
    wrong("state: a number", "state = 7"),
    wrong("state: a place where nobody may write", 'state = "/proc/hush"', line=0),
    wrong("state: square brackets", 'state = "{here}/[/red]"', line=None),
    wrong("state: braces", 'state = "{here}/{0}{x}"', line=None),
    wrong("state: a line end in the name", 'state = "{here}/a\\nb"', line=None),
    wrong("state: a spoilt record in it", 'state = "{here}/state"', a_spoilt_record, line=0),
    wrong("state: a folder as the record", 'state = "{here}/state"', a_folder_as_record, line=0),
    wrong("state: folders in the place of files", 'state = "{here}/state"', folders_as_files, line=0),
    wrong("state: files in the place of folders", 'state = "{here}/state"', files_as_folders, line=None),
    wrong("state: spoilt keys of the page", 'state = "{here}/state"', spoilt_keys, line=None),
)
SOUND = (
    wrong("sound: an unknown key", "sound.loudness = 1"),
    Case("sound: an unknown backend", '[sound]\nbackend = "alsa"\n[web]\nport = 0\n', 2),
    wrong("sound: a word for the volume", 'sound.volume = "loud"'),
    wrong("sound: too loud", "sound.volume = 11"),
    wrong("sound: not a number", "sound.volume = nan"),
    wrong("sound: infinite", "sound.volume = -inf"),
    wrong("sound: a word for yes", 'sound.cues = "yes"'),
    wrong("sound: an unknown language", 'sound.language = "xx"'),
    wrong("sound: a table for a value", "sound.volume.value = 1"),
)
CAMERA = (
    wrong("camera: an unknown key", "camera.fps = 10"),
    wrong("camera: a number", "camera.device = 0"),
    wrong("camera: nothing", 'camera.device = ""', line=0),
    wrong("camera: a NUL", 'camera.device = "a\\u0000b"', line=0),
    wrong("camera: a file that isn't there", 'camera.device = "{here}/table.png"', line=0),
    wrong("camera: a folder without pictures", 'camera.device = "{here}/empty"', an_empty_folder, line=0),
    wrong("camera: no picture", 'camera.device = "{here}/noise.png"', a_file_of_noise, line=0),
    wrong("camera: a pipe", 'camera.device = "{here}/pipe.png"', a_pipe, line=0),
    wrong("camera: a device without end", 'camera.device = "/dev/zero"', line=0),
    wrong("camera: a word for its number", 'camera.device = "usb:first"', line=0),
    wrong("camera: the 99999999999th", 'camera.device = "usb:99999999999"', line=0),
    wrong("camera: a name of 5,000 letters", f'camera.device = "{"x" * 5000}.png"', line=0),
)
PANEL = (
    wrong("panel: an unknown key", "panel.buzzer = 3"),
    wrong("panel: a word for a pin", 'panel.red = "three"'),
    wrong("panel: no such pin", "panel.red = 99"),
    wrong("panel: a negative pin", "panel.left = -1"),
    wrong("panel: one pin for two parts", "panel.left = 5\npanel.right = 5"),
    wrong("panel: too few lamps for the bar", "panel.bar = [1, 2]"),
    wrong("panel: a word for yes", 'panel.active_low = "yes"'),
    wrong("panel: a section in it", "[panel.bar]\nfirst = 1"),
    wrong("panel: nothing for a pin", "panel.red = []"),
)
GAMES = (
    wrong("games: an unknown game", "[games.poker]\nplayers = 3"),
    wrong("games: a value for a game", "games.silencio = 3"),
    wrong("games: an unknown option", "games.silencio.colour = 1"),
    wrong("games: 99 players", "games.silencio.players = 99"),
    wrong("games: a word for a number", 'games.similo.players = "many"'),
    wrong("games: a list for a value", "games.cisza.expert = [true]"),
    wrong("games: a table for a value", "games.cisza.expert.value = true"),
    wrong("games: options that exclude each other", "[games.similo]\nplayers = 2\ngiver = 5", line=8),
)
WEB = (
    Case("web: an unknown key", '[web]\nport = 0\nuser = "me"\n', 3),
    Case("web: port 99999", "[web]\nport = 99999\n", 2),
    Case("web: a negative port", "[web]\nport = -1\n", 2),
    Case("web: a word for the port", '[web]\nport = "80"\n', 2),
    Case("web: half a port", "[web]\nport = 80.5\n", 2),
    Case("web: yes for the port", "[web]\nport = true\n", 2),
    Case("web: no such address", '[web]\nport = 0\nhost = "no such host"\n'),
    Case("web: somebody else's address", '[web]\nport = 0\nhost = "192.0.2.77"\n'),
    Case("web: a NUL in the address", '[web]\nport = 0\nhost = "a\\u0000b"\n'),
    Case("web: an address of 300 letters", f'[web]\nport = 0\nhost = "{"x" * 300}"\n'),
    Case("web: a word for the names", '[web]\nport = 0\nnames = "hush.local"\n', 3),
    Case("web: numbers for the names", "[web]\nport = 0\nnames = [1]\n", 3),
    Case("web: a word for yes", '[web]\nport = 0\nenabled = "maybe"\n', 3),
)
CASES = (*SYNTAX, *TOP, *STATE, *SOUND, *CAMERA, *PANEL, *GAMES, *WEB)
