"""The endpoints of the door: a phone knocks, waits, and comes in by a hold of ✔ on the box or by a code."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.responses import Response

from companion.service.pairing import redeem, typed
from companion.text import N_, Text
from companion.web import records as r
from companion.web.call import Call, printable, respond
from companion.web.desk import Refused
from companion.web.door import Knock, TooManyKnocks
from companion.web.routes import Endpoint
from companion.web.words import DOOR_WORDS
from hardware.panel import SHAPES

DOOR_COOKIE = "hush_door"
COOKIE = "hush"
COOKIE_SECONDS = 400 * 24 * 3600
WRONG_CODE = Text(N_("That isn't the code, or its time is over."))
TOO_MANY = Text(N_("Too many tries: wait a minute."))


async def ask_to_be_let_in(call: Call) -> Response:
    """A phone asks to be let in."""
    knock = at_the_box(lambda: call.service.door.knock(call.body.name or "?", call.address))
    answer = respond(waiting(call, knock.status, knock.sign.place, knock.sign.suit))
    answer.set_cookie(DOOR_COOKIE, knock.id, max_age=300, httponly=True, samesite="strict", path="/")
    return answer


def at_the_box(knocks: Callable[[], Knock]) -> Knock:
    """A wish that the panel shows. Raises `Refused` for who has wished too often."""
    try:
        return knocks()
    except TooManyKnocks as banished:
        reason = Text(N_("Wait a little, then try again."))
        raise Refused(429, "wait", reason, retry_after=banished.wait) from None


async def at_the_door(call: Call) -> Response:
    """How it stands; who was let in gets the cookie, once."""
    service, knock_id = call.service, call.cookies.get(DOOR_COOKIE, "")
    knock = service.door.status(knock_id)
    if knock is None:
        return respond(waiting(call, "none"))
    answer = respond(waiting(call, knock.status, knock.sign.place, knock.sign.suit))
    if service.door.enter(knock_id) is not None:
        let_in(call, answer, knock.name)
    return answer


def let_in(call: Call, answer: Response, name: str) -> None:
    """Give a phone its cookie."""
    cookie = call.service.memory.cookie(call.service.memory.admit(name))
    answer.set_cookie(COOKIE, cookie, max_age=COOKIE_SECONDS, httponly=True, samesite="strict", path="/")
    answer.delete_cookie(DOOR_COOKIE, path="/", httponly=True, samesite="strict")


async def enter_by_code(call: Call) -> Response:
    """A phone comes in by the code of its own knock, or by one that was made on the box."""
    service, code = call.service, typed(call.body.code)
    count_a_guess(call, call.address)
    knock = service.door.enter_by_code(call.cookies.get(DOOR_COOKIE, ""), code)
    name = printable(call.body.name) or "?"
    if knock is not None:
        name = knock.name
    # Slow on purpose; others don't wait for it.
    elif not code or not await asyncio.to_thread(redeem, service.folder, code):
        raise Refused(403, "wrong_code", WRONG_CODE)
    answer = respond(waiting(call, "admitted"))
    let_in(call, answer, name)
    return answer


def waiting(call: Call, status: str, place: int = 0, suit: str = "") -> r.Waiting:
    """What a phone at the door is told, with the words to show it."""
    words = {key: call.translate(text) for key, text in DOOR_WORDS.items()}
    is_arriving = call.device is None and call.service.is_arriving(call.address)
    return r.Waiting(status, place, suit, SHAPES.get(suit, ""), words, is_arriving)


def count_a_guess(call: Call, who: str) -> None:
    """Guesses of codes are few for each, and few in all. Raises `Refused`."""
    service = call.service
    if not (service.codes.allows(who) and service.all_codes.allows("")):
        later = max(service.codes.wait(who), service.all_codes.wait(""))
        raise Refused(429, "too_many", TOO_MANY, retry_after=later)


ENDPOINTS = (
    Endpoint("GET", "/pairing", "How it stands at the door", at_the_door, r.Waiting, who="anyone"),
    Endpoint("POST", "/pairing", "Ask to be let in", ask_to_be_let_in, r.Waiting, r.KnockRequest, who="anyone"),
    Endpoint("POST", "/pairing/code", "Come in by a code", enter_by_code, r.Waiting, r.Code, who="anyone"),
)
