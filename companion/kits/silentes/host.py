"""Silentes at the table: the bar is the noise meter, hunts sweep over it, the voice says what comes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from msgspec import structs

from companion.games.cards import HIDDEN, Card
from companion.games.game import Deal, Decide, Event, Move, Reveal, Show
from companion.games.silentes import SILENTES
from companion.games.silentes import moves as m
from companion.games.silentes.records import IS_RANKLESS, OMENS, RANK_OF, SUIT_OF, State
from companion.games.silentes.rounds import asks_both
from companion.games.silentes.words import ITEMS, RANKS, SUIT_NAMES, TERMS
from companion.kits.silentes.tabletop import WINDOWS, SilentesTable
from companion.table.chooser import HIDDEN_LAMPS, Node, Pick
from companion.table.doubt import Doubt, FaceName
from companion.table.host import LEAVING_LIGHT, Cue, Host, Window
from companion.text import N_, Text, raw
from hardware import lights
from hardware.lights import compose
from hardware.panel import SKY, Beat, Glow, Layer, PanelFrame

# Each tarot suit has a lamp of the panel: fire, water, air, earth.
LAMPS = {"wands": "red", "cups": "blue", "swords": "yellow", "pentacles": "green"}
SEATS = {0: (Glow.PULSE, Glow.OFF), 1: (Glow.OFF, Glow.PULSE), None: (Glow.PULSE, Glow.PULSE)}
"""The first player is the sun, the second the moon."""
WINDOW_SECONDS = 8.0
GHOST_SECONDS = 4.0
COURT = range(11, 15)
PLAYS = N_("player {seat} plays one")

VERBS: dict[type[Move], str] = {
    Deal: N_("a new card"),
    Show: N_("turned up"),
    m.Ghost: N_("it hunted before, put aside"),
    m.Held: N_("one of us holds it"),
    m.Fresh: N_("nobody holds it"),
    m.Coin: N_("the coin shows"),
    m.First: N_("acts first"),
    m.Place: N_("token on shelter"),
    m.Go: N_("move to shelter"),
    m.Hide: N_("hide with"),
    m.Entrench: N_("entrench"),
    m.Search: N_("search"),
    m.Distract: N_("distract a hunt of"),
    m.Discard: N_("discard"),
    m.Pass: N_("pass"),
    m.Use: N_("play a provision"),
    m.No: N_("no"),
    m.Nobody: N_("no"),
    m.Accept: N_("yes"),
    m.Lay: N_("lay on shelter"),
    m.Take: N_("take back"),
    m.Put: N_("next comes"),
    m.Give: N_("give"),
    m.Share: N_("for"),
    m.Blame: N_("blame"),
    m.Ruin: N_("shelter falls"),
    m.Divert: N_("divert to"),
}
CUES: dict[type[Event], Cue] = {
    m.HuntDrawn: Cue(sound="hunt", is_spoken=True),
    m.HuntShown: Cue(sound="hunt", is_spoken=True),
    m.HuntAnnulled: Cue(is_spoken=True),
    m.OmenShown: Cue("noise", sound="omen", is_spoken=True),
    m.Escaped: Cue("accepted", sound="accepted", is_spoken=True),
    m.Heard: Cue(is_spoken=True),
    m.NoiseRose: Cue("noise", sound="noise", is_spoken=True),
    m.NoiseFell: Cue("accepted", is_spoken=True),
    m.Hidden: Cue("accepted", sound="accepted"),
    m.Used: Cue("accepted", sound="accepted", is_spoken=True),
    m.Ended: Cue(is_spoken=True),
}
PLACES: dict[type[Move], int] = {
    m.Go: 1, m.Take: 1, m.Give: 1, Deal: 1, Show: 1,
    m.Search: 3, m.Ghost: 3,
    m.Distract: 5,
    m.Entrench: 7,
    m.Use: 9,
    m.No: LEAVING_LIGHT, m.Nobody: LEAVING_LIGHT, m.Pass: LEAVING_LIGHT,
}  # fmt: skip


class SilentesHost(Host[State]):
    """The host of Silentes."""

    game = SILENTES
    table = SilentesTable()
    # Real cards in the hands and on the table, and hunts that need no camera; phones must be asked for.
    box_defaults: ClassVar[dict[str, Any]] = {"drawing": "virtual"}
    verbs = VERBS
    cues = CUES
    # An omen says what it does, and the question which card the box drew.
    echoes: ClassVar = {m.EffectBegan: m.OmenShown, m.HuntDrawn: m.HuntDrawn}
    places = PLACES
    answer_lamps: ClassVar = {m.Accept: "sun", m.No: "moon", m.Fresh: "sun", m.Held: "moon", m.Give: "sun"}
    direct = (m.Use, m.Take, m.Discard)
    signs: ClassVar = {
        "action": "turn", "hide": "lay", "map": "progress", "remap": "progress", "coin": "yes-no",
        **dict.fromkeys(WINDOWS, "anyone"),
    }  # fmt: skip
    has_meter = True
    numbers: ClassVar = {N_("Omens by their number; the Fool is 22."): (*OMENS[1:], OMENS[0])}

    def frame(self, state: State) -> PanelFrame:
        """The noise meter, and whose word it is; a card that was drawn takes turns with it."""
        step = self.game.pending(state)
        seat = SEATS[step.seat] if isinstance(step, Decide) else (Glow.OFF, Glow.OFF)
        seat = SEATS[None] if asks_both(state) else seat
        card = state.drawn[0] if state.phase == "held" else state.hunt[0] if is_hunted(state) else ""
        if card not in SUIT_OF:
            return compose(lights.noise(state.noise), Layer(sky=seat))
        lamp = LAMPS[SUIT_OF[card]]
        meter = compose(lights.noise(state.noise), Layer(suits=lights.suits_lit([lamp], Glow.PULSE).suits, sky=seat))
        return lights.alternating(meter, lights.still(structs.replace(lights.drawn(lamp, RANK_OF[card]), sky=seat)))

    def beats(self, state: State, sign: str, nodes: Sequence[Node]) -> tuple[Beat, ...]:
        """So many shelters lie there, so many are to come."""
        if sign == "progress":
            return lights.still(lights.progress(8 - self.table.awaited(state), 8))
        return super().beats(state, sign, nodes)

    def options(self, state: State, moves: Sequence[Move] | None = None) -> tuple[Node, ...]:
        """What can be answered; where a provision is one way of several, or one player's of two, its verb is."""
        if state.phase != "action" and not asks_both(state):
            return super().options(state, moves)
        return self.options_by_verb(state, self.answerable(state) if moves is None else moves)

    def verb(self, state: State, move: Move) -> Text:
        """What is done; where both are asked, who does it."""
        seat = player_of(state, move)
        return super().verb(state, move) if seat is None else Text(PLAYS, {"seat": seat + 1})

    def path(self, state: State, move: Move) -> Iterable[Pick]:
        """The steps to a move; where both are asked, whose provision it is comes first, on that player's light."""
        seat = player_of(state, move)
        if seat is None:
            return super().path(state, move)
        player = Pick(f"of-{seat}", self.verb(state, move), (SKY[seat],), 0, "suit")
        return [player, *(self.card_steps(move.card) if isinstance(move, m.Use) else ())]

    def draws(self, state: State) -> bool:
        """The box deals everything for phones; where it draws virtually, hunts, coins, and omens nobody has ordered."""
        if state.options.drawing == "phone":
            return True
        is_drawn = state.phase in ("hunt", "coin") or (state.phase == "omen" and not state.omen_top)
        return state.options.drawing == "virtual" and is_drawn

    def forced_move(self, state: State) -> Move | None:
        """A card that can be only one is dealt without a word, also where it's known to the box alone."""
        legal = self.game.legal(state)
        if len(legal) == 1 and isinstance(legal[0], Deal):
            return legal[0]
        return super().forced_move(state)

    def window(self, state: State) -> Window | None:
        """A short “anyone?”; a refill nobody corrects is no ghost. Who holds a drawn card, only people can say."""
        if state.phase in WINDOWS:
            return Window(WINDOW_SECONDS, m.Nobody() if asks_both(state) else m.No(), waits_for_learners=True)
        if Deal(HIDDEN) in self.game.legal(state):
            return Window(GHOST_SECONDS, Deal(HIDDEN))
        return None

    def card_steps(self, card: Card) -> Sequence[Pick]:
        """Suit first, on its own light, then the rank; an omen by its number."""
        if card == HIDDEN:
            return [Pick(card, self.game.term(HIDDEN), HIDDEN_LAMPS, 0, "suit")]
        if card in IS_RANKLESS:
            return [self._suit(SUIT_OF[card])]
        if card not in RANK_OF:
            return super().card_steps(card)
        return [self._suit(SUIT_OF[card]), Pick(card, rank(card), (LAMPS[SUIT_OF[card]],), RANK_OF[card] - 1)]

    def _suit(self, suit: str) -> Pick:
        return Pick(suit, Text(SUIT_NAMES[suit]), (LAMPS[suit],), 0, "suit")

    def steps(self, state: State, name: str, value: Any) -> Iterable[Pick]:
        """A shelter by its number on the map, with its suit's light; heads are the sun, tails the moon."""
        if name == "card" and value == HIDDEN and isinstance(self.game.pending(state), Reveal):
            return []  # a new card that nobody names
        if name == "cell":
            suit = SUIT_OF.get(state.map[value])
            return [Pick(str(value), raw(value + 1), () if suit is None else (LAMPS[suit],), value)]
        if name == "suit":
            return [self._suit(value)]
        if name == "side":
            return [Pick(value, self.game.term(value), ("sun" if value == "heads" else "moon",), 0, "sky")]
        return super().steps(state, name, value)

    def shown(self, state: State, move: Move) -> Layer:
        """A recognised card: its suit's light."""
        card = getattr(move, "card", "")
        return lights.card(LAMPS[SUIT_OF[card]]) if card in SUIT_OF else Layer()

    def place(self, doubt: Doubt, name: FaceName) -> int:
        """The light of its rank; an omen or a provision has its place in the list."""
        return RANK_OF[name.card] - 1 if name.card in RANK_OF else super().place(doubt, name)


def player_of(state: State, move: Move) -> int | None:
    """Who plays a provision where both are asked: by declining, the first player leaves it to the other."""
    if not asks_both(state) or not isinstance(move, m.Use | m.No):
        return None
    return state.asked if isinstance(move, m.Use) else 1 - state.asked


def rank(card: Card) -> Text:
    """A rank as it's picked: a number, with the court's name or with what a provision is."""
    value = RANK_OF[card]
    name = ITEMS.get(card, TERMS[RANKS[value]] if value in COURT else "")
    return Text("{value} {name}", {"value": value, "name": Text(name)}) if name else raw(value)


def is_hunted(state: State) -> bool:
    """Whether a hunt is on."""
    return bool(state.hunt) and state.phase not in ("action", "partner", "refill")
