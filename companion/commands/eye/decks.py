"""`companion decks`: list the decks there are, import others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.catalogue import _
from companion.commands.eye.common import complain, progress_shown
from companion.commands.given import given
from companion.text import N_

if TYPE_CHECKING:
    from vision.decks import Deck
    from vision.decks.way_up import Rotations

# Tarot and playing cards: what is tried where nobody says how tall the cards are.
ASPECTS = (120 / 70, 88 / 63)
TEACHING = N_(
    "Make a deck from a folder of pictures, a deck in the Arcana Land format, or one photo of all cards.\n\n"
    "Pictures in a folder are named after the cards: r2.jpg; a second one r2~2.jpg. They may stand, lie on "
    "their side or stand on their head.\n\n"
    "For a photo, lay the cards apart in rows, all the same way up, on a table they stand out from, and write "
    "their ids into a text file in reading order; - leaves a card out.\n\n"
    "companion decks import scans --for tarot\n\n"
    "companion decks import photo.jpg --names list.txt --for tarot\n\n"
    "companion decks import photo.jpg decks/mine --names list.txt --aspect 1.4"
)


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    decks = typer.Typer(help=_(N_("List and import decks.")), invoke_without_command=True)
    decks.callback()(list_by_default)
    decks.command("list", help=_(N_("The decks that come with Hush, and your own.")))(list_decks)
    decks.command("import", help=_(TEACHING))(import_deck)
    app.add_typer(decks, name="decks")


def list_by_default(context: typer.Context) -> None:
    """Without another word, list them."""
    if context.invoked_subcommand is None:
        list_decks(context)


def list_decks(context: typer.Context) -> None:
    """Names and sizes of all decks, and what people's own are for."""
    from companion.settings.file import state_folder
    from companion.table.decks import DECKS, own_folders, purpose
    from vision.decks import open_deck
    from vision.errors import VisionError

    for name, deck in DECKS.items():
        cards = len({art.card for art in deck.cards()})
        width, height = deck.size
        typer.echo(
            _(
                N_("{name}: {cards} cards, {width} x {height} mm"),
                name=name,
                cards=cards,
                width=width,
                height=height,
            )
        )
    for folder in own_folders(state_folder(given(context).config)):
        try:
            own = open_deck(folder)
        except VisionError as error:
            complain(error)
            continue
        about = N_("{name}: {cards} cards of your own, for {deck}, in {folder}")
        typer.echo(_(about, name=folder.name, cards=len(own.cards), deck=purpose(own), folder=folder))


def import_deck(
    context: typer.Context,
    source: Annotated[Path, typer.Argument(help=_(N_("A folder of pictures, a deck folder, or a photo.")))],
    target: Annotated[
        Path | None, typer.Argument(help=_(N_("The new deck's folder; with --for, else where the box looks for it.")))
    ] = None,
    names: Annotated[
        Path | None, typer.Option(help=_(N_("For a photo: a text file with the card ids in reading order.")))
    ] = None,
    aspect: Annotated[
        float | None, typer.Option(min=0.1, max=10, help=_(N_("For a photo: a card's height divided by its width.")))
    ] = None,
    used_for: Annotated[
        str | None, typer.Option("--for", help=_(N_("The game or the deck it's for: the box uses it there.")))
    ] = None,
) -> None:
    """Copy a deck into a folder of ours."""
    from companion.settings.file import state_folder
    from companion.table.decks import DECKS, own_deck, stands_for
    from vision.errors import VisionError

    try:
        purpose = stands_for(used_for) if used_for else ""
        if target is None and not purpose:
            complain(_(N_("Say where the deck shall lie, or with --for which game it's for.")))
            raise typer.Exit(1)
        folder = target or own_deck(state_folder(given(context).config), _stem(source))
        art = DECKS.get(purpose)
        known = tuple(dict.fromkeys(one.card for one in art.cards())) if art else ()
        size = art.size if art else (0.0, 0.0)
        if source.is_dir():
            deck = _from_folder(source, folder, known, purpose)
        else:
            shapes = (aspect,) if aspect else (size[1] / size[0],) if art else ASPECTS
            deck = _from_photo(source, folder, names, known, purpose, shapes, size)
    except VisionError as error:
        complain(error)
        raise typer.Exit(1) from None
    except OSError as error:
        complain(str(error))
        raise typer.Exit(1) from None
    _tell_alike(deck)
    typer.echo(_(N_("{folder}: {cards} cards"), folder=folder, cards=len(deck.cards)))
    if purpose:
        home = own_deck(state_folder(given(context).config), folder.name)
        is_home = folder.resolve() == home.resolve()
        said = (
            N_("The box uses it for {deck} from the next game on.")
            if is_home
            else N_("Move it to {folder}: there the box uses it for {deck}.")
        )
        typer.echo(_(said, deck=purpose, folder=home.parent))


def _stem(source: Path) -> str:
    """The name of a deck made from a file or folder."""
    return source.resolve().stem if source.is_file() else source.resolve().name


def _from_folder(source: Path, target: Path, known: tuple[str, ...], purpose: str) -> Deck:
    from vision.decks.importing import import_folder

    with progress_shown(N_("reading pictures")) as progress:
        deck, ways = import_folder(source, target, known, purpose, progress)
    _tell_ways(ways)
    return deck


def _tell_ways(ways: Rotations) -> None:
    if ways.lying and ways.is_top_known:
        typer.echo(_(N_("{count} pictures lay on their side: the others told which end is the top."), count=ways.lying))
    elif ways.lying:
        typer.echo(_(N_("{count} pictures lay on their side: the left end is taken for the top."), count=ways.lying))
    if ways.upside_down:
        typer.echo(_(N_("{count} pictures stood on their head, and were turned about."), count=ways.upside_down))


def _from_photo(
    photo: Path,
    target: Path,
    names: Path | None,
    known: tuple[str, ...],
    purpose: str,
    aspects: tuple[float, ...],
    size: tuple[float, float],
) -> Deck:
    from vision.decks.importing import check_ids, import_photo, look_at, prepare, read_list
    from vision.errors import PictureError
    from vision.pictures import write_picture

    if not photo.exists():
        raise PictureError(N_("there is no picture or folder {path}"), path=photo)
    if names is None:
        complain(_(N_("A photo needs --names, a list of its cards in reading order.")))
        raise typer.Exit(1)
    listed = read_list(names)
    if known:
        where = (f"{names.name}:{line}" for line in listed.lines)
        check_ids(zip(listed.cards, where, strict=True), known, purpose)
    prepare(target)
    typer.echo(_(N_("Looking for {count} cards in {path} …"), count=len(listed.cards), path=photo), err=True)
    count = len(listed.cards)
    attempts = [look_at(photo, aspect, count) for aspect in aspects]
    found = min(attempts, key=lambda attempt: abs(len(attempt.spread.cards) - count))
    shown = target.parent / f"{target.name}-found.jpg"
    write_picture(shown, found.drawn())
    typer.echo(_(N_("What was found, with numbers in reading order: {path}"), path=shown))
    with progress_shown(N_("cutting out")) as progress:
        return import_photo(found, target, listed, purpose, size, progress)


def _tell_alike(deck: Deck) -> None:
    """Cards that look the same: one may have been laid twice, or listed under a wrong name."""
    from vision.decks import load_index
    from vision.decks.enrol import indistinguishable_cards

    typer.echo(_(N_("Comparing the cards with each other …")), err=True)
    for one, other in indistinguishable_cards(load_index(deck)):
        same = N_("{one} and {other} look alike: was one card laid twice? If not, a second picture of each helps.")
        typer.echo(_(same, one=one, other=other))
