"""`python -m benchmarks.vision.train`: the weights of `vision/comparison.py`, from generated decks.

Decks of seven kinds are drawn in many styles with this machine's fonts; scans of tarot decks join them where they are
at hand. The last of the styles, and the scans of the trumps, aren't fitted on: the report is about them. All examples
together take 5 GB of memory. Needs torch, which the project doesn't: `pip install torch`.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import cv2
import msgspec
import numpy as np

from benchmarks.vision.scenes import DATA
from benchmarks.vision.training import decks, network, style
from benchmarks.vision.training.decks import Deck
from benchmarks.vision.training.examples import HEIGHTS, VIEWS, Example, Known, compared, known, table
from benchmarks.vision.training.network import Examples
from vision import comparison, upright
from vision.geometry import Array
from vision.pictures import read_picture

DECKS, EXAMPLES, EPOCHS = 84, 43000, 6
# Of so many styles and so many examples one isn't fitted on.
CHECKED_DECK, CHECKED_EXAMPLE = 14, 15
# Examples in a file.
PART = 600
PARTS = ("fitted", "checked")
# The modules by which examples are made.
SOURCES = ("style", "decks", "views", "examples")
TRUMPS = [f"major-{number:02d}" for number in range(22)]
MINORS = [f"{s}-{n:02d}" for s, n in itertools.product(("wands", "cups", "swords", "pentacles"), range(1, 15))]
# How often a tarot deck is there among the generated ones where it's fitted on: one printing enrolled and the other on
# the table, the other way about, one of them alone, and pips.
REPEATED = (8, 4, 4, 6)


def is_checked(seed: int, count: int) -> bool:
    """Whether a style, by its number among all of them, isn't fitted on."""
    return seed >= count - max(1, count // CHECKED_DECK)


def scans(part: str) -> list[Known]:
    """Tarot decks: the minors are fitted on, the trumps aren't."""
    folder = DATA / "decks"
    if not folder.is_dir():
        print(f"tarot scans: skipped, no {folder}", flush=True)
        return []
    names = MINORS if part == "fitted" else TRUMPS
    first, other, pips = (
        _scanned(folder / deck, names)
        for deck in ("rws-roses-lilies-1909", "rws-pam-a-sacredtexts", "marseille-conver-1760")
    )
    found = (known(first, other), known(other, first), known(first), known(pips))
    times = REPEATED if part == "fitted" else (1,) * len(found)
    return [deck for deck, often in zip(found, times, strict=True) for _ in range(often)]


def _scanned(folder: Path, names: list[str]) -> Deck:
    pictures = [read_picture(folder / f"{name}.jpg") for name in names]
    size = (style.WIDTH, int(style.WIDTH * pictures[0].shape[0] / pictures[0].shape[1]))
    return [np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA)) for picture in pictures]


def pool(part: str, count: int) -> list[Known]:
    """All decks that examples of one part are made of, `count` styles being drawn in all."""
    drawn = []
    seeds = [seed for seed in range(count) if is_checked(seed, count) == (part == "checked")]
    for done, seed in enumerate(seeds, 1):
        drawn += [known(decks.deck(kind, seed)) for kind in decks.KINDS]
        print(f"{part}: decks of {done} styles of {len(seeds)}", flush=True)
    return drawn + scans(part)


def made(random: np.random.Generator, known_decks: list[Known], count: int) -> Examples:
    """New examples."""
    found: list[Example] = []
    while len(found) < count:
        found += compared(random, table(random, known_decks, int(random.choice(HEIGHTS))))
    return joined(found[:count])


def joined(found: Iterable[Example]) -> Examples:
    """Examples stacked."""
    columns = zip(*(msgspec.structs.astuple(one) for one in found), strict=True)
    return Examples(*(np.stack(column) for column in columns))


def _made_by() -> str:
    """What changes whenever examples would come out otherwise."""
    folder = Path(decks.__file__).parent
    sources = [Path(comparison.__file__), Path(upright.__file__), *(folder / f"{name}.py" for name in SOURCES)]
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:8]


def collected(folder: Path, part: str, styles: int, count: int) -> Examples:
    """Examples of one part; those that a folder holds already aren't made again."""
    sizes = [min(PART, count - first) for first in range(0, count, PART)]
    files = [folder / f"{part}-{styles}-{_made_by()}-{n}x{size}.npz" for n, size in enumerate(sizes)]
    known_decks: list[Known] = []
    begun = time.monotonic()
    for n, (file, size) in enumerate(zip(files, sizes, strict=True)):
        if not file.is_file():
            known_decks = known_decks or pool(part, styles)
            random = np.random.default_rng([PARTS.index(part), n])
            whole = file.with_suffix(".part.npz")
            np.savez(whole, **msgspec.structs.asdict(made(random, known_decks, size)))
            whole.rename(file)
            print(f"{part}: {sum(sizes[: n + 1])} examples of {count}, {time.monotonic() - begun:.0f} s", flush=True)
    return _read(files, count)


def _read(files: list[Path], count: int) -> Examples:
    """Examples out of files, each put where it belongs at once: all of them hardly fit into memory twice."""
    whole: dict[str, Array] = {}
    done = 0
    for file in files:
        with np.load(file) as part:
            for name in Examples.__struct_fields__:
                values = part[name]
                if name not in whole:
                    whole[name] = np.empty((count, *values.shape[1:]), values.dtype)
                whole[name][done : done + len(values)] = values
        done += len(values)
    return Examples(**whole)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decks", type=int, default=DECKS, help=f"styles in which each kind is drawn ({DECKS})")
    parser.add_argument("--examples", type=int, default=EXAMPLES, help=f"views to fit on ({EXAMPLES}), 140 kB each")
    parser.add_argument("--epochs", type=int, default=EPOCHS, help=f"times each of them is seen ({EPOCHS})")
    parser.add_argument("--keep", type=Path, help="a folder to keep the examples in, and to go on from")
    parser.add_argument("--write", action="store_true", help=f"write vision/{comparison.WEIGHTS.name}")
    options = parser.parse_args()
    if options.decks < 2 or options.examples < VIEWS or options.epochs < 1:
        parser.error(f"at least 2 decks, {VIEWS} examples and 1 epoch")
    network.torch_module()
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as passing:
        folder = options.keep or Path(passing)
        folder.mkdir(parents=True, exist_ok=True)
        checked = max(VIEWS, options.examples // CHECKED_EXAMPLE)
        fitted_on, unseen = (
            collected(folder, part, options.decks, count)
            for part, count in zip(PARTS, (options.examples, checked), strict=True)
        )
    weights = network.fit(fitted_on, unseen, options.epochs)
    if options.write:
        np.savez(comparison.WEIGHTS, **weights)
        print(f"{comparison.WEIGHTS} written")


if __name__ == "__main__":
    main()
