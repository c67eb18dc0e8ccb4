"""The rules of a game for the page: what people read of them, in the language of the phone, else in English."""

from __future__ import annotations

from pathlib import Path

# The manual goes into the wheel; a checkout has it beside the program.
MANUALS = (Path(__file__).parents[1] / "manual", Path(__file__).parents[2] / "docs")
DOCS = next((folder for folder in MANUALS if folder.is_dir()), MANUALS[-1])
FALLBACK = "en"
MAX_PAGE_CHARACTERS = 200_000


def rules_of(game: str, language: str, docs: Path = DOCS) -> str:
    """The page of a game's rules as Markdown; nothing where there is none."""
    if not game:
        return ""
    for folder in (docs / language, docs / FALLBACK):
        page = folder / f"{game}.md"
        if page.is_file():
            return page.read_text(encoding="utf-8")[:MAX_PAGE_CHARACTERS]
    return ""
