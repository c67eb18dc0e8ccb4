"""Cisza with hands the box can't see, and states written by hand."""

from __future__ import annotations

import pytest

from companion.games.cards import Tristate
from companion.games.cisza import CISZA
from companion.games.game import BadState, Decide, Reveal
from companion.games.notation import read_move, read_state, write_state
from tests.games.cisza_scenes import Scene


def at_the_table(line: str = "", **options: object) -> Scene:
    return Scene(f"hands=?,?,?/?,?,?/?,?,? {line}", driver="table", **options)


def test_at_a_table_hands_are_dealt_without_the_box() -> None:  # G-01
    scene = Scene()
    scene.state = CISZA.new(CISZA.options(driver="table"))
    assert scene.hands == (("?", "?", "?"),) * 3
    assert (scene.stock, sum(scene.unseen)) == (46, 55)
    assert scene.pending == Decide("start", None)
    scene.do("start 1", "mulligan")
    assert scene.discard == ("?", "?", "?"), "nobody told the box what they were"
    assert scene.hands[1] == ("?", "?", "?")
    assert scene.stock == 43
    scene.do("keep", "keep")
    assert scene.pending == Decide("turn", 1)


def test_a_card_that_is_played_gets_its_face() -> None:  # G-02
    scene = at_the_table("zombies=fast/-/-").do("play axe")
    assert scene.hands[0] == ("?", "?")
    assert sum(scene.unseen) == 54
    scene.do("kill fast", "done")
    assert scene.hands[0] == ("?", "?", "?"), "the draw happens by itself"
    assert scene.stock == 45
    assert scene.told == ["Dealt"]


def test_at_a_table_every_card_that_could_be_held_and_played_is_possible() -> None:  # G-01
    scene = at_the_table()
    assert "play walkie" in scene.legal
    assert "play axe" not in scene.legal, "nothing to hit, whatever the hand"
    assert CISZA.verdict(scene.state, read_move(CISZA, "play walkie")) is Tristate.UNKNOWN
    assert CISZA.verdict(scene.state, read_move(CISZA, "play axe")) is Tristate.NO
    assert CISZA.verdict(scene.state, read_move(CISZA, "discard ?")) is Tristate.YES
    assert CISZA.verdict(scene.state, read_move(CISZA, "done")) is Tristate.YES
    known = Scene("hands=walkie/-/-")
    assert CISZA.verdict(known.state, read_move(CISZA, "play walkie")) is Tristate.YES


def test_at_a_table_discards_may_be_seen_or_not() -> None:
    scene = at_the_table().do("discard axe", "discard ?")
    assert scene.discard == ("?", "axe")
    assert scene.hands[0] == ("?",)
    assert sum(scene.unseen) == scene.stock + 7 + 1
    assert scene.refused("play ?") == "not_held"
    assert "discard ?" in scene.legal
    assert "discard ?" not in scene.do("discard ?").legal, "the hand is empty"


def test_a_fifth_barricade_is_a_misread() -> None:  # G-11
    scene = at_the_table("barriers=barricade/barricade,barricade/barricade")
    assert scene.refused("play barricade") == "misread"
    assert scene.refused("discard barricade") == "misread"


def test_at_a_table_the_discards_are_shuffled_by_hand() -> None:  # CIS-50
    line = "hands=?,?/-/- driver=table stock=0 box=rest"
    with pytest.raises(BadState):
        read_state(CISZA, f"cisza {line}")
    scene = Scene("hands=axe/-/- discard=rest", driver="table").do("done")
    assert scene.pending == Reveal("shuffle")
    scene.do("shuffle")
    assert scene.hands[0] == ("?", "?", "axe")
    assert (scene.stock, sum(scene.unseen)) == (52, 54)


def test_cards_discarded_unseen_come_back_with_the_shuffle() -> None:  # G-02
    scene = at_the_table("discard=?,?,axe")
    while scene.state.phase == "turn" and scene.stock:
        scene.do("discard ?", "discard ?", "discard ?", "done")
    assert scene.pending == Reveal("shuffle")
    scene.do("shuffle")
    assert "?" not in scene.discard
    assert sum(scene.unseen) == 55
    assert scene.stock + sum(map(len, scene.hands)) == 55


def test_an_eliminated_players_hidden_cards_are_discarded_hidden() -> None:  # CIS-45
    scene = at_the_table("survivors=1,2,2 zombies=fast/-/- barriers=barricade/-/-").do("done", "done")
    assert scene.discard == ("?", "?", "?", "barricade")


def test_others_hands_are_hidden_from_a_player() -> None:
    scene = Scene("hands=axe,drone/walkie/sniper")
    view = CISZA.view(scene.state, 0)
    assert view.hands == (("axe", "drone"), ("?",), ("?",))
    assert sum(view.unseen) == view.stock + 2
    assert CISZA.view(scene.state, None).hands == (("?", "?"), ("?",), ("?",))
    assert CISZA.legal(view) == CISZA.legal(scene.state)


def test_a_line_is_enough_for_a_table() -> None:
    line = "cisza survivors=2,2,3 zombies=regular,fast/-/strong top=regular hands=axe,drone/-/walkie"
    state = read_state(CISZA, line)
    assert (state.city, state.fallen, state.stock) == (55 - 7 - 3, 0, 52)
    assert read_state(CISZA, write_state(CISZA, state)) == state


def test_a_small_city_is_written_as_its_size() -> None:
    state = read_state(CISZA, "cisza city=2")
    assert (state.city, state.fallen) == (2, 47), "the rest are dead survivors, whose undersides nobody has seen"
    assert read_state(CISZA, "cisza fallen=47") == state


def test_a_moment_inside_a_card_can_be_written() -> None:
    assert Scene("phase=kill card=sniper top=fast").legal == ["kill_top"]
    assert Scene("phase=target card=surprise").legal == ["target 1", "target 2"]
    assert Scene("phase=assign drawn=fast,fast given=0").legal == ["assign fast 1", "assign fast 2"]
    assert Scene("phase=attack zombies=fast/-/- barriers=barricade/-/-").do("barrier barricade").survivors == (2, 2, 2)


def test_a_seat_that_is_out_has_nothing() -> None:
    assert read_state(CISZA, "cisza players=4 out=2").survivors == (2, 2, 0, 2)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("zombies=horde/-/-", "no_such_card"),
        ("zombies=axe/-/-", "no_such_card"),
        ("top=horde", "no_such_card"),
        ("barriers=axe/-/-", "no_such_card"),
        ("hands=banana/-/-", "no_such_card"),
        ("hands=sniper,sniper,sniper/-/-", "too_many"),
        ("killed=24,0,0,0", "too_many"),
        ("discard=alarm,alarm,alarm", "too_many"),
        ("city=50", "wrong_count"),
        ("city=0 top=fast", "wrong_count"),
        ("survivors=20,20,20", "wrong_count"),
        ("stock=54", "wrong_count"),
        ("fallen=3 city=1", "wrong_count"),
        ("hands=axe,axe,axe,drone/-/-", "impossible"),
        ("survivors=2,2", "impossible"),
        ("turn=3", "impossible"),
        ("killed=1,2,3", "impossible"),
        ("out=0", "impossible"),
        ("players=2 out=1", "impossible"),
        ("out=1 survivors=2,1,2", "impossible"),
        ("phase=kill card=axe", "impossible"),
        ("phase=target card=axe", "impossible"),
        ("phase=send card=drone at=1", "impossible"),
        ("phase=share card=sacrifice", "impossible"),
        ("phase=flip", "impossible"),
        ("phase=flip at=0 top=fast", "impossible"),
        ("phase=horde", "impossible"),
        ("phase=assign", "impossible"),
        ("phase=assign drawn=fast top=fast", "impossible"),
        ("phase=draw discard=rest", "impossible"),
        ("phase=shuffle", "impossible"),
        ("fresh=fast", "impossible"),
        ("by=7 phase=kill card=mines", "impossible"),
        ("phase=kill card=axe zombies=strong/-/-", "impossible"),
        ("phase=kill_more card=sniper zombies=strong/-/-", "impossible"),
        ("phase=over out=0,1,2", "impossible"),
        ("phase=pass_on", "impossible"),
        ("phase=draw hands=axe,axe,axe/-/-", "impossible"),
        ("phase=deal hands=-/axe/-", "impossible"),
        ("phase=mulligan asked=3", "impossible"),
        ("stopped=-1", "impossible"),
        ("card=banana", "impossible"),
        ("final=yes", "impossible"),
        ("phase=sleep", "unreadable"),
    ],
)
def test_a_table_that_cannot_be_is_refused(line: str, code: str) -> None:
    with pytest.raises(BadState) as refusal:
        read_state(CISZA, f"cisza {line}")
    assert refusal.value.code == code
    assert "{" not in str(refusal.value.reason)
