"""The scripted person of the demo and of the soak."""
