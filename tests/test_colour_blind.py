"""Cards are told apart by people who can't tell some colours apart; the manual's numbers are true."""

from __future__ import annotations

import re

from docs.colour_blind import FOLDER, PAGE, WAYS, measured

# In CIELAB 2 to 3 can just be seen; the least of all decks was 23 when this was written.
ENOUGH = 15


def test_the_hardest_pair_of_every_deck_is_told_apart_in_every_way_of_seeing_and_the_page_says_how_well() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for deck, told in measured().items():
        (row,) = re.findall(rf"^\| {deck} \|.*$", page, re.MULTILINE)
        written = [int(number) for number in re.findall(r"\| (\d+) \(", row)]
        assert len(written) == len(WAYS)
        for way, one, number in zip(WAYS, told, written, strict=True):
            assert one.apart > ENOUGH, (deck, way, one)
            # Pillow draws letters a little differently from one version to the next.
            assert abs(one.apart - number) < 4, (deck, way, one)
        assert (FOLDER / "images" / f"colour-blind-{deck}.png").is_file()
