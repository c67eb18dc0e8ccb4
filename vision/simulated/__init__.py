"""The simulated table: scenes of cards rendered as a camera would see them."""

from vision.simulated.lights import Conditions
from vision.simulated.render import Look, Rendered, Truth, render
from vision.simulated.scene import LaidCard, PinholeCamera, Scene

__all__ = ["Conditions", "LaidCard", "Look", "PinholeCamera", "Rendered", "Scene", "Truth", "render"]
