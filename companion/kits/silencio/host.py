"""Silencio at the table: seats and markers in light, no sound at all, rows read by the eye."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from companion.games.cards import HIDDEN, Card
from companion.games.game import Deal, Event, IllegalMove, Move, Over, Show
from companion.games.silencio import SILENCIO
from companion.games.silencio import records as r
from companion.games.silencio.records import COLOURS, NEAR_MISS, RANK_OF, ROW_OF, State
from companion.games.silencio.sight import tops
from companion.table.chooser import HIDDEN_LAMPS, Pick
from companion.table.host import Cue, Host
from companion.table.sight import NOTHING, Doubt, Name, Proposal, Seen, Sight, refused
from companion.text import N_, Text, raw
from hardware import lights
from hardware.lights import PATTERNS, compose
from hardware.panel import BAR, Layer, PanelFrame

MARKERS = {"skip_dark": "skip-dark", "skip_light": "skip-light", "random": "random-card", "green": "green-next"}
ROWS: tuple[str, ...] = COLOURS

VERBS: dict[type[Move], str] = {
    Deal: N_("deal"),
    Show: N_("the Oracle shows"),
    r.Start: N_("the start card goes to"),
    r.NoStart: N_("nobody could agree"),
    r.PassOn: N_("pass a card to the left"),
    r.Play: N_("play"),
    r.Pass: N_("pass"),
    r.Draw: N_("draw blind"),
    r.Drawn: N_("drawn"),
    r.TakeShrine: N_("take a shrine"),
    r.Tavern: N_("speak in the tavern"),
    r.Use: N_("use the effect"),
    r.Skip: N_("leave the effect"),
    r.Take: N_("take back"),
    r.Open: N_("lay open"),
    r.Choose: N_("choose a player"),
    r.Swap: N_("swap with a player"),
    r.TakeOracle: N_("swap with the Oracle"),
    r.Renew: N_("change the Oracle"),
    r.Return: N_("give in return"),
    r.Give: N_("give"),
    r.Done: N_("end the turn"),
    r.Spoken: N_("somebody spoke"),
}
CUES: dict[type[Event], Cue] = {
    r.Played: Cue("accepted"),
    r.Passed: Cue("accepted"),
    r.ShrineTaken: Cue("accepted"),
    r.Given: Cue("accepted"),
    r.Violation: Cue("refused"),
}
REFUSALS: dict[str, str] = {
    "not_climbing": "refused-climb",
    "wrong_row": "refused-row",
    "wrong_side": "refused-side",
    "must_be_green": "refused-green",
}
PLACES: dict[type[Move], int] = {
    r.Swap: 1, r.Choose: 1,
    r.TakeOracle: 3, r.Draw: 3,
    r.Renew: 5,
    r.TakeShrine: 7,
    r.Tavern: 9,
    r.Done: 13, r.Pass: 13, r.Skip: 13,
}  # fmt: skip
"""The last place leaves or ends something: ◀ ✔ in every question."""


class SilencioHost(Host[State]):
    """The host of Silencio. Everything is said in light: the box has no voice in this game (G-09)."""

    game = SILENCIO
    verbs = VERBS
    cues = CUES
    refusals = REFUSALS
    places = PLACES
    answers: ClassVar = {r.Use: "sun", r.Skip: "moon"}
    direct = (r.Play, r.Open, r.Take)
    asides = (r.NoStart,)
    words: ClassVar = {
        "which": ("large",),
        "effect": ("skip_dark", "take_back", "open_card", "swap"),
        "says": ("cannot_play", "only_high", "please_not"),
    }
    signs: ClassVar = {"turn": "turn"}

    def frame(self, state: State) -> PanelFrame:
        """The seats with whose turn it is, and the markers that bind the next card."""
        step = self.game.pending(state)
        seat = None if isinstance(step, Over) else step.seat
        marks = (PATTERNS[MARKERS[marker]].layer for marker in state.markers)
        return compose(lights.seats(state.options.players, seat), *marks)

    def is_silent(self, state: State) -> bool:
        """Always, while the game runs."""
        return state.phase != "over"

    def steps(self, state: State, name: str, value: Any) -> Iterable[Pick]:
        """A colour has its own light; what the tavern is told of may be a number."""
        if value in COLOURS:
            return [Pick(value, self.game.term(value), (value,), 0, "suit")]
        if name == "about":
            return [Pick(value, raw(value), (), max(0, int(value) - 1) if value != "0" else BAR - 1)]
        return super().steps(state, name, value)

    def card_steps(self, card: Card) -> Sequence[Pick]:
        """Colour first, on its own light, then the rank."""
        if card == HIDDEN:
            return [Pick(card, self.game.term(HIDDEN), HIDDEN_LAMPS, 0, "suit")]
        colour = COLOURS[ROW_OF[card]]
        return [
            Pick(colour, self.game.term(colour), (colour,), 0, "suit"),
            Pick(card, raw(RANK_OF[card]), (colour,), RANK_OF[card] - 1),
        ]

    def shown(self, state: State, move: Move) -> Layer:
        """A card in a row: its suit, and the side it has by the rules."""
        card = getattr(move, "card", None)
        if card not in RANK_OF:
            return Layer()
        if not isinstance(move, r.Play | r.Drawn):
            return lights.card(COLOURS[ROW_OF[card]])
        is_light = RANK_OF[card] != tops(state)[ROW_OF[card]] + 1
        return lights.card(COLOURS[ROW_OF[card]], is_light)

    def ending(self, state: State, over: Over) -> PanelFrame:
        """The score band (SIL-41)."""
        if over.reason in ("no_start", "spoken"):
            return super().ending(state, over)
        (left,) = over.score
        band = 3 if left == 0 else 2 if left <= NEAR_MISS[state.options.players] else 1
        return compose(PATTERNS["won" if over.winners else "lost"].layer, lights.score(band, 3))

    def propose(self, state: State, sight: Sight) -> Proposal:
        """What changed on the table, against what the rules wait for."""
        match state.phase:
            case "turn" | "draw" | "end":
                return self._turn(state, sight)
            case "oracle":
                return self._among(state, [Show(card) for card in new(sight.zone("oracle"), state.oracle)])
            case "light":
                return self._light(state, sight)
            case "give" | "swap":
                gone = [card for card in state.oracle if card not in sight.lying("oracle")]
                moves = [move for move in self.game.legal(state) if getattr(move, "card", "") in gone]
                return Proposal(tuple(moves)) if len(gone) == 1 else NOTHING
            case "replace":
                return self._among(state, [r.Return(card) for card in new(sight.zone("oracle"), state.oracle)])
            case _:
                return NOTHING

    def readings(self, state: State, sight: Sight, stranger: Seen) -> Sequence[Name]:
        """A card of the row it lies in, or any that may come to the Oracle or be laid open."""
        lying: Sequence[Card]
        match state.phase:
            case "turn" | "draw" if stranger.zone in ROWS:
                row = ROWS.index(stranger.zone)
                kinds: tuple[type[Move], ...] = (r.Drawn,) if state.phase == "draw" else (r.Play,)
                lying = (*state.rows[row], f"shrine-{stranger.zone}")
                fits = [card for card in self._cards(state, kinds) if ROW_OF[card] == row]
            case "oracle" | "replace" if stranger.zone == "oracle":
                lying, fits = state.oracle, self._cards(state, (Show, r.Return))
            case "light" if state.effect == "open_card" and stranger.zone == "open":
                lying, fits = [card for cards in state.open for card in cards], self._cards(state, (r.Open,))
            case _:
                return ()
        return () if stranger.was in lying else [Name(card) for card in fits]

    def _cards(self, state: State, kinds: tuple[type[Move], ...]) -> list[Card]:
        """The cards of the legal moves of some kinds, by colour and rank."""
        found = {getattr(move, "card", "") for move in self.game.legal(state) if isinstance(move, kinds)}
        return [card for card in RANK_OF if card in found]

    def place(self, doubt: Doubt, name: Name) -> int:
        """The light of its rank."""
        return RANK_OF[name.card] - 1

    def _turn(self, state: State, sight: Sight) -> Proposal:
        laid = [card for card in sight.zone(*ROWS) if is_new(state, card)]
        if len(laid) > 1:
            return refused("two_cards", Text(N_("More than one new card lies in the rows: leave one.")))
        if laid:
            return NOTHING if state.phase == "end" else self._laid(state, laid[0])
        turned = [seen.card.removeprefix("shrine-") for seen in sight.cards if seen.face == "unlit"]
        taken = [move for move in self.game.legal(state) if isinstance(move, r.TakeShrine) and move.which in turned]
        return Proposal(tuple(taken))

    def _laid(self, state: State, seen: Seen) -> Proposal:
        kind = r.Drawn if state.phase == "draw" else r.Play
        row = ROWS.index(seen.zone)
        if ROW_OF.get(seen.card) != row:
            return refused(
                "wrong_row",
                Text(
                    N_("{card} doesn't belong in the {colour} row."),
                    {"card": self.game.card(seen.card), "colour": self.game.term(COLOURS[row])},
                ),
            )
        try:
            self.game.apply(state, kind(seen.card))
        except IllegalMove as refusal:
            return refused(refusal.code, refusal.reason)
        is_dark = RANK_OF[seen.card] == tops(state)[row] + 1
        if seen.has_way and seen.is_upside_down != is_dark:  # SIL-18: the rules' side counts
            side = Text(N_("dark side up")) if is_dark else Text(N_("light side up"))
            return refused(
                "wrong_side",
                Text(N_("{card} lies the wrong way round: {side}."), {"card": self.game.card(seen.card), "side": side}),
            )
        return Proposal((kind(seen.card),))

    def _light(self, state: State, sight: Sight) -> Proposal:
        if state.effect == "take_back":
            seen = sight.lying(*ROWS)
            # A top card counts as taken only where the card below it, or the bare shrine, is in sight.
            gone = [row[-1] for row in state.rows if row and row[-1] not in seen and (len(row) == 1 or row[-2] in seen)]
            return self._among(state, [r.Take(card) for card in gone])
        if state.effect == "open_card":
            lying = [card for cards in state.open for card in cards]
            return self._among(state, [r.Open(card) for card in new(sight.zone("open"), lying)])
        return NOTHING

    def _among(self, state: State, moves: Sequence[Move]) -> Proposal:
        legal = self.game.legal(state)
        return Proposal(tuple(move for move in moves if move in legal))


def is_new(state: State, seen: Seen) -> bool:
    """Whether a card in a row isn't one that the rules know there; shrines belong to the rows."""
    return seen.card not in state.rows[ROWS.index(seen.zone)] and not seen.card.startswith("shrine-")


def names(cards: Sequence[Seen]) -> list[Card]:
    """The names of recognised cards."""
    return [seen.card for seen in cards if seen.card]


def new(cards: Sequence[Seen], known: Sequence[Card]) -> list[Card]:
    """Recognised cards that weren't there before."""
    return [card for card in names(cards) if card not in known]
