"""Where the installer and the units of the service are: in the checkout, or in the package that pip installed."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).parent.parent
CHECKOUT = PACKAGE.parent


def installer() -> Path:
    """The installer; the units lie beside it. pyproject.toml puts the folder into the wheel."""
    inside = PACKAGE / "systemd" / "install.sh"
    return inside if inside.is_file() else CHECKOUT / "systemd" / "install.sh"
