"""The pictures of a table's cards for a browser: the deck's own, or what people enrolled, in a few sizes.

A picture's address is its mark, which changes with the picture, so that a phone never asks for it twice. Every card of
the decks has one, whatever lies on the table or in a hand.
"""

from __future__ import annotations

import hashlib
import threading
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.table.eye import deck_names, table_deck
from companion.text import N_, Text
from companion.web.desk import Refused
from vision.errors import VisionError
from vision.pictures import read_picture

# Pixels across: a card on a phone's table, in a hand, and in full.
WIDTHS = (96, 192, 384)
JPEG_QUALITY = 82
NO_CARD = Text(N_("There is no such card."))


class Art:
    """The pictures of one table's decks, by mark."""

    def __init__(self, paths: dict[tuple[str, str], Path]):
        self._marks = {side: mark_of(path) for side, path in paths.items()}
        self._paths = {self._marks[side]: path for side, path in paths.items()}

    def mark(self, card: str, face: str) -> str:
        """A side's address; nothing where it has no picture."""
        return self._marks.get((card, face), "")

    def path(self, mark: str) -> Path | None:
        """Where a picture lies, by its address."""
        return self._paths.get(mark)


def mark_of(path: Path) -> str:
    """A name for a picture as it is now."""
    about = path.stat()
    return hashlib.sha256(f"{path}|{about.st_mtime_ns}|{about.st_size}".encode()).hexdigest()[:16]


class Gallery:
    """The art of the tables that were asked for. Reading a deck is slow and belongs in a thread."""

    MOST = 8

    def __init__(self, folder: Path):
        self._folder = folder
        self._known: dict[tuple[str, ...], Art] = {}
        self._lock = threading.Lock()

    @staticmethod
    def key(game: str, options: Any) -> tuple[str, ...]:
        """Tables with the same decks have the same art."""
        return (game, *deck_names(game, options))

    def ready(self, game: str, options: Any) -> Art | None:
        """The art of a table, if it was read already."""
        return self._known.get(self.key(game, options))

    def read(self, game: str, options: Any) -> Art:
        """The art of a table; a deck that can't be read has none."""
        key = self.key(game, options)
        # A deck that was never drawn takes a small Pi minutes; it's drawn once.
        with self._lock:
            known = self._known.get(key)
            if known is not None:
                return known
            try:
                faces = table_deck(deck_names(game, options), self._folder, game).faces
                art = Art({(face.card, face.face): face.pictures[0] for face in faces})
            except (VisionError, OSError):
                art = Art({})
            if len(self._known) >= self.MOST:
                self._known.pop(next(iter(self._known)))
            self._known[key] = art
            return art

    @property
    def is_reading(self) -> bool:
        """Whether a deck is being read or drawn just now."""
        return self._lock.locked()

    def picture(self, mark: str, width: int) -> bytes:
        """A picture by its address. Raises `Refused` where there is none."""
        if width not in WIDTHS:
            raise Refused(404, "no_such_card", NO_CARD)
        for art in list(self._known.values()):
            path = art.path(mark)
            if path is not None:
                return small(path, mark, width)
        raise Refused(404, "no_such_card", NO_CARD)

    def renew(self) -> None:
        """A deck was enrolled: its cards look different now."""
        self._known.clear()


@lru_cache(maxsize=512)
def small(path: Path, mark: str, width: int) -> bytes:
    """A card's picture, so many pixels wide, as WebP; every phone wants every one of them."""
    try:
        picture = read_picture(path)
    except VisionError as error:
        raise Refused(404, "no_such_card", error.text) from None
    height = round(width * picture.shape[0] / picture.shape[1])
    shrunk = np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    done, data = cv2.imencode(".webp", shrunk, [cv2.IMWRITE_WEBP_QUALITY, JPEG_QUALITY])
    if not done:
        raise Refused(503, "no_picture", NO_CARD)
    return data.tobytes()
