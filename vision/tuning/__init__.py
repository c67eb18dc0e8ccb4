"""The numbers by which the eye finds and names cards: each with its unit, what it rests on, and what notices it.

`docs/dev/vision-tuning.md` is made from these modules (`python -m benchmarks.vision.tuning`). The weights of the
networks stand in `vision/comparison.npz` and `vision/detail.npz` (`python -m benchmarks.vision.train`).
"""

from vision.tuning.finding import CARD, CELL, FEATURE, OCCLUSION, OUTLINE, POSE, REFERENCE, ROW, SEARCH, VOTE
from vision.tuning.naming import COLOUR, COMPARISON, DETAIL, IDENTITY, INK, NAMING
from vision.tuning.watching import EVIDENCE, FOCUS, PRESENCE, READING, TRACKING

__all__ = [
    "CARD",
    "CELL",
    "COLOUR",
    "COMPARISON",
    "DETAIL",
    "EVIDENCE",
    "FEATURE",
    "FOCUS",
    "IDENTITY",
    "INK",
    "NAMING",
    "OCCLUSION",
    "OUTLINE",
    "POSE",
    "PRESENCE",
    "READING",
    "REFERENCE",
    "ROW",
    "SEARCH",
    "TRACKING",
    "VOTE",
]
