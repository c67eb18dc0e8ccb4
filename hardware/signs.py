"""The signs of the light language as data: a dozen for all games and eight of the box itself.

Their pages and the printed card are made from it. The panel shows the first drawing of a sign that stands still
(`fixed_sign`); what moves or has numbers in it is drawn by `lights` (`running`, `following`). When a sign is due is the
table's business.
"""

from __future__ import annotations

from msgspec import Struct

from companion.text import N_


class Sign(Struct, frozen=True):
    """One of the signs: its name, what it tells, and example drawings, one for each thing it shows in turn."""

    name: str
    title: str
    meaning: str
    drawings: tuple[str, ...]


SIGNS = (
    Sign(
        "turn",
        N_("whose turn"),
        N_("One light pulses: that player acts. Where two play around a meter, the sun is player 1, the moon 2."),
        ("-~-............ .... ..",),
    ),
    Sign(
        "follow",
        N_("I follow"),
        N_("As many lights as steps, then both ends blink: ✔ takes it, ✖ doesn't."),
        ("##............. #... #.", "o.............o #... #."),
    ),
    Sign(
        "lay",
        N_("lay a card"),
        N_("The middle breathes: lay a card."),
        ("......~~~...... .... ..",),
    ),
    Sign(
        "turn-up",
        N_("turn up a card"),
        N_("A light runs from left to right: turn up the deck's next card."),
        ("#.............. .... ..", "...#........... .... ..", ".......#....... .... ..", "...........#... .... .."),
    ),
    Sign(
        "whom",
        N_("to whom"),
        N_("Players' lights blink: pick a player, light n is player n. A dim one far right leaves it."),
        ("ooo............ .... ..",),
    ),
    Sign(
        "which",
        N_("which card"),
        N_("Suits blink: pick the suit, then light n for rank n. Sun and moon blink together: light n is number n."),
        ("_______________ oo.o __", "-..-#..-....... .#.. ..", "-#--........... .... oo"),
    ),
    Sign(
        "one-of",
        N_("one of these"),
        N_("Every second light, sun and moon dim: pick what to do by its place. A suit that blinks is a card."),
        ("#.-.-.......... .... --",),
    ),
    Sign(
        "yes-no",
        N_("yes or no"),
        N_("Sun and moon take turns: pick the sun for yes, the moon for no."),
        ("_______________ ____ #.", "_______________ ____ .#"),
    ),
    Sign(
        "anyone",
        N_("anyone?"),
        N_("Two lights run inwards from the ends and back: who wants to step in picks with ◀ ▶. It closes by itself."),
        ("#.............# .... ..", "..#.........#.. .... ..", "....#.....#.... .... .."),
    ),
    Sign(
        "refused",
        N_("I don't follow"),
        N_("Fast blocks from the left: count them, they tell the rule."),
        ("**.**.......... .... ..",),
    ),
    Sign(
        "unnamed",
        N_("I can't name it"),
        N_("Both ends and the middle blink: there lies a card without a name. ◀ ▶ and ✔ name it."),
        ("o.....ooo.....o .... ..",),
    ),
    Sign(
        "hand",
        N_("a hand is in the way"),
        N_("Every second light, all along: the box waits until no hand is over the table."),
        ("-.-.-.-.-.-.-.- .... ..",),
    ),
)
"""The dozen signs of all games."""

BOX_SIGNS = (
    Sign(
        "starting",
        N_("starting"),
        N_("The box is starting."),
        ("~.............~ ~~~~ ..",),
    ),
    Sign(
        "menu",
        N_("menu"),
        N_("All suits on: the menu. ◀ ▶ move, ✔ takes, ✖ leaves."),
        ("#--------...... #### ..",),
    ),
    Sign(
        "progress",
        N_("setting up"),
        N_("All suits dim: so many are there, so many blink and are still to come."),
        ("###ooooo....... ---- ..",),
    ),
    Sign(
        "hold",
        N_("hold"),
        N_("All suits blink fast: this ends something. Hold ✔ for two seconds, the bar fills; ✖ goes back."),
        ("###------------ **** ..",),
    ),
    Sign(
        "visitor",
        N_("visitor"),
        N_("All suits, then some lights: a phone knocks. If it shows the same lights, hold ✔ for a second."),
        ("............... #### ..", "###............ .#.. #."),
    ),
    Sign(
        "own-network",
        N_("Wi-Fi of its own"),
        N_(
            "All suits and the sun, a light opens from the middle: join the box's own Wi-Fi. Its card has the password."
        ),
        (".......#....... #### #.", ".....#...#..... #### #.", "...#.......#... #### #.", ".#...........#. #### #."),
    ),
    Sign(
        "fault",
        N_("fault"),
        N_("All suits on, slow blocks from the right: count them, they tell what is missing."),
        (".............oo #### ..",),
    ),
    Sign(
        "safe",
        N_("safe to unplug"),
        N_("All suits dim, both ends and the moon: everything is saved, the plug may be pulled."),
        ("#.............# ---- .#",),
    ),
)
"""The signs of the box itself."""
SIGN = {sign.name: sign for sign in (*SIGNS, *BOX_SIGNS)}
