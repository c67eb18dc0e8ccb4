"""The hue of a card's ink: of a deck in few inks, a card that isn't enrolled may be another one in all but its ink.

A camera may turn all hues by as much as one ink is from the next, so no turn is too large by itself. But where what is
seen has the hue of another ink of the deck, it's a card in that ink.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from vision.geometry import Array, Mask, median
from vision.tuning import INK


def of_faces(low: Array) -> Array:
    """The hue of each face in one ink as a complex number of length 1, else 0, from its planes on the grid."""
    everywhere = np.ones(low.shape[1:3], bool)
    hues = np.zeros(len(low), np.complex64)
    for number, planes in enumerate(low):
        inked = _inked(planes, _plain(planes, everywhere))
        strength, common = float((np.abs(inked) ** 2).sum()), complex((inked * np.abs(inked)).sum())
        if strength and abs(common) >= INK.min_single_hue_share * strength:
            hues[number] = common / abs(common)
    return hues


class HueShift(Struct, frozen=True):
    """How far the ink seen at a place is from a face's own, in radians of hue, and how far from others of the deck."""

    from_own: float
    from_nearest_other: float  # of the inks that aren't the face's own
    is_another: bool  # whether it's plainly another ink of the deck


NO_SHIFT = HueShift(0.0, 0.0, False)


def hue_shift(
    observed: Array, face: Array, shown: Array, own: complex, inks: Array, is_camera_known: bool = False
) -> HueShift:
    """How the ink of a place lies beside that of a face, by the planes of both on the grid and where the place shows.

    `own` is the hue of the face, `inks` those of the deck. A camera that isn't known may turn all hues.
    """
    if not own:
        return NO_SHIFT
    plain = _plain(face, shown > 0.5)
    observed, known = _inked(observed, plain), _inked(face, plain)
    strength = float((shown * np.abs(known) ** 2).sum()) + 1e-9
    turned = complex((shown * known.conj() * observed).sum()) / strength
    # Noise may turn the hue of little ink: as much as that is taken to be the face's own.
    from_own = float(abs(np.angle(turned + INK.chroma_noise / strength**0.5)))
    known_inks = inks[inks != 0]
    others = np.abs(np.angle(turned * own / known_inks))
    foreign = np.abs(np.angle(own / known_inks)) > np.radians(INK.same_ink_degrees)
    is_far = from_own > np.radians(INK.same_ink_degrees if is_camera_known else INK.max_hue_shift_degrees)
    is_another = is_far and np.count_nonzero(others < INK.other_ink_ratio * from_own) >= INK.min_faces_of_ink
    return HueShift(from_own, float(others[foreign].min()) if foreign.any() else float(np.pi), bool(is_another))


def _plain(planes: Array, shown: Mask) -> Mask:
    """Where a face has no ink."""
    return np.asarray(shown & (np.hypot(planes[..., 1], planes[..., 2]) < INK.max_paper_chroma))


def _inked(planes: Array, plain: Mask) -> Array:
    """The chroma of each cell as a complex number, the paper's own taken out."""
    chroma = planes[..., 1] + 1j * planes[..., 2]
    if np.count_nonzero(plain) >= INK.min_paper_cells:
        chroma = chroma - complex(median(chroma[plain].real), median(chroma[plain].imag))
    return np.asarray(chroma, np.complex64)
