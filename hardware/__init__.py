"""The panel: lights and buttons as a port, with a real and simulated twins."""
