"""`python -m benchmarks.vision.tuning`: writes docs/dev/vision-tuning.md from the eye's numbers."""

from __future__ import annotations

from pathlib import Path
from typing import get_type_hints

import msgspec

from vision import tuning
from vision.decks import tuning as decks

PAGE = Path(__file__).resolve().parents[2] / "docs" / "dev" / "vision-tuning.md"
HEAD = """# The eye's tunable numbers

Made from `vision/tuning.py` and `vision/decks/tuning.py` by `python -m benchmarks.vision.tuning`; change them there.
What notices is a part of `python -m benchmarks.vision`. The weights of the two networks stand in
`vision/comparison.npz` and `vision/detail.npz`, made by `python -m benchmarks.vision.train comparison` and `detail`.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for group in (
        value for module in (tuning, decks) for value in vars(module).values() if isinstance(value, msgspec.Struct)
    ):
        hints = get_type_hints(type(group), include_extras=True)
        parts.append(f"\n## {type(group).__name__}\n{type(group).__doc__}\n")
        parts.append("| number | value | unit | rests on | noticed by |\n| --- | --- | --- | --- | --- |")
        for field in msgspec.structs.fields(group):
            about = hints[field.name].__metadata__[0]
            value = getattr(group, field.name)
            parts.append(f"| `{field.name}` | {value} | {about.unit} | {about.rests_on} | {about.noticed_by} |")
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
