"""What people have stays: the configuration and the enrolled deck of 81ca099 mean what they meant."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from companion.settings.effective import effective_settings
from companion.settings.file import load
from companion.table.decks import own_deck
from companion.table.eye import table_deck
from vision.pictures import read_picture

KEPT = Path(__file__).parent.parent / "kept" / "81ca099"
GONE = {"sound.bed"}


def test_a_configuration_of_81ca099_means_what_it_meant() -> None:
    """settings.json is what 81ca099 itself made of this file: every key's value, and where it came from."""
    file = KEPT / "hush.toml"
    config, unread = load({"HUSH_CONFIG": str(file)})
    settings, unusable = effective_settings(config, "nl")
    assert (unread, unusable) == ([], [])
    meant = json.loads((KEPT / "settings.json").read_text())
    means = {key: [value, origin.replace(str(file), file.name)] for key, value, origin in settings.rows()}
    assert {key: means.get(key) for key in meant if key not in GONE} == {
        key: value for key, value in meant.items() if key not in GONE
    }


def test_a_deck_of_81ca099_is_used_in_place_of_the_drawn_cards(tmp_path: Path) -> None:
    """Two of its cards were enrolled: these look like theirs, all others like the drawn ones."""
    shutil.copytree(KEPT / "decks", tmp_path / "decks")
    deck = table_deck(("silencio",), tmp_path)
    drawn = {(face.card, face.face): face.pictures for face in table_deck(("silencio",)).faces}
    looks = {(face.card, face.face): face.pictures for face in deck.faces}
    assert looks.keys() == drawn.keys()
    own = own_deck(tmp_path, "silencio")
    theirs = {side: pictures for side, pictures in looks.items() if pictures != drawn[side]}
    assert theirs == {(card, ""): (own / f"{card}.png",) for card in ("r2", "b7")}
    assert all(read_picture(path).size for pictures in theirs.values() for path in pictures)
    assert deck.folder == own
