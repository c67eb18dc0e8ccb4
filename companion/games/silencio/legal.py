"""What is legal in each phase of Silencio, and for whom a card is out of reach."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.games.cards import HIDDEN
from companion.games.game import Deal, Move, Show, seats_after
from companion.games.silencio import records as r
from companion.games.silencio.effects import can_give, legal_effect, light_of
from companion.games.silencio.knowledge import borrowable, can_be_shown, can_play, candidates, playable
from companion.games.silencio.records import COLOURS, LIGHT, RANK_OF, State

# One move of each kind, made once: a legal list is then only a selection.
PLAY = {card: r.Play(card) for card in RANK_OF}
SHOW = {card: Show(card) for card in (*RANK_OF, HIDDEN)}
DEAL = {card: Deal(card) for card in RANK_OF}
PASS_ON = {card: r.PassOn(card) for card in (*RANK_OF, HIDDEN)}
DRAWN = {card: r.Drawn(card) for card in (*RANK_OF, HIDDEN)}
PASS, DRAW, DONE, NOBODY = r.Pass(), r.Draw(), r.Done(), r.NoStart()
SMALL = {colour: r.TakeShrine(colour) for colour in COLOURS}
LARGE = [r.TakeShrine("large", effect) for effect in LIGHT["red_A_yellow_C"]]
SENTENCES = [r.Tavern(says, colour) for says in ("only_high", "please_not") for colour in COLOURS]
COUNTS = [r.Tavern("cannot_play", str(count)) for count in range(49)]


def must_draw(state: State) -> bool:
    """Whether a random play binds this player before any free choice (SIL-26)."""
    return "random" in state.markers and not state.drawn and bool(state.hands[state.turn])


def legal_turn(state: State) -> list[Move]:
    """Plays, a blind draw, a pass, and the start window."""
    seat = state.turn
    hand = state.hands[seat]
    own = playable(state, candidates(state, hand))
    mine = playable(state, state.open[seat])
    others = borrowable(state)
    moves: list[Move] = []
    if must_draw(state):
        if own or mine or others:
            moves.append(DRAW)
    else:
        moves = [PLAY[card] for card in (*own, *mine, *others)]
    must = mine or (own if HIDDEN not in hand else playable(state, hand))
    if not must and state.shrine_used and state.options.shrine_must_lead_to_play == "strict":
        must = others  # SIL-31: a borrowed card is then owed as well
    if not must:
        moves.append(PASS)
    if state.lit and not state.shrine_used and not state.drawn:
        moves += legal_shrines(state)
    if state.tavern_open:
        moves += legal_tavern(state)
    return moves


def legal_shrines(state: State) -> list[Move]:
    """Lit shrines that may be taken now (SIL-30, SIL-31)."""
    if state.shrine_used or (state.phase == "turn" and state.drawn):
        return []
    moves: list[Move] = []
    for which in state.lit:
        moves += LARGE if which == "large" else (SMALL[which],)
    if state.phase == "end" or state.options.shrine_must_lead_to_play == "lenient":
        return moves
    if can_play(state):
        return moves
    return [move for move in moves if isinstance(move, r.TakeShrine) and can_lead_to_play(state, move)]


def can_lead_to_play(state: State, move: r.TakeShrine) -> bool:
    """Whether a player who can't play now could after this shrine, for all that the player may know (SIL-31)."""
    effect = move.effect if move.which == "large" else light_of(state, COLOURS.index(move.which))
    if effect == "take_back":  # the card taken can at once be played again
        rows = (r.GREEN,) if "green" in state.markers else (r.RED, r.YELLOW, r.GREEN)
        return any(state.rows[row] for row in rows)
    if effect == "swap":  # a card must be given for the one that comes; what lies open elsewhere couldn't be played
        others = seats_after(state.turn, state.options.players)
        comes = playable(state, state.oracle) or HIDDEN in state.oracle or any(state.hands[seat] for seat in others)
        return bool(comes) and can_give(state, state.turn)
    return False


def legal_tavern(state: State) -> list[Move]:
    """The three sentences (SIL-53); only where a card can be played, if the table says so (SIL-52)."""
    if state.phase == "turn" and not state.options.tavern_on_pass and not can_play(state):
        return []
    held = len(state.hands[state.turn]) + len(state.open[state.turn])
    return [*COUNTS[: held + 1], *SENTENCES]


def legal_spoken(state: State) -> list[Move]:
    """A report that somebody spoke, where the table wants a referee (G-09)."""
    if state.options.silence_referee == "off" or state.phase in ("deal", "oracle", "draw", "over"):
        return []
    return [r.Spoken(seat) for seat in range(state.options.players)]


def legal_end(state: State) -> list[Move]:
    """The end window: a shrine, the tavern, or nothing more."""
    moves = legal_shrines(state)
    if state.tavern_open:
        moves += legal_tavern(state)
    return [*moves, DONE]


def legal_pass_on(state: State) -> list[Move]:
    """Any card of the hand; where the box can't see it, just a card."""
    hand = state.hands[(state.turn + state.passed_on) % state.options.players]
    return [PASS_ON[HIDDEN]] if state.options.driver == "table" else [PASS_ON[card] for card in dict.fromkeys(hand)]


def legal_draw(state: State) -> list[Move]:
    """Every card that can have been drawn blind; an unplayable one has no name unless it's shown (SIL-26g)."""
    hand = state.hands[state.turn]
    if state.options.driver == "sim" and HIDDEN not in hand:
        return [DRAWN[card] for card in hand]
    cards = candidates(state, hand)
    if state.options.show_failed_random:
        return [*(DRAWN[card] for card in cards)]
    good = playable(state, cards)
    return [*(DRAWN[card] for card in good), *([DRAWN[HIDDEN]] if len(good) < len(cards) else [])]


def legal_start(state: State) -> list[Move]:
    """Anybody may take the start card (SIL-05)."""
    return [*(r.Start(seat) for seat in range(state.options.players)), NOBODY]


LEGAL: dict[str, Callable[[State], Sequence[Move]]] = {
    "deal": lambda state: [DEAL[card] for card in state.unseen],
    "oracle": lambda state: [SHOW[card] for card in can_be_shown(state)],
    "start": legal_start,
    "pass_on": legal_pass_on,
    "turn": legal_turn,
    "draw": legal_draw,
    "light": legal_effect,
    "swap": legal_effect,
    "swap_back": legal_effect,
    "replace": legal_effect,
    "give": legal_effect,
    "end": legal_end,
    "over": lambda state: [],
}
