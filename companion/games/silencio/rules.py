"""The rules of Silencio: whose move it is, and what each move does or why it is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from companion.games.cards import HIDDEN, Card, Cards, Tristate, add, drop, put
from companion.games.game import (
    BadOptions,
    Deal,
    Decide,
    Event,
    Game,
    IllegalMove,
    Move,
    Over,
    Reveal,
    Show,
    Step,
)
from companion.games.silencio import records as r
from companion.games.silencio import words
from companion.games.silencio.effects import EFFECT_MOVES, lay, legal_effect, light_of, offer, resolve
from companion.games.silencio.knowledge import (
    borrowable,
    can_be_shown,
    candidates,
    give_face_down,
    obliged,
    playable,
    put_in_hand,
    seen_by,
    take_from_hand,
    tops,
)
from companion.games.silencio.legal import (
    DRAW,
    LEGAL,
    PASS,
    legal_draw,
    legal_pass_on,
    legal_shrines,
    legal_spoken,
    legal_tavern,
    legal_turn,
    must_draw,
)
from companion.games.silencio.records import (
    COLOURS,
    DECK,
    GREEN,
    HAND_SIZE,
    NEAR_MISS,
    RANK_OF,
    ROW_OF,
    SHRINES,
    Options,
    State,
)
from companion.games.silencio.settling import settled
from companion.games.silencio.turns import cards_left, end_window, finish, next_turn, over
from companion.text import N_, Text

Result = tuple[State, tuple[Event, ...]]

# The phases in which a player decides.
DECISIONS = ("start", "pass_on", "turn", "light", "swap", "swap_back", "replace", "give", "end")
SEEN = N_("{card} has been seen already: it can't come again.")


def carry_out(game: Game[State], state: State, move: Move) -> Result:
    """A choice that an effect leaves to a player."""
    if move not in legal_effect(state):
        card = getattr(move, "card", None)
        if card is not None:
            raise game.refuse(state, "effect_card", N_("{card} can't be used for this effect now."), card=card)
        raise game.refuse(state, "effect_choice", N_("This effect doesn't allow that now."))
    return resolve(state, move)


class Silencio(Game[State]):
    """Silencio's rules. Rulings are cited by number; see docs/rulings.md."""

    name = "silencio"
    options_type = Options
    state_type = State
    moves = r.MOVES
    mishaps = (r.NoStart, r.Spoken)
    terms = words.TERMS
    sentences = words.SENTENCES
    questions = words.QUESTIONS

    def check_options(self, options: Options) -> None:
        """An Oracle that is only counted is for a table whose hands are hidden, too."""
        if options.oracle_cards == "counted" and options.driver != "table":
            raise BadOptions("bad_option", Text(N_("The Oracle can only be counted where the driver is table.")))

    def new(self, options: Options) -> State:
        """The table before the deal; where hands are hidden from the box, after it."""
        players = options.players
        lit = {"none": SHRINES, "large": SHRINES[1:], "small": SHRINES[:1], "all": ()}[options.unlit]  # SIL-54
        state = State(
            options=options,
            phase="deal",
            hands=((),) * players,
            open=((),) * players,
            deck=len(DECK[players]),
            lit=lit,
            started=False,
            to_reveal=players,
            unseen=DECK[players],
        )
        if options.driver == "table":
            size = HAND_SIZE[players]
            hands = ((HIDDEN,) * size,) * players
            state = replace(state, phase="oracle", hands=hands, deck=state.deck - size * players)
        return state

    def pending(self, state: State) -> Step:
        """Whose move it is and what is asked."""
        match state.phase:
            case "turn" | "end" | "give":
                return Decide(state.phase, state.turn)
            case "light":
                return Decide(state.effect, state.turn)
            case "swap" | "replace":
                return Decide(state.phase, state.chosen)
            case "swap_back":
                return Decide("swap_back", state.partner)
            case "oracle":
                return Reveal("oracle")
            case "draw":
                return Reveal("draw", state.turn)
            case "deal":
                return Reveal("deal", sum(map(len, state.hands)) % state.options.players)
            case "pass_on":
                return Decide("pass_on", self._passer(state))
            case "start":
                return Decide("start", None)
            case "over":
                left = cards_left(state)
                winners = tuple(range(state.options.players)) if self._is_perfect(state) else ()
                return Over(state.reason, winners, (left,))

    def legal(self, state: State) -> Sequence[Move]:
        """Every legal move, in a fixed order."""
        moves = LEGAL[state.phase](state)
        return moves if state.options.silence_referee == "off" else [*moves, *legal_spoken(state)]

    def view(self, state: State, seat: int | None) -> State:
        """The state as a seat may see it."""
        return seen_by(state, seat)

    def verdict(self, state: State, move: Move) -> Tristate:
        """Legal, illegal, or a matter of trust (G-01): passes, and cards from a hand the box can't see."""
        if move not in self.legal(state):
            return Tristate.NO
        if isinstance(move, r.Pass):
            return Tristate.YES if obliged(state) is Tristate.NO else Tristate.UNKNOWN
        if isinstance(move, r.Drawn) and move.card == HIDDEN:
            return Tristate.UNKNOWN
        if isinstance(move, r.Play | r.Drawn | r.Open | r.Return) and move.card in state.unseen:
            return Tristate.UNKNOWN
        return Tristate.YES

    def card(self, card: Card) -> Text:
        """A card's name, such as “red 7”."""
        if card not in RANK_OF:
            return self.term(card)
        return Text(words.CARDS[COLOURS[ROW_OF[card]]], {"rank": RANK_OF[card]})

    def question(self, state: State) -> Text:
        """The pending question; after a game, how well the table did."""
        asked = super().question(state)
        if state.reason not in ("all_played", "all_passed"):
            return asked
        return Text("{over} {band}", {"over": asked, "band": self.term(self.band(state))})

    def wording(self, state: State, ask: str) -> tuple[str, Mapping[str, Any]]:
        """Only what can be chosen, as everybody may know, is named: an open tavern, a pass that is allowed."""
        wording = self.questions[ask]
        waiting = [self.term(one) for one in state.markers if one in ("skip_dark", "skip_light")]
        if ask == "pass_on" and state.options.driver == "table":
            wording = words.ALL_PASS_ON
        elif ask == "oracle" and state.options.oracle_cards == "counted":
            wording = words.ORACLE_COUNTED
        elif ask == "turn":
            is_green = "green" in state.markers
            wording = words.DRAW if must_draw(state) else words.GREEN if is_green else wording
            moves = legal_turn(seen_by(state, None))
            wording = words.MUST_PASS if moves == [PASS] else wording if PASS in moves else words.MUST_PLAY
            if waiting:
                question = Text(wording, {"seat": state.turn + 1})
                return words.WAITING, {"question": question, "markers": tuple(waiting)}
        elif ask == "swap" and state.phase == "swap":
            wording = words.SWAP if state.oracle else words.SWAP_WITH_PLAYER
        elif ask == "end" and state.tavern_open:
            wording = words.END_WITH_BOTH if legal_shrines(state) else words.END_WITH_TAVERN
        return wording, {}

    def tell(self, event: Event) -> Text:
        """An event as a sentence, in other words where it has another reason; the tavern's are quoted (SIL-53)."""
        if isinstance(event, r.TavernSaid):
            said = Text(words.SAYINGS[event.says], {"about": self.term(event.about)})
            return Text(self.sentences[r.TavernSaid], {"seat": event.seat + 1, "says": said})
        if isinstance(event, r.Lapsed) and event.why == "nothing_to_do":
            return Text(words.NOTHING_TO_DO)
        if isinstance(event, r.Passed) and event.is_out:
            return Text(words.OUT, {"seat": event.seat + 1})
        if isinstance(event, r.DrawFailed) and event.card == HIDDEN:
            return Text(words.DREW_HIDDEN, {"seat": event.seat + 1})
        if isinstance(event, r.PassedOn) and event.card == HIDDEN:
            return Text(words.PASSED_ON_HIDDEN, {"seat": event.seat + 1, "to": event.to + 1})
        return super().tell(event)

    def band(self, state: State) -> str:
        """How well the table did, as a word of the glossary (SIL-41)."""
        left = cards_left(state)
        if left == 0:
            return "perfect"
        return "near" if left <= NEAR_MISS[state.options.players] else "far"

    def _value(self, name: str, value: Any) -> Any:
        if name == "which":
            return Text(words.SHRINES[value])
        return super()._value(name, words.marker_term(value) if name in ("marker", "effect") else value)

    def settle(self, state: State) -> State:
        """Complete and check a state written by hand."""
        return settled(self, state)

    def _passer(self, state: State) -> int:
        return (state.turn + state.passed_on) % state.options.players

    def _is_perfect(self, state: State) -> bool:
        # SIL-41: only an empty table is a win; a table that never began (SIL-05) or spoke (G-09) is lost.
        return state.reason in ("all_played", "all_passed") and cards_left(state) == 0

    # What each move does. SIL-03, SIL-04

    def _deal(self, state: State, move: Deal) -> Result:
        card = move.card
        if card not in state.unseen:
            raise self.misread(state, card, SEEN)
        players = state.options.players
        dealt = sum(map(len, state.hands))
        seat = dealt % players
        full = dealt + 1 == players * HAND_SIZE[players]
        state = replace(
            state,
            phase="oracle" if full else "deal",
            hands=put(state.hands, seat, add(state.hands[seat], card)),
            deck=state.deck - 1,
            unseen=drop(state.unseen, card),
        )
        return state, (r.Dealt(seat, card),)

    def _show(self, state: State, move: Show) -> Result:
        card = move.card
        if card not in can_be_shown(state):
            raise self.misread(state, card, SEEN)
        state = replace(
            state,
            oracle=add(state.oracle, card),
            deck=state.deck - 1,
            unseen=state.unseen if card == HIDDEN else drop(state.unseen, card),
            to_reveal=state.to_reveal - 1,
        )
        shown = r.OracleShown(card)
        if state.to_reveal:
            return state, (shown,)
        if not state.started:
            return replace(state, phase="start"), (shown,)
        state, events = finish(state)
        return state, (shown, *events)

    def deck(self, state: State) -> Cards:
        """The cards in a game for so many players (SIL-03)."""
        return DECK[state.options.players]

    def stranger(self, state: State, card: Card) -> IllegalMove:
        """The refusal of a card that isn't in a game for so many players."""
        players = state.options.players
        return self.refuse(state, "misread", N_("{card} isn't in a game for {players}."), card=card, players=players)

    def known_zones(self, state: State, card: Card) -> tuple[Text, ...]:
        """Where a card lies for everybody to see."""
        where = [Text(words.ROWS[row]) for row, cards in enumerate(state.rows) if card in cards]
        where += [Text(words.OPEN, {"seat": seat + 1}) for seat, cards in enumerate(state.open) if card in cards]
        where += [Text(words.ORACLE)] if card in state.oracle else []
        return (*where, *([Text(words.BOX)] if card in state.box else []))

    def _start(self, state: State, move: r.Start) -> Result:
        if not 0 <= move.seat < state.options.players:
            raise self.refuse(state, "no_such_seat", N_("There is no player {seat}."), seat=move.seat)
        return replace(state, phase="pass_on", turn=move.seat), (r.Started(move.seat),)

    def _no_start(self, state: State, move: r.NoStart) -> Result:
        return over(state, "no_start")  # SIL-05

    def _pass_on(self, state: State, move: r.PassOn) -> Result:
        seat = self._passer(state)  # SIL-06
        if move not in legal_pass_on(state):
            raise self.refuse(state, "not_held", N_("{card} isn't in that hand."), card=move.card)
        to = (seat + 1) % state.options.players
        state = give_face_down(state, seat, to, move.card)
        count = state.passed_on + 1
        if count == state.options.players:
            state = replace(state, phase="turn", started=True, passed_on=0)  # SIL-07
        else:
            state = replace(state, passed_on=count)
        return state, (r.PassedOn(seat, to, move.card),)

    def _play(self, state: State, move: r.Play) -> Result:
        card, seat = move.card, state.turn
        if card not in DECK[state.options.players]:
            raise self.misread(state, card, SEEN)
        hand = state.hands[seat]
        owner = next((at for at, cards in enumerate(state.open) if card in cards), None)
        if owner is None and card not in candidates(state, hand):
            if card in state.unseen or any(card in other for other in state.hands):
                raise self.refuse(state, "not_held", N_("{card} isn't in that hand."), card=card)
            raise self.misread(state, card, N_("{card} lies elsewhere on the table."))
        if must_draw(state):
            raise self.refuse(
                state,
                "draw_first",
                N_("{card} can't be chosen: a card must be drawn blind first."),
                card=card,
            )
        self._check_row(state, card)
        if owner is None:
            state = take_from_hand(state, seat, card)
        elif owner == seat or card in borrowable(state):
            state = replace(state, open=put(state.open, owner, drop(state.open[owner], card)))
        else:
            raise self.refuse(
                state,
                "empty_hand",
                N_("A player without cards can't borrow {card} at this table."),
                card=card,
            )
        return lay(state, card)

    def _check_row(self, state: State, card: Card) -> None:
        """A card must climb over its row, and be green where that is due (SIL-17, SIL-28)."""
        if "green" in state.markers and ROW_OF[card] != GREEN:
            raise self.refuse(state, "must_be_green", N_("{card} isn't green, and the next card must be."), card=card)
        row = state.rows[ROW_OF[card]]
        if RANK_OF[card] <= tops(state)[ROW_OF[card]]:
            top = self.card(row[-1])
            raise self.refuse(state, "not_climbing", N_("{card} doesn't climb over {top}."), card=card, top=top)

    def _pass(self, state: State, move: r.Pass) -> Result:
        if PASS not in legal_turn(state):
            if must_draw(state) and obliged(state) is Tristate.YES:
                raise self.refuse(state, "draw_first", N_("A pass isn't allowed: a card must be drawn blind first."))
            raise self.refuse(state, "must_play", N_("A pass isn't allowed: a card can be played."))
        seat = state.turn
        events: list[Event] = [r.Passed(seat, is_out=not state.hands[seat] and not state.open[seat])]
        strict = state.options.shrine_must_lead_to_play == "strict"
        if state.shrine_used and strict:
            events.append(r.Violation(seat, "shrine_then_pass"))  # SIL-31
        if state.tavern_used and not state.options.tavern_on_pass:
            events.append(r.Violation(seat, "tavern_then_pass"))
        state, ending = next_turn(replace(state, passes=state.passes + 1))
        return state, (*events, *ending)

    def _draw(self, state: State, move: r.Draw) -> Result:
        if DRAW not in legal_turn(state):
            raise self.refuse(state, "no_draw", N_("No card has to be drawn blind."))
        return replace(state, phase="draw"), ()

    def _drawn(self, state: State, move: r.Drawn) -> Result:
        card, seat = move.card, state.turn
        if move not in legal_draw(state):
            if card != HIDDEN and card not in DECK[state.options.players]:
                raise self.misread(state, card, SEEN)
            raise self.refuse(state, "not_held", N_("{card} can't have been drawn from that hand."), card=card)
        if card != HIDDEN and playable(state, (card,)):
            return lay(take_from_hand(state, seat, card), card)  # SIL-26h
        state = replace(state, phase="turn", drawn=True)  # SIL-26c
        if state.options.show_failed_random:
            if card not in state.hands[seat]:
                state = put_in_hand(take_from_hand(state, seat, card), seat, card)
            elif card not in state.known:
                state = replace(state, known=add(state.known, card))
            return state, (r.DrawFailedOpenly(seat, card),)
        return state, (r.DrawFailed(seat, card),)

    def _shrine(self, state: State, move: r.TakeShrine) -> Result:
        legal = legal_shrines(state)
        if move not in legal:
            if move.which not in state.lit:
                raise self.refuse(
                    state, "unlit", N_("This can't be taken, for it isn't lit: {which}."), which=move.which
                )
            if state.shrine_used:
                raise self.refuse(state, "second_shrine", N_("Only one shrine may be taken in a turn."))
            if state.phase == "turn" and state.drawn:  # SIL-26i
                raise self.refuse(state, "shrine_after_draw", N_("A shrine comes before the blind draw, not after it."))
            if not legal:
                raise self.refuse(state, "shrine_no_play", N_("A shrine isn't for a turn that ends in a pass."))
            raise self.refuse(
                state, "shrine_effect", N_("This can't be taken for that effect: {which}."), which=move.which
            )
        effect = move.effect if move.which == "large" else light_of(state, COLOURS.index(move.which))
        state = replace(state, lit=tuple(one for one in state.lit if one != move.which), shrine_used=True)
        taken = r.ShrineTaken(state.turn, move.which)
        state, events = offer(state, effect, "?")
        return state, (taken, *events)

    def _tavern(self, state: State, move: r.Tavern) -> Result:
        if not state.tavern_open:
            raise self.refuse(state, "tavern_closed", N_("The tavern is closed."))
        legal = legal_tavern(state)
        if not legal:
            raise self.refuse(state, "tavern_no_play", N_("The tavern isn't for a turn that ends in a pass."))
        if move not in legal:
            raise self.refuse(state, "tavern_words", N_("The tavern allows only its three sentences."))
        state = replace(state, tavern_open=False, dark_count=0, tavern_used=True)  # SIL-51
        said = r.TavernSaid(state.turn, move.says, move.about)
        if state.phase == "end":
            state, events = end_window(state)
            return state, (said, *events)
        return state, (said,)

    def _done(self, state: State, move: r.Done) -> Result:
        return next_turn(state)

    def _spoken(self, state: State, move: r.Spoken) -> Result:
        if state.options.silence_referee == "off":
            raise self.refuse(state, "no_referee", N_("Nobody referees the silence at this table."))
        if move not in legal_spoken(state):
            raise self.refuse(state, "no_such_seat", N_("There is no player {seat}."), seat=move.seat)
        spoke = r.Violation(move.seat, "spoke")
        if state.options.silence_referee == "lose":
            state, events = over(state, "spoken")
            return state, (spoke, *events)
        return state, (spoke,)

    handlers: ClassVar[dict[type[Move], tuple[tuple[str, ...], Any]]] = {
        Deal: (("deal",), _deal),
        Show: (("oracle",), _show),
        r.Start: (("start",), _start),
        r.NoStart: (("start",), _no_start),
        r.PassOn: (("pass_on",), _pass_on),
        r.Play: (("turn",), _play),
        r.Pass: (("turn",), _pass),
        r.Draw: (("turn",), _draw),
        r.Drawn: (("draw",), _drawn),
        r.TakeShrine: (("turn", "end"), _shrine),
        r.Tavern: (("turn", "end"), _tavern),
        r.Done: (("end",), _done),
        r.Spoken: (DECISIONS, _spoken),
        **{kind: (phases, carry_out) for kind, phases in EFFECT_MOVES.items()},
    }


SILENCIO = Silencio()
