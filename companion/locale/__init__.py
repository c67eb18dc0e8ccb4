"""The translations, one catalogue for each room and language, and the tool that keeps them (`__main__`)."""

from pathlib import Path

LANGUAGES = ("en", "nl", "es", "pl")
LOCALE = Path(__file__).parent

# Which sources feed which catalogue: each room keeps its texts together.
DOMAINS = {
    "games": ("companion/games/*.py",),
    "silencio": ("companion/games/silencio/*.py",),
    "similo": ("companion/games/similo/*.py",),
    "silentes": ("companion/games/silentes/*.py",),
    "cisza": ("companion/games/cisza/*.py",),
    "companion": (
        "companion/*.py",
        "companion/journal/*.py",
        "companion/bots/*.py",
        "companion/commands/*.py",
        "companion/draw/*.py",
    ),
    "table": (
        "companion/table/*.py",
        "companion/table/hosts/*.py",
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
