"""The verbs of the eye: see, camera, print, enrol, decks."""
