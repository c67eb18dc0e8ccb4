"""The eye: from camera frames to a view of the table that can be trusted."""
