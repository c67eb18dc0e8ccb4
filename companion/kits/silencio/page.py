"""Silencio: four rows climbing from their shrines, the Oracle, hands and open cards, what binds the next card."""

from __future__ import annotations

from companion.games.cards import HIDDEN
from companion.games.game import Over
from companion.games.silencio.records import COLOURS, RANK_OF, ROW_OF, State
from companion.text import N_
from companion.web.pictures.model import Face, Pencil, Picture, Shape, Tone, Zone

SHAPES: tuple[Shape, ...] = ("triangle", "drop", "star", "square")
TONES: tuple[Tone, ...] = COLOURS
LOCK = {"green": "must_be_green"}


def face(pencil: Pencil, card: str, is_dark: bool = False) -> Face:
    """A card with rank, colour and shape; a dark one lies upside down."""
    if card == HIDDEN or card not in RANK_OF:
        return pencil.face(card)
    row = ROW_OF[card]
    return pencil.face(card, sign=str(RANK_OF[card]), tone=TONES[row], shape=SHAPES[row], is_turned=is_dark)


def picture(pencil: Pencil, state: State) -> Picture:
    """The table."""
    zones = [
        Zone(
            f"row-{colour}",
            pencil.term(colour),
            tuple(face(pencil, card, card in state.dark) for card in state.rows[row]),
            tone=TONES[row],
            shape=SHAPES[row],
            is_lit=colour in state.lit,
        )
        for row, colour in enumerate(COLOURS)
    ]
    oracle = tuple(face(pencil, card) for card in state.oracle)
    large = pencil.text(N_("large shrine"))
    zones.append(Zone("oracle", pencil.text(N_("Oracle")), oracle, "row", is_lit="large" in state.lit, note=large))
    step = pencil.game.pending(state)
    turn = None if isinstance(step, Over) else step.seat
    for seat, hand in enumerate(state.hands):
        label = pencil.text(N_("player {seat}"), seat=seat + 1)
        faces = tuple(face(pencil, card) for card in hand)
        zones.append(Zone(f"hand-{seat}", label, faces, "fan", seat, is_active=seat == turn))
        if state.open[seat]:
            shown = tuple(face(pencil, card) for card in state.open[seat])
            zones.append(
                Zone(f"open-{seat}", pencil.text(N_("open, player {seat}"), seat=seat + 1), shown, "row", seat)
            )
    zones.append(Zone("deck", pencil.text(N_("deck")), (), "pile", count=state.deck))
    notes = [pencil.text(N_("Next card: {marker}."), marker=pencil.term(LOCK.get(one, one))) for one in state.markers]
    if state.options.tavern:
        notes.append(pencil.text(N_("The tavern is open.") if state.tavern_open else N_("The tavern is closed.")))
    return Picture(tuple(zones), (), tuple(notes))
