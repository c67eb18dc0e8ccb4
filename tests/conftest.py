"""What all tests share: a slow machine is no failure of a property."""

from hypothesis import settings

settings.register_profile("hush", deadline=None)
settings.load_profile("hush")
