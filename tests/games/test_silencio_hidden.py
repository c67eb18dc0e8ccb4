"""Silencio where hands are hidden from the box: what it knows, what it trusts, what it calls a misread."""

from __future__ import annotations

import random

from tests.games.play import at, new, play_out

# Oracle red 5; two hidden cards each, the rest is in the deck.
HIDDEN = "silencio driver=table lit=- hands=?,?/?,?/?,? oracle=r5 "


def test_any_unseen_card_that_climbs_may_come_from_a_hidden_hand():  # G-01
    table = at(HIDDEN + "rows=r4/-/-/-")
    assert "play r6" in table.legal
    assert "play r3" not in table.legal
    assert table.verdict("play r6") == "unknown"
    assert table.verdict("play r3") == "no"


def test_a_card_from_a_hidden_hand_gets_its_face_when_it_is_played():  # G-02
    table = at(HIDDEN).do("play r6", "skip")
    assert table.hands[0] == ("?",)
    assert "r6" not in table.unseen
    assert table.rows[0] == ("r6",)


def test_a_pass_with_hidden_cards_is_a_matter_of_trust():  # SIL-16, G-01
    table = at(HIDDEN)
    assert table.verdict("pass") == "unknown"
    assert table.do("pass").told == ["Player 1 passes."]


def test_a_pass_is_certain_where_no_card_in_the_world_could_be_played():  # G-01
    table = at(HIDDEN + "rows=r10/b10/y10/g10")
    assert table.verdict("pass") == "yes"
    assert table.legal == ["pass"]


def test_a_pass_is_certain_with_an_empty_hand():  # SIL-16
    assert at("silencio driver=table lit=- hands=-/?/? oracle=r5").verdict("pass") == "yes"


def test_a_pass_is_refused_if_a_card_known_to_be_in_the_hand_could_be_played():  # SIL-10, G-03
    table = at("silencio driver=table lit=- hands=?,r6/?,?/?,?")
    assert table.verdict("play r6") == "yes"
    table.refuses("pass", "must_play")


def test_a_pass_is_refused_if_an_own_open_card_could_be_played():  # SIL-10
    at(HIDDEN + "open=g4/-/-").refuses("pass", "must_play")


def test_a_card_that_everybody_saw_entering_a_hand_is_known_to_be_there():  # G-03
    table = at(HIDDEN).do("play b2", "give r5 1", "show g9")
    assert table.hands == (("?",), ("?", "?", "r5"), ("?", "?"))
    assert table.known == ("r5",)


def test_a_known_card_is_shown_only_as_a_memory_aid():  # G-03
    line = "silencio driver=table lit=- hands=?,r6/?,?/?,? known=r6"
    for aid, hand in (("no", ("?", "?")), ("yes", ("?", "r6"))):
        table = at(f"{line} memory_aid={aid}")
        view = table.game.view(table.state, None)
        assert view.hands[0] == hand
        assert ("r6" in view.unseen) == (aid == "no")


def test_every_seat_sees_its_own_hand_and_no_other():  # G-02
    table = at("silencio hands=r4,b9/b4/y4")
    view = table.game.view(table.state, 0)
    assert view.hands == (("b9", "r4"), ("?",), ("?",))
    assert {"b4", "y4"} <= set(view.unseen)
    assert table.game.view(table.state, None).hands == (("?", "?"), ("?",), ("?",))


def test_a_view_does_not_tell_apart_what_the_seat_cannot_know():  # G-04, G-05
    one, other = at("silencio hands=r4,b9/b4/y4"), at("silencio hands=r4,b9/y4/b4")
    assert one.game.view(one.state, 0) == other.game.view(other.state, 0)


def test_a_hidden_card_passed_makes_the_box_forget_what_it_knew_of_that_hand():  # G-03
    table = at("silencio driver=table lit=- hands=?,r6,g4/?,?/?,? known=r6,g4").do("play g4", "choose 0", "swap 1 ?")
    assert table.hands == (("?",), ("?", "?", "?"), ("?", "?"))
    assert table.known == ()
    assert table.adrift == ("r6",)
    assert table.verdict("return ?") == "yes"
    table.do("return ?")
    assert table.verdict("play r6") == "unknown"  # either of the two may have it now
    assert table.verdict("pass") == "unknown"


def test_a_card_that_changed_hands_unseen_cannot_come_from_the_deck():  # G-11
    table = at("silencio driver=table lit=- hands=?,r6,g4/?,b2/?,? known=r6,g4 oracle=g9")
    table.do("play g4", "choose 0", "swap 1 ?", "return ?", "play b2", "give g9 0")
    assert "show r6" not in table.legal
    assert table.refuses("show r6", "misread") == "red 6 has been seen already: it can't come again."
    table.do("show b9", "play r6")
    assert table.adrift == ()


def test_where_every_hidden_card_was_seen_before_no_other_can_be_played():  # G-11
    table = at("silencio driver=table lit=- hands=?/?/- adrift=r6,b9")
    assert table.legal == ["play b9", "play r6", "pass"]
    assert table.refuses("play g9", "not_held") == "green 9 isn't in that hand."
    assert at("silencio driver=table lit=- hands=?/?/- adrift=r6,b9 rows=r7/b10/-/-").verdict("pass") == "yes"


def test_the_only_card_of_a_hand_is_still_known_when_it_is_passed():  # G-03
    table = at("silencio driver=table lit=- hands=r6,g4/?,?/?,? known=r6,g4").do("play g4", "choose 0", "swap 1 ?")
    assert table.hands[1] == ("?", "?", "r6")
    assert table.known == ("r6",)


def test_an_open_card_given_away_keeps_its_face():  # SIL-27, G-03
    table = at("silencio driver=table lit=- hands=?,?/?,?/?,? open=r6/-/-").do("play g4", "choose 0", "swap 2 r6")
    assert table.hands[2] == ("?", "?", "r6")
    assert table.adrift == ()


def test_the_box_is_not_told_which_hidden_card_was_swapped():  # SIL-27
    table = at(HIDDEN).do("play g4", "choose 1")
    assert table.legal == ["swap 2 ?", "swap 0 ?", "oracle r5", "renew"]
    table.refuses("swap 2 b4", "effect_card")


def test_a_card_put_back_for_the_oracle_is_seen():  # SIL-27
    table = at(HIDDEN).do("play g4", "choose 1", "oracle r5", "return b7")
    assert table.oracle == ("b7",)
    assert table.hands[1] == ("?", "r5")
    assert "b7" not in table.unseen


def test_any_unseen_card_may_be_laid_open():  # SIL-25
    table = at(HIDDEN).do("play y4", "open b7")
    assert table.open[0] == ("b7",)
    assert table.hands[0] == ()


def test_a_card_seen_twice_is_a_misread():  # G-11
    table = at(HIDDEN + "rows=-/b4/-/- open=-/g4/-")
    assert table.refuses("play b4", "misread") == "blue 4 lies in the blue row already."
    table.do("play r6", "skip")
    assert table.refuses("play r6", "misread") == "red 6 lies in the red row already."


def test_a_card_known_to_be_in_another_hand_cannot_be_played():  # G-11
    table = at("silencio driver=table lit=- hands=?,?/?,r6/?,? known=r6")
    assert table.refuses("play r6", "not_held") == "red 6 isn't in that hand."


def test_a_blind_draw_tells_its_face_only_if_it_is_played():  # SIL-26g
    table = at(HIDDEN + "markers=random rows=r9/-/-/-")
    assert table.legal == ["draw", "pass"]
    table.do("draw")
    assert table.legal[-1] == "drawn ?"
    assert "drawn r8" not in table.legal
    assert table.verdict("drawn ?") == table.verdict("drawn b4") == "unknown"
    table.do("drawn ?")
    assert table.told == ["Player 1 drew a card blind and can't play it: it goes back, unseen."]
    assert table.hands[0] == ("?", "?")
    assert "play b4" in table.legal


def test_a_draw_cannot_fail_where_every_card_that_is_left_can_be_played():  # SIL-26c
    table = at(HIDDEN + "markers=random").do("draw")
    assert "drawn ?" not in table.legal
    assert table.refuses("drawn ?", "not_held") == "a hidden card can't have been drawn from that hand."


def test_a_failed_draw_that_is_shown_is_known_from_then_on():  # SIL-26g
    table = at(HIDDEN + "show_failed_random=yes markers=random rows=r9/-/-/-").do("draw")
    assert "drawn ?" not in table.legal
    table.do("drawn r8")
    assert table.told == ["Player 1 drew red 8 blind, can't play it and shows it."]
    assert table.hands[0] == ("?", "r8")


def test_a_drawn_card_that_is_not_in_the_deck_is_a_misread():  # G-11
    table = at(HIDDEN + "markers=random").do("draw")
    assert table.refuses("drawn r13", "misread") == "red 13 isn't in a game for 3."


def test_a_shrine_with_hidden_cards_is_trusted_and_logged_if_a_pass_follows():  # SIL-31
    table = at("silencio driver=table lit=red hands=?,?/?,?/?,?").do("shrine red", "use", "pass")
    assert table.told[1] == "Against the rules, player 1: a shrine was used in a turn that ended in a pass."
    assert table.markers == ("skip_dark",)
    assert table.lit == ()


def test_a_shrine_with_a_hand_that_surely_cannot_play_is_refused():  # SIL-31
    table = at("silencio driver=table lit=red hands=?,?/?,?/?,? rows=r10/b10/y10/g10")
    table.refuses("shrine red", "shrine_no_play")


def test_counts_stay_right_whatever_is_hidden():  # G-02
    chance = random.Random(3)
    for _ in range(10):
        table = new("silencio", driver="table", players=3)
        while table.legal:
            table.do(chance.choice(table.legal))
            hidden = sum(hand.count("?") for hand in table.hands)
            assert table.deck + hidden == len(table.unseen)
            assert table.deck >= 0
            assert len(table.adrift) <= hidden
            assert set(table.known) <= {card for hand in table.hands for card in hand}


def test_the_shared_page_hears_no_hidden_card():  # G-02
    table = at("silencio lit=- hands=g4,r9/b4,b9/y4").do("play g4", "choose 1", "swap 2 b9")
    assert table.heard(None) == table.heard(0) == ["Player 2 gives a hidden card to player 3."]
    play_out(table, random.Random(1).choice)
