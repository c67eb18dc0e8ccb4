"""What each endpoint does. The app has checked who asks and what was sent before anything here is called."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import segno
from starlette.responses import Response, StreamingResponse

from companion.text import N_, OWN_NAMES, Text
from companion.web import records as r
from companion.web.board import table_map
from companion.web.call import Call, download, printable
from companion.web.desk import STALE, Refused
from companion.web.door import SeatWish
from companion.web.door_api import ENDPOINTS as DOOR_ENDPOINTS
from companion.web.door_api import at_the_box, waiting
from companion.web.eyes.api import ENDPOINTS as EYE_ENDPOINTS
from companion.web.files import in_pieces, takes_gzip
from companion.web.health import health
from companion.web.hub import Stream
from companion.web.learning import ENDPOINTS as LEARNING_ENDPOINTS
from companion.web.network_api import ENDPOINTS as NETWORK_ENDPOINTS
from companion.web.openapi import described
from companion.web.page_memory import claim_with, is_pin
from companion.web.page_service import LEFT, TAKEN
from companion.web.printing import sheets
from companion.web.routes import Endpoint
from companion.web.rule_pages import rules_of
from companion.web.settings_file import LOCKED
from companion.web.upkeep_api import ENDPOINTS as UPKEEP_ENDPOINTS
from companion.web.words import every_word
from hardware.signs import SIGNS

# So many tenths of a second somebody waits for a deck's pictures before the table comes without them.
PICTURES_WAIT_TENTHS = 15
FOR_GOOD = "private, max-age=31536000, immutable"


# State and moves


async def state(call: Call) -> Response:
    """The shared state."""
    return Response(call.service.state(call.language), media_type="application/json")


async def events(call: Call) -> Response:
    """The live stream."""
    service = call.service
    # A page that gets a stream takes the box for live.
    await service.wait_for_owner()
    listener = service.hub.join(call.language, call.phone.id)
    service.greet(listener, call.headers.get("last-event-id", ""))
    return Stream(service.hub, listener, is_packed=takes_gzip(call.headers))


async def press(call: Call) -> r.Done:
    """A button of the twin."""
    await call.service.press(call.phone.id, call.body)
    return r.Done()


async def make_move(call: Call) -> r.MoveMade:
    """A move."""
    said: r.MakeMove = call.body
    service = call.service
    hold = service.desk.hold_for(said.move, said.number) if said.asks_first else None
    if hold is not None:
        return r.MoveMade(call.say(hold))
    await call.change(lambda: service.desk.do(said.move, said.number, service.seat_of(call.phone.id)))
    return r.MoveMade()


async def take(call: Call) -> r.Done:
    """What the box has understood, taken otherwise than with ✔."""
    said: r.Otherwise = call.body
    await call.change(lambda: call.service.desk.take(said.which, said.moment, call.service.hub.moment))
    return r.Done()


async def undo(call: Call) -> r.Done:
    """Take a move back."""
    await call.change(lambda: call.service.desk.undo(call.body.number))
    return r.Done()


async def redo(call: Call) -> r.Done:
    """Repeat a move."""
    await call.change(lambda: call.service.desk.undo(call.body.number, again=True))
    return r.Done()


async def believe(call: Call) -> r.Done:
    """Take the table as it lies; what no camera sees is asked first, on the panel and on every page."""
    said: r.Believe = call.body
    await call.change(lambda: call.service.desk.believe(said.number, said.answer))
    return r.Done()


async def alternatives(call: Call) -> r.GroupedOptions:
    """What else an earlier move could have been."""
    return call.service.desk.alternatives(call.path["at"], call.say)


async def correct(call: Call) -> r.Corrected:
    """Put another move in an earlier one's place."""
    said: r.Correction = call.body
    return r.Corrected(await call.change(lambda: call.service.desk.correct(said.at, said.move, said.number)))


async def log(call: Call) -> tuple[r.LogLine, ...]:
    """The whole log."""
    return call.service.desk.log(call.say)


# Games


async def rules(call: Call) -> tuple[r.Rules, ...]:
    """Every game with its options."""
    return call.service.desk.rules(call.say)


async def begin(call: Call) -> r.Done:
    """A new game."""
    said: r.BeginGame = call.body
    await call.change(
        lambda: call.service.desk.begin(
            said.game, said.options, said.instead_of, is_under_way=said.is_under_way, is_known=said.is_known
        )
    )
    number = call.service.desk.game_id
    if any(said.names) and number is not None:
        call.service.memory.name(number, tuple(printable(name) for name in said.names))
        call.service.mark_stale()
    return r.Done()


async def resume(call: Call) -> r.Done:
    """A game that isn't over goes on; the one that runs is kept."""
    await call.change(lambda: call.service.desk.resume(call.path["id"], call.body.instead_of))
    return r.Done()


async def games(call: Call) -> r.GamePage:
    """The games on record, a page at a time."""
    archive = call.service.archive
    return await archive.work(call.phone.id, lambda: archive.games(call.say, call.path.get("id")))


async def found(call: Call) -> r.GamePage:
    """The games of one kind and one end, a page at a time."""
    archive, path = call.service.archive, call.path
    return await archive.work(
        call.phone.id, lambda: archive.found(call.say, path["game"], path["result"], path["before"])
    )


async def replay_table(call: Call) -> r.TableMap:
    """The table of a finished game and its cards."""
    archive, gallery = call.service.archive, call.service.gallery
    return await archive.work(call.phone.id, lambda: archive.table(call.path["id"], gallery, call.say))


async def replayed(call: Call) -> r.Replayed:
    """A finished game."""
    archive = call.service.archive
    return await archive.work(call.phone.id, lambda: archive.replay(call.path["id"], call.say))


async def still(call: Call) -> r.Still:
    """One moment of a finished game."""
    archive = call.service.archive
    return await archive.work(call.phone.id, lambda: archive.still(call.path["id"], call.path["at"], call.say))


async def export(call: Call) -> Response:
    """A finished game as a file."""
    archive = call.service.archive
    lines = await archive.work(call.phone.id, lambda: archive.export(call.path["id"]))
    name = f"hush-{call.path['id']}.jsonl"
    return Response(lines, media_type="application/x-ndjson", headers=download(name))


async def statistics(call: Call) -> r.Statistics:
    """Numbers of all finished games."""
    archive = call.service.archive
    return await archive.work(call.phone.id, lambda: archive.statistics(call.say))


async def backup(call: Call) -> Response:
    """Every finished game in one file."""
    packed = await call.service.archive.work(call.phone.id, call.service.archive.backup)
    return StreamingResponse(in_pieces(packed), media_type="application/zip", headers=download("hush-backup.zip"))


async def restore(call: Call) -> r.Restored:
    """Take in the games of a backup."""
    archive = call.service.archive
    return await archive.work(call.phone.id, lambda: archive.restore(call.body))


# The box


async def settings(call: Call) -> r.SettingsShown:
    """The configuration as it holds, and the phones."""
    devices = tuple(
        r.DeviceRow(one.id[:8], one.name, one.since, one.id == call.phone.id) for one in call.service.memory.devices
    )
    file = call.service.settings_file
    forms = () if file is None else await asyncio.to_thread(file.forms, call.say)
    return r.SettingsShown(call.service.rows, devices, forms)


async def change_setting(call: Call) -> r.SettingForm:
    """One key of the configuration file is changed; the options of games hold at once."""
    said: r.ChangeSetting = call.body
    file = call.service.settings_file
    if file is None:
        raise Refused(403, "not_settable", LOCKED)
    config = await asyncio.to_thread(file.change, said.key, said.value)
    call.service.play_by(config)
    forms = await asyncio.to_thread(file.forms, call.say)
    return next(form for form in forms if form.key == said.key)


async def forget(call: Call) -> r.Done:
    """A phone is sent away."""
    found = [one for one in call.service.memory.devices if one.id[:8] == call.path["device"]]
    if not found:
        raise Refused(404, "no_such_phone", Text(N_("There is no such phone.")))
    call.service.forget(found[0])
    return r.Done()


async def how_well(call: Call) -> r.BoxHealth:
    """What's wrong with my box."""
    service = call.service
    phones, is_simulated = len(service.hub.listeners), service.tryout is not None
    return health(service.desk.showing.shown, service.panel, service.folder, phones, is_simulated, call.say)


async def help_for(call: Call) -> r.Help:
    """The rules of the running game, and what the lights say."""
    running = call.service.desk.showing.shown.running
    game = "" if running is None else running.host.game.name
    return r.Help(
        # Not among the slow things: whoever wants help doesn't wait until a deck's pictures are drawn.
        await asyncio.to_thread(rules_of, game, call.language),
        tuple(r.SignRow(call.translate(sign.title), call.translate(sign.meaning), sign.drawings) for sign in SIGNS),
    )


async def words(call: Call) -> r.PageWords:
    """The page's own texts, and the running game's table if its cards were looked at already."""
    running = call.service.desk.showing.shown.running
    table = None
    if running is not None:
        art = call.service.gallery.ready(running.host.game.name, running.public_state.options)
        table = (
            None
            if art is None
            else table_map(running.host.game, running.public_state.options, running.game_id, art, call.say)
        )
    texts = {key: call.translate(text) for key, text in every_word().items()}
    return r.PageWords(call.language, OWN_NAMES, texts, table)


async def table(call: Call) -> r.TableMap:
    """The running game's table and its cards; without pictures where it would take long to draw them."""
    running, gallery = call.service.desk.playing(), call.service.gallery
    game, options = running.host.game, running.public_state.options
    art = gallery.ready(game.name, options)
    if art is None and not gallery.is_reading:
        call.service.slow.start(gallery.read, game.name, options)
    for _ in range(PICTURES_WAIT_TENTHS):
        art = gallery.ready(game.name, options)
        if art is not None or call.service.is_closed:
            break
        await asyncio.sleep(0.1)
    return table_map(game, options, running.game_id, art, call.say)


async def card_art(call: Call) -> Response:
    """A card's picture, which never changes under its address."""
    picture = await call.slowly(call.service.gallery.picture, call.path["mark"], call.path["width"])
    return Response(picture, media_type="image/webp", headers={"cache-control": FOR_GOOD})


async def prints(call: Call) -> tuple[str, ...]:
    """What can be printed."""
    return sheets()


async def printed(call: Call) -> Response:
    """A sheet to print."""
    what, paper = call.path["what"], call.path["paper"]
    headers = download(f"hush-{what}-{paper}.pdf")
    host = call.headers.get("host", "")
    pdf = await call.service.printer.sheet(call.phone.id, what, paper, call.language, host)
    return StreamingResponse(in_pieces(pdf), media_type="application/pdf", headers=headers)


async def document(call: Call) -> dict[str, Any]:
    """This description."""
    return await call.slowly(described, ENDPOINTS)


# Seats


async def claim(call: Call) -> r.Private:
    """Take a seat: a free one with a PIN of one's own, a taken one with its PIN."""
    service, pin = call.service, call.body.pin

    wanted = a_seat(call)
    if not service.pins.allows(call.phone.id):
        raise Refused(429, "too_many", Text(N_("Too many tries: wait a minute.")))
    held = service.memory.claims(wanted.game).get(wanted.seat)
    # A PIN is slow to check and to keep, on purpose; other phones don't wait for it.
    if held is not None and not await asyncio.to_thread(is_pin, held, pin):
        raise Refused(403, "wrong_pin", Text(N_("This seat is taken, and that isn't its PIN.")))
    fresh = await asyncio.to_thread(claim_with, wanted.game, wanted.seat, call.phone.id, pin)
    if a_seat(call) != wanted or service.memory.claims(wanted.game).get(wanted.seat) != held:
        raise Refused(409, "stale_state", STALE)
    before = service.seat_of(call.phone.id)
    if before is not None and before != wanted.seat:
        service.note(wanted.game, LEFT, before)
    service.memory.claim(fresh)
    service.note(wanted.game, TAKEN, wanted.seat, phone=call.phone.name)
    service.refresh()
    return service.desk.private(wanted.seat, call.say, service.hub.moment)


def a_seat(call: Call) -> SeatWish:
    """The seat of the running game that a request names. Raises `Refused`."""
    running, seat = call.service.desk.playing(), call.path["seat"]
    game = running.game_id
    if game is None or seat >= running.public_state.options.players:
        raise Refused(404, "no_such_seat", Text(N_("There is no such seat.")))
    return SeatWish(game, seat)


async def ask_for_seat(call: Call) -> r.Waiting:
    """Ask people beside the box to free a seat whose PIN is lost."""
    knock = at_the_box(lambda: call.service.door.knock(call.phone.name, call.phone.id, a_seat(call)))
    return waiting(call, knock.status, knock.sign.place, knock.sign.suit)


async def own_seat(call: Call) -> r.Private:
    """What this phone's seat alone may see."""
    service = call.service
    seat = service.seat_of(call.phone.id)
    if seat is None:
        raise Refused(404, "no_seat", Text(N_("This phone has no seat.")))
    return service.desk.private(seat, call.say, service.hub.moment)


async def leave(call: Call) -> r.Done:
    """Leave the seat."""
    service = call.service
    seat = service.seat_of(call.phone.id)
    service.memory.release(call.phone.id)
    if seat is not None:
        service.note(service.desk.game_id, LEFT, seat)
    service.publish()
    return r.Done()


async def seat_code(call: Call) -> Response:
    """A QR code of a seat's page, for the phone that shall have it."""
    host = call.headers.get("host", "")
    drawing = io.BytesIO()
    segno.make(f"http://{host}/#seat/{call.path['seat'] + 1}", error="m").save(
        drawing, kind="svg", scale=4, dark="#14131a", light="#f4f1ea", border=2
    )
    return Response(drawing.getvalue(), media_type="image/svg+xml")


ENDPOINTS: tuple[Endpoint, ...] = (
    *DOOR_ENDPOINTS,
    Endpoint("GET", "/state", "The shared state", state, r.SharedState),
    Endpoint("GET", "/events", "The live stream of states", events, kind="text/event-stream"),
    Endpoint("POST", "/press", "Press a button of the twin", press, r.Done, r.PressButton, statuses=(409,)),
    Endpoint("POST", "/moves", "Make a move", make_move, r.MoveMade, r.MakeMove, statuses=(409,)),
    Endpoint("POST", "/undo", "Take a move back", undo, r.Done, r.AtNumber, statuses=(409,)),
    Endpoint("POST", "/take", "Take what was understood, less or more", take, r.Done, r.Otherwise, statuses=(409,)),
    Endpoint("POST", "/believe", "Take the table as it lies", believe, r.Done, r.Believe, statuses=(409,)),
    Endpoint("POST", "/redo", "Repeat a move", redo, r.Done, r.AtNumber, statuses=(409,)),
    Endpoint("GET", "/moves/{at:int}", "What an earlier move could have been", alternatives, r.GroupedOptions,
             statuses=(403, 404, 409)),
    Endpoint("POST", "/corrections", "Correct an earlier move", correct, r.Corrected, r.Correction,
             statuses=(404, 409)),
    Endpoint("GET", "/log", "The whole log", log, tuple[r.LogLine, ...]),
    Endpoint("GET", "/rules", "The games and their options", rules, tuple[r.Rules, ...]),
    Endpoint("GET", "/games", "The newest games on record", games, r.GamePage),
    Endpoint("GET", "/games/before/{id:int}", "The games on record below a number", games, r.GamePage),
    Endpoint("GET", "/games/found/{game}/{result}/{before:int}", "The games of one kind and end", found, r.GamePage),
    Endpoint("GET", "/games/{id:int}/table", "The table of a finished game", replay_table, r.TableMap, statuses=(404,)),
    Endpoint("POST", "/games", "Begin a game", begin, r.Done, r.BeginGame, statuses=(404, 409)),
    Endpoint("POST", "/games/{id:int}/resume", "Go on with a game", resume, r.Done, r.ResumeGame, statuses=(404, 409)),
    Endpoint("GET", "/games/{id:int}", "A finished game", replayed, r.Replayed, statuses=(404,)),
    Endpoint("GET", "/games/{id:int}/steps/{at:int}", "A moment of a finished game", still, r.Still, statuses=(404,)),
    Endpoint("GET", "/games/{id:int}/export", "A finished game as a file", export, kind="application/x-ndjson",
             statuses=(404,)),
    Endpoint("GET", "/statistics", "Numbers of all finished games", statistics, r.Statistics),
    Endpoint("GET", "/backup", "Every finished game in one file", backup, kind="application/zip"),
    Endpoint("POST", "/restore", "Take in a backup", restore, r.Restored, takes="application/zip"),
    Endpoint("GET", "/settings", "Configuration and phones", settings, r.SettingsShown),
    Endpoint("POST", "/settings", "Change a setting", change_setting, r.SettingForm, r.ChangeSetting,
             statuses=(403, 409)),
    Endpoint("DELETE", "/devices/{device}", "Send a phone away", forget, r.Done, statuses=(404,)),
    Endpoint("GET", "/health", "What's wrong with my box", how_well, r.BoxHealth),
    Endpoint("GET", "/prints", "What can be printed", prints, tuple[str, ...]),
    Endpoint("GET", "/prints/{what}/{paper}", "A sheet to print", printed, kind="application/pdf"),
    Endpoint("GET", "/table", "The running game's table and its cards", table, r.TableMap, statuses=(409,)),
    Endpoint("GET", "/art/{mark}/{width:int}", "A card's picture", card_art, kind="image/webp", statuses=(404,)),
    Endpoint("GET", "/help", "The rules of the running game, and what the lights say", help_for, r.Help),
    *LEARNING_ENDPOINTS,
    Endpoint("GET", "/words", "The page's own texts", words, r.PageWords),
    Endpoint("POST", "/seats/{seat:int}", "Take a seat", claim, r.Private, r.SeatPin, statuses=(404, 409)),
    Endpoint("POST", "/seats/{seat:int}/wish", "Ask at the box for a seat whose PIN is lost", ask_for_seat, r.Waiting,
             statuses=(404, 409)),
    Endpoint("GET", "/seats/{seat:int}/code", "A QR code of a seat's page", seat_code, kind="image/svg+xml"),
    Endpoint("GET", "/seat", "What this phone's seat may see", own_seat, r.Private, statuses=(404, 409)),
    Endpoint("DELETE", "/seat", "Leave the seat", leave, r.Done),
    *EYE_ENDPOINTS,
    *UPKEEP_ENDPOINTS,
    *NETWORK_ENDPOINTS,
    Endpoint("GET", "/openapi.json", "This description", document, dict[str, Any]),
)  # fmt: skip
