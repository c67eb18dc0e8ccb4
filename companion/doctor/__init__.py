"""The doctor: is this box well, and if not, what to do."""
