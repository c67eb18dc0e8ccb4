"""`python -m docs.manual`: the parts of the manual that are computed, in each of its four languages."""

from __future__ import annotations

from pathlib import Path

from companion.catalogue import Catalogue
from companion.text import LANGUAGES, N_
from vision.mounting import CAMERAS, POKER, TAROT, plan

DOCS = Path(__file__).parent
BEGIN, END = "<!-- made by python -m docs.manual: {name} -->", "<!-- end: {name} -->"
# Centimetres: a small table, the mat of Similo, the other mats, and a dining table.
TABLES = ((60, 45), (70, 50), (84, 60), (120, 80))


def cameras(catalogue: Catalogue) -> str:
    """How high each camera hangs over tables of several sizes, and how large cards are then."""
    headings = (N_("the table"), N_("a card of 63 x 88 mm"), N_("a tarot card"), *(camera.name for camera in CAMERAS))
    rows = [[catalogue.translate(heading) for heading in headings], ["---"] * len(headings)]
    for width, depth in TABLES:
        mounts = plan((width * 10.0, depth * 10.0))
        # Every camera gives the box a picture of the same size, so cards are as large under any of them.
        pixels = [
            catalogue.say(
                N_("{count} px, {verdict}"),
                count=mounts[0].width_of(card),
                verdict=catalogue.translate(mounts[0].verdict(card)),
            )
            for card in (POKER, TAROT)
        ]
        rows.append([f"{width} x {depth} cm", *pixels, *(f"{round(mount.height / 10)} cm" for mount in mounts)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


PARTS = {"cameras": ("start.md", cameras)}


def filled(page: str, name: str, content: str) -> str:
    """A page with one of its computed parts made anew."""
    begin, end = BEGIN.format(name=name), END.format(name=name)
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n\n{content}\n\n{end}{after}"


def pages() -> dict[Path, str]:
    """Every page that has a computed part, as it should be."""
    made: dict[Path, str] = {}
    for language in LANGUAGES:
        for name, (file, make) in PARTS.items():
            path = DOCS / language / file
            made[path] = filled(path.read_text(encoding="utf-8"), name, make(Catalogue(language)))
    return made


if __name__ == "__main__":
    for path, page in pages().items():
        path.write_text(page, encoding="utf-8")
