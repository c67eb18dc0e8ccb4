"""Keeps pip out of the system's way: which versions the system's camera library needs, and whether all fit together.

On Raspberry Pi OS picamera2 comes from apt, with numpy and simplejpeg that were built for each other. A newer numpy in
our environment would shadow the system's and break them. `constraints` (run by the system's Python) prints what pip
must not replace; `check` (run by the new environment's Python) proves that everything can be imported together.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from importlib import metadata

CAMERA = "picamera2"
OURS = ("numpy", "cv2", "gpiozero", "luma.oled.device", "msgspec", "pygame")
OURS += ("companion.commands.serving", "companion.cli")
# What only some machines have, from apt.
SYSTEMS = ("lgpio", "spidev", "simplejpeg", CAMERA)


def constraints() -> list[str]:
    """What pip must not replace: the numpy for which the system's camera library was built.

    Only that one: other packages of the system may be too old for us, and a newer one beside them does no harm.
    """
    try:
        metadata.distribution(CAMERA)
        return [f"numpy=={metadata.version('numpy')}"]
    except metadata.PackageNotFoundError:
        return []


def check() -> str:
    """What can't be imported together with the rest, or nothing."""
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    names = [*OURS, *(name for name in SYSTEMS if importlib.util.find_spec(name) is not None)]
    for name in names:
        try:
            importlib.import_module(name)
        except Exception as error:  # an ABI clash is a ValueError or worse
            return f"{name} can't be imported: {error}"
    return ""


if __name__ == "__main__":
    if sys.argv[1:] == ["constraints"]:
        print("\n".join(constraints()))
    else:
        sys.exit(check() or None)
