"""`companion see`: which cards are in a picture."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.catalogue import _
from companion.commands.eye.common import complain, deck_folder
from companion.commands.rules import fail
from companion.text import N_

if TYPE_CHECKING:
    from vision.detections import Detections
    from vision.geometry import Picture


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("see", help=_(N_("Name the cards in pictures.")))(see)


def see(
    pictures: Annotated[list[Path], typer.Argument(help=_(N_("Pictures, or folders of them.")))],
    deck: Annotated[
        str | None, typer.Option(help=_(N_("A deck's folder, or the name of a deck that comes with Hush.")))
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=_(N_("One JSON object for each picture.")))] = False,
    draw: Annotated[
        Path | None, typer.Option(help=_(N_("Write the picture with what was seen; a folder for several.")))
    ] = None,
) -> None:
    """Read pictures and tell what lies in them."""
    from companion.table.decks import DECKS
    from vision.decks import load_index, open_deck
    from vision.errors import VisionError
    from vision.pictures import pictures_in, read_picture, write_picture
    from vision.recognise import Recogniser

    if deck is None:
        fail(_(N_("Say which deck with --deck: {known}, or a deck's folder."), known=", ".join(DECKS)))
        return
    failed = 0
    try:
        recogniser = Recogniser(load_index(open_deck(deck_folder(deck))))
        paths = [p for given in pictures for p in (pictures_in(given) if given.is_dir() else [given])]
        if not paths:
            complain(_(N_("There are no pictures there.")))
            raise typer.Exit(1)
        if draw is not None and (len(paths) > 1 or draw.is_dir() or not draw.suffix):
            draw.mkdir(parents=True, exist_ok=True)
    except VisionError as error:
        complain(error)
        raise typer.Exit(1) from None
    for path in paths:
        try:
            picture = read_picture(path)
            start = time.perf_counter()
            reading = recogniser.read(picture)
            spent = (time.perf_counter() - start) * 1000
            if draw is not None:
                target = draw / f"{path.stem}.png" if draw.is_dir() else draw
                write_picture(target, _drawn(picture, reading))
        except VisionError as error:
            complain(error)
            failed += 1
            continue
        typer.echo(_as_json(path, picture, reading, spent) if as_json else _as_text(path, reading, spent))
    if failed:
        raise typer.Exit(1)


def _as_json(path: Path, picture: Picture, reading: Detections, spent: float) -> str:
    import msgspec

    def rounded(corners: object) -> list[list[float]]:
        return [[round(float(x), 1), round(float(y), 1)] for x, y in corners]  # type: ignore[attr-defined]

    unknown: list[dict[str, object]] = []
    for stranger in reading.unknown:
        entry: dict[str, object] = {"corners": rounded(stranger.corners)}
        if stranger.maybe:
            entry["maybe"] = list(stranger.maybe)
            entry["chances"] = list(stranger.chances)
        unknown.append(entry)
    cards = [
        {
            "card": card.card,
            "face": card.face,
            "corners": rounded(card.corners),
            "turn": card.turn,
            "confidence": card.confidence,
            "visible": card.visible_share,
        }
        for card in reading.cards
    ]
    result = {
        "picture": str(path),
        "width": picture.shape[1],
        "height": picture.shape[0],
        "ms": round(spent, 1),
        "cards": cards,
        "unknown": unknown,
    }
    return msgspec.json.encode(result).decode()


def _as_text(path: Path, reading: Detections, spent: float) -> str:
    lines = [
        _(
            N_("{picture}: {count} cards, {unknown} unknown, {ms} ms"),
            picture=path, count=len(reading.cards), unknown=len(reading.unknown), ms=round(spent),
        )
    ]  # fmt: skip
    for card in reading.cards:
        lines.append(
            _(
                N_("  {card} turned {turn}°, {sure} % sure, {visible} % visible"),
                card=f"{card.card} ({card.face})" if card.face else card.card,
                turn=round(card.turn) % 360,
                sure=round(card.confidence * 100),
                visible=round(card.visible_share * 100),
            )
        )
    lines += [_(N_("  not sure, perhaps: {names}"), names=", ".join(s.maybe)) for s in reading.unknown if s.maybe]
    return "\n".join(lines)


def _drawn(picture: Picture, reading: Detections) -> Picture:
    from vision.drawing import annotate

    return annotate(picture, reading)
