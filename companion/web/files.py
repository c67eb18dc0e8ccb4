"""The page's files, read once: a request can only name one of these, so there is no path to climb out of."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

from msgspec import Struct
from starlette.datastructures import Headers
from starlette.responses import Response

from companion.web.icons import SAFE, icon

STATIC = Path(__file__).parent / "static"
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".png": "image/png",
}


# What is shorter isn't worth the trouble; pictures and PDFs are compressed already.
SHORT_BYTES = 1000
PACKABLE = ("text/", "application/json", "application/manifest", "image/svg")
FAST_GZIP, BEST_GZIP = 4, 9
PIECE_BYTES = 64 * 1024


class File(Struct, frozen=True):
    """What is sent, plain and compressed, and its mark."""

    content: bytes
    kind: str
    mark: str
    packed: bytes = b""


def _file(content: bytes, kind: str) -> File:
    packed = gzip.compress(content, BEST_GZIP, mtime=0) if kind.startswith(PACKABLE) else b""
    return File(content, kind, f'"{hashlib.sha256(content).hexdigest()[:16]}"', packed)


def packed(answer: Response, headers: Headers) -> Response:
    """An answer, compressed if that is worth it and the browser takes it."""
    kind = answer.headers.get("content-type", "")
    is_whole = "content-length" in answer.headers and "content-encoding" not in answer.headers
    if not is_whole or len(answer.body) < SHORT_BYTES or not kind.startswith(PACKABLE) or not takes_gzip(headers):
        return answer
    answer.body = gzip.compress(answer.body, FAST_GZIP, mtime=0)
    answer.headers["content-length"] = str(len(answer.body))
    answer.headers["content-encoding"] = "gzip"
    answer.headers["vary"] = "accept-encoding"
    return answer


def takes_gzip(headers: Mapping[str, str]) -> bool:
    """Whether a browser takes compressed answers."""
    return "gzip" in headers.get("accept-encoding", "")


def _load() -> dict[str, File]:
    files = {
        f"/static/{path.name}": _file(path.read_bytes(), KINDS[path.suffix])
        for path in sorted(STATIC.iterdir())
        if path.suffix in KINDS
    }
    files["/"] = files.pop("/static/index.html")
    files["/door"] = files.pop("/static/door.html")
    files["/manifest.webmanifest"] = files.pop("/static/manifest.webmanifest")
    return files


FILES = _load()
# Drawn when somebody asks for one: it takes a small Pi seconds, and most starts need none.
ICONS = {
    **{f"/icon-{size}.png": (size, 1.0) for size in (180, 192, 512)},
    **{f"/icon-mask-{size}.png": (size, SAFE) for size in (192, 512)},
}
# What somebody who isn't let in yet may have: the door, its looks, and the picture for the home screen.
FILES_FOR_ALL = frozenset(
    {
        "/",
        "/door",
        "/static/door.js",
        "/static/sign.js",
        "/static/network.js",
        "/static/dom.js",
        "/static/style.css",
        "/manifest.webmanifest",
    }
    | set(ICONS)
)


def page_file(path: str, headers: Headers) -> Response:
    """One file; a browser that has it already is told so."""
    file = _file(icon(*ICONS[path]), KINDS[".png"]) if path in ICONS else FILES[path]
    keep = {"etag": file.mark, "cache-control": "no-cache"}
    if headers.get("if-none-match") == file.mark:
        return Response(status_code=304, headers=keep)
    if file.packed and takes_gzip(headers):
        keep |= {"content-encoding": "gzip", "vary": "accept-encoding"}
        return Response(file.packed, media_type=file.kind, headers=keep)
    return Response(file.content, media_type=file.kind, headers=keep)


def in_pieces(file: IO[bytes]) -> Iterator[bytes]:
    """A file as it goes out, however slow the one who takes it; it's closed at the end."""
    with file:
        while piece := file.read(PIECE_BYTES):
            yield piece
