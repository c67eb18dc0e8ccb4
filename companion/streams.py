"""The standard streams as a stranger's machine has them: closed, full, or without letters for what Hush says.

Runs before anything else of ours is imported, so it imports the standard library alone.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata

LOOKALIKE = "hush-lookalike"
ASCII = "hush-ascii"
# What the panel, its lamps and our sentences are drawn with, for streams that have no such characters. Letters with
# accents lose them, everything else becomes a question mark.
LOOKALIKES = {
    "▲": "^", "●": "o", "★": "*", "■": "#", "☀": "O", "☾": "C", "◀": "<", "▶": ">", "✔": "v", "✖": "x", "✎": "!",
    "☞": ">", "→": "->", "←": "<-", "⏎": "Enter", "·": ".", "█": "#", "▓": "+", "▒": ":", "░": ".", "▏": "|",
    "━": "-", "╸": "-", "╺": "-", "•": "*", "“": '"', "”": '"', "„": '"', "’": "'", "‘": "'", "–": "-", "—": "-",
    "…": "...", "×": "x", "±": "+-", "°": " degrees", "ł": "l", "Ł": "L", "«": "<<", "»": ">>", "›": ">", "≥": ">=",
    "‹": "<", "€": "EUR", "µ": "u", "−": "-", "ı": "i", "ȷ": "j",
    "¿": "?", "¡": "!", "⚠": "!", "Ω": "Ohm", "↕": "|", "↔": "-", "✝": "+", "♦": "D", "♥": "H", "♣": "C", "♠": "S",
    "♟": "i", "☻": "@", "☼": "O", "☽": "C", "○": "-", "△": "-", "□": "-", "☆": "-",
}  # fmt: skip


def lookalike(character: str) -> str:
    """A character in ASCII.

    >>> "".join(map(lookalike, "é✔…☃"))
    'ev...?'
    """
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return LOOKALIKES.get(character) or plain or "?"


def write_lookalikes(error: UnicodeError) -> tuple[str | bytes, int]:
    """What a codec does about characters that it doesn't have."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(lookalike, error.object[error.start : error.end])), error.end


def make_usable() -> None:
    """Open what is closed, and let every character through; whatever is written later raises no `UnicodeError`."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:  # or the journal would be opened as standard output
        os.set_inheritable(opened, True)
    os.close(opened)
    codecs.register_error(LOOKALIKE, write_lookalikes)
    codecs.register(ascii_codec)
    sys.stdin = sys.stdin or io.TextIOWrapper(io.FileIO(0, closefd=False))
    sys.stdout = sys.stdout or io.TextIOWrapper(io.FileIO(1, "w", closefd=False))
    sys.stderr = sys.stderr or io.TextIOWrapper(io.FileIO(2, "w", closefd=False))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Typer writes UTF-8 to what calls itself ASCII: this is ASCII by another name.
            is_ascii = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding=ASCII if is_ascii else None, errors=LOOKALIKE)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def ascii_codec(name: str) -> codecs.CodecInfo | None:
    """ASCII under a name of our own."""
    if name.replace("_", "-") != ASCII:
        return None
    plain = codecs.lookup("ascii")
    return codecs.CodecInfo(
        plain.encode, plain.decode, plain.streamreader, plain.streamwriter, plain.incrementalencoder,
        plain.incrementaldecoder, name=ASCII,
    )  # fmt: skip


def flush() -> OSError | None:
    """Write what still waits; what went wrong with that, once: what can't be written is then forgotten."""
    problem = None
    for stream, number in ((sys.stdout, 1), (sys.stderr, 2)):
        try:
            stream.flush()
        except OSError as error:
            problem = problem or error
            discard_output(number)
        except ValueError:  # closed
            pass
    return problem


def discard_output(number: int) -> None:
    """Send all that is still written to a descriptor nowhere, so that Python doesn't try again as it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)
