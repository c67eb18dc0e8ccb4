"""How long the eye takes, beside SIFT on the same pictures, by turns: a machine's load then hurts both alike."""

from __future__ import annotations

import functools
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from benchmarks.vision import families, scenes
from benchmarks.vision.baselines import BySift
from benchmarks.vision.scenes import DATA, Faces
from vision.decks import load_index, open_deck
from vision.geometry import Picture
from vision.learning import build_index
from vision.reading import Reader
from vision.recognise import Recogniser
from vision.simulated import LaidCard, PinholeCamera, Scene, render

ROUNDS = 5
# Of a large collection: how many cards are enrolled, and how many lie on a full table and on one with a few.
MANY, FULL, FEW = 418, 40, 5


def spent(task: Callable[[], object]) -> float:
    """Milliseconds of processor time."""
    begin = time.process_time()
    task()
    return (time.process_time() - begin) * 1000


def by_turns(tasks: dict[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, float]:
    """The least time of each task, nearest to what it takes on a machine with nothing else to do."""
    times = [{name: spent(task) for name, task in tasks.items()} for _ in range(rounds)]
    return {name: min(each[name] for each in times) for name in tasks}


def full_reads() -> None:
    """A full read of tables of each kind."""
    faces = scenes.own_faces("tarot")
    size = scenes.size_of("tarot")
    ours, sift = Recogniser(build_index(faces)), BySift(faces)
    before, after = apart(faces)
    _beside("cards apart", 6, [after], ours, sift)
    for kind in ("rows", "fans"):
        _beside(kind, 3, [shot.picture for shot in scenes.generated(kind, faces, [], size, 2)], ours, sift)
    _update(before, after, ours, sift)
    if (DATA / "decks").is_dir():
        first = scenes.faces_of(DATA / "decks" / "rws-roses-lilies-1909")
        shown = scenes.faces_of(DATA / "decks" / "rws-pam-a-sacredtexts")
        pictures = [next(scenes.generated(kind, shown, [], size, 1)).picture for kind in ("isolated", "rows")]
        _beside("another printing", 3, pictures, Recogniser(build_index(first)), BySift(first))
    else:
        print(f"another printing: skipped, no {DATA / 'decks'}")
    single_numbers()


def single_numbers() -> None:
    """One number card in each picture: photos where they're at hand, else generated ones."""
    photos = DATA / "photos" / "number-cards"
    if photos.is_dir():
        faces = scenes.faces_of(photos / "deck")
        pictures = [shot.picture for shot in scenes.photos(photos)][::9]
    else:
        faces = families.deck("numbers", 0)
        looks = scenes.looks_of(faces, families.SIZE)
        pictures = [
            render(Scene((LaidCard(card, 300, 220),)), looks, PinholeCamera(tilt=15), seed=number).picture
            for number, (card, _face, _picture) in enumerate(faces[::9])
        ]
    _beside("single number cards", 1.5, pictures, Recogniser(build_index(faces)), BySift(faces))


def apart(faces: Faces) -> tuple[Picture, Picture]:
    """A table with twelve cards, and with one more."""
    looks = scenes.looks_of(faces, scenes.size_of("tarot"))
    names = [card for card, _face, _picture in faces]
    cards = [LaidCard(names[n * 6], 80 + n % 6 * 88, 85 + n // 6 * 140) for n in range(13)]
    before, after = (
        render(Scene(tuple(laid)), looks, PinholeCamera(tilt=15), seed=3).picture for laid in (cards[:-1], cards)
    )
    return before, after


def _beside(title: str, wanted: float, pictures: list[Picture], ours: Recogniser, sift: BySift) -> None:
    """A line of a full read of some pictures beside SIFT."""
    times = by_turns(
        {"SIFT": lambda: [sift.read(p) for p in pictures], "Hush": lambda: [ours.read(p) for p in pictures]}
    )
    _tell(f"full read, {title}", wanted, times["SIFT"] / len(pictures), times["Hush"] / len(pictures))


def _update(before: Picture, after: Picture, ours: Recogniser, sift: BySift) -> None:
    """A line of an update after one card was laid, and of a picture in which nothing happens."""
    cv2_sift = cv2.SIFT.create()
    times: dict[str, list[float]] = {"SIFT": [], "features": [], "update": [], "idle": []}
    for _ in range(ROUNDS):
        times["SIFT"].append(spent(lambda: sift.read(after)))
        times["features"].append(
            spent(lambda: cv2_sift.detectAndCompute(cv2.cvtColor(after, cv2.COLOR_BGR2GRAY), None))
        )
        for _ in range(3):
            reader = Reader(ours)
            reader.read(before)
            times["update"].append(spent(functools.partial(reader.read, after)))
            times["idle"].append(spent(functools.partial(reader.read, after)))
    least = {name: min(values) for name, values in times.items()}
    _tell("update after one card", 40, least["SIFT"], least["update"])
    print(f"{'OpenCV finds SIFT features in':<34}{least['features']:8.1f} ms; nothing happens: {least['idle']:.1f} ms")


def _tell(title: str, wanted: float, sift: float, ours: float) -> None:
    print(
        f"{title:<34}{ours:8.1f} ms, SIFT {sift:8.1f} ms: {sift / ours:5.1f} times as fast ({wanted:g} wanted)",
        flush=True,
    )


def large_collection() -> None:
    """Many enrolled cards: how long learning takes, in how much memory, and a full table beside one with a few."""
    faces = many_faces()
    with tempfile.TemporaryDirectory() as folder:
        for number, (_card, _face, picture) in enumerate(faces):
            cv2.imwrite(f"{folder}/card-{number}.png", picture)
        command = [sys.executable, "-m", "benchmarks.vision.speed", folder]
        print(subprocess.run(command, capture_output=True, text=True, check=True).stdout, end="", flush=True)
    few, full = many_cards(faces, FEW), many_cards(faces, FULL)
    ours, sift = Recogniser(build_index(faces)), BySift(faces)
    tasks: dict[str, Callable[[], object]] = {
        "few": lambda: ours.read(few),
        "full": lambda: ours.read(full),
        "SIFT few": lambda: sift.read(few),
        "SIFT full": lambda: sift.read(full),
    }
    least = by_turns(tasks, 3)
    print(
        f"{MANY} enrolled, {FULL} cards {least['full']:.0f} ms, {FEW} cards {least['few']:.0f} ms:"
        f" {least['full'] / least['few']:.1f} times the cost (8 wanted),"
        f" SIFT {least['SIFT full']:.0f} ms and {least['SIFT few']:.0f} ms;"
        f" named {len(ours.read(full).cards)} and {len(ours.read(few).cards)}",
        flush=True,
    )


def many_faces() -> Faces:
    """Faces of all drawn decks, cut to one shape, as many as a large collection has."""
    faces = [
        (f"{name} {card}", face, p)
        for name in ("silencio", "fables", "tarot", "cisza")
        for card, face, p in scenes.own_faces(name)
    ]
    return [(card, face, cv2.resize(p, (330, 460), interpolation=cv2.INTER_AREA)) for card, face, p in faces[:MANY]]


def many_cards(faces: Faces, count: int) -> Picture:
    """A table with some of them lying in a grid."""
    looks = scenes.looks_of(faces, families.SIZE)
    random = np.random.default_rng(count)
    chosen = random.permutation(len(faces))[:count]
    cards = tuple(
        LaidCard(faces[n][0], 45 + k % 8 * 73, 55 + k // 8 * 98, float(random.uniform(-5, 5)), faces[n][1])
        for k, n in enumerate(chosen.tolist())
    )
    return render(Scene(cards), looks, PinholeCamera(tilt=10, fill=0.9), seed=count).picture


def learn_many(folder: Path) -> None:
    """How long a large collection takes to learn from its folder, and how much memory; in a process of its own."""
    deck = open_deck(folder)
    took = spent(lambda: load_index(deck)) / 1000
    # Not `getrusage`, which counts what the process that started this one had.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    peak = int(status.split("VmHWM:")[1].split()[0])
    print(
        f"{MANY} cards learnt in {took:.1f} s (6 wanted), the process has {peak / 1024:.0f} MB at its peak (300 wanted)"
    )


if __name__ == "__main__":
    cv2.setNumThreads(1)
    learn_many(Path(sys.argv[1]))
