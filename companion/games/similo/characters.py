"""Similo's characters: the Fables and History decks as data. Any other deck comes as a list of names (SIM-01)."""

from __future__ import annotations

from companion.games.cards import Cards
from companion.games.similo.records import Options
from companion.text import N_

FABLES = {
    "aladdin": N_("Aladdin"),
    "alice": N_("Alice"),
    "big-bad-wolf": N_("Big Bad Wolf"),
    "captain-hook": N_("Captain Hook"),
    "cheshire-cat": N_("Cheshire Cat"),
    "cinderella": N_("Cinderella"),
    "dorothy": N_("Dorothy"),
    "evil-queen": N_("Evil Queen"),
    "evil-stepmother": N_("Evil Stepmother"),
    "fairy-godmother": N_("Fairy Godmother"),
    "fox-and-the-cat": N_("The Fox and the Cat"),
    "genie": N_("The Genie"),
    "giant": N_("Giant"),
    "hunter": N_("Hunter"),
    "jack": N_("Jack"),
    "fire-eater": N_("Fire-Eater"),
    "king-arthur": N_("King Arthur"),
    "little-mermaid": N_("Little Mermaid"),
    "little-red-riding-hood": N_("Little Red Riding Hood"),
    "mad-hatter": N_("Mad Hatter"),
    "peter-pan": N_("Peter Pan"),
    "pinocchio": N_("Pinocchio"),
    "prince-charming": N_("Prince Charming"),
    "puss-in-boots": N_("Puss in Boots"),
    "queen-of-hearts": N_("Queen of Hearts"),
    "robin-hood": N_("Robin Hood"),
    "sea-witch": N_("Sea Witch"),
    "snow-white": N_("Snow White"),
    "three-little-pigs": N_("Three Little Pigs"),
    "tinker-bell": N_("Tinker Bell"),
    "tin-woodman": N_("Tin Woodman"),
    "wicked-witch-of-the-west": N_("Wicked Witch of the West"),
}

HISTORY = {
    "abraham-lincoln": N_("Abraham Lincoln"),
    "alexander-the-great": N_("Alexander the Great"),
    "anne-bonny": N_("Anne Bonny"),
    "bessie-coleman": N_("Bessie Coleman"),
    "boudica": N_("Boudica"),
    "catherine-the-great": N_("Catherine the Great"),
    "charles-darwin": N_("Charles Darwin"),
    "cleopatra": N_("Cleopatra"),
    "confucius": N_("Confucius"),
    "elisabeth-of-bavaria": N_("Elisabeth of Bavaria"),
    "frederick-douglass": N_("Frederick Douglass"),
    "gaius-julius-caesar": N_("Gaius Julius Caesar"),
    "genghis-khan": N_("Genghis Khan"),
    "hypatia": N_("Hypatia"),
    "isaac-newton": N_("Isaac Newton"),
    "joan-of-arc": N_("Joan of Arc"),
    "katsushika-hokusai": N_("Katsushika Hokusai"),
    "leonardo-da-vinci": N_("Leonardo da Vinci"),
    "ludwig-van-beethoven": N_("Ludwig van Beethoven"),
    "marie-antoinette": N_("Marie Antoinette"),
    "marie-curie": N_("Marie Curie"),
    "mary-shelley": N_("Mary Shelley"),
    "montezuma": N_("Montezuma"),
    "napoleon-bonaparte": N_("Napoleon Bonaparte"),
    "pocahontas": N_("Pocahontas"),
    "queen-elizabeth-i": N_("Queen Elizabeth I"),
    "salah-ad-din": N_("Salah ad-Din"),
    "sitting-bull": N_("Sitting Bull"),
    "tutankhamun": N_("Tutankhamun"),
    "vincent-van-gogh": N_("Vincent van Gogh"),
    "virginia-woolf": N_("Virginia Woolf"),
    "william-shakespeare": N_("William Shakespeare"),
}

DECKS: dict[str, tuple[str, ...]] = {"fables": tuple(sorted(FABLES)), "history": tuple(sorted(HISTORY))}


def characters(options: Options) -> Cards:
    """The cards of the character deck."""
    return tuple(sorted(options.characters)) if options.deck == "custom" else DECKS[options.deck]


def clue_cards(options: Options) -> Cards:
    """The cards of the clue deck; its own deck has the grid's cards taken out later (SIM-19)."""
    if options.clue_deck == "same":
        return characters(options)
    return tuple(sorted(options.clue_characters)) if options.clue_deck == "custom" else DECKS[options.clue_deck]


def is_two_decks(options: Options) -> bool:
    """Whether clues come from a deck of their own."""
    return options.clue_deck not in ("same", options.deck) or (
        options.clue_deck == "custom" and set(options.clue_characters) != set(options.characters)
    )
