"""The server: every request passes the guard, every answer carries its headers, every fault is a sentence."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.text import LANGUAGES, N_, Text
from companion.web.api import ENDPOINTS
from companion.web.call import Call, respond
from companion.web.desk import Refused
from companion.web.door_api import COOKIE
from companion.web.files import FILES, FILES_FOR_ALL, ICONS, packed, page_file
from companion.web.guard import (
    BODY_SECONDS,
    HEADERS,
    HUGE_BODY,
    HUGE_BODY_SECONDS,
    LARGE_BODY,
    LARGE_BODY_SECONDS,
    SMALL_BODY,
    PatientProtocol,
    TokenBuckets,
    TooLarge,
    TooSlow,
    is_loopback,
    is_ours,
    is_same_origin,
    read_body,
    save_body,
)
from companion.web.lobby import Lobby
from companion.web.owner import origin_of
from companion.web.page_memory import Device
from companion.web.page_service import PageService
from companion.web.records import Trouble
from companion.web.routes import PREFIX, RELEASE, Endpoint

log = logging.getLogger(__name__)

AT_THIS_MACHINE = Device("loopback", "loopback", "")
# What an endpoint may know of a request's head.
HEADERS_HEARD = ("host", "last-event-id", "accept-encoding")
UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
# The last wall: strangers are bounded far below it, see `lobby`, and each phone too.
MAX_CONNECTIONS = 600
# So many new connections are taken in one go, before others have their turn again; so many wait in the system.
ACCEPTED_AT_ONCE = 4
QUEUE = 512
# Uvicorn gives requests a second to end; what takes longer is left behind.
STOP_SECONDS = 5.0

WRONG_NAME = Text(N_("This box isn't called that."))
WRONG_SITE = Text(N_("Another site asks for this; only the box's own page may."))
NOT_PAIRED = Text(N_("This phone isn't paired with the box yet."))
NOT_HERE = Text(N_("There is nothing here."))
TOO_MANY = Text(N_("Too many requests: wait a moment."))
TOO_LARGE = Text(N_("That is too large."))
TOO_SLOW = Text(N_("That took too long."))
WRONG_KIND = Text(N_("This must be sent as {kind}."))
UNREADABLE = Text(N_("What was sent can't be understood: {reason}"))
BROKEN = Text(N_("Something went wrong in the box. It goes on."))


class Headed:
    """Puts the safety headers on every answer, whoever made it, and keeps what a fault says out of the log."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            return

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                extra = [(name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in own]
                message = {**message, "headers": [*message["headers"], *extra]}
            await send(message)

        try:
            await self.app(scope, receive, headed)
        except Exception as error:
            log.error("page: %s", origin_of(error))


def trouble(status: int, code: str, reason: Text, say: Callable[[Text], str] = str, **headers: str) -> Response:
    """A refusal as JSON."""
    answer = respond(Trouble(code, say(reason)))
    answer.status_code = status
    for name, value in headers.items():
        answer.headers[name.replace("_", "-")] = value
    return answer


class PageApp:
    """The page's requests, checked and handed on."""

    def __init__(self, service: PageService):
        self.service = service
        # A table of a hundred cards is a hundred pictures, once.
        self.phones = TokenBuckets(240, 40.0, service.clock)
        self.strangers = TokenBuckets(40, 4.0, service.clock)
        routes = [self._route(endpoint) for endpoint in ENDPOINTS]
        routes += [Route(path, self._file, methods=["GET"]) for path in (*FILES, *ICONS)]
        handlers: dict[Any, Any] = {HTTPException: self._no_route, Exception: self._broken}
        starlette = Starlette(routes=routes, exception_handlers=handlers)
        starlette.router.redirect_slashes = False
        self.app = Headed(starlette)

    def _route(self, endpoint: Endpoint) -> Route:
        async def serve(request: Request) -> Response:
            return await self._checked(request, lambda device: self._serve(endpoint, request, device), endpoint.who)

        # Starlette answers HEAD where GET is; a stream would never end for it.
        route = Route(PREFIX + endpoint.path, serve, methods=[endpoint.method], name=endpoint.summary)
        route.methods = {endpoint.method}
        return route

    async def _checked(
        self, request: Request, act: Callable[[Device | None], Awaitable[Response]], who: str
    ) -> Response:
        say = self.service.say(self._language(request))
        if not is_ours(request.headers.get("host", ""), self.service.settings.known_names):
            return trouble(421, "wrong_host", WRONG_NAME, say)
        is_api = request.url.path.startswith(PREFIX)
        if is_api and not is_same_origin(request.headers, is_change=request.method in UNSAFE):
            return trouble(403, "wrong_origin", WRONG_SITE, say)
        device = self._device(request)
        bucket, caller = (self.phones, device.id) if device else (self.strangers, self._address(request))
        if not bucket.allows(caller):
            return trouble(429, "too_many", TOO_MANY, say, retry_after=str(bucket.wait(caller)))
        is_arriving = who == "arriving" and self.service.is_arriving(self._address(request))
        if who != "anyone" and device is None and not is_arriving:
            return trouble(401, "not_paired", NOT_PAIRED, say)
        try:
            return packed(await act(device), request.headers)
        except Refused as refused:
            later = {} if refused.retry_after is None else {"retry_after": str(refused.retry_after)}
            return trouble(refused.status, refused.code, refused.reason, say, **later)
        except TooLarge:
            return trouble(413, "too_large", TOO_LARGE, say, connection="close")
        except TooSlow:
            return trouble(408, "too_slow", TOO_SLOW, say, connection="close")

    async def _serve(self, endpoint: Endpoint, request: Request, device: Device | None) -> Response:
        if endpoint.takes == "application/json" or device is None:
            return await self._answer(endpoint, request, device)
        async with self.service.uploads.enter(device.id):
            return await self._answer(endpoint, request, device)

    async def _answer(self, endpoint: Endpoint, request: Request, device: Device | None) -> Response:
        call = Call(
            self.service,
            device,
            self._language(request),
            self._address(request),
            dict(request.path_params),
            dict(request.cookies),
            {name: value for name, value in request.headers.items() if name in HEADERS_HEARD},
            await self._body(endpoint, request),
        )
        said = await endpoint.act(call)
        return said if isinstance(said, Response) else respond(said)

    async def _body(self, endpoint: Endpoint, request: Request) -> Any:
        is_large = endpoint.takes != "application/json"
        if endpoint.method == "GET":
            return None
        kind = request.headers.get("content-type", "").split(";")[0].strip()
        if kind == endpoint.takes == RELEASE:
            await save_body(request, self.service.upkeep.part, HUGE_BODY, HUGE_BODY_SECONDS)
            return None
        most, seconds = (LARGE_BODY, LARGE_BODY_SECONDS) if is_large else (SMALL_BODY, BODY_SECONDS)
        sent = await read_body(request, most, seconds)
        if endpoint.body is None and not is_large:
            return None
        if kind != endpoint.takes:
            reason = Text(WRONG_KIND.template, {"kind": endpoint.takes})
            raise Refused(415, "wrong_kind", reason)
        if is_large:
            return sent
        try:
            return msgspec.json.decode(sent, type=endpoint.body)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            reason = Text(UNREADABLE.template, {"reason": str(error)[:200]})
            raise Refused(422, "unreadable", reason) from None

    async def _file(self, request: Request) -> Response:
        path = request.url.path

        async def give(device: Device | None) -> Response:
            if device is None and path not in FILES_FOR_ALL:
                return trouble(401, "not_paired", NOT_PAIRED)
            if path in ICONS:
                who = self._address(request) if device is None else device.id
                return await self.service.slow.run(who, page_file, path, request.headers)
            return page_file("/door" if path == "/" and device is None else path, request.headers)

        return await self._checked(request, give, "anyone")

    async def _no_route(self, request: Request, error: HTTPException) -> Response:
        async def nothing(device: Device | None) -> Response:
            status = error.status_code if error.status_code in (404, 405) else 404
            return trouble(status, "nothing_here", NOT_HERE, self.service.say(self._language(request)))

        return await self._checked(request, nothing, "paired")

    async def _broken(self, request: Request, error: Exception) -> Response:
        return trouble(500, "broken", BROKEN, self.service.say(self._language(request)))

    def phone_of(self, scope: Scope) -> str | None:
        """Which phone's request this is, by its cookie; None for a stranger's."""
        device = self._device(Request(scope))
        return None if device is None else device.id

    def _device(self, request: Request) -> Device | None:
        cookie = request.cookies.get(COOKIE)
        known = self.service.memory.known(cookie) if cookie else None
        if known is None and self.service.settings.trust_loopback and is_loopback(self._address(request)):
            return AT_THIS_MACHINE
        return known

    def _language(self, request: Request) -> str:
        asked = request.query_params.get("language", "")
        if asked in LANGUAGES:
            return asked
        for part in request.headers.get("accept-language", "").split(","):
            if (language := part.strip()[:2].lower()) in LANGUAGES:
                return language
        return self.service.language

    @staticmethod
    def _address(request: Request) -> str:
        return request.client.host if request.client else ""


class Server(uvicorn.Server):
    """Uvicorn in the page's loop: signals are the box's own business."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """None."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen; the loop takes few at once, but the system keeps many, so that a flood shuts nobody out."""
        await super().startup(sockets)
        for one in sockets or ():
            one.listen(QUEUE)


class Serving:
    """The page while it's served, by a loop of its own in a thread of its own: the game never waits for a request."""

    def __init__(self, service: PageService, bound: socket.socket):
        self.service = service
        self.socket = bound
        page = PageApp(service)
        protocol = type("Protocol", (PatientProtocol,), {"lobby": Lobby(page.phone_of)})
        config = uvicorn.Config(
            page.app,
            http=protocol,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            limit_concurrency=MAX_CONNECTIONS,
            backlog=ACCEPTED_AT_ONCE,
            h11_max_incomplete_event_size=16 * 1024,
            timeout_graceful_shutdown=1,
        )
        self.server = Server(config)
        self.loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._live, name="page", daemon=True)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.socket.getsockname()[1])

    def start(self) -> None:
        """Begin to answer."""
        logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
        logging.getLogger("uvicorn.access").disabled = True
        self._thread.start()

    def _live(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as error:
            log.critical("the page has ended, the game goes on: %s", origin_of(error))
        finally:
            self.socket.close()

    async def _serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.loop.set_exception_handler(note_error)
        self.service.connect()
        try:
            await self.server.serve(sockets=[self.socket])
        finally:
            self.service.close()

    def stopping(self) -> None:
        """Every stream ends, every connection closes; waits for nothing."""
        self.server.should_exit = True
        if self.loop is not None:
            with contextlib.suppress(RuntimeError):  # it has ended already
                self.loop.call_soon_threadsafe(self.service.close)

    def stop(self) -> None:
        """End it, and wait until it has ended, but not for long."""
        self.stopping()
        if self._thread.ident is not None:
            self._thread.join(STOP_SECONDS)


def note_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what went wrong in a callback, but neither its words nor what it was called with: that may be a hand."""
    error = context.get("exception")
    log.error("page: %s", context.get("message", "") if error is None else origin_of(error))


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; an empty host means every address, old and new style. Raises `OSError`."""
    try:
        bound = _listening(host, port)
    except (ValueError, TypeError) as error:  # a name that can't be one: with a NUL, or too long for a domain
        raise OSError(str(error)) from None
    # Connections inherit it. Without it an answer's body waits 40 ms for the acknowledgement of its head.
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return bound


def _listening(host: str, port: int) -> socket.socket:
    if host:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    if socket.has_dualstack_ipv6():
        with contextlib.suppress(OSError):
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
    return socket.create_server(("", port))
