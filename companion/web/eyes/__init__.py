"""What the page has of the camera: the live picture, the recognised cards, the calibration, the enrolment of decks."""
