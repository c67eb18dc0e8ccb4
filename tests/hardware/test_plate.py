"""The front plate: as large on paper as in the data, with a hole for everything there is."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from hardware.canvas import Circle, Point, Polygon
from hardware.errors import PanelError
from hardware.outfit import EASY_PANEL, PLAIN_PANEL, DisplaySettings, Outfit
from hardware.pinout import Pinout
from hardware.pixels import Strip
from hardware.plate import PAPERS, plate, write_plate

SMALL = Outfit(Pinout(bar=(5, 6), sun=18, left=4))
PANELS = {"plain": PLAIN_PANEL, "easy": EASY_PANEL, "small": SMALL}
DPI = 254
"""So that a millimetre is ten pixels."""


def bounds(hole: Circle | Polygon) -> tuple[float, float, float, float]:
    if isinstance(hole, Circle):
        (x, y), r = hole.centre, hole.radius
        return x - r, y - r, x + r, y + r
    xs, ys = zip(*hole.points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def middle(hole: Circle | Polygon) -> Point:
    left, top, right, bottom = bounds(hole)
    return (left + right) / 2, (top + bottom) / 2


@pytest.mark.parametrize("name", PANELS)
def test_every_part_has_its_hole_and_none_meets_another(name: str) -> None:
    outfit = PANELS[name]
    made = plate(outfit)
    parts = {*outfit.parts.names(), *(button.value for button in outfit.parts.buttons)}
    assert set(made.holes) == parts | ({"display"} if outfit.display.is_there else set())
    for hole in made.holes.values():
        left, top, right, bottom = bounds(hole)
        assert 5 < left < right < made.size[0] - 5
        assert 5 < top < bottom < made.size[1] - 5
    for one, other in combinations(map(bounds, made.holes.values()), 2):
        apart = one[2] + 1 < other[0] or other[2] + 1 < one[0] or one[3] + 1 < other[1] or other[3] + 1 < one[1]
        assert apart, "less than a millimetre of card between two holes tears"


def test_pixels_of_the_easy_plate_are_as_far_apart_as_on_a_strip_of_sixty_a_metre() -> None:
    holes = plate(EASY_PANEL).holes
    places = [middle(holes[f"bar{n}"])[0] for n in range(1, 16)]
    assert np.diff(places) == pytest.approx(1000 / 60)
    covers = [middle(holes[lamp])[0] for lamp in ("red", "blue", "yellow", "green", "sun")]
    assert np.diff(covers) == pytest.approx(1000 / 60, abs=0.7)


def drawn(path: Path) -> np.ndarray:
    page = pypdfium2.PdfDocument(path)[0]
    return np.asarray(page.render(scale=DPI / 72, grayscale=True).to_numpy()).squeeze() < 128


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", PANELS)
def test_the_sheet_is_true_to_size(name: str, paper: str, tmp_path: Path) -> None:
    path = tmp_path / "plate.pdf"
    made = write_plate(PANELS[name], path, paper)
    ink = drawn(path)
    assert ink.shape == pytest.approx((PAPERS[paper][1] * 10, PAPERS[paper][0] * 10), abs=2)
    left, top = (PAPERS[paper][0] - made.size[0]) / 2, 40.0
    rows = slice(round(top * 10) + 200, round(top * 10) + 300)
    for edge in (left, left + made.size[0]):
        assert ink[rows, round(edge * 10) - 3 : round(edge * 10) + 4].any(axis=1).all()
    for hole in made.holes.values():
        x0, y0, x1, y1 = (round(10 * value) for value in bounds(hole))
        x0, x1, y0, y1 = x0 + round(left * 10), x1 + round(left * 10), y0 + round(top * 10), y1 + round(top * 10)
        for near in (ink[y0 - 3 : y1 + 4, x0 - 3 : x0 + 4], ink[y0 - 3 : y1 + 4, x1 - 3 : x1 + 4]):
            assert near.any(), "the hole's edge is where the data says"
    y = round((top + made.size[1] + 18) * 10)
    ruler = np.flatnonzero(ink[y, :])
    assert ruler[-1] - ruler[0] == pytest.approx(1000, abs=6), "the ruler is 100 mm long"


def test_a_plate_that_doesnt_fit_or_cant_be_written_is_told(tmp_path: Path) -> None:
    wide = Outfit(Pinout(left=4, right=17, confirm=27, back=22), Strip("spidev0.0"), DisplaySettings("ssd1306"))
    assert plate(wide).size[0] < PAPERS["letter"][0] - 4
    with pytest.raises(PanelError, match="can't be written"):
        write_plate(wide, tmp_path / "nowhere" / "plate.pdf")


def test_the_same_panel_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_plate(EASY_PANEL, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
