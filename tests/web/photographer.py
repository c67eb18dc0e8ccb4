"""Somebody with a phone beside the simulated table: photos of it, taken by hand, at a slant."""

from __future__ import annotations

import io
from typing import Any

import cv2
from PIL import Image

from companion.table.eye import deck_names, table_deck
from companion.table.scenes import scene
from companion.table.simulated_table import looks_of, token_looks
from vision.simulated import Conditions, LaidCard, PinholeCamera, Scene, render

# From the near side and half an arm away, as people hold a phone.
BY_HAND = PinholeCamera(1800, 1350, tilt=32.0, fill=0.8)
SCALE = 2.4
UPSIDE_DOWN = 3
ORIENTATION = 0x0112


class Photographer:
    """Takes photos of one game's table."""

    def __init__(self, kit: Any, options: Any, camera: PinholeCamera = BY_HAND):
        self.kit, self.camera = kit, camera
        deck = table_deck(deck_names(kit.name, options), None, kit.name)
        self._looks = looks_of(deck, SCALE) | token_looks(kit.tokens)

    def photo(self, state: Any, *more: LaidCard, without: str = "", seed: int = 1) -> bytes:
        """The table of a state, with some cards more and perhaps one less, as a JPEG."""
        laid = [card for card in scene(self.kit.name, state).cards if card.card != without]
        return self.taken([*laid, *more], seed)

    def taken(self, cards: list[LaidCard], seed: int = 1) -> bytes:
        """Some cards on the table."""
        layout = self.kit.layout
        whole = Scene(tuple(cards), layout.width, layout.height)
        picture = render(whole, self._looks, self.camera, Conditions(), "wood", seed).picture
        return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 88])[1])


def held_upside_down(photo: bytes) -> bytes:
    """The same photo from a phone held the other way round: its pixels are turned, and its EXIF data says so."""
    with Image.open(io.BytesIO(photo)) as picture:
        turned = picture.rotate(180)
    exif = Image.Exif()
    exif[ORIENTATION] = UPSIDE_DOWN
    buffer = io.BytesIO()
    turned.save(buffer, "JPEG", quality=88, exif=exif)
    return buffer.getvalue()
