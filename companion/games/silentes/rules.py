"""The rules of Silentes: whose move it is, and what each move does or why it is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from companion.games.cards import HIDDEN, Card, Tristate, add, drop, put
from companion.games.game import Deal, Decide, Event, Game, Handler, IllegalMove, Move, Over, Reveal, Show, Step
from companion.games.silentes import actions, hunt, omens, provisions, rounds, words
from companion.games.silentes import moves as m
from companion.games.silentes.hunt import pass_window
from companion.games.silentes.knowledge import seen_by
from companion.games.silentes.legal import ENTRENCH, LEGAL, may_entrench
from companion.games.silentes.map import suit_at
from companion.games.silentes.records import (
    ALL_CARDS,
    CELLS,
    HAND_SIZE,
    HUNT,
    IS_OMEN,
    IS_RANKLESS,
    OMENS,
    PROVISIONS,
    RANK_OF,
    SUIT_OF,
    Options,
    State,
)
from companion.games.silentes.refusals import why_not
from companion.games.silentes.rounds import Result
from companion.games.silentes.settling import settled
from companion.text import N_, Text, raw


class Silentes(Game[State]):
    """Silentes' rules. Rulings are cited by number; see docs/rulings.md."""

    name = "silentes"
    options_type = Options
    state_type = State
    moves = m.MOVES
    dealt_by_box: ClassVar[dict[str, str]] = {"drawing": "phone"}
    terms = words.TERMS
    sentences = words.SENTENCES
    questions = words.QUESTIONS

    def new(self, options: Options) -> State:
        """The table before the first shelter is turned up."""
        return State(
            options=options,
            phase="map",
            deck=len(HUNT),
            stock=len(PROVISIONS),
            unseen=HUNT,
            unseen_provisions=PROVISIONS,
            unseen_omens=OMENS,
        )

    def pending(self, state: State) -> Step:
        """Whose move it is and what is asked."""
        phase = state.phase
        if phase in OF_ASKED:
            return DECIDE[phase][state.asked]
        if phase in OF_TURN:
            return DECIDE[phase][state.turn]
        if phase in OF_PARTNER:
            return DECIDE[phase][1 - state.asked]
        if phase in OF_GROUP:
            return DECIDE[phase][2]
        if phase in OPENLY:
            return REVEAL[phase][2]
        if phase in ("search", "reward", "justice"):
            return REVEAL[phase][state.rewards[0]]
        if phase == "aid_draw":
            return REVEAL[phase][1 - state.asked]
        if phase in ("refill", "peek_omens"):
            return REVEAL[phase][state.asked]
        if phase == "deal":
            return REVEAL[phase][deal_to(state)]
        if phase == "place":
            return DECIDE[phase][place_for(state)]
        return Over(state.reason, () if state.reason == "noise" else (0, 1), (state.noise,))

    def legal(self, state: State) -> Sequence[Move]:
        """Every legal move, in a fixed order."""
        return LEGAL[state.phase](state)

    def conceivable(self, view: State) -> Sequence[Move]:
        """What may be legal; entrenching hangs on a card that was played and then went back to a hand."""
        moves = list(self.legal(view))
        if may_entrench(view):
            moves.insert(sum(isinstance(move, m.Go) for move in moves), ENTRENCH)
        return moves

    def wording(self, state: State, ask: str) -> tuple[str, Mapping[str, Any]]:
        """An action by the ways that everybody may know of, a shelter by its number, a drawn card by its name."""
        wording = self.questions[ask]
        if ask == "held":
            return wording, {"card": self.card(seen_by(state, None).drawn[0])}
        if ask == "map":
            return wording, {"cell": len(state.map) + 1}
        if ask in ("reaction", "bonus", "cancel"):
            both: Mapping[str, Any] = {"seat": Text(words.EITHER)} if rounds.asks_both(state) else {}
            wording, values = in_danger(seen_by(state, None)) if ask == "reaction" else (wording, {})
            return wording, {**values, **both}
        if ask in ("refill", "aid_draw") and state.ghosts:
            return words.MAYBE_GHOST, {"left": state.count if ask == "aid_draw" else rounds.lacking(state, state.asked)}
        if ask == "hide" and "any_suit" in state.tools:
            return words.HIDE_ANYHOW, {}
        if ask == "hide":
            return wording, {"suit": self.term(suit_at(state, state.tokens[state.turn]))}
        if ask != "action":
            return wording, {}
        kinds = dict.fromkeys(type(move) for move in self.conceivable(seen_by(state, None)))
        if m.Pass in kinds:
            return (words.TO_PASS_OR_USE if m.Use in kinds else words.TO_PASS), {}
        ways = tuple(Text(way) for kind, way in words.WAYS.items() if kind in kinds)
        return (wording, {"ways": ways}) if len(ways) > 1 or m.Go not in kinds else (words.TO_MOVE, {})

    def tell(self, event: Event) -> Text:
        """An event as a sentence; an omen says what it does, and cards to look at say who may."""
        if isinstance(event, m.LookedAhead) and event.deck == "hunt":
            return Text(words.LOOK_TOGETHER, self.values(event))
        if isinstance(event, m.Dealt | m.Found) and event.card == HIDDEN:
            return Text(words.HIDDEN_CARDS[type(event)], self.values(event))
        if isinstance(event, m.OmenShown) and event.card in words.RULES:
            sentence = words.OMEN_DRAWN if event.is_drawn else self.sentences[m.OmenShown]
            return Text(sentence, {**self.values(event), "does": Text(words.RULES[event.card])})
        return super().tell(event)

    def handler(self, state: State, move: Move) -> Handler[State] | None:
        """What carries out a legal move: the phase decides."""
        return HANDLERS[state.phase] if move in LEGAL[state.phase](state) else None

    def refusal(self, state: State, move: Move) -> IllegalMove:
        """Why a move isn't legal now."""
        return why_not(self, state, move) or super().refusal(state, move)

    def view(self, state: State, seat: int | None) -> State:
        """The state as a seat may see it."""
        return seen_by(state, seat)

    def settle(self, state: State) -> State:
        """Complete and check a state written by hand."""
        return settled(self, state)

    def verdict(self, state: State, move: Move) -> Tristate:
        """Legal, illegal, or a matter of trust (G-01): cards from a hand the box can't see, and a card held."""
        if move not in self.legal(state):
            return Tristate.NO
        if isinstance(move, m.Hide | m.Discard | m.Use):
            hidden = move.card in state.unseen or move.card in state.unseen_provisions
            return Tristate.UNKNOWN if hidden else Tristate.YES
        if isinstance(move, m.Held | m.Fresh | m.Give):
            return Tristate.YES if isinstance(move, m.Give) and move.card != HIDDEN else Tristate.UNKNOWN
        if isinstance(move, m.Go) and state.phase == "action" and "any_suit" not in state.tools:
            suit, hand = suit_at(state, move.cell), state.hands[state.turn]
            held = any(card != HIDDEN and SUIT_OF[card] == suit for card in hand)
            return Tristate.YES if held else Tristate.UNKNOWN
        return Tristate.YES

    def chances(self, state: State) -> Sequence[tuple[Move, int]]:
        """What nature may do now, uniform over the cards that nobody has seen, and over the paper deck with its ghosts.

        A card that turns out to be in a hand is drawn again, which makes it uniform over the deck.
        """
        legal = self.legal(state)
        ghosts = [move for move in legal if isinstance(move, m.Ghost)]
        if not ghosts:
            return [(move, 1) for move in legal]
        # Of the paper deck, `deck` cards can come, and each ghost is one of the cards that can't.
        others = len(legal) - len(ghosts)
        return [(move, others if isinstance(move, m.Ghost) else state.deck) for move in legal]

    def talk(self, state: State) -> str:
        """What may be said at the table now: nothing, intentions, or anything (STE-08, STE-96)."""
        if "talk" in state.effects or state.options.table_talk == "open":
            return "open"
        return state.options.table_talk

    def card(self, card: Card) -> Text:
        """A card's name, such as “Seven of Cups” or “The Moon”."""
        if card in IS_RANKLESS:
            return self.term(SUIT_OF[card])
        if card not in ALL_CARDS or card in IS_OMEN:
            return self.term(card)
        rank, suit = self.term(words.RANKS[RANK_OF[card]]), self.term(SUIT_OF[card])
        return Text(N_("{rank} of {suit}"), {"rank": rank, "suit": suit})

    def deck(self, state: State) -> frozenset[Card]:
        """All cards of the three decks."""
        return ALL_CARDS

    def stranger(self, state: State, card: Card) -> IllegalMove:
        """The refusal of a card that isn't one of this game."""
        return self.refuse(state, "misread", N_("{card} isn't a card of this game."), card=card)

    def known_zones(self, state: State, card: Card) -> tuple[Text, ...]:
        """Where a card lies for everybody to see."""
        laid = {"wands-02": state.barrier, "swords-03": state.mirror}
        lying = {
            words.SHELTER: state.map,
            words.ON_SHELTER: (card,) if laid.get(card) is not None else (),
            words.HUNTED: state.hunt,
            words.GONE: state.gone,
            words.REVEALED: state.omens,
        }
        where = [Text(place) for place, cards in lying.items() if card in cards]
        for place, zones in ((words.BEFORE, state.played), (words.PILE, state.piles)):
            where += [Text(place, {"seat": seat + 1}) for seat, cards in enumerate(zones) if card in cards]
        return tuple(where)

    def _value(self, name: str, value: Any) -> Any:
        if name == "cell" and isinstance(value, int):
            return raw(value + 1)  # people count shelters from one, like seats
        return super()._value(name, value)


OF_ASKED = frozenset({
    "partner", "reaction", "bonus", "cancel", "mirror", "trade", "sacrifice", "ride", "penance", "flee", "star",
    "barrier", "lay_mirror", "recover", "order_omens",
})  # fmt: skip
OF_TURN = frozenset({"action", "hide", "throw"})
OF_PARTNER = frozenset({"aid", "aid_discard"})
OF_GROUP = frozenset({"first", "held", "share", "order", "blame", "tower"})
OPENLY = frozenset({"map", "hunt", "omen", "gift", "peek", "coin", "remap"})
DECIDE = {
    phase: (Decide(phase, 0), Decide(phase, 1), Decide(phase, None))
    for phase in (*OF_ASKED, *OF_TURN, *OF_PARTNER, *OF_GROUP, "place")
}
REVEAL = {
    phase: (Reveal(phase, 0), Reveal(phase, 1), Reveal(phase))
    for phase in (*OPENLY, "search", "reward", "justice", "aid_draw", "refill", "peek_omens", "deal")
}


def in_danger(state: State) -> tuple[str, Mapping[str, Any]]:
    """The question about a hunt, with who stands in its zone; a mirror leaves that open."""
    card = state.hunt[0]
    there = [seat for seat in (0, 1) if suit_at(state, state.tokens[seat]) == SUIT_OF[card]]
    if hunt.diversions(state):
        return words.QUESTIONS["reaction"], {}
    if not there or SUIT_OF[card] in state.cries:
        return words.FINDS_NOBODY, {}
    levels = tuple(hunt.level(state, seat) for seat in there)
    values = {"level": tuple(map(raw, levels)), "perception": RANK_OF[card]}
    if len(there) == len(state.tokens):
        return words.FINDS_BOTH, values
    return words.FINDS_ONE, {**values, "found": there[0] + 1}


def deal_to(state: State) -> int:
    """Who gets the next card of the first deal."""
    return (len(state.hands[0]) + len(state.hands[1])) % 2


def place_for(state: State) -> int:
    """Whose token isn't on the map yet."""
    return 0 if state.tokens[0] < 0 else 1


# Before the first round


def show_shelter(state: State, move: Show) -> Result:
    """A shelter of the first map; then hands of five, hidden or dealt one by one."""
    card = move.card
    cell = len(state.map)
    state = replace(hunt.draw_open(state, card), map=(*state.map, card))
    shown = m.ShelterShown(cell, card)
    if cell + 1 < len(CELLS):
        return state, (shown,)
    if state.options.drawing == "phone":
        return replace(state, phase="deal"), (shown,)
    hand = (HIDDEN,) * HAND_SIZE
    return replace(state, phase="place", hands=(hand, hand), deck=state.deck - 2 * HAND_SIZE), (shown,)


def deal(state: State, move: Deal) -> Result:
    """A card of the first hand."""
    card, seat = move.card, deal_to(state)
    hands = put(state.hands, seat, add(state.hands[seat], card))
    phase: Any = "place" if len(hands[0]) + len(hands[1]) == 2 * HAND_SIZE else "deal"
    state = replace(state, phase=phase, hands=hands, deck=state.deck - 1, unseen=drop(state.unseen, card))
    return state, (m.Dealt(seat, card),)


def place(state: State, move: m.Place) -> Result:
    """A token comes onto the map; both may share a shelter (STE-09)."""
    seat, cell = place_for(state), move.cell
    tokens = (cell, state.tokens[1]) if seat == 0 else (state.tokens[0], cell)
    return replace(state, phase="first" if seat else "place", tokens=tokens), (m.Placed(seat, cell),)


def act(state: State, move: Any) -> Result:
    """An action, or a provision before it."""
    kind = type(move)
    if kind is m.Go:
        return actions.go(state, move.cell)
    if kind is m.Distract:
        return actions.distract(state, move.suit)
    if kind is m.Use:
        return provisions.use(state, state.turn, move.card)
    if kind is m.Search:
        return actions.search(state)
    if kind is m.Entrench:
        return actions.entrench(state)
    return actions.pass_turn(state)


def window(state: State, move: Any) -> Result:
    """A provision, or none."""
    if type(move) is m.Use:
        return provisions.use(state, state.asked, move.card)
    if type(move) is m.Nobody:
        return hunt.close_window(state)
    return pass_window(state)


def find(then: Callable[[State], Result]) -> Callable[[State, Any], Result]:
    """A provision is dealt, and play goes on."""

    def handle(state: State, move: Deal) -> Result:
        state, events = rounds.find(state, move.card)
        state, more = then(state)
        return state, (*events, *more)

    return handle


def refill(state: State, move: Any) -> Result:
    """A card comes into a hand, or a ghost out of the paper deck."""
    if type(move) is m.Ghost:
        return lay_ghost(state, move.card, rounds.refill_on)
    seat = state.asked
    state, events = rounds.refill(rounds.draw_hunt(state, seat, move.card))
    return state, (m.Dealt(seat, move.card), *events)


def aid_draw(state: State, move: Any) -> Result:
    """A card of the first aid, or a ghost out of the paper deck."""
    if type(move) is m.Ghost:
        return lay_ghost(state, move.card, provisions.aid_on)
    return provisions.aid_deal(state, move.card)


def remap(state: State, move: Any) -> Result:
    """A shelter of a new map, or a ghost out of the paper deck."""
    if type(move) is m.Ghost:
        return lay_ghost(state, move.card, lambda state: (state, ()))
    return omens.remap(state, move.card)


def lay_ghost(state: State, card: Card, then: Callable[[State], Result]) -> Result:
    """A paper copy is discarded; whoever drew it draws again."""
    state, events = then(replace(state, ghosts=drop(state.ghosts, card)))
    return state, (m.GhostDiscarded(card), *events)


def answer_held(state: State, move: Any) -> Result:
    """Whether somebody holds the card that the box drew."""
    if type(move) is m.Held:
        return hunt.put_back(state)
    return hunt.hunt_is(state, state.drawn[0]) if state.resume == "hunt" else omens.peeked(state)


HANDLERS: dict[str, Handler[State]] = {
    "map": show_shelter,
    "deal": deal,
    "place": place,
    "first": lambda state, move: rounds.begin_round(state, move.seat),
    "partner": window,
    "action": act,
    "hide": lambda state, move: actions.hide(state, move.card),
    "throw": lambda state, move: actions.throw(state, move.card),
    "search": find(actions.searched),
    "hunt": lambda state, move: hunt.show_hunt(state, move.card),
    "held": answer_held,
    "reaction": window,
    "mirror": lambda state, move: hunt.divert(state, move.suit),
    "bonus": window,
    "cancel": window,
    "reward": find(hunt.reward),
    "omen": lambda state, move: omens.reveal_omen(state, move.card),
    "trade": lambda state, move: omens.trade(state, move.card) if type(move) is m.Give else omens.traded(state),
    "gift": lambda state, move: omens.show_gift(state, move.card),
    "share": lambda state, move: omens.share(state, move.seat),
    "peek": lambda state, move: omens.peek(state, move.card),
    "order": lambda state, move: omens.order(state, move.card),
    "sacrifice": lambda state, move: (
        omens.sacrifice(state) if type(move) is m.Accept else omens.next_asked(state, True)
    ),
    "ride": lambda state, move: omens.ride(state, move.cell) if type(move) is m.Go else omens.rode(state),
    "coin": lambda state, move: omens.toss(state, move.side),
    "blame": lambda state, move: omens.blame(state, move.seat),
    "penance": lambda state, move: omens.penance(state, move.card),
    "justice": find(omens.draw_for_justice),
    "remap": remap,
    "tower": lambda state, move: omens.ruin(state, move.cell),
    "flee": lambda state, move: omens.flee(state, move.cell),
    "star": lambda state, move: omens.take_back(state, move.card) if type(move) is m.Take else omens.starred(state),
    "barrier": lambda state, move: provisions.lay_barrier(state, move.cell),
    "lay_mirror": lambda state, move: provisions.lay_mirror(state, move.cell),
    "recover": lambda state, move: provisions.recover(state, move.card),
    "aid": lambda state, move: (
        provisions.accept_aid(state) if type(move) is m.Accept else provisions.decline_aid(state)
    ),
    "aid_draw": aid_draw,
    "aid_discard": lambda state, move: provisions.aid_discard(state, move.card),
    "peek_omens": lambda state, move: provisions.peek_omen(state, move.card),
    "order_omens": lambda state, move: provisions.order_omens(state, move.card),
    "refill": refill,
}

SILENTES = Silentes()
