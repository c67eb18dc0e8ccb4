"""A misread names the place (G-11): where the card lies already, as far as everybody may know it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.catalogue import Catalogue
from companion.games import GAMES
from companion.games.game import Game, IllegalMove
from companion.games.notation import read_move
from tests.games.generated import any_game, any_options
from tests.games.play import at

MAP = "map=cups-05,swords-06,wands-07,pentacles-08,cups-09,swords-10,wands-11,pentacles-12 tokens=0,5"
GRID = (
    "aladdin,alice,big-bad-wolf,captain-hook,cheshire-cat,cinderella,dorothy,evil-queen,evil-stepmother,"
    "fairy-godmother,fox-and-the-cat,genie"
)
ROWS = "silencio driver=table hands=?,?/?/? rows=r4/-/y5/- open=-/b3/- oracle=g7 box=g9 lit=red"
HUNT = f"silentes drawing=table {MAP} hands=?,?/?,? phase=hunt gone=cups-13 piles=wands-05/- played=swords-09/-"
MISREAD = [
    (ROWS, "play r4", "red 4 lies in the red row already."),
    (ROWS, "play y5", "yellow 5 lies in the yellow row already."),
    (ROWS, "play g7", "green 7 lies in the Oracle already."),
    (ROWS, "play g9", "green 9 lies aside, out of the game already."),
    (f"{ROWS} phase=oracle to_reveal=1", "show b3", "blue 3 lies open before player 2 already."),
    (f"similo characters_left={GRID} hand=hunter,jack", "clue alice similar", "Alice lies in the grid already."),
    (
        f"similo characters_left={GRID} hand=hunter,jack clues=snow-white:similar",
        "clue snow-white different",
        "Snow White lies among the clues already.",
    ),
    (HUNT, "show cups-09", "Nine of Cups lies on the map already."),
    (HUNT, "show cups-13", "Queen of Cups lies among the discards already."),
    (HUNT, "show wands-05", "Five of Wands lies in player 1's pile already."),
    (HUNT, "show swords-09", "Nine of Swords lies before player 1 already."),
    (
        "cisza driver=table hands=?,?,?/?,?,?/?,?,? discard=sniper,sniper",
        "play sniper",
        "Every sniper rifle card has been seen already: 2 among the discards.",
    ),
    (
        "cisza driver=table hands=?,?,?/?,?,?/?,?,? barriers=alarm/-/alarm",
        "play alarm",
        "Every alarm card has been seen already: 1 in player 1's shelter, 1 in player 3's shelter.",
    ),
    (
        "cisza phase=flip card=megaphone at=0 mode=play killed=0,0,0,2",
        "show horde",
        "Every horde card has been seen already: 2 eliminated.",
    ),
]


@pytest.mark.parametrize(("line", "move", "reason"), MISREAD)
def test_a_card_that_lies_elsewhere_is_refused_with_its_place(line: str, move: str, reason: str) -> None:
    assert at(line).refuses(move, "misread") == reason


@pytest.mark.parametrize("language", ["nl", "es", "pl"])
@pytest.mark.parametrize(("line", "move", "reason"), MISREAD)
def test_the_place_is_named_in_every_language(line: str, move: str, reason: str, language: str) -> None:
    table = at(line)
    with pytest.raises(IllegalMove) as refusal:
        table.game.apply(table.state, read_move(table.game, move))
    said = Catalogue(language).say(refusal.value.reason)
    assert said != reason
    assert "{" not in said
    assert "already" not in said


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_place_that_is_named_is_one_that_everybody_sees(game: Game[Any]) -> None:
    """Where the box knows hands, it tells nothing of them."""
    rng = random.Random(f"places {game.name}")
    named = 0
    for _ in range(12):
        options = any_options(game, rng)
        cards: set[str] = set()
        for state, move, _after, _events in any_game(game, options, rng):
            cards.add(getattr(move, "card", ""))
            shared = game.view(state, None)
            for card in cards:
                assert game.known_zones(state, card) == game.known_zones(shared, card)
                named += bool(game.known_zones(state, card))
    assert named > 500
