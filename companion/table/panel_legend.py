"""The words of the panel's reference card: what lights and buttons are, and each game's signs and places.

Signs come from the light language, places from the hosts; drawing is the eye's work.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from companion.games.game import Decide, Move
from companion.kits import KITS
from companion.table.host import Host
from companion.table.hosts import HOSTS
from companion.table.menu import BELIEVE, ENTRIES, GAMES, KNOWN, WRONG
from companion.table.offers import ALL, NOT_DONE_YET, UNSEEN_MOVES
from companion.table.sample_states import asked
from companion.text import N_
from hardware.lights import PATTERNS
from hardware.signs import BOX_SIGNS, SIGN, SIGNS, Sign
from vision.art.reference import Chapter, PanelReference, Row, Section

Translate = Callable[[str], str]

GLOWS = (
    ("-", N_("dim")),
    ("#", N_("on")),
    ("o", N_("blinks slowly")),
    ("*", N_("blinks fast")),
    ("~", N_("pulses")),
)


def reference(translate: Translate) -> PanelReference:
    """The whole card in a language."""
    return PanelReference(
        title=translate(N_("Hush: the panel")),
        bar=translate(N_("the bar: noise, seats, counters; while a question stands, light n means n")),
        suits=tuple(map(translate, (N_("wands"), N_("cups"), N_("swords"), N_("pentacles")))),
        sun=translate(N_("sun: light, similar, yes")),
        moon=translate(N_("moon: dark, different, no")),
        buttons=tuple(
            map(
                translate,
                (
                    N_("to the left; held: it runs"),
                    N_("to the right; held: it runs"),
                    N_("yes; held 1 s: what now?"),
                    N_("back one step; held 2 s: menu"),
                ),
            )
        ),
        off=translate(N_("both arrows held 5 s: switch off safely")),
        box=Section(
            translate(N_("The box: all four suits")), tuple(Row((), translate(one.meaning)) for one in box_signs())
        ),
        chapters=tuple(chapter(host, translate) for host in HOSTS.values()),
        glows=tuple((letter, translate(text)) for letter, text in GLOWS),
    )


def chapter(host: Host[Any], translate: Translate) -> Chapter:
    """One game's card: the dozen signs, its places, the menu, its refusals and the faults."""

    def coded(title: str, names: Iterable[str]) -> Section:
        shown = [PATTERNS[name] for name in names]
        return Section(translate(title), tuple(Row((blocks(one.drawing),), translate(one.meaning)) for one in shown))

    signs = Section(translate(N_("Signs")), tuple(sign_row(one, translate) for one in SIGNS), is_wide=True)
    menu = [Row((str(place + 1),), translate(text)) for place, text in ENTRIES.items() if place != KNOWN]
    menu.append(Row((), f"{WRONG + 1}, {BELIEVE.place + 1}: {BELIEVE.label.render(translate)}"))
    ways = ", ".join(f"{at} {translate(one.label)}" for at, one in enumerate(KITS[host.game.name].variants, 1))
    games = (f"{GAMES + at + 1} {name.capitalize()}" for at, name in enumerate(HOSTS))
    menu.append(Row((), ", ".join((f"{KNOWN + 1} {translate(ENTRIES[KNOWN])}", *games))))
    parts = [
        signs,
        Section(translate(N_("Places")), tuple(place_rows(host, translate))),
        *(
            Section(translate(title), (Row((), numbered(host, cards, translate)),))
            for title, cards in host.numbers.items()
        ),
        Section(translate(N_("Menu")), tuple(menu)),
        Section(translate(N_("A new game: light n for n players, then")), (Row((), ways),)),
        coded(N_("I don't follow: fast blocks"), refusals(host)),
        coded(N_("Faults: slow blocks"), [name for name in PATTERNS if name.startswith(("no-", "too-"))]),
    ]
    return Chapter(host.game.name.capitalize(), tuple(parts))


def refusals(host: Host[Any]) -> list[str]:
    """The patterns a game can refuse a move with, as they're counted."""
    used = {*host.refusals.values(), "refused-now", "unreadable"}
    return [name for name in PATTERNS if name in used]


def box_signs() -> list[Sign]:
    """The signs of the box that have no list of their own on the card."""
    return [one for one in BOX_SIGNS if one.name in ("progress", "hold", "visitor", "own-network", "safe")]


def sign_row(sign: Sign, translate: Translate) -> Row:
    """A sign with at most two drawings."""
    return Row(sign.drawings[:2], translate(sign.title), translate(sign.meaning))


def blocks(drawing: str) -> str:
    """How many blocks a refusal or a fault has; more than can be counted are a star."""
    bar = drawing.split()[0]
    found = [block for block in bar.split(".") if block]
    return str(len(found)) if all(len(block) == 2 for block in found) else "*"


def place_rows(host: Host[Any], translate: Translate) -> list[Row]:
    """What can be picked by its place, light by light, and what sun and moon stand for."""
    by_place: dict[int, list[str]] = defaultdict(list)
    for kind in verbs(host):
        by_place[host.place_of(kind) + 1].append(translate(host.verbs[kind]))
    rows = [Row((str(place),), " / ".join(by_place[place])) for place in sorted(by_place)]
    for lamp in ("sun", "moon"):
        words = [translate(host.verbs[kind]) for kind, one in host.answer_lamps.items() if one == lamp]
        rows += [Row((lamp,), " / ".join(words))] if words else []
    by_verb: dict[str, list[str]] = defaultdict(list)
    for name, listed in host.words.items():
        entries = (f"{2 * at + 1} {host.game.term(one).render(translate)}" for at, one in enumerate(listed))
        verb = next(kind for kind in host.verbs if name in kind.__struct_fields__)
        by_verb[translate(host.verbs[verb])].append(", ".join(entries))
    rows += [Row((), f"{verb}: {'; '.join(lists)}") for verb, lists in by_verb.items()]
    return [*rows, Row((), offered(host, translate))]


def offered(host: Host[Any], translate: Translate) -> str:
    """What ◀ ▶ offer beside ✔ on what the box has understood."""
    hides = any(host.table.asides(state) for _, state in asked(host))
    picks = (ALL, NOT_DONE_YET, *((UNSEEN_MOVES,) if hides else ()))
    listed = ", ".join(f"{one.place + 1} {one.label.render(translate)}" for one in picks)
    return f"{translate(SIGN['follow'].title)}: {listed}"


def verbs(host: Host[Any]) -> list[type[Move]]:
    """Every kind of move that is picked by its place, in the order of the host's verbs."""
    found: set[Any] = set()
    for step, state in asked(host):
        moves = host.answerable(state) if isinstance(step, Decide) else []
        # Making the tree of options is slow: only what may have a new verb needs it.
        if not found.issuperset(map(type, moves)):
            picks = {node.pick.key for node in host.options(state, moves) if node.pick.kind == "verb"}
            found |= {type(move) for move in moves if move.__struct_config__.tag in picks}
    return [kind for kind in host.verbs if kind in found]


def numbered(host: Host[Any], cards: tuple[str, ...], translate: Translate) -> str:
    """Cards with their numbers."""
    return ", ".join(f"{at} {host.game.card(card).render(translate)}" for at, card in enumerate(cards, 1))
