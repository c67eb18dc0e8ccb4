"""Similo: two decks, ways to guess, the listed variants, custom decks and states written by hand."""

from __future__ import annotations

import pytest

from companion.games.game import BadOptions, BadState
from tests.games.play import Table, at, new, values_of
from tests.games.test_similo_rules import GRID, HAND, RULEBOOK, SECRET, laid, remove

HISTORY = ("boudica", "cleopatra", "confucius", "hypatia", "queen-elizabeth-i")


# Two decks.


def with_history(**options: object) -> Table:
    """Characters from Fables with the Queen of Hearts as the secret, clues from History."""
    grid = [card for card in GRID if card != "giant"] + ["queen-of-hearts"]
    table = new("similo", clue_deck="history", **options).do(*[f"show {card}" for card in grid])
    return table.do("secret queen-of-hearts", *[f"deal {card}" for card in HISTORY])


def test_queen_elizabeth_upright_points_to_the_queen_of_hearts():  # SIM-19, the rulebook's example
    table = with_history().do("clue queen-elizabeth-i similar")
    assert table.told == ["Clue: Queen Elizabeth I, upright: similar."]


def test_confucius_across_points_away_from_him():  # SIM-19, the rulebook's example
    assert with_history().do("clue confucius different").told == ["Clue: Confucius, across: different."]


def test_cleopatra_may_lead_to_the_evil_queen():  # SIM-19, the rulebook's challenge
    grid = [card for card in GRID if card != "giant"] + ["evil-queen"]
    table = new("similo", clue_deck="history").do(*[f"show {card}" for card in grid], "secret evil-queen")
    assert "deal cleopatra" in table.legal
    assert "deal snow-white" not in table.legal


def test_hand_and_refills_come_from_the_clue_deck_only():  # SIM-19
    table = with_history()
    assert table.pile == 32 - 5
    reason = table.refuses("clue snow-white similar", "misread")
    assert reason == "Snow White can't come here: it's elsewhere, or of the other deck."
    table.do("clue confucius different")
    table.refuses("deal snow-white", "misread")
    table.do("deal marie-curie")
    assert "marie-curie" in table.hand


def test_the_grid_comes_from_the_character_deck_only():  # SIM-19
    new("similo", clue_deck="history").refuses("show confucius", "misread")


def test_the_same_figure_in_both_decks_is_legal():  # SIM-19
    clues = ["alice", *(f"clue-{number}" for number in range(9))]
    table = new("similo", driver="table", clue_deck="custom", clue_characters=clues).do(*[f"show {c}" for c in GRID])
    assert table.do("clue alice similar").told == ["Clue: Alice, upright: similar."]


def test_naming_the_same_deck_twice_is_one_deck():  # SIM-19
    table = new("similo", driver="table", clue_deck="fables").do(*[f"show {card}" for card in GRID])
    assert "clue alice similar" not in table.legal


# Ways to guess.


def test_the_group_decides_together_and_anybody_may_confirm():  # SIM-09
    assert at(RULEBOOK).do("clue genie different", "deal dorothy").asks == ("remove", None)


def majority(**options: object) -> Table:
    return laid(players=4, guess_mode="majority", **options).do("clue genie different", "deal dorothy")


def test_a_majority_of_votes_decides():  # SIM-09
    table = majority()
    assert table.asks == ("vote", 1)
    assert table.do("vote alice").told == ["Player 2 votes to remove Alice."]
    assert table.do("vote jack").asks == ("vote", 3)
    table.do("vote alice")
    assert table.told == ["Player 4 votes to remove Alice.", "Removed: Alice."]
    assert table.asks == ("answer", 0)


def test_a_tie_decides_nothing_and_they_discuss_again():  # SIM-09
    table = majority().do("vote alice", "vote jack", "vote giant")
    assert table.told[1] == "The votes are tied: discuss again."
    assert table.asks == ("vote", 1)
    assert len(table.characters_left) == 12
    table.do("vote jack", "vote jack", "vote giant")
    assert table.told[1] == "Removed: Jack."


def test_with_several_to_remove_the_most_named_go():  # SIM-09
    table = majority().do("vote alice", "vote alice", "vote alice", "safe", "clue hunter similar", "deal evil-queen")
    assert table.count == 2
    table.do("vote jack,giant", "vote jack,pinocchio", "vote giant,robin-hood")
    assert table.told[1] == "Removed: Giant, Jack."


def test_a_tie_for_the_last_place_is_a_tie():  # SIM-09
    table = majority().do("vote alice", "vote alice", "vote alice", "safe", "clue hunter similar", "deal evil-queen")
    table.do("vote jack,giant", "vote jack,pinocchio", "vote jack,robin-hood")
    assert table.told[1] == "The votes are tied: discuss again."


def test_one_guesser_is_a_majority():  # SIM-09
    table = laid(players=2, guess_mode="majority").do("clue genie different", "deal dorothy", "vote alice")
    assert table.told[1] == "Removed: Alice."


def test_votes_and_removals_do_not_replace_each_other():  # SIM-09
    majority().refuses("remove alice", "not_now")
    at(RULEBOOK).do("clue genie different", "deal dorothy").refuses("vote alice", "not_now")


def test_a_vote_names_as_many_as_must_go():  # SIM-09, SIM-07
    assert majority().refuses("vote alice,jack", "wrong_number") == "Alice, Jack: exactly 1 must go now, each once."


def test_guessers_may_take_turns_to_decide_alone():  # SIM-09
    table = laid(players=3, giver=1, guess_mode="individual")
    seats = []
    for cards in (["alice"], ["jack", "giant"], ["pinocchio", "robin-hood", "aladdin"]):
        table.do(f"clue {table.hand[0]} similar", f"deal {table.unseen[0]}")
        seats.append(table.asks)
        remove(table, *cards).do("safe")
    assert seats == [("remove_alone", 0), ("remove_alone", 2), ("remove_alone", 0)]


# One by one.


def test_one_by_one_each_removal_is_checked_before_the_next():  # SIM-08
    table = laid(removal_check="one_by_one", secret_mode="sealed")
    table.do("clue genie different", "deal dorothy", "remove alice", "clue hunter similar", "deal evil-queen")
    assert table.refuses("remove jack,giant", "wrong_number") == "Giant, Jack: exactly 1 must go now, each once."
    table.do("remove jack")
    assert table.told == ["Removed: Jack.", "The secret is still there. Characters left: 10."]
    assert table.asks == ("remove", None)
    table.do("remove giant")
    assert table.asks == ("clue", 0)
    assert table.round == 2


def test_one_by_one_the_giver_answers_each_time():  # SIM-08, SIM-17
    table = laid(removal_check="one_by_one").do("clue genie different", "deal dorothy", "remove alice", "safe")
    table.do("clue hunter similar", "deal evil-queen", "remove jack")
    assert table.asks == ("answer", 0)
    assert table.do("safe").asks == ("remove", None)
    assert table.do(f"remove {SECRET}", "lost").pending.reason == "removed"


# The distributor's variants.


def test_a_hand_of_two():  # SIM-21
    table = new("similo", hand_size=2, driver="table").do(*[f"show {card}" for card in GRID])
    assert table.hand == ("?", "?")
    assert table.do("clue genie different").hand == ("?", "?")


def test_one_hand_of_five_without_refill():  # SIM-21
    table = laid(refill=False).do("clue genie different")
    assert table.asks == ("remove", None)
    assert len(table.hand) == 4


def test_without_refill_the_hand_must_last():  # SIM-21
    with pytest.raises(BadOptions, match="Without refill the hand must hold all 5 clues"):
        new("similo", refill=False, hand_size=4)
    assert new("similo", refill=False, hand_size=4, rounds=4)


def test_sixteen_characters_and_five_in_the_last_round():  # SIM-21
    grid = [*GRID, "dorothy", "evil-queen", "tinker-bell", "tin-woodman"]
    table = new("similo", grid=16, driver="table").do(*[f"show {card}" for card in grid])
    counts = []
    others = [card for card in sorted(grid) if card != SECRET]
    for clue in HAND:
        table.do(f"clue {clue} similar")
        counts.append(table.count)
        remove(table, *others[: table.count]).do("safe")
        others = others[counts[-1] :]
    assert counts == [1, 2, 3, 4, 5]
    assert table.pending.reason == "found"


def test_three_clues_a_round_are_ranked():  # SIM-21
    table = laid(clues_per_round=3)
    assert table.legal == [f"clue {card} ranked" for card in HAND]
    table.refuses("clue genie similar", "wrong_way")
    table.do("clue snow-white ranked", "clue hunter ranked")
    assert table.asks == ("clue", 0)
    table.do("clue genie ranked")
    assert [clue.card for clue in table.clues] == ["snow-white", "hunter", "genie"]
    assert table.asks == ("refill", 0)
    table.do("deal dorothy", "deal evil-queen", "deal tinker-bell")
    assert table.asks == ("remove", None)
    assert len(table.hand) == 5


@pytest.mark.parametrize(("size", "enough"), [(28, False), (29, True), (32, True)])
def test_three_clues_a_round_need_twenty_nine_cards(size, enough):  # SIM-21
    deck = [f"card-{number}" for number in range(size)]
    if enough:
        assert new("similo", clues_per_round=3, deck="custom", characters=deck)
    else:
        with pytest.raises(BadOptions, match="deck has 28 cards; this game needs 29"):
            new("similo", clues_per_round=3, deck="custom", characters=deck)


def test_an_empty_pile_refills_nothing():  # SIM-20
    deck = [f"card-{number:02}" for number in range(29)]
    table = new("similo", clues_per_round=3, deck="custom", characters=deck, driver="table")
    table.do(*[f"show {card}" for card in deck[:12]])
    others = deck[1:12]
    for round_ in range(5):
        table.do(*[f"clue {card} ranked" for card in deck[12 + 3 * round_ :][:3]])
        gone, others = others[: table.count], others[table.count :]
        remove(table, *gone).do("safe")
    assert table.pile == 0
    assert len(table.hand) == 2
    assert table.pending.reason == "found"


@pytest.mark.parametrize(("rounds", "first"), [(3, 9), (4, 8)])
def test_with_fewer_rounds_the_giver_says_how_many_go(rounds, first):  # SIM-21
    table = laid(rounds=rounds)
    assert table.asks == ("announce", 0)
    assert table.legal == [f"announce {count}" for count in range(1, first + 1)]
    reason = table.refuses(f"announce {first + 1}", "wrong_number")
    assert reason == f"{first + 1} can't go this round: from 1 to {first}."
    table.refuses("announce 0", "wrong_number")
    assert table.do("announce 3").told == ["Characters to remove this round: 3."]
    assert table.asks == ("clue", 0)


def test_the_numbers_add_up_to_all_but_the_secret():  # SIM-21
    table = laid(rounds=3)
    others = [card for card in GRID if card != SECRET]
    for count in (4, 6, 1):
        assert f"announce {count}" in table.legal
        table.do(f"announce {count}", f"clue {table.hand[0]} similar", f"deal {table.unseen[0]}")
        gone, others = others[:count], others[count:]
        remove(table, *gone).do("safe")
    assert table.pending.reason == "found"
    assert table.pending.score == (3,)


def test_the_last_number_is_what_remains():  # SIM-21
    table = laid(rounds=3).do("announce 1", "clue genie different", "deal dorothy", "remove alice", "safe")
    table.do("announce 2", "clue hunter similar", "deal evil-queen", "remove giant,jack", "safe")
    assert table.legal == ["announce 8"]


# Decks as data.


def test_any_deck_of_twenty_two_cards_will_do():  # SIM-01
    deck = [f"card-{number:02}" for number in range(22)]
    table = new("similo", deck="custom", characters=deck).do(*[f"show {card}" for card in deck[:12]])
    assert str(table.game.card("card-03")) == "card-03"
    table.do("secret card-03", *[f"deal {card}" for card in deck[12:17]])
    for round_, gone in enumerate((["00"], ["01", "02"], ["04", "05", "06"], ["07", "08", "09", "10"], ["11"])):
        table.do(f"clue {deck[12 + round_]} similar", f"deal {deck[17 + round_]}")
        remove(table, *[f"card-{number}" for number in gone]).do("safe")
    assert table.pending.reason == "found"
    assert table.pile == 0


@pytest.mark.parametrize(("options", "reason"), [
    ({"deck": "custom", "characters": [f"c{n}" for n in range(21)]}, "deck has 21 cards; this game needs 22."),
    ({"deck": "custom"}, "deck has 0 cards; this game needs 22."),
    ({"clue_deck": "custom", "clue_characters": [f"c{n}" for n in range(9)]},
     "clue_deck has 9 cards; this game needs 10."),
    ({"deck": "custom", "characters": [f"c{n}" for n in range(11)], "clue_deck": "history"},
     "deck has 11 cards; this game needs 12."),
    ({"deck": "custom", "characters": [f"c{n}" for n in range(25)], "grid": 16},
     "deck has 25 cards; this game needs 26."),
])  # fmt: skip
def test_a_deck_that_is_too_small_is_refused(options, reason):  # SIM-01, SIM-19
    with pytest.raises(BadOptions) as refusal:
        new("similo", **options)
    assert refusal.value.code == "small_deck"
    assert str(refusal.value.reason) == reason


@pytest.mark.parametrize("bad", ["two words", "?", "comma,ed", "a=b", "slash/ed", "", "-"])
def test_a_card_id_must_be_a_simple_word(bad):  # SIM-01
    with pytest.raises(BadOptions) as refusal:
        new("similo", deck="custom", characters=[bad, *(f"c{number}" for number in range(25))])
    assert refusal.value.code == "bad_deck"


def test_a_card_comes_once_in_a_deck():  # SIM-01
    with pytest.raises(BadOptions) as refusal:
        new("similo", deck="custom", characters=["twin", "twin", *(f"c{number}" for number in range(25))])
    assert refusal.value.code == "bad_deck"


@pytest.mark.parametrize("options", [
    {"players": 1}, {"players": 9}, {"giver": 3}, {"hand_size": 2, "clues_per_round": 3},
    {"refill": False, "clues_per_round": 3}, {"grid": 20}, {"rounds": 6}, {"timer": 3},
], ids=str)  # fmt: skip
def test_options_that_do_not_fit_are_refused(options):  # SIM-02, SIM-21
    with pytest.raises(BadOptions):
        new("similo", **options)


@pytest.mark.parametrize("option", ["players", "driver", "giver", "deck", "clue_deck", "guess_mode", "removal_check",
                                    "secret_mode", "hand_size", "grid", "rounds", "refill", "clues_per_round",
                                    "giver_violation"])  # fmt: skip
def test_every_option_takes_its_values_and_nothing_else(option):
    game = new("similo").game
    beside = {"players": 8} if option == "giver" else {}
    for value in values_of("similo", option):
        if value != "custom":
            assert getattr(game.options(**{option: value, **beside}), option) == value
    for value in ("maybe", None, 17):
        with pytest.raises(BadOptions) as refusal:
            game.options(**{option: value, **beside})
        assert refusal.value.code == "bad_option"


def test_there_is_no_clock():  # SIM-13, SIM-23
    names = [name for name in new("similo").state.__struct_fields__ if "time" in name or "clock" in name]
    assert names == []


# States written by hand.

ALL = ",".join(GRID)
BAD = [
    (f"characters_left={ALL},alice", "card_twice", "Alice can't be in two places."),
    (f"characters_left={ALL} hand=alice", "card_twice", "Alice can't be in two places."),
    (f"characters_left={ALL} hand=batman", "no_such_card", "There is no batman in that deck."),
    ("characters_left=alice,jack", "impossible", "This can't be at a table: characters_left."),
    (f"characters_left={ALL} hand=hunter secret=genie", "impossible", "This can't be at a table: secret."),
    (f"characters_left={ALL} hand=hunter round=5", "impossible", "This can't be at a table: round."),
    (f"characters_left={ALL} hand=hunter round=4", "impossible", "This can't be at a table: count."),
    (f"characters_left={ALL} hand=hunter phase=remove count=5", "impossible", "This can't be at a table: count."),
    (f"characters_left={ALL} hand=hunter phase=answer", "impossible", "This can't be at a table: taken."),
    (f"characters_left={ALL} hand=hunter pile=3", "impossible", "This can't be at a table: pile."),
    (f"characters_left={ALL} hand=hunter,genie,dorothy hand_size=2", "impossible", "This can't be at a table: hand."),
    (f"characters_left={ALL} hand=hunter played=1", "impossible", "This can't be at a table: played."),
    (f"characters_left={ALL} hand=hunter phase=over", "impossible", "This can't be at a table: reason."),
    (f"characters_left={ALL}", "impossible", "This can't be at a table: hand."),
    (f"characters_left={ALL} hand=hunter moon=full", "unknown_field", "similo has no field moon."),
]


@pytest.mark.parametrize(("line", "code", "reason"), BAD)
def test_a_state_that_cannot_be_is_refused_with_its_reason(line, code, reason):
    with pytest.raises(BadState) as refusal:
        at(f"similo {line}")
    assert refusal.value.code == code
    assert str(refusal.value.reason).startswith(reason)
