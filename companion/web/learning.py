"""The page's API for who learns a game: what a card does, and whether the group knows the game."""

from __future__ import annotations

from companion.web import records as r
from companion.web.call import Call
from companion.web.desk import Refused
from companion.web.eyes.recognised import NO_CARD, sides
from companion.web.lessons import AboutCard, Knowing, card_for
from companion.web.routes import Endpoint


async def card(call: Call) -> AboutCard:
    """What a card does, and would do now; of its own hand only a seat hears that."""
    running, name = call.service.desk.playing(), call.path["card"]
    if all(name != one for one, _ in sides(running.host.game.name, running.public_state.options)):
        raise Refused(404, "no_card", NO_CARD)
    return card_for(running, call.service.seat_of(call.phone.id), name, call.say)


async def know(call: Call) -> r.Done:
    """The group knows this game, or wants to be told everything again."""
    await call.change(lambda: call.service.desk.know(call.body.is_known))
    return r.Done()


ENDPOINTS = (
    Endpoint("GET", "/cards/{card}", "What a card does", card, AboutCard, statuses=(404, 409)),
    Endpoint("POST", "/lessons", "Whether the group knows this game", know, r.Done, Knowing, statuses=(409,)),
)
