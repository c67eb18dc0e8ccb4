"""The translations, one catalogue for each room and language, and the tool that keeps them (`__main__`)."""

from pathlib import Path

LOCALE = Path(__file__).parent

KITS = LOCALE.parent / "kits"
GAMES = sorted(path.parent.name for path in KITS.glob("*/kit.py"))

# Which sources feed which catalogue: each room keeps its texts together.
DOMAINS = {
    "games": ("companion/games/*.py",),
    **{name: (f"companion/games/{name}/*.py", f"companion/kits/{name}/*.py") for name in GAMES},
    "companion": (
        "companion/*.py",
        "companion/journal/*.py",
        "companion/bots/*.py",
        "companion/commands/*.py",
        "companion/draw/*.py",
        "companion/settings/*.py",
        "companion/kits/*.py",
    ),
    "table": (
        "companion/table/*.py",
        "companion/session/*.py",
        "companion/outputs/*.py",
        "companion/demo/*.py",
    ),
    "web": ("companion/web/*.py", "companion/web/pictures/*.py", "companion/web/eyes/*.py"),
    "vision": ("vision/**/*.py", "companion/commands/eye/*.py"),
    "hardware": ("hardware/**/*.py", "companion/commands/panel/*.py"),
    "sounds": ("sounds/**/*.py",),
    "service": ("companion/service/*.py", "companion/doctor/*.py", "companion/commands/service/*.py"),
}


def po_path(domain: str, language: str) -> Path:
    """Where a room's translations are kept; a game's are in its kit."""
    if domain in GAMES:
        return KITS / domain / "locale" / f"{language}.po"
    return LOCALE / language / "LC_MESSAGES" / f"{domain}.po"
