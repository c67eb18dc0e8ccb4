"""The table as recognised: which cards the eye sees where, and what people say they really are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.game import Game
from companion.kits import KITS
from companion.session.situation import Recognition
from companion.table.decks import DECKS
from companion.table.eye import deck_names
from companion.table.sight import Seen
from companion.text import N_, Text
from companion.web.desk import NO_GAME, STALE, Refused
from companion.web.eyes.records import CardCorrection, CardName, SeenCard, SeenTable
from companion.web.owner import SessionChange, Showing
from companion.web.pictures import drawn_card
from companion.web.pictures.model import DrawnCard, Say
from companion.web.things import named_zones

NO_CARD = Text(N_("That card isn't in the deck of this game."))


class Recognised:
    """The box's sight for the page, as it is in `showing`."""

    def __init__(self, showing: Showing):
        self.showing = showing
        self.glimpse = 0
        self._last = Recognition()

    def refresh(self) -> bool:
        """Take in the table on show; whether it's another one than the last time."""
        now = self.showing.recognised
        if now == self._last:
            return False
        self._last = now
        self.glimpse += 1
        return True

    def table(self, say: Say) -> SeenTable:
        """Everything the eye sees. Raises `Refused` where no game runs."""
        rules, options = self._playing()
        layout = KITS[rules.name].layout
        width, height = card_size(rules.name, options)
        seen = self.showing.recognised
        return SeenTable(
            self.glimpse,
            layout.width,
            layout.height,
            width,
            height,
            named_zones(rules.name, say),
            tuple(seen_card(rules, at, card, seen.read[at] != card, say) for at, card in enumerate(seen.named)),
            seen.is_unsettled,
        )

    def every_card(self, say: Say) -> tuple[CardName, ...]:
        """All cards that could lie here, always the same: a shorter list would tell what is in somebody's hand."""
        rules, options = self._playing()
        return tuple(
            CardName(card, side, title(rules, card, side, say), as_drawn_card(rules, card, side, say))
            for card, side in sides(rules.name, options)
        )

    def correct(self, said: CardCorrection) -> SessionChange[None]:
        """A person beats the camera. Raises `Refused`."""
        rules, options = self._playing()
        if said.glimpse != self.glimpse:
            raise Refused(409, "stale_state", STALE)
        lying = self.showing.recognised.read
        if said.at >= len(lying):
            raise Refused(404, "no_such_card", Text(N_("There is no such card.")))
        if said.card and (said.card, said.face) not in sides(rules.name, options):
            raise Refused(422, "no_such_card", NO_CARD)
        really = (said.card, said.face) if said.card else (lying[said.at].card, lying[said.at].face)
        return lambda session: session.amend(said.at, *really)

    def _playing(self) -> tuple[Game[Any], Any]:
        running = self.showing.shown.running
        if running is None:
            raise Refused(409, "no_game", NO_GAME)
        return running.host.game, running.public_state.options


def seen_card(rules: Game[Any], at: int, seen: Seen, is_corrected: bool, say: Say) -> SeenCard:
    """One card of the sight."""
    name = title(rules, seen.card, seen.face, say) if seen.card else say(Text(N_("a card without a name")))
    return SeenCard(
        at,
        seen.card,
        seen.face,
        name,
        round(seen.x, 1),
        round(seen.y, 1),
        round(seen.angle % 360, 1),
        round(seen.confidence, 2),
        is_corrected,
        as_drawn_card(rules, seen.card, seen.face, say) if seen.card else DrawnCard("", "?"),
        seen.maybe,
        seen.zone,
    )


def title(rules: Game[Any], card: str, side: str, say: Say) -> str:
    """What a card is called, with its side where it has two."""
    name = say(card_name(rules, card))
    return f"{name}, {say(rules.term(side))}" if side else name


def card_name(rules: Game[Any], card: str) -> Text:
    """A card of the rules, or a thing of the table that is printed like one."""
    return KITS[rules.name].thing(card) or rules.card(card)


def as_drawn_card(rules: Game[Any], card: str, side: str, say: Say) -> DrawnCard:
    """How the page draws a card: what the rules don't know has its name alone."""
    is_thing = KITS[rules.name].thing(card) is not None
    return DrawnCard(card, title(rules, card, side, say)) if is_thing else drawn_card(rules, card, say)


def card_size(game: str, options: Any) -> tuple[float, float]:
    """The size of a game's cards in millimetres."""
    usual = KITS[game].decks[0]
    return next((DECKS[name].size for name in deck_names(game, options) if name in DECKS), usual.size)


def sides(game: str, options: Any) -> list[tuple[str, str]]:
    """Every side of every card of a game's decks, in the order in which the panel lists them."""
    return sorted(dict.fromkeys(_sides(game, options)), key=lambda side: KITS[game].host.rank(side[0]))


def _sides(game: str, options: Any) -> Iterator[tuple[str, str]]:
    for name in deck_names(game, options):
        if name in DECKS:
            yield from ((art.card, art.face) for art in DECKS[name].cards())
        else:
            yield from ((card, "") for card in KITS[game].own_cards(options))
