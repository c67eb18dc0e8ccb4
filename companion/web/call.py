"""One request, checked, and the answers that aren't plain records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import msgspec
from msgspec import Struct
from starlette.responses import Response

from companion.web.owner import SessionChange
from companion.web.page_memory import Device
from companion.web.page_service import PageService, catalogue

P = ParamSpec("P")
T = TypeVar("T")


class Call(Struct, frozen=True):
    """One request, checked: which phone asks, in which language, with what."""

    service: PageService
    device: Device | None
    language: str
    address: str
    path: dict[str, Any]
    cookies: dict[str, str]
    headers: dict[str, str]
    body: Any = None

    @property
    def say(self) -> Any:
        """The language's voice."""
        return self.service.say(self.language)

    def translate(self, template: str) -> str:
        """A text whose gaps the page fills itself."""
        return catalogue(self.language).translate(template)

    async def slowly(self, act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Have something done that would make the game wait. Raises `Refused` where too much is going on."""
        who = self.address if self.device is None else self.device.id
        return await self.service.slow.run(who, act, *args, **kwargs)

    async def change(self, decide: Callable[[], SessionChange[T]]) -> T:
        """Have the box's owner do something on this phone's behalf. Raises `Refused`."""
        return await self.service.change(self.phone.id, decide)

    @property
    def phone(self) -> Device:
        """The phone that asks; the app lets nobody else this far."""
        assert self.device is not None
        return self.device


def respond(said: Any) -> Response:
    """A record as JSON."""
    return Response(msgspec.json.encode(said), media_type="application/json")


def download(name: str) -> dict[str, str]:
    """Headers of a file to keep."""
    return {"content-disposition": f'attachment; filename="{name}"'}


def printable(name: str) -> str:
    """A name without what a screen or a log could take for more than letters."""
    return " ".join("".join(one if one.isprintable() else " " for one in name).split())
