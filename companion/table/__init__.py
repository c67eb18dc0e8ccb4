"""The physical table: the running game, the chooser, proposals from what the camera sees, and cues for the panel."""
