"""What travels between the page and the box about the simulated table."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from companion.web.pictures.model import NamedZone


class SimulatedCardPlace(Struct, frozen=True, forbid_unknown_fields=True):
    """A card on the simulated table: its middle in millimetres, its turn clockwise in degrees, the side that shows."""

    card: Annotated[str, Meta(max_length=60)]
    x: Annotated[float, Meta(ge=-200, le=2000)]
    y: Annotated[float, Meta(ge=-200, le=2000)]
    angle: Annotated[float, Meta(ge=-720, le=720)] = 0.0
    face: Annotated[str, Meta(max_length=20)] = ""


class SimulatedScene(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that lies on the simulated table, bottom first."""

    laid: Annotated[tuple[SimulatedCardPlace, ...], Meta(max_length=150)]


class LaidOut(Struct, frozen=True):
    """What lies on the simulated table now; a later scene has a larger number."""

    number: int
    laid: tuple[SimulatedCardPlace, ...]


class SimulatedCard(Struct, frozen=True):
    """One side of a card of the deck; `number` names its picture."""

    number: int
    card: str
    face: str
    name: str


class Simulation(Struct, frozen=True):
    """The simulated table."""

    width: float
    height: float
    card_width: float
    card_height: float
    zones: tuple[NamedZone, ...]
    cards: tuple[SimulatedCard, ...]
    scene: LaidOut
