"""The API as data: every endpoint with who may use it, what it takes and what it answers. The app and its description
are both made from this."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Literal

from msgspec import Struct

# Who is arriving sets up the Wi-Fi of a box that knows no phone yet.
Who = Literal["anyone", "paired", "arriving"]
VERSION = "1.0"
PREFIX = "/api/v1"
# A release, which is written to the disk as it comes.
RELEASE = "application/x-hush-release"


class Endpoint(Struct, frozen=True):
    """One thing the page may ask for."""

    method: Literal["GET", "POST", "DELETE"]
    path: str
    summary: str
    act: Callable[..., Awaitable[Any]]
    answer: Any = None
    body: Any = None
    who: Who = "paired"
    kind: str = "application/json"
    takes: str = "application/json"
    statuses: tuple[int, ...] = ()


TROUBLES = {
    401: "This phone isn't paired.",
    403: "Another site asks, or it isn't this seat's to do.",
    404: "There is no such thing.",
    408: "The body didn't come in time.",
    409: "The state has gone on, or nothing is there to do it to.",
    410: "This knock was used up or is forgotten.",
    413: "The body is too large.",
    415: "The body isn't of the right kind.",
    421: "This box isn't called that.",
    422: "The body or the move can't be accepted.",
    429: "Too many requests; Retry-After says when.",
    503: "The box is busy or has no record.",
}
