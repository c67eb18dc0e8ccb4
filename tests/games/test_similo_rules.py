"""Similo: setup, clues, removals, the giver's answer, winning and losing."""

from __future__ import annotations

import random

import pytest

from companion.games.similo.characters import DECKS
from tests.games.play import Table, at, new, play_out

GRID = (
    "aladdin", "alice", "big-bad-wolf", "captain-hook", "cinderella", "fox-and-the-cat", "giant", "jack",
    "little-red-riding-hood", "peter-pan", "pinocchio", "robin-hood",
)  # fmt: skip
HAND = ("genie", "hunter", "mad-hatter", "sea-witch", "snow-white")
SECRET = "little-red-riding-hood"
# The rulebook's example: Little Red Riding Hood is the secret; Snow White and The Genie are in the giver's hand.
RULEBOOK = f"similo characters_left={','.join(GRID)} secret={SECRET} hand={','.join(HAND)}"

LEFT = ",".join(card for card in GRID if card != "giant")
SECOND_ROUND = f"similo round=1 phase=remove characters_left={LEFT} removed=giant secret={SECRET} hand=hunter"


def laid(**options: object) -> Table:
    """A table with the grid of the example, up to the first clue."""
    table = new("similo", **options).do(*[f"show {card}" for card in GRID])
    if table.asks[0] == "secret":
        table.do(f"secret {SECRET}")
    while table.asks[0] == "deal":
        table.do(next(f"deal {card}" for card in HAND if card not in table.hand))
    return table


def remove(table: Table, *cards: str) -> Table:
    return table.do(f"remove {','.join(cards)}")


def test_fables_and_history_are_included_and_their_size_is_data():  # SIM-01
    assert len(DECKS["fables"]) == len(DECKS["history"]) == 32
    names = {str(new("similo").game.card(card)) for card in DECKS["fables"]}
    assert {"Little Red Riding Hood", "Snow White", "The Genie", "The Fox and the Cat", "Queen of Hearts",
            "Evil Queen"} <= names  # fmt: skip
    names = {str(new("similo").game.card(card)) for card in DECKS["history"]}
    assert {"Queen Elizabeth I", "Confucius", "Cleopatra"} <= names


@pytest.mark.parametrize("players", range(2, 9))
def test_two_to_eight_play_and_one_of_them_gives_clues(players):  # SIM-02
    table = laid(players=players, giver=players - 1)
    assert table.asks == ("clue", players - 1)


def test_twelve_characters_are_laid_then_the_secret_is_one_of_them():  # SIM-03
    table = new("similo")
    for card in GRID:
        assert table.asks == ("grid", None)
        table.do(f"show {card}")
    assert table.asks == ("secret", 0)
    assert table.legal == [f"secret {card}" for card in GRID]
    assert table.refuses("secret snow-white", "not_in_grid") == "Snow White isn't in the grid."


def test_only_the_giver_knows_the_secret():  # SIM-03, SIM-17
    table = new("similo").do(*[f"show {card}" for card in GRID], f"secret {SECRET}")
    assert table.heard(0) == ["Player 1 knows the secret: Little Red Riding Hood."]
    assert table.heard(1) == table.heard(None) == ["Player 1 knows the secret: a hidden card."]
    assert table.game.view(table.state, 1).secret == table.game.view(table.state, None).secret == "?"
    assert table.game.view(table.state, 0).secret == SECRET


def test_a_place_in_the_grid_means_nothing():  # SIM-04
    one = new("similo").do(*[f"show {card}" for card in GRID])
    other = new("similo").do(*[f"show {card}" for card in reversed(GRID)])
    assert one.state == other.state


def test_the_giver_gets_five_cards_of_the_rest_and_nobody_else_sees_them():  # SIM-05
    table = laid()
    assert table.hand == HAND
    assert table.pile == 32 - 12 - 5
    view = table.game.view(table.state, 2)
    assert view.hand == ("?",) * 5
    assert set(HAND) <= set(view.unseen)


def test_a_card_of_the_grid_cannot_be_dealt():  # SIM-05, G-11
    table = new("similo").do(*[f"show {card}" for card in GRID], f"secret {SECRET}")
    assert table.refuses("deal alice", "misread") == "Alice lies in the grid already."
    assert table.refuses("deal batman", "misread") == "batman isn't in the deck of this game."


def test_a_character_cannot_be_laid_twice():  # G-11
    new("similo").do("show alice").refuses("show alice", "misread")


def test_snow_white_upright_says_similar():  # SIM-11, the rulebook's example
    table = at(RULEBOOK).do("clue snow-white similar")
    assert table.told == ["Clue: Snow White, upright: similar."]
    assert table.asks == ("refill", 0)


def test_the_genie_across_says_different():  # SIM-11, the rulebook's example
    table = at(RULEBOOK).do("clue genie different")
    assert table.told == ["Clue: The Genie, across: different."]


def test_the_fox_and_the_cat_are_removed_after_snow_white():  # SIM-07, the rulebook's example
    table = at(RULEBOOK).do("clue snow-white similar", "deal dorothy")
    assert table.asks == ("remove", None)
    remove(table, "fox-and-the-cat")
    assert table.told == ["Removed: The Fox and the Cat."]
    assert table.asks == ("answer", 0)
    table.do("safe")
    assert table.told == ["The secret is still there. Characters left: 11."]
    assert table.asks == ("clue", 0)
    assert table.count == 2


def test_the_giver_draws_before_the_guessers_talk():  # SIM-06
    table = at(RULEBOOK).do("clue snow-white similar")
    assert len(table.hand) == 4
    assert table.refuses("remove alice", "not_now").startswith("“remove alice” isn't asked for now.")
    table.do("deal dorothy")
    assert table.heard(1) == ["Player 1 gets a hidden card."]
    assert len(table.hand) == 5


def test_one_two_three_four_and_one_are_removed():  # SIM-07, SIM-22
    table, counts = at(RULEBOOK), []
    others = [card for card in GRID if card != SECRET]
    for _ in range(5):
        table.do(f"clue {table.hand[0]} similar", f"deal {table.unseen[0]}")
        counts.append(table.count)
        remove(table, *others[: table.count]).do("safe")
        others = others[counts[-1] :]
    assert counts == [1, 2, 3, 4, 1]
    assert sum(counts) == 11
    assert table.told[1:] == [
        "The secret was Little Red Riding Hood.",
        "The game ends in round 5: everybody has won, the secret is found.",
    ]
    assert table.pending.winners == (0, 1, 2)
    assert table.pending.score == (5,)


@pytest.mark.parametrize("cards", ["alice", "alice,jack,peter-pan", "alice,alice", "-"])
def test_exactly_that_number_must_go_not_more_not_fewer(cards):  # SIM-07
    reason = at(SECOND_ROUND).refuses(f"remove {cards}", "wrong_number")
    assert reason.endswith(": exactly 2 must go now, each once.")


def test_a_character_that_is_gone_cannot_be_removed_again():  # SIM-10
    table = at(SECOND_ROUND)
    assert table.refuses("remove giant,alice", "not_in_grid") == "Giant isn't in the grid."


def test_the_order_inside_a_set_means_nothing():  # SIM-08
    one, other = remove(at(SECOND_ROUND), "alice", "jack"), remove(at(SECOND_ROUND), "jack", "alice")
    assert one.state == other.state
    assert one.legal == ["safe"]


def test_removing_the_secret_loses_at_once():  # SIM-08, SIM-22
    table = remove(at(RULEBOOK).do("clue snow-white similar", "deal dorothy"), SECRET)
    assert table.legal == ["lost"]
    table.do("lost")
    assert table.told == [
        "The secret was Little Red Riding Hood.",
        "The game ends in round 1: everybody has lost, the secret was removed.",
    ]
    assert table.pending.winners == ()
    assert table.pending.score == (0,)


def test_the_secret_anywhere_in_the_set_loses():  # SIM-08
    table = at(SECOND_ROUND)
    assert remove(table, "alice", SECRET).do("lost").pending.reason == "removed"


def test_after_confirmation_a_removal_stands():  # SIM-10
    table = remove(at(RULEBOOK).do("clue snow-white similar", "deal dorothy"), "alice")
    assert "alice" not in table.characters_left
    table.refuses("remove jack", "not_now")


def test_clues_lie_in_the_order_they_were_given_and_stay():  # SIM-12
    table = at(RULEBOOK).do("clue snow-white similar", "deal dorothy")
    remove(table, "alice").do("safe", "clue genie different", "deal tinker-bell")
    assert [(clue.card, clue.way) for clue in table.clues] == [("snow-white", "similar"), ("genie", "different")]


def test_a_clue_cannot_be_laid_again():  # SIM-12, G-11
    table = at(RULEBOOK).do("clue snow-white similar", "deal dorothy")
    remove(table, "alice").do("safe")
    reason = table.refuses("clue snow-white different", "misread")
    assert reason == "Snow White lies among the clues already."


def test_the_giver_must_play_one_of_the_hand_and_has_no_pass():  # SIM-13
    table = at(RULEBOOK)
    assert table.legal == [f"clue {card} {way}" for card in HAND for way in ("similar", "different")]
    assert table.refuses("clue dorothy similar", "not_held") == "Dorothy isn't in the clue giver's hand."
    table.refuses("clue alice similar", "misread")
    reason = table.refuses("clue snow-white ranked", "wrong_way")
    assert reason == "A clue can't be laid like that at this table: ranked."


def test_any_card_may_be_called_similar_or_different():  # SIM-14
    for way in ("similar", "different"):
        assert at(RULEBOOK).do(f"clue genie {way}").told


def test_a_word_of_the_giver_is_ignored():  # SIM-15
    table = at(RULEBOOK)
    assert table.refuses("spoken", "no_referee") == "Nobody referees the clue giver's silence at this table."


@pytest.mark.parametrize("moves", [
    [], ["clue genie different", "deal dorothy"], ["clue genie different", "deal dorothy", "remove alice"],
])  # fmt: skip
def test_a_word_of_the_giver_loses_where_the_table_says_so(moves):  # SIM-15
    table = at(f"{RULEBOOK} giver_violation=lose").do(*moves)
    assert table.legal[-1] == "spoken"
    table.do("spoken")
    assert table.told == ["The clue giver spoke.", "The game ends in round 1: the clue giver spoke."]
    assert table.pending.winners == ()


def test_there_is_no_early_win():  # SIM-16
    table = at(RULEBOOK).do("clue snow-white similar", "deal dorothy")
    remove(table, "alice").do("safe")
    assert table.asks == ("clue", 0)
    for claim in (f"secret {SECRET}", "safe", "lost"):
        table.refuses(claim, "not_now")


# Does the box know the secret?


def test_by_default_the_box_does_not_know_the_secret_and_trusts_the_giver():  # SIM-17
    table = laid(driver="table")
    assert table.secret == "?"
    table.do("clue snow-white similar")
    for card in ("alice", SECRET):
        answer = remove(Table(table.game, table.state), card)
        assert answer.legal == ["safe", "lost"]
        assert answer.verdict("safe") == answer.verdict("lost") == "unknown"
        assert answer.heard(None) == [f"Removed: {table.game.card(card)}."]


def test_a_safe_and_a_fatal_removal_look_alike_until_the_answer():  # SIM-17, G-05
    start = at(RULEBOOK).do("clue snow-white similar", "deal dorothy")
    safe, fatal = (remove(Table(start.game, start.state), card) for card in ("alice", SECRET))
    assert safe.asks == fatal.asks
    assert [type(event) for event in safe.events] == [type(event) for event in fatal.events]
    for table in (safe, fatal):
        view = table.game.view(table.state, 1)
        assert list(map(str, table.game.legal(view))) == ["Safe()", "Lost()"]


def test_a_box_that_knows_the_secret_lets_nobody_lie():  # SIM-17
    table = remove(at(RULEBOOK).do("clue snow-white similar", "deal dorothy"), "alice")
    assert table.refuses("lost", "not_true") == "It isn't lost: the secret is still there."
    table = remove(at(RULEBOOK).do("clue snow-white similar", "deal dorothy"), SECRET)
    assert table.refuses("safe", "not_true") == "It isn't safe: the secret was removed."


def test_when_lost_the_giver_names_the_secret():  # SIM-18
    table = at(f"similo driver=table round=1 phase=remove characters_left={LEFT} removed=giant hand=?")
    remove(table, "alice", "jack").do("lost")
    assert table.asks == ("which", None)
    assert table.legal == ["secret alice", "secret jack"]
    assert table.refuses("secret pinocchio", "not_removed") == "Pinocchio wasn't among the removed."
    table.do("secret jack")
    ends = "The game ends in round 2: everybody has lost, the secret was removed."
    assert table.told == ["The secret was Jack.", ends]
    assert table.pending.score == (1,)


def test_sealed_the_box_knows_the_secret_and_answers_itself():  # SIM-17
    table = laid(driver="table", secret_mode="sealed")
    assert table.secret == SECRET
    table.do("clue snow-white similar")
    remove(table, "alice")
    assert table.told == ["Removed: Alice.", "The secret is still there. Characters left: 11."]
    assert table.asks == ("clue", 0)
    table.do("clue genie different")
    remove(table, SECRET, "jack")
    assert table.told[1:] == [
        "The secret was Little Red Riding Hood.",
        "The game ends in round 2: everybody has lost, the secret was removed.",
    ]


def test_sealed_nothing_but_the_giver_sees_the_secret_before_the_end():  # SIM-17, G-05
    one = new("similo", driver="table", secret_mode="sealed").do(*[f"show {card}" for card in GRID], "secret alice")
    other = new("similo", driver="table", secret_mode="sealed").do(*[f"show {card}" for card in GRID], "secret jack")
    assert one.heard(1) == other.heard(1)
    assert one.game.view(one.state, 1) == other.game.view(other.state, 1)
    assert one.game.view(one.state, None) == other.game.view(other.state, None)


def test_a_secret_found_is_known_even_if_the_box_was_never_told():  # SIM-16, SIM-18
    removed = ",".join(card for card in GRID if card not in (SECRET, "jack"))
    table = at(f"similo driver=table round=4 phase=remove characters_left={SECRET},jack removed={removed} hand=?")
    remove(table, "jack").do("safe")
    assert table.told[1] == "The secret was Little Red Riding Hood."


def test_a_hidden_hand_gives_any_card_that_has_not_been_seen():  # G-01
    table = laid(driver="table")
    assert table.hand == ("?",) * 5
    assert table.verdict("clue snow-white similar") == "unknown"
    table.refuses("clue alice similar", "misread")
    table.do("clue snow-white similar")
    assert (table.hand, table.pile) == (("?",) * 5, 14)


@pytest.mark.parametrize("options", [
    {}, {"driver": "table"}, {"guess_mode": "individual"}, {"guess_mode": "majority", "players": 2},
    {"removal_check": "one_by_one"}, {"grid": 16}, {"rounds": 3}, {"rounds": 4}, {"refill": False}, {"hand_size": 2},
    {"clues_per_round": 3}, {"clue_deck": "history"}, {"secret_mode": "sealed"}, {"giver_violation": "lose"},
], ids=str)  # fmt: skip
def test_a_whole_game_can_be_played_with_every_option(options):
    chance = random.Random(5)
    for _ in range(5):
        table = play_out(new("similo", **options), chance.choice)
        assert table.pending.reason in ("found", "removed", "giver_spoke")
        assert (table.pending.winners != ()) == (len(table.characters_left) == 1 and table.pending.reason == "found")
