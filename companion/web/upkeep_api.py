"""The endpoints of the box's upkeep: each deed waits until ✔ is held on the box, or a code from beside it is typed."""

from __future__ import annotations

import asyncio
from typing import Annotated

from msgspec import Meta, Struct

from companion.service.pairing import redeem, typed
from companion.text import N_, Text
from companion.web import records as r
from companion.web.call import Call
from companion.web.desk import Refused
from companion.web.door import Knock
from companion.web.door_api import WRONG_CODE, at_the_box, count_a_guess, waiting
from companion.web.routes import RELEASE, Endpoint
from companion.web.upkeep import BoxDeed, ReleaseRefused, why_refused

NOT_NOW = Text(N_("The box can't do that now."))


class DeedRow(Struct, frozen=True):
    """Something that can be asked for."""

    deed: BoxDeed
    label: str


class DownloadRow(Struct, frozen=True):
    """How it stands with the release that the box fetches itself; `host` is whom it asks."""

    host: str
    is_running: bool
    received: int
    size: int
    outcome: str


class BoxUpkeep(Struct, frozen=True):
    """The versions, what can be asked for, what came of the last request, and how it stands with this phone's wish.

    Without a download the box has no address to fetch releases from.
    """

    version: str
    previous: str
    is_safe: bool
    deeds: tuple[DeedRow, ...]
    is_under_way: bool
    outcome: str
    status: str = ""
    download: DownloadRow | None = None


class DeedWish(Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked for."""

    deed: BoxDeed


class Agreed(Struct, frozen=True, forbid_unknown_fields=True):
    """The code that was made on the box, or that it shows for this wish."""

    code: Annotated[str, Meta(max_length=20)]


class ReleaseSent(Struct, frozen=True):
    """A release that would be taken."""

    version: str


async def upkeep(call: Call) -> BoxUpkeep:
    """How it stands."""
    keep, is_safe = call.service.upkeep, in_safe_mode(call)
    # Before the result is read: one that comes in between is shown at the next look.
    is_under_way = keep.is_under_way
    result, knock = keep.result, call.service.door.box_knock_of(call.phone.id)
    outcome = ""
    if result.word and result.code not in ("", "under_way"):
        outcome = call.say(why_refused(result.code))
    elif result.word == "update" and not result.code:
        outcome = call.say(Text(N_("Version {version} was installed."), {"version": result.version}))
    return BoxUpkeep(
        keep.version,
        keep.previous,
        is_safe,
        tuple(DeedRow(deed, call.say(keep.label(deed))) for deed in keep.can(is_safe)),
        is_under_way,
        outcome,
        knock.status if knock else "",
        downloaded(call),
    )


def downloaded(call: Call) -> DownloadRow | None:
    """How it stands with the download."""
    download = call.service.download
    if not download.address or not call.service.upkeep.can_ask:
        return None
    now = download.progress
    outcome = "" if now.outcome is None else call.say(now.outcome)
    return DownloadRow(download.host, now.is_running, now.received, now.size, outcome)


async def fetch(call: Call) -> r.Done:
    """Have the box look for a newer version at its own address; nothing is installed yet."""
    if not call.service.upkeep.can_ask or not call.service.download.start():
        raise Refused(409, "not_now", NOT_NOW)
    return r.Done()


async def stop_fetching(call: Call) -> r.Done:
    """End the download; what has come is kept."""
    call.service.download.stop()
    return r.Done()


def in_safe_mode(call: Call) -> bool:
    """Whether the box came up in safe mode."""
    return "safe-mode" in call.service.desk.showing.shown.faults


async def send_release(call: Call) -> ReleaseSent:
    """A release that a phone has sent is looked at; nothing is installed yet."""
    try:
        return ReleaseSent(await call.slowly(call.service.upkeep.offer_if_signed))
    except ReleaseRefused as refused:
        raise Refused(422, refused.code, why_refused(refused.code)) from None


async def wish(call: Call) -> r.Waiting:
    """Ask people beside the box to agree to a deed."""
    if call.body.deed not in call.service.upkeep.can(in_safe_mode(call)):
        raise Refused(409, "not_now", NOT_NOW)
    knock = at_the_box(lambda: call.service.door.knock(call.phone.name, call.phone.id, call.body.deed))
    return waiting(call, knock.status, knock.sign.place, knock.sign.suit)


async def agree(call: Call) -> r.Done:
    """Somebody beside the box has typed its code: the deed that this phone has asked for is done."""
    service, code = call.service, typed(call.body.code)
    count_a_guess(call, call.phone.id)
    knock = service.door.box_knock_of(call.phone.id)
    if knock is None:
        raise Refused(409, "not_now", NOT_NOW)
    agreed: Knock | None = service.door.enter_by_code(knock.id, code)
    # One that was made on the box is good for anything, once. It's slow on purpose; others don't wait for it.
    if agreed is None and code and await asyncio.to_thread(redeem, service.folder, code):
        agreed = service.door.grant_and_enter(knock.id)
    if agreed is None:
        raise Refused(403, "wrong_code", WRONG_CODE)
    service.act(agreed)
    return r.Done()


ENDPOINTS = (
    Endpoint("GET", "/box", "Versions, and what can be asked of the box", upkeep, BoxUpkeep),
    Endpoint("POST", "/box/release", "Send a release", send_release, ReleaseSent, takes=RELEASE),
    Endpoint("POST", "/box/download", "Have the box fetch a newer version", fetch, r.Done, statuses=(409,)),
    Endpoint("DELETE", "/box/download", "Stop that", stop_fetching, r.Done),
    Endpoint("POST", "/box/wish", "Ask for a deed at the box", wish, r.Waiting, DeedWish, statuses=(409,)),
    Endpoint("POST", "/box/wish/code", "Agree to it by a code", agree, r.Done, Agreed, statuses=(409,)),
)
