"""The page's files, read once: a request can only name one of these, so there is no path to climb out of."""

from __future__ import annotations

import hashlib
from pathlib import Path

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
ICON_SIZES = (180, 192, 512)


class File(Struct, frozen=True):
    """What is sent, and its mark."""

    content: bytes
    kind: str
    mark: str


def _file(content: bytes, kind: str) -> File:
    return File(content, kind, f'"{hashlib.sha256(content).hexdigest()[:16]}"')


def _load() -> dict[str, File]:
    files = {
        f"/static/{path.name}": _file(path.read_bytes(), KINDS[path.suffix])
        for path in sorted(STATIC.iterdir())
        if path.suffix in KINDS
    }
    files["/"] = files.pop("/static/index.html")
    files["/door"] = files.pop("/static/door.html")
    files["/manifest.webmanifest"] = files.pop("/static/manifest.webmanifest")
    for size in ICON_SIZES:
        files[f"/icon-{size}.png"] = _file(icon(size), KINDS[".png"])
        files[f"/icon-mask-{size}.png"] = _file(icon(size, SAFE), KINDS[".png"])
    return files


FILES = _load()
# What somebody who isn't let in yet may have: the door, its looks, and the picture for the home screen.
OPEN_FILES = frozenset(
    {"/", "/door", "/static/door.js", "/static/dom.js", "/static/style.css", "/manifest.webmanifest"}
    | {f"/icon-{kind}{size}.png" for size in ICON_SIZES for kind in ("", "mask-")}
)


def page_file(path: str, headers: Headers) -> Response:
    """One file; a browser that has it already is told so."""
    file = FILES[path]
    keep = {"etag": file.mark, "cache-control": "no-cache"}
    if headers.get("if-none-match") == file.mark:
        return Response(status_code=304, headers=keep)
    return Response(file.content, media_type=file.kind, headers=keep)
