"""`python -m benchmarks.vision.train comparison` or `detail`: the weights of these networks, from generated decks.

Decks of eight kinds are drawn in many styles with this machine's fonts; for the comparison, scans of tarot decks join
them where they are at hand. The last of the styles, and the scans of the trumps, aren't fitted on: the report is about
them. All examples together take 6 GB of memory, of `detail` 10 GB. `detail` learns from the comparison's log-odds, so
it is trained after it. Needs torch, which the project doesn't: `pip install torch`.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from benchmarks.vision.scenes import DATA
from benchmarks.vision.training import Random, decks, detail_examples, examples, network, style
from benchmarks.vision.training.decks import Deck
from benchmarks.vision.training.examples import HEIGHTS, VIEWS, Example, ExampleTable, Known, Shares, known, table
from benchmarks.vision.training.network import Architecture, Examples
from vision import comparison, detail, ink
from vision.geometry import Array
from vision.network import weights as in_use
from vision.pictures import read_picture

DECKS = 84
# Of so many styles and so many examples one isn't fitted on.
CHECKED_DECK, CHECKED_EXAMPLE = 14, 15
PARTS = ("fitted", "checked")
# The modules by which examples are made.
SOURCES = [
    *(comparison.COMPARISON_WEIGHTS.with_name(f"{name}.py") for name in ("comparison", "detail", "upright")),
    *(Path(decks.__file__).with_name(f"{name}.py") for name in ("style", "decks", "views", "examples")),
]


class Recipe(Struct, frozen=True):
    """How a network is trained; a kind of deck that stands there twice is twice as frequent.

    Of each style so many decks are in two languages: one is enrolled, the other lies on the table.
    """

    weights: Path
    layers: Architecture
    shares: Shares
    compared: Callable[[Random, ExampleTable], Iterator[Example]]
    kinds: tuple[str, ...]
    has_scans: bool
    examples: int
    epochs: int
    sources: list[Path]
    printings: int = 0


RECIPES = {
    "comparison": Recipe(
        comparison.COMPARISON_WEIGHTS, network.COMPARISON, examples.SHARES, examples.compared, tuple(decks.KINDS), True,
        43000, 6, SOURCES,
    ),
    "detail": Recipe(
        detail.DETAIL_WEIGHTS, network.DETAIL, detail_examples.SHARES, detail_examples.compared,
        (*decks.KINDS, "numbers", "corners", "shading", "shading", "shading", "emblem"), False, 27700, 4,
        [*SOURCES, Path(detail_examples.__file__), Path(ink.__file__), comparison.COMPARISON_WEIGHTS], printings=2,
    ),
}  # fmt: skip
TRUMPS = [f"major-{number:02d}" for number in range(22)]
MINORS = [f"{s}-{n:02d}" for s, n in itertools.product(("wands", "cups", "swords", "pentacles"), range(1, 15))]
# How often a tarot deck is there among the generated ones where it's fitted on: one printing enrolled and the other on
# the table, the other way about, one of them alone, and pips.
REPEATED = (8, 4, 4, 6)


def is_checked(seed: int, count: int) -> bool:
    """Whether a style, by its number among all of them, isn't fitted on."""
    return seed >= count - max(1, count // CHECKED_DECK)


@lru_cache(maxsize=2)
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
    wide = style.DRAWN_WIDTH * style.KEPT
    size = (wide, int(wide * pictures[0].shape[0] / pictures[0].shape[1]))
    return [np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA)) for picture in pictures]


def styles_of(part: str, count: int) -> list[int]:
    """The seeds of a part's styles, `count` being drawn in all."""
    return [seed for seed in range(count) if is_checked(seed, count) == (part == "checked")]


def pool(recipe: Recipe, part: str, count: int, seed: int) -> list[Known]:
    """The decks of one style, and its share of the scans."""
    seeds = [seed + count * recipe.kinds[:n].count(kind) for n, kind in enumerate(recipe.kinds)]
    drawn = [decks.deck(kind, own) for kind, own in zip(recipe.kinds, seeds, strict=True)]
    pool = [known(faces) for faces in drawn]
    if recipe.printings:
        pool += [known(*decks.printings(seed, drawn[(seed + n) % len(drawn)])) for n in range(recipe.printings)]
    styles = styles_of(part, count)
    return pool + (scans(part)[styles.index(seed) :: len(styles)] if recipe.has_scans else [])


def made(recipe: Recipe, random: Random, known_decks: list[Known], count: int) -> Examples:
    """New examples."""
    found: list[Example] = []
    while len(found) < count:
        found += recipe.compared(random, table(random, known_decks, int(random.choice(HEIGHTS)), recipe.shares))
    return joined(found[:count])


def joined(found: Iterable[Example]) -> Examples:
    """Examples stacked."""
    columns = zip(*(msgspec.structs.astuple(one) for one in found), strict=True)
    return Examples(*(np.stack(column) for column in columns))


def _made_by(recipe: Recipe) -> str:
    """What changes whenever examples would come out otherwise."""
    return hashlib.sha256(b"".join(source.read_bytes() for source in recipe.sources)).hexdigest()[:8]


def collected(recipe: Recipe, folder: Path, part: str, styles: int, count: int) -> Examples:
    """Examples of one part, a file for each style; those that a folder holds already aren't made again."""
    seeds = styles_of(part, styles)
    sizes = [len(share) for share in np.array_split(np.arange(count), len(seeds))]
    by = f"{recipe.weights.stem}-{_made_by(recipe)}"
    files = [folder / f"{by}-{seed}of{styles}x{size}.npz" for seed, size in zip(seeds, sizes, strict=True) if size]
    begun = time.monotonic()
    for n, (file, seed, size) in enumerate(zip(files, seeds, sizes, strict=False)):
        if not file.is_file():
            random = np.random.default_rng([PARTS.index(part), seed])
            whole = file.with_suffix(".part.npz")
            found = made(recipe, random, pool(recipe, part, styles, seed), size)
            np.savez(whole, **msgspec.structs.asdict(found))
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
    parser.add_argument("network", choices=RECIPES, help="which network to train")
    parser.add_argument("--decks", type=int, default=DECKS, help=f"styles in which each kind is drawn ({DECKS})")
    parser.add_argument("--examples", type=int, help="views to fit on (43000, 140 kB each; of detail 27700, 370 kB)")
    parser.add_argument("--epochs", type=int, help="times each of them is seen (6; of detail 4)")
    parser.add_argument("--keep", type=Path, help="a folder to keep the examples in, and to go on from")
    parser.add_argument("--go-on", action="store_true", help="begin with the weights in use, not with none")
    parser.add_argument("--write", action="store_true", help="write the network's file in vision/")
    options = parser.parse_args()
    recipe = RECIPES[options.network]
    count = recipe.examples if options.examples is None else options.examples
    epochs = recipe.epochs if options.epochs is None else options.epochs
    if options.decks < 2 or count < VIEWS or epochs < 1:
        parser.error(f"at least 2 decks, {VIEWS} examples and 1 epoch")
    network.torch_module()
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as passing:
        folder = options.keep or Path(passing)
        folder.mkdir(parents=True, exist_ok=True)
        fitted_on, unseen = (
            collected(recipe, folder, part, options.decks, many)
            for part, many in zip(PARTS, (count, max(VIEWS, count // CHECKED_EXAMPLE)), strict=True)
        )
    before = dict(in_use(recipe.weights)) if options.go_on else None
    weights = network.fit(fitted_on, unseen, epochs, recipe.layers, before)
    if options.write:
        np.savez(recipe.weights, **{name: value.astype(np.float16) for name, value in weights.items()})
        print(f"{recipe.weights} written")


if __name__ == "__main__":
    main()
