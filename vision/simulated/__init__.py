"""The simulated table: scenes of cards rendered as a camera would see them."""

from vision.simulated.lights import Conditions
from vision.simulated.render import Look, Rendered, Truth, render
from vision.simulated.scene import Camera, LaidCard, Scene

__all__ = ["Camera", "Conditions", "LaidCard", "Look", "Rendered", "Scene", "Truth", "render"]
