"""Everything that can be printed, in a language: decks, mats, markers, tokens, aids and the panel's card."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from companion.kits import KITS
from companion.table.decks import DECKS
from companion.table.panel_legend import reference
from companion.table.tabletop import ASK, SECRET, START, TURN
from companion.text import N_
from vision.art.decks import deck_pages
from vision.art.kit import DeckArt, Translate
from vision.art.mats import Mat, mat_pages, mat_poster
from vision.art.paper import Page
from vision.art.pieces import TokenArt, WifiCard, address_page, board_page, markers_page, token_pages, wifi_page
from vision.art.reference import draw_chapter, draw_reference, translated, two_up
from vision.art.sheets import Prints, Sheet, Wish

SHARED_WORDS = {
    START: TokenArt(N_("first player")),
    TURN: TokenArt(N_("the turn")),
    SECRET: TokenArt(N_("the secret")),
    ASK: TokenArt(N_("what is it?")),
}
"""What people read on the tokens that several games have."""


ADDRESS_SHEET = "address"
WIFI_SHEET = "wifi"


def prints(translate: Translate, address: str = "", wifi: WifiCard | None = None) -> Prints:
    """All sheets by name. A new one is a function that gives pages, and a line here.

    `address` is where the page is and `wifi` the box's own network, which two of the sheets show.
    """
    games = sorted(KITS)
    return Prints(
        {
            **{name: deck_sheet(deck, translate) for name, deck in DECKS.items()},
            "markers": Sheet(lambda wish: markers_page(wish.paper, translate), N_("the four table corners")),
            ADDRESS_SHEET: Sheet(
                lambda wish: address_page(address, wish.paper, translate),
                N_("where the page is, to hang beside the box"),
            ),
            **({} if wifi is None else {WIFI_SHEET: wifi_sheet(wifi, translate)}),
            "board": Sheet(lambda wish: board_page(wish.paper, translate), N_("a board to learn the camera's lens by")),
            "panel": Sheet(
                lambda wish: two_up(draw_reference(reference(translate)), wish.paper),
                N_("what the panel's lights mean, a card a game"),
            ),
            **{f"aid-{game}": aid_sheet(game, translate) for game in games if KITS[game].aids},
            **{f"mat-{game}": mat_sheet(game, translate) for game in games},
            **{f"poster-{game}": poster_sheet(game, translate) for game in games},
            **{f"tokens-{game}": token_sheet(game, translate) for game in games if KITS[game].tokens},
        }
    )


def wifi_sheet(wifi: WifiCard, translate: Translate) -> Sheet:
    """The box's own network; only a box that has made one can print it."""
    about = N_("the box's own Wi-Fi with its password, to keep with the box")
    return Sheet(lambda wish: wifi_page(wifi, wish.paper, translate), about)


def deck_sheet(deck: DeckArt, translate: Translate) -> Sheet:
    """A deck to cut out."""
    return Sheet(lambda wish: deck_pages(deck, wish.paper, translate, wish.fronts_only), N_("cards to cut out"), True)


def mat_sheet(game: str, translate: Translate) -> Sheet:
    """A mat on sheets."""
    return Sheet(lambda wish: mat_pages(mat_of(game), wish.paper, translate), N_("a mat on sheets to glue together"))


def poster_sheet(game: str, translate: Translate) -> Sheet:
    """A mat on one page, whatever the paper."""
    return Sheet(lambda wish: mat_poster(mat_of(game), translate), N_("the same mat on one page, for a copy shop"))


def token_sheet(game: str, translate: Translate) -> Sheet:
    """A game's tokens."""
    kit = KITS[game]
    words = {**SHARED_WORDS, **kit.token_words}
    return Sheet(
        lambda wish: token_pages(kit.tokens, words, wish.paper, translate), N_("tokens that the camera reads")
    )  # fmt: skip


def aid_sheet(game: str, translate: Translate) -> Sheet:
    """A game's aids; a single one comes twice on its sheet, for two people."""

    def pages(wish: Wish) -> Iterator[Page]:
        cards = [partial(draw_chapter, translated(chapter, translate), ()) for chapter in KITS[game].aids]
        return two_up(cards * 2 if len(cards) == 1 else cards, wish.paper)

    return Sheet(pages, N_("what cards do and how a turn goes, for the table"))


def mat_of(game: str) -> Mat:
    """A game's mat, with places as large as its cards."""
    kit = KITS[game]
    return Mat(kit.name.capitalize(), kit.layout, kit.mat, kit.decks[0].size)
