"""What each endpoint of the camera and of the simulated table does."""

from __future__ import annotations

import asyncio

from starlette.responses import Response

from companion.text import N_, Text
from companion.web import records as r
from companion.web.call import Call
from companion.web.desk import Refused
from companion.web.eyes import records as e
from companion.web.eyes.calibrating import calibrated
from companion.web.eyes.photos import photo_taken_in
from companion.web.eyes.table_camera import flat, jpeg, newest_picture
from companion.web.owner import SessionChange
from companion.web.routes import Endpoint
from companion.web.simulated_records import LaidOut, SimulatedScene, Simulation
from companion.web.simulated_table_page import NO_TABLE, Tryout, thumbnail

# What a photo is sent as; what it really is, its first bytes tell.
PHOTO = "application/octet-stream"
# The simulated camera takes its first picture within so many tenths of a second.
FIRST_PICTURE_TENTHS = 50


# The simulated table


async def tryout(call: Call) -> Tryout:
    """The simulated table, made if need be. Raises `Refused` where the table is a real one."""
    table = call.service.tryout
    if table is None:
        raise Refused(404, "no_table", NO_TABLE)
    async with table.making:
        making = table.lacks()
        if making is not None:
            made = await call.slowly(making.made)
            table.install(making.key, made)
    return table


async def simulation(call: Call) -> Simulation:
    """The simulated table with all its cards."""
    return (await tryout(call)).shown(call.say)


async def lay(call: Call) -> LaidOut:
    """Cards were moved."""
    table = await tryout(call)
    table.lay(call.body.laid)
    return table.laid_out


async def tidy(call: Call) -> LaidOut:
    """Lay the table as the box believes it to be."""
    table = await tryout(call)
    table.tidy()
    return table.laid_out


async def card_face(call: Call) -> Response:
    """A card's picture."""
    path = (await tryout(call)).face(call.path["number"])
    picture = await call.slowly(thumbnail, path)
    return Response(picture, media_type="image/jpeg", headers={"cache-control": "private, max-age=3600"})


# The live picture


async def made_ready(call: Call) -> None:
    """Where the table is simulated, it's made before anybody looks at it."""
    if call.service.tryout is None:
        return
    table = await tryout(call)
    for _ in range(FIRST_PICTURE_TENTHS):
        if table.snapshot() is not None:
            return
        await asyncio.sleep(0.1)


async def photo(call: Call) -> Response:
    """What the camera saw last."""
    await made_ready(call)
    snapshot = newest_picture(call.service.camera)
    return Response(await call.slowly(jpeg, snapshot.picture), media_type="image/jpeg")


async def flat_photo(call: Call) -> Response:
    """What the camera saw last, laid flat, so that it fits under the drawn cards."""
    await made_ready(call)
    return Response(await call.slowly(flat, newest_picture(call.service.camera)), media_type="image/jpeg")


# The recognised cards


async def seen(call: Call) -> e.SeenTable:
    """The table as recognised."""
    if call.service.tryout is not None:
        await tryout(call)
    call.service.publish()
    return call.service.recognised.table(call.say)


async def seen_cards(call: Call) -> tuple[e.CardName, ...]:
    """Everything a card on this table can be."""
    return call.service.recognised.every_card(call.say)


async def correct_seen(call: Call) -> r.Done:
    """This card is really that one."""

    def decide() -> SessionChange[None]:
        call.service.publish()
        return call.service.recognised.correct(call.body)

    await call.change(decide)
    return r.Done()


# Photos of a phone


async def table_photo(call: Call) -> e.PhotoRead:
    """A photo of the table: read it, and follow what it shows."""
    running = call.service.desk.playing()
    if running.is_over:
        raise Refused(409, "over", Text(N_("The game is over.")))
    game, options = running.host.game.name, running.public_state.options
    sight = await call.slowly(call.service.photos.read, call.body, game, options)
    return await call.change(lambda: photo_taken_in(sight, running))


async def deck_photo(call: Call) -> tuple[e.FoundCard, ...]:
    """A photo of one card, or of several side by side."""
    return await call.slowly(call.service.enrolling.found, call.path["deck"], call.body, call.say)


# Calibration


async def calibration(call: Call) -> e.Calibrated:
    """The camera's view of the table, judged."""
    await made_ready(call)
    return await call.slowly(calibrated, newest_picture(call.service.camera), call.say)


async def recalibrate(call: Call) -> r.Done:
    """Look for the markers anew."""
    await made_ready(call)
    newest_picture(call.service.camera)
    assert call.service.camera is not None
    call.service.camera.recalibrate()
    return r.Done()


# Enrolment


async def decks(call: Call) -> tuple[e.DeckProgress, ...]:
    """Every deck that can be enrolled."""
    return await call.slowly(call.service.enrolling.decks)


async def deck(call: Call) -> e.Enrolled:
    """One deck, card by card."""
    return await call.slowly(call.service.enrolling.deck, call.path["deck"], call.say)


async def look(call: Call) -> e.EnrolLook:
    """The card under the camera now."""
    return await call.slowly(call.service.enrolling.look, call.path["deck"], call.say)


async def keep(call: Call) -> r.Done:
    """Keep a card's picture."""
    await call.slowly(call.service.enrolling.keep, call.path["deck"], call.path["card"], call.body.look)
    return r.Done()


async def kept(call: Call) -> Response:
    """A kept picture, small."""
    picture = await call.slowly(call.service.enrolling.picture, call.path["deck"], call.path["card"])
    return Response(picture, media_type="image/jpeg")


async def check(call: Call) -> e.SelfCheck:
    """The deck is done for now: compare it with itself, and use it from here on."""
    found = await call.slowly(call.service.enrolling.check, call.path["deck"], call.say)
    call.service.gallery.renew()
    if call.service.camera is not None:
        call.service.camera.renew()
    return found


async def lay_under_camera(call: Call) -> r.Done:
    """Lay a card under the simulated camera."""
    said: e.LayCard = call.body
    await call.slowly(call.service.enrolling.lay, call.path["deck"], said.card, said.how)
    return r.Done()


ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint("GET", "/simulation", "The simulated table", simulation, Simulation, statuses=(404, 409)),
    Endpoint("POST", "/simulation", "Move cards on the simulated table", lay, LaidOut, SimulatedScene,
             statuses=(404, 409)),
    Endpoint("POST", "/simulation/tidy", "Lay the table as the box believes it", tidy, LaidOut, statuses=(404, 409)),
    Endpoint("GET", "/simulation/faces/{number:int}", "A card's picture", card_face, kind="image/jpeg",
             statuses=(404, 409)),
    Endpoint("GET", "/picture", "What the camera saw last", photo, kind="image/jpeg", statuses=(404, 409)),
    Endpoint("GET", "/picture/flat", "What the camera saw last, laid flat", flat_photo, kind="image/jpeg",
             statuses=(404, 409)),
    Endpoint("GET", "/seen", "The table as recognised", seen, e.SeenTable, statuses=(404, 409)),
    Endpoint("POST", "/seen", "Correct a recognised card", correct_seen, r.Done, e.CardCorrection, statuses=(404, 409)),
    Endpoint("GET", "/seen/cards", "What a card on this table can be", seen_cards, tuple[e.CardName, ...],
             statuses=(409,)),
    Endpoint("POST", "/photo", "A photo of the table", table_photo, e.PhotoRead, takes=PHOTO, statuses=(409,)),
    Endpoint("POST", "/decks/{deck}/photo", "A photo of cards to enrol", deck_photo, tuple[e.FoundCard, ...],
             takes=PHOTO),
    Endpoint("GET", "/calibration", "The camera's view, judged", calibration, e.Calibrated, statuses=(404, 409)),
    Endpoint("POST", "/calibration", "Look for the markers anew", recalibrate, r.Done, statuses=(404, 409)),
    Endpoint("GET", "/decks", "The decks that can be enrolled", decks, tuple[e.DeckProgress, ...]),
    Endpoint("GET", "/decks/{deck}", "A deck, card by card", deck, e.Enrolled),
    Endpoint("GET", "/decks/{deck}/look", "The card under the camera now", look, e.EnrolLook),
    Endpoint("POST", "/decks/{deck}/check", "Compare a deck with itself and use it", check, e.SelfCheck,
             statuses=(409,)),
    Endpoint("POST", "/decks/{deck}/lay", "Lay a card under the simulated camera", lay_under_camera, r.Done, e.LayCard),
    Endpoint("GET", "/decks/{deck}/cards/{card}", "A kept picture", kept, kind="image/jpeg"),
    Endpoint("POST", "/decks/{deck}/cards/{card}", "Keep a card's picture", keep, r.Done, e.KeepLook, statuses=(409,)),
)  # fmt: skip
