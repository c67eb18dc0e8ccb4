"""What makes the weights of `vision.comparison`: generated decks, views of them, and a network fitted to both.

No photo and no deck of the benchmark's families takes part.
"""

from __future__ import annotations

import numpy as np

Random = np.random.Generator
