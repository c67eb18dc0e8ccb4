"""What a table means: followed, asked, refused by its rule, parted, or nothing to say. Pure, without pictures."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.cisza.records import RESOURCE_COUNT
from companion.games.game import Show
from companion.games.notation import read_move, read_state, write_move
from companion.table.explain import SearchResult, TableSearch, explain
from companion.table.hosts import HOSTS
from companion.table.proposal import NOTHING, Mismatch, Progress
from companion.table.proposing import SeenMoves, Trail, led_to, proposal_after
from companion.table.same_card import with_covered
from companion.table.scenes import scene
from companion.table.sight import Seen, Sight, ZonedToken
from tests.table.test_mistakes import perfect_sight

GRID = "alice,big-bad-wolf,cinderella,dorothy,giant,hunter,jack,king-arthur,peter-pan,pinocchio,robin-hood,snow-white"
MAP = "cups-05,swords-06,wands-07,pentacles-08,cups-09,swords-10,wands-11,pentacles-12"
ROWS = "silencio driver=table hands=?,?,?/?,?,?/?,?,? rows=r4/b3/-/- oracle=y5,g7,b9"
CLUE = f"similo driver=table characters_left={GRID} hand=?,?,?,?,?"
REMOVE = (
    f"similo driver=table characters_left={GRID.removeprefix('alice,')} hand=?,?,?,?,? phase=remove round=1 "
    "clues=aladdin:similar,genie:different removed=tinker-bell"
)
ACTION = f"silentes drawing=table round=2 map={MAP} tokens=0,5 hands=?,?,?,?,?/?,?,?,?,?"
CITY = "cisza players=3 driver=table survivors=2,2,2 zombies=regular/-/- hands=?,?,?/?,?,?/?,?,?"
QUIET = CITY.replace("regular/-/-", "-/-/-")


def table(line: str) -> tuple[Any, Sight]:
    """A state, and its table as an eye that never errs sees it."""
    host = HOSTS[line.split()[0]]
    state = read_state(host.game, line)
    return state, perfect_sight(host.game.name, scene(host.game.name, state))


def look(
    line: str, *laid: Seen, gone: str = "", tokens: tuple[ZonedToken, ...] = (), trail: Trail = ()
) -> SearchResult:
    """What it means that cards were laid on a state's table and others taken off."""
    state, lies = table(line)
    rest = list(lies.cards)
    for name in gone.split():
        rest.remove(next(card for card in rest if card.card == name))
    moved = {token.name for token in tokens}
    kept = tuple(token for token in lies.tokens if token.name not in moved)
    named, strangers = (tuple(one for one in laid if bool(one.card) == is_named) for is_named in (True, False))
    sight = Sight((*rest, *named), strangers=strangers, tokens=(*kept, *tokens))
    inquiry = TableSearch(HOSTS[line.split()[0]], state, sight, sight_before=lies, trail=trail)
    while not inquiry.run():
        pass
    assert inquiry.result is not None
    return inquiry.result


def ways(found: SearchResult) -> list[str]:
    """The explanations in notation."""
    return [", ".join(map(write_move, one.moves)) for one in found.proposal.explanations]


def test_a_table_as_the_state_has_it_says_nothing() -> None:
    for line in (ROWS, CLUE, REMOVE, ACTION, CITY):
        assert look(line).proposal == NOTHING


@pytest.mark.parametrize(
    ("line", "laid", "gone", "way"),
    [
        (ROWS, "b7:blue", "", "play b7, skip, done"),
        (ROWS, "b4:blue:180 y5:yellow", "y5", ""),
        (ROWS, "b7:blue", "r4", "play b7, take r4, done"),
        (ROWS, "b7:blue y6:yellow", "", "play b7, skip, done, play y6, skip, done"),
        (CLUE, "genie:clues", "", "clue genie similar"),
        (CLUE, "genie:clues:90", "", "clue genie different"),
        (REMOVE, "", "dorothy jack", "remove dorothy,jack"),
        (CITY, "axe:play city-23:city-discard:0:zombie", "city-23", "play axe, kill regular, done"),
        (CITY, "walkie:play city:shelter-1:0:survivor", "", "play walkie"),
    ],
)
def test_a_turn_is_followed_whole(line: str, laid: str, gone: str, way: str) -> None:
    cards = [one.split(":") for one in laid.split()]
    seen = [
        Seen(card, zone, float(more[0]) if more else 0.0, more[1] if len(more) > 1 else "", 500.0 + 70 * at, 500.0)
        for at, (card, zone, *more) in enumerate(cards)
    ]
    found = look(line, *seen, gone=gone)
    assert way in ways(found) or (way == "" and found.proposal.complaint is not None)
    assert not way or found.proposal.explanations[0].steps == len(
        [one for one in way.split(", ") if one not in ("skip", "done")]
    )


def test_silentes_follows_tokens_and_the_card_before_the_player() -> None:
    token = ZonedToken("player-1", "shelter-2", 200.0, 90.0)
    found = look(ACTION, Seen("swords-11", "played-1"), tokens=(token,))
    assert ways(found) == ["move 1, hide swords-11"]
    assert ways(look(ACTION, tokens=(ZonedToken("search", "played-1"),))) == ["search"]


def test_only_the_difference_is_asked() -> None:
    found = look(ROWS, Seen("r6", "red")).proposal
    assert [write_move(move) for move in found.asked] == ["use", "skip"]
    host = HOSTS["silencio"]
    state, _ = table(ROWS)
    assert proposal_after(host.game, state, found, found.asked[0]).accepted_moves == found.explanations[0].moves
    given = look(ROWS, Seen("b4", "blue", 180.0), Seen("y8", "oracle"), gone="g7").proposal
    assert sorted(write_move(move) for move in given.asked) == ["give g7 1", "give g7 2"]
    angle = look(CLUE, Seen("genie", "clues", 45.0)).proposal
    assert [write_move(move) for move in angle.asked] == ["clue genie similar", "clue genie different"]


@pytest.mark.parametrize(
    ("line", "card", "zone", "turn", "code"),
    [
        (ROWS, "r2", "red", 0.0, "not_climbing"),
        (ROWS, "r6", "blue", 0.0, "wrong_row"),
        (ROWS, "r6", "red", 180.0, "wrong_side"),
        (ROWS + " markers=green", "r6", "red", 0.0, "must_be_green"),
        (CLUE, "alice", "clues", 0.0, "misread"),
        (CITY, "axe", "shelter-2", 0.0, "parted"),
    ],
)
def test_a_step_that_breaks_a_rule_is_refused_by_it(line: str, card: str, zone: str, turn: float, code: str) -> None:
    found = look(line, Seen(card, zone, turn)).proposal
    assert (found.code, found.explanations) == (code, ())
    assert found.complaint is not None
    assert found.where == Mismatch(zone, card, "extra")


def test_where_nothing_explains_it_table_and_game_part_at_a_card() -> None:
    found = look(ROWS, gone="g7").proposal
    assert (found.code, found.where) == ("parted", Mismatch("oracle", "g7", "missing"))
    assert "the Oracle" in str(found.complaint)


def test_cards_that_come_together_are_counted_first() -> None:
    host = HOSTS["similo"]
    state = host.game.new(host.game.options(driver="table"))
    cards = tuple(Seen(name, zone="grid") for name in GRID.split(","))
    assert explain(host, state, Sight(cards[:11])).proposal == replace(NOTHING, progress=Progress(11, 12))
    assert explain(host, state, Sight(cards)).proposal.accepted_moves == tuple(
        Show(name) for name in sorted(GRID.split(","))
    )
    assert look(REMOVE, gone="dorothy").proposal.progress == Progress(1, 2)
    assert look(REMOVE, gone="dorothy jack giant").proposal.code == "wrong_number"


def test_cisza_counts_survivors_until_everybody_has_theirs() -> None:
    line = CITY.replace("driver=table", "driver=table phase=start started=no").replace("zombies=regular/-/- ", "")
    assert look(line, gone="city city city city city city city").proposal.progress == Progress(0, 7)
    assert look(line, gone="city city").proposal.progress == Progress(5, 7)
    assert look(line).proposal == NOTHING


def test_silentes_reads_the_map_like_a_page() -> None:
    host = HOSTS["silentes"]
    state = host.game.new(host.game.options(drawing="table"))
    cards = [Seen(name, zone=f"shelter-{at + 1}") for at, name in enumerate(MAP.split(","))]
    found = explain(host, state, Sight(tuple(reversed(cards)))).proposal
    assert found.accepted_moves[:8] == tuple(Show(name) for name in MAP.split(","))


def test_what_an_earlier_sight_has_shown_is_part_of_the_explanation() -> None:
    host = HOSTS["silencio"]
    shrine, taken = read_move(host.game, "shrine blue"), read_move(host.game, "take r4")
    unlit = Seen("shrine-blue", "blue", face="unlit")
    alone = look(ROWS, unlit, gone="shrine-blue")
    assert ways(alone) == ["shrine blue"]
    assert alone.trail == (SeenMoves((shrine,)),)
    again = look(ROWS, unlit, gone="shrine-blue", trail=(SeenMoves((shrine, taken)),))
    assert ways(again)[0].startswith("shrine blue, take r4, play r4")


def test_a_card_that_was_taken_back_and_laid_again_in_its_place_is_followed() -> None:
    line = f"{ROWS.replace('/-/-', '/-/g5')} phase=light effect=take_back shrine_used=yes"
    taken = look(line, gone="g5")
    assert ways(taken) == ["take g5"]
    again = look(line, trail=taken.trail)
    assert ways(again) == ["take g5, play g5, skip"]
    assert ways(look(line, trail=again.trail)) == ways(again)  # as long as it lies so
    assert ways(look(line, gone="r4", trail=again.trail)) == ["take r4"]  # it wasn't meant


def test_a_card_that_was_laid_and_taken_up_again_was_not_meant() -> None:
    laid = look(ROWS, Seen("b4", "blue", 180.0))
    assert laid.trail
    assert look(ROWS, trail=laid.trail).proposal == NOTHING


@pytest.mark.parametrize("seat", [1, 2])
def test_a_card_on_a_players_number_is_given_to_that_player(seat: int) -> None:
    laid = Seen("b4", "blue", 180.0), Seen("y8", "oracle")
    given = f"play b4, give g7 {seat}, show y8, done"
    shown = look(ROWS, *laid, Seen("g7", f"begins-{seat + 1}", 90.0), gone="g7")
    assert ways(shown) == [given]
    assert ways(look(ROWS, *laid, gone="g7", trail=shown.trail)) == [given]  # it was taken up before ✔
    assert len(ways(look(ROWS, *laid, gone="g7"))) == 2  # nobody has seen it there: it's asked


def test_a_failed_blind_draw_needs_no_word_where_a_card_is_played_after_it() -> None:
    host, (state, _) = HOSTS["silencio"], table(f"{ROWS} markers=random")
    for failed, seen in (("draw, drawn ?, play y6", "draw, drawn y6"), ("draw, drawn ?, pass", "pass")):
        one, other = (led_to(host.game, state, [read_move(host.game, move) for move in way.split(", ")])
                      for way in (failed, seen))  # fmt: skip
        assert host.table.canonical(one) == host.table.canonical(other)
    assert ways(look(f"{ROWS} markers=random", Seen("y6", "yellow"))) == ["draw, drawn y6, skip, done"]


def test_the_large_shrine_alone_is_asked_about_with_a_swap_that_nobody_sees() -> None:
    lies = table(ROWS)[1]
    shrine = next(card for card in lies.cards if card.card == "shrine-large")
    laid = (Seen("y6", "yellow", x=500.0, y=500.0), replace(shrine, face="unlit"))
    for trail in ((), look(ROWS, *laid, gone="shrine-large").trail):
        found = look(ROWS, *laid, gone="shrine-large", trail=trail).proposal
        effects = [write_move(move) for move in found.asked]
        assert effects == ["shrine large effect=skip_dark", "shrine large effect=swap"]
        swap = proposal_after(HOSTS["silencio"].game, table(ROWS)[0], found, found.asked[1])
        assert swap.asides


def test_what_came_of_it_is_asked_and_not_the_order_where_both_lead_there() -> None:
    lies = table(ROWS)[1]
    shrine = next(card for card in lies.cards if card.card == "shrine-yellow")
    laid = (Seen("r6", "red", x=500.0, y=500.0), replace(shrine, face="unlit"), Seen("g3", "open", x=700.0, y=300.0))
    found = look(ROWS, *laid, gone="shrine-yellow").proposal
    assert [write_move(move) for move in found.asked] == ["use", "skip"]


def test_discards_that_were_seen_and_then_shuffled_are_followed() -> None:
    held = Counter(mines=1, alarm=1, axe=3, flare=3, sniper=1)  # all others have been played
    left = sorted((Counter(RESOURCE_COUNT) - held).elements())
    game, (state, lies) = HOSTS["cisza"].game, table(f"{QUIET} stock=0 discard={','.join(left)}")
    top = Seen("drone", "resource-discard", x=400, y=300)
    moves = tuple(read_move(game, f"discard {card}") for card in ("mines", "alarm"))
    bare = Sight(tuple(card for card in lies.cards if card.zone not in ("play", "resource-discard")))
    for sight, way in ((bare, "discard mines, discard alarm, done, shuffle"), (Sight((*bare.cards, top)), "")):
        inquiry = TableSearch(
            HOSTS["cisza"], state, sight, sight_before=Sight((*bare.cards, top)), trail=(SeenMoves(moves),)
        )
        while not inquiry.run():
            pass
        assert inquiry.result is not None
        assert ways(inquiry.result) == ([way] if way else [])


def test_a_doubtful_card_decides_nothing_else() -> None:
    host = HOSTS["silencio"]
    played, *given = (read_move(host.game, move) for move in ("play b4", "give g7 1", "give g7 2"))
    drawn = Seen("", "oracle", maybe=("y8", "r9"), chances=(0.6, 0.3))
    trail = tuple(SeenMoves((played, one)) for one in given)
    found = look(ROWS, Seen("b4", "blue", 180.0), drawn, gone="g7", trail=trail).proposal
    assert sorted(found.asked, key=write_move) == given


def test_what_was_guessed_of_cards_in_a_hand_may_have_been_otherwise() -> None:
    line = (
        "cisza players=6 driver=table turn=1 survivors=3,2,4,4,6,5 barriers=-/-/-/mines/-/- "
        "zombies=fast/fast/regular/regular/regular,strong,strong/strong hands=?,?,?/?,?,?/?,?,?/?,?,?/?,?,?/?,?,? "
        "city=16 fallen=1 killed=2,1,2,1"
    )
    game, (state, old) = HOSTS["cisza"].game, table(line)
    begun = "play shotgun, kill fast, show regular, play surprise, target 4, play surprise, target 5, show horde"
    guessed = f"{begun}{', show regular' * 6}, assign regular 5, assign regular 4"
    kinds = ("fast", "fast", "fast", "regular", "fast", "regular")
    dealt = ("regular 5", "regular 4", "fast 2", "fast 3", "fast 0", "fast 1")
    done = ", ".join((begun, *(f"show {kind}" for kind in kinds), *(f"assign {one}" for one in dealt), "done"))
    after = state
    for move in done.split(", "):
        after, _ = game.apply(after, read_move(game, move))
    played = (Seen(card, "play", x=300 + 100 * at) for at, card in enumerate(("shotgun", "surprise", "surprise")))
    sight = perfect_sight("cisza", scene("cisza", after))
    sight = Sight((*(card for card in sight.cards if card.zone != "play"), *played))
    trail = (SeenMoves(tuple(read_move(game, move) for move in guessed.split(", "))),)
    inquiry = TableSearch(HOSTS["cisza"], state, sight, sight_before=old, trail=trail)
    while not inquiry.run():
        pass
    assert inquiry.result is not None
    clear = inquiry.result.proposal.accepted_moves
    assert led_to(game, state, clear) == after


def test_the_end_of_a_turn_that_nobody_saw_is_asked_by_name() -> None:
    killed = (Seen("axe", "play", x=300), Seen("city-23", "city-discard", face="zombie"))
    sent = (Seen("surprise", "play", x=400), Seen("city-35", "shelter-1", face="zombie", x=76, y=420))
    found = look(CITY.replace("regular/-", "regular/strong"), *killed, *sent, gone="city-23 city-35")
    assert ways(found) == ["play axe, kill regular, done, play surprise, target 0, send strong"]
    assert list(map(write_move, found.proposal.asked)) == ["done"]


def test_a_card_that_the_same_player_could_have_used_is_not_taken_for_the_next_one_s() -> None:
    state, lies = table(
        CITY.replace("driver=table", "driver=table phase=attack attacking=yes barriers=barricade,barricade/-/-")
        .replace("zombies=regular", "zombies=regular,strong")
    )  # fmt: skip
    gone = [next(card for card in lies.cards if card.card == name) for name in ("barricade", "city")]
    used = (Seen("barricade", "resource-discard", x=400 + 90 * at, y=300) for at in (0, 1))
    sight = Sight((*(card for card in lies.cards if card not in gone), *used))  # one that was used is still read there
    inquiry = TableSearch(HOSTS["cisza"], state, sight, sight_before=lies)
    while not inquiry.run():
        pass
    assert inquiry.result is not None
    assert ways(inquiry.result) == ["barrier barricade, done, discard barricade, done"]
    assert list(map(write_move, inquiry.result.proposal.asked)) == ["done"]


def test_a_card_that_another_came_to_lie_on_is_not_missed() -> None:
    state, lies = table(CITY)
    mines, barricade = Seen("mines", "shelter-1", x=100, y=500), Seen("barricade", "shelter-1", x=135, y=500)
    first = Sight((*lies.cards, mines))
    for then in (with_covered(first, Sight((*lies.cards, barricade))), Sight((*lies.cards, barricade))):
        trail = (SeenMoves((read_move(HOSTS["cisza"].game, "play mines"),)),)
        inquiry = TableSearch(HOSTS["cisza"], state, then, sight_before=lies, trail=trail)
        while not inquiry.run():
            pass
        assert inquiry.result is not None
        assert ways(inquiry.result)[0].startswith("play mines, play barricade") == bool(then.covered)
    equal = replace(mines, x=130, identity=2, laid=2)
    first = Sight((*lies.cards, replace(mines, identity=1, laid=1)))
    assert [one.identity for one in with_covered(first, Sight((*lies.cards, equal))).covered] == [1]
    shown = with_covered(Sight((replace(mines, identity=2, laid=2),)), Sight((replace(barricade, identity=1, laid=1),)))
    assert shown.covered == ()  # it was taken off, and what it lay on shows again
    instead = with_covered(first, Sight((*lies.cards, replace(barricade, x=105))))
    assert instead.covered == ()
    assert with_covered(first, Sight((*lies.cards, barricade, replace(mines, zone="play", x=400)))).covered == ()


def test_a_row_s_last_card_that_was_taken_back_is_missed_whatever_shows_again() -> None:
    state, lies = table(ROWS.replace("rows=r4", "rows=r2,r4"))
    rest = tuple(card for card in lies.cards if card.card not in ("r2", "r4"))
    last = next(card for card in lies.cards if card.card == "r4")
    below = Seen("r2", "red", x=last.x - 39, y=last.y, identity=9, laid=9)
    now = with_covered(
        Sight((*rest, replace(last, identity=8, laid=8))), Sight((*rest, below, Seen("b7", "blue", x=300, y=200)))
    )
    inquiry = TableSearch(HOSTS["silencio"], state, now, sight_before=lies)
    while not inquiry.run():
        pass
    assert inquiry.result is not None
    assert now.covered
    assert ways(inquiry.result) == ["play b7, take r4, done"]


def test_one_survivor_less_after_an_attack_is_followed_though_the_dead_are_put_away() -> None:
    line = CITY.replace("driver=table", "driver=table phase=attack attacking=yes barriers=mines/-/-")
    assert ways(look(line, gone="city")) == ["done"]


def test_a_played_card_that_explains_nothing_does_not_lie_the_wrong_way_round() -> None:
    found = look(CITY, Seen("axe", "play", x=300), Seen("axe", "play", x=400), Seen("axe", "play", x=500)).proposal
    assert found.code not in ("wrong_side", "wrong_place")


def test_whom_a_card_was_played_on_is_asked_where_nothing_of_it_is_seen() -> None:
    state, lies = table(CITY.replace("2,2,2", "6,6,6"))
    fans = tuple(card for card in lies.cards if card.zone == "city" or card.x % 300 < 200)
    assert len(fans) < len(lies.cards)
    old, now = Sight(fans), Sight((*fans, Seen("bribery", "play", x=300)))
    inquiry = TableSearch(HOSTS["cisza"], state, now, sight_before=old)
    while not inquiry.run():
        pass
    assert inquiry.result is not None
    assert list(map(write_move, inquiry.result.proposal.asked)) == ["target 1", "target 2"]
    assert "play bribery, target 2, done" in ways(inquiry.result)


def test_doubtful_names_cost_and_the_rules_choose_among_them() -> None:
    state, lies = table(ROWS)
    host = HOSTS["silencio"]
    for chances, is_asked in (((0.7, 0.2), False), ((0.4, 0.4), True)):
        stranger = Seen("", "blue", x=300.0, y=200.0, maybe=("b7", "b2"), chances=chances, has_way=False)
        found = explain(host, state, replace(lies, strangers=(stranger,)))
        assert (found.doubt is not None) == is_asked
        if not is_asked:
            assert not found.proposal.explanations[0].is_sure
            assert write_move(found.proposal.accepted_moves[0]) == "play b7"


def test_a_card_that_was_never_read_is_not_taken_for_one_that_was_read_beside_it() -> None:
    host, (state, lies) = HOSTS["similo"], table(REMOVE)
    robin = next(card for card in lies.cards if card.card == "robin-hood")
    unread = replace(robin, card="", maybe=("giant", "robin-hood"), chances=(0.6, 0.3))
    read = tuple(card for card in lies.cards if card is not robin)
    old = Sight(read, strangers=(unread,))
    left = tuple(card for card in read if card.card not in ("giant", "jack"))
    inquiry = TableSearch(host, state, Sight(left, strangers=(unread,)), Counter(), old)
    while not inquiry.run():
        pass
    assert inquiry.result is not None
    assert ways(inquiry.result) == ["remove giant,jack"]
