"""Silencio: the tavern, and a table that referees its silence."""

from __future__ import annotations

import pytest

from tests.games.play import at

# Every test here starts with two dark effects counted.
TAVERN = "silencio tavern=yes dark_count=2 lit=- "


def test_without_the_variant_there_is_no_tavern():  # SIL-50
    table = at("silencio lit=- hands=r2,r9/b4/y4").do("play r2")
    assert (table.dark_count, table.tavern_open) == (0, False)
    assert table.refuses("tavern please_not red", "tavern_closed") == "The tavern is closed."


def test_it_opens_with_the_third_dark_effect():  # SIL-50, SIL-51
    table = at("silencio tavern=yes lit=- hands=r2,r9/b2,b9/y2,y9 oracle=g5,g6,g7").do("play r2")
    assert table.dark_count == 1
    table.do("play b2", "give g5 0", "show g8")
    assert (table.dark_count, table.tavern_open) == (2, False)
    table.do("play y2")
    assert table.tavern_open
    assert "The tavern opens." in table.told


@pytest.mark.parametrize(("line", "move"), [
    ("hands=r2,r9/b4/y4 markers=skip_dark", "play r2"),  # skipped
    ("hands=r2/b4/y4", "play r2"),  # the last card
    ("hands=g10,r9/b4/y4 rows=-/-/-/g9", "play g10"),  # the highest green
    ("hands=r4,r9/b4/y4", "play r4"),  # light
])  # fmt: skip
def test_a_dark_effect_that_is_not_created_does_not_count(line, move):  # SIL-50
    table = at(TAVERN + line).do(move)
    assert (table.dark_count, table.tavern_open) == (2, False)


def test_a_created_effect_that_can_do_nothing_counts():  # SIL-50, SIL-24
    table = at(TAVERN + "box=rest hands=b2,b9/r4/y4").do("play b2")
    assert table.tavern_open


def test_effects_created_while_it_is_open_are_not_banked():  # SIL-51
    table = at(TAVERN + "hands=r2,r9/y2,y9/y4").do("play r2", "done", "play y2", "done")
    assert table.tavern_open
    assert table.dark_count == 3
    table.do("tavern please_not red")
    assert (table.dark_count, table.tavern_open) == (0, False)


def test_after_its_use_it_needs_three_new_dark_effects():  # SIL-51
    table = at(TAVERN + "hands=r2,r9/y9,b9/y4").do("play r2", "tavern only_high red")
    assert table.told == ["Player 1 says in the tavern: “In red I have only high cards.”"]
    assert (table.dark_count, table.tavern_open) == (0, False)
    assert table.asks == ("turn", 1)


def test_it_may_be_used_at_the_start_of_a_turn():  # SIL-52
    table = at("silencio tavern=yes tavern_open=yes dark_count=3 lit=- hands=r4,r9/b4/y4").do("tavern please_not blue")
    assert table.told == ["Player 1 says in the tavern: “Rather not blue, please.”"]
    assert table.asks == ("turn", 0)


def test_the_third_sentence_tells_a_number():  # SIL-53
    table = at("silencio tavern=yes tavern_open=yes dark_count=3 lit=- hands=r4,r9/b4/y4").do("tavern cannot_play 2")
    assert table.told == ["Player 1 says in the tavern: “Of my cards, 2 can't be played.”"]


def test_exactly_the_three_sentences_are_allowed():  # SIL-53
    table = at("silencio tavern=yes tavern_open=yes dark_count=3 lit=- hands=r4,r9/b4/y4 open=g3/-/-")
    counts = [f"tavern cannot_play {count}" for count in range(4)]
    colours = [f"tavern {says} {colour}" for says in ("only_high", "please_not") for colour in
               ("red", "blue", "yellow", "green")]  # fmt: skip
    assert table.offers("tavern") == counts + colours
    for words in ("cannot_play 4", "cannot_play red", "only_high 3", "please_not purple"):
        reason = table.refuses(f"tavern {words}", "tavern_words")
        assert reason == "The tavern allows only its three sentences."


def test_it_does_not_check_the_truth():  # SIL-53
    table = at("silencio tavern=yes tavern_open=yes dark_count=3 lit=- hands=r4,r9/b4/y4").do("tavern cannot_play 2")
    assert not table.tavern_open


def test_it_may_be_combined_with_a_shrine_in_one_turn():  # SIL-52
    line = "silencio tavern=yes tavern_open=yes dark_count=3 lit=red,blue hands=r4,r9/b4/y4"
    table = at(line).do("tavern please_not blue", "shrine red", "use", "play r4", "skip")
    assert table.asks == ("turn", 1)
    table = at(line).do("play r4", "skip", "shrine red", "use")
    assert table.asks == ("end", 0)
    assert table.offers("shrine") == []
    table.do("tavern please_not blue")
    assert table.asks == ("turn", 1)


def test_after_the_tavern_at_the_end_a_shrine_may_still_be_taken():  # SIL-52
    table = at("silencio tavern=yes tavern_open=yes dark_count=3 lit=red hands=r4,r9/b4/y4")
    table.do("play r4", "skip", "tavern please_not blue")
    assert table.legal == ["shrine red", "done"]


def test_the_card_that_opens_it_may_be_followed_by_its_use():  # SIL-52
    table = at(TAVERN + "hands=r2,r9/b4/y4").do("play r2")
    assert table.asks == ("end", 0)
    assert table.offers("tavern")


def test_a_player_who_passes_may_use_it():  # SIL-52
    table = at("silencio tavern=yes tavern_open=yes dark_count=3 lit=- hands=r4/b4/y4 rows=r5/-/-/-")
    table.do("tavern cannot_play 1", "pass")
    assert table.told == ["Player 1 passes."]


def test_a_player_who_passes_may_not_use_it_where_the_table_says_so():  # SIL-52
    stuck = "silencio tavern=yes tavern_open=yes dark_count=3 tavern_on_pass=no lit=- hands=r4/b4/y4 rows=r5/-/-/-"
    table = at(stuck)
    assert table.legal == ["pass"]
    reason = table.refuses("tavern cannot_play 1", "tavern_no_play")
    assert reason == "The tavern isn't for a turn that ends in a pass."
    assert at(stuck.replace("hands=r4", "hands=r6")).offers("tavern")


def test_a_hidden_hand_that_used_the_tavern_and_passes_is_logged_where_that_is_not_allowed():  # SIL-52
    table = at("silencio driver=table tavern=yes tavern_open=yes dark_count=3 tavern_on_pass=no lit=- hands=?/?/?")
    table.do("tavern cannot_play 1", "pass")
    assert table.told[1] == "Against the rules, player 1: the tavern was used in a turn that ended in a pass."


# Silence: reported by the table, never by the box's own ears.


@pytest.mark.parametrize("line", [
    "hands=r4,r9/b4/y4",
    "phase=pass_on started=no hands=r4,r9/b4/y4",
    "phase=start started=no hands=r4,r9/b4/y4",
    "phase=light effect=swap played=yes hands=r9/b4/y4 rows=-/-/-/g4",
    "phase=give played=yes hands=r9/b4/y4 rows=-/b2/-/- oracle=g5",
])  # fmt: skip
def test_a_spoken_word_can_be_reported_whenever_a_player_decides(line):  # G-09
    table = at(f"silencio silence_referee=warn {line}")
    assert table.offers("spoken") == ["spoken 0", "spoken 1", "spoken 2"]
    before = table.asks
    table.do("spoken 2")
    assert table.told == ["Against the rules, player 3: somebody spoke."]
    assert table.asks == before


def test_a_spoken_word_loses_where_the_table_says_so():  # G-09
    table = at("silencio silence_referee=lose hands=r4,r9/b4/y4").do("spoken 1")
    assert table.told == [
        "Against the rules, player 2: somebody spoke.",
        "The game ends: somebody spoke. Cards left: 4.",
    ]
    assert table.pending.winners == ()


def test_without_a_referee_nobody_reports():  # G-09
    table = at("silencio hands=r4,r9/b4/y4")
    assert table.refuses("spoken 1", "no_referee") == "Nobody referees the silence at this table."


def test_only_somebody_at_the_table_can_have_spoken():  # G-09
    table = at("silencio silence_referee=warn hands=r4,r9/b4/y4")
    assert table.refuses("spoken 7", "no_such_seat") == "There is no player 8."
