"""`python -m benchmarks.vision.tuning`: writes docs/dev/vision-tuning.md from the eye's numbers."""

from __future__ import annotations

from pathlib import Path
from typing import get_type_hints

import msgspec

from vision.decks import tuning as decks
from vision.tuning import finding, naming, watching

PAGE = Path(__file__).resolve().parents[2] / "docs" / "dev" / "vision-tuning.md"
HEAD = """# The eye's tunable numbers

Made from `vision/tuning/` and `vision/decks/tuning.py` by `python -m benchmarks.vision.tuning`; change them there.
What notices is a part of `python -m benchmarks.vision`. The weights of the two networks stand in
`vision/comparison.npz` and `vision/detail.npz`, made by `python -m benchmarks.vision.train comparison` and `detail`.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    groups = {
        name: value
        for module in (finding, naming, watching, decks)
        for name, value in vars(module).items()
        if isinstance(value, msgspec.Struct)
    }
    for name, group in groups.items():
        hints = get_type_hints(type(group), include_extras=True)
        parts.append(f"\n## {name}\n{type(group).__doc__}\n")
        parts.append("| number | value | unit | rests on | noticed by |\n| --- | --- | --- | --- | --- |")
        for field in msgspec.structs.fields(group):
            basis = hints[field.name].__metadata__[0]
            value = getattr(group, field.name)
            parts.append(f"| `{field.name}` | {value} | {basis.unit} | {basis.rests_on} | {basis.noticed_by} |")
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
