"""What was learnt from a deck, kept beside it, and learnt anew when a picture changes."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
from pathlib import Path
from typing import IO

import numpy as np

from companion.text import N_
from vision import ink
from vision.cells import as_templates
from vision.colours import in_cells
from vision.comparison import FacePlaneStack, thumbnail_vectors
from vision.decks.deck import Deck
from vision.decks.way_up import Ends, turned
from vision.detail import DetailedFace
from vision.errors import DeckError
from vision.geometry import Array
from vision.index import Face, Index
from vision.learning import Learning
from vision.matching import Bank
from vision.pictures import picture_bytes, picture_size, read_picture

# Raise it when what is learnt changes, so that old caches are left behind.
FORMAT = 21
FILE = ".hush-index.npz"


def load_index(deck: Deck) -> Index:
    """The deck's index: from its cache where that's up to date, else built and cached if it can be."""
    mark = _fingerprint(deck)
    places = [deck.folder / FILE, _elsewhere(mark)]
    for place in places:
        cached = _read(place, mark)
        if cached is not None:
            return cached
    index = _learn(deck)
    for place in places:
        if _write(place, index, mark):
            break
    return index


def _learn(deck: Deck) -> Index:
    """The index of a deck, whose pictures are read one after the other: hundreds of them fill a small memory."""
    paths = [(face.card, face.face, path) for face in deck.faces for path in face.pictures]
    aspect = deck.aspect or float(np.median([_aspect_of(path) for _card, _face, path in paths]))
    learning, ends = Learning(len(paths), max(aspect, 1 / aspect)), Ends()
    for number, (card, face, path) in enumerate(paths):
        picture = read_picture(path)
        ends.add(picture)
        learning.add(number, card, face, picture)
    # Whichever turns out to stand on its head is learnt again.
    for number, quarters in enumerate(ends.rotations().quarters):
        if quarters > 1:
            card, face, path = paths[number]
            learning.add(number, card, face, turned(read_picture(path), quarters))
    return learning.index()


def _aspect_of(path: Path) -> float:
    """The longer side of a picture over its shorter one."""
    width, height = picture_size(path)
    if min(width, height) < 32:
        raise DeckError(N_("{path} is too small to learn a card from"), path=path)
    return max(width, height) / min(width, height)


def _fingerprint(deck: Deck) -> str:
    """A hash of everything the index depends on."""
    digest = hashlib.blake2b(f"{FORMAT} {deck.aspect}".encode(), digest_size=16)
    for face in deck.faces:
        digest.update(f"|{face.card}|{face.face}|".encode())
        for path in face.pictures:
            digest.update(picture_bytes(path))
    return digest.hexdigest()


def cache_folder() -> Path:
    """Where this user's caches lie."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hush"


def _elsewhere(mark: str) -> Path:
    """The place for decks in folders that can't be written."""
    return cache_folder() / f"index-{mark}.npz"


def _write(place: Path, index: Index, mark: str) -> bool:
    about = {
        "mark": mark,
        "faces": [[f.card, f.face, f.aspect, f.either_way] for f in index.faces],
        "aspect": index.aspect,
        "detailed": list(index.detailed),
        "grids": [[t.width, t.height, t.side] for t in (index.coarse, index.fine, index.soft)],
    }
    bank = index.bank
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        # Written aside and moved, so that a power cut leaves the old cache or none.
        handle, name = tempfile.mkstemp(dir=place.parent, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            _save(file, {
                "about": np.frombuffer(json.dumps(about).encode(), np.uint8),
                "mean": bank.mean, "basis": bank.basis, "words": bank.words, "starts": bank.starts, "rows": bank.rows,
                "face": bank.face, "spots": bank.spots,
                "coarse": index.coarse.cells, "coarse_spread": index.coarse.variance, "colours": index.colours,
                "fine": index.fine.cells, "fine_spread": index.fine.variance, "looks": index.face_planes.full,
                "low": index.face_planes.on_grid, "relatives": index.nearest_faces, "apart": index.nearest_distance,
                "soft": index.soft.cells, "soft_spread": index.soft.variance,
                # One by one, for all in one would be a second copy.
                **{f"planes-{number}": face.planes for number, face in index.detailed.items()},
                **{f"apart-{number}": face.near_twin_differences for number, face in index.detailed.items()},
            })  # fmt: skip
        Path(name).replace(place)
    except OSError:
        return False
    return True


def _save(file: IO[bytes], arrays: dict[str, Array]) -> None:
    """Write arrays as `np.savez` does, which copies 16 MB at a time."""
    with zipfile.ZipFile(file, "w") as archive:
        for name, values in arrays.items():
            whole = np.ascontiguousarray(values)
            with archive.open(f"{name}.npy", "w", force_zip64=True) as part:
                np.lib.format.write_array_header_1_0(part, np.lib.format.header_data_from_array_1_0(whole))
                part.write(whole.reshape(-1).view(np.uint8).data)


def _read(place: Path, mark: str) -> Index | None:
    """A cached index; anything wrong with the file means that there is none."""
    try:
        # Opened here, since NumPy forgets to close what turns out to be no archive.
        with place.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            about = json.loads(bytes(file["about"]))
            if about["mark"] != mark:
                return None
            grids = [
                as_templates(width, height, side, file[name], file[name + "_spread"])
                for name, (width, height, side) in zip(("coarse", "fine", "soft"), about["grids"], strict=True)
            ]
            planes = FacePlaneStack(file["looks"], file["low"])
            names = ("mean", "basis", "words", "starts", "rows", "face", "spots")
            return Index(
                faces=tuple(Face(*f) for f in about["faces"]),
                bank=Bank(**{name: file[name] for name in names}),
                coarse=grids[0],
                fine=grids[1],
                aspect=about["aspect"],
                colours=file["colours"],
                soft=grids[2],
                cell_colours=in_cells(file["colours"], grids[1]),
                face_planes=planes,
                thumbnails=thumbnail_vectors(planes.on_grid),
                ink_hues=ink.of_faces(planes.on_grid),
                nearest_faces=file["relatives"],
                nearest_distance=file["apart"],
                detailed={n: DetailedFace(file[f"planes-{n}"], file[f"apart-{n}"]) for n in about["detailed"]},
            )
    except (OSError, ValueError, KeyError, IndexError, TypeError, EOFError, zipfile.BadZipFile):
        return None
