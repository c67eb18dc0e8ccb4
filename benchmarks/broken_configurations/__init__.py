"""Every kind of broken configuration that we could think of, and whether the box lives with it."""
