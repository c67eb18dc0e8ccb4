"""Cisza at the table: seats, the city's alertness and the rest of its deck in light; cards and zombies by the eye."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from companion.games.cards import HIDDEN, Card
from companion.games.cisza import CISZA
from companion.games.cisza import records as r
from companion.games.cisza.records import CITY_SIZE, RESOURCES, ZOMBIES, State
from companion.games.game import Deal, Event, Move, Over, Show
from companion.kits.cisza.tabletop import CiszaTable
from companion.table.chooser import Pick
from companion.table.host import LEAVING_LIGHT, Cue, Host
from companion.text import N_, Text
from hardware import lights
from hardware.lights import compose
from hardware.panel import BAR, BarKind, Glow, Layer, PanelFrame

VERBS: dict[type[Move], str] = {
    Deal: N_("deal"),
    Show: N_("the city shows"),
    r.Shuffle: N_("the discards are shuffled"),
    r.Start: N_("begins"),
    r.Keep: N_("keep the hand"),
    r.Mulligan: N_("draw three others"),
    r.Discard: N_("discard"),
    r.Play: N_("play"),
    r.NoiseOnly: N_("only make noise with"),
    r.Done: N_("done"),
    r.Target: N_("against"),
    r.Kill: N_("eliminate"),
    r.KillTop: N_("eliminate the one on the city"),
    r.Send: N_("send"),
    r.Assign: N_("give"),
    r.UseBarrier: N_("use the barrier"),
}
CUES: dict[type[Event], Cue] = {
    r.Played: Cue("accepted", sound="accepted"),
    r.Placed: Cue("accepted", sound="accepted"),
    r.Noise: Cue("noise", sound="noise", is_spoken=True),
    r.Entered: Cue(is_spoken=True),
    r.HordeCame: Cue("noise", sound="omen", is_spoken=True),
    r.Attacked: Cue(sound="hunt", is_spoken=True),
    r.AttackSkipped: Cue(is_spoken=True),
    r.Eliminated: Cue("loss", sound="loss", is_spoken=True),
    r.FinalAttack: Cue("noise", sound="omen", is_spoken=True),
    r.Ended: Cue("win", sound="win", is_spoken=True),
}
PLACES: dict[type[Move], int] = {
    r.Play: 1, r.Kill: 1,
    r.Discard: 3, r.KillTop: 3,
    r.NoiseOnly: 5,
    r.UseBarrier: 7,
    r.Done: LEAVING_LIGHT,
}  # fmt: skip

UNNAMED = N_("a card of your hand")


class CiszaHost(Host[State]):
    """The host of Cisza."""

    game = CISZA
    table = CiszaTable()
    verbs = VERBS
    cues = CUES
    places = PLACES
    answer_lamps: ClassVar = {r.Keep: "sun", r.Mulligan: "moon"}
    signs: ClassVar = {"turn": "turn"}
    has_meter = True
    numbers: ClassVar[dict[str, tuple[Card, ...]]] = {
        N_("Cards by number; a hidden one comes last."): RESOURCES,
        N_("Zombies by number."): ZOMBIES,
    }

    def frame(self, state: State) -> PanelFrame:
        """Seats on the left, then how much of the city is left; sun for a calm city, moon for an alert one."""
        step = self.game.pending(state)
        seat = None if isinstance(step, Over) or step.seat is None else step.seat
        players = state.options.players
        bar = list(lights.seats(players, seat).bar)
        for out in state.out:
            bar[out] = Glow.OFF
        room = BAR - players - 1
        left = -(-room * state.city // CITY_SIZE)
        for place in range(left):
            bar[BAR - 1 - place] = Glow.ON if not state.final else Glow.FAST
        alert = state.top != "none"
        sky = (Glow.OFF, Glow.SLOW) if alert else (Glow.DIM, Glow.OFF)
        return compose(Layer(bar=tuple(bar), sky=sky, bar_kind=BarKind.PLACES))

    def steps(self, state: State, name: str, value: Any) -> Iterable[Pick]:
        """A card that goes to the discards from a hand needs no name."""
        if name == "card" and value == HIDDEN and state.phase == "turn":
            return [self.numbered(value, Text(UNNAMED))]
        return super().steps(state, name, value)

    def answerable(self, state: State) -> list[Move]:
        """A card that goes to the discards from a hand needs no name."""
        found = super().answerable(state)
        if r.Discard(HIDDEN) not in found:
            return found
        return [move for move in found if not isinstance(move, r.Discard) or move.card == HIDDEN]
