"""`companion camera`: what the camera sees, as numbers; and single frames to keep."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.catalogue import _
from companion.commands.eye.common import complain
from companion.commands.given import given
from companion.settings.file import state_folder
from companion.text import N_

if TYPE_CHECKING:
    from vision.geometry import Picture


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("camera", help=_(N_("Show how the camera is: frames a second, sharpness, light, markers.")))(camera)


def camera(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help=_(N_("The camera: pi, usb, usb:1, or files.")))] = "usb",
    seconds: Annotated[float, typer.Option(help=_(N_("How long to watch; 0: until Ctrl-C.")))] = 0.0,
    save: Annotated[Path | None, typer.Option(help=_(N_("Save the last frame here.")))] = None,
    clip: Annotated[Path | None, typer.Option(help=_(N_("Save all frames as a video (.avi).")))] = None,
    lens: Annotated[
        Path | None,
        typer.Option(
            help=_(N_("A folder with pictures of the printed board: learn the camera's lens from them, and end."))
        ),
    ] = None,
    plan: Annotated[
        str | None,
        typer.Option(
            metavar="84x60", help=_(N_("Your table in centimetres: say how high each camera must hang, and end."))
        ),
    ] = None,
) -> None:
    """Print statistics once a second."""
    if plan is not None:
        _tell_plan(plan)
        return
    if lens is not None:
        _learn_lens(lens, state_folder(given(context).config))
        return
    _watch(name, seconds, save, clip)


def _watch(name: str, seconds: float, save: Path | None, clip: Path | None) -> None:
    """Tell of the camera's frames, for so long or until Ctrl-C; keep the last one or all of them where wanted."""
    import cv2

    from vision.cameras import open_camera
    from vision.errors import VisionError
    from vision.pictures import write_picture

    source = open_camera(name)
    writer = None
    frame = None
    try:
        source.open()
        begin = last = time.monotonic()
        count, best = 0, 0
        while seconds <= 0 or time.monotonic() - begin < seconds:
            frame = source.read()
            count += 1
            if clip is not None:
                size = (frame.picture.shape[1], frame.picture.shape[0])
                writer = writer or cv2.VideoWriter(str(clip), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, size)
                writer.write(frame.picture)
            now = time.monotonic()
            if now - last >= 1:
                best = _tell(frame.picture, count / (now - last), best)
                last, count = now, 0
    except KeyboardInterrupt:
        pass
    except VisionError as error:
        complain(error)
        raise typer.Exit(1) from None
    finally:
        source.close()
        if writer is not None:
            writer.release()
    if save is not None and frame is not None:
        try:
            write_picture(save, frame.picture)
        except VisionError as error:
            complain(error)
            raise typer.Exit(1) from None


def _tell_plan(size: str) -> None:
    """Where each camera goes over a table of this size, and whether cards are then large enough to be named."""
    from rich.console import Console
    from rich.table import Table

    from vision import mounting
    from vision.errors import VisionError

    try:
        width, depth = mounting.table_size(size)
    except VisionError as error:
        complain(error)
        raise typer.Exit(2) from None
    title = N_("A table of {width} x {depth} cm, the camera straight above its middle")
    shown = Table(title=_(title, width=round(width / 10), depth=round(depth / 10)), title_justify="left")
    for heading in (N_("camera"), N_("height"), N_("sees"), N_("a card of 63 x 88 mm"), N_("a tarot card"), N_("note")):
        shown.add_column(_(heading))
    verdicts = set()
    for mount in mounting.plan((width, depth)):
        verdicts |= {mount.verdict(card) for card in (mounting.POKER, mounting.TAROT)}
        pixels = [
            _(N_("{count} px, {verdict}"), count=mount.width_of(card), verdict=_(mount.verdict(card)))
            for card in (mounting.POKER, mounting.TAROT)
        ]
        sees = f"{mount.seen[0] / 10:.0f} x {mount.seen[1] / 10:.0f} cm"
        shown.add_row(mount.camera.name, f"{mount.height / 10:.0f} cm", sees, *pixels, _(mount.camera.note))
    console = Console()
    console.print(shown)
    console.print(
        _(N_("px: how many pixels wide the card is in the picture. From {good} on it's good."), good=mounting.GOOD)
    )
    for verdict, advice in mounting.ADVICE.items():
        if verdict in verdicts:
            console.print(_(advice))


def _tell(picture: Picture, rate: float, best: int) -> int:
    """One line about a frame, and how many come in a second; returns the best sharpness so far."""
    from vision.quality import is_blurred, quality_of

    quality = quality_of(picture)
    sharp = None if quality.sharpness is None else round(quality.sharpness)
    best = max(best, sharp or 0)
    typer.echo(
        _(
            N_("{gauge} sharpness {sharp} (best {best}), {fps} frames/s, light {light} of 255, markers: {markers}"),
            gauge=gauge(sharp or 0, best),
            sharp="–" if sharp is None else sharp,
            best=best or "–",
            fps=round(rate, 1),
            light=round(quality.light),
            markers=", ".join(map(str, sorted(quality.markers))) or "–",
        )
    )
    if is_blurred(quality.sharpness, bool(quality.markers)):
        typer.echo(_(N_("The picture is blurred: turn the lens until the bar is longest.")))
    return best


def gauge(sharp: int, best: int, width: int = 20) -> str:
    """A bar for a sharpness of 0 to 100, with a mark at the best so far.

    >>> gauge(40, 75)
    '########......|.....'
    """
    lit, mark = round(width * sharp / 100), round(width * best / 100)
    bar = "#" * lit + "." * (width - lit)
    return bar[: mark - 1] + "|" + bar[mark:] if mark else bar


def _learn_lens(folder: Path, state: Path) -> None:
    """Learn the lens from pictures of the board, and keep it where the box looks for it."""
    from companion.table.eye import lens_file
    from vision.calibration import calibrate_lens, save_lens
    from vision.errors import VisionError
    from vision.pictures import pictures_in, read_picture

    target = lens_file(state)
    try:
        learnt = calibrate_lens([read_picture(path) for path in pictures_in(folder)])
        save_lens(learnt, target)
    except VisionError as error:
        complain(error)
        raise typer.Exit(1) from None
    off = f"{learnt.error:.2f}"
    typer.echo(_(N_("The lens is known within {off} pixels, and kept in {path}."), off=off, path=target))
