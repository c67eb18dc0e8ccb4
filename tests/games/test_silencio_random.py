"""Silencio: the next player plays a card at random."""

from __future__ import annotations

from tests.games.play import at


def test_a_dark_yellow_card_binds_the_next_player_to_play():  # SIL-26a
    table = at("silencio lit=- hands=y2,r9/b4,g9/r4").do("play y2")
    assert table.told[1:] == [
        "Effect: the next player draws blind from their hand.",
        "From now: the next player draws blind from their hand.",
    ]
    assert table.legal == ["draw"]
    assert table.asks == ("turn", 1)


def test_a_random_play_persists_over_passes():  # SIL-26a
    table = at("silencio lit=- hands=y2,r9/b4/r4 rows=-/b5/-/-").do("play y2", "pass")
    assert table.markers == ("random",)
    assert table.legal == ["draw"]


def test_only_hidden_cards_are_shuffled():  # SIL-26b
    table = at("silencio lit=- hands=r4,g9/b4/y4 open=b9/-/- markers=random").do("draw")
    assert table.asks == ("draw", 0)
    assert table.legal == ["drawn g9", "drawn r4"]
    assert table.refuses("drawn b9", "not_held") == "blue 9 can't have been drawn from that hand."


def test_the_card_drawn_is_played_and_creates_its_effect():  # SIL-26h
    table = at("silencio lit=- hands=r4,g9/b4/y4 markers=random").do("draw", "drawn r4")
    assert table.told == ["Player 1 plays red 4, light side up.", "Effect: the next card's dark effect is skipped."]
    assert table.markers == ()
    assert table.asks == ("skip_dark", 0)


def test_a_card_that_cannot_be_played_goes_back_and_a_normal_turn_follows():  # SIL-26c
    table = at("silencio lit=- hands=r4,g9/b4/y4 open=b9/y9/- rows=r5/-/-/- markers=random").do("draw", "drawn r4")
    assert table.hands[0] == ("g9", "r4")
    assert table.legal == ["play g9", "play b9", "play y9"]
    assert table.markers == ("random",)
    assert table.do("play b9", "skip").markers == ()


def test_nobody_draws_twice_in_a_turn():  # SIL-26c
    table = at("silencio lit=- hands=r4,g9/b4/y4 rows=r5/-/-/- markers=random").do("draw", "drawn r4")
    assert table.refuses("draw", "no_draw") == "No card has to be drawn blind."


def test_the_draw_comes_before_any_free_choice():  # SIL-26d
    table = at("silencio lit=- hands=r4,g9/b4/y4 open=b9/y9/- markers=random")
    assert table.legal == ["draw"]
    for card in ("r4", "b9", "y9"):
        reason = table.refuses(f"play {card}", "draw_first")
        assert reason == f"{table.game.card(card)} can't be chosen: a card must be drawn blind first."


def test_a_pass_does_not_dodge_the_draw():  # SIL-26d
    table = at("silencio lit=- hands=r4,g9/b4/y4 markers=random")
    assert table.refuses("pass", "draw_first") == "A pass isn't allowed: a card must be drawn blind first."


def test_an_own_open_card_obliges_to_draw_first():  # SIL-26d
    table = at("silencio lit=- hands=r4/b4/y4 open=g9/-/- rows=r5/-/-/- markers=random")
    assert table.legal == ["draw"]
    assert table.do("draw", "drawn r4").legal == ["play g9"]


def test_without_hidden_cards_the_turn_is_normal_and_uses_the_marker_up():  # SIL-26e
    table = at("silencio lit=- hands=-/b4/y4 open=g5,g9/-/- markers=random")
    assert table.legal == ["play g5", "play g9"]
    assert table.do("play g5", "skip").markers == ()


def test_a_player_with_nothing_to_play_simply_passes():  # SIL-26f
    table = at("silencio lit=- hands=r4/b4/y4 rows=r5/-/-/- markers=random")
    assert table.legal == ["pass"]


def test_who_wants_to_borrow_must_draw_blind_first():  # SIL-26f
    table = at("silencio lit=- hands=r4/b4/y4 open=-/g9/- rows=r5/-/-/- markers=random")
    assert table.legal == ["draw", "pass"]
    table.refuses("play g9", "draw_first")
    assert table.do("draw", "drawn r4").legal == ["play g9", "pass"]
    assert table.do("pass").markers == ("random",)
    assert table.legal == ["draw"]


def test_a_failed_draw_is_not_shown():  # SIL-26g
    table = at("silencio lit=- hands=r4,g9/b4/y4 rows=r5/-/-/- markers=random").do("draw", "drawn r4")
    assert table.heard(0) == ["Player 1 drew red 4 blind and can't play it."]
    assert (
        table.heard(1) == table.heard(None) == ["Player 1 drew a card blind and can't play it: it goes back, unseen."]
    )
    assert table.known == ()


def test_a_failed_draw_is_shown_where_the_table_says_so():  # SIL-26g
    table = at("silencio show_failed_random=yes lit=- hands=r4,g9/b4/y4 rows=r5/-/-/- markers=random")
    table.do("draw", "drawn r4")
    assert table.heard(None) == ["Player 1 drew red 4 blind, can't play it and shows it."]
    assert table.known == ("r4",)
    assert table.hands[0] == ("g9", "r4")


def test_a_shrine_at_the_start_comes_before_the_draw():  # SIL-26i
    table = at("silencio lit=yellow,red hands=r4,g9/b4/y4 markers=random").do("shrine yellow", "open r4")
    assert table.legal == ["draw"]
    assert table.do("draw").legal == ["drawn g9"]


def test_after_the_draw_it_is_too_late_for_a_shrine_at_the_start():  # SIL-26i
    table = at("silencio lit=red hands=r4,g9/b4/y4 rows=r5/-/-/- markers=random").do("draw", "drawn r4")
    assert table.offers("shrine") == []
    assert table.refuses("shrine red", "shrine_after_draw") == "A shrine comes before the blind draw, not after it."
    assert "shrine red" in table.do("play g9", "skip").legal


def test_a_random_last_card_in_succession_has_no_effect():  # SIL-26h, SIL-14
    table = at("silencio lit=- hands=r2/b4/y4 markers=random").do("draw", "drawn r2")
    assert table.told[1] == "No effect: it was the player's last card."


def test_a_skip_taken_at_the_start_protects_the_random_card():  # SIL-22, SIL-26i
    table = at("silencio lit=red hands=y2,y9/b4/y4 markers=random").do("shrine red", "use", "draw", "drawn y2")
    assert table.told[1] == "No effect: it was skipped."


def test_a_random_card_may_bind_the_next_player_again():  # SIL-26h
    table = at("silencio lit=- hands=y2,y9/b4/y4 markers=random").do("draw", "drawn y2")
    assert table.markers == ("random",)
    assert table.legal == ["draw"]


def test_no_card_is_drawn_without_a_random_play():  # SIL-26
    table = at("silencio lit=- hands=r4/b4/y4")
    table.refuses("draw", "no_draw")
    table.refuses("drawn r4", "not_now")
