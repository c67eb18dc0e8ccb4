"""Silencio: four rows climbing from their shrines, the Oracle, hands and open cards, what binds the next card."""

from __future__ import annotations

from companion.games.cards import HIDDEN
from companion.games.game import Move
from companion.games.silencio import SILENCIO
from companion.games.silencio.records import COLOURS, LIGHT, RANK_OF, ROW_OF, Options, State, TakeShrine
from companion.games.silencio.words import DARK_OF, marker_term
from companion.text import N_, Text
from companion.web.pictures.model import (
    DrawingTools,
    DrawnCard,
    OnPage,
    PictureZone,
    Shape,
    TablePicture,
    Tone,
    named_targets,
)

SHAPES: tuple[Shape, ...] = ("triangle", "drop", "star", "square")
TONES: tuple[Tone, ...] = COLOURS
SHRINE = "shrine-"


def drawn_card(tools: DrawingTools, card: str, is_dark: bool = False) -> DrawnCard:
    """A card with rank, colour and shape; a dark one lies upside down."""
    if card == HIDDEN or card not in RANK_OF:
        return tools.card(card)
    row = ROW_OF[card]
    return tools.card(card, sign=str(RANK_OF[card]), tone=TONES[row], shape=SHAPES[row], is_turned=is_dark)


def picture(tools: DrawingTools, state: State) -> TablePicture:
    """The table."""
    zones = [
        PictureZone(
            f"row-{colour}",
            tools.term(colour),
            tuple(drawn_card(tools, card, card in state.dark) for card in state.rows[row]),
            tone=TONES[row],
            shape=SHAPES[row],
            is_lit=colour in state.lit,
        )
        for row, colour in enumerate(COLOURS)
    ]
    oracle = tuple(drawn_card(tools, card) for card in state.oracle)
    large = tools.text(N_("large shrine"))
    zones.append(
        PictureZone("oracle", tools.text(N_("Oracle")), oracle, "row", is_lit="large" in state.lit, note=large)
    )
    for seat, hand in enumerate(state.hands):
        label = tools.text(N_("player {seat}"), seat=seat + 1)
        cards = tuple(drawn_card(tools, card) for card in hand)
        zones.append(PictureZone(f"hand-{seat}", label, cards, "fan", seat))
        if state.open[seat]:
            shown = tuple(drawn_card(tools, card) for card in state.open[seat])
            zones.append(
                PictureZone(f"open-{seat}", tools.text(N_("open, player {seat}"), seat=seat + 1), shown, "row", seat)
            )
    zones.append(PictureZone("deck", tools.text(N_("deck")), (), "pile", count=state.deck))
    notes = [tools.text(N_("Waiting: {marker}."), marker=tools.term(marker_term(one))) for one in state.markers]
    if state.options.tavern:
        notes.append(tools.text(N_("The tavern is open.") if state.tavern_open else N_("The tavern is closed.")))
    return TablePicture(tuple(zones), (), tuple(notes))


def targets(state: State, move: Move) -> tuple[str, ...]:
    """A shrine is a card too; a card that is given lies in the Oracle."""
    return (f"{SHRINE}{move.which}",) if isinstance(move, TakeShrine) else named_targets(state, move)


def does(options: Options, card: str) -> Text | None:
    """The two effects of a card's colour, or what a shrine and the tavern are for."""
    if card == "tavern":
        return Text(N_("While it's open, the player whose turn it is may close it and say one of its three sentences."))
    if card in ("large", f"{SHRINE}large"):
        return Text(N_("The large shrine gives one of the four light effects, once."))
    row = COLOURS.index(card.removeprefix(SHRINE)) if card.removeprefix(SHRINE) in COLOURS else ROW_OF.get(card)
    if row is None:
        return None
    light = LIGHT[options.effect_by_colour][row]
    if card.startswith(SHRINE):
        return Text(N_("A lit shrine gives its light effect once: {light}."), {"light": SILENCIO.term(light)})
    dark = DARK_OF[light]
    return Text(
        N_("Light side up: {light}. Dark side up, if it's the very next number: {dark}."),
        {"light": SILENCIO.term(light), "dark": SILENCIO.term(marker_term(dark))},
    )


ON_PAGE = OnPage(targets=targets, does=does)
