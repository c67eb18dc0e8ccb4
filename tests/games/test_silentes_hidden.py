"""Silentes where the box can't see hands: real cards on the table, or a virtual hunt deck with ghosts."""

from __future__ import annotations

import random
from collections import Counter
from statistics import mean

import pytest
from msgspec.structs import replace

from companion.games.cards import HIDDEN, Tristate
from companion.games.game import Deal, Move, Show
from companion.games.notation import read_move
from companion.games.silentes import SILENTES
from companion.games.silentes import moves as m
from companion.games.silentes.records import HUNT, RANK_OF, SUIT_OF, Options
from companion.table.hosts import HOSTS
from tests.games.silentes_table import asks, at, can, names, play, refused, told

TABLE = "drawing=table hands=?,?,?,?,?/?,?,?,?,?"
VIRTUAL = "drawing=virtual hands=?,?,?,?,?/?,?,?,?,?"


def verdict(state, move: str) -> Tristate:
    return SILENTES.verdict(state, read_move(SILENTES, move))


# Hidden hands


def test_a_hidden_card_gets_its_face_when_it_is_played():  # G-02
    state = play(at(TABLE), "move 1")
    assert "hide cups-09" in can(state)
    assert verdict(state, "hide cups-09") is Tristate.UNKNOWN
    state = play(state, "hide cups-09")
    assert state.hands[0] == (HIDDEN,) * 4
    assert "cups-09" not in state.unseen
    assert state.deck == 26


def test_yes_no_and_unknown():  # G-01
    state = at("drawing=table hands=cups-07,?/-")
    assert verdict(state, "move 1") is Tristate.YES
    assert verdict(state, "move 4") is Tristate.UNKNOWN
    assert verdict(state, "move 2") is Tristate.NO
    assert verdict(state, "search") is Tristate.YES
    state = play(state, "distract cups")
    assert verdict(state, "discard cups-07") is Tristate.YES
    assert verdict(state, "discard wands-07") is Tristate.UNKNOWN
    assert verdict(state, "discard wands-04") is Tristate.NO
    assert verdict(at("drawing=table provisions=?/-"), "use cups-01") is Tristate.UNKNOWN
    assert verdict(at("drawing=table provisions=cups-01/-"), "use cups-01") is Tristate.YES


def test_a_card_that_lies_elsewhere_is_a_misread():  # G-11
    state = play(at(f"{TABLE} gone=cups-09"), "move 1")
    assert refused(state, "hide cups-09") == "misread"
    assert refused(play(at(TABLE), "distract cups"), "discard cups-04") == "misread"


def test_a_card_known_in_the_partners_hand_is_not_held():
    state = play(at("drawing=table hands=?/cups-09,?"), "move 1")
    assert refused(state, "hide cups-09") == "not_held"


def test_picked_up_cards_are_known_and_refills_are_hidden():  # G-03
    state = at("drawing=table phase=hunt first=1 tokens=1,0 played=cups-09/- hands=?,?,?,?/?,?,?,?")
    state = play(state, "show swords-13")
    assert state.hands == (("?", "?", "?", "?", "cups-09"), ("?",) * 5)
    assert SILENTES.view(state, None).hands[0] == ("?",) * 5  # remembering is part of the game
    assert state.last[0] == ()


def test_entrenching_with_a_known_card_at_the_table():  # STE-22
    state = play(at(TABLE), "move 1", "hide cups-09", "distract wands", "discard wands-09", "show wands-13")
    assert (state.round, asks(state)) == (2, ("action", 1))
    state = play(state, "distract swords", "discard wands-08")
    assert "entrench" in can(state)
    assert play(state, "entrench").played[0] == ("cups-09",)


def test_provisions_at_the_table_are_only_counted():
    state = play(at(TABLE), "search")
    assert state.provisions[0] == (HIDDEN,)
    assert (state.stock, asks(state)) == (11, ("partner", 0))
    assert "use cups-01" in can(state)
    assert "use wands-03" not in can(state)
    state = play(state, "use cups-01")
    assert state.provisions[0] == ()
    assert "cups-01" not in state.unseen_provisions


def test_a_hidden_provision_can_be_only_one_of_two_tools():
    only = "map=wands-04,hole,swords-04,hole,hole"
    state = at(f"{only} drawing=table hands=cups-09/- provisions=?/-")
    assert "use wands-01" not in can(state)  # no shelter beside, and no second provision for the rope
    state = at(f"{only} drawing=table hands=cups-09/- provisions=?,?/-")
    assert can(play(state, "use wands-01")) == ["use swords-02"]


def test_giving_a_provision_face_down_makes_the_box_forget():  # G-02
    state = at("drawing=table phase=trade hunt=swords-14 provisions=?,cups-01/- asked=0")
    assert can(state) == ["give ?", "no"]
    assert refused(state, "give cups-01") == "stays_hidden"
    state = play(state, "give ?")
    assert state.provisions == (("?",), ("?",))
    assert "cups-01" in state.unseen_provisions
    only = at("drawing=table phase=trade hunt=swords-14 provisions=cups-01/- asked=0")
    assert play(only, "give ?").provisions[1] == ("cups-01",)


def test_first_aid_at_the_table():  # STE-95
    state = play(at(f"{TABLE} provisions=?/-"), "use cups-02", "accept")
    assert asks(state) == ("aid_discard", 1)
    assert len(state.hands[1]) == 7
    state = play(state, "discard wands-09")
    assert (len(state.hands[1]), state.deck) == (6, 24)


def test_what_players_look_at_stays_theirs():  # STE-64, STE-99
    state, events = told(at(f"{TABLE} phase=omen hunt=swords-14"), "show major-05")
    assert "LookedAhead" in names(events)
    assert state.top == ("?", "?", "?")
    state, events = told(at(f"{TABLE} provisions=?/-"), "use pentacles-02")
    assert state.omen_top == ("?", "?")
    assert asks(state) == ("action", 0)


def test_drawing_wears_the_looked_at_cards_away():
    state = at("drawing=table hands=-/- phase=hunt top=?,?,? first=0")
    state = play(state, "show swords-13")
    assert state.top == ()  # the hunt took one, the refill the rest
    assert state.hands == (("?",) * 5, ("?",) * 5)


@pytest.mark.parametrize(("aid", "seen"), [("no", "?"), ("yes", "cups-09")])
def test_a_memory_aid_shows_what_everybody_has_seen(aid, seen):  # G-03
    state = at(f"hands=cups-07/cups-09 known=cups-09 top=wands-09 memory_aid={aid} last=-/cups-09")
    view = SILENTES.view(state, 0)
    assert view.hands == (("cups-07",), (seen,))
    assert view.last[1] == (seen,)
    assert view.top == (("wands-09",) if aid == "yes" else ("?",))


# Virtual hunts


def test_the_box_draws_and_asks_whether_somebody_holds_the_card():
    state = play(at(f"{VIRTUAL} phase=hunt"), "show cups-09")
    assert asks(state) == ("held", None)
    assert can(state) == ["held", "fresh"]
    assert verdict(state, "held") is Tristate.UNKNOWN
    again = play(state, "held")
    assert asks(again) == ("hunt", None)
    assert again.held == ("cups-09",)
    assert again.deck == 26
    assert refused(again, "show cups-09") == "misread"
    state = play(state, "fresh")
    assert state.ghosts == ("cups-09",)


def test_a_card_said_to_be_held_can_be_played_later():
    state = play(at(f"{VIRTUAL} held=cups-09"), "move 1", "hide cups-09")
    assert state.held == ()


def test_when_every_hidden_card_is_known_to_be_held_no_other_can_be_played():
    state = at("drawing=virtual hands=?/- held=cups-09")
    assert can(play(state, "move 1")) == ["hide cups-09"]
    state = play(at("drawing=virtual hands=?/- held=cups-09 phase=hunt"), "show cups-10")
    assert state.phase != "held"  # nobody can hold it


def test_a_ghost_drawn_from_the_paper_deck_is_replaced():
    state = at("drawing=virtual hands=?,?,?,?/?,?,?,?,? phase=refill asked=0 gone=cups-09 ghosts=cups-09")
    assert can(state) == ["deal ?", "ghost cups-09"]
    assert refused(state, "ghost cups-10") == "no_ghost"
    assert refused(state, "deal cups-10") == "stays_hidden"
    state, events = told(state, "ghost cups-09")
    assert names(events)[:2] == ["GhostDiscarded", "Dealt"]  # no ghost is left: the next card is a real one
    assert state.ghosts == ()
    assert [len(hand) for hand in state.hands] == [5, 5]
    two = at("drawing=virtual hands=?,?,?,?/?,?,?,?,? phase=refill asked=0 gone=cups-09,cups-10 ghosts=cups-09,cups-10")
    assert asks(play(two, "ghost cups-09")) == ("refill", 0)


def test_first_aid_may_draw_a_ghost():  # STE-95
    state = at(f"{VIRTUAL} provisions=?/- gone=cups-09,cups-10 ghosts=cups-09,cups-10")
    state = play(state, "use cups-02", "accept", "ghost cups-10")
    assert asks(state) == ("aid_draw", 1)
    state = play(state, "deal ?", "ghost cups-09")  # the last ghost: the second card just comes
    assert asks(state) == ("aid_discard", 1)
    assert (len(state.hands[1]), state.ghosts) == (7, ())


def test_the_paper_deck_is_the_deck_and_its_ghosts():
    state = at(
        "drawing=virtual hands=?,?,?,?/?,?,?,?,? phase=refill asked=0 gone=cups-09,cups-10 ghosts=cups-09,cups-10"
    )
    weights = {type(move).__name__: weight for move, weight in SILENTES.chances(state)}
    assert weights == {"Deal": state.deck, "Ghost": 1}
    assert SILENTES.chances(at("phase=hunt"))[0][1] == 1


def test_virtual_omens_are_drawn_by_the_box_but_for_those_that_a_player_has_ordered():
    host = HOSTS["silentes"]
    assert host.draws(at(f"{VIRTUAL} phase=omen hunt=swords-14"))
    state = play(at(f"{VIRTUAL} provisions=?/-"), "use pentacles-02")
    assert state.omen_top == ("?", "?")
    state = at(f"{VIRTUAL} phase=omen hunt=swords-14 omen_top=?,? omen_by=0")
    assert not host.draws(state)
    assert play(state, "show major-04").omen_top == ("?",)


def test_the_virtual_hierophant_asks_about_each_card():  # STE-64
    state = play(at(f"{VIRTUAL} phase=omen hunt=swords-14"), "show major-05", "show cups-09")
    assert asks(state) == ("held", None)
    state = play(state, "held", "show cups-10", "fresh", "show cups-11", "fresh", "show cups-12", "fresh")
    assert asks(state) == ("order", None)
    state = play(state, "put cups-12", "put cups-10")
    assert state.top == ("cups-12", "cups-10", "cups-11")
    assert state.deck == 25
    state = at("drawing=virtual hands=?,?,?,?/?,?,?,?,? phase=refill asked=0 top=cups-12,cups-10")
    assert can(state) == ["deal cups-12"]  # its paper copy is taken out of the paper deck
    state = play(state, "deal cups-12")
    assert "cups-12" in state.hands[0]


def test_a_new_map_from_the_paper_deck_may_bring_ghosts():  # STE-71
    state = at(f"{VIRTUAL} phase=omen hunt=swords-14 ghosts=swords-14 held=cups-09")
    state = play(state, "show major-13")
    assert "ghost swords-14" in can(state)
    assert refused(state, "show cups-09") == "misread"
    state = play(state, "ghost swords-14")
    assert asks(state) == ("remap", None)
    assert play(state, "show cups-10").map[0] == "cups-10"


class PaperTable:
    """A real table beside the box: a shuffled paper deck and two hands, which answer truthfully.

    Both players keep their high cards and throw the lowest away, so a box that drew cards out of hands would hunt
    with higher ones. Nobody stands on the map, so
    nobody is hunted and every game goes on; kings bring only harmless omens.
    """

    def __init__(self, rng: random.Random, options: Options):
        self.rng = rng
        self.paper = list(HUNT)
        rng.shuffle(self.paper)
        self.hands: list[list[str]] = [[], []]
        self.state = SILENTES.new(options)

    def hunts(self, rounds: int) -> list[str]:
        """The hunt cards of the first rounds."""
        hunts: list[str] = []
        while len(hunts) < rounds:
            self.state, events = SILENTES.apply(self.state, self.answer())
            self.state = replace(self.state, tokens=(-1, -1)) if self.state.phase == "first" else self.state
            hunts += [event.card for event in events if isinstance(event, m.HuntShown)]
            for seat in (0, 1):  # what the box has counted, the players have drawn
                while len(self.hands[seat]) < len(self.state.hands[seat]):
                    self.hands[seat].append(self.paper.pop())
        return hunts

    def answer(self) -> Move:
        state = self.state
        match state.phase:
            case "map":
                return Show(self.paper.pop())
            case "hunt" if state.options.drawing == "table":
                return Show(self.paper.pop())
            case "refill":
                return m.Ghost(self.paper.pop()) if self.paper[-1] in state.ghosts else Deal(HIDDEN)
            case "held":
                return m.Held() if any(state.drawn[0] in hand for hand in self.hands) else m.Fresh()
            case "action":
                return m.Distract("wands")
            case "throw":
                hand = self.hands[state.turn]
                hand.sort(key=RANK_OF.__getitem__, reverse=True)
                return m.Discard(hand.pop())
            case "omen":
                return next(Show(omen) for omen in ("major-04", "major-08", "major-18") if omen in state.unseen_omens)
        return self.rng.choice(SILENTES.legal(state))


def chi_square(counts: Counter[str], others: Counter[str]) -> float:
    """How far two samples of the same size are from being drawn alike."""
    return sum((counts[kind] - others[kind]) ** 2 / (counts[kind] + others[kind]) for kind in counts | others)


def test_virtual_hunts_fall_like_those_of_a_shuffled_deck():
    rng = random.Random(20)
    games, rounds = 500, 7
    hunts: dict[str, list[list[str]]] = {}
    for drawing in ("table", "virtual"):
        options = SILENTES.options(drawing=drawing)
        hunts[drawing] = [PaperTable(rng, options).hunts(rounds) for _ in range(games)]
        assert all(len(set(game)) == rounds for game in hunts[drawing])
    for at_round in range(rounds):
        real, drawn = ([game[at_round] for game in hunts[drawing]] for drawing in ("table", "virtual"))
        # One time in a thousand two equal tables pass 77.4 for 44 cards, 29.6 for 11 ranks, 16.3 for 4 suits.
        assert chi_square(Counter(real), Counter(drawn)) < 77.4
        for kind, limit in ((RANK_OF, 29.6), (SUIT_OF, 16.3)):
            assert chi_square(*(Counter(str(kind[card]) for card in cards) for cards in (real, drawn))) < limit


def test_hunts_out_of_hands_would_show():
    """The test above can tell: among all cards the box hasn't seen are the high ones that players keep."""
    rng, options = random.Random(7), SILENTES.options(drawing="virtual")
    tables = [PaperTable(rng, options) for _ in range(400)]
    hunts = [table.hunts(8)[-1] for table in tables]
    assert abs(mean(RANK_OF[card] for card in hunts) - 9) < 0.5  # as in any shuffled deck
    assert mean(RANK_OF[card] for table in tables for card in table.state.unseen) > 9.6


def test_no_card_is_hunted_while_a_player_holds_it():
    table = PaperTable(random.Random(3), SILENTES.options(drawing="virtual"))
    table.hunts(5)
    assert not set(table.state.ghosts) & {card for hand in table.hands for card in hand}
    assert sum(map(len, table.hands)) == sum(map(len, table.state.hands))


def test_entrenching_is_offered_to_a_page_that_does_not_remember_the_card():
    """G-03: the shared page forgets what was played; whether the card is still in hand isn't for it to tell."""
    state = at("drawing=virtual hands=?,?,?,?,wands-06/?,?,?,?,? last=wands-06/- known=wands-06")
    assert m.Entrench() in SILENTES.legal(state)
    gave_it_away = replace(state, hands=((HIDDEN,) * 5, state.hands[1]), known=(), unseen=(*state.unseen, "wands-06"))
    assert m.Entrench() not in SILENTES.legal(gave_it_away)
    for kept in (state, gave_it_away):
        assert m.Entrench() in SILENTES.conceivable(SILENTES.view(kept, None))
    assert m.Entrench() not in SILENTES.conceivable(SILENTES.view(replace(state, last=((), ())), None))
