"""The print-and-play decks for Similo: the characters of fables and of history, each drawn by its traits."""

from __future__ import annotations

import re

import msgspec

from vision.art.canvas import Canvas, Colour, around, mixed
from vision.art.kit import CardArt, Drawing, seeded
from vision.art.patterns import rosette
from vision.art.people import bust, someone

SIZE = (63.0, 88.0)
# Traits: the headgear, then l for long hair, b for a beard; a game of likeness needs them to be seen.
FABLES = {
    "Aladdin": "turban", "Alice": "none l", "Big Bad Wolf": "hood b", "Captain Hook": "feather l b",
    "Cheshire Cat": "none", "Cinderella": "laurel l", "Dorothy": "cap l", "Evil Queen": "crown l",
    "Evil Stepmother": "none l", "Fairy Godmother": "hood", "The Fox and the Cat": "feather",
    "The Genie": "turban b", "Giant": "none b", "Hunter": "feather b", "Jack": "cap",
    "Fire-Eater": "wide b", "King Arthur": "crown b", "Little Mermaid": "none l",
    "Little Red Riding Hood": "hood l", "Mad Hatter": "top", "Peter Pan": "feather", "Pinocchio": "witch",
    "Prince Charming": "crown", "Puss in Boots": "feather b", "Queen of Hearts": "crown l",
    "Robin Hood": "feather b", "Sea Witch": "none l", "Snow White": "laurel", "Three Little Pigs": "cap",
    "Tinker Bell": "laurel l", "Tin Woodman": "helm", "Wicked Witch of the West": "witch l",
}  # fmt: skip
HISTORY = {
    "Abraham Lincoln": "top b", "Alexander the Great": "helm", "Anne Bonny": "feather l",
    "Bessie Coleman": "cap", "Boudica": "none l", "Catherine the Great": "crown l",
    "Charles Darwin": "wide b",
    "Cleopatra": "crown l", "Confucius": "cap b", "Elisabeth of Bavaria": "laurel l",
    "Frederick Douglass": "none b", "Gaius Julius Caesar": "laurel", "Genghis Khan": "helm b",
    "Hypatia": "none l", "Isaac Newton": "none l", "Joan of Arc": "helm l", "Katsushika Hokusai": "none",
    "Leonardo da Vinci": "cap l b", "Ludwig van Beethoven": "none l", "Marie Antoinette": "feather l",
    "Marie Curie": "none", "Mary Shelley": "none l", "Montezuma": "laurel l", "Napoleon Bonaparte": "wide",
    "Pocahontas": "laurel l", "Queen Elizabeth I": "crown", "Salah ad-Din": "turban b",
    "Sitting Bull": "feather l",
    "Tutankhamun": "crown", "Vincent van Gogh": "wide b", "Virginia Woolf": "hood",
    "William Shakespeare": "none b",
}  # fmt: skip
PALETTES: tuple[tuple[Colour, Colour, Colour], ...] = (
    ((36, 78, 120), (232, 196, 108), (190, 70, 58)), ((60, 104, 82), (240, 224, 180), (206, 122, 60)),
    ((112, 54, 98), (236, 202, 160), (70, 130, 140)), ((150, 66, 46), (244, 226, 190), (50, 96, 110)),
    ((44, 60, 90), (214, 170, 110), (120, 150, 96)), ((90, 80, 50), (232, 214, 170), (150, 60, 90)),
)  # fmt: skip


def fables() -> list[CardArt]:
    """The deck of fables."""
    return [CardArt(slug(name), "", name, _character(name, traits), 1) for name, traits in FABLES.items()]


def history() -> list[CardArt]:
    """The deck of history."""
    return [CardArt(slug(name), "", name, _character(name, traits), 1) for name, traits in HISTORY.items()]


def slug(name: str) -> str:
    """The id of a character: 'Queen of Hearts' is queen-of-hearts, 'The Genie' genie."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower().removeprefix("the ")).strip("-")


def _character(name: str, traits: str) -> Drawing:
    def draw(canvas: Canvas) -> None:
        random = seeded(f"similo {name}")
        ground, light, accent = PALETTES[int(random.integers(len(PALETTES)))]
        canvas.shade(mixed(ground, (255, 255, 255), 0.15), ground, 0, canvas.height)
        # Nothing is shared but the name's place: each portrait hangs elsewhere, in another window.
        x, y = 31.5 + float(random.uniform(-7, 7)), 36 + float(random.uniform(-3, 5))
        glow = [ground, mixed(ground, light, 0.35), mixed(ground, accent, 0.6)]
        rosette(canvas, float(random.uniform(14, 49)), float(random.uniform(18, 56)), 52, glow, random)
        paper = mixed(light, (255, 255, 255), 0.45)
        corners, turn = ((4, 45), (4, 0), (6, 0), (8, 22.5), (40, 0), (5, 0), (6, 30))[int(random.integers(7))]
        canvas.shape(around(x, y + 2, 27 if corners > 4 else 31, corners, turn), paper, light, 1.2)
        scattered = around(x, y + 2, 22, int(random.integers(5, 12)), float(random.uniform(0, 60)))
        for px, py in scattered:
            canvas.shape(around(px, py, 2.6, int(random.integers(3, 7)), 0, 0.5), mixed(paper, accent, 0.45))
        hat, *marks = traits.split()
        # Drawn as cameos on tinted paper: traits of dress are clues in this game, a guessed skin isn't.
        who = msgspec.structs.replace(
            someone(random, hat, "l" in marks, "b" in marks), skin=mixed(light, (255, 255, 255), 0.35)
        )
        bust(
            canvas,
            x,
            y if hat not in ("witch", "top") else y + 4,
            float(random.uniform(7.6, 10)),
            who,
            random,
        )
        for corner in range(4):
            rosette(canvas, 6.5 + 50 * (corner % 2), 6.5 + 57 * (corner // 2), 5, [accent, light, ground], random)
        canvas.box(3, 72, 57, 12.5, (252, 246, 232), accent, 0.7, 2)
        canvas.text(31.5, 78.2, name, 6.4, (44, 34, 34), widest=53)
        canvas.box(0.7, 0.7, 61.6, 86.6, None, light, 1.1, 2.5)

    return draw
